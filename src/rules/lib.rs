//! The rules of the board game Diplomacy: maps, positions, orders, and an adjudicator that gives its reasons.

// Nothing here touches the world: see clippy.toml. Tests may read files.
#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]

pub mod adjudicator;
pub mod calendar;
pub mod conditions;
pub mod folding;
pub mod map;
pub mod orders;
pub mod position;
pub mod text;
