//! Boards and orders made from a number in which decisions wait for each other: chains, circles, twins that help and carry
//! each other, convoys and attacks on them.

use super::shared_province::Numbers;
use dipjudge::map::{Location, Map, Power, Province, Travel, UnitKind};
use dipjudge::orders::{Action, Assist, Ferry, Order, OrderSheet, Passage, Strength, legal};
use dipjudge::position::{Position, Unit, UnitId};

/// A neighborhood of so many provinces, nearly all of them occupied.
fn units(map: &Map, numbers: &mut Numbers) -> Vec<Unit> {
    let joined = map.provinces().iter().map(|info| info.code);
    let joined: Vec<Province> = joined
        .filter(|code| !map.neighbors(*code).is_empty())
        .collect();
    let mut area = vec![joined[numbers.below(joined.len())]];
    let wanted = 5 + numbers.below(6);
    while area.len() < wanted {
        // Near a place that is taken already in two ways of three: then there are more circles.
        let from = area[numbers.below(area.len())];
        let Some(next) = numbers.pick(map.neighbors(from)) else {
            continue;
        };
        let borders = area
            .iter()
            .filter(|place| map.neighbors(next).contains(place));
        if !area.contains(&next) && (borders.count() > 1 || numbers.below(3) == 0) {
            area.push(next);
        }
    }
    let powers = 2 + numbers.below(2);
    let mut units: Vec<Unit> = Vec::new();
    for province in area {
        let land = !map.stations(Travel::Land, province).is_empty();
        let kind = if land && numbers.below(5) > 0 {
            UnitKind::ARMY
        } else {
            UnitKind::FLEET
        };
        let stations = map.stations(map.travel(kind), province);
        let Some(at) = numbers.pick(&stations).filter(|_| numbers.below(8) > 0) else {
            continue;
        };
        units.push(Unit {
            id: UnitId(u32::try_from(units.len()).unwrap()),
            power: Power(u8::try_from(numbers.below(powers)).unwrap()),
            kind,
            at,
        });
    }
    units
}

/// Twins: two units of one side that touch. Each may help and carry the other.
fn pair_off(map: &Map, units: &[Unit], numbers: &mut Numbers) -> Vec<(Unit, Unit)> {
    let mut pairs: Vec<(Unit, Unit)> = Vec::new();
    for _ in 0..numbers.below(3) {
        let paired = |unit: &Unit| {
            pairs
                .iter()
                .any(|(one, other)| one == unit || other == unit)
        };
        let fits = units.iter().filter(|unit| !paired(unit)).flat_map(|one| {
            let others = units
                .iter()
                .filter(|other| !paired(other) && one.id < other.id);
            others.map(move |other| (*one, *other))
        });
        let fits = fits.filter(|(one, other)| {
            one.power == other.power && map.neighbors(one.at.province).contains(&other.at.province)
        });
        let fits: Vec<_> = fits.collect();
        pairs.extend(numbers.pick(&fits));
    }
    pairs
}

/// A convoy of an army over one or two of the others, with orders for all in it.
fn convoy(map: &Map, units: &[Unit], sheet: &mut OrderSheet, numbers: &mut Numbers) {
    let idle = |sheet: &OrderSheet, unit: &&Unit| sheet.action(unit.id).is_none();
    let armies = units.iter().filter(|unit| unit.kind == UnitKind::ARMY);
    let armies: Vec<Unit> = armies.filter(|unit| idle(sheet, unit)).copied().collect();
    let Some(army) = numbers.pick(&armies) else {
        return;
    };
    let mut carriers: Vec<Unit> = Vec::new();
    let mut place = army.at.province;
    for _ in 0..=numbers.below(2) {
        let carries = |unit: &&Unit| {
            let by_sea = map.stations(Travel::Land, unit.at.province).is_empty();
            let twin = |ferry: &Ferry| ferry.by == unit.id && ferry.passenger == army.id;
            unit.id != army.id
                && !carriers.contains(unit)
                && (by_sea || sheet.overlay.ferries.iter().any(twin))
        };
        let near = map.neighbors(place);
        let fits = units.iter().filter(|unit| near.contains(&unit.at.province));
        let fits: Vec<Unit> = fits
            .filter(carries)
            .filter(|unit| idle(sheet, unit))
            .copied()
            .collect();
        let Some(carrier) = numbers.pick(&fits) else {
            break;
        };
        place = carrier.at.province;
        carriers.push(carrier);
    }
    let ends = map.neighbors(place).iter().copied();
    let ends =
        ends.filter(|end| *end != army.at.province && !map.stations(Travel::Land, *end).is_empty());
    let ends: Vec<Province> = ends.collect();
    let taken = ends
        .iter()
        .copied()
        .filter(|end| units.iter().any(|unit| unit.at.province == *end));
    let taken: Vec<Province> = taken.collect();
    let Some(to) = numbers.pick(if taken.is_empty() { &ends } else { &taken }) else {
        return;
    };
    if carriers.is_empty() {
        return;
    }
    let from = army.at.province;
    let by = Passage::Convoy;
    let action = Action::Move { to: to.into(), by };
    sheet.orders.push(Order {
        unit: army.id,
        action,
    });
    for carrier in carriers {
        let action = Action::Convoy { from, to };
        sheet.orders.push(Order {
            unit: carrier.id,
            action,
        });
    }
}

