//! What falls due: deadlines, the processing of phases, orders for later phases, the start of a game.

pub(crate) mod ahead;
pub(crate) mod dedication;
pub(crate) mod diaries;
pub(crate) mod due;
pub(crate) mod ending;
pub(crate) mod halting;
mod moved_deadline;
mod postal;
pub(crate) mod processing;
pub(crate) mod starting;
