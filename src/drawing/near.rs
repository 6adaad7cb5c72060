//! A picture for a narrow screen: the surroundings of one power's pieces, so large that the names there can be read. Where the
//! pieces lie too far apart for its width, it has several windows, one below another.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::arrows::OrderLine;
use super::base_map::BaseMap;
use super::paint::holders;
use super::places::{Piece, PieceLayout, PlacedPiece};
use super::rect::Rect;
use super::region_grid::CELL;
use super::spot::Spot;
use dipjudge_rules::map::drawing::Drawing;
use dipjudge_rules::map::{Location, Province};
use dipjudge_view::{Board, OpenFor, Owner, Sign, SignLook, UnitOnBoard, UnitState};

/// The width of a window, in units of the drawing: on a screen of 360 points small names are 9 points high then.
pub(super) const WIDTH: i32 = 690;
/// The distance between two windows of a picture.
const GAP: i32 = 16;
/// What a window shows of the drawing beside the pieces, and above and below them, where there is more room.
const BESIDE: f64 = 50.0;
const ABOVE: f64 = 100.0;
/// By how much an edge is farther away at most, where it cuts less.
const LEEWAY: f64 = 80.0;
/// The least height of a window.
const LEAST_HEIGHT: f64 = 480.0;
/// So much height without any of the pieces parts a window in two.
const PARTING: f64 = 600.0;
/// The distance between two places that are tried for an edge.
const STEP: f64 = 8.0;

/// A part of the drawing that is shown, and where in the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window {
    /// Its left edge in the drawing.
    pub(super) left: i32,
    /// Its upper edge in the drawing.
    pub(super) top: i32,
    pub(super) height: i32,
    /// Its upper edge in the picture, below that of the first window.
    pub(super) place: i32,
}

impl Window {
    /// What it shows of the drawing.
    pub(super) fn rect(self) -> Rect {
        let (width, height) = (f64::from(WIDTH), f64::from(self.height));
        Rect {
            middle: Spot {
                x: f64::from(self.left) + width / 2.0,
                y: f64::from(self.top) + height / 2.0,
            },
            half_width: width / 2.0,
            half_height: height / 2.0,
        }
    }
}

/// The windows of a picture. There are none if it shows the whole drawing.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Windows(pub(super) Vec<Window>);

