//! What a unit can be told.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::map::{Location, Province, UnitKind};

/// How an army gets where it moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Passage {
    /// By land where there is a border, else by any chain of convoying fleets.
    Auto,
    /// By any chain of convoying fleets, although there may be a border: VIA.
    Convoy,
    /// By the fleets in these seas only, in this order.
    Route(Vec<Province>),
}

/// What a unit is told, or what a power does in an adjustment phase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    /// Stand.
    Hold,
    /// Go somewhere.
    Move {
        /// Where to; a fleet's coast where the province has several.
        to: Location,
        /// How.
        by: Passage,
    },
    /// Help the unit in a province to stay.
    SupportHold {
        /// The province.
        at: Province,
    },
    /// Help a move.
    SupportMove {
        /// Where the moving unit stands.
        from: Province,
        /// Where it goes.
        to: Province,
    },
    /// Carry an army.
    Convoy {
        /// Where it stands.
        from: Province,
        /// Where it goes.
        to: Province,
    },
    /// Retreat.
    Retreat {
        /// Where to.
        to: Location,
    },
    /// Disband instead of retreating.
    Disband,
    /// Build a unit.
    Build {
        /// Which kind.
        kind: UnitKind,
        /// Where.
        at: Location,
    },
    /// Remove the unit in a province.
    Remove {
        /// The province.
        at: Province,
    },
    /// Leave one build unused.
    Waive,
    /// A variant's own order: its words, and what only that variant reads.
    Special(String, VariantData),
}

/// Data that only the game's variant reads: its state, orders and slips.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct VariantData(Value);

impl VariantData {
    /// Data of a variant's own type.
    pub fn of<T: Serialize>(data: &T) -> Result<VariantData, serde_json::Error> {
        serde_json::to_value(data).map(VariantData)
    }

    /// The data as the variant's own type.
    pub fn read<T: for<'a> Deserialize<'a>>(&self) -> Result<T, serde_json::Error> {
        T::deserialize(&self.0)
    }
}
#[allow(missing_docs)]
#[derive(Clone, PartialEq, Debug, Default)]
pub struct OrderSheet;
#[allow(missing_docs)]
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Overlay;
