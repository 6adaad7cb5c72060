//! As whom somebody acts, and what becomes of what he asks.

use crate::work::Recipient;
use dipjudge_game::SeatId;
pub(crate) use dipjudge_game::{Refusal, refuse};
use dipjudge_mails::outbound::Document;
use dipjudge_rules::map::Power;

/// Somebody who was let in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Acting {
    pub seat: SeatId,
    /// As the leader of this power.
    pub power: Option<Power>,
    /// The mail came from an address of the seat's person; if not, whoever sits there is told.
    pub from_home: bool,
    /// By the token of a reply address.
    pub by_token: bool,
}

impl Acting {
    /// As whom he is sent to.
    pub(crate) fn recipient(self) -> Recipient {
        Recipient::new(self.seat, self.power)
    }
}

/// What an act tells whoever asked for it, or why it was refused.
pub(crate) type ActOutcome = Result<Document, Refusal>;

/// Somebody who has come in to a game, and what the reply says of it.
pub(crate) struct Entered {
    pub acting: Acting,
    pub said: Document,
}

impl Entered {
    pub(crate) fn new(acting: Acting, said: impl Into<Document>) -> Entered {
        Entered {
            acting,
            said: said.into(),
        }
    }
}

/// These sentences, for whoever says what he did.
pub(crate) fn say(sentences: Vec<String>) -> ActOutcome {
    Ok(Document::from(sentences))
}

/// What is said where a line needs a game, or a seat in it.
pub(crate) fn not_signed_on() -> Refusal {
    Refusal::from("Sign on to a game first.")
}

/// One text for a wrong password and a wrong power.
pub(crate) fn invalid() -> Refusal {
    Refusal::from(
        "Wrong password, or not your power. Nothing in this mail was done. Answer any mail of the game instead: that needs \
         no password. Else a player's line is SIGNON game password. If you have lost yours, send GET PASSWORD. Only to \
         join write SIGNON ?game password.",
    )
}
