//! Those to whom a letter that is written in words can go, and what people call them.

use std::rc::Rc;

use crate::session::Session;
use dipjudge_commands::corrections::{SentenceRequest, of_sentence};
use dipjudge_commands::letters::{Readers, read_heading, words_back};
use dipjudge_commands::press_options::{Recipients, read_press};
use dipjudge_game::{Role, Seat};

/// How PRESS calls the masters, and the observers.
const MASTERS: &str = "M";
const OBSERVERS: &str = "O";

/// What people call a master.
const MASTER_WORDS: [&str; 7] = [
    "master",
    "gm",
    "game master",
    "gamemaster",
    "moderator",
    "mod",
    "the master",
];

/// What the people of a country are called that the map does not know, as the most do: `the Khazars`, `the Phoenicians`.
fn peoples_of(country: &str) -> Vec<String> {
    let stem = country.trim_end_matches("ia");
    let ends = ["", "s", "ian", "ians", "ite", "ites"];
    ends.iter().map(|end| format!("{stem}{end}")).collect()
}

/// What stands in the list for the sender himself, to whom no letter goes.
const HIMSELF: &str = "";

impl Session<'_, '_> {
    /// What a line asks for that is no command. A letter whose heading names people of the game alone is for these.
    pub(crate) fn request_of(&self, line: &str) -> Option<SentenceRequest> {
        self.letter_headed(line)
            .or_else(|| self.letter_back(line))
            .or_else(|| of_sentence(line))
    }

    /// The letter of a line to somebody who is named before it in the mail, also in a quotation: `Hugo wrote: ... Please answer him: no.`
    fn letter_back(&self, line: &str) -> Option<SentenceRequest> {
        let text = words_back(line)?;
        let readers = self.readers();
        let lines: Vec<&str> = self
            .mail
            .lines
            .iter()
            .map(|line| line.text.as_str())
            .collect();
        let whole = lines.join("\n");
        let (before, _) = whole.split_once(line.trim())?;
        let mut named = before.lines().map(|other| readers.named_in(other));
        let to = named.rfind(|named| named.len() == 1)?;
        Some(SentenceRequest::Letter { to, text })
    }

    /// The letter that a line heads by the names of people of the game alone.
    pub(super) fn letter_headed(&self, line: &str) -> Option<SentenceRequest> {
        read_heading(line, &self.readers()).map(SentenceRequest::from)
    }

    /// Whether the heading of a letter names somebody besides those to whom it would go: `Send this to Russia, no, to Ben:`
    pub(super) fn names_others(&self, heading: &str, to: &str) -> bool {
        let to: Vec<&str> = to.split(", ").collect();
        let named = self.readers().named_in(heading);
        let is_reader = |name: &String| to.iter().any(|to| to.eq_ignore_ascii_case(name));
        !named.iter().all(is_reader)
    }

    /// Those to whom the sender can write whom words name, as PRESS calls them.
    pub(crate) fn named_in(&self, words: &str) -> Vec<String> {
        self.readers().named_in(words)
    }

    /// Those to whom the sender can write: the powers that he knows, masters and observers, and people by name where players know
    /// each other.
    pub(super) fn readers(&self) -> Rc<Readers> {
        let acting = self.sender.acting;
        let mut known = self.reading.readers.borrow_mut();
        let (_, readers) = match known.take() {
            Some(found) if found.0 == acting => known.insert(found),
            _ => known.insert((acting, Rc::new(self.readers_now()))),
        };
        Rc::clone(readers)
    }

