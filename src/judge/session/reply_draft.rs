//! The answers to a mail, collected before the replies to each reader are made.

use std::collections::BTreeSet;

use crate::Settings;
use crate::session::answer_room::Room;
use dipjudge_mails::inbound::InboundMail;
use dipjudge_mails::outbound::{Answer, FlagChange, Picture};

/// The data from which the replies to a mail are made.
#[derive(Debug)]
pub(crate) struct ReplyDraft {
    pub judge: String,
    /// The subject of the mail, as far as it may be quoted.
    pub subject: String,
    /// Sentences before the answers.
    pub notes: Vec<String>,
    /// The answers to the lines of the mail, in their order.
    pub answers: Vec<Answer>,
    /// The place of the answer that comes before all others if not all may be sent: the page for newcomers.
    pub page: Option<usize>,
    /// The answers that nobody but the writer of the mail reads, by their places: not the leader of a power as which he acts.
    pub for_writer: BTreeSet<usize>,
    /// The questions that this reply answers, as they were asked.
    pub asked: Vec<String>,
    /// The questions whose answers were held back, since their reader has proven nothing.
    pub held_back: Vec<String>,
    /// The lines that the sender has probably meant.
    pub proposed: Vec<String>,
    /// The units that have no order even if those are taken, by name.
    pub units_left: Vec<String>,
    /// Whether those are the questions whose answers were held back.
    pub asks_again: bool,
    /// The map that the sender asked for.
    pub picture: Option<Picture>,
    /// The answers to a master before BECOME.
    pub before_become: Option<BeforeBecome>,
    /// The address at which this reply is answered, if its reader has no seat and something is still asked of him.
    pub answered_at: Option<String>,
    /// Whether a master has asked for the orders of all powers.
    pub all_orders: bool,
    /// Whether the mail holds nothing but words: questions that were answered, letters, and wishes that are proposed. Then the
    /// orders and what is said of them are left out.
    pub words_alone: bool,
    /// The number of orders for the phase in hand that were accepted.
    pub accepted: usize,
    /// The number of order errors.
    pub errors: usize,
    /// What the mail did to the error flag of the power in hand.
    pub flag: FlagChange,
    /// The room left for answers.
    pub room: Room,
    /// Whether anything in the mail calls for an answer.
    pub wanted: bool,
    /// Whether no answer is sent, so that none need be prepared.
    pub muted: bool,
}

/// The answers to a master before BECOME, which the power's leader does not read.
#[derive(Debug)]
pub(crate) struct BeforeBecome {
    /// The number of answers; they are the first ones of the draft.
    pub answers: usize,
    pub picture: Option<Picture>,
}

impl ReplyDraft {
    /// An empty draft.
    pub(crate) fn new(settings: &Settings, mail: &InboundMail) -> ReplyDraft {
        ReplyDraft {
            judge: settings.name.clone(),
            subject: String::new(),
            notes: mail.notes.iter().map(ToString::to_string).collect(),
            answers: Vec::new(),
            page: None,
            for_writer: BTreeSet::new(),
            asked: Vec::new(),
            held_back: Vec::new(),
            proposed: Vec::new(),
            units_left: Vec::new(),
            asks_again: false,
            picture: None,
            before_become: None,
            answered_at: None,
            all_orders: false,
            words_alone: false,
            accepted: 0,
            errors: 0,
            flag: FlagChange::None,
            room: Room::of(settings.limits.reply_bytes),
            wanted: false,
            muted: false,
        }
    }

    /// Notes a question that was answered, or whose answer was held back.
    pub(crate) fn note_question(&mut self, line: &str, held_back: bool) {
        let questions = if held_back {
            &mut self.held_back
        } else {
            &mut self.asked
        };
        questions.push(line.to_owned());
        self.wanted |= held_back;
    }

    /// Holds back all answers but the page that comes before all others. Returns whether there is one and others beside it.
    pub(crate) fn hold_back_beside_page(&mut self) -> bool {
        let Some(page) = self.page.take().filter(|_| self.answers.len() > 1) else {
            return false;
        };
        self.answers = self.answers.drain(..).skip(page).take(1).collect();
        self.for_writer.clear();
        true
    }

    /// Holds back all answers: what is proposed stays.
    pub(crate) fn hold_back_all(&mut self) {
        self.held_back.append(&mut self.asked);
        self.notes.clear();
        self.answers.clear();
        self.for_writer.clear();
        self.picture = None;
        self.before_become = None;
        self.errors = 0;
        self.flag = FlagChange::None;
    }

    /// Adds a picture that only the writer of the mail gets, unless a picture comes already.
    pub(crate) fn illustrate_for_writer(&mut self, picture: Picture) {
        match &mut self.before_become {
            Some(before) => _ = before.picture.get_or_insert(picture),
            None => _ = self.picture.get_or_insert(picture),
        }
    }

    /// Marks that the following answers are for the leader of a power as well as for the master who acts as it.
    pub(crate) fn begin_for_power(&mut self) {
        let earlier = self.before_become.take().and_then(|before| before.picture);
        self.before_become = Some(BeforeBecome {
            answers: self.answers.len(),
            picture: self.picture.take().or(earlier),
        });
    }
}
