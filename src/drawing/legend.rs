//! The title above the map, and the legend below it: the powers and their colors, and the meaning of every symbol and line of the
//! picture, and of no others.

use std::collections::BTreeSet;

use super::arrows::{self, Form, OrderLine};
use super::colors::{FOG_LAND, INK};
use super::near::Seen;
use super::paint::{sample, style_of};
use super::pieces::{self, BOLD, Sink};
use super::spot::Spot;
use super::xml::{Anchor, Face, Style, add, number, text, width_of};
use dipjudge_rules::map::{Location, Province, UnitKind};
use dipjudge_view::{Board, OpenFor, OrderFate, Owner, Sign, UnitOnBoard, UnitState};

/// The height of the line above.
pub(super) const TITLE: i32 = 64;
/// The least width of a picture: what is below has room in it.
pub(super) const LEAST_WIDTH: i32 = 1200;
/// The height of a line below.
const LINE: i32 = 54;
/// The height of letters.
const LETTERS: f64 = 27.0;
/// Where lines begin.
const LEFT: f64 = 24.0;

/// The picture's title, at its upper edge.
pub(super) fn title(svg: &mut String, board: &Board, width: i32) {
    let room = f64::from(width) - 2.0 * LEFT;
    let style = Style {
        size: (room / BOLD / width_of(&board.title).max(0.1)).min(36.0),
        color: INK,
        face: Face::Bold,
        anchor: Anchor::Start,
    };
    text(svg, LEFT, 45.0, style, &board.title);
}

/// The powers of which the picture shows anything.
fn shown(seen: &Seen<'_>) -> Vec<usize> {
    let board = &seen.board;
    let units = board.units.iter().map(|unit| unit.whose);
    let signs = board.signs.iter().map(|sign| sign.whose);
    let owners = board.owners.values().copied();
    let orders = board.orders.iter().map(|order| order.whose);
    let holders = seen.holders.iter().copied();
    let shown: BTreeSet<Owner> = units
        .chain(signs)
        .chain(owners)
        .chain(orders)
        .chain(holders)
        .collect();
    shown.into_iter().filter_map(|whose| whose.0).collect()
}

/// The legend of a picture.
pub(super) struct Legend<'b> {
    board: &'b Board,
    powers: Vec<PowerEntry>,
    columns: Columns,
    key: Vec<PlacedEntry<'b>>,
}

/// A power and its words.
struct PowerEntry {
    number: usize,
    words: String,
}

/// The columns of the list of powers.
struct Columns {
    /// The width of an entry.
    width: f64,
    /// How many entries stand in a line.
    count: usize,
}

impl Columns {
    fn of(powers: &[PowerEntry], width: i32) -> Columns {
        let longest = powers.iter().map(|power| width_of(&power.words));
        let longest = longest.fold(0.0, f64::max).min(34.0);
        let entry = (longest * LETTERS + 90.0).max(200.0);
        let count = ((f64::from(width) - 48.0) / entry).floor().max(1.0);
        Columns {
            width: entry,
            count: count as usize,
        }
    }
}

