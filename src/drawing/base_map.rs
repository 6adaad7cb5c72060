//! The base map: the part of a picture that is the same for all boards of a map, with regions, borders and names. It is made once
//! for each map and cached.

use std::sync::{Arc, Mutex, PoisonError};

use super::colors::{BORDER, CLOSED, COAST, HALO, INK, LAND, Rgb, SEA_BORDER, SEA_NAME, WATER};
use super::rect::Rect;
use super::region_grid::RegionGrid;
use super::rooms::Rooms;
use super::spot::Spot;
use super::xml::{Anchor, Ends, Face, Style, add, outline, text, width_of};
use dipjudge_rules::map::drawing::{Border, Drawing, Label, Place, Point, Region, Side, Surface};
use dipjudge_rules::map::{Map, Province, Terrain};
use dipjudge_view::Board;
use dipjudge_view::markup::escaped;

/// The number of base maps in the cache.
const MAX_CACHED: usize = 12;

/// The part of a picture that is the same for all boards on a map.
pub(super) struct BaseMap {
    /// The map, compared by its address.
    map: &'static Map,
    overlay: &'static str,
    pub(super) drawing: Drawing,
    /// Regions in the colors of nobody.
    pub(super) below: String,
    /// Borders, above what is painted.
    pub(super) lines: String,
    /// Names, which are drawn above orders.
    pub(super) names: String,
    /// The outline of each region, as a path.
    pub(super) outlines: Vec<String>,
    /// What each region takes up, with its edge.
    region_rects: Vec<Rect>,
    /// What each border takes up.
    border_rects: Vec<Rect>,
    pub(super) grid: RegionGrid,
    /// What each name takes up.
    pub(super) name_rects: Vec<Rect>,
    pub(super) rooms: Rooms,
}

/// The base maps that were used last, the latest one last.
static BASE_MAPS: Mutex<Vec<Arc<BaseMap>>> = Mutex::new(Vec::new());

/// A base map is made of its map and what lies over it alone.
impl PartialEq for BaseMap {
    fn eq(&self, other: &BaseMap) -> bool {
        std::ptr::eq(self.map, other.map) && self.overlay == other.overlay
    }
}

impl BaseMap {
    /// The base map of a board.
    pub(super) fn of(board: &Board) -> Arc<BaseMap> {
        let is_it = |base_map: &Arc<BaseMap>| {
            std::ptr::eq(base_map.map, board.map) && base_map.overlay == board.drawing
        };
        let mut base_maps = BASE_MAPS.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = base_maps.iter().position(is_it);
        let base_map = match kept {
            Some(place) => base_maps.remove(place),
            None => Arc::new(BaseMap::new(board.map, board.drawing)),
        };
        base_maps.push(base_map.clone());
        if base_maps.len() > MAX_CACHED {
            base_maps.remove(0);
        }
        base_map
    }

    fn new(map: &'static Map, overlay: &'static str) -> BaseMap {
        let mut drawing = Drawing::of(map, overlay);
        // Where a variant has no centers, a mark of one would have no meaning.
        for (province, place) in &mut drawing.places {
            if !map.info(*province).is_some_and(|info| info.center) {
                place.center = None;
            }
        }
        let regions = drawing.regions.iter();
        let outlines: Vec<String> = regions
            .map(|region| outline(region.outline.iter().map(Vec::as_slice), Ends::Joined))
            .collect();
        let region_rects = drawing.regions.iter().map(|region| {
            let points = region.outline.iter().flatten();
            edged(points)
        });
        let region_rects = region_rects.collect();
        let borders = drawing.borders.iter();
        let border_rects = borders.map(|border| edged(&border.line)).collect();
        let grid = RegionGrid::of(&drawing);
        let name_rects: Vec<Rect> = drawing
            .places
            .values()
            .map(|place| name_rect(&place.name))
            .collect();
        let rooms = Rooms::of(&drawing, &grid, &name_rects);
        BaseMap {
            map,
            overlay,
            grid,
            name_rects,
            rooms,
            below: below(&drawing, &outlines, |_| true),
            lines: lines(&drawing, &outlines, |_| true),
            names: names(map, &drawing, |_| true),
            drawing,
            outlines,
            region_rects,
            border_rects,
        }
    }
}

