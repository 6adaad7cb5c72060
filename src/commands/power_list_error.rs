//! Why a list of powers cannot be taken.

use thiserror::Error;

/// Why a list of powers cannot be taken. Shown, it is a sentence for the player.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PowerListError {
    /// Neither a power nor letters of powers.
    #[error("`{word}`: invalid power.{}", instead(.powers))]
    Unknown {
        /// What stands there.
        word: String,
        /// Names of the powers that the sender can name.
        powers: Box<[String]>,
    },
    /// Somebody is named twice.
    #[error("`{0}` stands more than once in the list.")]
    Repeated(String),
    /// It may be several.
    #[error("`{word}` can be {}.", .candidates.join(" or "))]
    Ambiguous {
        /// What stands there.
        word: String,
        /// Names of the powers.
        candidates: Vec<String>,
    },
    /// The master alone, or the power of this name and the master.
    #[error("`GM` may be the master, or {0} and the master. Write M for the master, MG for both.")]
    MasterOrPower(String),
    /// Nothing is named.
    #[error("No power is named.")]
    Empty,
    /// None of the contacts of a sender who has his own. The same is said whether or not anybody else is called so.
    #[error("You have no contact with a {noun} called \"{word}\".")]
    NoContact {
        /// What the variant calls a power.
        noun: &'static str,
        /// What stands there.
        word: String,
    },
    /// The beginning of the names of several contacts of a sender who has his own.
    #[error("\"{0}\" fits more than one of your contacts.")]
    SeveralContacts(String),
    /// A sender who has contacts of his own names himself where only they can stand.
    #[error("That is your own {0}.")]
    Himself(&'static str),
}

/// The most names that a sentence lists.
const MOST_NAMES: usize = 10;

/// The names that could have stood there, or where they are found.
fn instead(powers: &[String]) -> String {
    match powers {
        [] => String::new(),
        [last] => format!(" You can name {last}."),
        [first @ .., last] if powers.len() <= MOST_NAMES => {
            format!(" You can name {} and {last}.", first.join(", "))
        }
        _ => " LIST names the powers of this game.".to_owned(),
    }
}

impl PowerListError {
    /// Whether it is said to a sender who has contacts of his own, and says all that he may know.
    pub fn is_of_contacts(&self) -> bool {
        matches!(
            self,
            Self::NoContact { .. } | Self::SeveralContacts(_) | Self::Himself(_)
        )
    }
}
