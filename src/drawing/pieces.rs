//! Symbols: units, centers, tokens and other marks. The outline of a unit shows its kind and the letters its power, so that both
//! can be seen without colors.

use super::colors::{ALARM, HALO, INK, LAND, NEUTRAL_STYLE, NEW, Rgb};
use super::curve::Spot;
use super::paint::style_of;
use super::places::{Piece, PieceLayout, PlacedPiece, standing};
use super::xml::{Anchor, Face, Style, add, number, text};
use dipjudge_rules::map::drawing::Drawing;
use dipjudge_rules::map::{Location, Province, UnitKind};
use dipjudge_view::{Board, Owner, Sign, SignLook, UnitOnBoard, UnitState};

/// An army's outline, around its middle.
const ARMY: &str = "M-19 -9q0 -5 5 -5h28q5 0 5 5v18q0 5 -5 5h-28q-5 0 -5 -5z";
/// A fleet's: a hull.
const FLEET: &str = "M-21 -13h42l-8 25q-1 3 -4 3h-18q-3 0 -4 -3z";
/// That of all other kinds.
const OTHER: &str = "M-20 0l7 -15h26l7 15l-7 15h-26z";
/// A plate.
const PLATE: &str = "M-20 -11h40v22h-40z";

/// Where pieces are drawn: into a picture of their own, or on a page that has each sort of piece once.
pub(super) trait Sink {
    /// Draws something at a point.
    fn place(&mut self, at: Spot, draw: &dyn Fn(&mut String, Spot));

    /// Puts what is drawn around the middle at a point, at this scale.
    fn group(&mut self, at: Spot, scale: f64, content: &str);
}

impl Sink for String {
    fn place(&mut self, at: Spot, draw: &dyn Fn(&mut String, Spot)) {
        draw(self, at);
    }

    fn group(&mut self, at: Spot, scale: f64, content: &str) {
        let scaled = if scale < 1.0 {
            format!(" scale({scale:.3})")
        } else {
            String::new()
        };
        add!(
            self,
            "<g transform=\"translate({} {}){scaled}\">\n{content}</g>\n",
            number(at.x),
            number(at.y)
        );
    }
}

/// Centers and what a variant has built there.
pub(super) fn centers(sink: &mut impl Sink, board: &Board, drawing: &Drawing) {
    for (province, place) in &drawing.places {
        let Some(at) = place.center else { continue };
        sink.place(Spot::from(at), &|svg, at| center(svg, board, *province, at));
    }
}

fn center(svg: &mut String, board: &Board, province: Province, at: Spot) {
    let owner = board.owners.get(&province).copied();
    let fort = board
        .signs
        .iter()
        .find(|sign| sign.at == province && sign.look == SignLook::Fort);
    if let Some(fort) = fort {
        sign_at(svg, at, fort);
    } else {
        let fill = owner.map_or(HALO, |owner| style_of(owner).unit);
        add!(
            svg,
            "<circle cx=\"{}\" cy=\"{}\" r=\"9\" fill=\"{fill}\" stroke=\"{INK}\" stroke-width=\"2\"/>\n",
            number(at.x),
            number(at.y)
        );
    }
    let mark = owner
        .and_then(|owner| board.power(owner))
        .map(|power| power.mark.as_str());
    match mark {
        Some(mark) if mark.chars().count() < 3 => letters(
            svg,
            Spot {
                y: at.y + 0.3,
                ..at
            },
            mark,
            if mark.chars().count() == 1 {
                14.0
            } else {
                10.0
            },
            INK,
        ),
        _ => add!(
            svg,
            "<circle cx=\"{}\" cy=\"{}\" r=\"4\" fill=\"{INK}\"/>\n",
            number(at.x),
            number(at.y)
        ),
    }
}

/// Bold letters around a point.
fn letters(svg: &mut String, at: Spot, words: &str, size: f64, color: Rgb) {
    let style = Style {
        size,
        color,
        face: Face::Bold,
        anchor: Anchor::Middle,
    };
    text(svg, at.x, at.y + size * 0.36, style, words);
}

