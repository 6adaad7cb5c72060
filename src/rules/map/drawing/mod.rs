//! The picture of a map: what lies where, and where units and names stand.
//!
//! A drawing is data, as a map is: the file `standard.drawing` beside `standard.map`, in the notation of `README.md` of this
//! room. Regions are told by their borders, each border once, so that two regions share a line exactly where their provinces
//! have a border; `tests.rs` compares the two province by province. A map that has no drawing gets a diagram: a disc for each
//! province, and a line for each border. What a variant lays over a map is drawn too: by lines of the same notation that it
//! has of its own, and where it has none in a panel below the picture.
//!
//! All drawings have the same scale: a unit and the letters of names have the same size in each.

mod diagram;
mod file;
mod layout;
mod outline;
mod parts;

use std::collections::BTreeMap;

use super::{Map, Province};

pub use file::{DrawingError, DrawingFault};
pub use parts::{
    Area, Border, Ground, Label, LetterSize, Place, Point, Region, Side, Strait, Waterway,
};

/// The drawings of this room, by the names of their maps.
const DRAWN: [(&str, &str); 1] = [("standard", include_str!("../standard.drawing"))];

/// A drawing of a map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawing {
    /// From left to right, in units.
    pub width: i32,
    /// From top to bottom.
    pub height: i32,
    /// Its regions, which lie nowhere on one another.
    pub regions: Vec<Region>,
    /// The borders between them; none in a diagram.
    pub borders: Vec<Border>,
    /// Borders that lie across water.
    pub straits: Vec<Strait>,
    /// Canals.
    pub waterways: Vec<Waterway>,
    /// In a diagram, the lines that join the discs of neighbors; to be drawn below the regions.
    pub links: Vec<[Point; 2]>,
    /// Where things stand, for every province of the map.
    pub places: BTreeMap<Province, Place>,
}

impl Drawing {
    /// The drawing of a map, with what a variant draws over it: lines of a drawing (empty if it has none), which are read
    /// where the map has a drawing. A map without one, or that has not the provinces of which its drawing tells, gets a
    /// diagram.
    #[must_use]
    pub fn of(map: &Map, overlay: &str) -> Self {
        let drawn = DRAWN
            .iter()
            .find(|(name, _)| *name == map.name())
            .and_then(|(_, text)| Self::read(map, text, overlay).ok());
        let mut drawing = drawn.unwrap_or_else(|| diagram::of(map));
        diagram::add_panels(&mut drawing, map);
        drawing
    }

    /// Reads a drawing file and what lies over it (notation: `README.md` of the room `map`).
    ///
    /// # Errors
    /// The first fault, with its line.
    pub fn read(map: &Map, text: &str, overlay: &str) -> Result<Self, DrawingError> {
        file::read(map, text, overlay)
    }
}

#[cfg(test)]
mod tests;
