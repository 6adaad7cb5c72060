//! The legibility of pictures, measured on random boards: units, heads of arrows and names are counted in the points of the picture,
//! and lines are held against units and one another.
//!
//! `DIPJUDGE_BOARDS=10000 cargo test --release -p dipjudge-drawing legibility` draws as many boards as are asked for;
//! `DIPJUDGE_LOOK=FOLDER` writes those with faults there, to be looked at.

use std::collections::BTreeMap;
use std::path::Path;

use dipjudge_rules::map::{Location, Map, Travel, UnitKind};
use dipjudge_rules::orders::Action;
use dipjudge_view::{
    Board, OpenFor, OpenPlace, OrderFate, OrderOnBoard, Owner, Sign, SignLook, UnitOnBoard,
    UnitState,
};

use super::arrows::{self, OrderLine};
use super::base_map::BaseMap;
use super::colors::{INK, Rgb, SEA_NAME};
use super::paint::style_of;
use super::places::{Piece, PieceLayout, PlacedPiece};
use super::raster::drawn;
use super::rect::Rect;
use super::spot::Spot;
use super::testing::board_at_start;
use super::{legend, svg};

/// How many boards are drawn if the environment names no number.
const FEW: usize = 24;
/// How many supports one move has at most.
const MANY_SUPPORTS: usize = 34;
/// The width of the pictures, in points.
const WIDTH: u32 = 1200;

/// Random numbers that are the same each time (SplitMix64).
struct Chance(u64);

impl Chance {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % count.max(1) as u64) as usize
    }

    /// True once in so many times.
    fn once_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    fn one<'t, T>(&mut self, of: &'t [T]) -> Option<&'t T> {
        of.get(self.below(of.len()))
    }
}

/// A board with units in up to every second province, each with an order of any kind.
fn random_board(seed: u64) -> Board {
    let mut chance = Chance(seed);
    let names: Vec<&str> = Map::names().collect();
    let name = *chance.one(&names).unwrap();
    let mut board = board_at_start(name);
    board.title = format!("{name}, {seed}");
    board.units.clear();
    let count = board.powers.len().max(1);
    let density = 2 + chance.below(5);
    for info in board.map.provinces() {
        if info.center && chance.once_in(2) {
            board
                .owners
                .insert(info.code, Owner(Some(chance.below(count))));
        }
        if info.shared || !chance.once_in(density) {
            continue;
        }
        let (kind, travel) = if chance.once_in(2) {
            (UnitKind::ARMY, Travel::Land)
        } else {
            (UnitKind::FLEET, Travel::Sea)
        };
        let stations = board.map.stations(travel, info.code);
        let Some(at) = chance.one(&stations).copied() else {
            continue;
        };
        board.units.push(UnitOnBoard {
            kind,
            whose: Owner(Some(chance.below(count))),
            at,
            state: UnitState::Stands,
        });
    }
    add_orders(&mut board, &mut chance);
    add_marks(&mut board, &mut chance);
    if chance.once_in(6) {
        let provinces = board.map.provinces().iter().map(|info| info.code);
        board.in_sight = Some(provinces.filter(|_| !chance.once_in(3)).collect());
    }
    board
}

fn travel_of(unit: &UnitOnBoard) -> Travel {
    if unit.kind == UnitKind::ARMY {
        Travel::Land
    } else {
        Travel::Sea
    }
}

