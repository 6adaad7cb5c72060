//! The title above the map, and the legend below it: the powers and their colors, and the meaning of lines and outlines.

use std::collections::BTreeSet;

use super::arrows;
use super::colors::{ALARM, FOG_LAND, HALO, INK};
use super::curve::Spot;
use super::paint::sample;
use super::pieces;
use super::xml::{Anchor, Face, Style, add, number, text, width_of};
use dipjudge_rules::map::{Location, Province, UnitKind};
use dipjudge_view::{Board, OrderFate, Owner, Sign, UnitOnBoard, UnitState};

/// The height of the line above.
pub(super) const TITLE: i32 = 64;
/// The least width of a picture: what is below has room in it.
pub(super) const LEAST_WIDTH: i32 = 1200;
/// The height of a line below.
const LINE: i32 = 48;
/// The height of letters.
const LETTERS: f64 = 27.0;
/// Where lines begin.
const LEFT: f64 = 24.0;

/// The picture's title, at its upper edge.
pub(super) fn title(svg: &mut String, board: &Board) {
    let style = Style {
        size: 36.0,
        color: INK,
        face: Face::Bold,
        anchor: Anchor::Start,
    };
    text(svg, LEFT, 45.0, style, &board.title);
}

/// The powers of which the board shows anything.
fn shown(board: &Board) -> Vec<usize> {
    let units = board.units.iter().map(|unit| unit.whose);
    let signs = board.signs.iter().map(|sign| sign.whose);
    let owners = board.owners.values().copied();
    let orders = board.orders.iter().map(|order| order.whose);
    let shown: BTreeSet<Owner> = units.chain(signs).chain(owners).chain(orders).collect();
    shown.into_iter().filter_map(|whose| whose.0).collect()
}

/// The columns of the list of powers.
struct Columns {
    /// The width of an entry.
    width: i32,
    /// How many entries stand in a line.
    count: usize,
}

impl Columns {
    fn of(board: &Board, width: i32) -> Columns {
        let longest = board
            .powers
            .iter()
            .map(|power| power.label.as_str().chars().count())
            .max();
        let letters = longest.unwrap_or(0).min(60) as i32;
        let entry = (letters * 15 + 84).max(200);
        Columns {
            width: entry,
            count: ((width - 48) / entry).max(1) as usize,
        }
    }
}

/// The height of all that is below the map.
pub(super) fn height(board: &Board, width: i32) -> i32 {
    (power_lines(board, width) + key_lines(board, width)) * LINE + 28
}

fn power_lines(board: &Board, width: i32) -> i32 {
    let columns = Columns::of(board, width);
    shown(board).len().div_ceil(columns.count) as i32
}

/// The legend below the map.
pub(super) fn legend(svg: &mut String, board: &Board, width: i32, top: i32) {
    let columns = Columns::of(board, width);
    let first = f64::from(top + 38);
    for (place, number) in shown(board).into_iter().enumerate() {
        let x = LEFT + (place % columns.count) as f64 * f64::from(columns.width);
        let y = first + (place / columns.count) as f64 * f64::from(LINE);
        let Some(power) = board.powers.get(number) else {
            continue;
        };
        symbol(
            svg,
            board,
            x + 24.0,
            y,
            Owner(Some(number)),
            UnitKind::ARMY,
            UnitState::Stands,
        );
        words(svg, x + 56.0, y, power.label.as_str());
    }
    let below = f64::from(power_lines(board, width) * LINE);
    key(svg, board, width, first + below);
}

fn symbol(
    svg: &mut String,
    board: &Board,
    x: f64,
    y: f64,
    whose: Owner,
    kind: UnitKind,
    state: UnitState,
) {
    add!(
        svg,
        "<g transform=\"translate({} {})\">\n",
        number(x),
        number(y)
    );
    let unit = UnitOnBoard {
        kind,
        whose,
        at: Location::from(Province::literal(b"XXX")),
        state,
    };
    svg.push_str(&sample(whose));
    pieces::unit(svg, board, &unit);
    svg.push_str("</g>\n");
}

