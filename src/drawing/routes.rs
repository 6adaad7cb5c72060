//! The courses of orders' lines. Of several bent lines between two places, the one is taken that passes the fewest units, names
//! and other lines; a convoyed army goes over the seas of its fleets.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use super::base_map::BaseMap;
use super::curve::Curve;
use super::places::{PieceLayout, PlacedPiece, Site};
use super::rect::Rect;
use super::region_grid::CELL;
use super::spot::{Direction, Spot};
use dipjudge_rules::map::Province;
use dipjudge_rules::map::drawing::{STEPS, Surface};

/// The lines that have their course, and what others keep away from.
pub(super) struct Routes<'m> {
    base_map: &'m BaseMap,
    obstacles: Vec<Obstacle>,
    lines: LinesByCell,
}

/// The lines in and around each cell of the map's grid. A map has some ten thousands of cells, most of them without a line, so lines
/// stand in one list, in which each points to the one before it in its cell.
struct LinesByCell {
    /// By cell: the number of its last line in the list, or [`NO_LINE`].
    last: Vec<u32>,
    lines: Vec<PassingLine>,
}

/// No line in the list of lines.
const NO_LINE: u32 = u32::MAX;

/// A line in or close to a cell, and its direction there.
#[derive(Clone, Copy)]
struct PassingLine {
    /// `None` for one that was taken away.
    line: Option<usize>,
    heading: Direction,
    /// The number of the line before it in the cell.
    before: u32,
}

impl LinesByCell {
    fn of(cells: usize) -> LinesByCell {
        LinesByCell {
            last: vec![NO_LINE; cells],
            lines: Vec::new(),
        }
    }

    /// The lines of a cell, the last one first; `None` for what is no cell.
    fn of_cell(&self, cell: usize) -> Option<impl Iterator<Item = &PassingLine>> {
        let mut next = *self.last.get(cell)?;
        let all = std::iter::from_fn(move || {
            let line = self.lines.get(next as usize)?;
            next = line.before;
            Some(line)
        });
        Some(all.filter(|line| line.line.is_some()))
    }

    /// Adds a line to a cell, unless it was added there last.
    fn add(&mut self, cell: usize, line: usize, heading: Direction) {
        let known = self.of_cell(cell).and_then(|mut lines| lines.next());
        if known.is_some_and(|last| last.line == Some(line)) {
            return;
        }
        let number = self.lines.len() as u32;
        if let Some(last) = self.last.get_mut(cell) {
            self.lines.push(PassingLine {
                line: Some(line),
                heading,
                before: *last,
            });
            *last = number;
        }
    }

    fn remove(&mut self, line: usize) {
        let gone = self.lines.iter_mut().filter(|one| one.line == Some(line));
        gone.for_each(|one| one.line = None);
    }
}

/// Something that lines keep away from.
#[derive(Clone, Copy)]
struct Obstacle {
    rect: Rect,
    cost: ObstacleCost,
    /// The line whose head it is.
    head_of: Option<usize>,
}

/// What an obstacle costs.
#[derive(Clone, Copy)]
struct ObstacleCost {
    /// To pass through a stretch of it.
    pass: f64,
    /// To end in it, or to put a mark there.
    end: f64,
}