    /// The same, made anew.
    fn readers_now(&self) -> Readers {
        let mut readers = Readers::default();
        let Some(edit) = self.edit().filter(|_| self.sender.acting.is_some()) else {
            return readers;
        };
        let game = &edit.game;
        let acting = self.sender.acting;
        let (own, own_seat) = (
            acting.and_then(|acting| acting.power),
            acting.map(|acting| acting.seat),
        );
        let roster = self.roster();
        for (power, info) in roster.iter() {
            let called = if Some(power) == own {
                HIMSELF
            } else {
                &info.name
            };
            readers.add(
                called,
                [info.name.as_str(), &info.adjective, &info.key],
                info.letter,
            );
            let people: Vec<&str> = game.map().people_of(&info.name).collect();
            if people.is_empty() {
                let peoples = peoples_of(&info.name);
                readers.add(called, peoples.iter().map(String::as_str), None);
            }
            readers.add(called, people, None);
            // "the Hittites" of the Hittite Empire, "the Vogons" of the Vogon Poets (VOG)
            let whole = info.introduced();
            let whole = whole.split(" (").next().unwrap_or_default();
            if let Some((first, _)) = whole.split_once(' ') {
                readers.add(called, [whole, first, &format!("{first}s")], None);
            }
        }
        readers.add(MASTERS, MASTER_WORDS, None);
        readers.add(OBSERVERS, ["observers", "the observers"], None);
        if edit.variant_game().hides_leaders() {
            return readers;
        }
        for seat in game.seats.iter().filter(|seat| !seat.left) {
            let Some(person) = self.work.registry.by_address(&seat.address) else {
                continue;
            };
            let led = game.led_by(seat.id);
            let called = match seat.role {
                _ if Some(seat.id) == own_seat => HIMSELF,
                Role::Master => MASTERS,
                Role::Observer => OBSERVERS,
                Role::Player => match led.first().and_then(|power| roster.info(*power)) {
                    Some(info) => &info.name,
                    None => continue,
                },
            };
            let words = || person.name.split_whitespace();
            let names = words().next().into_iter().chain(words().last());
            readers.add(called, names.chain([person.name.as_str()]), None);
        }
        readers
    }

    /// The power of this adjective, "the Russian player", or the one that somebody of this first name leads, where players know each
    /// other; else the name.
    pub(super) fn power_called(&self, name: &str) -> String {
        let known = self
            .edit()
            .filter(|edit| !edit.variant_game().hides_leaders());
        let labels = self.roster();
        let mut powers = labels.iter().map(|(_, info)| info);
        if let Some(info) = powers.find(|info| info.adjective.eq_ignore_ascii_case(name)) {
            return info.name.clone();
        }
        let is_power = read_press(&format!("TO {name}"), &labels).is_ok();
        let Some(edit) = known.filter(|_| !is_power) else {
            return name.to_owned();
        };
        let leads = |power| {
            let holder = edit.game.holder(power);
            holder.is_some_and(|seat| self.is_called(seat, name))
        };
        let mut called = labels.iter().filter(|(power, _)| leads(*power));
        let sits_as = |role: Role| {
            let mut seats = edit.game.seated(role);
            seats.any(|seat| self.is_called(seat, name))
        };
        match (called.next(), called.next()) {
            (Some((_, info)), None) => info.name.clone(),
            (None, _) if sits_as(Role::Master) => MASTERS.to_owned(),
            (None, _) if sits_as(Role::Observer) => OBSERVERS.to_owned(),
            _ => name.to_owned(),
        }
    }

    /// Whether a word with small letters in it reads as a list of letters of powers alone.
    pub(super) fn reads_as_letters(&self, word: &str) -> bool {
        let options = read_press(&format!("TO {word}"), self.roster());
        let several = match options.ok().and_then(|options| options.to) {
            Some(Recipients::Only(to)) => {
                to.powers.len() + usize::from(to.masters) + usize::from(to.observers) > 1
            }
            _ => false,
        };
        several && word.chars().any(char::is_lowercase)
    }

    /// Whether this is the whole name of a power that the sender may address, and not his own.
    pub(super) fn names_another_power(&self, name: &str) -> bool {
        let own = self.sender.acting.and_then(|acting| acting.power);
        let roster = self.roster();
        let mut named = roster.iter();
        own.is_some()
            && named.any(|(power, info)| Some(power) != own && info.name.eq_ignore_ascii_case(name))
    }

    /// Whether this is the first name of the person who sits there.
    pub(crate) fn is_called(&self, seat: &Seat, name: &str) -> bool {
        self.work.registry.is_first_name(&seat.address, name)
    }
}
