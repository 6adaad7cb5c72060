//! What seats submit for a season.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::conditions::{Condition, Conditional};
use super::orders::{TardisOrder, UnitOrder};
use super::state::Question;
use dipjudge_rules::map::{Location, Power, Province, UnitKind};
use dipjudge_rules::position::UnitId;
use dipjudge_rules::sorted_map::SortedMap;

/// A re-order of the JESTER's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum Jest {
    Unit(UnitId, UnitOrder),
    Tardis(TardisOrder),
}

/// What the SOOTHSAYER foresees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Prediction {
    /// Where there will be a stand-off.
    pub at: Province,
    /// What is to come of it where the numbers are equal.
    pub kind: Option<UnitKind>,
}

/// What a unit that must retreat does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum RetreatChoice {
    To(Location),
    Disband,
}

/// What is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Build {
    Unit(UnitKind, Location),
    Pair((UnitKind, Location), (UnitKind, Location)),
}

/// A line of an adjustment phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum AdjustmentOrder {
    Build(Build),
    Remove(UnitId),
    Waive,
}

/// A line of an adjustment phase as it was sent: each has its own place among all of its sender's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct AdjustmentLine {
    /// Lines are carried out in the order of these.
    pub number: u32,
    pub condition: Option<Condition>,
    pub then: AdjustmentOrder,
}

/// All that one seat has submitted for a season.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Submissions {
    pub orders: SortedMap<UnitId, UnitOrder>,
    pub tardis: TardisOrder,
    pub jests: Vec<Jest>,
    pub predictions: Vec<Prediction>,
    /// The units whose souls are sold.
    pub sales: Vec<Conditional<UnitId>>,
    pub detonations: Vec<Conditional<Province>>,
    pub retreats: Vec<Conditional<(UnitId, RetreatChoice)>>,
    pub adjusting: Vec<Conditional<AdjustmentOrder>>,
    pub free_builds: Vec<Conditional<(UnitKind, Location)>>,
    /// The spaces to be linked; nothing for no LINK.
    pub votes: Vec<Conditional<Option<(Province, Province)>>>,
    pub answer: Option<String>,
    /// The MASTERMIND's.
    pub question: Option<Question>,
}

/// Everybody's.
pub(super) type SubmissionsByPower = BTreeMap<Power, Submissions>;