/// Three idle units that touch, each told to go where the next is.
fn circle(map: &Map, units: &[Unit], sheet: &mut OrderSheet, numbers: &mut Numbers) {
    let idle = units.iter().filter(|unit| sheet.action(unit.id).is_none());
    let idle: Vec<Unit> = idle.copied().collect();
    let reaches = |from: &Unit, to: &Unit| {
        let reach = map.reach(map.travel(from.kind), from.at);
        let place = |at: &&Location| at.province == to.at.province;
        reach.iter().find(place).copied()
    };
    let mut circles = Vec::new();
    for one in &idle {
        for two in &idle {
            for three in &idle {
                let ways = (reaches(one, two), reaches(two, three), reaches(three, one));
                if let (Some(a), Some(b), Some(c)) = ways {
                    circles.push([(one.id, a), (two.id, b), (three.id, c)]);
                }
            }
        }
    }
    for (unit, to) in numbers.pick(&circles).into_iter().flatten() {
        let by = Passage::Land;
        let action = Action::Move { to, by };
        sheet.orders.push(Order { unit, action });
    }
}

/// An attack on a convoying unit, supported by a unit on which the convoyed army would land.
fn attack_on_convoy(map: &Map, units: &[Unit], sheet: &mut OrderSheet, numbers: &mut Numbers) {
    let reaches = |unit: &Unit, to: Province| {
        let reach = map.reach(map.travel(unit.kind), unit.at);
        unit.at.province != to && reach.iter().any(|at| at.province == to)
    };
    let idle = |unit: &&Unit| sheet.action(unit.id).is_none();
    let mut attacks = Vec::new();
    for order in &sheet.orders {
        let Action::Convoy { to, .. } = order.action else {
            continue;
        };
        let carrier = units.iter().find(|unit| unit.id == order.unit).unwrap();
        let place = carrier.at.province;
        let landing = units.iter().filter(|unit| unit.at.province == to);
        for supporter in landing.filter(idle).filter(|unit| reaches(unit, place)) {
            let attackers = units.iter().filter(idle);
            for attacker in attackers.filter(|unit| unit.id != supporter.id && reaches(unit, place))
            {
                attacks.push((*attacker, *supporter, place));
            }
        }
    }
    let Some((attacker, supporter, place)) = numbers.pick(&attacks) else {
        return;
    };
    let to = place.into();
    let by = Passage::Land;
    let attack = Action::Move { to, by };
    let from = attacker.at.province;
    let support = Action::SupportMove { from, to };
    for (unit, action) in [(attacker.id, attack), (supporter.id, support)] {
        sheet.orders.push(Order { unit, action });
    }
}

/// An order that has to do with the others.
fn order(
    map: &Map,
    unit: &Unit,
    units: &[Unit],
    sheet: &OrderSheet,
    numbers: &mut Numbers,
) -> Action {
    let travel = map.travel(unit.kind);
    let reach = map.reach(travel, unit.at);
    let occupied = |place: Province| units.iter().any(|other| other.at.province == place);
    let near: Vec<_> = reach
        .iter()
        .copied()
        .filter(|to| occupied(to.province))
        .collect();
    let moves = sheet.orders.iter().filter_map(|order| match order.action {
        Action::Move { to, .. } => Some((
            units.iter().find(|unit| unit.id == order.unit)?.at.province,
            to,
        )),
        _ => None,
    });
    let supportable: Vec<_> = moves
        .filter(|(_, to)| reach.iter().any(|near| near.province == to.province))
        .collect();
    let chosen = match numbers.below(10) {
        0..=4 => numbers
            .pick(if near.is_empty() { reach } else { &near })
            .map(|to| Action::Move {
                to,
                by: Passage::Land,
            }),
        5..=7 => numbers
            .pick(&supportable)
            .map(|(from, to)| Action::SupportMove { from, to }),
        8 => numbers
            .pick(&near)
            .map(|at| Action::SupportHold { at: at.province }),
        _ => None,
    };
    chosen.unwrap_or(Action::Hold)
}

/// A neighborhood full of units, and orders that have to do with each other; those that are not legal are left out.
pub(crate) fn board(map: &Map, seed: u64) -> (Position, OrderSheet) {
    let mut numbers = Numbers::from(seed.wrapping_mul(0x2545_f491_4f6c_dd1d));
    let units = units(map, &mut numbers);
    let mut sheet = OrderSheet::default();
    let pairs = pair_off(map, &units, &mut numbers);
    for (one, other) in &pairs {
        for (by, passenger) in [(one, other), (other, one)] {
            sheet.overlay.ferries.push(Ferry {
                by: by.id,
                passenger: passenger.id,
                to: map.neighbors(by.at.province).to_vec(),
            });
        }
    }
    for _ in 0..numbers.below(3) {
        convoy(map, &units, &mut sheet, &mut numbers);
    }
    for _ in 0..numbers.below(3) {
        attack_on_convoy(map, &units, &mut sheet, &mut numbers);
    }
    if numbers.below(3) == 0 {
        circle(map, &units, &mut sheet, &mut numbers);
    }
    for unit in &units {
        if sheet.action(unit.id).is_none() {
            let action = order(map, unit, &units, &sheet, &mut numbers);
            sheet.orders.push(Order {
                unit: unit.id,
                action,
            });
        }
        if numbers.below(10) == 0 {
            sheet.strengths.insert(unit.id, Strength::of(2));
        }
    }
    sheet.orders.retain(|order| {
        let unit = units.iter().find(|unit| unit.id == order.unit).unwrap();
        legal(map, &sheet.overlay, unit, &order.action, Some(&units)).is_ok()
    });
    for (one, other) in pairs {
        for (by, of) in [(one, other), (other, one)] {
            let cut_at = u32::try_from(1 + numbers.below(2)).unwrap();
            sheet.assists.push(Assist {
                by: by.id,
                of: of.id,
                cut_at,
            });
        }
    }
    let position = Position {
        units,
        ..Position::default()
    };
    (position, sheet)
}
