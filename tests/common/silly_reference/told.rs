//! What units are told in the end (3.4, 1.1 to 1.7): the owners' orders, rewritten pass by pass.

use std::collections::{BTreeMap, BTreeSet};

use dipjudge::game::Game;
use dipjudge::map::Terrain;
use dipjudge::orders::{Action, VariantOrder};
use serde_json::Value;

use super::board::{Board, Unit};
use super::{JESTER, MONSTERS, Turn, conventional, fight, ways};

/// In the order of the seats, by which owners are put in alphabetical order.
pub const NAMES: [&str; 11] = [
    "AUSTRIA",
    "ENGLAND",
    "FRANCE",
    "GERMANY",
    "ITALY",
    "RUSSIA",
    "TURKEY",
    "JESTER",
    "MASTERMIND",
    "DOCTOR",
    "SOOTHSAYER",
];

/// How a move is to be made.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum By {
    Any,
    Land,
    Convoy,
    Route(Vec<String>),
}

/// What a unit is told.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Does {
    /// It holds, or does what is a hold for combat.
    Holds,
    Exposes,
    Distracts(u32),
    /// With the coast.
    Moves {
        to: String,
        by: By,
    },
    /// Nothing for `to`: its hold.
    Supports {
        of: String,
        to: Option<String>,
    },
    Convoys {
        from: String,
        to: String,
    },
    /// Of BIRDS: with this army.
    Flies {
        army: Option<u32>,
    },
    /// With this flock, or any.
    Rides {
        flock: Option<u32>,
    },
}

impl Does {
    /// The space that it moves to.
    pub(super) fn goal(&self) -> Option<&str> {
        match self {
            Does::Moves { to, .. } => Some(ways::space_of(to)),
            _ => None,
        }
    }
}

/// The orders of a season as they are carried out.
#[derive(Default)]
pub(super) struct Told {
    pub orders: BTreeMap<u32, Does>,
    /// By FEMALE ARMY whose distraction is in force: her victim.
    pub distractions: BTreeMap<u32, u32>,
    /// The armies that BIRDS carry.
    pub carried: BTreeSet<u32>,
    distracted: BTreeSet<u32>,
    harried: BTreeSet<u32>,
}

impl Told {
    pub(super) fn of(&self, unit: &Unit) -> &Does {
        self.orders.get(&unit.id).unwrap_or(&Does::Holds)
    }

    pub(super) fn new(board: &Board, game: &Game, turn: &Turn) -> Told {
        let mut told = Told::default();
        told.take_orders(game);
        told.distract(board, turn);
        told.harry(board, turn);
        told.keep_twins(board);
        told.lead_monsters(board, turn);
        told.pick_up(board);
        told
    }

    /// 1.1 and 1.2.
    fn take_orders(&mut self, game: &Game) {
        for standing in game.standings.values() {
            for (unit, action) in &standing.orders.units {
                let does = match action {
                    Action::Special(VariantOrder(_, data)) => special(&data.read().unwrap()),
                    action => common(&serde_json::to_value(action).unwrap()),
                };
                self.orders.insert(unit.0, does);
            }
        }
        let jester = game
            .standings
            .iter()
            .find(|(power, _)| power.0 == JESTER)
            .map(|(_, standing)| serde_json::to_value(&standing.submissions).unwrap());
        let jests = jester.map_or(Value::Null, |said| said["re-orders"].clone());
        for jest in jests.as_array().into_iter().flatten() {
            if let Some(unit) = jest.get("Unit") {
                let id = unit[0].as_u64().unwrap() as u32;
                self.orders.insert(id, special(&unit[1]));
            }
        }
    }

    /// 1.3
    fn distract(&mut self, board: &Board, turn: &Turn) {
        let mut silenced = BTreeSet::new();
        for unit in board.units.iter().filter(|unit| unit.kind == "DOM") {
            if *self.of(unit) == Does::Exposes {
                silenced.extend(ways::near(board, unit.space()));
                if turn.is("expose-own-space", "yes") {
                    silenced.insert(unit.space().to_owned());
                }
            }
        }
        let mut suitors: BTreeMap<u32, Vec<&Unit>> = BTreeMap::new();
        for unit in board.units.iter().filter(|unit| unit.kind == "FA") {
            if let Does::Distracts(victim) = self.of(unit)
                && !silenced.contains(unit.space())
            {
                suitors.entry(*victim).or_default().push(unit);
            }
        }
        for (victim, mut females) in suitors {
            let victim = board.unit(victim).unwrap();
            females.retain(|female| {
                female.space() == victim.space() || reached(board, victim, female.space())
            });
            assert!(conventional(victim) && !victim.gay, "{victim:?}");
            if females.iter().any(|one| one.space() == victim.space()) {
                females.retain(|one| one.space() == victim.space());
            }
            let label = format!("distract:{}", victim.space());
            let spaces = females.iter().map(|one| one.space().to_owned());
            let Some(space) = turn.draw(&label, spaces.collect()) else {
                continue;
            };
            let there = females.iter().filter(|one| one.space() == space);
            let first = there.min_by_key(|one| (NAMES[usize::from(one.owner)], one.id));
            self.distractions.insert(first.unwrap().id, victim.id);
            self.distracted.insert(victim.id);
            let does = match space == victim.space() {
                true => Does::Holds,
                false => self.comes(board, victim, &space),
            };
            self.orders.insert(victim.id, does);
        }
    }

