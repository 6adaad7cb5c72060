//! What the lines of a map file say of provinces, starting units and the columns of a summary.

use serde::{Deserialize, Serialize};

use super::{Coast, Location, Power, Province, UnitKind};

/// What kinds of unit can be in a province, and whether fleets there can convoy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Terrain {
    /// A sea: fleets, which can convoy.
    Sea,
    /// Land without a coast: armies.
    Inland,
    /// Land with a coast: armies and fleets.
    Coast,
    /// Islands: armies and fleets, which can convoy as at sea.
    Islands,
}

/// One province.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProvinceInfo {
    /// The code: `STP`.
    pub code: Province,
    /// The full name: `St Petersburg`.
    pub name: String,
    /// The terrain, which says what kinds of unit can be there.
    pub terrain: Terrain,
    /// Whether the province is a supply center.
    pub center: bool,
    /// The power whose home center the province is, as an index into [`Map::powers`](super::Map::powers).
    pub home: Option<Power>,
    /// The coasts, if there are more than one; otherwise empty.
    pub coasts: Vec<Coast>,
    /// The only power whose units may enter, as an index into [`Map::powers`](super::Map::powers); `None` if the province is open to all.
    pub only: Option<Power>,
    /// Whether the province can hold many units, among which there is no combat. No province of the standard map is shared.
    pub shared: bool,
    /// Further spellings of the name, in lower case.
    pub aliases: Vec<String>,
    /// The names in other languages, in lower case: read, but listed nowhere.
    pub foreign: Vec<String>,
}

impl ProvinceInfo {
    /// All spellings by which the province is read, in lower case.
    pub(super) fn spellings(&self) -> impl Iterator<Item = String> + '_ {
        let own = [
            self.code.as_str().to_ascii_lowercase(),
            self.name.to_lowercase(),
        ];
        let others = self.aliases.iter().chain(&self.foreign).cloned();
        own.into_iter().chain(others)
    }
}

/// A unit that is on the board when a game starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StartUnit {
    /// The power that owns the unit, as an index into [`Map::powers`](super::Map::powers).
    pub power: Power,
    /// An army, a fleet, or a kind of the map's own.
    pub kind: UnitKind,
    /// The unit's place, with the coast of a fleet where the province has several.
    pub at: Location,
}

/// A column of a summary, which shows who owned a center at the end of each year.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SummaryCenter {
    /// The center of the column.
    pub center: Province,
    /// The letters at the head of the column: `Nor`.
    pub heading: String,
}