/// What units cost.
const UNIT: ObstacleCost = ObstacleCost {
    pass: 1000.0,
    end: 800.0,
};
/// What names cost. Lines lie below them, and heads upon them.
const NAME: ObstacleCost = ObstacleCost {
    pass: 9.0,
    end: 260.0,
};
/// What the mark of a center costs.
const CENTER: ObstacleCost = ObstacleCost {
    pass: 12.0,
    end: 60.0,
};
/// What an arrow's head costs, or another mark.
const MARK: ObstacleCost = ObstacleCost {
    pass: 120.0,
    end: 240.0,
};
/// What it costs to run along another line.
const ALONG: f64 = 250.0;
/// What it costs a support to meet the move nearly in its direction.
const NEARLY_ALONG: f64 = 50.0;
/// What it costs to cross another line.
const ACROSS: f64 = 3.0;
/// How far a convoyed army's line looks out for what is in its way.
const DETOUR: f64 = 400.0;
/// What it costs to end before the name of a place, which is beside its unit.
const SHORT_OF_NAME: f64 = 15.0;
/// How far from a place its name ends at most, for that.
const NEAR_ITS_END: f64 = 110.0;
/// How far such a line keeps away from units.
const BERTH: f64 = 6.0;
/// How much less it costs it to pass through something.
const WAY: f64 = 2.0;
/// What it costs it to enter a cell that other lines touch.
const BESIDE_LINE: u32 = 30;
/// How often it is smoothed, and what it costs to look less smooth.
const SMOOTHINGS: [(usize, f64); 4] = [(12, 0.0), (6, 10.0), (3, 20.0), (1, 30.0)];
/// What it costs to leave the map.
const OFF_THE_MAP: f64 = 200.0;
/// The cost of a bend, for its whole height.
const BEND: f64 = 0.35;
/// A line that is bent more, in parts of its length, is a detour.
const LOOP: f64 = 0.4;
/// What a detour costs.
const A_LOOP: f64 = 50.0;
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
/// How far before that line it ends. Many supports of one move end in ranks, and those for which there is no way only point at it.
const APART: [f64; 13] = [
    5.0, 28.0, 51.0, 74.0, 97.0, 120.0, 170.0, 240.0, 330.0, 450.0, 620.0, 850.0, 1150.0,
];
/// From here on it only points at its move.
const FAR_APART: f64 = 120.0;
/// What each unit costs by which it ends farther from its move.
const FARTHER: f64 = 0.4;
/// Where a line aims at a place: at its middle, or beside it, in parts of its room.
const AIMS: [f64; 5] = [0.0, 0.7, -0.7, 1.6, -1.6];
/// What it costs to aim beside the middle.
const AIM: f64 = 8.0;
/// How much earlier a line ends where others crowd around its goal.
const EARLIER: [f64; 3] = [16.0, 28.0, 44.0];

