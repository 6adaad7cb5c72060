//! Finds places for units and names in regions.

use std::collections::BTreeMap;

use super::super::super::{Coast, ProvinceInfo};
use super::super::elements::{Area, Label, LetterSize, Place, Point, Region};

/// The width and height of the squares into which a region is divided.
const SQUARE: i32 = 4;
/// The distance of places that are tried.
const STEP: i32 = 8;
/// The distance of names that are tried.
const NAME_STEP: i32 = 12;
/// How many places of a name are tried.
const MANY_NAMES: usize = 48;
/// The distance between things.
const GAP: i32 = 4;

/// The places of units and names in a region; `None` if it has no room for them. `shores` are points on its coasts, if there are
/// several.
pub(super) fn place(
    info: &ProvinceInfo,
    region: &Region,
    shores: &BTreeMap<Coast, Point>,
) -> Option<Place> {
    let ground = Ground::of(region);
    let names = written(&info.name).into_iter();
    let full = [LetterSize::Large, LetterSize::Medium, LetterSize::Small]
        .into_iter()
        .flat_map(|size| names.clone().map(move |lines| (size, lines)));
    let code = [LetterSize::Medium, LetterSize::Small].map(|size| (size, vec![info.code.titled()]));
    let mut labels = full.chain(code);
    labels.find_map(|(size, lines)| {
        let room = match size {
            LetterSize::Large => 16,
            LetterSize::Medium => 8,
            LetterSize::Small => 0,
        };
        ground.with_name(info, size, &lines, shores, room)
    })
}

/// A name in one, two and three lines. Lines are cut between words and behind hyphens.
fn written(name: &str) -> Vec<Vec<String>> {
    let words: Vec<&str> = name.split_whitespace().collect();
    let lines = |cuts: &[usize]| -> Vec<String> {
        let ends = cuts.iter().copied().chain([words.len()]);
        let begins = [0].into_iter().chain(cuts.iter().copied());
        begins
            .zip(ends)
            .map(|(from, to)| words[from..to].join(" "))
            .collect()
    };
    let mut ways = vec![lines(&[])];
    ways.extend((1..words.len()).map(|cut| lines(&[cut])));
    for one in 1..words.len() {
        ways.extend((one + 1..words.len()).map(|other| lines(&[one, other])));
    }
    let longest = |lines: &Vec<String>| lines.iter().map(|line| line.chars().count()).max();
    ways.sort_by_key(|lines| longest(lines).unwrap_or(0) + 4 * lines.len());
    ways
}

/// The squares of a region.
struct Ground {
    corner: Point,
    columns: usize,
    /// How many squares to the left of and above each are inside.
    sums: Vec<i32>,
    middle: Point,
    /// All places that are tried.
    spots: Vec<Point>,
}

impl Ground {
    fn of(region: &Region) -> Self {
        let points = || region.outline.iter().flatten();
        let least = |part: fn(&Point) -> i32| points().map(part).min().unwrap_or(0);
        let most = |part: fn(&Point) -> i32| points().map(part).max().unwrap_or(0);
        let corner = Point {
            x: least(|point| point.x),
            y: least(|point| point.y),
        };
        let count = |far: i32| usize::try_from(far / SQUARE + 1).unwrap_or(0);
        let columns = count(most(|point| point.x) - corner.x) + 1;
        let rows = count(most(|point| point.y) - corner.y) + 1;
        let mut ground = Self {
            corner,
            columns,
            sums: vec![0; columns * rows],
            middle: corner,
            spots: Vec::new(),
        };
        let (mut x, mut y, mut inside) = (0, 0, 0);
        for row in 1..rows {
            let mut in_row = 0;
            for column in 1..columns {
                let at = corner.offset(
                    (column as i32 - 1) * SQUARE + SQUARE / 2,
                    (row as i32 - 1) * SQUARE + SQUARE / 2,
                );
                if region.contains(at) {
                    (x, y) = (x + i64::from(at.x), y + i64::from(at.y));
                    inside += 1;
                    in_row += 1;
                    if row % 2 == 0 && column % 2 == 0 {
                        ground.spots.push(at);
                    }
                }
                let above = ground.sums[(row - 1) * columns + column];
                ground.sums[row * columns + column] = above + in_row;
            }
        }
        let mean = |sum: i64| i32::try_from(sum / inside.max(1)).unwrap_or(0);
        ground.middle = Point {
            x: mean(x),
            y: mean(y),
        };
        ground
    }

