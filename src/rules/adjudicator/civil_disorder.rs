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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation;
    use crate::position::UnitId;

    const AUSTRIA: Power = Power(0);

    /// What Austria loses first, of these units and with this one center.
    fn lost(units: &[&str], center: Option<&str>) -> String {
        let map = Map::standard();
        let mut position = Position::default();
        for (id, words) in (0..).zip(units) {
            let read = notation::unit(map, words).unwrap();
            position.units.push(Unit {
                id: UnitId(id),
                power: AUSTRIA,
                kind: read.kind,
                at: read.at,
            });
        }
        if let Some(center) = center {
            let center = notation::place(map, center).unwrap();
            position.owners.insert(center.province, AUSTRIA);
        }
        let unit = civil_disorder(map, &position, AUSTRIA).unwrap();
        crate::position::NamedUnit::from(&unit).to_string()
    }

    #[test]
    fn the_farthest_unit_is_lost_first_whatever_its_kind() {
        assert_eq!(lost(&["F TRI", "A SIL"], Some("VIE")), "A SIL");
        assert_eq!(lost(&["F ADR", "A BOH"], Some("VIE")), "F ADR");
        assert_eq!(lost(&["A VIE", "A BOH"], Some("VIE")), "A BOH");
    }

    #[test]
    fn at_one_distance_fleets_are_lost_before_armies() {
        assert_eq!(lost(&["A BOH", "F TRI"], Some("VIE")), "F TRI");
        assert_eq!(lost(&["F TRI", "A BOH"], Some("VIE")), "F TRI");
        assert_eq!(lost(&["A ALB", "F ION"], None), "F ION");
    }

    #[test]
    fn at_one_distance_units_of_a_kind_are_lost_by_the_names_of_their_provinces() {
        assert_eq!(lost(&["A TYR", "A BUD", "A GAL"], Some("VIE")), "A BUD");
        // Norwegian Sea comes before Norway in codes (NWG, NWY), after it in names.
        assert_eq!(lost(&["F NWG", "F NWY"], None), "F NWY");
    }

    #[test]
    fn a_power_without_units_loses_none() {
        let position = Position::default();
        assert_eq!(civil_disorder(Map::standard(), &position, AUSTRIA), None);
    }
}
