//! Lines between provinces that are neighbors and do not touch in the drawing. They lead across walls and water rather than land, and
//! below no name and no unit of another province if there is a way around them.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use super::super::super::ProvinceInfo;
use super::super::Drawing;
use super::super::elements::{Area, Place, Point, Region, Strait, Surface};
use super::super::steps::STEPS;
use super::planar::Edge;

/// The width and height of the squares into which a drawing is divided.
const SQUARE: i32 = 10;
/// What a step costs in one of the two provinces.
const OWN: u32 = 2;
/// What it costs below a name or a unit of theirs, or beside one.
const OWN_COVERED: u32 = 9;
/// What it costs in walls and water.
const OPEN: u32 = 3;
/// What it costs on other land.
const LAND: u32 = 9;
/// What it costs below a name or a unit of another province, or beside one.
const COVERED: u32 = 300;
/// How far a line stays from names and units.
const GAP: i32 = 8;
/// How deep in its provinces a line begins and ends, in squares, if it can.
const DEPTHS: [i32; 3] = [2, 1, 0];
/// How much more a straight line may cost than a way with bends.
const STRAIGHT_WORTH: f64 = 1.1;

/// A line for each of these borders.
pub(super) fn drawn(provinces: &[&ProvinceInfo], edges: &[Edge], drawing: &Drawing) -> Vec<Strait> {
    if edges.is_empty() {
        return Vec::new();
    }
    let squares = Squares::of(drawing);
    let lines = edges.iter().filter_map(|edge| {
        let [Some(one), Some(other)] = edge.map(|number| provinces.get(number)) else {
            return None;
        };
        Some(Strait {
            between: [one.code, other.code],
            line: DEPTHS
                .into_iter()
                .find_map(|depth| squares.line(*edge, depth))?,
        })
    });
    lines.collect()
}

/// The squares of a drawing, row by row.
struct Squares {
    columns: i32,
    rows: i32,
    squares: Vec<Square>,
}

#[derive(Clone, Copy)]
struct Square {
    region: Option<usize>,
    /// Whether it is on land of a province.
    is_land: bool,
    /// Whether a name or a unit is there.
    is_covered: bool,
}

impl Squares {
    fn of(drawing: &Drawing) -> Self {
        let (columns, rows) = (drawing.width / SQUARE, drawing.height / SQUARE);
        let boxes: Vec<(&Region, [i32; 4])> = drawing
            .regions
            .iter()
            .map(|region| {
                let points = || region.outline.iter().flatten();
                let least = |part: fn(&Point) -> i32| points().map(part).min().unwrap_or(0);
                let most = |part: fn(&Point) -> i32| points().map(part).max().unwrap_or(0);
                let bounds = [
                    least(|at| at.x),
                    most(|at| at.x),
                    least(|at| at.y),
                    most(|at| at.y),
                ];
                (region, bounds)
            })
            .collect();
        let areas: Vec<Area> = drawing.places.values().flat_map(Place::areas).collect();
        let square = |at: Point| {
            let found = boxes
                .iter()
                .position(|(region, [left, right, top, bottom])| {
                    (*left..=*right).contains(&at.x)
                        && (*top..=*bottom).contains(&at.y)
                        && region.contains(at)
                });
            let region = found.and_then(|number| drawing.regions.get(number));
            Square {
                region: found,
                is_land: region.is_none_or(|region| {
                    region.surface == Surface::Land && region.province.is_some()
                }),
                is_covered: areas.iter().any(|area| {
                    (at.x - area.middle.x).abs() * 2 < area.width + 2 * GAP
                        && (at.y - area.middle.y).abs() * 2 < area.height + 2 * GAP
                }),
            }
        };
        let squares = (0..columns * rows).map(|number| square(middle(number, columns)));
        Self {
            columns,
            rows,
            squares: squares.collect(),
        }
    }

