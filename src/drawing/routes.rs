//! The courses of orders' lines. Of several bent lines between two places, the one is taken that passes the fewest units, names
//! and other lines; a convoyed army goes over the seas of its fleets.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use super::base_map::BaseMap;
use super::curve::{Curve, LinePoint};
use super::places::{PieceLayout, PlacedPiece, Site};
use super::rect::Rect;
use super::region_grid::CELL;
use super::spot::{Direction, Spot};
use dipjudge_rules::map::Province;
use dipjudge_rules::map::drawing::{Place, Surface};

/// The lines that have their course, and what others keep away from.
pub(super) struct Routes<'m> {
    base_map: &'m BaseMap,
    obstacles: Vec<Obstacle>,
    /// By cell of the map's grid: the directions of the lines in and around it.
    lines: Vec<Vec<Direction>>,
}

/// Something that lines keep away from.
#[derive(Clone, Copy)]
struct Obstacle {
    rect: Rect,
    /// What it costs to pass through a stretch of it.
    cost: f64,
}

/// What it costs to pass through a stretch of a unit.
const UNIT: f64 = 60.0;
/// The same of a name.
const NAME: f64 = 12.0;
/// The same of the mark of a center.
const CENTER: f64 = 10.0;
/// The same of an arrow's head or another mark.
const MARK: f64 = 40.0;
/// Half of what the head of an arrow takes up.
const HEAD: f64 = 7.0;
/// What it costs to run along another line.
const ALONG: f64 = 14.0;
/// What it costs to cross another line.
const ACROSS: f64 = 1.0;
/// How far a convoyed army's line looks out for what is in its way.
const DETOUR: f64 = 400.0;
/// What it costs to leave the map.
const OFF_THE_MAP: f64 = 200.0;
/// The cost of a bend, for its whole height.
const BEND: f64 = 0.35;
/// Below this length a line costs more, since its head has no room.
const SHORT: f64 = 44.0;
/// The least distance of lines and units.
const GAP: f64 = 4.0;
/// Lines that run in the same direction or the opposite one, to within 20 degrees, run along one another.
const PARALLEL: f64 = 0.94;

/// The height of the bend, in parts of the length of the line.
const BENDS: [f64; 11] = [
    0.09, 0.0, -0.09, 0.2, -0.2, 0.33, -0.33, 0.5, -0.5, 0.75, -0.75,
];
/// The same for short lines, in units of the drawing.
const HIGH_BENDS: [f64; 4] = [70.0, -70.0, 110.0, -110.0];
/// Lines that are shorter than this have high bends too.
const HIGH_BELOW: f64 = 150.0;
/// Where a support meets the line of the move, in parts of that line.
const MEETINGS: [f64; 9] = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9];
/// How far before that line it ends.
const APART: [f64; 3] = [5.0, 30.0, 55.0];

