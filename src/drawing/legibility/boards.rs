//! Random boards: of any map and variant, in any sort of phase, with units in up to every second province and up to 34 supports of
//! one move.

use dipjudge_rules::map::{Location, Map, Province, Travel, UnitKind};
use dipjudge_rules::orders::Action;
use dipjudge_view::{
    Board, Label, OpenFor, OpenPlace, OrderFate, OrderOnBoard, Owner, PowerOnBoard, Sign, SignLook,
    UnitOnBoard, UnitState,
};

use super::super::testing::board_of;

/// How many supports one move has at most.
const MANY_SUPPORTS: usize = 34;
/// How many powers there are in games whose powers are not those of the map.
const MANY_POWERS: usize = 34;

/// What variants lay over the maps: lines of map files, and of drawings. A map under another name has no drawing.
const OVERLAYS: [(&str, &str); 6] = [
    ("", ""),
    (
        include_str!("../../variants/rather_silly/places.txt"),
        include_str!("../../variants/rather_silly/places.drawing"),
    ),
    ("no powers\nORB  Orbit  inland  shared\n", ""),
    ("no centers\nkind NEW  Unit  both  idle\n", ""),
    (UNDRAWN, ""),
    (UNDRAWN, ""),
];

/// A line that takes a map's drawing away.
const UNDRAWN: &str = "name undrawn\n";

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

/// What sort of phase a board shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scene {
    /// The results of a movement phase.
    Moves,
    /// Orders that are given and not carried out yet.
    Orders,
    Retreats,
    Winter,
    /// Nothing but what stands where.
    Still,
}

const SCENES: [Scene; 8] = [
    Scene::Moves,
    Scene::Moves,
    Scene::Moves,
    Scene::Moves,
    Scene::Orders,
    Scene::Retreats,
    Scene::Winter,
    Scene::Still,
];

/// The board with this number.
pub(crate) fn random_board(seed: u64) -> Board {
    let mut chance = Chance(seed);
    let mut board = empty_board(&mut chance);
    let scene = SCENES[chance.below(SCENES.len())];
    board.title = format!("{}, {seed}, {scene:?}", board.map.name());
    add_units(&mut board, &mut chance);
    match scene {
        Scene::Moves => add_orders(&mut board, &mut chance, false),
        Scene::Orders => add_orders(&mut board, &mut chance, true),
        Scene::Retreats => add_retreats(&mut board, &mut chance),
        Scene::Winter | Scene::Still => {}
    }
    add_states(&mut board, &mut chance, scene);
    add_marks(&mut board, &mut chance, scene);
    if chance.once_in(6) {
        let provinces = board.map.provinces().iter().map(|info| info.code);
        board.in_sight = Some(provinces.filter(|_| !chance.once_in(3)).collect());
    }
    board
}

/// A map with nobody on it.
fn empty_board(chance: &mut Chance) -> Board {
    let names: Vec<&str> = Map::names().collect();
    let name = *chance.one(&names).unwrap();
    let (places, drawing) = *chance.one(&OVERLAYS).unwrap();
    let with_places = Map::with_places(name, places);
    let mut board = board_of(with_places.or(Map::named(name)).unwrap());
    if with_places.is_some() {
        board.drawing = drawing;
    }
    if board.powers.is_empty() {
        let marks = (0..MANY_POWERS).map(|number| format!("{number:02}"));
        let powers = marks.map(|mark| PowerOnBoard {
            label: Label::new(&mark),
            mark,
        });
        board.powers = powers.collect();
    }
    board.units.clear();
    board.owners.clear();
    board
}

fn any_owner(board: &Board, chance: &mut Chance) -> Owner {
    if chance.once_in(40) {
        return Owner::NOBODY;
    }
    Owner(Some(chance.below(board.powers.len())))
}

/// The kinds of units of a map, armies and fleets before all.
fn any_kind(board: &Board, chance: &mut Chance) -> UnitKind {
    let kinds = board.map.kinds();
    match chance.below(5) {
        0 | 1 => UnitKind::ARMY,
        2 | 3 => UnitKind::FLEET,
        _ => chance.one(kinds).map_or(UnitKind::ARMY, |info| info.code()),
    }
}

fn add_units(board: &mut Board, chance: &mut Chance) {
    let density = 2 + chance.below(5);
    for info in board.map.provinces() {
        if info.center && !chance.once_in(3) {
            let owner = any_owner(board, chance);
            board.owners.insert(info.code, owner);
        }
        let count = if info.shared { 3 } else { 1 };
        for _ in 0..count {
            if !chance.once_in(density) {
                continue;
            }
            let kind = any_kind(board, chance);
            let stations = board.map.stations(board.map.travel(kind), info.code);
            let Some(at) = chance.one(&stations).copied() else {
                continue;
            };
            let whose = any_owner(board, chance);
            let state = UnitState::Stands;
            let unit = UnitOnBoard {
                kind,
                whose,
                at,
                state,
            };
            board.units.push(unit);
        }
    }
}

