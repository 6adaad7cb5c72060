//! Orders: solid arrows for moves and retreats that succeeded or are given, dashed ones with a cross for those that failed; dotted
//! lines for supports, which end in a small head at the line of the move, or in a bar before the unit that is supported where it
//! stands; waves for convoys. The line of an order in doubt is broken, with a question mark.

use super::base_map::BaseMap;
use super::colors::{ALARM, HALO, INK, Rgb};
use super::curve::Curve;
use super::paint::style_of;
use super::pieces::Sink;
use super::places::{PieceLayout, Site};
use super::routes::{Course, Head, Routes, bar_half};
use super::spot::Spot;
use super::xml::{Anchor, Face, Style, add, number, text};
use dipjudge_rules::map::Location;
use dipjudge_rules::orders::Action;
use dipjudge_view::{Board, OrderFate, OrderOnBoard};

/// The drawn orders: lines, and above the names of provinces the heads of arrows.
pub(super) struct Orders {
    pub(super) lines: String,
    pub(super) heads: String,
}

/// All orders but their marks; supports lie below moves.
pub(super) fn orders(routed: &[OrderLine<'_>]) -> Orders {
    let mut svg = Orders {
        lines: "<g fill=\"none\" stroke-linejoin=\"round\" stroke-linecap=\"round\">\n".to_owned(),
        heads: String::new(),
    };
    // Moves are drawn above the others.
    for line in routed.iter().rev() {
        draw(&mut svg, line);
    }
    svg.lines.push_str("</g>\n");
    svg
}

/// The marks of orders that failed or are in doubt.
pub(super) fn marks(sink: &mut impl Sink, routed: &[OrderLine<'_>]) {
    for line in routed {
        if let Some(at) = line.mark {
            let look = OrderLook::of(line);
            sink.place(at, &|svg, at| badge(svg, look, at));
        }
    }
}

/// An order's line.
pub(super) struct OrderLine<'b> {
    pub(super) order: &'b OrderOnBoard,
    course: Course,
    pub(super) form: Form,
    /// Where a mark tells that the order failed or is in doubt.
    pub(super) mark: Option<Spot>,
    /// The place that the unit left, if nothing stands there.
    pub(super) left: Option<Spot>,
}

impl OrderLine<'_> {
    pub(super) fn curve(&self) -> &Curve {
        &self.course.curve
    }
}

#[cfg(test)]
impl OrderLine<'_> {
    /// The corners of what the line ends with.
    pub(super) fn head_corners(&self) -> Vec<Spot> {
        let (Some(tip), Some(heading)) = (self.curve().end(), self.curve().heading()) else {
            return Vec::new();
        };
        let half = bar_half(self.curve());
        let corners: &[(f64, f64)] = match self.form {
            Form::Move | Form::Convoyed => &[
                (0.0, 0.0),
                (-HEAD_LENGTH, -HEAD_HALF),
                (-HEAD_LENGTH + 5.0, 0.0),
                (-HEAD_LENGTH, HEAD_HALF),
            ],
            Form::SupportOfMove => &[
                (0.0, 0.0),
                (-SUPPORT_HEAD, -SUPPORT_HALF),
                (-SUPPORT_HEAD, SUPPORT_HALF),
            ],
            Form::SupportOfHold => &[(-1.0, -half), (-1.0, half), (-5.0, half), (-5.0, -half)],
            Form::Convoy => &[(-5.0, -5.0), (5.0, -5.0), (5.0, 5.0), (-5.0, 5.0)],
        };
        let corners = corners.iter();
        corners
            .map(|(on, right)| tip.offset(heading, *on, *right))
            .collect()
    }
}

/// What an order's line looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// An arrow.
    Move,
    /// An arrow in waves.
    Convoyed,
    /// Dots with a head.
    SupportOfMove,
    /// Dots with a bar.
    SupportOfHold,
    /// Waves with a dot.
    Convoy,
}

impl Form {
    fn head(self) -> Head {
        match self {
            Form::Move | Form::Convoyed => Head::Arrow,
            Form::SupportOfMove | Form::Convoy => Head::Small,
            Form::SupportOfHold => Head::Bar,
        }
    }
}