impl Windows {
    /// Those that a board asks for. A power without pieces has none.
    pub(super) fn of(
        board: &Board,
        base_map: &BaseMap,
        places: &PieceLayout<'_>,
        lines: &[OrderLine<'_>],
    ) -> Windows {
        let Some(own) = board.near else {
            return Windows::default();
        };
        let things = things_of(own, board, base_map, places, lines);
        let Drawing { width, height, .. } = base_map.drawing;
        if width <= WIDTH && !things.is_empty() {
            let left = (width - WIDTH) / 2;
            return Windows(vec![Window {
                left,
                top: 0,
                height,
                place: 0,
            }]);
        }
        let pieces = places.placed.iter().map(PlacedPiece::rect);
        let names = base_map.name_rects.iter().copied();
        let cutter = Cutter {
            width,
            height,
            whole: names
                .chain(base_map.center_rects())
                .chain(pieces)
                .chain(places.marks())
                .collect(),
        };
        let mut windows = Vec::new();
        let mut place = 0;
        for group in columns(things).into_iter().flat_map(parted) {
            let window = cutter.window(Rect::around_all(&group), place);
            place += window.height + GAP;
            windows.push(window);
        }
        Windows(windows)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The height of all windows, one below another.
    pub(super) fn height(&self) -> i32 {
        self.0.last().map_or(0, |last| last.place + last.height)
    }

    /// Whether any part of a rectangle is shown.
    fn show(&self, rect: Rect) -> bool {
        self.0.iter().any(|window| window.rect().overlaps(rect))
    }

    /// The provinces of which something is shown.
    fn provinces(&self, base_map: &BaseMap) -> BTreeSet<Province> {
        let mut shown = BTreeSet::new();
        for window in &self.0 {
            for x in (window.left..window.left + WIDTH).step_by(CELL as usize) {
                for y in (window.top..window.top + window.height).step_by(CELL as usize) {
                    let region = base_map.grid.region_at(Spot {
                        x: f64::from(x),
                        y: f64::from(y),
                    });
                    let region = region.and_then(|region| base_map.drawing.regions.get(region));
                    shown.extend(region.and_then(|region| region.province));
                }
            }
        }
        shown
    }

    /// Whether something of an order's line is shown.
    pub(super) fn show_line(&self, line: &OrderLine<'_>) -> bool {
        let mut spots = line.curve().spots().iter();
        spots.any(|spot| self.show(Rect::square(*spot, 0.0)))
    }

    /// What is shown of a board, for the legend.
    pub(super) fn seen<'b>(
        &self,
        board: &'b Board,
        base_map: &BaseMap,
        places: &PieceLayout<'_>,
        lines: &[OrderLine<'_>],
    ) -> Seen<'b> {
        let mut centers = base_map.center_rects();
        if self.is_empty() {
            let mut seen = Cow::Borrowed(board);
            if board.near.is_some() {
                seen.to_mut().near = None;
            }
            return Seen {
                board: seen,
                has_centers: centers.next().is_some(),
                holders: holders(board, base_map, |_| true),
            };
        }
        let provinces = self.provinces(base_map);
        Seen {
            board: Cow::Owned(self.part(board, &provinces, base_map, places, lines)),
            has_centers: centers.any(|center| self.show(center)),
            holders: holders(board, base_map, |province| provinces.contains(&province)),
        }
    }

    /// What the windows show of a board.
    fn part(
        &self,
        board: &Board,
        provinces: &BTreeSet<Province>,
        base_map: &BaseMap,
        places: &PieceLayout<'_>,
        lines: &[OrderLine<'_>],
    ) -> Board {
        let mut seen = board.clone();
        let is_shown = |at: Location| {
            let room = base_map.rooms.standing(at);
            room.is_some_and(|room| self.show(room.rect()))
        };
        let shown: Vec<Piece<'_>> = places
            .placed
            .iter()
            .filter(|placed| self.show(placed.rect()))
            .map(|placed| placed.piece)
            .collect();
        let is_drawn = |unit: &UnitOnBoard| {
            let mut pieces = shown.iter();
            pieces.any(|piece| matches!(piece, Piece::Unit(drawn, _) if *drawn == unit))
        };
        let is_marked = |sign: &Sign| match sign.look {
            SignLook::Stripes => provinces.contains(&sign.at),
            SignLook::Token => shown.contains(&Piece::Token(sign)),
            SignLook::Fort => {
                let center = base_map.center_rect(sign.at);
                center.is_some_and(|center| self.show(center))
            }
            SignLook::Ring | SignLook::Cross => is_shown(Location::from(sign.at)),
        };
        seen.in_sight = seen.in_sight.filter(|seen| !provinces.is_subset(seen));
        seen.owners.retain(|center, _| provinces.contains(center));
        seen.units.retain(is_drawn);
        seen.orders = lines.iter().map(|line| line.order.clone()).collect();
        seen.standoffs.retain(|at| is_shown(Location::from(*at)));
        seen.open.retain(|open| is_shown(open.at));
        seen.signs.retain(is_marked);
        seen
    }
}

/// What a picture shows of a board.
pub(super) struct Seen<'b> {
    pub(super) board: Cow<'b, Board>,
    pub(super) has_centers: bool,
    /// The powers whose units color land.
    pub(super) holders: BTreeSet<Owner>,
}

/// What a power has on a board: its units and their provinces, its centers, its marks, the places to which its units can retreat, and
/// where the lines of its orders begin and end.
fn things_of(
    own: Owner,
    board: &Board,
    base_map: &BaseMap,
    places: &PieceLayout<'_>,
    lines: &[OrderLine<'_>],
) -> Vec<Rect> {
    let mut things = Vec::new();
    let mut provinces: BTreeSet<Province> = board
        .owners
        .iter()
        .filter(|(_, whose)| **whose == own)
        .map(|(center, _)| *center)
        .collect();
    for placed in &places.placed {
        let whose = match placed.piece {
            Piece::Unit(unit, _) => unit.whose,
            Piece::Token(sign) => sign.whose,
        };
        if whose == own {
            things.push(placed.rect());
            provinces.insert(placed.province);
        }
    }
    let dislodged = |unit: &&UnitOnBoard| unit.whose == own && unit.state == UnitState::Dislodged;
    for unit in board.units.iter().filter(dislodged) {
        let near = board.map.neighbors(unit.at.province);
        let open = board
            .open
            .iter()
            .filter(|open| open.purpose == OpenFor::Retreat && near.contains(&open.at.province));
        for open in open {
            provinces.insert(open.at.province);
            let room = base_map.rooms.standing(open.at);
            things.extend(room.map(|room| room.rect()));
        }
    }
    let drawing = &base_map.drawing;
    for (province, name) in drawing.places.keys().zip(&base_map.name_rects) {
        if let Some(room) = base_map.rooms.standing(Location::from(*province))
            && provinces.contains(province)
        {
            things.push(Rect::around_all(&[room.rect(), *name]));
        }
    }
    for line in lines.iter().filter(|line| line.order.whose == own) {
        let spots = line.curve().spots();
        let ends = spots.first().into_iter().chain(spots.last());
        things.extend(ends.map(|end| Rect::square(*end, 0.0)));
    }
    things
}

/// What stands close enough together for the width of a window, from the west to the east.
fn columns(mut things: Vec<Rect>) -> Vec<Vec<Rect>> {
    things.sort_by(|one, other| one.left().total_cmp(&other.left()));
    let mut columns: Vec<Vec<Rect>> = Vec::new();
    for thing in things {
        match columns.last_mut() {
            Some(column)
                if column.first().is_some_and(|first| {
                    thing.right() - first.left() <= f64::from(WIDTH) - 2.0 * BESIDE
                }) =>
            {
                column.push(thing);
            }
            _ => columns.push(vec![thing]),
        }
    }
    columns
}

/// A column without the parts of it in which there is nothing.
fn parted(mut column: Vec<Rect>) -> Vec<Vec<Rect>> {
    column.sort_by(|one, other| one.top().total_cmp(&other.top()));
    let mut groups: Vec<Vec<Rect>> = Vec::new();
    let mut bottom = f64::MIN;
    for thing in column {
        match groups.last_mut() {
            Some(group) if thing.top() - bottom < PARTING => group.push(thing),
            _ => groups.push(vec![thing]),
        }
        bottom = bottom.max(thing.bottom());
    }
    groups
}

/// Cuts windows out of a drawing.
struct Cutter {
    width: i32,
    height: i32,
    /// What is better not cut.
    whole: Vec<Rect>,
}

impl Cutter {
    /// A window around these things, whose edges cut as few names and pieces as possible.
    fn window(&self, around: Rect, place: i32) -> Window {
        let spare = (LEAST_HEIGHT / 2.0 - around.half_height - ABOVE).max(0.0);
        let around = around.heightened(ABOVE + spare);
        let across = f64::from(WIDTH);
        let leeway = (across / 2.0 - around.half_width - BESIDE / 2.0).clamp(0.0, LEEWAY);
        let last = f64::from(self.width - WIDTH);
        let left = best(around.middle.x - across / 2.0, leeway, last, |left| {
            let is_cut = |rect: &Rect, edge| rect.left() < edge && rect.right() > edge;
            self.cut(|rect| {
                rect.bottom() > around.top()
                    && rect.top() < around.bottom()
                    && (is_cut(rect, left) || is_cut(rect, left + across))
            })
        });
        let edge = |at: f64| {
            best(at, ABOVE / 2.0, f64::from(self.height), |edge| {
                self.cut(|rect| {
                    rect.right() > left
                        && rect.left() < left + across
                        && rect.top() < edge
                        && rect.bottom() > edge
                })
            })
        };
        let (top, bottom) = (edge(around.top()), edge(around.bottom()));
        Window {
            left: left as i32,
            top: top as i32,
            height: (bottom - top) as i32,
            place,
        }
    }

    fn cut(&self, is_cut: impl Fn(&Rect) -> bool) -> usize {
        self.whole.iter().filter(|rect| is_cut(rect)).count()
    }
}

/// The place near another one, from 0 to the last, at which the fewest things are cut; of several the nearest.
fn best(near: f64, leeway: f64, last: f64, cuts: impl Fn(f64) -> usize) -> f64 {
    let steps = (leeway / STEP) as i32;
    let steps = (0..=steps).flat_map(|step| [step, -step]);
    let places = steps.map(|step| (near + f64::from(step) * STEP).clamp(0.0, last).round());
    let best = places.min_by_key(|place| cuts(*place));
    best.unwrap_or(near)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::base_map::name_size;
    use super::super::legibility::boards::random_board;
    use super::super::testing::{board_at_start, busy_board};
    use super::super::{Svg, arrows, png, svg};
    use super::*;
    use dipjudge_rules::map::Map;

    /// The width of a mail's text on a screen of 360 points.
    const SCREEN: f64 = 336.0;
    /// The least size of letters that are read without effort, in points.
    const READABLE: f64 = 9.0;
    /// No picture of a mail is larger, in bytes.
    const LARGEST: usize = 150_000;
    /// How many random boards are drawn.
    const RANDOM: u64 = 12;

    fn near(board: &Board, own: usize) -> Board {
        Board {
            near: Some(Owner(Some(own))),
            ..board.clone()
        }
    }

    /// Each power of each map at the start, and powers of random boards.
    fn boards() -> Vec<(String, Board)> {
        let maps = Map::names().map(|map| (map.to_owned(), board_at_start(map)));
        let starts = maps.flat_map(|(name, board)| {
            let powers = 0..board.powers.len();
            powers.map(move |own| (format!("{name}-{own}"), near(&board, own)))
        });
        let random =
            (0..RANDOM).map(|seed| (format!("random-{seed}"), near(&random_board(seed), 0)));
        let busy = [1, 2].map(|own| (format!("busy-{own}"), near(&busy_board(), own)));
        starts.chain(busy).chain(random).collect()
    }

    /// `DIPJUDGE_LOOK=FOLDER` writes the pictures there, to be looked at.
    #[test]
    fn what_is_ones_own_is_shown_whole_and_its_names_are_readable() {
        let look = std::env::var_os("DIPJUDGE_LOOK");
        for (name, board) in boards() {
            let base_map = BaseMap::of(&board);
            let places = PieceLayout::of(&board, &base_map);
            let lines = arrows::routed(&board, &base_map, &places);
            let windows = Windows::of(&board, &base_map, &places, &lines);
            let own = things_of(board.near.unwrap(), &board, &base_map, &places, &lines);
            let picture = svg(&board);
            assert_eq!(picture.is_near(), !own.is_empty(), "{name}");
            for thing in own {
                let holds = |window: &Window| window.rect().holds(thing);
                assert!(
                    windows.0.iter().any(holds),
                    "{name}: {thing:?} in {windows:?}"
                );
            }
            let drawing = &base_map.drawing;
            for place in drawing.places.values().filter(|_| picture.is_near()) {
                let size = name_size(&place.name) * SCREEN / f64::from(WIDTH);
                assert!(size >= READABLE, "{name}: {:?} is {size} high", place.name);
            }
            for window in &windows.0 {
                let end = window.top + window.height;
                assert!(
                    window.top >= 0 && end <= drawing.height,
                    "{name}: {window:?}"
                );
                assert!(
                    drawing.width < WIDTH || window.left >= 0,
                    "{name}: {window:?}"
                );
                assert!(
                    window.left + WIDTH <= drawing.width.max(WIDTH),
                    "{name}: {window:?}"
                );
            }
            let is_shown = |center: Rect| {
                let mut shown = windows.0.iter();
                windows.is_empty() || shown.any(|window| window.rect().overlaps(center))
            };
            assert_eq!(
                picture.legend.contains(">center<"),
                base_map.center_rects().any(is_shown),
                "{name}"
            );
            let file = png(&picture).unwrap().png;
            assert!(file.len() < LARGEST, "{name}: {} bytes", file.len());
            if let Some(folder) = &look {
                std::fs::write(Path::new(folder).join(format!("near-{name}.png")), file).unwrap();
            }
        }
    }

    #[test]
    fn the_legend_explains_what_is_shown_and_nothing_else() {
        let of = |own| svg(&near(&busy_board(), own)).legend;
        let (england, turkey) = (of(1), of(6));
        for words in [
            "England<",
            "support to hold",
            "by convoy",
            "failed",
            "MAP sends it whole",
        ] {
            assert!(england.contains(words), "{words}");
        }
        assert!(!england.contains("Turkey"));
        assert!(turkey.contains("Turkey<"));
        for words in [
            "England", "support", "convoy", "failed", "standoff", "marked",
        ] {
            assert!(!turkey.contains(words), "{words}");
        }
    }

    #[test]
    fn a_power_that_has_nothing_on_the_board_gets_the_whole() {
        let mut board = board_at_start("standard");
        let whole = svg(&board).text();
        board.units.retain(|unit| unit.whose != Owner(Some(3)));
        board.owners.retain(|_, whose| *whose != Owner(Some(3)));
        let without = svg(&board).text();
        assert_eq!(svg(&near(&board, 3)).text(), without);
        assert_ne!(without, whole);
        assert_ne!(svg(&near(&board, 2)).text(), without);
    }

    #[test]
    fn names_that_an_edge_would_cut_are_left_out() {
        let picture: Svg = svg(&near(&board_at_start("standard"), 6));
        let text = picture.text();
        assert!(text.contains(">Ankara<") && text.contains(">Smyrna<"));
        assert!(!text.contains(">Norway<"));
    }
}