fn words(svg: &mut String, x: f64, y: f64, words: &str) {
    let style = Style {
        size: LETTERS,
        color: INK,
        face: Face::Plain,
        anchor: Anchor::Start,
    };
    text(svg, x, y + LETTERS * 0.35, style, words);
}

/// The sample before an explanation.
#[derive(Clone, Copy)]
enum Mark<'b> {
    Unit(UnitKind, UnitState),
    Line(&'static str, f64),
    FailedLine,
    DoubtfulLine,
    Waves,
    Fog,
    /// A unit that stands out of sight and is shown all the same.
    InFog(UnitKind),
    /// What a variant marks.
    Sign(&'b Sign),
}

impl Mark<'_> {
    fn width(self) -> f64 {
        match self {
            Mark::Unit(..) | Mark::Fog | Mark::InFog(_) | Mark::Sign(_) => 56.0,
            Mark::Line(..) | Mark::FailedLine | Mark::DoubtfulLine | Mark::Waves => 84.0,
        }
    }
}

/// An entry of the key: a mark and its explanation.
struct KeyEntry<'b> {
    mark: Mark<'b>,
    words: &'b str,
}

/// An entry of the key and its place.
struct PlacedEntry<'b> {
    entry: KeyEntry<'b>,
    x: f64,
    /// The line, counted from 0.
    line: i32,
}

/// The entries of a key in the making.
struct Key<'b>(Vec<KeyEntry<'b>>);

impl<'b> Key<'b> {
    /// The key of a board: all marks that the board has.
    fn of(board: &'b Board) -> Key<'b> {
        let mut key = Key(Vec::new());
        key.add_kinds(board);
        key.add_states(board);
        if !board.orders.is_empty() {
            key.add(Mark::Line("", 5.5), "order");
            let has =
                |fates: &[OrderFate]| board.orders.iter().any(|order| fates.contains(&order.fate));
            if has(&[OrderFate::Succeeded, OrderFate::Failed]) {
                key.add(Mark::FailedLine, "failed");
            }
            if has(&[OrderFate::Doubtful]) {
                key.add(Mark::DoubtfulLine, "depends on others");
            }
            key.add(Mark::Line(arrows::DOTS, 6.0), "support");
            key.add(Mark::Waves, "convoy");
        }
        if board.in_sight.is_some() {
            key.add(Mark::Fog, "out of sight");
        }
        let is_glimpsed = |unit: &&UnitOnBoard| {
            let is_gone = matches!(unit.state, UnitState::Gone | UnitState::GoneWhenDislodged);
            !is_gone && !board.is_in_sight(unit.at.province)
        };
        if let Some(unit) = board.units.iter().find(is_glimpsed) {
            key.add(Mark::InFog(unit.kind), "glimpsed");
        }
        for sign in &board.signs {
            let is_explained = key.0.iter().any(|entry| entry.words == sign.meaning);
            if !sign.meaning.is_empty() && !is_explained {
                key.add(Mark::Sign(sign), sign.meaning);
            }
        }
        key
    }

    fn add(&mut self, mark: Mark<'b>, words: &'b str) {
        self.0.push(KeyEntry { mark, words });
    }

    /// Army and fleet, and those other kinds of which the board has units.
    fn add_kinds(&mut self, board: &'b Board) {
        self.add(Mark::Unit(UnitKind::ARMY, UnitState::Stands), "army");
        self.add(Mark::Unit(UnitKind::FLEET, UnitState::Stands), "fleet");
        for info in board.map.kinds() {
            let code = info.code();
            let is_other = code != UnitKind::ARMY && code != UnitKind::FLEET;
            if is_other && board.units.iter().any(|unit| unit.kind == code) {
                self.add(Mark::Unit(code, UnitState::Stands), &info.name);
            }
        }
    }

    fn add_states(&mut self, board: &Board) {
        let has = |state| board.units.iter().any(|unit| unit.state == state);
        if has(UnitState::Built) {
            self.add(Mark::Unit(UnitKind::ARMY, UnitState::Built), "built");
        }
        if has(UnitState::Dislodged) {
            self.add(
                Mark::Unit(UnitKind::ARMY, UnitState::Dislodged),
                "dislodged",
            );
        }
        if has(UnitState::Gone) || has(UnitState::GoneWhenDislodged) {
            self.add(Mark::Unit(UnitKind::ARMY, UnitState::Gone), "gone");
        }
    }

    /// The entries from left to right, line by line.
    fn laid_out(self, width: i32) -> Vec<PlacedEntry<'b>> {
        let (mut line, mut x) = (0, LEFT);
        let mut placed = Vec::new();
        for entry in self.0 {
            let room = entry.mark.width() + width_of(entry.words) * LETTERS + 24.0;
            if x + room > f64::from(width) && x > LEFT {
                (line, x) = (line + 1, LEFT);
            }
            placed.push(PlacedEntry { entry, x, line });
            x += room;
        }
        placed
    }
}

