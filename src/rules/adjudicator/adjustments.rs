//! An adjustment phase: builds, waivers, removals.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{AdjustmentCounts, Allowance, Allowances, civil_disorder};
use crate::map::{Location, Map, Power, UnitKind};
use crate::orders::{Action, Illegal, NewUnit, may_enter};
use crate::position::{Position, Unit};

/// One thing that happened in an adjustment phase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Adjustment {
    /// A unit was built.
    Built(Unit),
    /// A build was waived, or no order used it.
    Waived,
    /// A unit was removed as ordered.
    Removed(Unit),
    /// A unit was removed although it was not ordered to be, because the power owed a removal.
    Defaulted(Unit),
    /// This many builds could not be used for want of a free site.
    Unusable(u32),
    /// This many unused builds can be used in a later year ([`Allowance::saves_builds`]).
    Saved(u32),
    /// The order with this index in the power's list was not legal, or all builds or removals were used by earlier orders.
    Refused(usize, Illegal),
}

/// The result of an adjustment phase.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdjustmentResolution {
    /// What happened, sorted by power. Within a power, first what came of each order in the order of the list, then what
    /// happened without an order.
    pub adjustments: Vec<(Power, Adjustment)>,
    /// The position after the phase.
    pub position: Position,
}

/// Carries out an adjustment phase.
///
/// The legal orders of a power are carried out in their order until its builds or removals are used up; the others are
/// refused (DATC 4.D.4, 4.D.6). Builds without an order are waived. Removals without an order follow
/// [`Allowance::removal_order`], or else [`civil_disorder`].
#[must_use]
pub fn adjustments(
    map: &Map,
    position: &Position,
    allowances: &Allowances,
    orders: &BTreeMap<Power, Vec<Action>>,
) -> AdjustmentResolution {
    let mut adjusted = AdjustmentResolution {
        adjustments: Vec::new(),
        position: position.clone(),
    };
    for (&power, actions) in orders {
        if allowances.of(power).is_none() {
            for index in 0..actions.len() {
                adjusted.note(power, Adjustment::Refused(index, Illegal::NoBuilds(power)));
            }
        }
    }
    for (&power, allowance) in &allowances.powers {
        let actions = orders.get(&power).map_or(&[][..], Vec::as_slice);
        adjusted.adjust(map, power, allowance, actions);
    }
    adjusted
}

impl AdjustmentResolution {
    fn note(&mut self, power: Power, adjustment: Adjustment) {
        self.adjustments.push((power, adjustment));
    }

    fn adjust(&mut self, map: &Map, power: Power, allowance: &Allowance, actions: &[Action]) {
        let AdjustmentCounts {
            builds,
            removals,
            unusable_builds,
        } = allowance.counts();
        let mut left = builds;
        let mut lost = 0;
        let mut waived: usize = 0;
        let mut built: BTreeMap<UnitKind, u32> = BTreeMap::new();
        for (index, action) in actions.iter().enumerate() {
            let result = match action {
                Action::Build(NewUnit { kind, at }) => {
                    let free = allowance.kinds.get(kind).is_some_and(|limits| limits.free);
                    let count = built.get(kind).copied().unwrap_or(0);
                    self.may_build(map, power, allowance, *kind, *at, count)
                        .and_then(|at| {
                            if !free && left == 0 {
                                return Err(Illegal::NoBuilds(power));
                            }
                            left -= usize::from(!free);
                            *built.entry(*kind).or_default() += 1;
                            Ok(Adjustment::Built(self.place(power, *kind, at)))
                        })
                }
                Action::Waive if !allowance.may_waive => Err(Illegal::CannotWaive(power)),
                Action::Waive if left == 0 => Err(Illegal::NoBuilds(power)),
                Action::Waive => {
                    left -= 1;
                    waived += 1;
                    if allowance.saves_builds {
                        continue;
                    }
                    Ok(Adjustment::Waived)
                }
                Action::Remove { at } if lost < removals => {
                    let mut units = self.position.units.iter();
                    let is_own = |unit: &Unit| unit.at.province == *at && unit.power == power;
                    match units.position(is_own) {
                        Some(index) => {
                            lost += 1;
                            Ok(Adjustment::Removed(self.position.units.remove(index)))
                        }
                        None => Err(Illegal::NoUnitToRemove(*at, power)),
                    }
                }
                Action::Remove { .. } => Err(Illegal::NoRemovals(power)),
                _ => Err(Illegal::Other(
                    "Such an order has no meaning in an adjustment phase.".to_owned(),
                )),
            };
            match result {
                Ok(adjustment) => self.note(power, adjustment),
                Err(illegal) => self.note(power, Adjustment::Refused(index, illegal)),
            }
        }
        for &(kind, at) in &allowance.default_builds {
            let count = built.get(&kind).copied().unwrap_or(0);
            if left > 0
                && let Ok(at) = self.may_build(map, power, allowance, kind, at, count)
            {
                left -= 1;
                *built.entry(kind).or_default() += 1;
                let unit = self.place(power, kind, at);
                self.note(power, Adjustment::Built(unit));
            }
        }
        let saved = if allowance.saves_builds {
            left + waived + unusable_builds
        } else {
            (0..left).for_each(|_| self.note(power, Adjustment::Waived));
            0
        };
        for _ in lost..removals {
            let Some(unit) = self.forfeited(map, power, allowance) else {
                break;
            };
            self.position.units.retain(|other| other.id != unit.id);
            self.note(power, Adjustment::Defaulted(unit));
        }
        // Neither is more than the allowance's change, an i32.
        if saved > 0 {
            self.note(power, Adjustment::Saved(saved as u32));
        } else if unusable_builds > 0 {
            self.note(power, Adjustment::Unusable(unusable_builds as u32));
        }
    }

