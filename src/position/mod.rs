//! What stands where: units, dislodged units, owners of centers.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::map::{Location, Map, Power, Province, UnitKind};

/// A unit's number in its game, which survives moves, retreats and gifts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct UnitId(pub u32);

/// A unit on the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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

/// A dislodged unit that still has to retreat; `unit.at` is where it was dislodged from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dislodged {
    /// The unit.
    pub unit: Unit,
    /// Where the attacker came from; `None` if it was convoyed.
    pub attacker: Option<Province>,
    /// Where it may retreat to.
    pub options: Vec<Location>,
}

/// A position.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// Units, in the game's own order, which stays the same between replies and reports.
    pub units: Vec<Unit>,
    /// Dislodged units that may still retreat.
    pub dislodged: Vec<Dislodged>,
    /// Who owns which center; nobody's are not here.
    pub owners: BTreeMap<Province, Power>,
}

impl Position {
    /// The opening position of a map: its units in the order of the map file, each power owning its homes.
    pub fn start_of(map: &Map) -> Position {
        let mut position = Position::default();
        for (power, kind, at) in map.start() {
            position.place(*power, *kind, *at);
        }
        for (index, _) in map.powers().iter().enumerate() {
            let power = Power(index as u8);
            position.owners.extend(map.homes(power).iter().map(|home| (*home, power)));
        }
        position
    }

    /// Puts a new unit on the board, at the end of the list; returns its number.
    pub fn place(&mut self, power: Power, kind: UnitKind, at: Location) -> UnitId {
        let used = self.units.iter().chain(self.dislodged.iter().map(|dislodged| &dislodged.unit));
        let id = UnitId(used.map(|unit| unit.id.0).max().map_or(1, |most| most + 1));
        self.units.push(Unit { id, power, kind, at });
        id
    }

    /// The unit that stands in a province (not one dislodged from it).
    pub fn unit_in(&self, province: Province) -> Option<&Unit> {
        self.units.iter().find(|unit| unit.at.province == province)
    }
}