fn key_lines(board: &Board, width: i32) -> i32 {
    let placed = Key::of(board).laid_out(width);
    placed.last().map_or(0, |last| last.line + 1)
}

/// Explains the outlines and lines of the board.
fn key(svg: &mut String, board: &Board, width: i32, first: f64) {
    for PlacedEntry { entry, x, line } in Key::of(board).laid_out(width) {
        let KeyEntry { mark, words: word } = entry;
        let y = first + f64::from(line * LINE);
        match mark {
            Mark::Unit(kind, state) => symbol(svg, board, x + 24.0, y, Owner::NOBODY, kind, state),
            Mark::Line(dashes, width) => order_line(svg, x, y, dashes, width),
            Mark::FailedLine => {
                order_line(svg, x, y, arrows::FAILED_DASHES, 5.5);
                failure_sign(svg, x + 33.0, y);
            }
            Mark::DoubtfulLine => {
                order_line(svg, x, y, arrows::DOUBTFUL_DASHES, 5.5);
                arrows::doubt(svg, Spot { x: x + 33.0, y });
            }
            Mark::Waves => {
                let waves = "q5 -9 10 0t10 0t10 0t10 0t10 0t10 0t10 0";
                add!(
                    svg,
                    "<path d=\"M{} {}{waves}\" fill=\"none\" stroke=\"{INK}\" stroke-width=\"5\"/>\n",
                    number(x),
                    number(y)
                );
            }
            Mark::Fog => fog(svg, x, y),
            Mark::InFog(kind) => {
                fog(svg, x, y);
                symbol(
                    svg,
                    board,
                    x + 24.0,
                    y,
                    Owner::NOBODY,
                    kind,
                    UnitState::Stands,
                );
            }
            Mark::Sign(sign) => pieces::sign_at(svg, Spot { x: x + 24.0, y }, sign),
        }
        words(svg, x + mark.width(), y, word);
    }
}

fn fog(svg: &mut String, x: f64, y: f64) {
    add!(
        svg,
        "<rect x=\"{}\" y=\"{}\" width=\"42\" height=\"30\" fill=\"{FOG_LAND}\" stroke=\"{INK}\"/>\n",
        number(x + 3.0),
        number(y - 15.0)
    );
}

fn order_line(svg: &mut String, x: f64, y: f64, dashes: &str, width: f64) {
    let (left, right, y) = (number(x), number(x + 66.0), number(y));
    add!(
        svg,
        "<path d=\"M{left} {y}H{right}\" stroke=\"{INK}\" stroke-width=\"{}\" stroke-dasharray=\"{}\" stroke-linecap=\"{}\"/>\n",
        number(width),
        if dashes.is_empty() { "none" } else { dashes },
        if dashes.starts_with("0.1") {
            "round"
        } else {
            "butt"
        }
    );
}

/// The cross of a failed order.
fn failure_sign(svg: &mut String, x: f64, y: f64) {
    add!(
        svg,
        "<g transform=\"translate({} {})\"><circle r=\"11\" fill=\"{HALO}\" stroke=\"{ALARM}\" stroke-width=\"2.5\"/><path d=\"M-5 -5L5 5M-5 5L5 -5\" stroke=\"{ALARM}\" stroke-width=\"4\" stroke-linecap=\"round\"/></g>\n",
        number(x),
        number(y)
    );
}