impl BaseMap {
    /// What the mark of a province's center takes up.
    pub(super) fn center_rect(&self, province: Province) -> Option<Rect> {
        let center = self.drawing.places.get(&province)?.center?;
        Some(Rect::from(Place::center_area(center)))
    }

    /// What the marks of all centers take up.
    pub(super) fn center_rects(&self) -> impl Iterator<Item = Rect> {
        let provinces = self.drawing.places.keys();
        provinces.filter_map(|province| self.center_rect(*province))
    }

    /// Whether the region with this number reaches into a part of the drawing.
    pub(super) fn region_reaches(&self, number: usize, part: Rect) -> bool {
        let rect = self.region_rects.get(number);
        rect.is_some_and(|rect| rect.overlaps(part))
    }

    /// The regions that reach into a part of the drawing, in the colors of nobody.
    pub(super) fn below_within(&self, part: Rect) -> String {
        below(&self.drawing, &self.outlines, |number| {
            self.region_reaches(number, part)
        })
    }

    /// The borders that reach into a part of the drawing.
    pub(super) fn lines_within(&self, part: Rect) -> String {
        lines(&self.drawing, &self.outlines, |number| {
            let rect = self.border_rects.get(number);
            rect.is_some_and(|rect| rect.overlaps(part))
        })
    }

    /// The names that lie within a part of the drawing.
    pub(super) fn names_within(&self, part: Rect) -> String {
        names(self.map, &self.drawing, |label| {
            part.holds(name_rect(label))
        })
    }
}

/// More than half the width of any line of a map.
const EDGE: f64 = 8.0;

/// What a line takes up.
fn edged<'p>(line: impl IntoIterator<Item = &'p Point>) -> Rect {
    let spots: Vec<Spot> = line.into_iter().map(|point| Spot::from(*point)).collect();
    Rect::around(&spots).grown(EDGE)
}

fn below(drawing: &Drawing, outlines: &[String], is_shown: impl Fn(usize) -> bool) -> String {
    let mut svg = String::new();
    if !drawing.links.is_empty() {
        let links = drawing.links.iter().map(|ends| ends.as_slice());
        add!(
            &mut svg,
            "<path d=\"{}\" fill=\"none\" stroke=\"{BORDER}\" stroke-width=\"3\"/>\n",
            outline(links, Ends::Open)
        );
    }
    let regions = drawing.regions.iter().zip(outlines).enumerate();
    for (_, (region, outline)) in regions.filter(|(number, _)| is_shown(*number)) {
        let color = match (region.surface, region.province) {
            (Surface::Water, _) => WATER,
            (Surface::Land, Some(_)) => LAND,
            (Surface::Land, None) => CLOSED,
        };
        add!(
            &mut svg,
            "<path id=\"{}\" d=\"{outline}\" fill=\"{color}\"/>\n",
            escaped(&region.name)
        );
    }
    svg
}

fn lines(drawing: &Drawing, outlines: &[String], is_shown: impl Fn(usize) -> bool) -> String {
    let mut svg = String::new();
    svg.push_str("<g fill=\"none\" stroke-linejoin=\"round\" stroke-linecap=\"round\">\n");
    for (border, color, width) in [
        (Line::Sea, SEA_BORDER, "2"),
        (Line::Land, BORDER, "2.5"),
        (Line::Coast, COAST, "2.5"),
    ] {
        let lines = drawing
            .borders
            .iter()
            .enumerate()
            .filter(|(number, one)| line(drawing, one) == Some(border) && is_shown(*number));
        let path = outline(lines.map(|(_, one)| one.line.as_slice()), Ends::Open);
        if !path.is_empty() {
            add!(
                &mut svg,
                "<path d=\"{path}\" stroke=\"{color}\" stroke-width=\"{width}\"/>\n"
            );
        }
    }
    for way in &drawing.waterways {
        let path = outline([way.line.as_slice()], Ends::Open);
        add!(
            &mut svg,
            "<path d=\"{path}\" stroke=\"{COAST}\" stroke-width=\"7\"/>\n"
        );
        add!(
            &mut svg,
            "<path d=\"{path}\" stroke=\"{WATER}\" stroke-width=\"4\"/>\n"
        );
    }
    for strait in &drawing.straits {
        let path = outline([strait.line.as_slice()], Ends::Open);
        add!(
            &mut svg,
            "<path d=\"{path}\" stroke=\"{INK}\" stroke-width=\"4\" stroke-dasharray=\"0.1 7\"/>\n"
        );
    }
    // The edges of regions without borders: discs of a diagram and panels.
    for (number, (region, path)) in drawing.regions.iter().zip(outlines).enumerate() {
        let touches = |side: &Side| side.region == number;
        let mut borders = drawing.borders.iter();
        if borders.all(|border| !border.sides.iter().flatten().any(touches)) {
            let color = edge(region);
            add!(
                &mut svg,
                "<path d=\"{path}\" stroke=\"{color}\" stroke-width=\"3\"/>\n"
            );
        }
    }
    svg.push_str("</g>\n");
    svg
}