    /// A move to a space, to the coast that it had ordered or else the first.
    fn comes(&self, board: &Board, unit: &Unit, space: &str) -> Does {
        let reach = ways::reach(board, unit);
        let mut there = reach.iter().filter(|at| ways::space_of(at) == space);
        let ordered = match self.of(unit) {
            Does::Moves { to, .. } => there.clone().find(|at| *at == to),
            _ => None,
        };
        Does::Moves {
            to: ordered.or_else(|| there.next()).unwrap().clone(),
            by: By::Any,
        }
    }

    /// 1.4
    fn harry(&mut self, board: &Board, turn: &Turn) {
        let mut gay: Vec<&Unit> = board.units.iter().filter(|unit| unit.gay).collect();
        gay.sort_by_key(|unit| unit.space());
        for fleet in gay {
            let space = fleet.space();
            if ways::terrain(board.map, space) == Terrain::Sea {
                continue;
            }
            let others = || {
                let all = board.units.iter().filter(|unit| conventional(unit));
                all.filter(|unit| unit.owner != fleet.owner)
            };
            let forced: Vec<&Unit> = others()
                .filter(|unit| !unit.gay && !unit.siamese)
                .filter(|unit| !self.distracted.contains(&unit.id))
                .filter(|unit| !self.harried.contains(&unit.id))
                .filter(|unit| reached(board, unit, space))
                .collect();
            if forced.is_empty() {
                continue;
            }
            let comes = |unit: &&Unit| self.of(unit).goal() == Some(space);
            let coming: Vec<&Unit> = others().filter(comes).collect();
            let strength = |unit: &Unit| {
                let supported = |other: &&Unit| {
                    let support = Does::Supports {
                        of: unit.space().to_owned(),
                        to: Some(space.to_owned()),
                    };
                    conventional(other) && without_coast(self.of(other)) == support
                };
                let supporters = board.units.iter().filter(supported);
                fight::strength(unit) + supporters.map(fight::strength).sum::<u32>()
            };
            let weighed: Vec<(u32, &Unit)> = match coming.is_empty() {
                true => forced.iter().map(|u| (fight::strength(u), *u)).collect(),
                false => coming.iter().map(|unit| (strength(unit), *unit)).collect(),
            };
            let most = weighed.iter().map(|(strength, _)| *strength).max();
            let best = weighed.iter().filter(|(weight, _)| Some(*weight) == most);
            let spaces = best.clone().map(|(_, unit)| unit.space().to_owned());
            let from = turn.draw(&format!("bigot:{space}"), spaces.collect());
            let (_, attacker) = best
                .clone()
                .find(|(_, unit)| Some(unit.space()) == from.as_deref())
                .unwrap();
            for unit in forced {
                let does = match unit.id == attacker.id {
                    true => self.comes(board, unit, space),
                    false => Does::Supports {
                        of: attacker.space().to_owned(),
                        to: Some(space.to_owned()),
                    },
                };
                self.orders.insert(unit.id, does);
                self.harried.insert(unit.id);
            }
        }
    }

    /// 1.5
    fn keep_twins(&mut self, board: &Board) {
        for one in board.units.iter().filter(|unit| unit.siamese) {
            let Some(other) = twin(board, one) else {
                continue;
            };
            if [one, other]
                .iter()
                .any(|unit| self.distracted.contains(&unit.id))
            {
                continue;
            }
            let ends = |unit: &Unit| {
                let goal = self.of(unit).goal().map(str::to_owned);
                [Some(unit.space().to_owned()), goal]
            };
            let pairs = ends(one).into_iter().flatten().flat_map(|x| {
                let others = ends(other).into_iter().flatten();
                others.map(move |y| (x.clone(), y))
            });
            let apart = |(x, y): (String, String)| x != y && !ways::near(board, &x).contains(&y);
            if pairs.collect::<Vec<_>>().into_iter().any(apart) {
                self.orders.insert(one.id, Does::Holds);
                self.orders.insert(other.id, Does::Holds);
            }
        }
    }