impl<'m> Routes<'m> {
    pub(super) fn of(base_map: &'m BaseMap, places: &PieceLayout<'_>) -> Routes<'m> {
        let pieces = places.placed.iter().map(PlacedPiece::rect);
        let pieces = pieces.chain(places.marks()).map(|rect| Obstacle {
            rect: rect.grown(GAP),
            cost: UNIT,
            head_of: None,
        });
        let names = base_map.name_rects.iter();
        let names = names.map(|rect| Obstacle {
            rect: *rect,
            cost: NAME,
            head_of: None,
        });
        let centers = base_map.center_rects().map(|rect| Obstacle {
            rect,
            cost: CENTER,
            head_of: None,
        });
        Routes {
            base_map,
            obstacles: pieces.chain(names).chain(centers).collect(),
            lines: LinesByCell::of(base_map.grid.columns * base_map.grid.rows),
        }
    }

    /// The line from one place to another.
    pub(super) fn between(&self, from: Site, to: Site, head: Head) -> Course {
        let far = from.spot.distance(to.spot);
        let near = self.near(&[from.spot, to.spot], &[from, to]);
        let mut best = Best::default();
        let ended = |curve: Curve| {
            let (first, last) = (from.taken.grown(GAP), to.taken.grown(GAP));
            head.freed(curve.between(Some(first), Some(last)), to.taken)
        };
        for aim in AIMS {
            let aside = to.beside(from.spot.direction(to.spot), aim);
            for bend in bends(far) {
                let curve = ended(Curve::bent(from.spot, aside, bend));
                let loops = if bend.abs() > LOOP * far { A_LOOP } else { 0.0 };
                let taste = bend.abs() * BEND + aim.abs() * AIM + loops;
                // Rather than lead around a name to its unit, a line ends before the name.
                if let Some(short) = self.short_of_names(&curve, to, head) {
                    let taste = taste + SHORT_OF_NAME;
                    best.offer(self.course(short, taste, &near, head, best.limit()));
                }
                best.offer(self.course(curve, taste, &near, head, best.limit()));
            }
            // The line to the middle is the best if nothing is in its way.
            if best.is_clear() {
                break;
            }
        }
        if best.is_bad() {
            for curve in around(from.spot, to.spot) {
                let taste = A_LOOP + curve.taste;
                let curve = ended(curve.curve);
                best.offer(self.course(curve, taste, &near, head, best.limit()));
            }
        }
        if best.is_bad() && head == Head::Arrow {
            for (curve, taste) in self.ending_early(from, to) {
                best.offer(self.course(curve, taste, &near, head, best.limit()));
            }
        }
        best.0
            .unwrap_or_else(|| Course::anyhow(Curve::bent(from.spot, to.spot, 0.0)))
    }

    /// Lines that enter the province at which they aim and end before what crowds around its unit, and what they cost by that.
    fn ending_early(&self, from: Site, to: Site) -> Vec<(Curve, f64)> {
        let far = from.spot.distance(to.spot);
        let goal = self.province_at(to.spot);
        let mut early = Vec::new();
        for aim in AIMS {
            let aside = to.beside(from.spot.direction(to.spot), aim);
            for bend in bends(far) {
                let whole = Curve::bent(from.spot, aside, bend);
                let whole = whole.between(Some(from.taken.grown(GAP)), Some(to.taken.grown(GAP)));
                for by in EARLIER {
                    let curve = whole.clone().shortened(by);
                    let is_there = curve.end().map(|end| self.province_at(end));
                    if goal.is_some() && is_there == Some(goal) {
                        let loops = if bend.abs() > LOOP * far { A_LOOP } else { 0.0 };
                        let taste = bend.abs() * BEND + aim.abs() * AIM + loops + by;
                        early.push((curve, taste));
                    }
                }
            }
        }
        early
    }

    fn province_at(&self, spot: Spot) -> Option<Province> {
        let region = self.base_map.grid.region_at(spot)?;
        self.base_map.drawing.regions.get(region)?.province
    }

    /// The line from a place to some point of another line, or close to it where others end there already.
    pub(super) fn joining(&self, from: Site, line: &Curve, head: Head) -> Course {
        let near = self.near(&[line.spots(), &[from.spot]].concat(), &[from]);
        let mut best = Best::default();
        for apart in APART {
            for meeting in MEETINGS.into_iter().filter_map(|share| line.at(share)) {
                let far = from.spot.distance(meeting.spot);
                for bend in bends(far).filter(|bend| bend.abs() < 0.6 * far) {
                    let curve = Curve::bent(from.spot, meeting.spot, bend)
                        .between(Some(from.taken.grown(GAP)), None)
                        .shortened(apart);
                    let farther = (apart - FAR_APART).max(0.0) * FARTHER;
                    let mut taste = bend.abs() * BEND + apart.min(FAR_APART) + farther;
                    if let Some(heading) = curve.heading()
                        && heading.is_along(meeting.heading, 0.85)
                    {
                        taste += NEARLY_ALONG;
                    }
                    best.offer(self.course(curve, taste, &near, head, best.limit()));
                }
            }
            if best.is_clear() {
                break;
            }
        }
        if best.is_bad() {
            for meeting in MEETINGS.into_iter().filter_map(|share| line.at(share)) {
                for way in around(from.spot, meeting.spot) {
                    for apart in [APART[0], APART[2], APART[5]] {
                        let curve = way.curve.clone();
                        let curve = curve.between(Some(from.taken.grown(GAP)), None);
                        let taste = A_LOOP + way.taste + apart;
                        let curve = curve.shortened(apart);
                        best.offer(self.course(curve, taste, &near, head, best.limit()));
                    }
                }
            }
        }
        best.0.unwrap_or_else(|| Course::anyhow(line.clone()))
    }

    /// The line of a convoyed army over the waters of these provinces, if they have an unbroken way.
    pub(super) fn over_sea(
        &self,
        from: Site,
        to: Site,
        provinces: &BTreeSet<Province>,
    ) -> Option<Course> {
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
        let before = points.last().copied().unwrap_or(from.spot);
        let mut best = Best::default();
        for aim in AIMS {
            let mut points = points.clone();
            if aim.abs() > 1.0 {
                points.push(approach(before, to.spot, aim.signum()));
            }
            points.push(to.beside(before.direction(to.spot), aim));
            let near = self.near(&points, &[from, to]);
            // A smooth line is the best, if it does not cut a corner at which something stands.
            for (rounds, taste) in SMOOTHINGS {
                let curve = Curve::smoothed(points.clone(), rounds);
                let curve = curve.between(Some(from.taken.grown(GAP)), Some(to.taken.grown(GAP)));
                let taste = taste + aim.abs() * AIM;
                let short = self.short_of_names(&curve, to, Head::Arrow);
                best.offer(self.course(curve, taste, &near, Head::Arrow, best.limit()));
                if !best.is_bad() {
                    break;
                }
                best.offer(short.and_then(|curve| {
                    let taste = taste + SHORT_OF_NAME;
                    self.course(curve, taste, &near, Head::Arrow, best.limit())
                }));
            }
            if !best.is_bad() {
                break;
            }
        }
        best.0
    }

    /// The line up to the name upon which its head would lie, if that is the name of its end.
    fn short_of_names(&self, curve: &Curve, to: Site, head: Head) -> Option<Curve> {
        let taken = head.rect(curve)?;
        let mut names = self.base_map.name_rects.iter();
        let name = names.find(|name| name.overlaps(taken))?;
        let short = curve.clone().between(None, Some(name.grown(GAP)));
        let is_near = short.end()?.distance(to.spot) < NEAR_ITS_END;
        is_near.then_some(short)
    }

    /// The best of some lines from one place to another.
    pub(super) fn best_of(&self, curves: Vec<Curve>, from: Site, to: Site) -> Option<Course> {
        let spots: Vec<Spot> = curves
            .iter()
            .flat_map(|curve| curve.spots())
            .copied()
            .collect();
        let near = self.near(&spots, &[from, to]);
        let mut best = Best::default();
        for curve in curves {
            best.offer(self.course(curve, 0.0, &near, Head::Arrow, best.limit()));
        }
        best.0
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
        // A cell is reached from eight sides.
        let mut entering = vec![None; cost.len()];
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
            for step in STEPS {
                let (x, y) = (x + step.right, y + step.down);
                if x < 0 || y < 0 || x >= grid.columns as i32 || y >= grid.rows as i32 {
                    continue;
                }
                let next = y as usize * grid.columns + x as usize;
                let known = entering.get_mut(next)?;
                let asked = || self.entering(next, provinces, &near);
                let Some(entering) = *known.get_or_insert_with(asked) else {
                    continue;
                };
                let sum = so_far + step.length * entering;
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
    fn entering(
        &self,
        cell: usize,
        provinces: &BTreeSet<Province>,
        near: &[&Obstacle],
    ) -> Option<u32> {
        let grid = &self.base_map.grid;
        let region = self.base_map.drawing.regions.get(grid.region_in(cell)?)?;
        if !provinces.contains(&region.province?) {
            return None;
        }
        let middle = grid.middle(cell);
        let passes = near
            .iter()
            .filter(|obstacle| obstacle.rect.grown(BERTH).contains(middle));
        let passed: f64 = passes.map(|obstacle| obstacle.cost.pass).sum();
        let lines = self.lines.of_cell(cell).map_or(0, Iterator::count) as u32;
        let ground = match region.surface {
            Surface::Water => 1,
            Surface::Land => 4,
        };
        Some(ground + (passed / WAY) as u32 + lines * BESIDE_LINE)
    }

    /// What lines may meet that end at these points, however they are bent, but for what stands at their ends.
    fn near(&self, ends: &[Spot], sites: &[Site]) -> Vec<Obstacle> {
        let straight = Rect::around(ends);
        let far = 2.0 * straight.half_width.hypot(straight.half_height);
        // No arc is higher than its bend.
        let widest = bends(far).map(f64::abs).fold(0.0, f64::max);
        let reach = straight.grown(widest + HEAD_LENGTH);
        let near = self.obstacles.iter().filter(|obstacle| {
            let is_end = |site: &Site| obstacle.rect.middle == site.taken.middle;
            obstacle.rect.overlaps(reach) && !sites.iter().any(is_end)
        });
        near.copied().collect()
    }

    /// What a line costs by its form (`taste`) and by what it passes; `None` if that is more than a limit.
    fn course(
        &self,
        curve: Curve,
        taste: f64,
        near: &[Obstacle],
        head: Head,
        limit: f64,
    ) -> Option<Course> {
        let spots = curve.spots();
        let length = curve.length();
        let short = (SHORT - length).max(0.0) * 3.0;
        let plain = taste + short + length * 0.05;
        if plain > limit {
            return None;
        }
        let whole = Rect::around(spots).grown(HEAD_LENGTH);
        let near = near.iter();
        let near: Vec<&Obstacle> = near
            .filter(|obstacle| obstacle.rect.overlaps(whole))
            .collect();
        let mut harm = 0.0;
        // Costs are those of stretches of this length.
        let stretch = length / (spots.len().max(2) - 1) as f64 / 10.0;
        let mut before = spots.first().copied();
        if let Some(taken) = head.rect(&curve) {
            let below = near.iter().filter(|obstacle| obstacle.rect.overlaps(taken));
            harm += below.map(|obstacle| obstacle.cost.end).sum::<f64>();
        }
        let mut crossings = 0.0;
        for spot in spots {
            if plain + harm + crossings > limit {
                return None;
            }
            for obstacle in &near {
                if obstacle.rect.contains(*spot) {
                    harm += obstacle.cost.pass * stretch;
                }
            }
            let Some(lines) = self
                .base_map
                .grid
                .cell(*spot)
                .and_then(|cell| self.lines.of_cell(cell))
            else {
                harm += OFF_THE_MAP * stretch;
                continue;
            };
            if let Some(before) = before {
                let mut heading = None;
                for line in lines {
                    let heading = *heading.get_or_insert_with(|| before.direction(*spot));
                    if line.heading.is_along(heading, PARALLEL) {
                        harm += ALONG * stretch;
                    } else {
                        crossings += ACROSS * stretch;
                    }
                }
            }
            before = Some(*spot);
        }
        Some(Course {
            cost: plain + harm + crossings,
            harm: harm + short,
            curve,
        })
    }

    /// Keeps other lines away from this one, which has a number, and from its head.
    pub(super) fn add_line(&mut self, line: usize, curve: &Curve, head: Head) {
        let grid = &self.base_map.grid;
        for pair in curve.spots().windows(2) {
            let &[from, to] = pair else { continue };
            let heading = from.direction(to);
            let steps = (from.distance(to) / f64::from(CELL)).ceil().max(1.0) as u32;
            for step in 1..=steps {
                let here = from.toward(to, f64::from(step) / f64::from(steps));
                for (right, down) in AROUND {
                    let beside = Spot {
                        x: here.x + f64::from(CELL * right),
                        y: here.y + f64::from(CELL * down),
                    };
                    if let Some(cell) = grid.cell(beside) {
                        self.lines.add(cell, line, heading);
                    }
                }
            }
        }
        if let Some(rect) = head.rect(curve) {
            self.obstacles.push(Obstacle {
                rect,
                cost: MARK,
                head_of: Some(line),
            });
        }
    }

    /// Takes a line away, so that it can lead elsewhere.
    pub(super) fn remove_line(&mut self, line: usize) {
        self.lines.remove(line);
        self.obstacles.retain(|one| one.head_of != Some(line));
    }

    /// Keeps lines away from a mark.
    pub(super) fn add_mark(&mut self, at: Spot) {
        self.obstacles.push(Obstacle {
            rect: Rect::square(at, BADGE),
            cost: MARK,
            head_of: None,
        });
    }

    /// The point of a line for a mark: as near as possible to where it leaves its first province if that is wanted, else to its
    /// middle, and not on a unit or another mark, rather beside the line.
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
        let whole = Rect::around(spots).grown(BADGE * 4.0);
        let near = self.obstacles.iter();
        let near: Vec<&Obstacle> = near
            .filter(|obstacle| obstacle.rect.overlaps(whole))
            .collect();
        let step = curve.length() / spots.len().max(1) as f64;
        let mut best: Option<(f64, Spot)> = None;
        for (number, pair) in spots.windows(2).enumerate() {
            let &[here, next] = pair else { continue };
            for aside in ASIDE {
                let spot = here.offset(here.direction(next), 0.0, aside);
                let far = number.abs_diff(wanted) as f64 * step;
                let rect = Rect::square(spot, BADGE);
                let hidden = near.iter().map(|obstacle| {
                    let cost = if obstacle.head_of.is_some() {
                        HEAD_BELOW_MARK
                    } else {
                        obstacle.cost.end
                    };
                    cost * obstacle.rect.share_below(rect)
                });
                let cost = far + aside.abs() + hidden.sum::<f64>();
                let is_better = best.is_none_or(|(least, _)| cost < least);
                if is_better && self.base_map.grid.cell(spot).is_some() {
                    best = Some((cost, spot));
                }
            }
        }
        best.map(|(_, spot)| spot)
    }
}

