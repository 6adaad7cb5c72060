//! As whom somebody acts, and what becomes of what he asks.

use crate::work::Recipient;
use dipjudge_game::SeatId;
use dipjudge_mails::outbound::Document;
use dipjudge_rules::map::Power;

/// Somebody who was let in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Acting {
    /// The seat.
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

/// Why somebody was not let in: a sentence for him.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refused(pub String);

/// What an act tells whoever asked for it, or why it was refused.
pub(crate) type ActOutcome = Result<Document, Refused>;

/// These sentences, for whoever says what he did.
pub(crate) fn say(sentences: Vec<String>) -> ActOutcome {
    Ok(Document::from(sentences))
}

/// A refusal in these words, for whoever returns one.
pub(crate) fn refuse<T>(why: impl Into<String>) -> Result<T, Refused> {
    Err(Refused(why.into()))
}

/// What is said where a line needs a game, or a seat in it.
pub(crate) fn not_signed_on() -> Refused {
    Refused("Sign on to a game first.".to_owned())
}

/// One text for a wrong password and a wrong power.
pub(crate) fn invalid() -> Refused {
    Refused(
        "The password or the power is not valid for this game.  Nothing in this mail was done."
            .to_owned(),
    )
}
