//! Orders: solid arrows for moves and retreats that succeeded or are given, dashed ones with a cross for those that failed, dotted
//! lines with a dot at their end for supports, waves for convoys. The line of an order in doubt is broken, with a question mark.

use super::colors::{ALARM, HALO, INK, Rgb};
use super::curve::{Curve, Spot};
use super::paint::style_of;
use super::places::PieceLayout;
use super::xml::{Anchor, Face, Style, add, number, text};
use dipjudge_rules::map::Location;
use dipjudge_rules::orders::Action;
use dipjudge_view::{Board, OrderFate, OrderOnBoard};

/// The drawn orders: lines, and above the names of provinces the heads of arrows and marks.
pub(super) struct Orders {
    pub(super) lines: String,
    pub(super) marks: String,
}

/// All orders; supports lie below moves.
pub(super) fn orders(board: &Board, places: &PieceLayout) -> Orders {
    let mut svg = Orders {
        lines: "<g fill=\"none\" stroke-linejoin=\"round\" stroke-linecap=\"round\">\n".to_owned(),
        marks: String::new(),
    };
    let (moves, others): (Vec<&OrderOnBoard>, Vec<&OrderOnBoard>) = board
        .orders
        .iter()
        .partition(|order| matches!(order.action, Action::Move { .. } | Action::Retreat { .. }));
    for order in others.into_iter().chain(moves) {
        // A place that is not drawn has no arrow.
        let _ = draw(&mut svg, board, places, order);
    }
    svg.lines.push_str("</g>\n");
    svg
}

fn draw(svg: &mut Orders, board: &Board, places: &PieceLayout, order: &OrderOnBoard) -> Option<()> {
    let look = OrderLook {
        color: style_of(order.whose).line,
        fate: order.fate,
    };
    let from = places.beginning(order.from, order.whose)?;
    match &order.action {
        Action::Move { to, by: over } => {
            let to = places.end(*to, order.whose)?;
            let over: Vec<Spot> = over.iter().filter_map(|at| places.place(*at)).collect();
            let whole = if over.is_empty() {
                Curve::bent(from, to)
            } else {
                Curve::through(&[&[from], over.as_slice(), &[to]].concat())
            };
            let curve = trimmed(whole, from, to);
            origin(svg, from, look.color);
            let shaft = if over.is_empty() {
                Shaft::Smooth
            } else {
                Shaft::Waves
            };
            arrow(svg, &curve, look, shaft);
        }
        Action::Retreat { to } => {
            let from = places.aside(order.from)?;
            let to = places.end(*to, order.whose)?;
            origin(svg, from, look.color);
            let curve = trimmed(Curve::straight(from, to), from, to);
            arrow(svg, &curve, look, Shaft::Smooth);
        }
        Action::SupportHold { at } => {
            let to = places.place(*at)?;
            let curve = trimmed(Curve::straight(from, to), from, to);
            support(svg, &curve, look);
        }
        Action::SupportMove { from: other, to } => {
            let meets = supported(board, places, *other, *to)?;
            let curve = Curve::straight(from, meets).between(Some(PieceLayout::around(from)), None);
            support(svg, &curve, look);
        }
        Action::Convoy { from: army, to } if board.is_in_move(order.from, *army, *to) => {}
        Action::Convoy { from: army, to } => {
            let meets = supported(board, places, *army, *to)?;
            let curve = Curve::straight(from, meets).between(Some(PieceLayout::around(from)), None);
            convoy(svg, &curve, look);
        }
        // Nothing is drawn for them; units that come and go are drawn so.
        Action::Hold | Action::Disband | Action::Remove { .. } | Action::Waive => {}
        Action::Build(never) | Action::Special(never) => match *never {},
    }
    Some(())
}

fn trimmed(curve: Curve, from: Spot, to: Spot) -> Curve {
    curve.between(
        Some(PieceLayout::around(from)),
        Some(PieceLayout::around(to)),
    )
}

/// The middle of the line of a move that is supported or convoyed, whether or not it was ordered.
fn supported(board: &Board, places: &PieceLayout, from: Location, to: Location) -> Option<Spot> {
    let mover = board.orders.iter().find(|order| order.from.province == from.province && matches!(&order.action, Action::Move { to: there, .. } if there.province == to.province));
    let begin = match mover {
        Some(order) => places.beginning(order.from, order.whose)?,
        None => places.place(from)?,
    };
    let end = match mover {
        Some(order) => places.end(to, order.whose)?,
        None => places.place(to)?,
    };
    let curve = match mover.map(|order| &order.action) {
        Some(Action::Move { by: over, .. }) if !over.is_empty() => {
            let over: Vec<Spot> = over.iter().filter_map(|at| places.place(*at)).collect();
            Curve::through(&[&[begin], over.as_slice(), &[end]].concat())
        }
        _ => Curve::bent(begin, end),
    };
    trimmed(curve, begin, end).at(0.55)
}

/// Marks the place that a unit left.
fn origin(svg: &mut Orders, at: Spot, color: Rgb) {
    add!(
        &mut svg.lines,
        "<circle cx=\"{}\" cy=\"{}\" r=\"7\" fill=\"{HALO}\" stroke=\"{color}\" stroke-width=\"4\"/>\n",
        number(at.x),
        number(at.y)
    );
}

/// The length of an arrow's head.
const HEAD_LENGTH: f64 = 24.0;
/// Half the width of an arrow's head.
const HEAD_HALF: f64 = 12.0;

/// How an order is drawn.
#[derive(Clone, Copy)]
struct OrderLook {
    color: Rgb,
    fate: OrderFate,
}

/// The line of an arrow: waves for a convoyed move.
#[derive(Clone, Copy)]
enum Shaft {
    Smooth,
    Waves,
}

