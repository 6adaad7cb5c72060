//! Gives cells fair sizes and shapes: the points of their outlines are moved at random, and better places are kept.

use std::collections::BTreeMap;
use std::f64::consts::PI;

use super::super::spot::{Spot, area, cross};
use super::mesh::Mesh;

/// A line between two cells, or between a cell and the edge of the picture.
pub(super) type Line = ([Option<usize>; 2], Vec<Spot>);

/// How often every point is moved.
const SWEEPS: usize = 2000;
/// The radius of the disc of cells, in halves of a picture's width and height. What is outside belongs to the cells at the edge.
const INNER: f64 = 0.92;
/// How far points stay from the corners of the picture.
const MARGIN: f64 = 8.0;
/// Edges of outlines that are shorter cost.
const SHORT: f64 = 35.0;

/// No point is moved nearer than this to a line between other points, so that lines are apart once their points are whole numbers
/// and their bends are round.
const CLEARANCE: f64 = 8.0;

/// What a cell is to become.
#[derive(Clone, Copy)]
pub(super) struct Wanted {
    /// Its area.
    pub(super) area: f64,
    /// How much its cost counts.
    pub(super) weight: f64,
}

/// The outlines of the cells of a picture.
pub(super) struct Shapes {
    width: f64,
    height: f64,
    pub(super) points: Vec<Spot>,
    freedom: Vec<Freedom>,
    /// The points around each cell, by their numbers.
    pub(super) rings: Vec<Vec<usize>>,
    /// The two cells at each point in the middle of a line between them.
    between: BTreeMap<usize, [usize; 2]>,
    /// The point of each cell at the edge of the picture at which it begins to go along the edge.
    edge_ends: BTreeMap<usize, usize>,
    /// The cells at each point.
    cells_at: Vec<Vec<usize>>,
    /// 1, or -1 where outlines go counterclockwise.
    turn: f64,
}

/// Where a point may go.
#[derive(Clone, Copy, PartialEq)]
enum Freedom {
    Anywhere,
    Across,
    Down,
    Nowhere,
}

impl Shapes {
    /// The first outlines of cells around these spots of a disc: they lead through the middles of three cells that meet, and
    /// through those of two.
    pub(super) fn of(mesh: &Mesh, around: &[Vec<usize>], spots: &[Spot], size: (f64, f64)) -> Self {
        let (width, height) = size;
        let mut shapes = Self {
            width,
            height,
            points: Vec::new(),
            freedom: Vec::new(),
            rings: Vec::new(),
            between: BTreeMap::new(),
            edge_ends: BTreeMap::new(),
            cells_at: Vec::new(),
            turn: 1.0,
        };
        let on_paper = |spot: &Spot| Spot {
            x: width / 2.0 * (1.0 + INNER * spot.x),
            y: height / 2.0 * (1.0 + INNER * spot.y),
        };
        let spots: Vec<Spot> = spots.iter().map(on_paper).collect();
        let mean = |cells: &[usize]| {
            let spots: Vec<Spot> = cells.iter().map(|cell| spots[*cell]).collect();
            Spot::mean(&spots)
        };
        let mut corners = BTreeMap::new();
        for corner in &mesh.corners {
            let number = shapes.add(mean(corner), Freedom::Anywhere);
            corners.insert(sorted(*corner), number);
        }
        let mut bends = BTreeMap::new();
        for (cell, around) in around.iter().enumerate() {
            for near in around.iter().filter(|near| cell < **near) {
                let number = shapes.add(mean(&[cell, *near]), Freedom::Anywhere);
                bends.insert([cell, *near], number);
                shapes.between.insert(number, [cell, *near]);
            }
        }
        let ends = shapes.ends_at_edge(mesh, &bends);
        for (cell, around) in around.iter().enumerate() {
            let is_edge = mesh.edge.contains(&cell);
            let after = around.iter().skip(1);
            let after = after.chain(around.first().filter(|_| !is_edge)).map(Some);
            let mut ring = Vec::new();
            for (near, after) in around.iter().zip(after.chain([None])) {
                ring.extend(bends.get(&sorted([cell, *near])));
                let corner = after.map(|after| sorted([cell, *near, *after]));
                ring.extend(corner.and_then(|corner| corners.get(&corner)));
            }
            if let (true, Some(first), Some(last)) = (is_edge, around.first(), around.last())
                && let Some(&begin) = ends.get(&sorted([cell, *first]))
                && let Some(&end) = ends.get(&sorted([cell, *last]))
            {
                shapes.edge_ends.insert(cell, end);
                ring.push(end);
                ring.extend(shapes.corners_between(end, begin));
                ring.push(begin);
            }
            shapes.rings.push(ring);
        }
        shapes.cells_at = vec![Vec::new(); shapes.points.len()];
        for (cell, ring) in shapes.rings.iter().enumerate() {
            for point in ring {
                shapes.cells_at[*point].push(cell);
            }
        }
        let outlines = (0..mesh.cells).map(|cell| shapes.outline(cell));
        shapes.turn = outlines.map(|outline| area(&outline)).sum::<f64>().signum();
        shapes
    }

