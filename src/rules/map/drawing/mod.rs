//! Drawings of maps: the outlines of regions, and the places of units and names. A drawing is data from which a program can
//! make pictures; nothing is rendered here.
//!
//! A drawing is read from a file in the notation that the module [`map`](super) describes, such as `standard.drawing`. The file
//! contains each border once, so that two regions share a line exactly where their provinces have a border. For a map without
//! a drawing file, [`Drawing::of`] makes regions of its borders alone; where too many of these cannot be borders of regions in a plane,
//! it makes a diagram, with a disc for each province and a line for each border. Provinces that are added to a map and have no place in
//! its drawing get a panel below the picture.
//!
//! Coordinates and lengths are in units of the drawing. All drawings have the same scale: the symbol of a unit is 42 wide and
//! 32 high ([`Place::unit_area`]).

mod diagram;
mod elements;
mod file;
mod outline;
mod regions;
mod spot;
mod steps;

use std::collections::BTreeMap;

use super::{Map, Province};

pub use elements::{
    Area, Border, Label, LetterSize, Place, Point, Region, Side, Strait, Surface, Waterway,
};
pub use file::{DrawingError, DrawingFault};
pub use steps::{GridStep, STEPS};

/// The included drawings and the names of their maps.
const DRAWN: [(&str, &str); 5] = [
    ("standard", include_str!("../standard.drawing")),
    ("ancient", include_str!("../ancient.drawing")),
    ("hundred", include_str!("../hundred.drawing")),
    ("modern", include_str!("../modern.drawing")),
    ("sailho", include_str!("../sailho.drawing")),
];

/// A drawing of a map.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Drawing {
    /// The width, in units of the drawing.
    pub width: i32,
    /// The height, in units of the drawing.
    pub height: i32,
    /// The regions, which do not overlap.
    pub regions: Vec<Region>,
    /// The borders between them; none in a diagram.
    pub borders: Vec<Border>,
    /// The borders across water.
    pub straits: Vec<Strait>,
    /// Canals and other narrow waters within a province.
    pub waterways: Vec<Waterway>,
    /// In a diagram, the lines that join the discs of neighbors. They are to be drawn below the regions.
    pub links: Vec<[Point; 2]>,
    /// The places of units and names, for every province of the map.
    pub places: BTreeMap<Province, Place>,
}

impl Drawing {
    /// The drawing of a map. `overlay` are further lines of a drawing file, or empty; they are not used where they do not fit the
    /// map. For a map without a drawing one is made of its borders, and so it is for a map without the provinces that its drawing names.
    #[must_use]
    pub fn of(map: &Map, overlay: &str) -> Self {
        let drawn = DRAWN
            .iter()
            .find(|(name, _)| *name == map.name())
            .and_then(|(_, text)| {
                let read = |overlay| Self::read(map, text, overlay).ok();
                read(overlay).or_else(|| read(""))
            });
        let mut drawing = drawn
            .or_else(|| regions::of(map))
            .unwrap_or_else(|| diagram::of(map));
        diagram::add_panels(&mut drawing, map);
        drawing
    }

    /// Whether somebody has drawn the map of this name.
    #[must_use]
    pub fn exists(map: &str) -> bool {
        DRAWN.iter().any(|(name, _)| *name == map)
    }

    /// Reads a drawing file and further lines that are read after it (empty if there are none).
    ///
    /// # Errors
    /// The first fault and its line.
    pub fn read(map: &Map, text: &str, overlay: &str) -> Result<Self, DrawingError> {
        file::read(map, text, overlay)
    }
}

#[cfg(test)]
mod tests;