    /// 1.6
    fn lead_monsters(&mut self, board: &Board, turn: &Turn) {
        let all_rings = ways::Rings::on(board);
        for group in board.units.iter().filter(|unit| unit.owner == MONSTERS) {
            let feared = board.units.iter().filter(|unit| unit.id != group.id);
            let feared: Vec<&str> = feared.map(Unit::space).collect();
            let is_center = |space: &str| board.map.centers().contains(&space.parse().unwrap());
            // Ring 0 counts as none or some.
            let rings = |space: &str| {
                let mut rings = all_rings.around(space, &feared);
                rings[0] = rings[0].min(1);
                rings.resize(80, 0);
                rings
            };
            let reach = ways::reach(board, group);
            let centers = reach.iter().map(|at| ways::space_of(at));
            let centers: BTreeSet<&str> = centers.filter(|space| is_center(space)).collect();
            let mut centers: BTreeMap<&str, Vec<usize>> = centers
                .into_iter()
                .map(|space| (space, rings(space)))
                .collect();
            if is_center(group.space()) {
                let here = rings(group.space())[1];
                centers.retain(|_, rings| rings[1] < here);
            }
            let best = centers.values().min();
            let equal = centers
                .iter()
                .filter(|(_, rings)| Some(*rings) == best)
                .map(|(space, _)| (*space).to_owned());
            let label = format!("monster:{}", group.space());
            let does = match turn.draw(&label, equal.collect()) {
                Some(space) => Does::Moves {
                    to: reach
                        .iter()
                        .find(|at| ways::space_of(at) == space)
                        .unwrap()
                        .clone(),
                    by: By::Any,
                },
                None => Does::Holds,
            };
            self.orders.insert(group.id, does);
        }
    }

    /// 1.7
    fn pick_up(&mut self, board: &Board) {
        for army in &board.units {
            let Does::Rides { flock } = self.of(army) else {
                continue;
            };
            if army.siamese || !matches!(army.kind.as_str(), "A" | "FA" | "DOM") {
                continue;
            }
            let carries = |other: &&Unit| {
                let named = flock.is_none_or(|flock| flock == other.id);
                let names = Does::Flies {
                    army: Some(army.id),
                };
                other.kind == "B"
                    && other.space() == army.space()
                    && named
                    && *self.of(other) == names
            };
            if board.units.iter().any(|other| carries(&other)) {
                self.carried.insert(army.id);
            }
        }
    }
}

pub(super) fn twin<'b>(board: &'b Board, unit: &Unit) -> Option<&'b Unit> {
    let mut others = board.units.iter();
    others.find(|other| {
        unit.siamese && other.siamese && other.owner == unit.owner && other.id != unit.id
    })
}

/// Whether a space is in the reach of a unit.
pub(super) fn reached(board: &Board, unit: &Unit, space: &str) -> bool {
    let reach = ways::reach(board, unit);
    reach.iter().any(|at| ways::space_of(at) == space)
}

/// In supports coasts do not matter.
fn without_coast(does: &Does) -> Does {
    match does {
        Does::Supports { of, to: Some(to) } => Does::Supports {
            of: of.clone(),
            to: Some(ways::space_of(to).to_owned()),
        },
        does => does.clone(),
    }
}

fn named(value: &Value) -> (&str, &Value) {
    match value {
        Value::String(name) => (name, &Value::Null),
        value => {
            let (name, of) = value.as_object().unwrap().iter().next().unwrap();
            (name, of)
        }
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

fn id(value: &Value) -> Option<u32> {
    value.as_u64().map(|id| id as u32)
}

/// An order beside those of every game, or one of those.
fn special(value: &Value) -> Does {
    let (name, of) = named(value);
    match name {
        "Common" => common(of),
        "Shoo" | "HoldTardis" => Does::Holds,
        "Distract" => Does::Distracts(id(of).unwrap()),
        "Expose" => Does::Exposes,
        "Carry" => moves(of),
        "Fly" => Does::Flies {
            army: id(&of["army"]),
        },
        "Ride" => Does::Rides {
            flock: id(&of["flock"]),
        },
        _ => panic!("no order: {value}"),
    }
}

fn common(value: &Value) -> Does {
    let (name, of) = named(value);
    match name {
        "Hold" => Does::Holds,
        "Move" => moves(of),
        "SupportHold" => Does::Supports {
            of: text(&of["at"]),
            to: None,
        },
        "SupportMove" => without_coast(&Does::Supports {
            of: text(&of["from"]),
            to: Some(text(&of["to"])),
        }),
        "Convoy" => Does::Convoys {
            from: text(&of["from"]),
            to: text(&of["to"]),
        },
        _ => panic!("no order of a movement phase: {value}"),
    }
}

fn moves(of: &Value) -> Does {
    let by = match named(&of["by"]) {
        ("Auto", _) => By::Any,
        ("Land", _) => By::Land,
        ("Convoy", _) => By::Convoy,
        ("Route", seas) => By::Route(seas.as_array().unwrap().iter().map(text).collect()),
        (other, _) => panic!("no way: {other}"),
    };
    Does::Moves {
        to: text(&of["to"]),
        by,
    }
}
