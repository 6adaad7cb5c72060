//! What stands where: units, dislodged units, owners of centers.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::map::{Location, Power, Province, UnitKind};

/// A unit's number in its game: it survives moves and gifts, and lists of units are kept in its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct UnitId(pub u32);

/// A unit on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unit {
    /// Its number.
    pub id: UnitId,
    /// Whose it is.
    pub power: Power,
    /// What it is.
    pub kind: UnitKind,
    /// Where it stands.
    pub at: Location,
}

/// A unit that has been dislodged and must retreat or disband.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dislodged {
    /// The unit, at the place that it has lost.
    pub unit: Unit,
    /// Where the attacker came from; nothing if it was convoyed or came from no province (an orbit).
    pub attacker: Option<Province>,
    /// Where it may retreat to, in order of the map's codes; empty if it can only disband.
    pub options: Vec<Location>,
}

/// What stands where.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// The units that stand, dislodged ones excepted, in the game's order: by their numbers.
    pub units: Vec<Unit>,
    /// The units that must retreat, by their numbers; empty outside of retreats.
    pub dislodged: Vec<Dislodged>,
    /// Who owns which center; one that is not here is neutral.
    pub owners: BTreeMap<Province, Power>,
}

impl Position {
    /// The unit with this number, standing or dislodged.
    #[must_use]
    pub fn unit(&self, id: UnitId) -> Option<&Unit> {
        self.units
            .iter()
            .chain(self.dislodged.iter().map(|dislodged| &dislodged.unit))
            .find(|unit| unit.id == id)
    }

    /// The unit that stands in the province: the first, where there is room for several.
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

    /// The centers of a power, by code.
    pub fn centers_of(&self, power: Power) -> impl Iterator<Item = Province> {
        self.owners
            .iter()
            .filter(move |(_, owner)| **owner == power)
            .map(|(center, _)| *center)
    }

    /// The units of a power, dislodged ones after those that stand.
    pub fn units_of(&self, power: Power) -> impl Iterator<Item = &Unit> {
        let dislodged = self.dislodged.iter().map(|dislodged| &dislodged.unit);
        self.units
            .iter()
            .chain(dislodged)
            .filter(move |unit| unit.power == power)
    }

    /// A number that no unit of this position has: one more than the greatest.
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