    /// Whether all outlines go the same way, so that no cell lies upon another.
    pub(super) fn are_apart(&self) -> bool {
        (0..self.rings.len()).all(|cell| area(&self.outline(cell)) * self.turn > 0.0)
    }

    fn add(&mut self, spot: Spot, freedom: Freedom) -> usize {
        self.points.push(spot);
        self.freedom.push(freedom);
        self.points.len() - 1
    }

    /// The ends of lines at the edge of the picture, seen from its middle behind their bends.
    fn ends_at_edge(
        &mut self,
        mesh: &Mesh,
        bends: &BTreeMap<[usize; 2], usize>,
    ) -> BTreeMap<[usize; 2], usize> {
        let mut ends = BTreeMap::new();
        let (half_width, half_height) = (self.width / 2.0, self.height / 2.0);
        for (one, other) in mesh.edge.iter().zip(mesh.edge.iter().cycle().skip(1)) {
            let pair = sorted([*one, *other]);
            let Some(&bend) = bends.get(&pair) else {
                continue;
            };
            let right = self.points[bend].x - half_width;
            let down = self.points[bend].y - half_height;
            let across = half_width / right.abs().max(1e-9);
            let along = half_height / down.abs().max(1e-9);
            // No line ends in a corner of the picture.
            let within = |at: f64, end: f64| at.clamp(1.0, end - 1.0);
            let (freedom, spot) = if across < along {
                let x = if right < 0.0 { 0.0 } else { self.width };
                let y = within(half_height + down * across, self.height);
                (Freedom::Down, Spot { x, y })
            } else {
                let y = if down < 0.0 { 0.0 } else { self.height };
                let x = within(half_width + right * along, self.width);
                (Freedom::Across, Spot { x, y })
            };
            ends.insert(pair, self.add(spot, freedom));
        }
        ends
    }

    /// Adds the corners of the picture between two points of its edge, in the order from the first to the second.
    fn corners_between(&mut self, from: usize, to: usize) -> Vec<usize> {
        let corners = [
            (0.0, 0.0),
            (self.width, 0.0),
            (self.width, self.height),
            (0.0, self.height),
        ];
        let [begin, end] = [from, to].map(|point| self.way_along_edge(self.points[point]));
        // What a cell has of the edge is less than half of it.
        let is_forth = (end - begin).rem_euclid(4.0) < (begin - end).rem_euclid(4.0);
        let (start, length) = if is_forth {
            (begin, (end - begin).rem_euclid(4.0))
        } else {
            (end, (begin - end).rem_euclid(4.0))
        };
        let mut found: Vec<(f64, Spot)> = corners
            .into_iter()
            .enumerate()
            .map(|(number, (x, y))| ((number as f64 - start).rem_euclid(4.0), Spot { x, y }))
            .filter(|(far, _)| *far > 0.0 && *far < length)
            .collect();
        found.sort_by(|(one, _), (other, _)| one.total_cmp(other));
        if !is_forth {
            found.reverse();
        }
        let found = found.into_iter();
        found
            .map(|(_, spot)| self.add(spot, Freedom::Nowhere))
            .collect()
    }

    /// The way along the edge from the upper left corner clockwise, in sides.
    fn way_along_edge(&self, spot: Spot) -> f64 {
        let (right, down) = (spot.x / self.width, spot.y / self.height);
        if down <= 0.0 {
            right
        } else if right >= 1.0 {
            1.0 + down
        } else if down >= 1.0 {
            3.0 - right
        } else {
            4.0 - down
        }
    }

    /// The lines between two cells, and between a cell and the edge of the picture.
    pub(super) fn lines(&self) -> Vec<Line> {
        let mut lines = Vec::new();
        for (cell, ring) in self.rings.iter().enumerate() {
            let count = ring.len();
            let part = |from: usize, length: usize| -> Vec<Spot> {
                let numbers = (from..=from + length).map(|number| ring[number % count]);
                numbers.map(|point| self.points[point]).collect()
            };
            for (place, point) in ring.iter().enumerate() {
                if let Some(other) = self.between.get(point)
                    && cell == other[0]
                {
                    let line = part(place + count - 1, 2);
                    lines.push(([Some(cell), Some(other[1])], line));
                }
            }
            if let Some(end) = self.edge_ends.get(&cell) {
                let begin = ring.iter().position(|point| point == end).unwrap_or(0);
                let length = count - 1 - begin;
                lines.push(([Some(cell), None], part(begin, length)));
            }
        }
        lines
    }

    /// The outline of a cell.
    pub(super) fn outline(&self, cell: usize) -> Vec<Spot> {
        self.rings[cell]
            .iter()
            .map(|point| self.points[*point])
            .collect()
    }

