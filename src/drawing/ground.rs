//! What is the same in all pictures of a map: its regions, borders and names. Made once for each map, and kept.

use std::sync::{Arc, Mutex, PoisonError};

use super::colors::{BORDER, CLOSED, COAST, HALO, INK, LAND, Rgb, SEA_BORDER, SEA_NAME, WATER};
use super::xml::{Anchor, Ends, Face, Style, add, outline, text, width_of};
use dipjudge_rules::map::drawing::{Border, Drawing, Ground as Kind, Label, Region, Side};
use dipjudge_rules::map::{Map, Terrain};
use dipjudge_view::Board;
use dipjudge_view::markup::escaped;

/// How many maps are kept: those of a judge's games, with what their variants lay over them.
const KEPT: usize = 12;

/// The part of a picture that is the same for all boards on a map.
pub(super) struct Ground {
    /// The map, known by where it lies: maps are never moved.
    map: &'static Map,
    overlay: &'static str,
    /// Where everything lies.
    pub(super) drawing: Drawing,
    /// Regions in the colors of nobody.
    pub(super) below: String,
    /// Borders, above what is painted.
    pub(super) lines: String,
    /// Names, above orders.
    pub(super) names: String,
    /// The outline of each region, as a path.
    pub(super) outlines: Vec<String>,
}

/// The last that were asked for, the latest last.
static GROUNDS: Mutex<Vec<Arc<Ground>>> = Mutex::new(Vec::new());

impl Ground {
    /// That of a board's map.
    pub(super) fn of(board: &Board) -> Arc<Ground> {
        let is_it = |ground: &Arc<Ground>| {
            std::ptr::eq(ground.map, board.map) && ground.overlay == board.drawing
        };
        let mut grounds = GROUNDS.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = grounds.iter().position(is_it);
        let ground = match kept {
            Some(place) => grounds.remove(place),
            None => Arc::new(Ground::new(board.map, board.drawing)),
        };
        grounds.push(ground.clone());
        if grounds.len() > KEPT {
            grounds.remove(0);
        }
        ground
    }

    fn new(map: &'static Map, overlay: &'static str) -> Ground {
        let drawing = Drawing::of(map, overlay);
        let regions = drawing.regions.iter();
        let outlines: Vec<String> = regions
            .map(|region| outline(region.outline.iter().map(Vec::as_slice), Ends::Joined))
            .collect();
        Ground {
            map,
            overlay,
            below: below(&drawing, &outlines),
            lines: lines(&drawing, &outlines),
            names: names(map, &drawing),
            drawing,
            outlines,
        }
    }
}

fn below(drawing: &Drawing, outlines: &[String]) -> String {
    let mut svg = String::new();
    if !drawing.links.is_empty() {
        let links = drawing.links.iter().map(|ends| ends.as_slice());
        add!(
            &mut svg,
            "<path d=\"{}\" fill=\"none\" stroke=\"{BORDER}\" stroke-width=\"3\"/>\n",
            outline(links, Ends::Open)
        );
    }
    for (region, outline) in drawing.regions.iter().zip(outlines) {
        let color = match (region.ground, region.province) {
            (Kind::Water, _) => WATER,
            (Kind::Land, Some(_)) => LAND,
            (Kind::Land, None) => CLOSED,
        };
        add!(
            &mut svg,
            "<path id=\"{}\" d=\"{outline}\" fill=\"{color}\"/>\n",
            escaped(&region.name)
        );
    }
    svg
}

fn lines(drawing: &Drawing, outlines: &[String]) -> String {
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
            .filter(|one| line(drawing, one) == Some(border));
        let path = outline(lines.map(|one| one.line.as_slice()), Ends::Open);
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
    // What no border surrounds: discs of a diagram, panels.
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

/// With a light edge, so that they are read on what lies below.
fn names(map: &Map, drawing: &Drawing) -> String {
    let mut svg = String::new();
    add!(
        &mut svg,
        "<g stroke=\"{HALO}\" stroke-width=\"5\" stroke-opacity=\"0.6\" stroke-linejoin=\"round\" paint-order=\"stroke\">\n"
    );
    for (province, place) in &drawing.places {
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
    match region.ground {
        Kind::Land => BORDER,
        Kind::Water => COAST,
    }
}

/// What a border is drawn as.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Line {
    Land,
    Sea,
    Coast,
}

/// None at the edge of the picture.
fn line(drawing: &Drawing, border: &Border) -> Option<Line> {
    let [one, other] = border.sides;
    let ground = |side: Option<Side>| {
        drawing
            .regions
            .get(side?.region)
            .map(|region| region.ground)
    };
    Some(match (ground(one)?, ground(other)?) {
        (Kind::Land, Kind::Land) => Line::Land,
        (Kind::Water, Kind::Water) => Line::Sea,
        _ => Line::Coast,
    })
}

/// How large the letters of a name are in their height: so that they keep to its area.
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

fn name(svg: &mut String, label: &Label, lettering: Lettering) {
    let height = f64::from(label.size.height());
    let widest = label.lines.iter().map(|line| width_of(line));
    let widest = widest.fold(0.0, f64::max);
    let room = f64::from(label.area().width) - 2.0;
    let style = Style {
        size: (height * LETTERS).min(room / widest.max(0.1)),
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
