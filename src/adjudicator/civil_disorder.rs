//! Who is removed if nobody says (rulebook 2023, DATC 6.J).

use crate::map::{Map, Power, Province, ProvinceSet, UnitKind};
use crate::position::{Position, Unit};

/// The unit that the power loses first: the one farthest from the nearest center that the power *owns*, counted in
/// provinces over land and sea alike and for armies and fleets alike; of several the fleets before the armies, then by
/// the names of the provinces. A unit that no center can reach is farthest of all.
#[must_use]
pub fn civil_disorder(map: &Map, position: &Position, power: Power) -> Option<Unit> {
    let distance = distances(map, position.centers_of(power));
    let rank = |unit: &Unit| {
        let number = map.index(unit.at.province);
        let far = number
            .and_then(|number| distance.get(number))
            .copied()
            .flatten()
            .unwrap_or(u32::MAX);
        let name = number
            .and_then(|number| map.provinces().get(number))
            .map(|info| info.name.as_str());
        (
            std::cmp::Reverse(far),
            unit.kind != UnitKind::FLEET,
            name,
            unit.id,
        )
    };
    position
        .units
        .iter()
        .filter(|unit| unit.power == power)
        .min_by_key(|unit| rank(unit))
        .copied()
}

/// By number of the province: how many steps it is from the nearest of these.
fn distances(map: &Map, from: impl Iterator<Item = Province>) -> Vec<Option<u32>> {
    let mut distance = vec![None; map.provinces().len()];
    let mut edge: ProvinceSet = from.filter_map(|center| map.number(center)).collect();
    let mut steps = 0;
    while !edge.is_empty() {
        let mut beyond = ProvinceSet::EMPTY;
        for number in edge.iter() {
            if let Some(known) = distance
                .get_mut(usize::from(number))
                .filter(|known| known.is_none())
            {
                *known = Some(steps);
                beyond = beyond.union(map.near(number));
            }
        }
        edge = beyond
            .iter()
            .filter(|&number| distance.get(usize::from(number)) == Some(&None))
            .collect();
        steps += 1;
    }
    distance
}
