//! Seasons, turns and the names of phases.

mod phase_name;
mod turn;

pub use phase_name::{PhaseKind, PhaseName, PhaseNameError};
pub use turn::{Season, Turn};