fn add_orders(board: &mut Board, chance: &mut Chance) {
    let mut moves: Vec<(Location, Location)> = Vec::new();
    let many_supports = chance.once_in(12);
    let units = board.units.clone();
    let mut gone: Vec<usize> = Vec::new();
    for (number, unit) in units.iter().enumerate() {
        let reach = board.map.reach(travel_of(unit), unit.at);
        let is_mover = !many_supports || moves.is_empty();
        let fate = [OrderFate::Succeeded, OrderFate::Failed][chance.below(2)];
        let Some(to) = chance
            .one(reach)
            .copied()
            .filter(|_| is_mover && chance.once_in(2))
        else {
            continue;
        };
        moves.push((unit.at, to));
        let stands = board
            .units
            .iter()
            .any(|other| other.at.province == to.province);
        let fate = if stands { OrderFate::Failed } else { fate };
        if fate == OrderFate::Succeeded {
            gone.push(number);
            board.units[number].at = to;
        }
        board.orders.push(OrderOnBoard {
            whose: unit.whose,
            from: unit.at,
            action: Action::Move { to, by: Vec::new() },
            fate,
        });
    }
    let mut left_of_many = MANY_SUPPORTS;
    for (number, unit) in units.iter().enumerate() {
        let ordered = board.orders.iter().any(|order| order.from == unit.at);
        if ordered || gone.contains(&number) {
            continue;
        }
        let reach = board.map.reach(travel_of(unit), unit.at);
        let near = |to: &Location| reach.iter().any(|one| one.province == to.province);
        let supported: Vec<_> = moves
            .iter()
            .filter(|(_, to)| (many_supports && left_of_many > 0) || near(to))
            .collect();
        left_of_many = left_of_many.saturating_sub(1);
        let fate = if chance.once_in(4) {
            OrderFate::Failed
        } else {
            OrderFate::Succeeded
        };
        let action = if let Some((from, to)) = chance.one(&supported) {
            Action::SupportMove {
                from: *from,
                to: *to,
            }
        } else {
            let neighbors = board
                .units
                .iter()
                .filter(|other| near(&other.at) && other.at != unit.at);
            let neighbors: Vec<Location> = neighbors.map(|other| other.at).collect();
            match chance.one(&neighbors) {
                Some(at) if chance.once_in(2) => Action::SupportHold { at: *at },
                _ => continue,
            }
        };
        board.orders.push(OrderOnBoard {
            whose: unit.whose,
            from: unit.at,
            action,
            fate,
        });
    }
}

fn add_marks(board: &mut Board, chance: &mut Chance) {
    for unit in &mut board.units {
        if chance.once_in(12) {
            unit.state = [UnitState::Built, UnitState::Gone, UnitState::Dislodged][chance.below(3)];
        }
    }
    let empty = |board: &Board, at| board.units.iter().all(|unit| unit.at.province != at);
    for info in board.map.provinces() {
        if info.shared || !empty(board, info.code) {
            continue;
        }
        if chance.once_in(14) {
            board.standoffs.insert(info.code);
        } else if chance.once_in(20) {
            let purpose = [OpenFor::Retreat, OpenFor::Build][chance.below(2)];
            board.open.insert(OpenPlace {
                at: Location::from(info.code),
                purpose,
            });
        } else if chance.once_in(20) {
            let look = [SignLook::Token, SignLook::Stripes, SignLook::Fort][chance.below(3)];
            board.signs.push(Sign {
                at: info.code,
                look,
                text: "BORG".to_owned(),
                whose: Owner::NOBODY,
                meaning: "marked",
            });
        }
    }
}

/// Something that is wrong with a picture, and where.
#[derive(Clone, Copy, Debug)]
struct Fault {
    kind: FaultKind,
    at: Spot,
}

impl FaultKind {
    fn at(self, at: Spot) -> Fault {
        Fault { kind: self, at }
    }
}

/// What is wrong with a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum FaultKind {
    /// Most of a unit is not seen.
    Unit,
    /// Most of the head of an arrow is not seen.
    Head,
    /// Most of a name is not seen.
    Name,
    /// A line leads through a unit that has nothing to do with it.
    ThroughUnit,
    /// Two lines run along one another.
    Along,
}

/// The points of a picture, by place on the map.
struct Points {
    colors: Vec<[u8; 4]>,
    scale: f64,
    left: f64,
}

