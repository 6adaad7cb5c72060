//! The sides of a game.

use serde::{Deserialize, Serialize};

/// A side: an index into the game's roster of powers (for a map's own powers: [`Map::powers`](super::Map::powers)).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Power(pub u8);

impl Power {
    /// Owner of units that nobody plays.
    pub const NEUTRAL: Self = Self(255);

    /// The index into the roster; nothing for [`Power::NEUTRAL`].
    #[must_use]
    pub fn index(self) -> Option<usize> {
        (self != Self::NEUTRAL).then_some(usize::from(self.0))
    }
}

/// The words for a power. One that players know by a code has that for its name too, and its full name for its
/// adjective: lists are short then, and sentences whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PowerInfo {
    /// `Austria`
    pub name: String,
    /// `Austrian`
    pub adjective: String,
    /// The name in data: `AUSTRIA`
    pub key: String,
    /// The letter that stands before a game's name at sign-on, where the power has one: `A`
    pub letter: Option<char>,
}

impl PowerInfo {
    /// A power with a full name that lists and mails call by its code.
    #[must_use]
    pub fn by_code(code: &str, full_name: &str) -> Self {
        Self {
            name: code.to_owned(),
            adjective: full_name.to_owned(),
            key: code.to_owned(),
            letter: None,
        }
    }

    /// The name for where it is introduced: `Austria`, `Jedi Knights (JED)`.
    #[must_use]
    pub fn introduced(&self) -> String {
        if self.name == self.key && self.adjective != self.name {
            format!("{} ({})", self.adjective, self.key)
        } else {
            self.name.clone()
        }
    }
}