    /// Whether all squares of an area are in the region.
    fn holds(&self, area: Area) -> bool {
        let rows = self.sums.len() / self.columns;
        let squares = |middle: i32, length: i32, corner: i32, count: usize| {
            let from = (middle - length / 2 - corner).div_euclid(SQUARE);
            let to = (middle + length / 2 - corner).div_euclid(SQUARE) + 1;
            let inside = from >= 0 && usize::try_from(to).is_ok_and(|to| to < count);
            inside.then_some((from as usize, to as usize))
        };
        let across = squares(area.middle.x, area.width, self.corner.x, self.columns);
        let down = squares(area.middle.y, area.height, self.corner.y, rows);
        let (Some((left, right)), Some((top, bottom))) = (across, down) else {
            return false;
        };
        let sum = |row: usize, column: usize| self.sums[row * self.columns + column];
        let inside = sum(bottom, right) - sum(top, right) - sum(bottom, left) + sum(top, left);
        inside as usize == (right - left) * (bottom - top)
    }

    /// A name in these lines, with places for all units and a gap of `room` around those that stand.
    fn with_name(
        &self,
        info: &ProvinceInfo,
        size: LetterSize,
        lines: &[String],
        shores: &BTreeMap<Coast, Point>,
        room: i32,
    ) -> Option<Place> {
        let label = |at: Point| Label {
            at,
            size,
            lines: lines.to_vec(),
        };
        let above = self.middle.offset(0, -24);
        let is_tried = |at: &&Point| {
            (at.x - self.corner.x) / STEP * STEP % NAME_STEP < STEP
                && self.holds(label(**at).area())
        };
        let mut names: Vec<Point> = self.spots.iter().filter(is_tried).copied().collect();
        names.sort_by_key(|at| squared(*at, above));
        names.into_iter().take(MANY_NAMES).find_map(|at| {
            let name = label(at);
            let mut taken = vec![grown(name.area(), GAP)];
            let unit = self.nearest(
                self.middle.offset(0, 16),
                |at| grown(Place::unit_area(at), room),
                &mut taken,
            )?;
            let center = match info.center {
                true => {
                    Some(self.nearest(unit, |at| grown(Place::center_area(at), 1), &mut taken)?)
                }
                false => None,
            };
            let dislodged = self.nearest(unit, |at| grown(Place::unit_area(at), 2), &mut taken)?;
            let mut coasts = BTreeMap::new();
            for coast in &info.coasts {
                let shore = shores.get(coast).copied().unwrap_or(unit);
                let at = self.nearest(shore, |at| grown(Place::unit_area(at), 2), &mut taken)?;
                coasts.insert(*coast, at);
            }
            Some(Place {
                unit,
                coasts,
                dislodged,
                center,
                name,
            })
        })
    }

    /// The place nearest to a point at which an area is in the region and free. It is taken then.
    fn nearest(
        &self,
        to: Point,
        area: impl Fn(Point) -> Area,
        taken: &mut Vec<Area>,
    ) -> Option<Point> {
        let is_free = |at: &&Point| {
            let area = area(**at);
            !taken.iter().any(|taken| taken.overlaps(area)) && self.holds(area)
        };
        let nearest = self
            .spots
            .iter()
            .filter(is_free)
            .min_by_key(|at| squared(**at, to));
        let at = *nearest?;
        taken.push(area(at));
        Some(at)
    }
}

fn grown(area: Area, by: i32) -> Area {
    Area {
        width: area.width + 2 * by,
        height: area.height + 2 * by,
        ..area
    }
}

fn squared(one: Point, other: Point) -> i32 {
    let (x, y) = (one.x - other.x, one.y - other.y);
    x * x + y * y
}