fn arrow(svg: &mut Orders, curve: &Curve, look: OrderLook, shaft: Shaft) {
    let OrderLook { color, fate } = look;
    let (Some(tip), Some(heading)) = (curve.end(), curve.heading()) else {
        return;
    };
    let straight = curve.clone().shortened(HEAD_LENGTH - 4.0);
    let line = match shaft {
        Shaft::Smooth => straight,
        Shaft::Waves => straight.waved(6.0, 30.0),
    };
    let dashes = match fate {
        OrderFate::Succeeded | OrderFate::Given => String::new(),
        OrderFate::Failed => broken(FAILED_DASHES),
        OrderFate::Doubtful => broken(DOUBTFUL_DASHES),
    };
    let back = tip.offset(heading, -HEAD_LENGTH + 5.0, 0.0);
    let left = tip.offset(heading, -HEAD_LENGTH, -HEAD_HALF);
    let right = tip.offset(heading, -HEAD_LENGTH, HEAD_HALF);
    let corner = |spot: Spot| format!("{} {}", number(spot.x), number(spot.y));
    let head = format!(
        "M{}L{}L{}L{}z",
        corner(tip),
        corner(left),
        corner(back),
        corner(right)
    );
    let path = line.path();
    add!(
        &mut svg.lines,
        "<path d=\"{path}{head}\" stroke=\"{HALO}\" stroke-width=\"10\" stroke-opacity=\"0.85\"/>\n"
    );
    add!(
        &mut svg.lines,
        "<path d=\"{path}\" stroke=\"{color}\" stroke-width=\"5.5\" stroke-linecap=\"butt\"{dashes}/>\n"
    );
    add!(
        &mut svg.marks,
        "<path d=\"{head}\" fill=\"{color}\" stroke=\"{color}\" stroke-width=\"1.5\"/>\n"
    );
    badge(&mut svg.marks, fate, curve.at(0.5));
}

fn support(svg: &mut Orders, curve: &Curve, look: OrderLook) {
    let OrderLook { color, fate } = look;
    let path = curve.path();
    add!(
        &mut svg.lines,
        "<path d=\"{path}\" stroke=\"{HALO}\" stroke-width=\"8\" stroke-opacity=\"0.8\"/>\n"
    );
    add!(
        &mut svg.lines,
        "<path d=\"{path}\" stroke=\"{color}\" stroke-width=\"6\"{}/>\n",
        broken(match fate {
            OrderFate::Doubtful => DOUBTFUL_DOTS,
            _ => DOTS,
        })
    );
    dot(svg, curve, color);
    badge(&mut svg.marks, fate, curve.at(0.5));
}

fn convoy(svg: &mut Orders, curve: &Curve, look: OrderLook) {
    let OrderLook { color, fate } = look;
    let path = curve.waved(6.0, 30.0).path();
    add!(
        &mut svg.lines,
        "<path d=\"{path}\" stroke=\"{HALO}\" stroke-width=\"8\" stroke-opacity=\"0.8\"/>\n"
    );
    add!(
        &mut svg.lines,
        "<path d=\"{path}\" stroke=\"{color}\" stroke-width=\"4\"{}/>\n",
        match fate {
            OrderFate::Doubtful => broken(DOUBTFUL_WAVES),
            _ => String::new(),
        }
    );
    dot(svg, curve, color);
    badge(&mut svg.marks, fate, curve.at(0.5));
}

fn dot(svg: &mut Orders, curve: &Curve, color: Rgb) {
    if let Some(end) = curve.end() {
        add!(
            &mut svg.lines,
            "<circle cx=\"{}\" cy=\"{}\" r=\"7\" fill=\"{color}\" stroke=\"{HALO}\" stroke-width=\"2\"/>\n",
            number(end.x),
            number(end.y)
        );
    }
}

/// The lengths of the parts of lines and of the gaps between them.
pub(super) const FAILED_DASHES: &str = "13 10";
pub(super) const DOUBTFUL_DASHES: &str = "4 9";
pub(super) const DOTS: &str = "0.1 11";
const DOUBTFUL_DOTS: &str = "0.1 21";
const DOUBTFUL_WAVES: &str = "9 8";

fn broken(lengths: &str) -> String {
    format!(" stroke-dasharray=\"{lengths}\"")
}

/// The mark on the line of an order that failed or is in doubt.
fn badge(svg: &mut String, fate: OrderFate, at: Option<Spot>) {
    match (fate, at) {
        (OrderFate::Failed, Some(at)) => failure(svg, at),
        (OrderFate::Doubtful, Some(at)) => doubt(svg, at),
        _ => {}
    }
}

/// The question mark on an order in doubt.
pub(super) fn doubt(svg: &mut String, at: Spot) {
    add!(
        svg,
        "<circle cx=\"{}\" cy=\"{}\" r=\"12\" fill=\"{HALO}\" stroke=\"{INK}\" stroke-width=\"2.5\"/>\n",
        number(at.x),
        number(at.y)
    );
    let style = Style {
        size: 21.0,
        color: INK,
        face: Face::Bold,
        anchor: Anchor::Middle,
    };
    text(svg, at.x, at.y + 7.5, style, "?");
}

/// The cross on a failed order.
fn failure(svg: &mut String, at: Spot) {
    let (x, y) = (number(at.x), number(at.y));
    add!(
        svg,
        "<g transform=\"translate({x} {y})\"><circle r=\"11\" fill=\"{HALO}\" stroke=\"{ALARM}\" stroke-width=\"2.5\"/><path d=\"M-5 -5L5 5M-5 5L5 -5\" stroke=\"{ALARM}\" stroke-width=\"4\"/></g>\n"
    );
}
