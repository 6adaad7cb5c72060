//! As whom somebody acts, and what becomes of what he asks.

use crate::work::Recipient;
use dipjudge_game::SeatId;
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

/// Why something was not done, in sentences for whoever asked for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal(Vec<String>);

impl Refusal {
    /// The sentences, each for a line of its own.
    pub(crate) fn into_sentences(self) -> Vec<String> {
        self.0
    }

    /// The sentences in one text.
    pub(crate) fn text(&self) -> String {
        self.0.join("\n")
    }
}

impl From<Vec<String>> for Refusal {
    fn from(sentences: Vec<String>) -> Refusal {
        Refusal(sentences)
    }
}

/// Why the game or its variant refuses a line.
impl From<dipjudge_game::Refusal> for Refusal {
    fn from(dipjudge_game::Refusal(sentences): dipjudge_game::Refusal) -> Refusal {
        Refusal(sentences)
    }
}

/// Each line of the text is a sentence.
impl From<String> for Refusal {
    fn from(text: String) -> Refusal {
        Refusal::from(text.as_str())
    }
}

impl From<&str> for Refusal {
    fn from(text: &str) -> Refusal {
        Refusal(text.split('\n').map(str::to_owned).collect())
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

/// A refusal in these words, for whoever returns one.
pub(crate) fn refuse<T>(why: impl Into<Refusal>) -> Result<T, Refusal> {
    Err(why.into())
}

/// What is said where a line needs a game, or a seat in it.
pub(crate) fn not_signed_on() -> Refusal {
    Refusal::from("Sign on to a game first.")
}

/// One text for a wrong password and a wrong power.
pub(crate) fn invalid() -> Refusal {
    Refusal::from(
        "The password or the power is not valid for this game.  Nothing in this mail was done.",
    )
}
