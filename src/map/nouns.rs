//! The smallest words of the board: province, coast, location, power, kind of unit.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A province's code: three ASCII capitals, `STP`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Province([u8; 3]);

/// A text that is no code of a province, coast or location.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} is not the code of a province")]
pub struct NotALocation(pub String);

impl Province {
    /// The code with these capitals. Anything else is a fault of the caller: use `parse` for text.
    pub const fn new(code: &[u8; 3]) -> Province {
        Province(*code)
    }

    /// The three letters.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or("???")
    }

    /// The three bytes.
    pub const fn bytes(self) -> [u8; 3] {
        self.0
    }
}

impl FromStr for Province {
    type Err = NotALocation;

    fn from_str(text: &str) -> Result<Province, NotALocation> {
        match *text.as_bytes() {
            [a, b, c] if [a, b, c].iter().all(u8::is_ascii_alphabetic) => {
                Ok(Province([a.to_ascii_uppercase(), b.to_ascii_uppercase(), c.to_ascii_uppercase()]))
            }
            _ => Err(NotALocation(text.to_owned())),
        }
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

impl TryFrom<String> for Province {
    type Error = NotALocation;

    fn try_from(text: String) -> Result<Province, NotALocation> {
        text.parse()
    }
}

impl From<Province> for String {
    fn from(province: Province) -> String {
        province.as_str().to_owned()
    }
}

/// One of a province's separate coasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Coast {
    East,
    North,
    South,
    West,
}

impl Coast {
    /// All of them.
    pub const ALL: [Coast; 4] = [Coast::East, Coast::North, Coast::South, Coast::West];

    /// `NC`.
    pub fn code(self) -> &'static str {
        match self {
            Coast::East => "EC",
            Coast::North => "NC",
            Coast::South => "SC",
            Coast::West => "WC",
        }
    }

    /// `north coast`.
    pub fn name(self) -> &'static str {
        match self {
            Coast::East => "east coast",
            Coast::North => "north coast",
            Coast::South => "south coast",
            Coast::West => "west coast",
        }
    }

    /// The coast with this code, in any case.
    pub fn from_code(code: &str) -> Option<Coast> {
        Coast::ALL.into_iter().find(|coast| coast.code().eq_ignore_ascii_case(code))
    }
}

/// Where a unit stands: a province, and for a fleet on a province with several coasts also which of them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Location {
    /// The province.
    pub province: Province,
    /// The coast, where it matters.
    pub coast: Option<Coast>,
}

impl Location {
    /// A province without a coast.
    pub const fn of(province: Province) -> Location {
        Location { province, coast: None }
    }
}

impl From<Province> for Location {
    fn from(province: Province) -> Location {
        Location::of(province)
    }
}

impl FromStr for Location {
    type Err = NotALocation;

    fn from_str(text: &str) -> Result<Location, NotALocation> {
        let wrong = || NotALocation(text.to_owned());
        let (province, coast) = match text.split_once('/') {
            Some((province, coast)) => (province, Some(Coast::from_code(coast).ok_or_else(wrong)?)),
            None => (text, None),
        };
        Ok(Location { province: province.parse().map_err(|_| wrong())?, coast })
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.coast {
            Some(coast) => write!(f, "{}/{}", self.province, coast.code()),
            None => write!(f, "{}", self.province),
        }
    }
}

impl fmt::Debug for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl TryFrom<String> for Location {
    type Error = NotALocation;

    fn try_from(text: String) -> Result<Location, NotALocation> {
        text.parse()
    }
}

impl From<Location> for String {
    fn from(location: Location) -> String {
        location.to_string()
    }
}

/// A side: an index into the roster of powers of a game (before the start: of its map).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Power(pub u8);

impl Power {
    /// Owns units that are nobody's.
    pub const NEUTRAL: Power = Power(u8::MAX);
}

/// What a power is called.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PowerInfo {
    /// `Austria`.
    pub name: String,
    /// `Austrian`.
    pub adjective: String,
    /// `AUSTRIA`: its name in files and JSON.
    pub key: String,
    /// `A`, where the power has one.
    pub letter: Option<char>,
}

/// Where a unit can go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Travel {
    /// Over land.
    Land,
    /// Over seas and along coasts.
    Sea,
    /// Both.
    Both,
}

/// A kind of unit by its letter in orders and JSON. Capabilities, not names, decide what it can do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct UnitKind(char);

impl UnitKind {
    /// `A`.
    pub const ARMY: UnitKind = UnitKind('A');
    /// `F`.
    pub const FLEET: UnitKind = UnitKind('F');

    /// The kind with this letter.
    pub const fn new(letter: char) -> UnitKind {
        UnitKind(letter)
    }

    /// Its letter.
    pub const fn letter(self) -> char {
        self.0
    }

    /// `Army`.
    pub fn name(self) -> &'static str {
        match self.0 {
            'A' => "Army",
            'F' => "Fleet",
            _ => "Unit",
        }
    }

    /// Where it can go.
    pub fn travel(self) -> Travel {
        match self.0 {
            'F' => Travel::Sea,
            _ => Travel::Land,
        }
    }
}

impl fmt::Display for UnitKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl fmt::Debug for UnitKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}