/// All units and tokens.
pub(super) fn pieces(sink: &mut impl Sink, board: &Board, places: &PieceLayout) {
    for placed in &places.placed {
        let mut content = String::new();
        piece(&mut content, board, placed);
        sink.group(placed.spot, placed.scale, &content);
    }
}

fn piece(svg: &mut String, board: &Board, placed: &PlacedPiece) {
    match placed.piece {
        Piece::Unit(one, count) => {
            unit(svg, board, one);
            if count > 1 {
                badge(svg, &count.to_string(), INK);
            }
        }
        Piece::Token(token) => sign(svg, token),
    }
}

const MIDDLE: Spot = Spot { x: 0.0, y: 0.0 };

/// A unit around the middle.
pub(super) fn unit(svg: &mut String, board: &Board, unit: &UnitOnBoard) {
    let outline = outline_of(unit.kind);
    let style = style_of(unit.whose);
    match unit.state {
        UnitState::Gone | UnitState::GoneWhenDislodged => shape(
            svg,
            outline,
            Rgb(0xe4, 0xe4, 0xe4),
            Rgb(0x77, 0x77, 0x77),
            "5 4",
        ),
        UnitState::Dislodged => shape(svg, outline, style.unit, ALARM, "7 4"),
        UnitState::Stands | UnitState::Built => shape(svg, outline, style.unit, INK, ""),
    }
    let mark = board
        .power(unit.whose)
        .map_or("", |power| power.mark.as_str());
    label(svg, unit.kind, mark);
    match unit.state {
        UnitState::Gone | UnitState::GoneWhenDislodged => cross(svg, 15.0, 4.5),
        UnitState::Dislodged => badge(svg, "!", ALARM),
        UnitState::Built => badge(svg, "+", NEW),
        UnitState::Stands => {}
    }
}

fn outline_of(kind: UnitKind) -> &'static str {
    match kind {
        UnitKind::ARMY => ARMY,
        UnitKind::FLEET => FLEET,
        _ => OTHER,
    }
}

/// The letters of the power; for a kind without its own outline, also those of the kind.
fn label(svg: &mut String, kind: UnitKind, mark: &str) {
    let size = |words: &str, most: f64, room: f64| {
        let count = words.chars().count().max(1) as f64;
        (room / count).min(most)
    };
    let lift = if kind == UnitKind::FLEET { -1.5 } else { 0.0 };
    if kind == UnitKind::ARMY || kind == UnitKind::FLEET {
        letters(
            svg,
            Spot { x: 0.0, y: lift },
            mark,
            size(mark, 23.0, 50.0),
            INK,
        );
    } else if mark.is_empty() {
        letters(
            svg,
            MIDDLE,
            kind.as_str(),
            size(kind.as_str(), 21.0, 44.0),
            INK,
        );
    } else {
        letters(
            svg,
            Spot { x: 0.0, y: -6.5 },
            kind.as_str(),
            size(kind.as_str(), 14.5, 44.0),
            INK,
        );
        letters(
            svg,
            Spot { x: 0.0, y: 7.0 },
            mark,
            size(mark, 14.5, 36.0),
            INK,
        );
    }
}

fn shape(svg: &mut String, outline: &str, fill: Rgb, line: Rgb, dashes: &str) {
    add!(
        svg,
        "<path d=\"{outline}\" fill=\"none\" stroke=\"{HALO}\" stroke-width=\"6\" stroke-linejoin=\"round\"/>"
    );
    let dashes = if dashes.is_empty() {
        String::new()
    } else {
        format!(" stroke-dasharray=\"{dashes}\"")
    };
    let width = if dashes.is_empty() { "2.5" } else { "3.5" };
    add!(
        svg,
        "<path d=\"{outline}\" fill=\"{fill}\" stroke=\"{line}\" stroke-width=\"{width}\"{dashes} stroke-linejoin=\"round\"/>\n"
    );
}

