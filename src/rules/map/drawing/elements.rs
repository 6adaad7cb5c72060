//! The elements of a drawing: points, regions, borders, and places for units and names.

use std::collections::BTreeMap;
use std::fmt;

use super::super::{Coast, Province};

/// A point of a drawing. The upper left corner of the picture is `0,0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point {
    /// The distance from the left edge.
    pub x: i32,
    /// The distance from the upper edge.
    pub y: i32,
}

impl Point {
    /// The point that is `right` to the right of this one and `down` below it.
    #[must_use]
    pub const fn offset(self, right: i32, down: i32) -> Self {
        Self {
            x: self.x + right,
            y: self.y + down,
        }
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x, self.y)
    }
}

/// A rectangle that something takes up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    /// The center of the rectangle.
    pub middle: Point,
    /// The width, in units of the drawing.
    pub width: i32,
    /// The height, in units of the drawing.
    pub height: i32,
}

impl Area {
    /// Whether the rectangles have more than an edge in common.
    #[must_use]
    pub const fn overlaps(self, other: Self) -> bool {
        (self.middle.x - other.middle.x).abs() * 2 < self.width + other.width
            && (self.middle.y - other.middle.y).abs() * 2 < self.height + other.height
    }
}

/// Whether a region is drawn as land or as water.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surface {
    /// Land.
    Land,
    /// Water.
    Water,
}

/// A part of the picture: a province, a part of one, or land that is no province of the map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// The code of the province, or a name in lower case for a region that is not a whole province.
    pub name: String,
    /// How the region is drawn.
    pub surface: Surface,
    /// The province to which the region belongs; `None` for land that no unit can enter.
    pub province: Option<Province>,
    /// Closed lines around the region and around its holes, to be filled by the even-odd rule. The last point of a line is
    /// joined to its first.
    pub outline: Vec<Vec<Point>>,
}

impl Region {
    /// Whether the point is in the region.
    #[must_use]
    pub fn contains(&self, point: Point) -> bool {
        self.outline
            .iter()
            .flat_map(|ring| edges(ring))
            .filter(|(from, to)| {
                let (upper, lower) = if from.y < to.y {
                    (from, to)
                } else {
                    (to, from)
                };
                upper.y <= point.y && point.y < lower.y && turn(*upper, *lower, point) > 0
            })
            .count()
            % 2
            == 1
    }

    /// Twice the area of the region, in square units.
    #[must_use]
    pub fn doubled_area(&self) -> i64 {
        let sizes: Vec<i64> = self.outline.iter().map(|ring| doubled_area(ring)).collect();
        let holes = self.outline.iter().enumerate().map(|(number, ring)| {
            let around = self
                .outline
                .iter()
                .enumerate()
                .filter(|(other, outer)| *other != number && surrounds(outer, ring));
            around.count() % 2 == 1
        });
        sizes
            .iter()
            .zip(holes)
            .map(|(size, hole)| if hole { -size } else { *size })
            .sum()
    }
}

/// The edges of a ring, the last of which joins the last point to the first.
fn edges(ring: &[Point]) -> impl Iterator<Item = (Point, Point)> {
    ring.iter()
        .copied()
        .zip(ring.iter().copied().cycle().skip(1))
}

/// Positive if the point is to the right of the line from `upper` down to `lower` in the picture.
fn turn(upper: Point, lower: Point, point: Point) -> i64 {
    let [ax, ay] = [lower.x - upper.x, lower.y - upper.y].map(i64::from);
    let [bx, by] = [point.x - upper.x, point.y - upper.y].map(i64::from);
    bx * ay - ax * by
}

fn doubled_area(ring: &[Point]) -> i64 {
    edges(ring)
        .map(|(from, to)| i64::from(from.x) * i64::from(to.y) - i64::from(to.x) * i64::from(from.y))
        .sum::<i64>()
        .abs()
}