    fn may_build(
        &self,
        map: &Map,
        power: Power,
        allowance: &Allowance,
        kind: UnitKind,
        at: Location,
        built: u32,
    ) -> Result<Location, Illegal> {
        may_build(map, &self.position, allowance, power, kind, at)?;
        let limit = allowance.kinds.get(&kind).and_then(|limits| limits.at_most);
        if limit.is_some_and(|limit| built >= limit) {
            return Err(Illegal::NoBuilds(power));
        }
        Ok(settle(map, kind, at))
    }

    fn place(&mut self, power: Power, kind: UnitKind, at: Location) -> Unit {
        let unit = Unit {
            id: self.position.free_id(),
            power,
            kind,
            at,
        };
        self.position.units.push(unit);
        unit
    }

    fn forfeited(&self, map: &Map, power: Power, allowance: &Allowance) -> Option<Unit> {
        let own = |id| {
            self.position
                .units
                .iter()
                .find(|unit| unit.id == id && unit.power == power)
                .copied()
        };
        let first = allowance
            .removal_order
            .iter()
            .flatten()
            .find_map(|&id| own(id));
        first.or_else(|| civil_disorder(map, &self.position, power))
    }
}

/// Checks whether the power may build this unit there. Whether the power has a build left is not checked.
///
/// # Errors
/// [`Illegal::NoBuilds`] if the power must remove units, [`Illegal::Occupied`], [`Illegal::NoCenter`], [`Illegal::NotOwned`],
/// [`Illegal::NotHome`], or [`Illegal::CannotStand`].
pub fn may_build(
    map: &Map,
    position: &Position,
    allowance: &Allowance,
    power: Power,
    kind: UnitKind,
    at: Location,
) -> Result<(), Illegal> {
    if allowance.change < 0 {
        return Err(Illegal::NoBuilds(power));
    }
    let shared = map.info(at.province).is_some_and(|info| info.shared);
    if !shared && position.standing(at.province).is_some() {
        return Err(Illegal::Occupied(at.province));
    }
    if !allowance.sites_for(kind).contains(&at.province) {
        return Err(match position.owners.get(&at.province) {
            _ if !map.info(at.province).is_some_and(|info| info.center) => {
                Illegal::NoCenter(at.province)
            }
            owner if owner != Some(&power) => Illegal::NotOwned(at.province, power),
            _ => Illegal::NotHome(at.province, power),
        });
    }
    if !map.can_stand(map.travel(kind), settle(map, kind, at))
        || !may_enter(map, &Default::default(), power, at.province)
    {
        return Err(Illegal::CannotStand(kind, at));
    }
    Ok(())
}

/// The location without its coast, if the unit needs none there.
fn settle(map: &Map, kind: UnitKind, at: Location) -> Location {
    let bare = Location::from(at.province);
    if map.can_stand(map.travel(kind), bare) {
        bare
    } else {
        at
    }
}
