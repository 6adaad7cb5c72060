//! What the reply to a mail says so far, whoever reads it.

use dipjudge_mails::outbound::{Answer, Picture, Reply};

/// A reply in the making.
#[derive(Debug, Default)]
pub(crate) struct ReplyDraft {
    /// The judge's name.
    pub judge: String,
    /// Sentences before the answers.
    pub notes: Vec<String>,
    /// The answers to the lines of the mail, in their order.
    pub answers: Vec<Answer>,
    /// The map that the sender asked for.
    pub picture: Option<Picture>,
    /// The subject of the mail, as far as it may be quoted.
    pub subject_given: String,
    pub flag: FlagOutcome,
}

/// What a mail has done to the error flag of the power in hand.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FlagOutcome {
    /// The number of order errors.
    pub errors: usize,
    pub set: bool,
    pub cleared: bool,
    /// It was set before, and something is due.
    pub stays: bool,
}

impl ReplyDraft {
    /// The reply to somebody who has not signed on.
    pub(crate) fn to_stranger(&self) -> Reply {
        Reply {
            notes: self.notes.clone(),
            answers: self.answers.clone(),
            picture: self.picture.clone(),
            errors: self.flag.errors,
            flag_set: self.flag.set,
            flag_cleared: self.flag.cleared,
            flag_stays: self.flag.stays,
            ..Reply::new(self.judge.clone(), self.subject_given.clone())
        }
    }
}