    /// The cheapest line from one region to another.
    fn line(&self, [from, to]: Edge, depth: i32) -> Option<Vec<Point>> {
        let mut costs = vec![u32::MAX; self.squares.len()];
        let mut before = vec![None; self.squares.len()];
        let mut open = BinaryHeap::new();
        for (number, cost) in costs.iter_mut().enumerate() {
            if self.is_deep(number, from, depth) {
                *cost = 0;
                open.push(Reverse((0, number)));
            }
        }
        let own: BTreeSet<usize> = [from, to].into();
        let mut end = None;
        while let Some(Reverse((cost, here))) = open.pop() {
            if cost > costs[here] {
                continue;
            }
            if self.is_deep(here, to, depth) {
                end = Some(here);
                break;
            }
            for step in STEPS {
                let Some(there) = self.beside(here, step.right, step.down) else {
                    continue;
                };
                let reached = cost + step.length * self.cost(there, &own);
                if reached < costs[there] {
                    costs[there] = reached;
                    before[there] = Some(here);
                    open.push(Reverse((reached, there)));
                }
            }
        }
        let way: Vec<usize> = std::iter::successors(Some(end?), |at| before[*at]).collect();
        Some(self.straightened(&way, &own))
    }

    fn cost(&self, number: usize, own: &BTreeSet<usize>) -> u32 {
        let square = self.squares[number];
        let is_own = square.region.is_some_and(|region| own.contains(&region));
        match (is_own, square.is_covered) {
            (true, false) => OWN,
            (true, true) => OWN_COVERED,
            (false, true) => COVERED,
            (false, false) if square.is_land => LAND,
            (false, false) => OPEN,
        }
    }

    /// Whether a square and all around it up to this depth are in a region.
    fn is_deep(&self, number: usize, region: usize, depth: i32) -> bool {
        (-depth..=depth).all(|down| {
            (-depth..=depth).all(|right| {
                let square = self.beside(number, right, down);
                square.is_some_and(|square| self.squares[square].region == Some(region))
            })
        })
    }

    fn beside(&self, number: usize, right: i32, down: i32) -> Option<usize> {
        let number = i32::try_from(number).ok()?;
        let (x, y) = (number % self.columns + right, number / self.columns + down);
        let inside = (0..self.columns).contains(&x) && (0..self.rows).contains(&y);
        inside.then_some((y * self.columns + x) as usize)
    }

    /// A way in few straight pieces that cost hardly more than its steps.
    fn straightened(&self, way: &[usize], own: &BTreeSet<usize>) -> Vec<Point> {
        let points: Vec<Point> = way
            .iter()
            .map(|number| middle(*number as i32, self.columns))
            .collect();
        // What the way costs up to each of its points.
        let mut costs = vec![0.0];
        for ends in points.windows(2) {
            costs.push(costs[costs.len() - 1] + self.straight_cost(ends[0], ends[1], own));
        }
        let mut line: Vec<Point> = points.first().copied().into_iter().collect();
        let mut here = 0;
        while here + 1 < points.len() {
            let is_good = |next: &usize| {
                let most = (costs[*next] - costs[here]) * STRAIGHT_WORTH;
                self.straight_cost(points[here], points[*next], own) <= most
            };
            here = (here + 1..points.len())
                .rev()
                .find(is_good)
                .unwrap_or(here + 1);
            line.push(points[here]);
        }
        line
    }

    /// What a straight line costs.
    fn straight_cost(&self, from: Point, to: Point, own: &BTreeSet<usize>) -> f64 {
        let (right, down) = (to.x - from.x, to.y - from.y);
        let steps = (right.abs().max(down.abs()) / (SQUARE / 2)).max(1);
        let costs = (0..steps).map(|step| {
            let (x, y) = (from.x + right * step / steps, from.y + down * step / steps);
            self.cost((y / SQUARE * self.columns + x / SQUARE) as usize, own)
        });
        f64::from(costs.sum::<u32>()) * f64::from(right).hypot(f64::from(down)) / f64::from(steps)
    }
}

/// The middle of a square.
fn middle(number: i32, columns: i32) -> Point {
    Point {
        x: number % columns * SQUARE + SQUARE / 2,
        y: number / columns * SQUARE + SQUARE / 2,
    }
}