fn travel_of(board: &Board, unit: &UnitOnBoard) -> Travel {
    board.map.travel(unit.kind)
}

fn is_shared(board: &Board, province: Province) -> bool {
    board.map.info(province).is_some_and(|info| info.shared)
}

/// A move, as it was ordered.
#[derive(Clone)]
struct Step {
    from: Location,
    to: Location,
    by: Vec<Location>,
}

/// A way of an army over fleets, if there is one.
fn convoy(board: &Board, army: &UnitOnBoard, chance: &mut Chance) -> Option<Step> {
    let mut by: Vec<Location> = Vec::new();
    let mut here = army.at.province;
    for _ in 0..1 + chance.below(4) {
        let is_next = |unit: &&UnitOnBoard| {
            unit.kind == UnitKind::FLEET
                && board.map.neighbors(here).contains(&unit.at.province)
                && board
                    .map
                    .stations(Travel::Land, unit.at.province)
                    .is_empty()
                && by.iter().all(|over| over.province != unit.at.province)
        };
        let next: Vec<Location> = board
            .units
            .iter()
            .filter(is_next)
            .map(|unit| unit.at)
            .collect();
        let Some(next) = chance.one(&next) else { break };
        by.push(*next);
        here = next.province;
    }
    let coasts: Vec<Location> = board
        .map
        .neighbors(here)
        .iter()
        .flat_map(|near| board.map.stations(Travel::Land, *near))
        .filter(|at| at.province != army.at.province && !by.is_empty())
        .collect();
    Some(Step {
        from: army.at,
        to: *chance.one(&coasts)?,
        by,
    })
}

fn add_orders(board: &mut Board, chance: &mut Chance, is_given: bool) {
    let mut moves: Vec<Step> = Vec::new();
    let many_supports = chance.once_in(12);
    let units = board.units.clone();
    let mut ordered: Vec<usize> = Vec::new();
    let given = |chance: &mut Chance| match chance.below(4) {
        0 => OrderFate::Doubtful,
        _ => OrderFate::Given,
    };
    for (number, unit) in units.iter().enumerate() {
        if (many_supports && !moves.is_empty()) || is_shared(board, unit.at.province) {
            continue;
        }
        let reach = board.map.reach(travel_of(board, unit), unit.at);
        let step = if unit.kind == UnitKind::ARMY && chance.once_in(6) {
            convoy(board, unit, chance)
        } else {
            let to = chance.one(reach).copied().filter(|_| chance.once_in(2));
            to.map(|to| Step {
                from: unit.at,
                to,
                by: Vec::new(),
            })
        };
        let Some(step) = step else { continue };
        let mut units = board.units.iter();
        let is_taken = units.any(|other| other.at.province == step.to.province);
        let fate = match [OrderFate::Succeeded, OrderFate::Failed][chance.below(2)] {
            _ if is_given => given(chance),
            _ if is_taken => OrderFate::Failed,
            fate => fate,
        };
        if fate == OrderFate::Succeeded {
            board.units[number].at = step.to;
        }
        ordered.push(number);
        let (to, by) = (step.to, step.by.clone());
        board.orders.push(OrderOnBoard {
            whose: unit.whose,
            from: unit.at,
            action: Action::Move { to, by },
            fate,
        });
        moves.push(step);
    }
    let mut left_of_many = if many_supports { MANY_SUPPORTS } else { 0 };
    for (number, unit) in units.iter().enumerate() {
        if ordered.contains(&number) {
            continue;
        }
        let Some(action) = help(board, unit, &moves, left_of_many > 0, chance) else {
            continue;
        };
        left_of_many = left_of_many.saturating_sub(1);
        let fate = match chance.below(4) {
            _ if is_given => given(chance),
            0 => OrderFate::Failed,
            _ => OrderFate::Succeeded,
        };
        board.orders.push(OrderOnBoard {
            whose: unit.whose,
            from: unit.at,
            action,
            fate,
        });
    }
}

