//! What is proposed to the sender at the end of an answer, and what his YES or NO does (README, Decided 36).

use std::collections::BTreeSet;

use crate::orders::lines::about;
use crate::people::unlisted;
use crate::proposals::{ORDERS, Owner, Proposal, ProposalState};
use crate::session::Session;
use crate::session::joining_lines::{joining_lines, named_game};
use crate::session::own_orders::OwnOrders;
use crate::session::reading::{LetterInWords, OrdersFor};
use crate::session::subject::kind_of_subject;
use crate::work::acting::Acting;
use dipjudge_commands::command_reader::{Consent, consent};
use dipjudge_commands::corrections::{
    SentenceRequest, are_alike, misspelt_press, of_command, of_sentence,
};
use dipjudge_commands::mail_reader::{Block, ItemKind, SignOnBy, holds_sign_on, read_mail};
use dipjudge_commands::press_options::{press_lines, read_press, text_lines};
use dipjudge_commands::prose::{denies, sentences};
use dipjudge_commands::settings::{SetItem, read_settings, rule_of};
use dipjudge_game::{Game, Role, Seat, SeatId};
use dipjudge_grammar::Line;
use dipjudge_mails::inbound::{BodyLine, LinePart, secrets};
use dipjudge_variants as variants;
use dipjudge_view::Viewer;
use jiff::SignedDuration;

/// The most bytes that the lines of one proposal have.
const MAX_BYTES: usize = 4_000;

/// Which proposal a YES or NO answers.
enum Meant {
    /// This one, by the id of its mail.
    One(String, Proposal),
    /// None that can be taken: why, and the lines that were proposed.
    None(String, Vec<String>),
}

impl Session<'_, '_> {
    /// Proposes a line that the sender has probably meant, for the phase that his lines are for. Nothing is proposed that may hold
    /// a password, nor where lines stand behind a condition.
    pub(crate) fn propose(&mut self, line: &str) {
        let reading = &self.reading;
        let plain = reading.branches.is_empty() && !reading.secrets.in_line();
        let lines = match reading.orders_for {
            OrdersFor::Now => vec![line.to_owned()],
            OrdersFor::Later(phase) => vec![
                format!("PHASE {}", phase.in_mail()),
                line.to_owned(),
                "ENDPHASE".to_owned(),
            ],
            OrdersFor::Nothing => return,
        };
        if plain && !self.reply.proposed.iter().any(|known| known == line) {
            self.propose_all(lines);
        }
    }

    /// Proposes all of these lines, which belong together, or none.
    pub(crate) fn propose_all(&mut self, lines: Vec<String>) {
        let proposed = self.reply.proposed.iter().chain(&lines);
        let bytes: usize = proposed.map(String::len).sum();
        let shown = bytes <= MAX_BYTES && lines.iter().all(|line| self.is_free_of_secrets(line));
        if shown && !self.reply.muted && lines.iter().all(|line| self.may_say(line)) {
            self.reply.proposed.extend(lines);
        }
    }

    /// Whether a line, which may be another than the sender's own, holds nothing that may be a password.
    fn is_free_of_secrets(&self, line: &str) -> bool {
        self.quotable(line) == line && secrets(line, |_| false).is_empty()
    }

