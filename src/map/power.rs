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

/// The words for a power.
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
