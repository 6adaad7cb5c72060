//! What a phase has changed for the power of one reader.

use serde::Serialize;

use super::{Label, SeenUnit};

/// What became of a power's own in one phase, from what its report tells it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OwnChanges {
    /// The power.
    pub power: Label,
    /// What the phase was about.
    pub what: OwnChange,
}

/// What became of a power's own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum OwnChange {
    /// Centers were counted.
    Counted {
        /// The full names of the centers that the power took.
        took: Vec<String>,
        /// Those that it lost.
        lost: Vec<String>,
        /// Builds (positive) or removals (negative) that are due.
        due: i32,
    },
    /// Units had orders to move.
    Moved {
        /// The number of units with an order.
        orders: usize,
        /// The units whose orders failed.
        failed: Vec<SeenUnit>,
        /// The units that were dislodged.
        dislodged: Vec<SeenUnit>,
    },
    /// Units had to retreat.
    Retreated {
        /// The number of units that did.
        kept: usize,
        /// The units that are gone.
        gone: Vec<SeenUnit>,
    },
    /// Units were built or removed.
    Adjusted {
        /// The units that were built: `Army Vienna`.
        built: Vec<String>,
        /// Those that were removed.
        removed: Vec<String>,
    },
}