/// The lines of all orders, moves first. An order between places that are not drawn has none.
pub(super) fn routed<'b>(
    board: &'b Board,
    base_map: &BaseMap,
    places: &PieceLayout<'_>,
) -> Vec<OrderLine<'b>> {
    let is_move = |order: &&OrderOnBoard| {
        matches!(order.action, Action::Move { .. } | Action::Retreat { .. })
    };
    let (moves, others): (Vec<&OrderOnBoard>, Vec<&OrderOnBoard>) =
        board.orders.iter().partition(is_move);
    // Convoyed moves have the least choice.
    let (convoyed, moves): (Vec<&OrderOnBoard>, Vec<&OrderOnBoard>) = moves
        .into_iter()
        .partition(|order| matches!(&order.action, Action::Move { by, .. } if !by.is_empty()));
    let mut router = Router {
        board,
        places,
        routes: Routes::of(base_map, places),
        lines: Vec::new(),
    };
    router.add(convoyed.into_iter().chain(moves));
    router.improve(&[Form::Convoyed, Form::Move]);
    // Moves have their marks before supports crowd around them.
    router.add_marks();
    router.add(others);
    router.improve(&[Form::SupportOfMove, Form::SupportOfHold]);
    router.add_marks();
    router.lines
}

/// The lines that have their course.
struct Router<'b, 'm> {
    board: &'b Board,
    places: &'m PieceLayout<'m>,
    routes: Routes<'m>,
    lines: Vec<OrderLine<'b>>,
}

impl<'b> Router<'b, '_> {
    fn add(&mut self, orders: impl IntoIterator<Item = &'b OrderOnBoard>) {
        for order in orders {
            if let Some(line) = self.line(order) {
                let number = self.lines.len();
                self.routes.add_line(number, line.curve(), line.form.head());
                self.lines.push(line);
            }
        }
    }

    /// With all lines in place, some of these forms that did badly find a better way. Once supports point at moves, these stay.
    fn improve(&mut self, forms: &[Form]) {
        for number in 0..self.lines.len() {
            let Some(order) = self.lines.get(number).and_then(|line| {
                let may_change = forms.contains(&line.form);
                (may_change && line.course.is_bad()).then_some(line.order)
            }) else {
                continue;
            };
            self.routes.remove_line(number);
            let again = self.line(order);
            let Some(line) = self.lines.get_mut(number) else {
                continue;
            };
            if let Some(again) = again.filter(|again| again.course.is_better_than(&line.course)) {
                *line = again;
            }
            self.routes.add_line(number, line.curve(), line.form.head());
        }
    }

    /// Gives lines of orders that failed or are in doubt their marks, where they have none yet.
    fn add_marks(&mut self) {
        for line in self.lines.iter_mut().filter(|line| line.mark.is_none()) {
            if matches!(line.order.fate, OrderFate::Failed | OrderFate::Doubtful) {
                let first = matches!(line.form, Form::Move).then_some(line.order.from.province);
                line.mark = self.routes.point_for_mark(line.curve(), first);
                if let Some(mark) = line.mark {
                    self.routes.add_mark(mark);
                }
            }
        }
    }

    fn line(&self, order: &'b OrderOnBoard) -> Option<OrderLine<'b>> {
        line(self.board, self.places, &self.routes, &self.lines, order)
    }
}