    /// Moves points until cells are as they are wanted.
    pub(super) fn settle(&mut self, wanted: &[Wanted], chance: &mut Chance) {
        let cells = 0..self.rings.len();
        let mut costs: Vec<f64> = cells.map(|cell| self.cost(cell, wanted[cell])).collect();
        let cell_size = (self.width * self.height / self.rings.len() as f64).sqrt();
        for sweep in 0..SWEEPS {
            let left = 1.0 - sweep as f64 / SWEEPS as f64;
            let far = cell_size * (0.5 * left * left + 0.02);
            for point in 0..self.points.len() {
                let mut step = [far * chance.within_one(), far * chance.within_one()];
                if sweep % 3 == 0 {
                    // Cells that are small at first need small steps.
                    step = step.map(|step| step * step * step / (far * far));
                }
                let before = self.points[point];
                self.points[point] = self.moved(point, step);
                let cells = &self.cells_at[point];
                let new = cells.iter().map(|cell| self.cost(*cell, wanted[*cell]));
                let new: Vec<f64> = new.collect();
                let old: f64 = cells.iter().map(|cell| costs[*cell]).sum();
                let is_better = new.iter().sum::<f64>() < old;
                if is_better
                    && cells.iter().all(|cell| self.is_simple_at(*cell, point))
                    && self.keeps_clear(point, before)
                {
                    for (cell, cost) in cells.iter().zip(new) {
                        costs[*cell] = cost;
                    }
                } else {
                    self.points[point] = before;
                }
            }
        }
    }

    /// Where a point comes to by a step, as far as it is free.
    fn moved(&self, point: usize, [right, down]: [f64; 2]) -> Spot {
        let Spot { x, y } = self.points[point];
        let across = (x + right).clamp(MARGIN, self.width - MARGIN);
        let along = (y + down).clamp(MARGIN, self.height - MARGIN);
        match self.freedom[point] {
            Freedom::Anywhere => Spot {
                x: across,
                y: along,
            },
            Freedom::Across => Spot { x: across, y },
            Freedom::Down => Spot { x, y: along },
            Freedom::Nowhere => Spot { x, y },
        }
    }

    /// How far a cell is from what it is to become: in size, in roundness, and by short edges.
    fn cost(&self, cell: usize, wanted: Wanted) -> f64 {
        let ring = &self.rings[cell];
        let (mut doubled, mut length, mut short) = (0.0, 0.0, 0.0);
        let mut from = ring
            .last()
            .map_or(Spot { x: 0.0, y: 0.0 }, |last| self.points[*last]);
        for point in ring {
            let to = self.points[*point];
            doubled += from.x * to.y - from.y * to.x;
            let edge = from.distance(to);
            length += edge;
            let lacking = (SHORT - edge).max(0.0);
            short += lacking * lacking;
            from = to;
        }
        let area = doubled / 2.0 * self.turn;
        if area <= 0.0 {
            return f64::INFINITY;
        }
        let ratio = area / wanted.area;
        let size = ratio + 1.0 / ratio - 2.0;
        let roundness = length * length / (4.0 * PI * area) - 1.0;
        let shape = roundness * (2.2 + 0.8 * roundness);
        wanted.weight * (5.0 * size + shape) + short / 500.0
    }

    /// Whether a point is no nearer to other lines than it may be, or than it was at another spot.
    fn keeps_clear(&self, point: usize, before: Spot) -> bool {
        let clearance = self.clearance(point, self.points[point]);
        clearance >= CLEARANCE || clearance >= self.clearance(point, before)
    }

    /// The least distance that a point would have at a spot from lines that do not end there, and other points from the lines
    /// that do, in the cells at the point.
    fn clearance(&self, point: usize, spot: Spot) -> f64 {
        let at = |other: usize| {
            if other == point {
                spot
            } else {
                self.points[other]
            }
        };
        let mut least = f64::INFINITY;
        for cell in &self.cells_at[point] {
            let ring = &self.rings[*cell];
            for (from, to) in ring.iter().zip(ring.iter().cycle().skip(1)) {
                let line = [at(*from), at(*to)];
                let is_moved = [from, to].contains(&&point);
                for other in ring {
                    if (is_moved || *other == point) && other != from && other != to {
                        least = least.min(at(*other).distance_from_line(line));
                    }
                }
            }
        }
        least
    }

    /// Whether no edge of an outline that begins or ends at a point crosses another one.
    fn is_simple_at(&self, cell: usize, point: usize) -> bool {
        let ring = &self.rings[cell];
        let count = ring.len();
        let at = |number: usize| self.points[ring[number % count]];
        let Some(place) = ring.iter().position(|other| *other == point) else {
            return true;
        };
        [place + count - 1, place].into_iter().all(|own| {
            (2..count - 1).all(|far| {
                let other = own + far;
                !cross([at(own), at(own + 1)], [at(other), at(other + 1)])
            })
        })
    }
}

fn sorted<const COUNT: usize>(mut cells: [usize; COUNT]) -> [usize; COUNT] {
    cells.sort_unstable();
    cells
}

/// Numbers as if at random, the same each time (SplitMix64).
pub(super) struct Chance(pub(super) u64);

impl Chance {
    /// A number from -1 to 1.
    pub(super) fn within_one(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        (mixed >> 32) as f64 / f64::from(1u32 << 31) - 1.0
    }
}