    /// Whether a line is a sentence that asks for something in other words than a command's; then the command is proposed.
    pub(crate) fn propose_for_sentence(&mut self, line: &str) -> bool {
        let signed_on = self.sender.acting.is_some() && self.sender.master.is_none();
        if !signed_on || self.reading.orders_for != OrdersFor::Now || self.reads_as_order(line) {
            return false;
        }
        let lines = match of_sentence(line) {
            Some(SentenceRequest::Lines(lines)) => lines,
            Some(SentenceRequest::OfMaster(lines)) if self.is_master() => self.with_address(lines),
            Some(SentenceRequest::Longer(days)) if self.is_master() => {
                match self.later_deadline(days) {
                    Some(line) => vec![line],
                    None => return false,
                }
            }
            Some(SentenceRequest::Preference(names)) => match self.preference_of(&names) {
                Some(line) => vec![line],
                None => return false,
            },
            Some(SentenceRequest::OrdersOf(power)) if self.is_master() => {
                return self.begin_orders_of(&power);
            }
            Some(SentenceRequest::Order(order)) if self.reads_as_order(&order) => vec![order],
            Some(SentenceRequest::MoreTime) if self.is_master() => return false,
            Some(SentenceRequest::MoreTime | SentenceRequest::Longer(_)) if self.has_master() => {
                let line = self.quotable(line.trim());
                press_lines("TO M", [line])
            }
            Some(SentenceRequest::MoreTime | SentenceRequest::Longer(_)) => {
                let why = "This game has no master who could move the deadline, so nothing was done.  SET ABSENCE and two dates moves it for you, such as SET ABSENCE 20 December TO 24 December.";
                self.fault(line, why);
                return true;
            }
            Some(SentenceRequest::Letter { to, text }) => return self.begin_letter(line, to, text),
            None => {
                return self.begin_misspelt_press(line) || self.begin_letter_by_name(line);
            }
            Some(
                SentenceRequest::OfMaster(_)
                | SentenceRequest::Order(_)
                | SentenceRequest::OrdersOf(_),
            ) => return false,
        };
        self.reply.wanted = true;
        self.fault(
            line,
            "The judge asks before it does this, so nothing was done yet.",
        );
        self.propose_all(lines);
        true
    }

    /// Begins a letter that is written in words, if its reader is one to whom the sender may write.
    fn begin_letter(&mut self, line: &str, to: Vec<String>, text: String) -> bool {
        let to = to.join(", ");
        let (opens, ends) = match to.as_str() {
            "" => ("BROADCAST".to_owned(), "ENDBROADCAST"),
            readers => (format!("PRESS TO {readers}"), "ENDPRESS"),
        };
        let options = Some(format!("TO {to}")).filter(|_| !to.is_empty());
        let reads = options.is_none_or(|to| read_press(&to, self.roster()).is_ok());
        if !reads {
            return false;
        }
        // "Tell France: ..." holds the words alone, "Dear France, ..." is a part of them.
        let first = line.split_whitespace().next().unwrap_or_default();
        let is_salutation = ["dear", "hi", "hello", "hey"]
            .iter()
            .any(|word| first.eq_ignore_ascii_case(word));
        let words = match (is_salutation, text.is_empty()) {
            (true, _) => vec![line.trim().to_owned()],
            (false, true) => Vec::new(),
            (false, false) => vec![text],
        };
        self.reply.wanted = true;
        self.reading.letter = Some(LetterInWords {
            opens,
            ends: Some(ends),
            words,
            orders: Vec::new(),
        });
        true
    }

    /// Begins a letter by a line whose first word is nearly PRESS.
    fn begin_misspelt_press(&mut self, line: &str) -> bool {
        let Some(options) = misspelt_press(line) else {
            return false;
        };
        if read_press(options, self.roster()).is_err() {
            return false;
        }
        self.reply.wanted = true;
        self.reading.letter = Some(LetterInWords {
            opens: format!("PRESS {options}"),
            ends: Some("ENDPRESS"),
            words: Vec::new(),
            orders: Vec::new(),
        });
        true
    }

