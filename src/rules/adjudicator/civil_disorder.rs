//! Who is removed if nobody says (rulebook 2023, DATC 6.J).

use crate::map::{Map, Power, UnitKind};
use crate::position::{Position, Unit};

/// The unit that the power loses first: the one farthest from the nearest center that the power *owns*, counted in
/// provinces over land and sea alike and for armies and fleets alike; of several the fleets before the armies, then by
/// the names of the provinces. A unit that no center can reach is farthest of all.
#[must_use]
pub fn civil_disorder(map: &Map, position: &Position, power: Power) -> Option<Unit> {
    let distance = map.distances(position.centers_of(power));
    let rank = |unit: &Unit| {
        let far = distance.to(unit.at.province).unwrap_or(u32::MAX);
        let name = map.info(unit.at.province).map(|info| info.name.as_str());
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
