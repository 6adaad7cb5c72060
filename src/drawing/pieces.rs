//! Symbols: units, centers, tokens and other marks. The outline of a unit shows its kind and the letters its power, so that both
//! can be seen without colors.

use super::colors::{ALARM, HALO, INK, LAND, NEUTRAL_STYLE, NEW, Rgb};
use super::paint::style_of;
use super::places::{Piece, PieceLayout, PlacedPiece};
use super::rooms::Rooms;
use super::shapes::{Outline, Shape};
use super::spot::Spot;
use super::xml::{Anchor, Face, Style, add, number, text, width_of};
use dipjudge_rules::map::drawing::Drawing;
use dipjudge_rules::map::{Location, Province, UnitKind};
use dipjudge_view::{Board, OpenFor, Owner, Sign, SignLook, UnitOnBoard, UnitState};

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
        let scaled = if scale != 1.0 {
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
        scaled_sign_at(svg, at, fort, FORT);
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

/// The scale of a fort, which surrounds the mark of a center.
const FORT: f64 = 0.85;

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
pub(super) fn pieces(sink: &mut impl Sink, board: &Board, places: &PieceLayout<'_>) {
    for placed in &places.placed {
        if let Some(to) = placed.leads_to {
            sink.place(placed.room.spot, &|svg, at| {
                leader(svg, at, at.moved(placed.room.spot, to))
            });
        }
    }
    for placed in &places.placed {
        let mut content = String::new();
        piece(&mut content, board, placed);
        sink.group(placed.room.spot, placed.room.scale, &content);
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

/// The line from a piece that is drawn outside its province.
fn leader(svg: &mut String, from: Spot, to: Spot) {
    let [x, y, right, down] = [from.x, from.y, to.x, to.y].map(number);
    for (color, width) in [(HALO, "5"), (INK, "2")] {
        add!(
            svg,
            "<path d=\"M{x} {y}L{right} {down}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"{width}\"/>\n"
        );
    }
    add!(
        svg,
        "<circle cx=\"{right}\" cy=\"{down}\" r=\"4\" fill=\"{INK}\"/>\n"
    );
}

/// A unit around the middle.
pub(super) fn unit(svg: &mut String, board: &Board, unit: &UnitOnBoard) {
    let style = style_of(unit.whose);
    let outline = match unit.state {
        UnitState::Gone | UnitState::GoneWhenDislodged => Outline {
            line: Rgb(0x77, 0x77, 0x77),
            dashes: "5 4",
        },
        UnitState::Dislodged => Outline {
            line: ALARM,
            dashes: "7 4",
        },
        UnitState::Stands | UnitState::Built => Outline {
            line: INK,
            dashes: "",
        },
    };
    let shape = Shape::of(board.map, unit.kind);
    shape.draw(svg, style, outline);
    let mark = board
        .power(unit.whose)
        .map_or("", |power| power.mark.as_str());
    label(svg, shape, unit.kind, mark);
    match unit.state {
        UnitState::Gone | UnitState::GoneWhenDislodged => cross_badge(svg),
        UnitState::Dislodged => badge(svg, "!", ALARM),
        UnitState::Built => badge(svg, "+", NEW),
        UnitState::Stands => {}
    }
}

/// The letters of the power; for a kind without its own shape, also those of the kind.
fn label(svg: &mut String, shape: Shape, kind: UnitKind, mark: &str) {
    let size =
        |words: &str, most: f64, room: f64| (room / width_of(words).max(0.1) / BOLD).min(most);
    let frame = shape.frame();
    if shape.tells_kind() {
        letters(
            svg,
            frame.middle,
            mark,
            size(mark, frame.height, frame.width),
            INK,
        );
        return;
    }
    let kind = kind.as_str();
    if mark.is_empty() {
        letters(
            svg,
            frame.middle,
            kind,
            size(kind, frame.height * 0.7, frame.width),
            INK,
        );
        return;
    }
    for (words, share) in [(kind, -0.24), (mark, 0.24)] {
        let spot = Spot {
            y: frame.middle.y + frame.height * share,
            ..frame.middle
        };
        letters(
            svg,
            spot,
            words,
            size(words, frame.height * 0.52, frame.width),
            INK,
        );
    }
}

/// How much wider bold letters are than plain ones.
pub(super) const BOLD: f64 = 1.22;

/// The cross at the corner of a unit that is gone; its letters are still read.
fn cross_badge(svg: &mut String) {
    add!(
        svg,
        "<circle cx=\"14.5\" cy=\"-9.5\" r=\"7.5\" fill=\"{HALO}\" stroke=\"{ALARM}\" stroke-width=\"1.5\"/>\
         <path d=\"M11.5 -12.5L17.5 -6.5M11.5 -6.5L17.5 -12.5\" fill=\"none\" stroke=\"{ALARM}\" stroke-width=\"3\" stroke-linecap=\"round\"/>\n"
    );
}

/// A small round sign at the corner of a unit.
fn badge(svg: &mut String, word: &str, color: Rgb) {
    add!(
        svg,
        "<circle cx=\"14.5\" cy=\"-9.5\" r=\"7.5\" fill=\"{color}\" stroke=\"{HALO}\" stroke-width=\"1.5\"/>"
    );
    letters(svg, Spot { x: 14.5, y: -9.5 }, word, 12.5, HALO);
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
pub(super) fn marks(sink: &mut impl Sink, board: &Board, rooms: &Rooms) {
    let spot = |province: Province| {
        let room = rooms.standing(Location::from(province))?;
        Some(room.spot)
    };
    for at in board
        .standoffs
        .iter()
        .filter_map(|province| spot(*province))
    {
        sink.place(at, &standoff);
    }
    let is_shared = |province| board.map.info(province).is_some_and(|info| info.shared);
    for place in board
        .open
        .iter()
        .filter(|place| !is_shared(place.at.province))
    {
        if let Some(room) = rooms.standing(place.at) {
            sink.place(room.spot, &|svg, at| open(svg, at, place.purpose));
        }
    }
    let around = |sign: &&Sign| matches!(sign.look, SignLook::Ring | SignLook::Cross);
    for sign in board.signs.iter().filter(around) {
        // A unit can stand at a coast of its province.
        let mut units = board.units.iter();
        let unit = units.find(|unit| unit.at.province == sign.at);
        let at = unit.map_or(Location::from(sign.at), |unit| unit.at);
        if let Some(room) = rooms.standing(at) {
            sink.place(room.spot, &|svg, at| {
                scaled_sign_at(svg, at, sign, room.scale)
            });
        }
    }
}

/// The mark of a standoff around a point.
pub(super) fn standoff(svg: &mut String, at: Spot) {
    add!(
        svg,
        "<path transform=\"translate({} {})\" d=\"M0 -18L5 -8L15 -13L10 -3L20 2L9 6L12 16L2 10L-5 18L-7 8L-18 9L-11 0L-19 -8L-8 -8z\" fill=\"{HALO}\" stroke=\"{ALARM}\" stroke-width=\"3\" stroke-linejoin=\"round\"/>\n",
        number(at.x),
        number(at.y)
    );
}

/// The mark of a place that is open for a unit: a broken circle, with a plus if it can be built there.
pub(super) fn open(svg: &mut String, at: Spot, purpose: OpenFor) {
    let sign = match purpose {
        OpenFor::Retreat => "",
        OpenFor::Build => "M-8 0H8M0 -8V8",
    };
    let (x, y) = (number(at.x), number(at.y));
    add!(
        svg,
        "<g transform=\"translate({x} {y})\" fill=\"none\" stroke=\"{NEW}\" stroke-width=\"4\"><circle r=\"17\" fill=\"{HALO}\" fill-opacity=\"0.7\" stroke-dasharray=\"8 5.35\"/><path d=\"{sign}M0 0\"/></g>\n"
    );
}

/// A center of nobody.
pub(super) fn empty_center(svg: &mut String, at: Spot) {
    let (x, y) = (number(at.x), number(at.y));
    add!(
        svg,
        "<circle cx=\"{x}\" cy=\"{y}\" r=\"9\" fill=\"{HALO}\" stroke=\"{INK}\" stroke-width=\"2\"/><circle cx=\"{x}\" cy=\"{y}\" r=\"4\" fill=\"{INK}\"/>\n"
    );
}

/// A mark of a variant around a point; for stripes, a sample.
pub(super) fn sign_at(svg: &mut String, at: Spot, what: &Sign) {
    scaled_sign_at(svg, at, what, 1.0);
}

fn scaled_sign_at(svg: &mut String, at: Spot, what: &Sign, scale: f64) {
    add!(
        svg,
        "<g transform=\"translate({} {}) scale({scale:.2})\">\n",
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
            add!(
                svg,
                "<path d=\"{PLATE}\" fill=\"{fill}\" stroke=\"{HALO}\" stroke-width=\"2.5\" stroke-linejoin=\"round\"/>\n"
            );
            let count = sign.text.chars().count().max(1) as f64;
            letters(svg, MIDDLE, &sign.text, (54.0 / count).min(18.0), ink);
        }
        SignLook::Ring => add!(
            svg,
            "<rect x=\"-23\" y=\"-18\" width=\"46\" height=\"36\" rx=\"12\" fill=\"none\" stroke=\"{NEW}\" stroke-width=\"4\"/>\n"
        ),
        SignLook::Cross => cross(svg, 15.0, 4.5),
    }
}