impl Points {
    /// The number of points of this color within a rectangle.
    fn count(&self, rect: Rect, color: Rgb) -> usize {
        let column = |x: f64| {
            ((x + self.left) * self.scale)
                .round()
                .clamp(0.0, f64::from(WIDTH)) as usize
        };
        let row = |y: f64| {
            ((y + f64::from(legend::TITLE)) * self.scale)
                .round()
                .max(0.0) as usize
        };
        let (left, right) = (
            column(rect.middle.x - rect.half_width),
            column(rect.middle.x + rect.half_width),
        );
        let (top, bottom) = (
            row(rect.middle.y - rect.half_height),
            row(rect.middle.y + rect.half_height),
        );
        let Rgb(red, green, blue) = color;
        let is_it = |point: &&[u8; 4]| [point[0], point[1], point[2]] == [red, green, blue];
        (top..bottom)
            .filter_map(|row| {
                self.colors
                    .get(row * WIDTH as usize + left..row * WIDTH as usize + right)
            })
            .map(|points| points.iter().filter(is_it).count())
            .sum()
    }

    fn of(board: &Board) -> Points {
        let picture = svg(board);
        let pixmap = drawn(&picture, WIDTH).unwrap();
        Points {
            colors: pixmap.data().as_chunks::<4>().0.to_vec(),
            scale: f64::from(WIDTH) / f64::from(picture.width),
            left: f64::from((picture.width - picture.base_map.drawing.width) / 2),
        }
    }
}

/// Measures pictures against ones with nothing on them.
struct Judge {
    /// By map: the points of its names.
    empty: BTreeMap<&'static str, Points>,
}

impl Judge {
    fn faults(&mut self, board: &Board) -> Vec<Fault> {
        let base_map = BaseMap::of(board);
        let places = PieceLayout::of(board, &base_map);
        let lines = arrows::routed(board, &base_map, &places);
        let points = Points::of(board);
        let mut faults = Vec::new();
        for placed in &places.placed {
            if let Piece::Unit(unit, _) = placed.piece
                && unit.state == UnitState::Stands
            {
                let side = points.scale * placed.room.scale;
                let seen = points.count(placed.rect(), style_of(unit.whose).unit);
                // A third of the least body of a unit, in which letters stand.
                if (seen as f64) < 80.0 * side * side {
                    faults.push(FaultKind::Unit.at(placed.rect().middle));
                }
            }
        }
        for line in &lines {
            if let Some(tip) = line.curve.end() {
                let color = style_of(line.order.whose).line;
                let seen = points.count(Rect::square(tip, 24.0), color) as f64;
                if seen < 45.0 * points.scale * points.scale {
                    faults.push(FaultKind::Head.at(tip));
                }
            }
        }
        faults.extend(self.hidden_names(board, &base_map, &points));
        faults.extend(through_units(&lines, &places));
        faults.extend(along(&lines, points.scale));
        faults
    }

    fn hidden_names(&mut self, board: &Board, base_map: &BaseMap, points: &Points) -> Vec<Fault> {
        let empty = self.empty.entry(board.map.name()).or_insert_with(|| {
            let mut empty = board.clone();
            (empty.units, empty.orders, empty.signs) = (Vec::new(), Vec::new(), Vec::new());
            empty.owners.clear();
            empty.standoffs.clear();
            empty.open.clear();
            empty.in_sight = None;
            Points::of(&empty)
        });
        let letters =
            |points: &Points, rect: Rect| points.count(rect, INK) + points.count(rect, SEA_NAME);
        let names = base_map.name_rects.iter();
        let hidden = names.filter(|rect| letters(points, **rect) * 10 < letters(empty, **rect) * 6);
        hidden.map(|rect| FaultKind::Name.at(rect.middle)).collect()
    }
}

fn through_units(lines: &[OrderLine<'_>], places: &PieceLayout<'_>) -> Vec<Fault> {
    let mut faults = Vec::new();
    for line in lines {
        let (Some(first), Some(last)) = (line.curve.spots().first(), line.curve.end()) else {
            continue;
        };
        for rect in places.placed.iter().map(PlacedPiece::rect) {
            let is_end = rect.grown(8.0).contains(*first) || rect.grown(8.0).contains(last);
            let inside = line
                .curve
                .spots()
                .iter()
                .filter(|spot| rect.grown(-4.0).contains(**spot));
            if !is_end && inside.count() > 1 {
                faults.push(FaultKind::ThroughUnit.at(rect.middle));
            }
        }
    }
    faults
}

/// The beginning of the move that a line supports.
fn supported<'o>(line: &OrderLine<'o>) -> Option<&'o Location> {
    match &line.order.action {
        Action::SupportMove { from, .. } => Some(from),
        _ => None,
    }
}