/// What a line ends with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Head {
    /// The head of an arrow.
    Arrow,
    /// The small head of a support, or a dot.
    Small,
    /// The bar before a unit that is supported where it stands.
    Bar,
}

impl Head {
    /// The line with an end at which its head is not hidden by what stands there.
    fn freed(self, curve: Curve, taken: Rect) -> Curve {
        if self != Head::Bar {
            return curve;
        }
        let taken = taken.grown(GAP - 1.0);
        curve.ended_where(|curve| {
            let half = bar_half(curve);
            let (Some(tip), Some(heading)) = (curve.end(), curve.heading()) else {
                return true;
            };
            let mut corners = [-half, half]
                .map(|right| tip.offset(heading, 0.0, right))
                .into_iter();
            !corners.any(|corner| taken.contains(corner))
        })
    }

    /// What it takes up at the end of a line.
    fn rect(self, curve: &Curve) -> Option<Rect> {
        let (length, half) = match self {
            Head::Arrow => (HEAD_LENGTH, 12.0),
            Head::Small => (16.0, 9.0),
            Head::Bar => (8.0, bar_half(curve) + 1.0),
        };
        let middle = curve.end()?.offset(curve.heading()?, -length / 2.0, 0.0);
        Some(Rect::square(middle, half))
    }
}

