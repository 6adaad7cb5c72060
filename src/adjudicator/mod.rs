//! Movement, retreats and adjustments by the rulebook and the DATC.

mod outcome;

pub use outcome::{Combatant, Mark, Marks, Outcome, Reason, Resolution, Route, StandOff};