/// Lines that are nearer to one another than 6 points for more than 12, in about the same direction.
fn along(lines: &[OrderLine<'_>], scale: f64) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (number, one) in lines.iter().enumerate() {
        for other in &lines[number + 1..] {
            // Supports of one move meet at it.
            if supported(one).is_some() && supported(one) == supported(other) {
                continue;
            }
            let close = close_stretch(one.curve.spots(), other.curve.spots(), 6.0 / scale);
            if let Some(at) = close.begin
                && close.length > 12.0 / scale
            {
                faults.push(FaultKind::Along.at(at));
            }
        }
    }
    faults
}

/// The stretches of a line that run along another one.
#[derive(Default)]
struct CloseStretch {
    length: f64,
    begin: Option<Spot>,
}

fn close_stretch(one: &[Spot], other: &[Spot], near: f64) -> CloseStretch {
    let mut close = CloseStretch::default();
    if !Rect::around(one).grown(near).overlaps(Rect::around(other)) {
        return close;
    }
    for pair in one.windows(2) {
        let heading = pair[0].direction(pair[1]);
        let middle = pair[0].toward(pair[1], 0.5);
        let is_near = other.windows(2).any(|pair| {
            middle.distance_to_line(pair[0], pair[1]) < near
                && pair[0].direction(pair[1]).is_along(heading, 0.94)
        });
        if is_near {
            close.length += pair[0].distance(pair[1]);
            close.begin.get_or_insert(middle);
        }
    }
    close
}

#[test]
fn random_boards_are_legible() {
    let asked = std::env::var("DIPJUDGE_BOARDS")
        .ok()
        .and_then(|count| count.parse().ok());
    let boards: usize = asked.unwrap_or(FEW);
    let look = std::env::var_os("DIPJUDGE_LOOK");
    if let Some(look) = &look {
        let mut all: Vec<Board> = Map::names().map(board_at_start).collect();
        all.push(super::testing::busy_board());
        for (number, board) in all.iter().enumerate() {
            let file = Path::new(look).join(format!("start-{number}.png"));
            let begin = std::time::Instant::now();
            let first = svg(board);
            let cold = begin.elapsed();
            let begin = std::time::Instant::now();
            let _ = svg(board);
            let warm = begin.elapsed();
            std::fs::write(file, super::png(&first).unwrap().png).unwrap();
            let begin = std::time::Instant::now();
            super::png(&first).unwrap();
            println!(
                "width {} {} {}\n{}: svg {cold:?} {warm:?}, png {:?}",
                board.map.name(),
                first.width,
                first.base_map.drawing.width,
                board.map.name(),
                begin.elapsed()
            );
        }
    }
    let mut judge = Judge {
        empty: BTreeMap::new(),
    };
    let mut counts: BTreeMap<FaultKind, usize> = BTreeMap::new();
    let (mut things, mut faulty) = (0, 0);
    for seed in 0..boards as u64 {
        let board = random_board(seed);
        let faults = judge.faults(&board);
        things += board.units.len() + board.orders.len() + board.map.provinces().len();
        faulty += usize::from(!faults.is_empty());
        if let (Some(look), false) = (&look, faults.is_empty()) {
            let file = Path::new(look).join(format!("board-{seed}.png"));
            std::fs::write(file, super::png(&svg(&board)).unwrap().png).unwrap();
            for Fault { kind, at } in &faults {
                println!("{seed} {} {kind:?} {:.0} {:.0}", board.map.name(), at.x, at.y);
            }
        }
        for fault in faults {
            *counts.entry(fault.kind).or_default() += 1;
        }
    }
    println!("{boards} boards with {things} things; {faulty} have faults: {counts:?}");
    let count = |fault| counts.get(&fault).copied().unwrap_or(0);
    let hidden = count(FaultKind::Unit) + count(FaultKind::Head) + count(FaultKind::Name);
    assert!(hidden * 200 <= things, "{counts:?} of {things}");
}
