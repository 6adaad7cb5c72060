//! The sender of a mail.

use crate::work::acting::Acting;
use dipjudge_mails::inbound::InboundMail;

/// Who sent a mail, and as whom the sender acts.
#[derive(Debug)]
pub(crate) struct MailSender {
    /// Normalised.
    pub address: String,
    /// As whom the sender acts, once signed on.
    pub acting: Option<Acting>,
    /// The master who now acts as a power (BECOME): the reply goes to both.
    pub master: Option<Acting>,
    /// The password in the SIGNON line.
    pub password: Option<String>,
    /// The sender is in the game, but the password is not known to be that of the seat.
    pub password_untried: bool,
    /// The sender has taken a place in a forming game.
    pub joined: bool,
    /// The power's error flag was set when the sender began to act for it.
    pub flag_before: bool,
}

impl MailSender {
    /// The sender of a mail, who has not signed on.
    pub(crate) fn of(mail: &InboundMail) -> MailSender {
        MailSender {
            address: mail.from.key(),
            acting: None,
            master: None,
            password: None,
            password_untried: false,
            joined: false,
            flag_before: false,
        }
    }

    /// As whom the sender signed on: a master who acts as a power is still the master.
    pub(crate) fn signed_on(&self) -> Option<Acting> {
        self.master.or(self.acting)
    }
}
