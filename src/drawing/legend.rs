//! The line above the map and the words below it: who is who, and what lines and outlines mean.

use std::collections::BTreeSet;

use super::colors::{ALARM, FOG_LAND, HALO, INK};
use super::pieces;
use super::xml::{Anchor, Face, Style, add, number, text};
use crate::map::{Location, Province, UnitKind};
use crate::view::{Board, UnitOnBoard, UnitState, Whose};

/// The height of the line above.
pub(super) const TITLE: i32 = 64;
/// The least width of a picture: what is below has room in it.
pub(super) const LEAST_WIDTH: i32 = 1200;
/// The height of a line below.
const LINE: i32 = 48;
/// The height of letters.
const LETTERS: f64 = 27.0;

/// The picture's title, at its upper edge.
pub(super) fn title(svg: &mut String, board: &Board) {
    let style = Style {
        size: 36.0,
        color: INK,
        face: Face::Bold,
        anchor: Anchor::Start,
    };
    text(svg, 24.0, 45.0, style, &board.title);
}

/// Those of whom anything is shown.
fn shown(board: &Board) -> Vec<usize> {
    let units = board.units.iter().map(|unit| unit.whose);
    let signs = board.signs.iter().map(|sign| sign.whose);
    let owners = board.owners.values().copied();
    let shown: BTreeSet<Whose> = units.chain(signs).chain(owners).collect();
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

/// The height of all that is below the map. It goes by those whom the reader knows, not by what is on the board.
pub(super) fn height(board: &Board, width: i32) -> i32 {
    (power_lines(board, width) + key_lines(width)) * LINE + 28
}

fn power_lines(board: &Board, width: i32) -> i32 {
    let (_, in_a_line) = columns(board, width);
    i32::try_from(board.powers.len().div_ceil(in_a_line)).unwrap_or(1)
}

/// What stands below the map.
pub(super) fn legend(svg: &mut String, board: &Board, width: i32, top: i32) {
    let (entry, in_a_line) = columns(board, width);
    let first = f64::from(top + 38);
    for (place, number) in shown(board).into_iter().enumerate() {
        let x = 24.0 + (place % in_a_line) as f64 * f64::from(entry);
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
    key(svg, board, f64::from(width), first + below);
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

/// What is explained: each with its word and the width of both.
const KEY: [(Sign, &str, f64); 10] = [
    (Sign::Unit(UnitKind::ARMY, UnitState::Stands), "army", 150.0),
    (
        Sign::Unit(UnitKind::FLEET, UnitState::Stands),
        "fleet",
        150.0,
    ),
    (Sign::Unit(UnitKind::ARMY, UnitState::Built), "built", 150.0),
    (
        Sign::Unit(UnitKind::ARMY, UnitState::Dislodged),
        "dislodged",
        204.0,
    ),
    (Sign::Unit(UnitKind::ARMY, UnitState::Gone), "gone", 150.0),
    (Sign::Line("", 5.5), "order", 186.0),
    (Sign::Line("13 10", 5.5), "failed", 186.0),
    (Sign::Line("0.1 11", 6.0), "support", 206.0),
    (Sign::Waves, "convoy", 200.0),
    (Sign::Fog, "out of sight", 220.0),
];

/// What stands before a word of explanation.
#[derive(Clone, Copy)]
enum Sign {
    Unit(UnitKind, UnitState),
    Line(&'static str, f64),
    Waves,
    Fog,
}

impl Sign {
    /// Whether there is any such thing on the board.
    fn is_on(self, board: &Board) -> bool {
        match self {
            Sign::Unit(_, UnitState::Stands) => true,
            Sign::Unit(_, UnitState::Gone) => board
                .units
                .iter()
                .any(|unit| matches!(unit.state, UnitState::Gone | UnitState::GoneWhenDislodged)),
            Sign::Unit(_, state) => board.units.iter().any(|unit| unit.state == state),
            Sign::Line(..) | Sign::Waves => !board.orders.is_empty(),
            Sign::Fog => board.in_sight.is_some(),
        }
    }

    fn width(self) -> f64 {
        match self {
            Sign::Unit(..) | Sign::Fog => 56.0,
            Sign::Line(..) | Sign::Waves => 84.0,
        }
    }
}

/// How many lines the explanation of all signs takes.
fn key_lines(width: i32) -> i32 {
    let (mut lines, mut x) = (1, 24.0);
    for (_, _, entry) in KEY {
        if x + entry > f64::from(width) {
            (lines, x) = (lines + 1, 24.0);
        }
        x += entry;
    }
    lines
}

/// What outlines and lines mean, as far as the board has them.
fn key(svg: &mut String, board: &Board, width: f64, first: f64) {
    let (mut x, mut y) = (24.0, first);
    for (sign, word, entry) in KEY {
        if !sign.is_on(board) {
            continue;
        }
        if x + entry > width {
            (x, y) = (24.0, y + f64::from(LINE));
        }
        match sign {
            Sign::Unit(kind, state) => symbol(svg, board, x + 24.0, y, Whose::NOBODY, kind, state),
            Sign::Line(dashes, width) => line(svg, x, y, dashes, width, word == "failed"),
            Sign::Waves => {
                let waves = "q5 -9 10 0t10 0t10 0t10 0t10 0t10 0t10 0";
                add!(
                    svg,
                    "<path d=\"M{} {}{waves}\" fill=\"none\" stroke=\"{INK}\" stroke-width=\"5\"/>\n",
                    number(x),
                    number(y)
                );
            }
            Sign::Fog => add!(
                svg,
                "<rect x=\"{}\" y=\"{}\" width=\"42\" height=\"30\" fill=\"{FOG_LAND}\" stroke=\"{INK}\"/>\n",
                number(x + 3.0),
                number(y - 15.0)
            ),
        }
        words(svg, x + sign.width(), y, word);
        x += entry;
    }
}

fn line(svg: &mut String, x: f64, y: f64, dashes: &str, width: f64, failed: bool) {
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