/// Whether one ring is inside another. Rings of one region touch in single points at most, so it is enough to look at one
/// point of the inner ring that is not a point of the outer one.
fn surrounds(outer: &[Point], inner: &[Point]) -> bool {
    let around = Region {
        name: String::new(),
        surface: Surface::Land,
        province: None,
        outline: vec![outer.to_vec()],
    };
    inner
        .iter()
        .find(|point| !outer.contains(point))
        .is_some_and(|point| around.contains(*point))
}

/// One side of a border.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Side {
    /// The region, as an index into [`Drawing::regions`](super::Drawing::regions).
    pub region: usize,
    /// The coast, if the region is a province with several coasts and the border is on one of them.
    pub coast: Option<Coast>,
}

/// A line between two regions, or between a region and the edge of the picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Border {
    /// The regions on both sides; `None` for the edge of the picture.
    pub sides: [Option<Side>; 2],
    /// The points of the line. If it is closed, the last point equals the first.
    pub line: Vec<Point>,
}

/// Two provinces that have a border across water or other regions, and the line that shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strait {
    /// The two provinces.
    pub between: [Province; 2],
    /// The points of a line from one province to the other.
    pub line: Vec<Point>,
}

/// Water that is too narrow to be a region, such as a canal, or along a border on land that only fleets cross. It is drawn but does not
/// divide the province.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waterway {
    /// The province in which the water is, or along whose border.
    pub within: Province,
    /// The points of its course.
    pub line: Vec<Point>,
}

/// The size of the letters of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LetterSize {
    /// For provinces with little room.
    Small,
    /// For most provinces.
    Medium,
    /// For large provinces and seas.
    Large,
}

impl LetterSize {
    /// The height of the letters, in units of the drawing.
    #[must_use]
    pub const fn height(self) -> i32 {
        match self {
            Self::Small => 22,
            Self::Medium => 27,
            Self::Large => 34,
        }
    }
}

/// The name of a province in the picture: the full name, or the code if there is no room.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The center of the name.
    pub at: Point,
    /// The size of the letters.
    pub size: LetterSize,
    /// The lines of the name, from top to bottom.
    pub lines: Vec<String>,
}

impl Label {
    /// The area of the name. A program that draws the name in any font must keep to it. The width is 0.6 times the height of
    /// the letters for each letter of the longest line; the height is 1.1 times the height of the letters for each line.
    #[must_use]
    pub fn area(&self) -> Area {
        let longest = self.lines.iter().map(|line| line.chars().count()).max();
        // No name is longer; of a longer one the area would be wider than an i32 can say.
        let count = |number: usize| number.min(10_000) as i32;
        let height = self.size.height();
        Area {
            middle: self.at,
            width: (count(longest.unwrap_or(0)) * height * 6 + 9) / 10,
            height: (count(self.lines.len()) * height * 11 + 9) / 10,
        }
    }
}

/// The places of a unit, of other symbols and of the name in a province. The areas of all places of a drawing do not overlap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The center of the unit's symbol.
    pub unit: Point,
    /// The center of a fleet's symbol on each coast, if the province has several.
    pub coasts: BTreeMap<Coast, Point>,
    /// The center of a dislodged unit's symbol.
    pub dislodged: Point,
    /// The center of the mark of a supply center; `None` if the province is not one.
    pub center: Option<Point>,
    /// The name of the province and where it is written.
    pub name: Label,
}

impl Place {
    /// The area of a unit's symbol.
    #[must_use]
    pub const fn unit_area(at: Point) -> Area {
        Area {
            middle: at,
            width: 42,
            height: 32,
        }
    }

    /// The area of the mark of a supply center.
    #[must_use]
    pub const fn center_area(at: Point) -> Area {
        Area {
            middle: at,
            width: 20,
            height: 20,
        }
    }

    /// The areas of the units, of the mark of a supply center and of the name.
    #[must_use]
    pub fn areas(&self) -> Vec<Area> {
        let mut areas = vec![
            self.name.area(),
            Self::unit_area(self.unit),
            Self::unit_area(self.dislodged),
        ];
        areas.extend(self.coasts.values().map(|at| Self::unit_area(*at)));
        areas.extend(self.center.map(Self::center_area));
        areas
    }
}