/// Half the length of the bar at the end of a line: short lines have short ones.
pub(super) fn bar_half(curve: &Curve) -> f64 {
    (curve.length() * 0.4).clamp(7.0, 12.0)
}

/// The length of an arrow's head.
const HEAD_LENGTH: f64 = 24.0;
/// Half of what the mark of an order takes up.
const BADGE: f64 = 12.0;
/// How far beside its line a mark may be.
const ASIDE: [f64; 13] = [
    0.0, 12.0, -12.0, 20.0, -20.0, 30.0, -30.0, 44.0, -44.0, 58.0, -58.0, 72.0, -72.0,
];
/// What it costs to put such a mark upon a head, without which nobody sees where an order leads.
const HEAD_BELOW_MARK: f64 = 900.0;

/// The cells to which a line is close.
const AROUND: [(i32, i32); 13] = [
    (0, 0),
    (1, 0),
    (-1, 0),
    (0, 1),
    (0, -1),
    (1, 1),
    (1, -1),
    (-1, 1),
    (-1, -1),
    (2, 0),
    (-2, 0),
    (0, 2),
    (0, -2),
];

/// A line and what it costs.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Course {
    pub(super) curve: Curve,
    cost: f64,
    /// The part of the cost that a reader would complain of.
    harm: f64,
}