fn line<'b>(
    board: &Board,
    places: &PieceLayout<'_>,
    routes: &Routes<'_>,
    lines: &[OrderLine<'b>],
    order: &'b OrderOnBoard,
) -> Option<OrderLine<'b>> {
    let from = places.beginning(order.from, order.whose)?;
    let new = |form, course, left| OrderLine {
        order,
        course,
        form,
        mark: None,
        left,
    };
    let left = |site: Site| (!site.has_piece).then_some(site.spot);
    Some(match &order.action {
        Action::Move { to, by } => {
            let end = places.end(*to, order.whose)?;
            if by.is_empty() {
                new(
                    Form::Move,
                    routes.between(from, end, Head::Arrow),
                    left(from),
                )
            } else {
                let course = convoyed(places, routes, order, *to, by, [from, end])?;
                new(Form::Convoyed, course, left(from))
            }
        }
        Action::Retreat { to } => {
            let from = places.site_aside(order.from, order.whose)?;
            let end = places.end(*to, order.whose)?;
            new(
                Form::Move,
                routes.between(from, end, Head::Arrow),
                left(from),
            )
        }
        Action::SupportHold { at } => {
            let course = routes.between(from, places.site(*at)?, Head::Bar);
            new(Form::SupportOfHold, course, None)
        }
        Action::SupportMove { from: other, to } => {
            let supported = line_of_move(lines, places, routes, *other, *to)?;
            let course = routes.joining(from, &supported, Head::Small);
            new(Form::SupportOfMove, course, None)
        }
        Action::Convoy { from: army, to } if board.is_in_move(order.from, *army, *to) => {
            return None;
        }
        Action::Convoy { from: army, to } => {
            let supported = line_of_move(lines, places, routes, *army, *to)?;
            new(
                Form::Convoy,
                routes.joining(from, &supported, Head::Small),
                None,
            )
        }
        // Nothing is drawn for them; units that come and go are drawn so.
        Action::Hold | Action::Disband | Action::Remove { .. } | Action::Waive => return None,
        Action::Build(never) | Action::Special(never) => match *never {},
    })
}

/// The line of an army over its fleets.
fn convoyed(
    places: &PieceLayout<'_>,
    routes: &Routes<'_>,
    order: &OrderOnBoard,
    to: Location,
    by: &[Location],
    [from, end]: [Site; 2],
) -> Option<Course> {
    let passed = by.iter().map(|at| at.province);
    let passed = passed.chain([order.from.province, to.province]).collect();
    routes.over_sea(from, end, &passed).or_else(|| {
        // The places of a diagram do not touch. The line passes beside the fleets.
        let over: Vec<Site> = by.iter().filter_map(|at| places.site(*at)).collect();
        let beside = |side: f64, away: f64| {
            let mut points = vec![from.spot];
            for (number, fleet) in over.iter().enumerate() {
                let before = points.last().copied().unwrap_or(from.spot);
                let next = over.get(number + 1).map_or(end.spot, |next| next.spot);
                let far = fleet.taken.half_width + away;
                let heading = before.direction(next);
                points.push(fleet.spot.offset(heading, 0.0, side * far));
            }
            points.push(end.spot);
            Curve::through(&points).between(Some(from.taken), Some(end.taken))
        };
        let curves = [12.0, 24.0, 40.0].into_iter();
        let curves = curves.flat_map(|away| [beside(1.0, away), beside(-1.0, away)]);
        routes.best_of(curves.collect(), from, end)
    })
}

