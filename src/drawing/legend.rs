//! The line above the map and the words below it: who is who, and what lines and outlines mean.

use std::collections::BTreeSet;

use super::colors::{ALARM, FOG_LAND, HALO, INK};
use super::curve::Spot;
use super::paint::sample;
use super::pieces;
use super::xml::{Anchor, Face, Style, add, number, text, width_of};
use dipjudge_rules::map::{Location, Province, UnitKind};
use dipjudge_view::{Board, Sign, UnitOnBoard, UnitState, Whose};

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

/// Those of whom anything is shown.
fn shown(board: &Board) -> Vec<usize> {
    let units = board.units.iter().map(|unit| unit.whose);
    let signs = board.signs.iter().map(|sign| sign.whose);
    let owners = board.owners.values().copied();
    let orders = board.orders.iter().map(|order| order.whose);
    let shown: BTreeSet<Whose> = units.chain(signs).chain(owners).chain(orders).collect();
    shown.into_iter().filter_map(|whose| whose.0).collect()
}

/// How wide an entry of the list of powers is, and how many stand in a line.
fn columns(board: &Board, width: i32) -> (i32, usize) {
    let longest = board
        .powers
        .iter()
        .map(|power| power.label.as_str().chars().count())
        .max();
    let letters = i32::try_from(longest.unwrap_or(0)).unwrap_or(40).min(60);
    let entry = (letters * 15 + 84).max(200);
    let count = usize::try_from((width - 48) / entry).unwrap_or(1).max(1);
    (entry, count)
}

/// The height of all that is below the map.
pub(super) fn height(board: &Board, width: i32) -> i32 {
    (power_lines(board, width) + key_lines(board, width)) * LINE + 28
}

fn power_lines(board: &Board, width: i32) -> i32 {
    let (_, in_a_line) = columns(board, width);
    i32::try_from(shown(board).len().div_ceil(in_a_line)).unwrap_or(1)
}

/// What stands below the map.
pub(super) fn legend(svg: &mut String, board: &Board, width: i32, top: i32) {
    let (entry, in_a_line) = columns(board, width);
    let first = f64::from(top + 38);
    for (place, number) in shown(board).into_iter().enumerate() {
        let x = LEFT + (place % in_a_line) as f64 * f64::from(entry);
        let y = first + (place / in_a_line) as f64 * f64::from(LINE);
        let Some(power) = board.powers.get(number) else {
            continue;
        };
        symbol(
            svg,
            board,
            x + 24.0,
            y,
            Whose(Some(number)),
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
    whose: Whose,
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

/// What stands before a word of explanation.
#[derive(Clone, Copy)]
enum Mark<'b> {
    Unit(UnitKind, UnitState),
    Line(&'static str, f64),
    FailedLine,
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
            Mark::Line(..) | Mark::FailedLine | Mark::Waves => 84.0,
        }
    }
}

/// What is explained, each mark with its word: what the board has of it.
fn explained(board: &Board) -> Vec<(Mark<'_>, &str)> {
    let has = |state| board.units.iter().any(|unit| unit.state == state);
    let kind = |kind| Mark::Unit(kind, UnitState::Stands);
    let mut all = vec![
        (kind(UnitKind::ARMY), "army"),
        (kind(UnitKind::FLEET), "fleet"),
    ];
    let others = board.map.kinds().iter().filter(|info| {
        let code = info.code();
        let is_other = code != UnitKind::ARMY && code != UnitKind::FLEET;
        is_other && board.units.iter().any(|unit| unit.kind == code)
    });
    all.extend(others.map(|info| (kind(info.code()), info.name.as_str())));
    let army = |state| Mark::Unit(UnitKind::ARMY, state);
    all.extend(has(UnitState::Built).then_some((army(UnitState::Built), "built")));
    all.extend(has(UnitState::Dislodged).then_some((army(UnitState::Dislodged), "dislodged")));
    let gone = has(UnitState::Gone) || has(UnitState::GoneWhenDislodged);
    all.extend(gone.then_some((army(UnitState::Gone), "gone")));
    if !board.orders.is_empty() {
        all.extend([
            (Mark::Line("", 5.5), "order"),
            (Mark::FailedLine, "failed"),
            (Mark::Line("0.1 11", 6.0), "support"),
            (Mark::Waves, "convoy"),
        ]);
    }
    all.extend(
        board
            .in_sight
            .is_some()
            .then_some((Mark::Fog, "out of sight")),
    );
    let stands = |unit: &&UnitOnBoard| {
        let is_gone = matches!(unit.state, UnitState::Gone | UnitState::GoneWhenDislodged);
        !is_gone && !board.is_in_sight(unit.at.province)
    };
    all.extend(
        board
            .units
            .iter()
            .find(stands)
            .map(|unit| (Mark::InFog(unit.kind), "glimpsed")),
    );
    for sign in board.signs.iter().filter(|sign| !sign.meaning.is_empty()) {
        if !all.iter().any(|(_, word)| *word == sign.meaning) {
            all.push((Mark::Sign(sign), sign.meaning));
        }
    }
    all
}

/// Each mark with its word: how far from the left it begins, and in which line, counted from 0.
fn laid_out<'b>(board: &'b Board, width: i32) -> Vec<(f64, i32, Mark<'b>, &'b str)> {
    let (mut line, mut x) = (0, LEFT);
    let mut all = Vec::new();
    for (mark, word) in explained(board) {
        let entry = mark.width() + width_of(word) * LETTERS + 24.0;
        if x + entry > f64::from(width) && x > LEFT {
            (line, x) = (line + 1, LEFT);
        }
        all.push((x, line, mark, word));
        x += entry;
    }
    all
}

fn key_lines(board: &Board, width: i32) -> i32 {
    let last = laid_out(board, width).pop();
    last.map_or(0, |(_, line, ..)| line + 1)
}

/// What outlines and lines mean, as far as the board has them.
fn key(svg: &mut String, board: &Board, width: i32, first: f64) {
    for (x, line, mark, word) in laid_out(board, width) {
        let y = first + f64::from(line * LINE);
        match mark {
            Mark::Unit(kind, state) => symbol(svg, board, x + 24.0, y, Whose::NOBODY, kind, state),
            Mark::Line(dashes, width) => order_line(svg, x, y, dashes, width, false),
            Mark::FailedLine => order_line(svg, x, y, "13 10", 5.5, true),
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
                    Whose::NOBODY,
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

fn order_line(svg: &mut String, x: f64, y: f64, dashes: &str, width: f64, failed: bool) {
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
    if failed {
        let middle = number(x + 33.0);
        add!(
            svg,
            "<g transform=\"translate({middle} {y})\"><circle r=\"11\" fill=\"{HALO}\" stroke=\"{ALARM}\" stroke-width=\"2.5\"/><path d=\"M-5 -5L5 5M-5 5L5 -5\" stroke=\"{ALARM}\" stroke-width=\"4\" stroke-linecap=\"round\"/></g>\n"
        );
    }
}