impl Course {
    /// A line where there is no other.
    fn anyhow(curve: Curve) -> Course {
        Course {
            curve,
            cost: f64::MAX,
            harm: f64::MAX,
        }
    }

    /// Whether it passes through something, or runs along another line.
    pub(super) fn is_bad(&self) -> bool {
        self.harm > BAD
    }

    /// Whether a reader would complain less of it.
    pub(super) fn is_better_than(&self, other: &Course) -> bool {
        self.harm < other.harm
    }
}

/// The best course so far.
#[derive(Default)]
struct Best(Option<Course>);

impl Best {
    fn offer(&mut self, course: Option<Course>) {
        if let Some(course) = course.filter(|course| course.cost < self.limit()) {
            self.0 = Some(course);
        }
    }

    /// What a better course costs at most.
    fn limit(&self) -> f64 {
        self.0.as_ref().map_or(f64::MAX, |best| best.cost)
    }

    /// Whether even the best passes through something.
    fn is_bad(&self) -> bool {
        self.0.as_ref().is_none_or(|best| best.harm > BAD)
    }

    fn is_clear(&self) -> bool {
        self.0.as_ref().is_some_and(|best| best.harm < CLEAR)
    }
}

/// The harm below which a line is good enough.
const CLEAR: f64 = 12.0;

