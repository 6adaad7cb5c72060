//! What YES and NO do: which proposal they answer, and whether it can still be taken (README, Decided 36).

use crate::proposals::{Owner, Proposal, ProposalState};
use crate::session::Session;
use crate::session::joining_lines::{joining_lines, named_game};
use crate::session::proposing::are_letters_alone;
use crate::session::subject::kind_of_subject;
use dipjudge_commands::command_reader::{Consent, consent, consent_and_more};
use dipjudge_commands::mail_reader::{self, ItemKind, SignOnBy, holds_sign_on, read_mail};
use dipjudge_commands::prose::denies;
use dipjudge_mails::inbound::{BodyLine, LinePart};
use dipjudge_mails::outbound::indented;

/// What is said to who confirms his orders as they stand.
const CONFIRMED: &str = "You answered YES, so your orders count as they stand.";

/// The most words of a line that chooses a game by its name.
const MOST_OF_CHOICE: usize = 8;

/// What a mail answers to a proposal.
pub(crate) struct ConsentAndMore {
    pub consent: Consent,
    /// The lines behind it, which are read as any others.
    pub more: Vec<BodyLine>,
}

/// Whether a line that may hold the name of a game says more than that: `LIST kaiser`, `How long are the turns in kaiser?`
fn asks_more_than_a_name(line: &str) -> bool {
    let line = line.trim();
    let items = read_mail(
        &[mail_reader::BodyLine::own(1, line)],
        SignOnBy::ReplyAddress,
    )
    .items;
    let is_command = items
        .first()
        .is_some_and(|item| matches!(item.kind, ItemKind::Command(_)));
    line.ends_with('?') || is_command || line.split_whitespace().count() > MOST_OF_CHOICE
}

/// Which proposal a YES or NO answers.
enum Meant {
    /// This one, by the id of its mail.
    One(String, Proposal),
    /// None that can be taken: why, and the lines that were proposed.
    None(String, Vec<String>),
}

impl Session<'_, '_> {
    /// What the mail answers to a proposal: its own words are that and nothing else, but for a sign-on; or they begin with it, and
    /// the mail that it answers has a proposal that is open.
    pub(crate) fn consent(&self) -> Option<ConsentAndMore> {
        let mut answer: Option<ConsentAndMore> = None;
        for line in self.mail.own_lines() {
            let text = line.text.trim();
            if text.is_empty() || holds_sign_on(text) {
                continue;
            }
            match (consent(text), &mut answer) {
                (Some(consent), None) => {
                    let more = Vec::new();
                    answer = Some(ConsentAndMore { consent, more });
                }
                _ if self.says_nothing(text) => {}
                (None, None) if self.answers_open_proposal() => {
                    let (consent, words) = consent_and_more(text)?;
                    let more = vec![BodyLine {
                        text: words.to_owned(),
                        original: words.to_owned(),
                        ..line.clone()
                    }];
                    answer = Some(ConsentAndMore { consent, more });
                }
                (_, Some(answer)) if self.answers_open_proposal() => answer.more.push(line.clone()),
                _ => return None,
            }
        }
        answer
    }

    fn answers_open_proposal(&self) -> bool {
        let proposals = self.work.judge.proposals();
        let answered = self.mail.answered().and_then(|id| proposals.of_mail(id));
        answered.is_some_and(|proposal| {
            proposal.is_open(self.work.now) && self.may_take(&proposal.owner)
        })
    }

    /// Whether a YES can be the sender's answer to something: a stranger to whom nothing is proposed gets the usual answer.
    pub(crate) fn may_be_consent(&self) -> bool {
        let signs_on = |line: &BodyLine| holds_sign_on(&line.text);
        let proposals = self.work.judge.proposals();
        let answered = self.mail.answered().and_then(|id| proposals.of_mail(id));
        self.sender.acting.is_some()
            || self.mail.own_lines().any(signs_on)
            || proposals.any_of(&self.owner())
            || answered.is_some_and(|answered| self.may_take(&answered.owner))
    }

    /// The proposed lines that join a game, where the sender answers them with the name of that game or of another one: the
    /// name chooses it.
    pub(crate) fn chosen_game(&mut self) -> Option<Vec<BodyLine>> {
        let id = self.mail.answered()?.clone();
        let proposal = self.work.judge.proposals().of_mail(&id)?.clone();
        let joins = |line: &String| line.starts_with("PLAY ");
        let may_choose = self.sender.acting.is_none()
            && proposal.is_open(self.work.now)
            && self.may_take(&proposal.owner)
            && proposal.lines.iter().any(joins);
        let mut own = self.mail.own_lines();
        let refuses = own.any(|line| {
            denies(&line.text) || holds_sign_on(&line.text) || asks_more_than_a_name(&line.text)
        });
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
        self.print(indented(&lines, "  "));
        let state = ProposalState::Taken;
        self.work
            .proposals
            .insert(id, Proposal { state, ..proposal });
        Some(self.body_lines(lines))
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
            // What a rollback brought back is confirmed by a YES to any mail.
            Meant::None(_, lines)
                if lines.is_empty() && consent == Consent::Yes && self.awaits_confirmation() =>
            {
                self.say(CONFIRMED);
                self.reading.confirms_orders = true;
                return None;
            }
            Meant::None(why, lines) => {
                self.say(why);
                if !lines.is_empty() {
                    self.print(indented(&lines, "  "));
                }
                return None;
            }
        };
        let state = match consent {
            Consent::Yes => ProposalState::Taken,
            Consent::No => ProposalState::Dropped,
        };
        let confirms = proposal.lines.is_empty();
        let said = match consent {
            Consent::Yes if confirms => CONFIRMED,
            Consent::No if confirms => "You answered NO, so nothing has changed.",
            // What is sent is shown with its readers.
            Consent::Yes if are_letters_alone(&proposal.lines) => "You answered YES.",
            Consent::Yes => "You answered YES, so these lines were taken as sent:",
            Consent::No => "You answered NO, so nothing of this was done:",
        };
        self.say(said);
        if said.ends_with(':') {
            self.print(indented(&proposal.lines, "  "));
        }
        let lines = proposal.lines.clone();
        self.work
            .proposals
            .insert(id, Proposal { state, ..proposal });
        match consent {
            Consent::Yes if confirms => {
                self.reading.confirms_orders = true;
                None
            }
            Consent::No if confirms => None,
            Consent::Yes => {
                // Orders for a later phase are the last of a mail of which the judge was not sure.
                self.reading.confirms_orders |= lines.iter().any(|line| line.starts_with("PHASE "));
                Some(self.body_lines(lines))
            }
            Consent::No => {
                self.reading.confirms_orders = true;
                if let [opens, words @ .., ends] = lines.as_slice()
                    && opens.starts_with("PRESS ")
                    && ends == "ENDPRESS"
                {
                    self.reading.dropped_letter = words.to_vec();
                }
                None
            }
        }
    }

    /// Whether a rollback brought the sender's orders back, and he has not confirmed them.
    fn awaits_confirmation(&self) -> bool {
        let power = self.sender.acting.and_then(|acting| acting.power);
        let game = self.edit().map(|edit| edit.variant_game());
        power
            .zip(game)
            .is_some_and(|(power, game)| game.awaits_confirmation(power))
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
        let Some(answered) = self.mail.answered() else {
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
            let again = if proposal.lines.is_empty() {
                ""
            } else {
                "  Send these lines if you still mean them:"
            };
            Meant::None(
                format!("{why}, so your {word} has done nothing.{again}"),
                proposal.lines.clone(),
            )
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
}