/// Names with a light edge, so that they can be read on any color.
fn names(map: &Map, drawing: &Drawing, is_written: impl Fn(&Label) -> bool) -> String {
    let mut svg = String::new();
    add!(
        &mut svg,
        "<g stroke=\"{HALO}\" stroke-width=\"5\" stroke-opacity=\"0.6\" stroke-linejoin=\"round\" paint-order=\"stroke\">\n"
    );
    let places = drawing.places.iter();
    for (province, place) in places.filter(|(_, place)| is_written(&place.name)) {
        let lettering = match map.info(*province) {
            Some(info) if info.terrain == Terrain::Sea => SEA_LETTERING,
            _ => LAND_LETTERING,
        };
        name(&mut svg, &place.name, lettering);
    }
    svg.push_str("</g>\n");
    svg
}

fn edge(region: &Region) -> Rgb {
    match region.surface {
        Surface::Land => BORDER,
        Surface::Water => COAST,
    }
}

/// What a border is drawn as.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Line {
    Land,
    Sea,
    Coast,
}

/// The kind of a border; `None` at the edge of the picture.
fn line(drawing: &Drawing, border: &Border) -> Option<Line> {
    let [one, other] = border.sides;
    let surface = |side: Option<Side>| {
        drawing
            .regions
            .get(side?.region)
            .map(|region| region.surface)
    };
    Some(match (surface(one)?, surface(other)?) {
        (Surface::Land, Surface::Land) => Line::Land,
        (Surface::Water, Surface::Water) => Line::Sea,
        _ => Line::Coast,
    })
}

/// The font size in heights of the letters, chosen so that names keep to their areas.
const LETTERS: f64 = 0.92;

/// How a name is written.
#[derive(Clone, Copy)]
struct Lettering {
    color: Rgb,
    face: Face,
}

const SEA_LETTERING: Lettering = Lettering {
    color: SEA_NAME,
    face: Face::Slanted,
};
const LAND_LETTERING: Lettering = Lettering {
    color: INK,
    face: Face::Plain,
};

/// The width of a name's longest line, in font sizes.
fn widest(label: &Label) -> f64 {
    let lines = label.lines.iter().map(|line| width_of(line));
    lines.fold(0.1, f64::max)
}

/// The font size of a name.
pub(super) fn name_size(label: &Label) -> f64 {
    let room = f64::from(label.area().width) - 2.0;
    let height = f64::from(label.size.height());
    (height * LETTERS).min(room / widest(label))
}

/// What a name takes up, which is less than the area that the drawing keeps for it.
fn name_rect(label: &Label) -> Rect {
    let size = name_size(label);
    let lines = label.lines.len().max(1) as f64;
    Rect {
        middle: Spot::from(label.at),
        half_width: widest(label) * size / 2.0 + 2.0,
        half_height: (f64::from(label.size.height()) * 1.1 * (lines - 1.0) + size) / 2.0,
    }
}

fn name(svg: &mut String, label: &Label, lettering: Lettering) {
    let height = f64::from(label.size.height());
    let style = Style {
        size: name_size(label),
        color: lettering.color,
        face: lettering.face,
        anchor: Anchor::Middle,
    };
    let count = label.lines.len() as f64;
    for (number, line) in label.lines.iter().enumerate() {
        let middle = f64::from(label.at.y) + (number as f64 - (count - 1.0) / 2.0) * height * 1.1;
        text(
            svg,
            f64::from(label.at.x),
            middle + height * 0.34,
            style,
            line,
        );
    }
}