/// The harm from which on a line looks for a way around what is on its way.
const BAD: f64 = 120.0;

/// A way around something.
struct WayAround {
    curve: Curve,
    taste: f64,
}

/// Where ways around something turn, in parts of the way.
const TURNS: [f64; 3] = [0.5, 0.3, 0.7];
/// How far they lead aside there.
const TURNS_ASIDE: [f64; 8] = [40.0, -40.0, 80.0, -80.0, 140.0, -140.0, 220.0, -220.0];

/// How far from a place a line turns to come to it from the side.
const APPROACH: f64 = 75.0;
/// What it costs to come from the side.
const FROM_THE_SIDE: f64 = 30.0;

/// The point at the side of a place, seen from another, over which a line comes to it.
fn approach(from: Spot, to: Spot, side: f64) -> Spot {
    to.offset(from.direction(to), -APPROACH / 3.0, side * APPROACH)
}

/// Lines that turn aside before the middle, in it or behind it, or come from the side.
fn around(from: Spot, to: Spot) -> impl Iterator<Item = WayAround> {
    let heading = from.direction(to);
    let from_the_side = [1.0, -1.0].into_iter().map(move |side| WayAround {
        curve: Curve::through(&[from, approach(from, to, side), to]),
        taste: FROM_THE_SIDE,
    });
    let from_the_side = from_the_side.filter(move |_| from.distance(to) > 2.0 * APPROACH);
    from_the_side.chain(TURNS.into_iter().flat_map(move |turn| {
        TURNS_ASIDE.into_iter().map(move |aside| {
            let by = from.toward(to, turn).offset(heading, 0.0, aside);
            WayAround {
                curve: Curve::through(&[from, by, to]),
                taste: aside.abs() * BEND,
            }
        })
    }))
}

fn bends(far: f64) -> impl Iterator<Item = f64> {
    let high = HIGH_BENDS.into_iter().filter(move |_| far < HIGH_BELOW);
    BENDS
        .into_iter()
        .map(move |bend| (bend * far).clamp(-260.0, 260.0))
        .chain(high)
}
