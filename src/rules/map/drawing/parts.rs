//! What a drawing is made of: points, regions, borders, places for units and names.

use std::collections::BTreeMap;
use std::fmt;

use super::super::{Coast, Province};

/// A point of a drawing: x to the right, y downwards, from the upper left corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point {
    /// To the right.
    pub x: i32,
    /// Downwards.
    pub y: i32,
}

impl Point {
    /// The point so far to the right of this one and so far below it.
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

/// A rectangle that something takes up, told by its middle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    /// Its middle.
    pub middle: Point,
    /// From left to right.
    pub width: i32,
    /// From top to bottom.
    pub height: i32,
}

impl Area {
    /// Whether the two have more than an edge in common.
    #[must_use]
    pub const fn overlaps(self, other: Self) -> bool {
        (self.middle.x - other.middle.x).abs() * 2 < self.width + other.width
            && (self.middle.y - other.middle.y).abs() * 2 < self.height + other.height
    }
}

/// What a region is drawn as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground {
    /// Land.
    Land,
    /// Water.
    Water,
}

/// A part of the picture: a province, a part of one, or land that is no province of the map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// The province's code, or a name in small letters.
    pub name: String,
    /// What it is drawn as.
    pub ground: Ground,
    /// The province that it is, or is a part of; nothing if nobody can be there.
    pub province: Option<Province>,
    /// Closed lines around it and around what lies in it: inside is what an odd number of them surrounds. The last point
    /// of each is joined to its first.
    pub outline: Vec<Vec<Point>>,
}

impl Region {
    /// Whether the point lies in the region.
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

    /// Twice the area that it covers, in square units.
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

/// The lines from each point of a ring to the next, the one that closes it last.
fn edges(ring: &[Point]) -> impl Iterator<Item = (Point, Point)> {
    ring.iter()
        .copied()
        .zip(ring.iter().copied().cycle().skip(1))
}

/// Positive where the point lies to the right of the line that goes down from `upper` to `lower`, as one sees it.
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

/// Whether one ring lies within another. Rings of one region touch in points at most, so any point of the inner one that
/// is not on the outer one tells.
fn surrounds(outer: &[Point], inner: &[Point]) -> bool {
    let around = Region {
        name: String::new(),
        ground: Ground::Land,
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
    /// The region, as its place in [`Drawing::regions`](super::Drawing::regions).
    pub region: usize,
    /// Where the region is a province with several coasts and this is one of them: which.
    pub coast: Option<Coast>,
}

/// A line between two regions, or between a region and the edge of the picture. Each is there once, so what meets there
/// fits without a gap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Border {
    /// What lies on either side; nothing for the edge of the picture.
    pub sides: [Option<Side>; 2],
    /// The line. If it is closed, its last point is its first.
    pub line: Vec<Point>,
}

/// Two provinces that have a border across water, and the line that shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strait {
    /// The two.
    pub between: [Province; 2],
    /// From one to the other.
    pub line: Vec<Point>,
}

/// Water in a province that is too narrow to be a region, as a canal: it is drawn and parts nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waterway {
    /// The province.
    pub within: Province,
    /// Its course.
    pub line: Vec<Point>,
}

/// How large a name is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LetterSize {
    /// Where there is little room.
    Small,
    /// For most.
    Medium,
    /// For large provinces and seas.
    Large,
}

impl LetterSize {
    /// The height of letters, in units of the drawing.
    #[must_use]
    pub const fn height(self) -> i32 {
        match self {
            Self::Small => 22,
            Self::Medium => 27,
            Self::Large => 34,
        }
    }
}

/// A province's name as it is written: in full, or its code where there is no room.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The middle of it.
    pub at: Point,
    /// How large it is.
    pub size: LetterSize,
    /// Its lines.
    pub lines: Vec<String>,
}

impl Label {
    /// What it takes up: six tenths of the letters' height for each letter of the longest line, and for each line a tenth
    /// more than that height. Who draws it keeps to that, whatever the font.
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

/// Where things stand in a province. No two of these areas overlap, be they of one province or of two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The middle of its unit.
    pub unit: Point,
    /// The middle of a fleet on one of its coasts, if it has several.
    pub coasts: BTreeMap<Coast, Point>,
    /// The middle of a unit that has been dislodged and not yet retreated.
    pub dislodged: Point,
    /// The middle of the mark of a supply center.
    pub center: Option<Point>,
    /// Its name.
    pub name: Label,
}

impl Place {
    /// What a unit takes up that stands at this point.
    #[must_use]
    pub const fn unit_area(at: Point) -> Area {
        Area {
            middle: at,
            width: 42,
            height: 32,
        }
    }

    /// What the mark of a supply center takes up.
    #[must_use]
    pub const fn center_area(at: Point) -> Area {
        Area {
            middle: at,
            width: 20,
            height: 20,
        }
    }

    /// All that it keeps free, for units, the mark of a center and the name.
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
