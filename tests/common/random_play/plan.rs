//! What units are told: orders that have to do with each other, so that there are stand-offs, convoys and dislodgements.

use std::collections::BTreeMap;

use dipjudge::commands::order_words::{OrderWords, PlaceWords, UnitWords, Verb};
use dipjudge::game::Game;
use dipjudge::map::{Location, Map, Power, Province, Travel, UnitKind};
use dipjudge::position::{Unit, UnitId};

use super::numbers::Numbers;

/// A verb for most of the units that stand, of all powers.
pub fn movement(game: &Game, numbers: &mut Numbers) -> BTreeMap<UnitId, Verb> {
    let map = game.map();
    let units = &game.position.units;
    let mut moves: Vec<(Unit, Location)> = Vec::new();
    for unit in units {
        if numbers.below(10) < 6 {
            let leap = map.travel(unit.kind) == Travel::Land && numbers.once_in(8);
            let to = match leap {
                true => numbers
                    .pick(units)
                    .and_then(|other| numbers.pick(map.neighbors(other.at.province)))
                    .map(|to| Location::from(*to)),
                false => numbers
                    .pick(map.reach(map.travel(unit.kind), unit.at))
                    .copied(),
            };
            moves.extend(to.map(|to| (*unit, to)));
        }
    }
    let mut plan = BTreeMap::new();
    for unit in units {
        let moved = moves.iter().find(|(mover, _)| mover.id == unit.id);
        let verb = match moved {
            Some((_, to)) => Some(Verb::Move {
                route: vec![place(*to)],
                via: numbers.once_in(20),
            }),
            None => help(map, units, &moves, unit, numbers),
        };
        plan.extend(verb.map(|verb| (unit.id, verb)));
    }
    plan
}

/// What a unit does that stays where it is.
fn help(
    map: &Map,
    units: &[Unit],
    moves: &[(Unit, Location)],
    unit: &Unit,
    numbers: &mut Numbers,
) -> Option<Verb> {
    let near = |at: &Location| map.neighbors(unit.at.province).contains(&at.province);
    let moved = |(mover, to): &&(Unit, Location)| near(to) && mover.id != unit.id;
    let at_sea = map
        .number(unit.at.province)
        .is_some_and(|at| map.seas().has(at));
    match numbers.below(8) {
        0 | 1 if at_sea => {
            let armies: Vec<_> = moves
                .iter()
                .filter(|(mover, _)| mover.kind == UnitKind::ARMY)
                .collect();
            numbers.pick(&armies).map(|(mover, to)| Verb::Convoy {
                unit: named(mover),
                to: place(to.province.into()),
            })
        }
        0..=4 => {
            let within: Vec<_> = moves.iter().filter(moved).collect();
            numbers.pick(&within).map(|(mover, to)| Verb::SupportMove {
                unit: named(mover),
                to: place(to.province.into()),
            })
        }
        5 | 6 => {
            let within: Vec<_> = units.iter().filter(|other| near(&other.at)).collect();
            numbers
                .pick(&within)
                .map(|other| Verb::SupportHold { unit: named(other) })
        }
        _ => Some(Verb::Hold),
    }
}

/// Retreats and disbandments of a power.
pub fn retreats(game: &Game, power: Power, numbers: &mut Numbers) -> Vec<OrderWords> {
    let mut orders = Vec::new();
    for dislodged in &game.position.dislodged {
        if dislodged.unit.power != power {
            continue;
        }
        let to = numbers.pick(&dislodged.options).copied();
        let verb = match to.filter(|_| !numbers.once_in(6)) {
            Some(to) => Verb::Retreat { to: place(to) },
            None => Verb::Disband,
        };
        orders.push(words(Some(named(&dislodged.unit)), verb));
    }
    orders
}

/// Builds and removals of a power, more than it may have.
pub fn adjustments(
    game: &Game,
    power: Power,
    sites: &[Province],
    numbers: &mut Numbers,
) -> Vec<OrderWords> {
    let own: Vec<&Unit> = game.position.units_of(power).collect();
    let count = numbers.below(6);
    let mut orders = Vec::new();
    for _ in 0..count {
        let build = match (numbers.pick(sites), numbers.pick(&own)) {
            (_, Some(unit)) if numbers.below(2) == 0 => words(Some(named(unit)), Verb::Remove),
            (Some(site), _) => {
                let kind = *numbers.pick(&[UnitKind::ARMY, UnitKind::FLEET]).unwrap();
                let stations = game.map().stations(game.map().travel(kind), *site);
                let at = numbers.pick(&stations).copied().unwrap_or((*site).into());
                let unit = UnitWords {
                    nation: None,
                    kind: Some(kind),
                    place: place(at),
                    number: None,
                };
                words(Some(unit), Verb::Build)
            }
            _ => continue,
        };
        orders.push(build);
    }
    orders
}

/// An order of any unit on the board to do something anywhere.
pub fn nonsense(game: &Game, numbers: &mut Numbers) -> Option<OrderWords> {
    let unit = *numbers.pick(&game.position.units)?;
    let other = *numbers.pick(&game.position.units)?;
    let to = place(numbers.pick(game.map().provinces())?.code.into());
    let verb = match numbers.below(6) {
        0 => Verb::Hold,
        1 => Verb::Convoy {
            unit: named(&other),
            to,
        },
        2 => Verb::SupportMove {
            unit: named(&other),
            to,
        },
        3 => Verb::Retreat { to },
        4 => Verb::Build,
        _ => Verb::Move {
            route: vec![to],
            via: false,
        },
    };
    Some(words(Some(named(&unit)), verb))
}

/// An order as if it had been read.
pub fn words(unit: Option<UnitWords>, verb: Verb) -> OrderWords {
    OrderWords {
        text: String::new(),
        span: 0..0,
        heading: None,
        unit,
        verb,
        remarks: Vec::new(),
    }
}

/// A unit as an order names it.
pub fn named(unit: &Unit) -> UnitWords {
    UnitWords {
        nation: None,
        kind: Some(unit.kind),
        place: place(unit.at),
        number: None,
    }
}

fn place(at: Location) -> PlaceWords {
    PlaceWords {
        province: at.province,
        coast: at.coast,
        word: at.province.to_string(),
    }
}