impl<'b> Legend<'b> {
    pub(super) fn of(seen: &'b Seen<'_>, lines: &[OrderLine<'_>], width: i32) -> Legend<'b> {
        let board = &*seen.board;
        let powers = shown(seen).into_iter().filter_map(|number| {
            let power = board.powers.get(number)?;
            let owner = Owner(Some(number));
            let share = board
                .owners
                .values()
                .filter(|whose| **whose == owner)
                .count();
            // Of a part of a board the number would be wrong.
            let words = match (&board.in_sight, board.near) {
                (None, None) if share > 0 => format!("{}: {share}", power.label.as_str()),
                _ => power.label.as_str().to_owned(),
            };
            Some(PowerEntry { number, words })
        });
        let powers: Vec<PowerEntry> = powers.collect();
        Legend {
            board,
            columns: Columns::of(&powers, width),
            powers,
            key: Key::of(seen, lines).laid_out(width),
        }
    }

    fn power_lines(&self) -> i32 {
        self.powers.len().div_ceil(self.columns.count) as i32
    }

    /// The height of all that is below the map.
    pub(super) fn height(&self) -> i32 {
        let key = self.key.last().map_or(0, |last| last.line + 1);
        let note = i32::from(self.board.near.is_some());
        (self.power_lines() + key + note) * LINE + 28
    }

    /// Draws the legend below the map, whose lower edge is at `top`.
    pub(super) fn draw(&self, sink: &mut impl Sink, top: i32) {
        let first = f64::from(top + 40);
        for (place, power) in self.powers.iter().enumerate() {
            let x = LEFT + (place % self.columns.count) as f64 * self.columns.width;
            let y = first + (place / self.columns.count) as f64 * f64::from(LINE);
            let owner = Owner(Some(power.number));
            let symbol = Mark::Unit(UnitKind::ARMY, UnitState::Stands);
            sink.place(Spot { x: x + 24.0, y }, &|svg, at| {
                draw(svg, self.board, symbol, at, owner);
            });
            sink.place(Spot { x: x + 56.0, y }, &|svg, at| {
                words(svg, at.x, at.y, &power.words);
            });
        }
        let below = first + f64::from(self.power_lines() * LINE);
        for PlacedEntry { entry, x, line } in &self.key {
            let y = below + f64::from(line * LINE);
            sink.place(Spot { x: x + 24.0, y }, &|svg, at| {
                draw(svg, self.board, entry.mark, at, Owner::NOBODY);
            });
            let x = x + entry.mark.width();
            sink.place(Spot { x, y }, &|svg, at| {
                words(svg, at.x, at.y, entry.words);
            });
        }
        if self.board.near.is_some() {
            let y = f64::from(top + self.height() - LINE) + 12.0;
            sink.place(Spot { x: LEFT, y }, &|svg, at| {
                words(svg, at.x, at.y, "Your part of the map. MAP sends it whole.");
            });
        }
    }
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
    Order(OrderFate),
    Support(Form),
    Convoy,
    /// An army goes over fleets.
    Convoyed,
    Vacated,
    Standoff,
    Center,
    /// Land in which only a unit of this power stands.
    Held(Owner),
    Open(OpenFor),
    Fog,
    /// A unit that stands out of sight and is shown all the same.
    InFog(UnitKind),
    /// What a variant marks.
    Sign(&'b Sign),
}

impl Mark<'_> {
    fn width(self) -> f64 {
        match self {
            Mark::Order(_) | Mark::Support(_) | Mark::Convoy | Mark::Convoyed => 92.0,
            Mark::Center | Mark::Vacated => 44.0,
            _ => 58.0,
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
    /// The key of a picture: all marks that it has.
    fn of(seen: &'b Seen<'_>, lines: &[OrderLine<'_>]) -> Key<'b> {
        let board = &*seen.board;
        let mut key = Key(Vec::new());
        key.add_places(seen);
        key.add_kinds(board);
        key.add_states(board);
        key.add_orders(lines);
        if !board.standoffs.is_empty() {
            key.add(Mark::Standoff, "standoff");
        }
        let opens = |purpose| board.open.iter().any(|open| open.purpose == purpose);
        for (purpose, words) in [
            (OpenFor::Retreat, "open for a retreat"),
            (OpenFor::Build, "open for a build"),
        ] {
            if opens(purpose) {
                key.add(Mark::Open(purpose), words);
            }
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

    fn add_places(&mut self, seen: &Seen<'_>) {
        if seen.has_centers {
            self.add(Mark::Center, "center");
        }
        if let Some(holder) = seen.holders.first() {
            self.add(Mark::Held(*holder), "held by a unit");
        }
    }

    /// The kinds of which the board has units.
    fn add_kinds(&mut self, board: &'b Board) {
        for info in board.map.kinds() {
            let code = info.code();
            if board.units.iter().any(|unit| unit.kind == code) {
                let words = match code {
                    UnitKind::ARMY => "army",
                    UnitKind::FLEET => "fleet",
                    _ => &info.name,
                };
                self.add(Mark::Unit(code, UnitState::Stands), words);
            }
        }
    }

    fn add_states(&mut self, board: &Board) {
        for (states, words) in [
            (&[UnitState::Built][..], "built"),
            (&[UnitState::Dislodged], "dislodged"),
            (&[UnitState::Gone, UnitState::GoneWhenDislodged], "gone"),
        ] {
            let mut units = board.units.iter();
            if let Some(unit) = units.find(|unit| states.contains(&unit.state)) {
                self.add(Mark::Unit(unit.kind, unit.state), words);
            }
        }
    }

    fn add_orders(&mut self, lines: &[OrderLine<'_>]) {
        let forms = |form: Form| lines.iter().any(|line| line.form == form);
        let fates = |fate: OrderFate| lines.iter().any(|line| line.order.fate == fate);
        if forms(Form::Move) {
            self.add(Mark::Order(OrderFate::Given), "order");
        }
        if lines.iter().any(|line| line.left.is_some()) {
            self.add(Mark::Vacated, "left");
        }
        if fates(OrderFate::Failed) {
            self.add(Mark::Order(OrderFate::Failed), "failed");
        }
        if fates(OrderFate::Doubtful) {
            self.add(Mark::Order(OrderFate::Doubtful), "depends on others");
        }
        for (form, words) in [
            (Form::SupportOfMove, "support"),
            (Form::SupportOfHold, "support to hold"),
        ] {
            if forms(form) {
                self.add(Mark::Support(form), words);
            }
        }
        if forms(Form::Convoyed) {
            self.add(Mark::Convoyed, "by convoy");
        }
        if forms(Form::Convoy) {
            self.add(Mark::Convoy, "convoy");
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

/// Draws the sample of an entry; `at` is the middle of a symbol's sample.
fn draw(svg: &mut String, board: &Board, mark: Mark<'_>, at: Spot, whose: Owner) {
    match mark {
        Mark::Unit(kind, state) => symbol(svg, board, at, whose, kind, state),
        Mark::Order(fate) => arrows::sample(svg, at, Form::Move, fate),
        Mark::Support(form) => arrows::sample(svg, at, form, OrderFate::Given),
        Mark::Convoyed => arrows::sample(svg, at, Form::Convoyed, OrderFate::Given),
        Mark::Convoy => arrows::sample(svg, at, Form::Convoy, OrderFate::Given),
        Mark::Vacated => arrows::origin(
            svg,
            Spot {
                x: at.x - 10.0,
                ..at
            },
            INK,
        ),
        Mark::Standoff => pieces::standoff(svg, at),
        Mark::Center => pieces::empty_center(
            svg,
            Spot {
                x: at.x - 10.0,
                ..at
            },
        ),
        Mark::Held(owner) => swatch(svg, at, &style_of(owner).held.to_string()),
        Mark::Open(purpose) => pieces::open(svg, at, purpose),
        Mark::Fog => swatch(svg, at, &FOG_LAND.to_string()),
        Mark::InFog(kind) => {
            swatch(svg, at, &FOG_LAND.to_string());
            symbol(svg, board, at, whose, kind, UnitState::Stands);
        }
        Mark::Sign(sign) => pieces::sign_at(svg, at, sign),
    }
}

fn symbol(
    svg: &mut String,
    board: &Board,
    at: Spot,
    whose: Owner,
    kind: UnitKind,
    state: UnitState,
) {
    add!(
        svg,
        "<g transform=\"translate({} {})\">\n",
        number(at.x),
        number(at.y)
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

fn swatch(svg: &mut String, at: Spot, fill: &str) {
    add!(
        svg,
        "<rect x=\"{}\" y=\"{}\" width=\"46\" height=\"36\" fill=\"{fill}\" stroke=\"{INK}\"/>\n",
        number(at.x - 23.0),
        number(at.y - 18.0)
    );
}

#[cfg(test)]
mod tests {
    use crate::svg;
    use crate::testing::{board_at_start, board_of, busy_board};
    use dipjudge_rules::map::{Location, Map, Province, UnitKind};
    use dipjudge_view::{Owner, UnitOnBoard, UnitState};

    #[test]
    fn the_legend_explains_what_is_there_and_nothing_else() {
        let start = svg(&board_at_start("standard")).legend;
        for words in ["center", "army", "fleet", "Austria: 3"] {
            assert!(start.contains(words), "{words}");
        }
        for words in [
            "order",
            "failed",
            "support",
            "convoy",
            "dislodged",
            "standoff",
            "open for",
            "held by",
            "left",
        ] {
            assert!(!start.contains(words), "{words}");
        }
        let busy = svg(&busy_board()).legend;
        for words in [
            "order",
            "failed",
            "support to hold",
            "by convoy",
            "dislodged",
            "gone",
            "standoff",
            "held by",
            "left",
            "marked",
        ] {
            assert!(busy.contains(words), "{words}");
        }
    }

    #[test]
    fn a_map_without_centers_has_no_marks_of_any() {
        let without = Map::with_places("standard", "no centers\n").unwrap();
        let picture = svg(&board_of(without));
        assert!(!picture.legend.contains("center"));
        assert!(!picture.pieces.contains("r=\"9\""));
        assert!(svg(&board_at_start("standard")).pieces.contains("r=\"9\""));
    }

    #[test]
    fn a_fleet_at_sea_holds_no_land() {
        let mut board = board_at_start("standard");
        board.units = vec![UnitOnBoard {
            kind: UnitKind::FLEET,
            whose: Owner(Some(1)),
            at: Location::from(Province::literal(b"NTH")),
            state: UnitState::Stands,
        }];
        assert!(!svg(&board).legend.contains("held by"));
        board.units[0].at = Location::from(Province::literal(b"YOR"));
        assert!(svg(&board).legend.contains("held by"));
    }
}
