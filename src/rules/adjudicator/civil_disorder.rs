//! Which unit is removed if the power does not order one to be (rulebook 2023, DATC 6.J).

use crate::map::{Map, Power, UnitKind};
use crate::position::{Position, Unit};

/// The unit that a power in civil disorder loses first (rulebook 2023, DATC 6.J), or `None` if it has no unit.
///
/// It is the unit that is farthest from the nearest center that the power *owns*. The distance is the number of moves over
/// land and sea, counted in the same way for armies and fleets; a unit from which no center can be reached is the farthest.
/// Of several such units it is a fleet before any other unit, then the unit whose province comes first in the alphabet.
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
