//! Maps: provinces, coasts, borders, powers, home centers and the units at the start.
//!
//! [`Map::standard`] is the standard map and [`Map::named`] gives the other included ones; [`Map::parse`] reads a map file. A
//! map never changes. A place on it is a [`Province`], or a [`Location`], which also has the coast of a fleet. Players are
//! [`Power`]s, and armies and fleets are [`UnitKind`]s.
//!
#![doc = include_str!("README.md")]

mod board;
mod check;
pub mod drawing;
mod entries;
mod file;
mod place;
mod power;
mod set;
mod shipped;
mod stations;
mod unit_kind;

pub use board::{Distances, Map};
pub use entries::{ProvinceInfo, StartUnit, SummaryCenter, Terrain};
pub use file::{MapError, MapFault};
pub use place::{Coast, Location, PlaceError, Province};
pub use power::{Power, PowerInfo};
pub use set::ProvinceSet;
pub(crate) use stations::slot;
pub use stations::{PlaceSet, StationBorders, Stations, places};
pub use unit_kind::{Travel, UnitKind, UnitKindInfo};

#[cfg(test)]
mod tests;
