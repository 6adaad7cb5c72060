//! What a mail of a game has beside its text: decided in this one place for every mail, by its reader's settings.

use crate::judge::work::{GameWork, MailClass, Recipient};
use crate::mails::outbound::{Parts, Text};

impl GameWork<'_, '_> {
    /// The parts of a mail to this reader that goes out beside the text.
    pub(super) fn parts(&mut self, _to: Recipient, _text: &Text, _class: MailClass) -> Parts {
        Parts::default()
    }
}
