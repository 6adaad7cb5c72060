//! What is proposed to the sender at the end of an answer, and what his YES or NO does (README, Decided 36).

use std::collections::BTreeSet;

use crate::people::unlisted;
use crate::proposals::{ORDERS, Owner, Proposal, ProposalState};
use crate::session::Session;
use crate::session::reading::OrdersFor;
use dipjudge_commands::command_reader::{Consent, consent};
use dipjudge_commands::corrections::{SentenceRequest, of_command, of_sentence};
use dipjudge_commands::mail_reader::{ItemKind, SignOnBy, holds_sign_on, read_mail};
use dipjudge_commands::press_options::read_press;
use dipjudge_game::Role;
use dipjudge_mails::inbound::{BodyLine, LinePart, secrets};
use dipjudge_variants as variants;

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
    /// Proposes a line that the sender has probably meant. Nothing is proposed that may hold a password, to a master who acts as
    /// another, nor where lines are kept for a later phase or stand behind a condition.
    pub(crate) fn propose(&mut self, line: &str) {
        let reading = &self.reading;
        let plain = self.sender.master.is_none()
            && reading.orders_for == OrdersFor::Now
            && reading.branches.is_empty()
            && !reading.secrets.in_line();
        if plain && !self.reply.proposed.iter().any(|known| known == line) {
            self.propose_all(vec![line.to_owned()]);
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
            Some(SentenceRequest::MoreTime) if self.has_master() => {
                let line = self.quotable(line.trim());
                vec!["PRESS TO M".to_owned(), line, "ENDPRESS".to_owned()]
            }
            _ => return false,
        };
        if let [press, ..] = lines.as_slice()
            && let Some(options) = press.strip_prefix("PRESS ")
            && read_press(options, self.roster()).is_err()
        {
            return false;
        }
        self.reply.wanted = true;
        self.fault(
            line,
            "The judge takes no such sentence, so nothing was done yet.",
        );
        self.propose_all(lines);
        true
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
            if answer.is_some() {
                return None;
            }
            answer = Some(consent(text)?);
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

    /// The id of the mail that the mail in hand answers.
    fn answered_mail(&self) -> Option<&String> {
        let answered = self.mail.in_reply_to.as_ref();
        answered.or_else(|| self.mail.references.last())
    }

    /// As whom the sender has something proposed.
    fn owner(&self) -> Owner {
        match (self.sender.acting, self.game()) {
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
        let mut about = std::mem::take(&mut self.reading.commands);
        if self.orders.accepted + self.orders.errors > 0 {
            about.insert(ORDERS.to_owned());
        }
        let owner = self.owner();
        let open = self.work.judge.proposals().open_to(&owner, self.work.now);
        let replaced = open.filter(|(id, proposal)| {
            !proposal.about.is_disjoint(&about) && !self.work.proposals.contains_key(*id)
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

    /// Keeps what an answer has proposed, under the id of its mail.
    pub(crate) fn keep_proposal(&mut self, id: Option<String>) {
        let lines = std::mem::take(&mut self.reply.proposed);
        let Some(id) = id.filter(|_| !lines.is_empty()) else {
            return;
        };
        let proposal = Proposal {
            owner: self.owner(),
            about: lines
                .iter()
                .map(|line| subject_of(line))
                .collect::<BTreeSet<_>>(),
            lines,
            at: self.work.now,
            phase: self.phase_in_mail(),
            state: ProposalState::Open,
        };
        self.work.proposals.insert(id, proposal);
    }
}

/// What a line is about: the rule of its command, or [`ORDERS`].
fn subject_of(line: &str) -> String {
    let body = dipjudge_commands::mail_reader::BodyLine {
        number: 1,
        text: line,
        original: line,
        quoted: false,
    };
    let first = read_mail(&[body], SignOnBy::ReplyAddress)
        .items
        .into_iter()
        .next();
    match first.map(|item| item.kind) {
        Some(ItemKind::Command(line)) => line.rule,
        _ => ORDERS.to_owned(),
    }
}

fn indented(lines: &[String]) -> String {
    let lines = lines.iter().map(|line| format!("  {line}"));
    lines.collect::<Vec<_>>().join("\n")
}
