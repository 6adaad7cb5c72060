//! Provinces, coasts and locations.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A province (on land or at sea), known by its code of three capital letters: `STP`.
///
/// Not every code is a province of a given map; [`Map::number`](super::Map::number) tells.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Province([u8; 3]);

/// Why a text is not a province, coast or location.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlaceError {
    /// Not three letters.
    #[error("`{0}` is not a province's three letters")]
    Province(String),
    /// Not NC, SC, EC or WC.
    #[error("`{0}` is not one of the coasts NC, SC, EC, WC")]
    Coast(String),
}

impl Province {
    /// The province with this code in any case; `None` if it does not consist of ASCII letters.
    #[must_use]
    pub const fn from_letters(letters: [u8; 3]) -> Option<Self> {
        let [a, b, c] = letters;
        if a.is_ascii_alphabetic() && b.is_ascii_alphabetic() && c.is_ascii_alphabetic() {
            Some(Self([
                a.to_ascii_uppercase(),
                b.to_ascii_uppercase(),
                c.to_ascii_uppercase(),
            ]))
        } else {
            None
        }
    }

    /// A province for use in source code: `Province::literal(b"STP")`. To read input, use [`FromStr`].
    ///
    /// # Panics
    /// If the code does not consist of letters.
    #[must_use]
    pub const fn literal(letters: &[u8; 3]) -> Self {
        match Self::from_letters(*letters) {
            Some(province) => province,
            None => panic!("a province is three letters"),
        }
    }

    /// The code as bytes.
    #[must_use]
    pub const fn letters(self) -> [u8; 3] {
        self.0
    }

    /// The code: `STP`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        // Letters are ASCII, so this never fails.
        std::str::from_utf8(&self.0).unwrap_or_default()
    }

    /// The code with one capital letter: `Stp`.
    #[must_use]
    pub fn titled(&self) -> String {
        let [first, rest @ ..] = self.0;
        let mut text = String::with_capacity(3);
        text.push(char::from(first));
        text.extend(
            rest.iter()
                .map(|letter| char::from(letter.to_ascii_lowercase())),
        );
        text
    }

    /// A number below 26³, different for each province, to be used as an index.
    pub(super) fn hash(self) -> usize {
        let [a, b, c] = self.0.map(|letter| usize::from(letter.wrapping_sub(b'A')));
        (a * 26 + b) * 26 + c
    }
}

impl fmt::Display for Province {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for Province {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Province {
    type Err = PlaceError;

    fn from_str(text: &str) -> Result<Self, PlaceError> {
        <[u8; 3]>::try_from(text.as_bytes())
            .ok()
            .and_then(Self::from_letters)
            .ok_or_else(|| PlaceError::Province(text.to_owned()))
    }
}

/// One of the coasts of a province that has several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Coast {
    /// `EC`
    East,
    /// `NC`
    North,
    /// `SC`
    South,
    /// `WC`
    West,
}

impl Coast {
    /// All coasts, in alphabetical order of their codes.
    pub const ALL: [Self; 4] = [Self::East, Self::North, Self::South, Self::West];

    /// The code: `NC`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::East => "EC",
            Self::North => "NC",
            Self::South => "SC",
            Self::West => "WC",
        }
    }

    /// The name: `north coast`.
    #[must_use]
    pub const fn long(self) -> &'static str {
        match self {
            Self::East => "east coast",
            Self::North => "north coast",
            Self::South => "south coast",
            Self::West => "west coast",
        }
    }
}

impl fmt::Display for Coast {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Coast {
    type Err = PlaceError;

    fn from_str(text: &str) -> Result<Self, PlaceError> {
        Self::ALL
            .into_iter()
            .find(|coast| coast.as_str().eq_ignore_ascii_case(text))
            .ok_or_else(|| PlaceError::Coast(text.to_owned()))
    }
}

/// The place of a unit: a province, and for a fleet in a province with several coasts one of the coasts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Location {
    /// The province, also for a fleet on one of its coasts.
    pub province: Province,
    /// The coast; `None` unless it is the place of a fleet in a province with several coasts.
    pub coast: Option<Coast>,
}

impl Location {
    /// The location on a coast of the province.
    #[must_use]
    pub const fn on(province: Province, coast: Coast) -> Self {
        Self {
            province,
            coast: Some(coast),
        }
    }
}

impl From<Province> for Location {
    fn from(province: Province) -> Self {
        Self {
            province,
            coast: None,
        }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.coast {
            None => self.province.fmt(f),
            Some(coast) => write!(f, "{}/{}", self.province.as_str(), coast.as_str()),
        }
    }
}

impl fmt::Debug for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl FromStr for Location {
    type Err = PlaceError;

    fn from_str(text: &str) -> Result<Self, PlaceError> {
        match text.split_once('/') {
            None => Ok(Self::from(text.parse::<Province>()?)),
            Some((province, coast)) => Ok(Self {
                province: province.parse()?,
                coast: Some(coast.parse()?),
            }),
        }
    }
}

/// Serialised as the text that it is written as.
macro_rules! as_text {
    ($($noun:ty),*) => {$(
        impl Serialize for $noun {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $noun {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Text;
                impl de::Visitor<'_> for Text {
                    type Value = $noun;
                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str(concat!("the text of a ", stringify!($noun)))
                    }
                    fn visit_str<E: de::Error>(self, text: &str) -> Result<$noun, E> {
                        text.parse().map_err(E::custom)
                    }
                }
                deserializer.deserialize_str(Text)
            }
        }
    )*};
}

as_text!(Province, Coast, Location);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_read_back_as_written() {
        for text in ["STP", "STP/SC", "BUL/EC", "LON"] {
            assert_eq!(text.parse::<Location>().unwrap().to_string(), text);
        }
        assert_eq!(
            "stp/sc".parse::<Location>().unwrap(),
            Location::on(Province::literal(b"STP"), Coast::South)
        );
        assert_eq!(
            serde_json::to_string(&Location::on(Province::literal(b"SPA"), Coast::North)).unwrap(),
            "\"SPA/NC\""
        );
        assert_eq!(Province::literal(b"STP").titled(), "Stp");
    }

    #[test]
    fn what_is_no_place_is_refused() {
        for text in ["", "ST", "STPP", "S/C", "STP/", "STP/XC", "STP/SC/NC", "Öl"] {
            assert!(text.parse::<Location>().is_err(), "{text}");
        }
    }
}
