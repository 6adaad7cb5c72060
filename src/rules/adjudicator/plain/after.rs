//! The board after the moves, before retreats.

use super::{PlainMovement, PlainOutcome, members, only};
use crate::map::{PlaceSet, slot};

impl PlainMovement<'_> {
    /// The provinces in which a unit stands after the moves.
    #[must_use]
    pub fn occupied(&self, outcome: &PlainOutcome) -> PlaceSet {
        let mut occupied = 0;
        for (number, unit) in (0u8..).zip(self.units()) {
            let moved = outcome.moved & only(number) != 0;
            occupied |= 1 << slot(if moved { unit.to } else { unit.province });
        }
        occupied
    }

    /// The empty provinces into which at least two moves failed. A move to a province that ends empty can fail only against another
    /// move, or against the unit that comes from there, and then it keeps nobody out.
    #[must_use]
    pub fn contested(&self, outcome: &PlainOutcome, occupied: PlaceSet) -> PlaceSet {
        let mut contested = 0;
        for number in members(outcome.bounced) {
            let unit = self.unit(number);
            if only(unit.head_on) & outcome.moved == 0 {
                contested |= 1 << slot(unit.to);
            }
        }
        contested & !occupied
    }

    /// The stations to which a dislodged unit may retreat, in the order of the map, if these provinces are closed.
    pub fn retreats(
        &self,
        outcome: &PlainOutcome,
        number: u8,
        closed: PlaceSet,
    ) -> impl Iterator<Item = u8> {
        let unit = self.unit(number);
        let attacker = members(self.movers(unit.province) & outcome.moved)
            .map(|attacker| self.unit(attacker))
            .find(|attacker| !attacker.is_convoyed);
        let closed = closed | attacker.map_or(0, |attacker| 1 << slot(attacker.province));
        let reached = self.stations.borders(unit.travel).from(unit.station);
        reached
            .iter()
            .copied()
            .filter(move |&to| closed >> slot(self.stations.province_of(to)) & 1 == 0)
    }
}
