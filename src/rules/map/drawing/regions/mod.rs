//! A drawing that is made of nothing but the borders of a map: a region for each province, such that regions touch just where
//! provinces are neighbors, and walls where provinces meet that are not.
//!
//! The borders of a map are a graph. As many as possible are embedded in a plane ([`planar`]); then it is known which provinces meet
//! at each point ([`mesh`]). The cells of the mesh are put into a disc ([`disc`]), turned until north is up ([`north`]), and given
//! outlines of fair size and shape ([`shapes`]). A border that is not embedded becomes a line across others ([`crossings`]).

mod borders;
mod crossings;
mod disc;
mod mesh;
mod north;
mod places;
mod planar;
mod shapes;

use std::collections::BTreeMap;

use super::super::{Coast, Map, Province, ProvinceInfo, Terrain, Travel};
use super::Drawing;
use super::elements::{Border, Place, Point, Side, Surface, Waterway};
use super::file::surface_of;
use mesh::Mesh;
use planar::{Divided, Edge};
use shapes::{Chance, Shapes, Wanted};

/// The area of a province in a picture, in square units.
const AREA: f64 = 48_000.0;
/// The areas of seas and walls, in areas of a province on land.
const SEA: f64 = 1.2;
const WALL: f64 = 0.05;
/// What a province has besides for each of several coasts, and for each letter by which the longest word of its name is longer.
const COAST: f64 = 0.25;
const NAME: f64 = 0.05;
const SHORT_NAME: usize = 7;
/// How much less the shape of a wall counts than that of a province.
const WALL_WEIGHT: f64 = 0.1;
/// How much wider than high regions are, so that they hold names.
const WIDER: f64 = 1.2;
/// By how much a picture grows if something has no room, and how often.
const GROWTH: f64 = 1.1;
const GROWTHS: usize = 8;

/// Of this many borders, at most one is a line across other regions.
const EMBEDDED: usize = 5;

/// A drawing of the provinces that have neighbors; `None` where there are too few, or where too many borders cannot be embedded.
pub(super) fn of(map: &Map) -> Option<Drawing> {
    let provinces = map.provinces().iter();
    let is_joined = |info: &&ProvinceInfo| !map.neighbors(info.code).is_empty();
    let provinces: Vec<&ProvinceInfo> = provinces.filter(is_joined).collect();
    let edges = edges(map, &provinces);
    let Divided { kept, left_out } = Divided::of(&edges);
    if left_out.len() * EMBEDDED > edges.len() {
        return None;
    }
    let mesh = Mesh::of(provinces.len(), planar::faces(&kept)?, |cells| {
        is_misleading(map, &provinces, cells)
    });
    if mesh.corners.is_empty() {
        return None;
    }
    let around = mesh.around();
    let spots = disc::placed(&mesh, &around, provinces.len());
    let spots = north::turned(map, &provinces, spots);
    let wanted: Vec<Wanted> = (0..mesh.cells)
        .map(|cell| wanted(provinces.get(cell).copied()))
        .collect();
    let whole: f64 = wanted.iter().map(|wanted| wanted.area).sum();
    let side = whole.sqrt();
    let mut shapes = Shapes::of(&mesh, &around, &spots, (side, side));
    if !shapes.are_apart() {
        return None;
    }
    shapes.settle(&wanted, &mut Chance(1));
    let stretch = WIDER.sqrt();
    let (mut across, mut down) = (stretch, 1.0 / stretch);
    for attempt in 0..=GROWTHS {
        let (regions, borders) = borders::drawn(map, &provinces, &shapes, (across, down));
        let mut drawing = Drawing {
            width: (side * across).round() as i32,
            height: (side * down).round() as i32,
            regions,
            borders,
            ..Drawing::default()
        };
        drawing.places = places(&provinces, &drawing);
        if drawing.places.len() == provinces.len() || attempt == GROWTHS {
            drawing.waterways = waterways(map, &drawing);
            drawing.straits = crossings::drawn(&provinces, &left_out, &drawing);
            return Some(drawing);
        }
        (across, down) = (across * GROWTH, down * GROWTH);
    }
    None
}

