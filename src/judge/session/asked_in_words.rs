//! Sentences that ask for something in other words than a command's; the command is proposed.

use std::collections::BTreeSet;

use crate::people::preferences::preference_line;
use crate::session::Session;
use crate::session::reading::OrdersFor;
use dipjudge_commands::command_reader::is_pleasantry;
use dipjudge_commands::corrections::{SentenceRequest, THE_GAME, lines_of_master, of_sentence};
use dipjudge_commands::letters::passes_on_letter;
use dipjudge_commands::order_words::OrderWords;
use dipjudge_commands::press_options::press_lines;
use dipjudge_commands::prose::{bare_words, sentences};
use dipjudge_commands::slots::filled;
use dipjudge_game::{Game, Phase, Role, SeatId};
use dipjudge_grammar::number_in_words;
use dipjudge_mails::outbound::NOT_DONE_YET;
use dipjudge_rules::map::Province;
use dipjudge_rules::position::Unit;
use jiff::{SignedDuration, Timestamp};

/// The most lines of a mail that goes to the master as a whole.
const MOST_OF_WISH: usize = 8;

/// What is said where a pause is proposed.
const PAUSE_ENDS: &str = "PAUSE has no end of its own: the game goes on when you send RESUME.";

/// What is said of more time where no master could give it.
const TIME_BY_ANY_PLAYER: &str = "This game has no master.  Any player may move the deadline for all, by SET DEADLINE and a date or +2 days; where the game hides something, that is a vote.";

impl Session<'_, '_> {
    /// Whether a line is a sentence that asks for something in other words than a command's; then the command is proposed.
    pub(crate) fn propose_for_sentence(&mut self, line: &str) -> bool {
        let signed_on = self.sender.acting.is_some() && self.sender.master.is_none();
        if !signed_on || self.reading.orders_for != OrdersFor::Now || self.reads_as_order(line) {
            return false;
        }
        if passes_on_letter(line) {
            let why = "The judge forwards no letter that somebody else wrote, so nothing was sent.  To tell somebody what it said, write a letter of your own: PRESS TO and a power, your text, and the line ENDPRESS.";
            self.fault(line, why);
            return true;
        }
        let lines = match self.request_of(line) {
            // "Scrap that: Smyrna to Constantinople" is an order, and not the wish to have none.
            Some(SentenceRequest::Lines(lines))
                if lines == ["CLEAR ORDERS"] && !self.orders_meant(line).is_empty() =>
            {
                return false;
            }
            Some(SentenceRequest::Lines(lines))
                if lines == ["SET NO WAIT"] && self.proposes_pass(line) =>
            {
                return true;
            }
            // "Can somebody else take over Germany?"
            Some(SentenceRequest::Lines(lines)) if lines == ["RESIGN"] && self.is_master() => {
                return false;
            }
            // An observer's absence changes nothing.
            Some(SentenceRequest::Lines(lines))
                if lines.iter().any(|line| line.starts_with("SET ABSENCE")) && self.observes() =>
            {
                return false;
            }
            Some(SentenceRequest::Lines(lines)) => lines,
            Some(SentenceRequest::OfMaster(lines)) if self.is_master() => {
                let all = lines_of_master(line);
                let lines = if all.len() > lines.len() { all } else { lines };
                match self.with_persons(line, lines) {
                    Some(lines) => lines,
                    None => return false,
                }
            }
            Some(SentenceRequest::Longer(days)) if self.is_master() => {
                match self.later_deadline(days) {
                    Some(line) => vec![line],
                    None => return false,
                }
            }
            Some(SentenceRequest::SameHour(date)) if self.is_master() => {
                match self.hour_of_deadline() {
                    Some(hour) => vec![format!("SET DEADLINE {date} {hour}")],
                    None => return false,
                }
            }
            Some(SentenceRequest::Preference { first, last }) => {
                let game = self.game();
                let Some(wished) = game.and_then(|game| preference_line(game, &first, &last))
                else {
                    return false;
                };
                // "I'd love to have England. Anything but Austria, please."
                if sentences(line).len() > 1 {
                    self.reading.proposed_in_part.push(line.trim().to_owned());
                }
                vec![wished]
            }
            Some(SentenceRequest::OrdersOf(power)) if self.is_master() => {
                return self.begin_orders_of(&power);
            }
            Some(SentenceRequest::Order(order)) if !self.orders_meant(&order).is_empty() => {
                vec![order]
            }
            Some(SentenceRequest::SameOrders) => return self.propose_orders_of_last(line),
            Some(SentenceRequest::MoreTime) if self.is_master() => return false,
            Some(SentenceRequest::MoreTime | SentenceRequest::Longer(_)) if self.has_master() => {
                self.ask_before(line);
                self.say("The deadline stays as it is until the master moves it.");
                let words = self.words_of_wish(line);
                self.propose_all(press_lines("TO M", words));
                return true;
            }
            Some(SentenceRequest::MoreTime | SentenceRequest::Longer(_)) => {
                self.tell_time_by_any_player(line);
                return true;
            }
            Some(SentenceRequest::Letter { to, text }) => return self.begin_letter(line, to, text),
            Some(SentenceRequest::LetterToOthers { except, text }) => {
                return self.begin_letter_to_others(line, &except, text);
            }
            None => {
                return self.begin_misspelt_press(line) || self.begin_letter_by_name(line);
            }
            Some(
                SentenceRequest::OfMaster(_)
                | SentenceRequest::SameHour(_)
                | SentenceRequest::Order(_)
                | SentenceRequest::OrdersOf(_),
            ) => return false,
        };
        if lines.iter().any(|line| line == "PAUSE") {
            self.say(PAUSE_ENDS);
        }
        self.ask_before(line);
        self.propose_all(lines);
        true
    }

