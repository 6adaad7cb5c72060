//! Positions: units, dislodged units and owners of centers.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::map::{Location, Map, Power, Province, UnitKind};
use crate::sorted_map::SortedMap;

/// The number of a unit. It stays the same when the unit moves or gets another owner. Lists of units are sorted by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct UnitId(pub u32);

/// A unit on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unit {
    /// The number of the unit, unique in the position.
    pub id: UnitId,
    /// The power that owns the unit.
    pub power: Power,
    /// An army, a fleet, or a kind of the variant's.
    pub kind: UnitKind,
    /// The province, with the coast of a fleet where the province has several.
    pub at: Location,
}

/// A unit as orders name it: by its kind and location. It is written `F STP/SC`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedUnit {
    /// Army, fleet, or a kind of the variant's.
    pub kind: UnitKind,
    /// The location of the unit; if it is dislodged, the one from which it was dislodged.
    pub at: Location,
}

impl From<&Unit> for NamedUnit {
    fn from(unit: &Unit) -> Self {
        Self {
            kind: unit.kind,
            at: unit.at,
        }
    }
}

impl fmt::Display for NamedUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.kind, self.at)
    }
}

/// A unit that has been dislodged and must retreat or disband.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dislodged {
    /// The unit, with the location from which it was dislodged.
    pub unit: Unit,
    /// The province from which the attacker came, to which the unit cannot retreat. `None` if the attacker came by convoy (DATC
    /// 4.A.5) or from a shared province.
    pub attacker: Option<Province>,
    /// The places to which the unit can retreat, in alphabetical order; empty if it can only disband.
    pub options: Vec<Location>,
}

/// The units on the board and the owners of the centers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// The units that are not dislodged, sorted by id.
    pub units: Vec<Unit>,
    /// The dislodged units, sorted by unit id; empty except in a retreat phase.
    pub dislodged: Vec<Dislodged>,
    /// The owners of centers. A center without an entry is neutral.
    pub owners: SortedMap<Province, Power>,
}

impl Position {
    /// The position at the start of a game: the units of the map file, and the home centers of each power.
    #[must_use]
    pub fn at_start(map: &Map) -> Self {
        let units = (0u32..)
            .zip(map.start())
            .map(|(id, start)| Unit {
                id: UnitId(id),
                power: start.power,
                kind: start.kind,
                at: start.at,
            })
            .collect();
        let owners = map
            .provinces()
            .iter()
            .filter_map(|info| Some((info.code, info.home?)))
            .collect();
        Self {
            units,
            dislodged: Vec::new(),
            owners,
        }
    }

    /// The unit with this id, dislodged or not.
    #[must_use]
    pub fn unit(&self, id: UnitId) -> Option<&Unit> {
        // In a new game, and until units are gone, a unit's id is its index.
        let first = usize::try_from(id.0).ok().and_then(|at| self.units.get(at));
        let all = self.units.iter();
        let dislodged = self.dislodged.iter().map(|dislodged| &dislodged.unit);
        first
            .filter(|unit| unit.id == id)
            .or_else(|| all.chain(dislodged).find(|unit| unit.id == id))
    }

    /// The unit in the province that is not dislodged; the first one, if the province is shared.
    #[must_use]
    pub fn standing(&self, province: Province) -> Option<&Unit> {
        self.units.iter().find(|unit| unit.at.province == province)
    }

    /// The unit that was dislodged from the province and has not retreated yet.
    #[must_use]
    pub fn dislodged_from(&self, province: Province) -> Option<&Dislodged> {
        self.dislodged
            .iter()
            .find(|dislodged| dislodged.unit.at.province == province)
    }

    /// The centers of a power, in alphabetical order of their codes.
    pub fn centers_of(&self, power: Power) -> impl Iterator<Item = Province> {
        self.owners
            .iter()
            .filter(move |(_, owner)| **owner == power)
            .map(|(center, _)| *center)
    }

    /// The units of a power, the dislodged ones last.
    pub fn units_of(&self, power: Power) -> impl Iterator<Item = &Unit> + Clone {
        let dislodged = self.dislodged.iter().map(|dislodged| &dislodged.unit);
        self.units
            .iter()
            .chain(dislodged)
            .filter(move |unit| unit.power == power)
    }

    /// The number of the unit, from 1, among the units of the same kind and power in its province. `None` if it is the only
    /// one, or if the position does not contain the unit as given.
    #[must_use]
    pub fn number_among_like(&self, unit: &Unit) -> Option<usize> {
        self.unit(unit.id).filter(|here| *here == unit)?;
        let mut others = self.units_of(unit.power).filter(|other| {
            other.id != unit.id && other.kind == unit.kind && other.at.province == unit.at.province
        });
        let before = others.clone().filter(|other| other.id < unit.id).count();
        others.next().map(|_| before + 1)
    }

    /// An id that no unit of this position has: one more than the greatest.
    #[must_use]
    pub fn free_id(&self) -> UnitId {
        let dislodged = self.dislodged.iter().map(|dislodged| &dislodged.unit);
        UnitId(
            self.units
                .iter()
                .chain(dislodged)
                .map(|unit| unit.id.0)
                .max()
                .map_or(0, |id| id.saturating_add(1)),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn like_units_of_one_owner_in_one_place_are_numbered() {
        let unit = |id: u32, power: u8, kind: &str, at: &str| Unit {
            id: UnitId(id),
            power: Power(power),
            kind: kind.parse().unwrap(),
            at: at.parse().unwrap(),
        };
        let mut position = Position {
            units: vec![
                unit(0, 0, "FA", "BUR"),
                unit(1, 1, "FA", "BUR"),
                unit(2, 0, "A", "BUR"),
                unit(3, 0, "FA", "PAR"),
            ],
            ..Position::default()
        };
        let number = |position: &Position, of: &Unit| position.number_among_like(of);
        assert_eq!(number(&position, &unit(0, 0, "FA", "BUR")), None);
        position.dislodged.push(Dislodged {
            unit: unit(4, 0, "FA", "BUR"),
            attacker: None,
            options: Vec::new(),
        });
        assert_eq!(number(&position, &unit(0, 0, "FA", "BUR")), Some(1));
        assert_eq!(number(&position, &unit(4, 0, "FA", "BUR")), Some(2));
        assert_eq!(number(&position, &unit(1, 1, "FA", "BUR")), None);
        // Where it stood before says nothing of those that stand there now.
        assert_eq!(number(&position, &unit(3, 0, "FA", "BUR")), None);
    }
}
