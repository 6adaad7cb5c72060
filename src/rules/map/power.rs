//! The powers of a game.

use serde::{Deserialize, Serialize};

/// A power, as an index into the powers of the game. In a game of the map's own powers these are
/// [`Map::powers`](super::Map::powers).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Power(pub u8);

impl Power {
    /// The owner of units that no player commands.
    pub const NEUTRAL: Self = Self(255);

    /// The index; `None` for [`Power::NEUTRAL`].
    #[must_use]
    pub fn index(self) -> Option<usize> {
        (self != Self::NEUTRAL).then_some(usize::from(self.0))
    }
}

/// The names of a power. A power that players know by a code has the code as its name, and its full name as its adjective;
/// see [`PowerInfo::by_code`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PowerInfo {
    /// The name: `Austria`.
    pub name: String,
    /// The adjective: `Austrian`.
    pub adjective: String,
    /// The name in data formats: `AUSTRIA`.
    pub key: String,
    /// A letter that stands for the power, if it has one: `A`.
    pub letter: Option<char>,
}

impl PowerInfo {
    /// A power that is called by its code.
    #[must_use]
    pub fn by_code(code: &str, full_name: &str) -> Self {
        Self {
            name: code.to_owned(),
            adjective: full_name.to_owned(),
            key: code.to_owned(),
            letter: None,
        }
    }

    /// The name for the first mention: `Austria`, `Jedi Knights (JED)`.
    #[must_use]
    pub fn introduced(&self) -> String {
        if self.name == self.key && self.adjective != self.name {
            format!("{} ({})", self.adjective, self.key)
        } else {
            self.name.clone()
        }
    }
}