impl<'m> Routes<'m> {
    pub(super) fn of(base_map: &'m BaseMap, places: &PieceLayout<'_>) -> Routes<'m> {
        let pieces = places.placed.iter().map(PlacedPiece::rect);
        let pieces = pieces.map(|rect| Obstacle {
            rect: rect.grown(GAP),
            cost: UNIT,
        });
        let names = base_map.name_rects.iter();
        let names = names.map(|rect| Obstacle {
            rect: *rect,
            cost: NAME,
        });
        let centers = base_map
            .drawing
            .places
            .values()
            .filter_map(|place| place.center);
        let centers = centers.map(|at| Obstacle {
            rect: Rect::from(Place::center_area(at)),
            cost: CENTER,
        });
        Routes {
            base_map,
            obstacles: pieces.chain(names).chain(centers).collect(),
            lines: vec![Vec::new(); base_map.grid.columns * base_map.grid.rows],
        }
    }

    /// The line from one place to another.
    pub(super) fn between(&self, from: Site, to: Site) -> Curve {
        let far = from.spot.distance(to.spot);
        let bends = bends(far).map(|bend| (bend, Curve::bent(from.spot, to.spot, bend)));
        let trimmed = bends.map(|(bend, curve)| {
            let curve = curve.between(Some(from.taken.grown(GAP)), Some(to.taken.grown(GAP)));
            Course {
                cost: self.cost(&curve, &[from, to]) + bend.abs() * BEND,
                curve,
            }
        });
        best(trimmed).unwrap_or_else(|| Curve::bent(from.spot, to.spot, 0.0))
    }

    /// The line from a place to some point of another line, or close to it where others end there already.
    pub(super) fn joining(&self, from: Site, line: &Curve) -> Curve {
        let meetings = MEETINGS.into_iter().filter_map(|share| line.at(share));
        let ends = meetings.flat_map(|meeting| APART.map(|apart| End { meeting, apart }));
        let courses = ends.flat_map(|end| {
            let far = from.spot.distance(end.meeting.spot);
            let bends = bends(far).filter(move |bend| bend.abs() < 0.6 * far);
            bends.map(move |bend| self.course_to(from, end, bend))
        });
        best(courses).unwrap_or_else(|| line.clone())
    }

    fn course_to(&self, from: Site, end: End, bend: f64) -> Course {
        let curve = Curve::bent(from.spot, end.meeting.spot, bend)
            .between(Some(from.taken.grown(GAP)), None)
            .shortened(end.apart);
        let mut cost = self.cost(&curve, &[from]) + bend.abs() * BEND + end.apart;
        if let (Some(tip), Some(heading)) = (curve.end(), curve.heading()) {
            if heading.is_along(end.meeting.heading, 0.8) {
                cost += ALONG * 2.0;
            }
            if self.is_at_mark(tip) {
                cost += MARK * 2.0;
            }
        }
        Course { curve, cost }
    }

    /// The line of a convoyed army over the waters of these provinces, if they have an unbroken way.
    pub(super) fn over_sea(
        &self,
        from: Site,
        to: Site,
        provinces: &BTreeSet<Province>,
    ) -> Option<Curve> {
        let way = self.way(from.spot, to.spot, provinces)?;
        let [first, .., last] = way.as_slice() else {
            return None;
        };
        let (first, last) = (*first, *last);
        let mut points = vec![from.spot];
        points.extend(
            way.into_iter()
                .filter(|spot| spot.distance(first) > 1.0 && spot.distance(last) > 1.0),
        );
        points.push(to.spot);
        let curve = Curve::smoothed(points);
        Some(curve.between(Some(from.taken.grown(GAP)), Some(to.taken.grown(GAP))))
    }

    /// The cheapest way from cell to cell. Land is left for the water as soon as possible.
    fn way(&self, from: Spot, to: Spot, provinces: &BTreeSet<Province>) -> Option<Vec<Spot>> {
        let grid = &self.base_map.grid;
        let (begin, end) = (grid.cell(from)?, grid.cell(to)?);
        let near = Rect::around(&[from, to]).grown(DETOUR);
        let near = self
            .obstacles
            .iter()
            .filter(|obstacle| obstacle.rect.overlaps(near));
        let near: Vec<&Obstacle> = near.collect();
        let mut cost = vec![u32::MAX; grid.columns * grid.rows];
        let mut before = vec![begin; cost.len()];
        let mut open = BinaryHeap::from([(Reverse(0), begin)]);
        *cost.get_mut(begin)? = 0;
        while let Some((Reverse(so_far), cell)) = open.pop() {
            if cell == end {
                break;
            }
            if cost.get(cell).is_none_or(|least| *least < so_far) {
                continue;
            }
            let (x, y) = ((cell % grid.columns) as i32, (cell / grid.columns) as i32);
            for (right, down, length) in [
                (1, 0, 10),
                (-1, 0, 10),
                (0, 1, 10),
                (0, -1, 10),
                (1, 1, 14),
                (1, -1, 14),
                (-1, 1, 14),
                (-1, -1, 14),
            ] {
                let (x, y) = (x + right, y + down);
                if x < 0 || y < 0 || x >= grid.columns as i32 || y >= grid.rows as i32 {
                    continue;
                }
                let next = y as usize * grid.columns + x as usize;
                let Some(step) = self.step(next, provinces, &near) else {
                    continue;
                };
                let sum = so_far + length * step;
                if let (Some(least), Some(came)) = (cost.get_mut(next), before.get_mut(next))
                    && sum < *least
                {
                    *least = sum;
                    *came = cell;
                    open.push((Reverse(sum), next));
                }
            }
        }
        if cost.get(end).is_none_or(|least| *least == u32::MAX) {
            return None;
        }
        let mut way = vec![grid.middle(end)];
        let mut cell = end;
        while cell != begin {
            cell = *before.get(cell)?;
            way.push(grid.middle(cell));
        }
        way.reverse();
        Some(way)
    }

    /// What it costs to enter a cell; `None` where the way may not lead.
    fn step(&self, cell: usize, provinces: &BTreeSet<Province>, near: &[&Obstacle]) -> Option<u32> {
        let grid = &self.base_map.grid;
        let region = self.base_map.drawing.regions.get(grid.region_in(cell)?)?;
        if !provinces.contains(&region.province?) {
            return None;
        }
        let middle = grid.middle(cell);
        let passes = near
            .iter()
            .filter(|obstacle| obstacle.rect.contains(middle));
        let passed: f64 = passes.map(|obstacle| obstacle.cost).sum();
        let ground = match region.surface {
            Surface::Water => 1,
            Surface::Land => 4,
        };
        Some(ground + (passed / 6.0) as u32)
    }

    /// What a line costs by what it passes.
    fn cost(&self, curve: &Curve, ends: &[Site]) -> f64 {
        let spots = curve.spots();
        let whole = Rect::around(spots).grown(1.0);
        let near = self.obstacles.iter().filter(|obstacle| {
            let is_end = |site: &Site| site.has_piece && obstacle.rect.middle == site.taken.middle;
            obstacle.rect.overlaps(whole) && !ends.iter().any(is_end)
        });
        let near: Vec<&Obstacle> = near.collect();
        let length = curve.length();
        let mut cost = (SHORT - length).max(0.0) * 3.0 + length * 0.05;
        // Costs are those of stretches of this length.
        let stretch = length / (spots.len().max(2) - 1) as f64 / 10.0;
        let mut before = spots.first().copied();
        if let Some(tip) = spots.last() {
            let below = near
                .iter()
                .filter(|obstacle| obstacle.rect.grown(HEAD).contains(*tip));
            cost += below.map(|obstacle| obstacle.cost * 3.0).sum::<f64>();
        }
        for spot in spots {
            for obstacle in &near {
                if obstacle.rect.contains(*spot) {
                    cost += obstacle.cost * stretch;
                }
            }
            let Some(lines) = self
                .base_map
                .grid
                .cell(*spot)
                .and_then(|cell| self.lines.get(cell))
            else {
                cost += OFF_THE_MAP * stretch;
                continue;
            };
            if let Some(before) = before.filter(|_| !lines.is_empty()) {
                let heading = before.direction(*spot);
                for line in lines {
                    let part = if line.is_along(heading, PARALLEL) {
                        ALONG
                    } else {
                        ACROSS
                    };
                    cost += part * stretch;
                }
            }
            before = Some(*spot);
        }
        cost
    }

    fn is_at_mark(&self, spot: Spot) -> bool {
        let mut marks = self
            .obstacles
            .iter()
            .filter(|obstacle| obstacle.cost == MARK);
        marks.any(|mark| mark.rect.grown(6.0).contains(spot))
    }

    /// Keeps other lines away from this one.
    pub(super) fn add_line(&mut self, curve: &Curve) {
        let grid = &self.base_map.grid;
        let mut last = None;
        for pair in curve.spots().windows(2) {
            let &[from, to] = pair else { continue };
            let cell = grid.cell(to);
            if cell == last {
                continue;
            }
            last = cell;
            let heading = from.direction(to);
            let side = f64::from(CELL);
            for (right, down) in [
                (0.0, 0.0),
                (side, 0.0),
                (-side, 0.0),
                (0.0, side),
                (0.0, -side),
            ] {
                let beside = Spot {
                    x: to.x + right,
                    y: to.y + down,
                };
                if let Some(lines) = grid.cell(beside).and_then(|cell| self.lines.get_mut(cell)) {
                    lines.push(heading);
                }
            }
        }
    }

    /// Keeps lines away from a mark.
    pub(super) fn add_mark(&mut self, at: Spot, half: f64) {
        self.obstacles.push(Obstacle {
            rect: Rect::square(at, half),
            cost: MARK,
        });
    }

    /// The point of a line for a mark: as near as possible to where it leaves its first province if that is wanted, else to its
    /// middle, and neither on a unit nor on another mark.
    pub(super) fn point_for_mark(&self, curve: &Curve, first: Option<Province>) -> Option<Spot> {
        let spots = curve.spots();
        let middle = spots.len() / 2;
        let is_out = |spot: &Spot| {
            let region = self.base_map.grid.region_at(*spot);
            let region = region.and_then(|region| self.base_map.drawing.regions.get(region));
            region.is_some_and(|region| region.province.is_some() && region.province != first)
        };
        let border = first.and_then(|_| spots.iter().position(is_out));
        let wanted = border
            .unwrap_or(middle)
            .clamp(spots.len() / 5, spots.len() * 3 / 5);
        let is_free = |spot: Spot| {
            let taken = |obstacle: &&Obstacle| {
                obstacle
                    .rect
                    .grown(if obstacle.cost < MARK { 5.0 } else { 9.0 })
                    .contains(spot)
            };
            !self.obstacles.iter().any(|obstacle| taken(&obstacle))
        };
        let mut numbers: Vec<usize> = (spots.len() / 8..spots.len() * 7 / 8).collect();
        numbers.sort_by_key(|number| number.abs_diff(wanted));
        let free = numbers
            .into_iter()
            .filter_map(|number| spots.get(number).copied())
            .find(|spot| is_free(*spot));
        free.or_else(|| spots.get(wanted).copied())
    }
}

/// Where a line ends: before a point of another line.
#[derive(Clone, Copy)]
struct End {
    meeting: LinePoint,
    apart: f64,
}

/// A line and what it costs.
struct Course {
    curve: Curve,
    cost: f64,
}

fn best(courses: impl Iterator<Item = Course>) -> Option<Curve> {
    let best = courses.min_by(|one, other| one.cost.total_cmp(&other.cost));
    best.map(|course| course.curve)
}

fn bends(far: f64) -> impl Iterator<Item = f64> {
    let high = HIGH_BENDS.into_iter().filter(move |_| far < HIGH_BELOW);
    BENDS
        .into_iter()
        .map(move |bend| (bend * far).clamp(-260.0, 260.0))
        .chain(high)
}
