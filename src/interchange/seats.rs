//! Finds the unit that an order of the input means.

use super::order_text::Spoken;
use dipjudge_rules::map::{Map, Power, Province, UnitKind};
use dipjudge_rules::orders::{Action, Illegal};
use dipjudge_rules::position::{NamedUnit, Position, Unit};

/// Which units of a position are ordered.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum OrderedUnits {
    /// Those that stand on the board.
    Standing,
    /// Those that must retreat.
    Dislodged,
}

/// An index of units by province, so that orders find theirs quickly.
pub(super) struct Seats {
    units: OrderedUnits,
    /// By number of the province: one more than the index of the unit.
    at: [u16; 256],
    /// By index of the unit: one more than the index of its order.
    pub(super) ordered: Vec<usize>,
}

impl Seats {
    pub(super) fn of(map: &Map, position: &Position, units: OrderedUnits) -> Self {
        let mut at = [0; 256];
        let mut sit = |index: u16, province: Province| {
            if let Some(seat) = map.index(province).and_then(|number| at.get_mut(number)) {
                *seat = index;
            }
        };
        let count = if units == OrderedUnits::Dislodged {
            (1u16..)
                .zip(&position.dislodged)
                .for_each(|(index, dislodged)| sit(index, dislodged.unit.at.province));
            position.dislodged.len()
        } else {
            (1u16..)
                .zip(&position.units)
                .for_each(|(index, unit)| sit(index, unit.at.province));
            position.units.len()
        };
        Self {
            units,
            at,
            ordered: vec![0; count],
        }
    }

    pub(super) fn find(
        &self,
        map: &Map,
        position: &Position,
        power: Power,
        spoken: &Spoken,
    ) -> Result<(Unit, Option<usize>), Illegal> {
        let other_kind = spoken.other_kind;
        let at = spoken
            .at
            .ok_or(Illegal::Other("The order names no unit.".to_owned()))?;
        let index = |province: Province| {
            let seat = map
                .index(province)
                .and_then(|number| self.at.get(number))
                .copied()?;
            usize::from(seat).checked_sub(1)
        };
        let slot = index(at.province);
        let unit = slot.and_then(|slot| {
            if self.units == OrderedUnits::Dislodged {
                position
                    .dislodged
                    .get(slot)
                    .map(|dislodged| &dislodged.unit)
            } else {
                position.units.get(slot)
            }
        });
        let Some(unit) = unit else {
            return Err(match position.standing(at.province) {
                Some(unit) if self.units == OrderedUnits::Dislodged => {
                    Illegal::NotDislodged(unit.into())
                }
                _ => Illegal::NothingThere(spoken.kind, at.province),
            });
        };
        if unit.power != power {
            return Err(Illegal::NotYours(unit.into(), power));
        }
        wrong_kind(unit, spoken.kind)?;
        if let Action::SupportHold { at: from }
        | Action::SupportMove { from, .. }
        | Action::Convoy { from, .. } = spoken.action
            && let Some(other) = index(from).and_then(|slot| position.units.get(slot))
        {
            wrong_kind(other, other_kind)?;
        }
        Ok((*unit, slot))
    }
}

fn wrong_kind(unit: &Unit, said: Option<UnitKind>) -> Result<(), Illegal> {
    match said {
        Some(said) if said != unit.kind => Err(Illegal::WrongKind(NamedUnit::from(unit), said)),
        _ => Ok(()),
    }
}