/// The borders of a map between provinces with these numbers. Those that are over water where a map has them come last.
fn edges(map: &Map, provinces: &[&ProvinceInfo]) -> Vec<Edge> {
    let numbers: BTreeMap<Province, usize> =
        provinces.iter().map(|info| info.code).zip(0..).collect();
    let is_land = |code: Province| {
        map.info(code)
            .is_some_and(|info| info.terrain != Terrain::Sea)
    };
    let mut edges = Vec::new();
    for here in provinces.iter().map(|info| info.code) {
        for &there in map.neighbors(here).iter().filter(|there| here < **there) {
            let near = map.neighbors(there);
            let mut common = map
                .neighbors(here)
                .iter()
                .filter(|code| near.contains(code));
            let is_strait = is_land(here) && is_land(there) && !common.any(|code| is_land(*code));
            edges.push((is_strait, [numbers[&here], numbers[&there]]));
        }
    }
    edges.sort();
    edges.into_iter().map(|(_, edge)| edge).collect()
}

/// Whether a border between land and land would end at a sea along which no fleet goes from one to the other.
fn is_misleading(map: &Map, provinces: &[&ProvinceInfo], cells: &[usize]) -> bool {
    let infos: Vec<&ProvinceInfo> = cells
        .iter()
        .filter_map(|cell| provinces.get(*cell).copied())
        .collect();
    let (seas, land): (Vec<&ProvinceInfo>, Vec<&ProvinceInfo>) = infos
        .into_iter()
        .partition(|info| info.terrain == Terrain::Sea);
    match (seas.as_slice(), land.as_slice()) {
        ([sea], [one, other]) => !borders::is_coastal(map, [one.code, other.code], sea.code),
        _ => false,
    }
}

/// Water along the borders between land and land that only fleets cross.
fn waterways(map: &Map, drawing: &Drawing) -> Vec<Waterway> {
    let waterways = drawing.borders.iter().filter_map(|border| {
        let province = |side: Option<Side>| drawing.regions.get(side?.region)?.province;
        let [one, other] = [province(border.sides[0])?, province(border.sides[1])?];
        let is_land = |code: Province| surface_of(map, code) == Surface::Land;
        let is_crossed = map.reach(Travel::Land, one.into()).contains(&other.into());
        (is_land(one) && is_land(other) && !is_crossed).then(|| Waterway {
            within: one,
            line: border.line.clone(),
        })
    });
    waterways.collect()
}

fn wanted(info: Option<&ProvinceInfo>) -> Wanted {
    let Some(info) = info else {
        return Wanted {
            area: AREA * WALL,
            weight: WALL_WEIGHT,
        };
    };
    let share = if info.terrain == Terrain::Sea {
        SEA
    } else {
        1.0
    };
    let words = info.name.split_whitespace();
    let letters = words.map(|word| word.chars().count()).max().unwrap_or(0);
    let name = NAME * letters.saturating_sub(SHORT_NAME) as f64;
    Wanted {
        area: AREA * (share + COAST * info.coasts.len() as f64 + name),
        weight: 1.0,
    }
}

fn places(provinces: &[&ProvinceInfo], drawing: &Drawing) -> BTreeMap<Province, Place> {
    let regions = provinces.iter().zip(&drawing.regions).enumerate();
    let places = regions.filter_map(|(number, (info, region))| {
        let shores = info
            .coasts
            .iter()
            .filter_map(|coast| Some((*coast, shore(drawing, number, *coast)?)));
        Some((info.code, places::place(info, region, &shores.collect())?))
    });
    places.collect()
}

/// The middle of a coast.
fn shore(drawing: &Drawing, region: usize, coast: Coast) -> Option<Point> {
    let is_on = |border: &&Border| {
        let mut sides = border.sides.iter().flatten();
        sides.any(|side| side.region == region && side.coast == Some(coast))
    };
    let points: Vec<&Point> = drawing
        .borders
        .iter()
        .filter(is_on)
        .flat_map(|border| &border.line)
        .collect();
    let count = i32::try_from(points.len())
        .ok()
        .filter(|count| *count > 0)?;
    Some(Point {
        x: points.iter().map(|point| point.x).sum::<i32>() / count,
        y: points.iter().map(|point| point.y).sum::<i32>() / count,
    })
}

#[cfg(test)]
mod tests;