/// The line of a move that is supported or convoyed, whether or not it was ordered.
fn line_of_move(
    lines: &[OrderLine<'_>],
    places: &PieceLayout<'_>,
    routes: &Routes<'_>,
    from: Location,
    to: Location,
) -> Option<Curve> {
    let goes = |order: &OrderOnBoard| {
        order.from.province == from.province
            && matches!(&order.action, Action::Move { to: there, .. } if there.province == to.province)
    };
    if let Some(line) = lines.iter().find(|line| goes(line.order)) {
        return Some(line.curve().clone());
    }
    let (from, to) = (places.site(from)?, places.site(to)?);
    Some(routes.between(from, to, Head::Arrow).curve)
}

fn draw(svg: &mut Orders, line: &OrderLine<'_>) {
    let look = OrderLook::of(line);
    if let Some(left) = line.left {
        origin(&mut svg.lines, left, look.color);
    }
    drawn(svg, line.curve(), line.form, look);
}

fn drawn(svg: &mut Orders, curve: &Curve, form: Form, look: OrderLook) {
    match form {
        Form::Move => arrow(svg, curve, look, Shaft::Smooth),
        Form::Convoyed => arrow(svg, curve, look, Shaft::Waves),
        Form::SupportOfMove | Form::SupportOfHold => support(svg, curve, look, form),
        Form::Convoy => convoy(svg, curve, look),
    }
}

/// A sample of a line, which begins a symbol's half width to the left of the point.
pub(super) fn sample(svg: &mut String, at: Spot, form: Form, fate: OrderFate) {
    let look = OrderLook { color: INK, fate };
    let end = |right| Spot {
        x: at.x + right,
        ..at
    };
    let curve = Curve::bent(end(-22.0), end(52.0), 0.0);
    let mut orders = Orders {
        lines: "<g fill=\"none\" stroke-linejoin=\"round\" stroke-linecap=\"round\">\n".to_owned(),
        heads: String::new(),
    };
    drawn(&mut orders, &curve, form, look);
    badge(&mut orders.heads, look, end(5.0));
    let Orders { lines, heads } = orders;
    add!(svg, "{lines}</g>\n{heads}");
}

/// Marks the place that a unit left.
pub(super) fn origin(svg: &mut String, at: Spot, color: Rgb) {
    add!(
        svg,
        "<circle cx=\"{}\" cy=\"{}\" r=\"7\" fill=\"{HALO}\" stroke=\"{color}\" stroke-width=\"4\"/>\n",
        number(at.x),
        number(at.y)
    );
}

/// The length of an arrow's head.
const HEAD_LENGTH: f64 = 24.0;
/// Half the width of an arrow's head.
const HEAD_HALF: f64 = 12.0;
/// The length of the head of a support.
const SUPPORT_HEAD: f64 = 17.0;
/// Half its width.
const SUPPORT_HALF: f64 = 9.0;

/// How an order is drawn.
#[derive(Clone, Copy)]
struct OrderLook {
    color: Rgb,
    fate: OrderFate,
}

impl OrderLook {
    fn of(line: &OrderLine<'_>) -> OrderLook {
        OrderLook {
            color: style_of(line.order.whose).line,
            fate: line.order.fate,
        }
    }
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
        &mut svg.heads,
        "<path d=\"{head}\" fill=\"{color}\" stroke=\"{color}\" stroke-width=\"1.5\"/>\n"
    );
}

