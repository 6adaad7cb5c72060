//! The sender of a mail.

use crate::work::acting::Acting;
use dipjudge_mails::inbound::InboundMail;

/// The sender of a mail, and the role in which he acts.
#[derive(Debug)]
pub(crate) struct MailSender {
    /// The address, normalized.
    pub address: String,
    /// The role in which the sender acts, once he has signed on.
    pub acting: Option<Acting>,
    /// Who the sender seems to be, without any proof: he is answered at that seat's address of record, and nothing is done.
    pub claimed: Option<Acting>,
    /// The master who now acts as a power (BECOME): both receive the reply.
    pub master: Option<Acting>,
    /// The password in the SIGNON line.
    pub password: Option<String>,
    /// Whether the sender is in the game, but the password has not been compared with that of the seat.
    pub password_untried: bool,
    /// Whether the sender has joined a forming game.
    pub joined: bool,
    /// Whether the power's error flag was set when the sender began to act for it.
    pub flag_before: bool,
}

impl MailSender {
    /// The sender of a mail, not signed on yet.
    pub(crate) fn of(mail: &InboundMail) -> MailSender {
        MailSender {
            address: mail.from.key(),
            acting: None,
            claimed: None,
            master: None,
            password: None,
            password_untried: false,
            joined: false,
            flag_before: false,
        }
    }

    /// The role in which the sender signed on: for a master who acts as a power, the master.
    pub(crate) fn signed_on(&self) -> Option<Acting> {
        self.master.or(self.acting)
    }
}
