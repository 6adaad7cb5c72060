//! Movement, retreats and adjustments by the rulebook and the DATC.
//!
//! [`movement`] numbers units and provinces densely on entry (`field`, `joining`), lets the `resolver` ask the `rulebook` until
//! everything is decided, rings by trying (`ring`), checks that each decision follows from the others (`check`), and explains
//! what came of each order (`explain`).

mod adjustments;
mod allowances;
mod check;
mod civil_disorder;
mod explain;
mod field;
mod joining;
mod movement;
mod outcome;
mod resolver;
mod retreats;
mod ring;
mod rulebook;

pub use adjustments::{Adjusted, Adjustment, adjustments, may_build};
pub use allowances::{
    AdjustmentCounts, Allowance, Allowances, KindAllowance, Sites, change, open_sites,
};
pub use civil_disorder::civil_disorder;
pub use movement::{checked_movement, movement};
pub use outcome::{
    Combatant, Contradiction, Mark, Marks, Outcome, Reason, Resolution, Route, StandOff,
};
pub use retreats::retreats;

#[cfg(test)]
mod tests;