/// A small round sign at the corner of a unit.
fn badge(svg: &mut String, word: &str, color: Rgb) {
    add!(
        svg,
        "<circle cx=\"18\" cy=\"-13\" r=\"8.5\" fill=\"{color}\" stroke=\"{HALO}\" stroke-width=\"1.5\"/>"
    );
    letters(svg, Spot { x: 18.0, y: -13.0 }, word, 14.0, HALO);
}

/// A cross around the middle.
fn cross(svg: &mut String, half: f64, width: f64) {
    let half = number(half);
    for (color, width) in [(HALO, width + 3.0), (ALARM, width)] {
        add!(
            svg,
            "<path d=\"M-{half} -{half}L{half} {half}M-{half} {half}L{half} -{half}\" stroke=\"{color}\" stroke-width=\"{}\" stroke-linecap=\"round\"/>\n",
            number(width)
        );
    }
}

/// Standoffs, and what a variant marks around units.
pub(super) fn marks(svg: &mut String, board: &Board, drawing: &Drawing) {
    let spot = |province: Province| {
        let place = drawing.places.get(&province)?;
        Some(standing(place, Location::from(province)))
    };
    for at in board
        .standoffs
        .iter()
        .filter_map(|province| spot(*province))
    {
        add!(
            svg,
            "<path transform=\"translate({} {})\" d=\"M0 -18L5 -8L15 -13L10 -3L20 2L9 6L12 16L2 10L-5 18L-7 8L-18 9L-11 0L-19 -8L-8 -8z\" fill=\"{HALO}\" stroke=\"{ALARM}\" stroke-width=\"3\" stroke-linejoin=\"round\"/>\n",
            number(at.x),
            number(at.y)
        );
    }
    let around = |sign: &&Sign| matches!(sign.look, SignLook::Ring | SignLook::Cross);
    for sign in board.signs.iter().filter(around) {
        if let Some(at) = spot(sign.at) {
            sign_at(svg, at, sign);
        }
    }
}

/// A mark of a variant around a point; for stripes, a sample.
pub(super) fn sign_at(svg: &mut String, at: Spot, what: &Sign) {
    add!(
        svg,
        "<g transform=\"translate({} {})\">\n",
        number(at.x),
        number(at.y)
    );
    sign(svg, what);
    svg.push_str("</g>\n");
}

fn sign(svg: &mut String, sign: &Sign) {
    let style = style_of(sign.whose);
    match sign.look {
        SignLook::Fort => add!(
            svg,
            "<path d=\"M-15 14v-28h7v5h4.5v-5h7v5h4.5v-5h7v28z\" fill=\"{}\" stroke=\"{INK}\" stroke-width=\"2.5\" stroke-linejoin=\"round\"/>\n",
            style.unit
        ),
        SignLook::Stripes => add!(
            svg,
            "<rect x=\"-21\" y=\"-15\" width=\"42\" height=\"30\" fill=\"{LAND}\" stroke=\"{INK}\"/>\
             <path d=\"M-20 4L-2 -14M-20 14L8 -14M-11 14L17 -14M-1 14L20 -7M9 14L20 3\" stroke=\"{}\" stroke-width=\"4\" stroke-opacity=\"0.6\"/>\n",
            NEUTRAL_STYLE.line
        ),
        SignLook::Token => {
            let (fill, ink) = match sign.whose {
                Owner::NOBODY => (INK, HALO),
                _ => (style.unit, INK),
            };
            shape(svg, PLATE, fill, HALO, "");
            let count = sign.text.chars().count().max(1) as f64;
            letters(svg, MIDDLE, &sign.text, (54.0 / count).min(18.0), ink);
        }
        SignLook::Ring => add!(
            svg,
            "<rect x=\"-25\" y=\"-20\" width=\"50\" height=\"40\" rx=\"14\" fill=\"none\" stroke=\"{NEW}\" stroke-width=\"4\"/>\n"
        ),
        SignLook::Cross => cross(svg, 15.0, 4.5),
    }
}
