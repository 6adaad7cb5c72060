//! The board as data: provinces, coasts, borders, names and homes, read from map files.
//!
//! A [`Map`] is parsed once from a file in the notation of `README.md` in this folder and never changes. Everything else
//! in the house names places by [`Province`] and [`Location`], sides by [`Power`] and sorts of units by [`UnitKind`].

mod board;
mod check;
pub mod drawing;
mod file;
mod place;
mod power;
mod set;
mod shipped;
mod unit_kind;

pub use board::{Distances, Map, ProvinceInfo, StartUnit, SummaryCenter, Terrain};
pub use file::{MapError, MapFault};
pub use place::{Coast, Location, PlaceError, Province};
pub use power::{Power, PowerInfo};
pub use set::ProvinceSet;
pub use unit_kind::{Travel, UnitKind, UnitKindInfo};

#[cfg(test)]
mod tests;
