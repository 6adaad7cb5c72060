//! Makes regions and borders of the outlines of cells.

use super::super::super::{Coast, Location, Map, Province, ProvinceInfo, Terrain, Travel};
use super::super::elements::{Border, Point, Region, Side, Surface};
use super::super::file::surface_of;
use super::super::outline::joined;
use super::super::spot::{Spot, cross};
use super::shapes::{Line, Shapes};

/// How often the bends of a border are rounded.
const ROUNDINGS: usize = 3;

/// The regions of cells, those of provinces first, and the borders between them.
pub(super) fn drawn(
    map: &Map,
    provinces: &[&ProvinceInfo],
    shapes: &Shapes,
    scale: (f64, f64),
) -> (Vec<Region>, Vec<Border>) {
    let coasts = Coasts {
        map,
        provinces,
        middles: (0..shapes.rings.len())
            .map(|cell| Spot::mean(&shapes.outline(cell)))
            .collect(),
    };
    let mut borders = Vec::new();
    for (cells, line) in rounded(shapes.lines()) {
        let on_coasts = coasts.along(cells, &line);
        let count = on_coasts.len();
        for (part, coasts) in on_coasts.into_iter().enumerate() {
            let cut = |part: usize| (line.len() - 1) * part / count;
            let points = line[cut(part)..=cut(part + 1)].iter();
            let side = |number: usize| {
                Some(Side {
                    region: cells[number]?,
                    coast: coasts[number],
                })
            };
            let mut line: Vec<Point> = points.map(|spot| on_paper(*spot, scale)).collect();
            line.dedup();
            borders.push(Border {
                sides: [side(0), side(1)],
                line,
            });
        }
    }
    let regions = (0..shapes.rings.len()).map(|cell| {
        let own = borders.iter().filter(|border| {
            border
                .sides
                .iter()
                .flatten()
                .any(|side| side.region == cell)
        });
        let lines = own.map(|border| border.line.as_slice()).collect();
        let province = provinces.get(cell).map(|info| info.code);
        Region {
            name: province.map_or(format!("wall-{cell}"), |code| code.as_str().to_owned()),
            surface: province.map_or(Surface::Land, |code| surface_of(map, code)),
            province,
            outline: joined(lines).unwrap_or_default(),
        }
    });
    (regions.collect(), borders)
}

fn on_paper(spot: Spot, (across, down): (f64, f64)) -> Point {
    Point {
        x: (spot.x * across).round() as i32,
        y: (spot.y * down).round() as i32,
    }
}

/// Rounds the bends of lines where they do not come into the way of another one.
fn rounded(mut lines: Vec<Line>) -> Vec<Line> {
    for number in 0..lines.len() {
        let (cells, line) = &lines[number];
        if cells.contains(&None) {
            continue;
        }
        let round = (0..ROUNDINGS).fold(line.clone(), |line, _| with_round_bends(&line));
        let is_near = |other: &Line| {
            other
                .0
                .iter()
                .flatten()
                .any(|cell| cells.contains(&Some(*cell)))
        };
        let others = lines.iter().enumerate();
        let is_free = others
            .filter(|(other, line)| *other != number && is_near(line))
            .all(|(_, (_, other))| are_apart(&round, other));
        if is_free {
            lines[number].1 = round;
        }
    }
    lines
}

/// Cuts the corners of a line off; its ends stay where they are.
fn with_round_bends(line: &[Spot]) -> Vec<Spot> {
    let part = |from: Spot, to: Spot, share: f64| Spot {
        x: from.x + (to.x - from.x) * share,
        y: from.y + (to.y - from.y) * share,
    };
    let inner = line
        .windows(2)
        .flat_map(|ends| [0.25, 0.75].map(|share| part(ends[0], ends[1], share)));
    let mut round: Vec<Spot> = inner.collect();
    if let (Some(first), Some(last)) = (line.first(), line.last()) {
        let count = round.len();
        round[0] = *first;
        round[count - 1] = *last;
    }
    round
}

/// Whether two lines have nothing but ends in common.
fn are_apart(one: &[Spot], other: &[Spot]) -> bool {
    let pieces = |line: &'_ [Spot]| -> Vec<[Spot; 2]> {
        line.windows(2).map(|ends| [ends[0], ends[1]]).collect()
    };
    let others = pieces(other);
    pieces(one).iter().all(|piece| {
        others.iter().all(|other| {
            let have_end = piece.iter().any(|end| other.contains(end));
            have_end || !cross(*piece, *other)
        })
    })
}

/// Tells on which coasts of provinces borders lie.
struct Coasts<'a> {
    map: &'a Map,
    provinces: &'a [&'a ProvinceInfo],
    /// The middles of cells.
    middles: Vec<Spot>,
}

impl Coasts<'_> {
    /// The coasts of two cells on which parts of the line between them lie: one part, or one for each coast that a sea touches.
    fn along(&self, cells: [Option<usize>; 2], line: &[Spot]) -> Vec<[Option<Coast>; 2]> {
        let ([Some(one), Some(other)], Some(start)) = (cells, line.first()) else {
            return vec![[None; 2]];
        };
        let first = self
            .touched(one, other, *start)
            .into_iter()
            .map(|coast| [Some(coast), None]);
        let second = self
            .touched(other, one, *start)
            .into_iter()
            .map(|coast| [None, Some(coast)]);
        let parts: Vec<[Option<Coast>; 2]> = first.chain(second).collect();
        if parts.is_empty() {
            vec![[None; 2]]
        } else {
            parts
        }
    }

    /// The coasts of a province that a sea touches, in the order in which they lie along a line from this spot.
    fn touched(&self, here: usize, sea: usize, start: Spot) -> Vec<Coast> {
        let (Some(here), Some(sea)) = (self.provinces.get(here), self.provinces.get(sea)) else {
            return Vec::new();
        };
        if sea.terrain != Terrain::Sea {
            return Vec::new();
        }
        let reached = |coast: Coast| {
            let reach = self.map.reach(Travel::Sea, Location::on(here.code, coast));
            reach.iter().map(|to| to.province).collect::<Vec<_>>()
        };
        let mut touched: Vec<Coast> = here.coasts.clone();
        touched.retain(|coast| reached(*coast).contains(&sea.code));
        let from_start = |coast: Coast| {
            let others = touched.iter().filter(|other| **other != coast);
            let elsewhere: Vec<Province> = others.flat_map(|other| reached(*other)).collect();
            let near = reached(coast)
                .into_iter()
                .filter(|to| !elsewhere.contains(to));
            let spots = near.filter_map(|to| {
                let cell = self.provinces.iter().position(|info| info.code == to)?;
                self.middles.get(cell)
            });
            spots
                .map(|spot| spot.distance(start))
                .fold(f64::INFINITY, f64::min)
        };
        let mut sorted: Vec<(f64, Coast)> = touched
            .iter()
            .map(|coast| (from_start(*coast), *coast))
            .collect();
        sorted.sort_by(|(one, _), (other, _)| one.total_cmp(other));
        sorted.into_iter().map(|(_, coast)| coast).collect()
    }
}

/// Whether fleets go between two places of land along a sea.
pub(super) fn is_coastal(map: &Map, [one, other]: [Province; 2], sea: Province) -> bool {
    let reaches = |from: Location, to: Location| map.reach(Travel::Sea, from).contains(&to);
    let at_sea = |province: Province| {
        let stations = map.stations(Travel::Sea, province);
        stations
            .into_iter()
            .filter(move |at| reaches(sea.into(), *at))
    };
    at_sea(one).any(|from| at_sea(other).any(|to| reaches(from, to)))
}
