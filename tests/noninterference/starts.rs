//! Positions in which games begin: such as come about after years of play, and twins of them in which one power has something else.

use std::collections::BTreeSet;

use dipjudge::map::{Location, Map, Power, Province, Travel, UnitKind};
use dipjudge::position::{Position, Unit};

use super::dice::Dice;

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

/// How a power may begin otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    /// Its units are of another kind, each that can be.
    Kind,
    /// A unit is somewhere else.
    Elsewhere,
    /// One unit fewer.
    Fewer,
    /// Eliminated.
    Eliminated,
    /// More centers than units.
    MoreCenters,
    /// It and another have as many centers as each other, and more than all others.
    Level,
    /// The units of each other power have each other's numbers, and all else is as it was.
    Numbers,
}

impl Way {
    pub const ALL: [Way; 7] = [
        Way::Kind,
        Way::Elsewhere,
        Way::Fewer,
        Way::Eliminated,
        Way::MoreCenters,
        Way::Level,
        Way::Numbers,
    ];
}

/// One power begins with something else on the board.
pub fn otherwise(
    position: &mut Position,
    power: Power,
    other: Power,
    way: Way,
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
        Way::Kind => own
            .iter()
            .for_each(|index| change_kind(&mut position.units[*index], map)),
        Way::Elsewhere => place(position, index, &everywhere, map, dice),
        Way::Fewer => drop(position.units.remove(index)),
        Way::Eliminated => {
            position.units.retain(|unit| unit.power != power);
            position.owners.retain(|_, owner| *owner != power);
        }
        Way::MoreCenters => (0..2).for_each(|_| one_center_more(position, power, map, dice)),
        Way::Level => {
            let count = |position: &Position, power: Power| position.centers_of(power).count();
            let owners: BTreeSet<Power> = position.owners.values().copied().collect();
            let most = owners.iter().map(|power| count(position, *power)).max();
            let most = most.unwrap_or_default() + 1;
            for power in [power, other] {
                for _ in count(position, power)..most {
                    one_center_more(position, power, map, dice);
                }
            }
        }
        Way::Numbers => {
            let owners: BTreeSet<Power> = position.units.iter().map(|unit| unit.power).collect();
            for owner in owners.into_iter().filter(|owner| *owner != power) {
                let pieces: Vec<_> = position
                    .units_of(owner)
                    .map(|unit| (unit.kind, unit.at))
                    .collect();
                let units = position.units.iter_mut();
                let units = units.filter(|unit| unit.power == owner);
                for (unit, piece) in units.zip(pieces.into_iter().rev()) {
                    (unit.kind, unit.at) = piece;
                }
            }
        }
    }
}

/// A power owns one of the centers that are nobody's.
fn one_center_more(position: &mut Position, power: Power, map: &Map, dice: &mut Dice) {
    let centers = map.provinces().iter().filter(|info| info.center);
    let free = centers.filter(|info| !position.owners.contains_key(&info.code));
    let free: Vec<Province> = free.map(|info| info.code).collect();
    let more = dice.pick(&free).map(|center| (*center, power));
    position.owners.extend(more);
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