    /// Proposes press that was refused, where a word of its line is nearly the name of just one power that the sender may address.
    pub(crate) fn propose_press(&mut self, block: &Block) {
        let roster = self.roster();
        let reads = |options: &str| match block.rule.as_str() {
            "press" => read_press(options, &roster).is_ok(),
            _ => false,
        };
        if reads(&block.options) || block.holds_sign_on {
            return;
        }
        let names = roster.iter().map(|(_, info)| info.name.as_str());
        let mut meant = BTreeSet::new();
        for name in names {
            for word in block
                .options
                .split([' ', ','])
                .filter(|word| are_alike(word, name))
            {
                let options = block.options.replacen(word, name, 1);
                if reads(&options) {
                    meant.insert(options);
                }
            }
        }
        let mut meant = meant.into_iter();
        if let (Some(options), None) = (meant.next(), meant.next()) {
            let text = block.text();
            self.propose_all(press_lines(&options, text.lines().map(str::to_owned)));
        }
    }

    /// Takes a line as the next of a letter that is written in words, if one has begun. An order of the sender's stays apart.
    pub(crate) fn continues_letter(&mut self, line: &str) -> bool {
        if self.reading.letter.is_none() {
            return false;
        }
        let is_order = self.reads_as_regular_order(line)
            && OwnOrders::of(self).is_some_and(|own| own.holds(line));
        if let Some(letter) = &mut self.reading.letter {
            let lines = if is_order {
                &mut letter.orders
            } else {
                &mut letter.words
            };
            lines.push(line.trim().to_owned());
        }
        true
    }

    /// Proposes the letter that the mail began in words.
    pub(crate) fn end_letter(&mut self) {
        let Some(mut letter) = self.reading.letter.take() else {
            return;
        };
        let Some(ends) = letter.ends else {
            if !letter.words.is_empty() {
                self.say("These read as orders of a power. A master gives them behind the line BECOME and its name, so nothing was done yet.");
                let words = letter.words.into_iter();
                let orders = words.filter(|line| !self.says_nothing(line));
                let lines: Vec<String> = std::iter::once(letter.opens).chain(orders).collect();
                self.propose_all(lines);
            }
            return;
        };
        // "Orders:" between the words and the orders
        let is_heading = |line: &String| {
            let line = line.to_lowercase();
            line.ends_with(':') && (line.contains("orders") || line.contains("moves"))
        };
        if !letter.orders.is_empty() && letter.words.last().is_some_and(is_heading) {
            letter.words.pop();
        }
        if letter.words.iter().all(|line| self.says_nothing(line)) && letter.orders.is_empty() {
            return;
        }
        self.say(format!(
            "Your mail reads as a letter.  The judge sends one from the line {} to the line {}, so it was not sent, and nothing in it was ordered.",
            letter.opens, ends
        ));
        let lines = text_lines(letter.opens, letter.words, ends);
        self.propose_all(lines.into_iter().chain(letter.orders).collect());
    }

    /// Begins orders that a master writes for a power.
    fn begin_orders_of(&mut self, power: &str) -> bool {
        let reads = read_press(&format!("TO {power}"), self.roster()).is_ok();
        if reads {
            self.reply.wanted = true;
            self.reading.letter = Some(LetterInWords {
                opens: format!("BECOME {power}"),
                ends: None,
                words: Vec::new(),
                orders: Vec::new(),
            });
        }
        reads
    }

