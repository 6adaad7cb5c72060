//! A game as it is saved for other programs, reduced to what one reader may know.

use std::collections::BTreeMap;

use serde_json::Value;

/// Lists of texts by the powers' keys: `AUSTRIA` to `["A BUD", "A VIE"]`.
pub type ByPower = BTreeMap<String, Vec<String>>;

/// A game, phase by phase, in the vocabulary of the `diplomacy` package.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SavedGame {
    /// The name of the game: `kaiser`.
    pub id: String,
    /// The name of the map: `standard`.
    pub map: String,
    /// The variant's name.
    pub variant: String,
    /// The package's words for rules that differ from its defaults: `NO_PRESS`, `BUILD_ANY`.
    pub rules: Vec<String>,
    /// The seed of all chance, as 64 hexadecimal digits; only once the game is over.
    pub seed: Option<String>,
    /// Phases that were adjudicated, then the one in hand.
    pub phases: Vec<SavedPhase>,
}

/// One phase: how it began, what was ordered, what came of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SavedPhase {
    /// `S1901M`; `COMPLETED` for the position in which a game ended.
    pub name: String,
    /// `"A PAR"`; `"*A PAR"` for a unit that must retreat.
    pub units: ByPower,
    /// The centers that each power owns.
    pub centers: ByPower,
    /// Home centers, as far as the map fixes them.
    pub homes: ByPower,
    /// Dislodged units, and where each may go.
    pub retreats: BTreeMap<String, ByPower>,
    /// Builds (negative: removals) and the free places for them; only in adjustment phases.
    pub builds: BTreeMap<String, SavedBuilds>,
    /// What the variant keeps beside the common keys.
    pub own: BTreeMap<String, Value>,
    /// Orders in the package's notation.
    pub orders: ByPower,
    /// Marks by unit; none is success.
    pub results: ByPower,
}

/// What an adjustment phase allows one power.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SavedBuilds {
    /// Builds that can be used, or removals as a negative number.
    pub count: i64,
    /// Where may be built.
    pub homes: Vec<String>,
}