    /// What a letter to the master says for a sentence that asks him for something: the whole mail, which tells the reason, where it
    /// is short and orders nothing.
    fn words_of_wish(&mut self, sentence: &str) -> Vec<String> {
        let own = self.mail.own_lines().map(|own| own.text.trim().to_owned());
        let own: Vec<String> = own.filter(|own| !own.is_empty()).collect();
        let asks_alone = self.orders.accepted == 0
            && self.reading.commands.is_empty()
            && self.reply.proposed.is_empty()
            && own.len() <= MOST_OF_WISH
            && !own.iter().any(|own| self.holds_own_order(own));
        let mut words = if asks_alone { own } else { Vec::new() };
        words.retain(|own| !is_pleasantry(own));
        if words.is_empty() {
            words.push(sentence.trim().to_owned());
        }
        words.iter().map(|words| self.quotable(words)).collect()
    }

    /// Says of a line that what it asks for is proposed and not done.
    pub(crate) fn ask_before(&mut self, line: &str) {
        self.reply.wanted = true;
        self.fault(line, NOT_DONE_YET);
    }

    /// The lines that words for the judge mean, without doing any of them: orders, commands, a letter to somebody else.
    pub(crate) fn lines_meant(&mut self, words: &str) -> Vec<String> {
        let whole = self.lines_of_sentence(words);
        if !whole.is_empty() {
            return whole;
        }
        let found = sentences(words)
            .into_iter()
            .flat_map(|part| self.lines_of_sentence(part));
        found.collect()
    }

    fn lines_of_sentence(&mut self, sentence: &str) -> Vec<String> {
        match self.request_of(sentence) {
            Some(SentenceRequest::Lines(lines)) => lines,
            Some(SentenceRequest::MoreTime | SentenceRequest::Longer(_)) if self.has_master() => {
                press_lines("TO M", [sentence.trim().to_owned()])
            }
            Some(SentenceRequest::Letter { to, text }) if !text.is_empty() => {
                self.letter_lines(&to, &text).unwrap_or_default()
            }
            Some(SentenceRequest::Order(order)) => self.orders_meant(&order),
            _ => self.orders_meant(sentence),
        }
    }

