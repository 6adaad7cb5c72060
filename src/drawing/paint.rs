//! The colors of provinces: whose they are, what a variant stripes, what is out of sight.

use std::collections::BTreeSet;

use super::colors::{Dress, FOG_LAND, FOG_LINE, FOG_WATER, NOBODYS, Pattern, Rgb, SPACE, dress};
use super::ground::Ground;
use super::xml::add;
use crate::map::Province;
use crate::map::drawing::Ground as Kind;
use crate::view::{Board, SignLook, UnitState, Whose};

/// How the things of a power are colored.
pub(super) fn dress_of(whose: Whose) -> Dress {
    whose.0.map_or(NOBODYS, dress)
}

/// What lies over the fill of a region.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Over {
    pattern: Pattern,
    line: [u8; 3],
    fog: bool,
}

/// Paints all regions that do not look as on an empty board.
pub(super) fn painted(board: &Board, ground: &Ground) -> String {
    let mut svg = String::new();
    let mut patterns: BTreeSet<Over> = BTreeSet::new();
    for (region, outline) in ground.drawing.regions.iter().zip(&ground.outlines) {
        let Some(province) = region.province else {
            continue;
        };
        let (color, over) = look(board, province, region.ground);
        if let Some(color) = color {
            add!(&mut svg, "<path d=\"{outline}\" fill=\"{color}\"/>\n");
        }
        for over in over {
            add!(
                &mut svg,
                "<path d=\"{outline}\" fill=\"url(#{})\"/>\n",
                name(over)
            );
            patterns.insert(over);
        }
    }
    let mut defined = String::new();
    for pattern in patterns {
        defined.push_str(&definition(pattern));
    }
    if !defined.is_empty() {
        defined = format!("<defs>\n{defined}</defs>\n");
    }
    format!("{defined}{svg}")
}

/// The color of a province's region, if it is not that of an empty board, and what lies over it.
fn look(board: &Board, province: Province, kind: Kind) -> (Option<Rgb>, Vec<Over>) {
    if !board.is_in_sight(province) {
        let color = match kind {
            Kind::Land => FOG_LAND,
            Kind::Water => FOG_WATER,
        };
        return (Some(color), vec![FOG]);
    }
    if kind == Kind::Water {
        return (None, Vec::new());
    }
    if board.map.info(province).is_some_and(|info| info.shared) {
        return (Some(SPACE), Vec::new());
    }
    let (color, mut over) = match (board.owners.get(&province), holder(board, province)) {
        (Some(owner), _) => {
            let dress = dress_of(*owner);
            (Some(dress.land), pattern(dress.pattern, dress.line))
        }
        (None, Some(holder)) => (Some(dress_of(holder).held), Vec::new()),
        (None, None) => (None, Vec::new()),
    };
    for sign in &board.signs {
        if sign.at == province && sign.look == SignLook::Stripes {
            let Dress { line, .. } = dress_of(sign.whose);
            over.extend(pattern(Pattern::Rising, line));
        }
    }
    (color, over)
}

/// Whose unit stands alone in a province that is no center.
fn holder(board: &Board, province: Province) -> Option<Whose> {
    let info = board.map.info(province)?;
    if info.center || info.shared {
        return None;
    }
    let stands = |state| matches!(state, UnitState::Stands | UnitState::Built);
    let mut units = board
        .units
        .iter()
        .filter(|unit| unit.at.province == province && stands(unit.state));
    units
        .next()
        .map(|unit| unit.whose)
        .filter(|whose| *whose != Whose::NOBODY)
}

fn pattern(pattern: Pattern, Rgb(red, green, blue): Rgb) -> Vec<Over> {
    let over = Over {
        pattern,
        line: [red, green, blue],
        fog: false,
    };
    (pattern != Pattern::Plain)
        .then_some(over)
        .into_iter()
        .collect()
}

const FOG: Over = Over {
    pattern: Pattern::Falling,
    line: [FOG_LINE.0, FOG_LINE.1, FOG_LINE.2],
    fog: true,
};

fn name(over: Over) -> String {
    let Over {
        pattern,
        line: [red, green, blue],
        fog,
    } = over;
    let word = match pattern {
        _ if fog => "fog",
        Pattern::Plain => "plain",
        Pattern::Rising => "rising",
        Pattern::Dots => "dots",
        Pattern::Falling => "falling",
        Pattern::Grid => "grid",
    };
    format!("{word}-{red:02x}{green:02x}{blue:02x}")
}

/// Patterns repeat every 24 units, those of the fog every 12.
fn definition(over: Over) -> String {
    let Over {
        pattern,
        line: [red, green, blue],
        fog,
    } = over;
    let color = Rgb(red, green, blue);
    let (size, width) = if fog { (12, 3) } else { (24, 5) };
    let shape = match pattern {
        // Level lines make small files.
        _ if fog => stripe(color, width, "M0 6H12"),
        Pattern::Plain => String::new(),
        Pattern::Dots => format!("<circle cx=\"12\" cy=\"12\" r=\"4\" fill=\"{color}\"/>"),
        Pattern::Rising => stripe(
            color,
            width,
            &format!(
                "M-6 6L6 -6M-6 {} L{} -6M{} {}L{} {}",
                size + 6,
                size + 6,
                size - 6,
                size + 6,
                size + 6,
                size - 6
            ),
        ),
        Pattern::Falling => stripe(
            color,
            width,
            &format!(
                "M-6 {}L6 {}M-6 -6L{} {}M{} -6L{} 6",
                size - 6,
                size + 6,
                size + 6,
                size + 6,
                size - 6,
                size + 6
            ),
        ),
        Pattern::Grid => stripe(color, 3, "M0 12H24M12 0V24"),
    };
    format!(
        "<pattern id=\"{}\" width=\"{size}\" height=\"{size}\" patternUnits=\"userSpaceOnUse\">{shape}</pattern>\n",
        name(over)
    )
}

fn stripe(color: Rgb, width: u32, path: &str) -> String {
    format!(
        "<path d=\"{path}\" stroke=\"{color}\" stroke-width=\"{width}\" stroke-opacity=\"0.45\"/>"
    )
}
