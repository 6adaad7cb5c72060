//! Positions in which games begin: such as come about after years of play, and twins of them in which one power has something else.

use std::collections::BTreeSet;

use dipjudge::map::{Location, Map, Power, Province, Travel, UnitKind};
use dipjudge::position::{Position, Unit};

use super::dice::Dice;

/// In how many ways a power can begin otherwise.
pub const WAYS: usize = 9;
/// The way in which two powers have equally many centers.
pub const LEVEL: u8 = 5;
/// The way in which units have one another's numbers.
const RENUMBERED: u8 = 6;

/// The way in which others hold what a power has lost.
pub const TAKEN: u8 = 7;

/// How far from their middle units are scattered, in provinces.
const REACH: usize = 3;

/// Half of the units go near one another, wherever there is room.
pub fn scatter(position: &mut Position, map: &Map, dice: &mut Dice) {
    let Some(middle) = dice.pick(map.provinces()).map(|info| info.code) else {
        return;
    };
    let mut near = BTreeSet::from([middle]);
    for _ in 0..REACH {
        let next: Vec<Province> = near
            .iter()
            .flat_map(|province| map.neighbors(*province).iter().copied())
            .collect();
        near.extend(next);
    }
    let near: Vec<Province> = near.into_iter().collect();
    for index in 0..position.units.len() {
        if dice.chance(50) {
            place(position, index, &near, map, dice);
        }
    }
    // And some have more centers than at the start.
    let powers: BTreeSet<Power> = position.units.iter().map(|unit| unit.power).collect();
    let powers: Vec<Power> = powers.into_iter().collect();
    for info in map.provinces().iter().filter(|info| info.center) {
        if !position.owners.contains_key(&info.code)
            && dice.chance(40)
            && let Some(owner) = dice.pick(&powers)
        {
            position.owners.insert(info.code, *owner);
        }
    }
}

/// Each power has lost a center, rather one far from all that it has.
pub fn lose(position: &mut Position, map: &Map, dice: &mut Dice) {
    let powers: BTreeSet<Power> = position.units.iter().map(|unit| unit.power).collect();
    let powers: Vec<Power> = powers.into_iter().collect();
    for power in &powers {
        let own: Vec<Province> = position.centers_of(*power).collect();
        let units = position.units_of(*power).map(|unit| unit.at.province);
        let units: Vec<Province> = units.collect();
        let far = own.iter().copied().filter(|at| {
            let near = |other: &Province| map.neighbors(*at).contains(other);
            let alone = !own.iter().any(near) && !units.iter().any(near);
            alone && !units.contains(at)
        });
        let far: Vec<Province> = far.collect();
        let others: Vec<Power> = powers.iter().copied().filter(|one| one != power).collect();
        let lost = dice.pick(if far.is_empty() { &own } else { &far });
        if own.len() > 1
            && let (Some(lost), Some(other)) = (lost, dice.pick(&others))
        {
            position.owners.insert(*lost, *other);
        }
    }
}

/// What a power owned when the game began and has lost is owned by yet another.
pub fn taken_by_another(position: &mut Position, begun: &Position, power: Power) {
    let powers: BTreeSet<Power> = position.units.iter().map(|unit| unit.power).collect();
    let powers: Vec<Power> = powers.into_iter().filter(|one| *one != power).collect();
    let centers = position.owners.iter();
    let lost = centers.filter(|(center, _)| begun.owners.get(center) == Some(&power));
    let taken = lost.filter_map(|(center, owner)| {
        let place = powers.iter().position(|one| one == owner)?;
        Some((*center, powers[(place + 1) % powers.len()]))
    });
    let taken: Vec<(Province, Power)> = taken.collect();
    position.owners.extend(taken);
}

/// Whether a way shows in time alone: at the end of a year, when winners are sought.
pub fn shows_in_time(way: u8) -> bool {
    way == LEVEL
}

/// Whether a way changes what has come about since the game began.
pub fn is_of_the_past(way: u8) -> bool {
    way == TAKEN
}

/// Whose units stand otherwise in this way: of one power, or of the next as well; or whose centers are otherwise.
pub fn whose(power: Power, way: u8, powers: usize) -> Vec<Power> {
    let next = Power((power.0 + 1) % powers.clamp(1, usize::from(u8::MAX)) as u8);
    match way {
        LEVEL => vec![power, next],
        TAKEN => {
            let all = 0..u8::try_from(powers).unwrap_or(u8::MAX);
            all.map(Power).filter(|one| *one != power).collect()
        }
        _ => vec![power],
    }
}

/// Whether the units stand where they stood, under other numbers: then their orders fit as before.
pub fn renumbers(way: u8) -> bool {
    way == RENUMBERED
}