    /// The number of days that a sentence wants: `need one more day`.
    fn days_wanted(&self, sentence: &str) -> Option<i64> {
        let words: Vec<String> = bare_words(sentence).map(str::to_lowercase).collect();
        let days = words
            .iter()
            .position(|word| ["day", "days"].contains(&word.as_str()))?;
        let before = words.get(..days).unwrap_or_default().iter().rev();
        let mut numbers = before.filter_map(|word| {
            let in_digits = || word.parse().ok();
            number_in_words(word).map(i64::from).or_else(in_digits)
        });
        numbers.next()
    }

    /// Says who may move the deadline of a game without a master, and proposes it if a sentence says until when.
    pub(crate) fn tell_time_by_any_player(&mut self, sentence: &str) {
        self.fault(sentence, TIME_BY_ANY_PLAYER);
        let days = self.days_wanted(sentence);
        let lines = match days.and_then(|days| self.later_deadline(days)) {
            Some(later) => vec![later],
            None => filled("SET DEADLINE {date}", sentence, sentence),
        };
        self.propose_all(lines);
    }

    fn later_deadline(&self, days: i64) -> Option<String> {
        later_deadline(self.game()?, self.sender.acting?.seat, days)
    }

    /// Proposes the sender's orders of the last phase of moves for his units that stand where they stood, and what the sentence
    /// orders otherwise. Returns whether there are any.
    fn propose_orders_of_last(&mut self, line: &str) -> bool {
        let again: Vec<String> = self.orders_of_last().collect();
        let again: Vec<String> = again
            .into_iter()
            .filter(|order| !self.orders_meant(order).is_empty())
            .collect();
        if again.is_empty() {
            return false;
        }
        self.ask_before(line);
        let otherwise = self.orders_meant(line);
        let units = self.units_of(&otherwise);
        // "The same orders, but Burgundy goes to the Ruhr": no unit supports what Burgundy did before.
        let again = again.into_iter().filter(|order| {
            if !self
                .units_of(std::slice::from_ref(order))
                .is_disjoint(&units)
            {
                return false;
            }
            let helped = order.split_once(" S ").map(|(_, helped)| helped);
            let helped = helped.map(|helped| self.units_of(&[helped.to_owned()]));
            helped.is_none_or(|helped| helped.is_disjoint(&units))
        });
        for order in again.collect::<Vec<String>>().iter().chain(&otherwise) {
            self.propose(order);
        }
        true
    }

    /// Where the units stand that these lines order.
    fn units_of(&mut self, lines: &[String]) -> BTreeSet<Province> {
        let orders = lines.iter().flat_map(|line| self.read_orders(line));
        let orders: Vec<OrderWords> = orders.filter_map(Result::ok).collect();
        let units = orders.iter().filter_map(|words| words.unit.as_ref());
        units.map(|unit| unit.place.province).collect()
    }