fn support(svg: &mut Orders, curve: &Curve, look: OrderLook, form: Form) {
    let OrderLook { color, fate } = look;
    let (Some(tip), Some(heading)) = (curve.end(), curve.heading()) else {
        return;
    };
    let corner = |on, right| {
        let spot = tip.offset(heading, on, right);
        format!("{} {}", number(spot.x), number(spot.y))
    };
    let (end, back) = if form == Form::SupportOfHold {
        let half = bar_half(curve);
        (
            format!("M{}L{}", corner(-3.0, -half), corner(-3.0, half)),
            10.0,
        )
    } else {
        let tip = corner(0.0, 0.0);
        let (left, right) = (
            corner(-SUPPORT_HEAD, -SUPPORT_HALF),
            corner(-SUPPORT_HEAD, SUPPORT_HALF),
        );
        (format!("M{tip}L{left}L{right}z"), SUPPORT_HEAD)
    };
    let path = curve.clone().shortened(back).path();
    add!(
        &mut svg.lines,
        "<path d=\"{path}{end}\" stroke=\"{HALO}\" stroke-width=\"9\" stroke-opacity=\"0.85\"/>\n"
    );
    add!(
        &mut svg.lines,
        "<path d=\"{path}\" stroke=\"{color}\" stroke-width=\"6\"{}/>\n",
        broken(match fate {
            OrderFate::Doubtful => DOUBTFUL_DOTS,
            _ => DOTS,
        })
    );
    let (fill, width) = if form == Form::SupportOfHold {
        ("none".to_owned(), 8.0)
    } else {
        (color.to_string(), 1.5)
    };
    add!(
        &mut svg.heads,
        "<path d=\"{end}\" fill=\"{fill}\" stroke=\"{color}\" stroke-width=\"{}\"/>\n",
        number(width)
    );
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
const FAILED_DASHES: &str = "13 10";
const DOUBTFUL_DASHES: &str = "4 9";
const DOTS: &str = "0.1 11";
const DOUBTFUL_DOTS: &str = "0.1 21";
const DOUBTFUL_WAVES: &str = "9 8";

fn broken(lengths: &str) -> String {
    format!(" stroke-dasharray=\"{lengths}\"")
}

/// The mark on the line of an order that failed or is in doubt.
fn badge(svg: &mut String, look: OrderLook, at: Spot) {
    match look.fate {
        OrderFate::Failed => failure(svg, at, look.color),
        OrderFate::Doubtful => doubt(svg, at),
        _ => {}
    }
}

/// The question mark on an order in doubt.
fn doubt(svg: &mut String, at: Spot) {
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

/// The cross on a failed order, in a circle of its power's color.
fn failure(svg: &mut String, at: Spot, color: Rgb) {
    let (x, y) = (number(at.x), number(at.y));
    add!(
        svg,
        "<g transform=\"translate({x} {y})\"><circle r=\"11\" fill=\"{HALO}\" stroke=\"{color}\" stroke-width=\"3\"/><path d=\"M-5 -5L5 5M-5 5L5 -5\" fill=\"none\" stroke=\"{ALARM}\" stroke-width=\"4\" stroke-linecap=\"round\"/></g>\n"
    );
}

#[cfg(test)]
mod tests {
    use dipjudge_view::Owner;

    use super::*;
    use crate::testing::{at, board_at_start};

    fn order(
        whose: usize,
        from: &str,
        action: Action<dipjudge_view::DrawnLocations>,
    ) -> OrderOnBoard {
        OrderOnBoard {
            whose: Owner(Some(whose)),
            from: at(from),
            action,
            fate: OrderFate::Failed,
        }
    }

    fn moves(to: &str, by: &[&str]) -> Action<dipjudge_view::DrawnLocations> {
        Action::Move {
            to: at(to),
            by: by.iter().map(|over| at(over)).collect(),
        }
    }

    /// The lines of these orders on the standard board as its game begins.
    fn lines_of(orders: Vec<OrderOnBoard>, check: impl Fn(&BaseMap, &[OrderLine<'_>])) {
        let mut board = board_at_start("standard");
        board.orders = orders;
        let base_map = BaseMap::of(&board);
        let places = PieceLayout::of(&board, &base_map);
        check(&base_map, &routed(&board, &base_map, &places));
    }

    #[test]
    fn units_that_want_each_other_s_places_have_two_arrows() {
        let orders = vec![
            order(3, "MUN", moves("BER", &[])),
            order(3, "BER", moves("MUN", &[])),
        ];
        lines_of(orders, |_, lines| {
            let [one, other] =
                [&lines[0], &lines[1]].map(|line| line.curve().at(0.5).unwrap().spot);
            assert!(one.distance(other) > 12.0, "{one:?} {other:?}");
        });
    }

    #[test]
    fn a_convoyed_army_goes_over_the_sea_of_its_fleet() {
        let orders = vec![order(1, "YOR", moves("NWY", &["NTH"]))];
        lines_of(orders, |base_map, lines| {
            for spot in lines[0].curve().spots() {
                let region = base_map.grid.region_at(*spot).unwrap();
                let province = base_map.drawing.regions[region].province.unwrap();
                let way = ["YOR", "NTH", "NWY"].map(|name| at(name).province);
                assert!(way.contains(&province), "{spot:?} is in {province}");
            }
        });
    }

    #[test]
    fn a_support_ends_at_the_move_and_a_failed_move_is_marked_at_the_border() {
        let support = Action::SupportMove {
            from: at("MUN"),
            to: at("BUR"),
        };
        let orders = vec![order(3, "MUN", moves("BUR", &[])), order(2, "PAR", support)];
        lines_of(orders, |base_map, lines| {
            let end = lines[1].curve().end().unwrap();
            let spots = lines[0].curve().spots().iter();
            let far = spots
                .map(|spot| spot.distance(end))
                .fold(f64::MAX, f64::min);
            assert!(far < 60.0, "{far}");
            let mark = lines[0].mark.unwrap();
            let near = crate::rect::Rect::square(mark, 40.0);
            let met: std::collections::BTreeSet<_> = near
                .points()
                .filter_map(|spot| {
                    base_map.drawing.regions[base_map.grid.region_at(spot)?].province
                })
                .collect();
            assert!(
                met.contains(&at("MUN").province) && met.contains(&at("BUR").province),
                "{met:?}"
            );
        });
    }
}
