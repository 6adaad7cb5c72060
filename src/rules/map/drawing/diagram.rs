//! A ring of discs, for maps whose borders are no regions, and panels for provinces that a drawing lacks.

use std::collections::BTreeMap;
use std::f64::consts::PI;

use super::super::{Map, Province, ProvinceInfo};
use super::Drawing;
use super::elements::{Label, LetterSize, Place, Point, Region};
use super::file::surface_of;
use super::spot::{Spot, sine};

/// The radius of a disc.
const RADIUS: i32 = 60;
/// The radius of the disc of a province with several coasts.
const COASTS_RADIUS: i32 = 80;
/// The distance between the centers of two discs that are side by side.
const APART: f64 = 246.4;
/// The margin of the picture and of panels.
const MARGIN: i32 = 24;
/// The number of panels in a row.
const IN_A_ROW: usize = 4;
/// The height of a panel.
const PANEL_HEIGHT: i32 = 150;

/// The corners of a quarter of a disc, relative to its center and in thousandths of the radius.
const QUARTER: [(i32, i32); 12] = [
    (1000, 0),
    (991, 131),
    (966, 259),
    (924, 383),
    (866, 500),
    (793, 609),
    (707, 707),
    (609, 793),
    (500, 866),
    (383, 924),
    (259, 966),
    (131, 991),
];

/// The places of fleets on the first to fourth coast, relative to the center of a disc.
const COASTS: [(i32, i32); 4] = [(-24, 42), (24, 42), (-58, -36), (60, -36)];

/// A diagram of the map: a disc for each province that has neighbors, joined with them by lines. The discs are in a ring, so that no
/// line is below a third one.
pub(super) fn of(map: &Map) -> Drawing {
    let connected: Vec<&ProvinceInfo> = map
        .provinces()
        .iter()
        .filter(|info| !map.neighbors(info.code).is_empty())
        .collect();
    let codes: Vec<Province> = connected.iter().map(|info| info.code).collect();
    let points = on_paper(&ring(codes.len()));
    let middles: BTreeMap<Province, Point> = codes.iter().copied().zip(points).collect();
    let most = |coordinate: fn(&Point) -> i32| {
        let far = middles.values().map(coordinate).max();
        far.unwrap_or(0) + COASTS_RADIUS + MARGIN
    };
    let mut drawing = Drawing {
        width: most(|point| point.x),
        height: most(|point| point.y),
        ..Drawing::default()
    };
    for info in connected {
        let Some(&middle) = middles.get(&info.code) else {
            continue;
        };
        let later = map
            .neighbors(info.code)
            .iter()
            .filter(|to| **to > info.code);
        let ends = later.filter_map(|to| middles.get(to));
        drawing.links.extend(ends.map(|end| [middle, *end]));
        drawing
            .regions
            .push(region(map, info, disc(middle, radius(info))));
        drawing.places.insert(info.code, in_disc(info, middle));
    }
    drawing
}

/// Adds a panel below the picture for each province of the map that has no place in it. The panel of a shared province is as
/// wide as the picture if it is the only one in its row.
pub(super) fn add_panels(drawing: &mut Drawing, map: &Map) {
    let lacking: Vec<&ProvinceInfo> = map
        .provinces()
        .iter()
        .filter(|info| !drawing.places.contains_key(&info.code))
        .collect();
    drawing.width = drawing.width.max(if lacking.is_empty() { 0 } else { 1000 });
    for row in lacking.chunks(IN_A_ROW) {
        // At most IN_A_ROW.
        let columns = row.len().max(2) as i32;
        let width = (drawing.width - MARGIN) / columns - MARGIN;
        let mut left = MARGIN;
        let top = drawing.height + MARGIN;
        for info in row {
            let wide = if info.shared && row.len() == 1 {
                drawing.width - 2 * MARGIN
            } else {
                width
            };
            drawing
                .regions
                .push(region(map, info, panel(Point { x: left, y: top }, wide)));
            let middle = Point {
                x: left + wide / 2,
                y: top + PANEL_HEIGHT / 2,
            };
            drawing.places.insert(info.code, in_disc(info, middle));
            left += wide + MARGIN;
        }
        drawing.height = top + PANEL_HEIGHT + MARGIN;
    }
}

fn region(map: &Map, info: &ProvinceInfo, ring: Vec<Point>) -> Region {
    Region {
        name: info.code.as_str().to_owned(),
        surface: surface_of(map, info.code),
        province: Some(info.code),
        outline: vec![ring],
    }
}

/// Spots in a ring, from the top clockwise.
fn ring(count: usize) -> Vec<Spot> {
    let part = 2.0 * PI / f64::from(u32::try_from(count).unwrap_or(u32::MAX));
    let radius = APART / 2.0 / sine(part / 2.0).max(0.01);
    let spots = (0u32..).take(count).map(|number| {
        // From half a turn back to half a turn on.
        let angle = part * f64::from(number) - PI;
        Spot {
            x: -radius * sine(angle),
            y: radius * sine(PI / 2.0 - angle.abs()),
        }
    });
    spots.collect()
}

/// Converts spots to points of the picture.
fn on_paper(spots: &[Spot]) -> Vec<Point> {
    let left = spots.iter().map(|spot| spot.x).fold(f64::MAX, f64::min);
    let top = spots.iter().map(|spot| spot.y).fold(f64::MAX, f64::min);
    let whole = |far: f64| far.round() as i32 + COASTS_RADIUS + MARGIN;
    spots
        .iter()
        .map(|spot| Point {
            x: whole(spot.x - left),
            y: whole(spot.y - top),
        })
        .collect()
}

fn radius(info: &ProvinceInfo) -> i32 {
    if info.coasts.is_empty() {
        RADIUS
    } else {
        COASTS_RADIUS
    }
}

fn disc(middle: Point, radius: i32) -> Vec<Point> {
    let mut ring = Vec::with_capacity(4 * QUARTER.len());
    for quarter in 0..4 {
        for &corner in &QUARTER {
            let (x, y) = (0..quarter).fold(corner, |(x, y), _| (-y, x));
            ring.push(middle.offset(x * radius / 1000, y * radius / 1000));
        }
    }
    ring
}

fn panel(corner: Point, width: i32) -> Vec<Point> {
    [(0, 0), (width, 0), (width, PANEL_HEIGHT), (0, PANEL_HEIGHT)]
        .iter()
        .map(|(right, down)| corner.offset(*right, *down))
        .collect()
}

/// The places in a disc: the code at the top, below it the unit and a dislodged unit side by side, and fleets on coasts at the
/// bottom.
fn in_disc(info: &ProvinceInfo, middle: Point) -> Place {
    let at = COASTS.iter().map(|(x, y)| middle.offset(*x, *y));
    let name_right = if info.center { -10 } else { 0 };
    Place {
        unit: middle.offset(-24, 4),
        coasts: info.coasts.iter().copied().zip(at).collect(),
        dislodged: middle.offset(24, 4),
        center: info.center.then(|| middle.offset(26, -30)),
        name: Label {
            at: middle.offset(name_right, -30),
            size: LetterSize::Small,
            lines: vec![info.code.titled()],
        },
    }
}