    /// The sender's orders of the last phase, if that and this one are of moves, for units that stand where they stood.
    fn orders_of_last(&self) -> impl Iterator<Item = String> + use<'_> {
        let power = self.sender.acting.and_then(|acting| acting.power);
        let game = self.game().filter(|game| game.phase == Phase::Movement);
        let last = game.and_then(|game| game.last.as_ref());
        let last = last.filter(|last| last.phase == Phase::Movement);
        let outcomes = last.into_iter().flat_map(|last| &last.outcomes);
        outcomes.filter_map(move |outcome| {
            let unit = &outcome.unit;
            let stands = |now: &&Unit| now.at == unit.at && now.kind == unit.kind;
            let now = game?.position.units_of(power?);
            let stays = unit.power == power? && now.into_iter().any(|now| stands(&now));
            let action = outcome.action.as_ref().filter(|_| stays)?;
            Some(action.order_text(unit.kind, unit.at))
        })
    }

    /// The hour of the deadline, in the sender's time zone.
    fn hour_of_deadline(&self) -> Option<String> {
        let game = self.game()?;
        let deadline = game.timing.times?.deadline;
        let zone = game.zone_of(game.seat(self.sender.acting?.seat));
        let local = deadline.to_zoned_datetime(zone);
        Some(local.strftime("%H:%M").to_string())
    }

    /// Proposes what the sentences behind orders on the same line ask for: `A Mun - Ruh. Please wait until the deadline.`
    pub(crate) fn propose_behind_orders(&mut self, line: &str) {
        let signed_on = self.sender.acting.is_some() && self.sender.master.is_none();
        if !signed_on || self.reading.orders_for != OrdersFor::Now {
            return;
        }
        for sentence in sentences(line).into_iter().skip(1) {
            if let Some(SentenceRequest::Lines(lines)) = of_sentence(sentence) {
                self.propose_all(lines);
            }
        }
    }

    /// A master's lines, in which a sentence calls people by their first names: with the address of the observer who becomes a
    /// master, and with the power of the player who is to go. `None` where nobody is called so: "Take Emma out of kaiser" in a game
    /// without an Emma.
    fn with_persons(&self, sentence: &str, lines: Vec<String>) -> Option<Vec<String>> {
        let named = lines.into_iter().map(|line| {
            if let Some(name) = line.strip_prefix("PROMOTE ") {
                let address = self.observer_called(name);
                return Some(address.map_or(line.clone(), |at| format!("PROMOTE {at}")));
            }
            let Some(name) = line.strip_prefix("EJECT ") else {
                return Some(line);
            };
            let is_game = self
                .game()
                .is_some_and(|game| name == THE_GAME || name.eq_ignore_ascii_case(&game.name));
            let called = if is_game { sentence } else { name };
            let power = bare_words(called).find_map(|name| self.power_of_person(name));
            match power {
                Some(power) => Some(format!("EJECT {power}")),
                None => Some(line).filter(|_| !is_game),
            }
        });
        named.collect()
    }

    /// The address of the only observer of this first name.
    fn observer_called(&self, name: &str) -> Option<String> {
        let edit = self
            .edit()
            .filter(|edit| !edit.variant_game().hides_leaders())?;
        let observers = edit.game.seated(Role::Observer);
        let mut called = observers.filter(|seat| self.is_called(seat, name));
        let only = called.next().filter(|_| called.next().is_none())?;
        Some(only.address.clone())
    }

    /// The power that somebody of this first name leads, or his address where he watches, as a master reads it.
    fn power_of_person(&self, name: &str) -> Option<String> {
        let power = self.power_called(name);
        match power.as_str() {
            "M" => None,
            "O" => self.observer_called(name),
            _ => Some(power).filter(|power| power != name),
        }
    }

    /// Whether the sender watches the game in hand.
    fn observes(&self) -> bool {
        let seat = self
            .sender
            .acting
            .and_then(|acting| self.game()?.seat(acting.seat));
        seat.is_some_and(|seat| seat.role == Role::Observer)
    }

    pub(crate) fn has_master(&self) -> bool {
        let game = self.game();
        game.is_some_and(|game| game.seated(Role::Master).next().is_some())
    }
}

/// The line by which a master moves the deadline by so many days.
pub(crate) fn later_deadline(game: &Game, master: SeatId, days: i64) -> Option<String> {
    let deadline = game.timing.times?.deadline;
    let later = deadline
        .checked_add(SignedDuration::from_hours(24 * days))
        .ok()?;
    Some(set_deadline(game, master, later))
}

/// The line by which a master moves the deadline.
pub(crate) fn set_deadline(game: &Game, master: SeatId, at: Timestamp) -> String {
    let at = at.to_zoned_datetime(game.zone_of(game.seat(master)));
    format!("SET DEADLINE {}", at.strftime("%-d %b %Y %H:%M"))
}
