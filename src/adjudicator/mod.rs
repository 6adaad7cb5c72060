//! Movement, retreats and adjustments by the rulebook and the DATC.
//!
//! [`movement`] numbers units and provinces densely on entry (`field`), lets the `resolver` ask the `rulebook` until
//! everything is decided, and explains what came of each order (`explain`).

mod explain;
mod field;
mod movement;
mod outcome;
mod resolver;
mod rulebook;

pub use movement::movement;
pub use outcome::{Combatant, Mark, Marks, Outcome, Reason, Resolution, Route, StandOff};
mod tmp_adjust;
pub use tmp_adjust::{Allowances, Sites, civil_disorder};
