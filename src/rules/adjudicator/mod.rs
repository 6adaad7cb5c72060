//! Movement, retreats and adjustments by the rulebook and the DATC.
//!
//! Each phase has a function: [`movement`], [`retreats`] and [`adjustments`]. The first two return a [`Resolution`] with an
//! [`Outcome`] for each unit, the third an [`AdjustmentResolution`].
//!
//! [`movement`] works in four steps. It gives units and provinces consecutive numbers and links each order to the units that
//! it names (`field`, `links`). The `resolver` applies the rules of the `rulebook` until everything is decided; decisions that
//! depend on each other in a cycle are decided by trying their possible outcomes (`cycle`). With debug assertions, `check`
//! verifies the decisions. Finally `explain` gives each order its marks and the reason for its failure.
//!
//! [`plain`] decides the same for most positions much faster, on sets of bits and without reasons.

mod adjustments;
mod allowances;
mod check;
mod civil_disorder;
mod cycle;
mod explain;
mod field;
mod links;
mod movement;
mod outcome;
pub mod plain;
pub mod planted;
mod resolver;
mod retreats;
mod rulebook;

pub use adjustments::{Adjustment, AdjustmentResolution, adjustments, may_build};
pub use allowances::{
    AdjustmentCounts, Allowance, Allowances, KindAllowance, Sites, change, open_sites,
};
pub use civil_disorder::civil_disorder;
pub use movement::{checked_movement, movement};
pub use outcome::{
    Combatant, Contradiction, ConvoyOutcome, Mark, Marks, Outcome, Reason, Resolution, StandOff,
};
pub use retreats::retreats;

#[cfg(test)]
mod reason_tests;
#[cfg(test)]
mod shared_tests;
#[cfg(test)]
mod tests;