/// An order for a unit that does not move.
fn help(
    board: &Board,
    unit: &UnitOnBoard,
    moves: &[Step],
    helps_all: bool,
    chance: &mut Chance,
) -> Option<Action<dipjudge_view::DrawnLocations>> {
    let reach = board.map.reach(travel_of(board, unit), unit.at);
    let near = |to: &Location| reach.iter().any(|one| one.province == to.province);
    let mut convoyed = moves.iter();
    if let Some(step) = convoyed.find(|step| step.by.contains(&unit.at)) {
        let (from, to) = (step.from, step.to);
        return Some(Action::Convoy { from, to });
    }
    let supported: Vec<&Step> = moves
        .iter()
        .filter(|step| helps_all || near(&step.to))
        .collect();
    if let Some(step) = chance.one(&supported) {
        let (from, to) = (step.from, step.to);
        return Some(Action::SupportMove { from, to });
    }
    let neighbors = board
        .units
        .iter()
        .filter(|other| near(&other.at) && other.at.province != unit.at.province);
    let neighbors: Vec<Location> = neighbors.map(|other| other.at).collect();
    if !chance.once_in(2) {
        return None;
    }
    let at = chance.one(&neighbors)?;
    // Now and then of a unit that was not ordered to move.
    let there = board.map.reach(travel_of(board, unit), *at);
    match chance.one(there) {
        Some(to) if chance.once_in(5) && near(to) => {
            Some(Action::SupportMove { from: *at, to: *to })
        }
        _ => Some(Action::SupportHold { at: *at }),
    }
}

fn add_retreats(board: &mut Board, chance: &mut Chance) {
    let units = board.units.clone();
    for unit in units {
        if !chance.once_in(5) || is_shared(board, unit.at.province) {
            continue;
        }
        let reach = board.map.reach(travel_of(board, &unit), unit.at);
        let is_free = |to: &&Location| {
            let mut units = board.units.iter();
            units.all(|other| other.at.province != to.province) && !is_shared(board, to.province)
        };
        let free: Vec<Location> = reach.iter().filter(is_free).copied().collect();
        let (state, to) = match (chance.below(3), chance.one(&free)) {
            (0, _) => (UnitState::Dislodged, None),
            (1, Some(to)) => (UnitState::Stands, Some(*to)),
            (_, Some(to)) => (UnitState::GoneWhenDislodged, Some(*to)),
            _ => (UnitState::GoneWhenDislodged, None),
        };
        if state == UnitState::Dislodged {
            board.open.extend(free.iter().map(|at| OpenPlace {
                at: *at,
                purpose: OpenFor::Retreat,
            }));
        }
        if let Some(to) = to {
            let fate = match state {
                UnitState::Stands => OrderFate::Succeeded,
                _ => OrderFate::Failed,
            };
            board.orders.push(OrderOnBoard {
                whose: unit.whose,
                from: unit.at,
                action: Action::Retreat { to },
                fate,
            });
        }
        board.units.push(UnitOnBoard {
            state,
            whose: any_owner(board, chance),
            at: match (state, to) {
                (UnitState::Stands, Some(to)) => to,
                _ => unit.at,
            },
            ..unit
        });
    }
}

fn add_states(board: &mut Board, chance: &mut Chance, scene: Scene) {
    let states: &[UnitState] = match scene {
        Scene::Moves => &[UnitState::Gone, UnitState::Dislodged],
        Scene::Winter => &[UnitState::Built, UnitState::Gone],
        _ => return,
    };
    for unit in &mut board.units {
        if chance.once_in(8) {
            unit.state = states[chance.below(states.len())];
        }
    }
}

fn add_marks(board: &mut Board, chance: &mut Chance, scene: Scene) {
    let has_signs = chance.once_in(2);
    for info in board.map.provinces() {
        let is_empty = board.units.iter().all(|unit| unit.at.province != info.code);
        if info.shared {
            continue;
        }
        let open = OpenPlace {
            at: Location::from(info.code),
            purpose: OpenFor::Build,
        };
        match scene {
            Scene::Moves if is_empty && chance.once_in(12) => {
                board.standoffs.insert(info.code);
            }
            Scene::Winter if is_empty && info.center && chance.once_in(4) => {
                board.open.insert(open);
            }
            _ => {}
        }
        if has_signs && chance.once_in(18) {
            let (look, meaning) = [
                (SignLook::Token, ""),
                (SignLook::Stripes, "colony"),
                (SignLook::Fort, "fort"),
                (SignLook::Ring, "born"),
                (SignLook::Cross, "died"),
            ][chance.below(5)];
            let is_placed = match look {
                SignLook::Fort => info.center,
                SignLook::Ring => !is_empty,
                SignLook::Cross => is_empty && !board.standoffs.contains(&info.code),
                SignLook::Token | SignLook::Stripes => true,
            };
            if is_placed {
                board.signs.push(Sign {
                    at: info.code,
                    look,
                    text: ["BORG", "TARDIS", "LINK"][chance.below(3)].to_owned(),
                    whose: Owner::NOBODY,
                    meaning,
                });
            }
        }
    }
}