    fn later_deadline(&self, days: i64) -> Option<String> {
        later_deadline(self.game()?, self.sender.acting?.seat, days)
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

    /// Begins a letter to a master whom the sender calls by his name: `Mona, could you look after Germany?`
    fn begin_letter_by_name(&mut self, line: &str) -> bool {
        let first = line.split_whitespace().next().unwrap_or_default();
        let Some(name) = first.strip_suffix(',') else {
            return false;
        };
        let Some(game) = self.game().filter(|_| !self.is_master()) else {
            return false;
        };
        let is_called = |seat: &Seat| {
            let person = self.work.registry.by_address(&seat.address);
            let first = person.and_then(|person| person.name.split_whitespace().next());
            first.is_some_and(|first| first.eq_ignore_ascii_case(name))
        };
        if !game.seated(Role::Master).any(is_called) {
            return false;
        }
        let words = line.trim().to_owned();
        self.reply.wanted = true;
        self.reading.letter = Some(LetterInWords {
            opens: "PRESS TO M".to_owned(),
            ends: Some("ENDPRESS"),
            words: vec![words],
            orders: Vec::new(),
        });
        true
    }

    /// A master's lines with the address of the observer whom they name by his first name.
    fn with_address(&self, lines: Vec<String>) -> Vec<String> {
        let address_of = |name: &str| {
            let edit = self
                .edit()
                .filter(|edit| !edit.variant_game().hides_leaders())?;
            let game = &edit.game;
            let is_called = |seat: &&Seat| {
                let person = self.work.registry.by_address(&seat.address);
                let first = person.and_then(|person| person.name.split_whitespace().next());
                first.is_some_and(|first| first.eq_ignore_ascii_case(name))
            };
            let mut called = game.seated(Role::Observer).filter(is_called);
            let only = called.next().filter(|_| called.next().is_none())?;
            Some(only.address.clone())
        };
        let named = lines
            .into_iter()
            .map(|line| match line.strip_prefix("PROMOTE ") {
                Some(name) => address_of(name).map_or(line.clone(), |at| format!("PROMOTE {at}")),
                None => line,
            });
        named.collect()
    }

    /// The line that sets the preference for these powers, if all are powers of the game.
    fn preference_of(&self, names: &[String]) -> Option<String> {
        let edit = self.edit()?;
        let game = &edit.game;
        let players = game.seated(Role::Player).count();
        let powers = edit.variant.powers(game.map(), players, &game.settings);
        let letters = names.iter().map(|name| {
            let mut named = powers
                .iter()
                .filter(|info| info.name.eq_ignore_ascii_case(name));
            named.next()?.letter
        });
        let letters: Option<String> = letters.collect();
        letters
            .filter(|letters| !letters.is_empty() && !edit.game.begun())
            .map(|letters| format!("SET PREFERENCE {letters}"))
    }

    fn has_master(&self) -> bool {
        let game = self.game();
        game.is_some_and(|game| game.seated(Role::Master).next().is_some())
    }

    /// Proposes the command that a line was probably meant as, where it begins with a word that is nearly that of just one.
    pub(crate) fn propose_command(&mut self, line: &str) {
        if let Some(meant) = of_command(line) {
            self.propose(&meant);
        }
    }

    /// Proposes a refused question again, about the game whose name is nearly a word of it.
    pub(super) fn propose_game(&mut self, line: &str) {
        let asked: Vec<&str> = line.split_whitespace().collect();
        let meant = asked.iter().enumerate().skip(1).find_map(|(place, word)| {
            let word = [(*word).to_owned()];
            let name = unlisted::meant(&self.work, &self.sender.address, &word)?;
            Some((place, name.to_owned()))
        });
        let Some((place, name)) = meant else {
            return;
        };
        let mut words = asked;
        if let Some(word) = words.get_mut(place) {
            *word = &name;
        }
        self.propose(&words.join(" "));
    }

    /// What the mail answers to a proposal, where its own words are that and nothing else, but for a sign-on.
    pub(crate) fn consent(&self) -> Option<Consent> {
        let mut answer = None;
        for line in self.mail.own_lines() {
            let text = line.text.trim();
            if text.is_empty() || holds_sign_on(text) {
                continue;
            }
            match consent(text) {
                Some(consent) if answer.is_none() => answer = Some(consent),
                _ if self.says_nothing(text) => {}
                _ => return None,
            }
        }
        answer
    }

    /// Whether a YES can be the sender's answer to something: a stranger to whom nothing is proposed is answered as ever.
    pub(crate) fn may_be_consent(&self) -> bool {
        let signs_on = |line: &BodyLine| holds_sign_on(&line.text);
        let proposals = self.work.judge.proposals();
        let answered = self.answered_mail().and_then(|id| proposals.of_mail(id));
        self.sender.acting.is_some()
            || self.mail.own_lines().any(signs_on)
            || proposals.any_of(&self.owner())
            || answered.is_some_and(|answered| self.may_take(&answered.owner))
    }

    /// The proposed lines that join a game, where the sender answers them with the name of that game or of another one: the
    /// name chooses it.
    pub(crate) fn chosen_game(&mut self) -> Option<Vec<BodyLine>> {
        let id = self.answered_mail()?.clone();
        let proposal = self.work.judge.proposals().of_mail(&id)?.clone();
        let joins = |line: &String| line.starts_with("PLAY ");
        let may_choose = self.sender.acting.is_none()
            && proposal.is_open(self.work.now)
            && self.may_take(&proposal.owner)
            && proposal.lines.iter().any(joins);
        let mut own = self.mail.own_lines();
        let refuses = own.any(|line| denies(&line.text) || holds_sign_on(&line.text));
        if !may_choose || refuses {
            return None;
        }
        let game = named_game(self)?;
        let lines = joining_lines(self, game);
        self.reply.wanted = true;
        self.say(format!(
            "You answered with the name of game '{}', so these lines were taken as sent:",
            game.name
        ));
        self.print(indented(&lines));
        let state = ProposalState::Taken;
        self.work
            .proposals
            .insert(id, Proposal { state, ..proposal });
        Some(self.body_lines(lines))
    }

    /// The id of the mail that the mail in hand answers.
    pub(super) fn answered_mail(&self) -> Option<&String> {
        let answered = self.mail.in_reply_to.as_ref();
        answered.or_else(|| self.mail.references.last())
    }

    /// As whom the sender has something proposed.
    pub(crate) fn owner(&self) -> Owner {
        self.owner_as(self.sender.acting)
    }

    /// Who owns what is proposed to somebody who acts, or seems to act, in this role.
    pub(crate) fn owner_as(&self, acting: Option<Acting>) -> Owner {
        match (acting, self.game()) {
            (Some(acting), Some(game)) => Owner::Seat {
                game: game.name.clone(),
                seat: acting.seat,
                power: acting.power,
            },
            _ => Owner::Address(self.sender.address.clone()),
        }
    }

    /// Takes or drops what was proposed, once the sender has signed on. Gives the lines that he takes.
    pub(crate) fn answer_proposal(&mut self, consent: Consent) -> Option<Vec<BodyLine>> {
        self.reply.wanted = true;
        let word = match consent {
            Consent::Yes => "YES",
            Consent::No => "NO",
        };
        let (id, proposal) = match self.meant(word) {
            Meant::One(id, proposal) => (id, proposal),
            Meant::None(why, lines) => {
                self.say(why);
                if !lines.is_empty() {
                    self.print(indented(&lines));
                }
                return None;
            }
        };
        let state = match consent {
            Consent::Yes => ProposalState::Taken,
            Consent::No => ProposalState::Dropped,
        };
        let said = match consent {
            Consent::Yes => "You answered YES, so these lines were taken as sent:",
            Consent::No => "You answered NO, so nothing of this was done:",
        };
        self.say(said);
        self.print(indented(&proposal.lines));
        let lines = proposal.lines.clone();
        self.work
            .proposals
            .insert(id, Proposal { state, ..proposal });
        match consent {
            Consent::Yes => Some(self.body_lines(lines)),
            Consent::No => None,
        }
    }

    /// The lines as lines of the mail in hand, behind its own.
    fn body_lines(&self, lines: Vec<String>) -> Vec<BodyLine> {
        let last = self.mail.lines.iter().map(|line| line.number).max();
        let first = last.unwrap_or_default() + 1;
        let numbered = (first..).zip(lines);
        numbered
            .map(|(number, text)| BodyLine {
                number,
                original: text.clone(),
                text,
                part: LinePart::Own,
                fault: None,
            })
            .collect()
    }

    /// The proposal that a YES or NO answers: that of the mail that it answers; the only open one if it answers none.
    fn meant(&self, word: &str) -> Meant {
        let Some(answered) = self.answered_mail() else {
            // Press, results and the like propose nothing, and only replies are called orders.
            let kind = self
                .game()
                .and_then(|game| kind_of_subject(&self.mail.subject, &game.name));
            if kind.is_some_and(|kind| !kind.eq_ignore_ascii_case("orders")) {
                return self.nothing_proposed(word, "The mail that you answered proposes nothing");
            }
            let owner = self.owner();
            let mut open = self.work.judge.proposals().open_to(&owner, self.work.now);
            return match (open.next(), open.next()) {
                (Some((id, proposal)), None) => self.still_open(id, proposal, word),
                (Some(_), Some(_)) => Meant::None(
                    format!(
                        "More than one proposal is open to you, so {word} alone does not say which is meant, and nothing was done.  Answer the mail that makes the one you mean."
                    ),
                    Vec::new(),
                ),
                (None, _) => self.nothing_proposed(word, "Nothing is proposed to you"),
            };
        };
        match self.work.judge.proposals().of_mail(answered) {
            Some(proposal) if self.may_take(&proposal.owner) => {
                self.still_open(answered, proposal, word)
            }
            _ => self.nothing_proposed(word, "The mail that you answered proposes nothing"),
        }
    }

    fn nothing_proposed(&self, word: &str, why: &str) -> Meant {
        Meant::None(
            format!(
                "{why}, so your {word} has done nothing.  Send the lines that you mean, such as orders; HELP tells more."
            ),
            Vec::new(),
        )
    }

    /// Whether a proposal can be taken now, and if not, why.
    fn still_open(&self, id: &str, proposal: &Proposal, word: &str) -> Meant {
        let none = |why: &str| {
            let why = format!(
                "{why}, so your {word} has done nothing.  Send these lines if you still mean them:"
            );
            Meant::None(why, proposal.lines.clone())
        };
        match proposal.state {
            ProposalState::Taken => return none("This proposal was taken before"),
            ProposalState::Dropped => return none("You have dropped this proposal"),
            ProposalState::Replaced => {
                return none("You have sent other lines about the same since this was proposed");
            }
            ProposalState::Open => {}
        }
        if proposal.is_old(self.work.now) {
            return none("This proposal is older than seven days");
        }
        let Owner::Seat { .. } = &proposal.owner else {
            return Meant::One(id.to_owned(), proposal.clone());
        };
        if self.sender.acting.is_none() {
            return Meant::None(
                format!(
                    "Nothing in your mail proves that it is yours, so your {word} has done nothing.  Answer the mail itself, at its own reply address, or put your SIGNON line above the {word}."
                ),
                Vec::new(),
            );
        }
        if proposal.phase != self.phase_in_mail() {
            return none("The phase for which this was proposed is over");
        }
        Meant::One(id.to_owned(), proposal.clone())
    }

    /// Whether a proposal is the sender's: as whom he acts, or where he has not signed on, as who lives at his address.
    fn may_take(&self, owner: &Owner) -> bool {
        if *owner == self.owner() {
            return true;
        }
        let Owner::Seat { game, seat, .. } = owner else {
            return false;
        };
        let seat = self.work.judge.game(game).and_then(|game| game.seat(*seat));
        self.sender.acting.is_none()
            && seat.is_some_and(|seat| !seat.left && seat.address == self.sender.address)
    }

    /// The phase of the game in hand, as a mail writes it.
    fn phase_in_mail(&self) -> Option<String> {
        let game = self.game().filter(|game| game.begun())?;
        Some(game.phase_name(variants::of(&game.variant)).in_mail())
    }

    /// Ends the sender's earlier proposals about what this mail has changed otherwise.
    pub(crate) fn end_replaced_proposals(&mut self) {
        let mut done = std::mem::take(&mut self.reading.commands);
        if done.contains("clear-orders") || done.contains("clear") {
            done.insert(ORDERS.to_owned());
        }
        done.append(&mut self.orders.about);
        self.replace_proposals(&self.owner(), &done);
    }

    /// Marks the open proposals of an owner that are about any of this.
    fn replace_proposals(&mut self, owner: &Owner, about: &BTreeSet<String>) {
        let open = self.work.judge.proposals().open_to(owner, self.work.now);
        let replaced = open.filter(|(id, proposal)| {
            proposal.is_about_any_of(about) && !self.work.proposals.contains_key(*id)
        });
        let replaced: Vec<(String, Proposal)> = replaced
            .map(|(id, proposal)| {
                let state = ProposalState::Replaced;
                let proposal = proposal.clone();
                (id.to_owned(), Proposal { state, ..proposal })
            })
            .collect();
        self.work.proposals.extend(replaced);
    }

    /// Puts the line before the proposed lines by which a master acts as the power for which they are.
    pub(crate) fn name_power_of_proposal(&mut self) {
        let power = self.sender.acting.and_then(|acting| acting.power);
        let (Some(_), Some(power), Some(edit)) = (self.sender.master, power, self.edit()) else {
            return;
        };
        let labels = edit.variant_game().seen_by(Viewer::Master).labels();
        let line = format!("BECOME {}", labels.name(power));
        if !self.reply.proposed.is_empty() {
            self.reply.proposed.insert(0, line);
        }
    }

    /// Keeps what an answer has proposed, under the id of its mail.
    pub(crate) fn keep_proposal(&mut self, id: Option<String>, owner: Owner) {
        let lines = std::mem::take(&mut self.reply.proposed);
        let Some(id) = id.filter(|_| !lines.is_empty()) else {
            return;
        };
        let about = lines.iter().map(|line| self.subject_of(line));
        let about: BTreeSet<String> = about.collect();
        self.replace_proposals(&owner, &about);
        let proposal = Proposal {
            owner,
            about,
            lines,
            at: self.work.now,
            phase: self.phase_in_mail(),
            state: ProposalState::Open,
        };
        self.work.proposals.insert(id, proposal);
    }

    /// What a line is about: its command, or the unit that it orders.
    fn subject_of(&mut self, line: &str) -> String {
        let body = dipjudge_commands::mail_reader::BodyLine::own(1, line);
        let items = read_mail(&[body], SignOnBy::ReplyAddress).items;
        if let Some(ItemKind::Command(line)) = items.into_iter().next().map(|item| item.kind) {
            return subject_of_command(&line);
        }
        match self.read_orders(line).first() {
            Some(Ok(words)) => about(words),
            _ => line.to_owned(),
        }
    }
}

/// The line by which a master moves the deadline by so many days.
pub(crate) fn later_deadline(game: &Game, master: SeatId, days: i64) -> Option<String> {
    let deadline = game.timing.times?.deadline;
    let later = deadline
        .checked_add(SignedDuration::from_hours(24 * days))
        .ok()?;
    let later = later.to_zoned(game.zone_of(game.seat(master)));
    Some(format!(
        "SET DEADLINE {}",
        later.strftime("%-d %b %Y %H:%M")
    ))
}

/// What a command is about: its rule; a setting's is that of the setting.
pub(crate) fn subject_of_command(line: &Line) -> String {
    if line.rule != "set" {
        return line.rule.clone();
    }
    let items = read_settings(line.words().unwrap_or_default());
    let rules = items.iter().filter_map(|item| match item {
        SetItem::Known(item) => Some(rule_of(item)),
        _ => None,
    });
    let rules: Vec<&str> = rules.collect();
    format!("set {}", rules.join(" "))
}

fn indented(lines: &[String]) -> String {
    let lines = lines.iter().map(|line| format!("  {line}"));
    lines.collect::<Vec<_>>().join("\n")
}