/// How many centers a power has at the end of a year in which nobody moves: whoever stands on a center takes it.
fn centers_in_the_end(position: &Position, power: Power, map: &Map) -> usize {
    let centers = map.provinces().iter().filter(|info| info.center);
    let owned = centers.filter(|info| {
        let stands = position.standing(info.code).map(|unit| unit.power);
        stands.or_else(|| position.owners.get(&info.code).copied()) == Some(power)
    });
    owned.count()
}

/// A number of centers that no power has yet, or will have if nobody moves.
pub fn more_than_any(position: &Position, map: &Map) -> u32 {
    let units = position.units.iter().map(|unit| unit.power);
    let powers: BTreeSet<Power> = position.owners.values().copied().chain(units).collect();
    let counts = powers.into_iter().map(|power| {
        let now = position.centers_of(power).count();
        now.max(centers_in_the_end(position, power, map))
    });
    counts.max().map_or(1, |most| most as u32 + 1)
}

/// Two powers have more centers than any other, as many as are needed to win.
fn level(position: &mut Position, among: &[Power], number: u32, map: &Map) {
    let centers = map.provinces().iter().filter(|info| info.center);
    let free = centers.filter(|info| {
        let stands = position.standing(info.code).is_some();
        !stands && !position.owners.contains_key(&info.code)
    });
    let mut free: Vec<Province> = free.map(|info| info.code).collect();
    for power in among {
        while centers_in_the_end(position, *power, map) < number as usize
            && let Some(center) = free.pop()
        {
            position.owners.insert(center, *power);
        }
    }
}

/// One power begins with something else on the board.
pub fn otherwise(
    position: &mut Position,
    (power, way, among): (Power, u8, &[Power]),
    map: &Map,
    dice: &mut Dice,
) {
    let own: Vec<usize> = (0..position.units.len())
        .filter(|index| position.units[*index].power == power)
        .collect();
    let Some(index) = dice.pick(&own).copied() else {
        return;
    };
    let everywhere: Vec<Province> = map.provinces().iter().map(|info| info.code).collect();
    match way {
        // Of another kind, each that can be.
        0 | 1 => own
            .iter()
            .for_each(|index| change_kind(&mut position.units[*index], map)),
        // Somewhere else.
        2 => place(position, index, &everywhere, map, dice),
        // One unit fewer.
        3 => drop(position.units.remove(index)),
        // Eliminated.
        4 => {
            position.units.retain(|unit| unit.power != power);
            position.owners.retain(|_, owner| *owner != power);
        }
        LEVEL => level(position, among, more_than_any(position, map), map),
        TAKEN => {}
        // The first has the place of the last, and so on.
        RENUMBERED => {
            let places: Vec<(UnitKind, Location)> = own
                .iter()
                .rev()
                .map(|index| (position.units[*index].kind, position.units[*index].at))
                .collect();
            for (index, (kind, at)) in own.iter().zip(places) {
                let unit = &mut position.units[*index];
                (unit.kind, unit.at) = (kind, at);
            }
        }
        // More centers than units.
        _ => {
            let centers = map.provinces().iter().filter(|info| info.center);
            let free = centers.filter(|info| !position.owners.contains_key(&info.code));
            let free: Vec<Province> = free.map(|info| info.code).collect();
            for _ in 0..2 {
                position
                    .owners
                    .extend(dice.pick(&free).map(|center| (*center, power)));
            }
        }
    }
}

fn fits(kind: UnitKind, at: Province, map: &Map) -> Option<Location> {
    let travel = map.travel(kind);
    let info = map.info(at)?;
    let coasts = info.coasts.iter().map(|coast| Some(*coast));
    let places = std::iter::once(None).chain(coasts);
    let mut places = places.map(|coast| Location {
        province: at,
        coast,
    });
    places.find(|place| !map.reach(travel, *place).is_empty())
}

/// An army becomes a fleet or a fleet an army, where both can be.
fn change_kind(unit: &mut Unit, map: &Map) {
    let other = match map.travel(unit.kind) {
        Travel::Land => UnitKind::FLEET,
        _ => UnitKind::ARMY,
    };
    if let Some(at) = fits(other, unit.at.province, map) {
        (unit.kind, unit.at) = (other, at);
    }
}

/// Sends a unit to any of these provinces that is free and where it can be.
fn place(position: &mut Position, index: usize, among: &[Province], map: &Map, dice: &mut Dice) {
    let kind = position.units[index].kind;
    let taken: BTreeSet<Province> = position.units.iter().map(|unit| unit.at.province).collect();
    let free = among.iter().filter(|province| !taken.contains(province));
    let places: Vec<Location> = free
        .filter_map(|province| fits(kind, *province, map))
        .collect();
    if let Some(at) = dice.pick(&places) {
        position.units[index].at = *at;
    }
}
