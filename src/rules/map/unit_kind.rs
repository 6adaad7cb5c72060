//! Kinds of unit.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A kind of unit, known by one to eight capital letters: `A` for armies, `F` for fleets, and others in maps of variants.
///
/// What units of a kind can do is in [`UnitKindInfo`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnitKind([u8; 8]);

impl UnitKind {
    /// The army.
    pub const ARMY: Self = Self::literal("A");
    /// The fleet.
    pub const FLEET: Self = Self::literal("F");

    /// A kind for use in source code: `UnitKind::literal("TARDIS")`. To read input, use [`FromStr`].
    ///
    /// # Panics
    /// If the text does not consist of one to eight letters.
    #[must_use]
    pub const fn literal(letters: &str) -> Self {
        match Self::from_letters(letters.as_bytes()) {
            Some(kind) => kind,
            None => panic!("a unit kind is one to eight letters"),
        }
    }

    const fn from_letters(letters: &[u8]) -> Option<Self> {
        if letters.is_empty() || letters.len() > 8 {
            return None;
        }
        let mut code = [0; 8];
        let mut rest = letters;
        let mut i = 0;
        while let [letter, tail @ ..] = rest {
            if !letter.is_ascii_alphabetic() {
                return None;
            }
            code[i] = letter.to_ascii_uppercase();
            i += 1;
            rest = tail;
        }
        Some(Self(code))
    }

    /// The letters as bytes, followed by zeros.
    #[must_use]
    pub const fn letters(self) -> [u8; 8] {
        self.0
    }

    /// The letters: `A`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        // Letters are ASCII, so this never fails.
        std::str::from_utf8(&self.0)
            .unwrap_or_default()
            .trim_end_matches('\0')
    }
}

impl fmt::Display for UnitKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for UnitKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The error for a text that is not the letters of a kind of unit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not the letters of a kind of unit")]
pub struct UnitKindError(String);

impl FromStr for UnitKind {
    type Err = UnitKindError;

    fn from_str(text: &str) -> Result<Self, UnitKindError> {
        Self::from_letters(text.as_bytes()).ok_or_else(|| UnitKindError(text.to_owned()))
    }
}

impl Serialize for UnitKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for UnitKind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}

/// Where units of a kind can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Travel {
    /// On land, as an army.
    Land,
    /// On seas and coasts, as a fleet.
    Sea,
    /// On land and at sea, without coasts.
    Both,
}

/// The properties of a kind of unit. A map lists those of its kinds ([`Map::kinds`](super::Map::kinds)).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnitKindInfo {
    /// The letters of the kind.
    pub kind: UnitKind,
    /// The name: `Army`.
    pub name: String,
    /// Other letters that are shown to players instead of those of the kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shown: Option<UnitKind>,
    /// Other words for the kind that players can use.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
    /// Where units of the kind can be.
    pub travel: Travel,
    /// Whether units of the kind take part in combat. Those that do not can share provinces with others, and
    /// [`movement`](crate::adjudicator::movement) ignores their orders.
    pub fights: bool,
}

impl UnitKindInfo {
    /// The letters that are shown to players.
    #[must_use]
    pub fn code(&self) -> UnitKind {
        self.shown.unwrap_or(self.kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_read_back_as_written() {
        for text in ["A", "F", "DOM", "TARDIS"] {
            assert_eq!(text.parse::<UnitKind>().unwrap().as_str(), text);
        }
        assert_eq!("a".parse::<UnitKind>().unwrap(), UnitKind::ARMY);
        assert!(UnitKind::ARMY < UnitKind::FLEET);
        for text in ["", "A1", "TOOLONGBYFAR"] {
            assert!(text.parse::<UnitKind>().is_err());
        }
    }
}
