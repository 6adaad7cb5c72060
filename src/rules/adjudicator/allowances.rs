//! How many units each power may build or must remove, and where and what it may build.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::map::{Location, Map, Power, Province, UnitKind};
use crate::position::{Position, UnitId};

/// The centers in which a power may build.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Sites {
    /// Its home centers that it owns (the standard rule).
    #[default]
    Homes,
    /// All centers that it owns.
    Owned,
    /// All centers that it owns, if at least one of them is one of its home centers.
    OwnedIfHome,
}

/// What each power may and must do in an adjustment phase. [`Allowances::standard`] computes it by the standard rules; a
/// variant changes the result before [`adjustments`](super::adjustments) carries it out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Allowances {
    /// The allowance of each power. A power without one neither builds nor removes.
    pub powers: BTreeMap<Power, Allowance>,
}

/// What one power may and must do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Allowance {
    /// The number of builds if positive, of removals if negative: centers minus units in the standard game.
    pub change: i32,
    /// The centers in which the power may build: without a unit, owned by the power, and allowed by [`Sites`].
    pub sites: Vec<Province>,
    /// The kinds of unit that the power may build, with the limits of each kind.
    pub kinds: BTreeMap<UnitKind, KindAllowance>,
    /// Whether `WAIVE` is a legal order.
    pub may_waive: bool,
    /// Whether it may remove units that it could keep.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub removes_at_will: bool,
    /// The units that are built, in this order, with the builds for which there is no order. A unit whose place is occupied is
    /// skipped.
    pub default_builds: Vec<(UnitKind, Location)>,
    /// Whether unused builds can be used in a later year. They are reported as [`Adjustment::Saved`](super::Adjustment::Saved)
    /// then, not as waived.
    #[serde(rename = "keeps")]
    pub saves_builds: bool,
    /// The units to remove where removals are not ordered, first one first; `None` for the rule of
    /// [`civil_disorder`](super::civil_disorder).
    #[serde(rename = "forfeit")]
    pub removal_order: Option<Vec<UnitId>>,
}

/// The limits for building one kind of unit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KindAllowance {
    /// The centers in which this kind may be built; `None` for all of the allowance's sites.
    pub sites: Option<Vec<Province>>,
    /// The greatest number of such units that may be built in this phase; `None` for no limit.
    pub at_most: Option<u32>,
    /// Whether such a unit can be built in addition to [`Allowance::change`].
    pub free: bool,
}

impl Default for Allowance {
    fn default() -> Self {
        Self {
            change: 0,
            sites: Vec::new(),
            kinds: [UnitKind::ARMY, UnitKind::FLEET]
                .map(|kind| (kind, KindAllowance::default()))
                .into(),
            may_waive: true,
            removes_at_will: false,
            default_builds: Vec::new(),
            saves_builds: false,
            removal_order: None,
        }
    }
}

impl Allowances {
    /// The allowances by the standard rules. `powers` is the number of powers in the game; the home centers of `Power(i)` are
    /// those of the map's i-th power.
    #[must_use]
    pub fn standard(map: &Map, position: &Position, powers: usize, sites: Sites) -> Self {
        let powers = (0u8..)
            .take(powers.min(usize::from(Power::NEUTRAL.0)))
            .map(Power)
            .map(|power| {
                let owned: Vec<Province> = position.centers_of(power).collect();
                let units = position.units_of(power).count();
                let allowance = Allowance {
                    change: change(owned.len(), units),
                    sites: open_sites(map, position, power, &owned, sites).collect(),
                    ..Allowance::default()
                };
                (power, allowance)
            });
        Self {
            powers: powers.collect(),
        }
    }

    /// The power's allowance, or `None` if it has nothing to adjust.
    #[must_use]
    pub fn of(&self, power: Power) -> Option<&Allowance> {
        self.powers.get(&power)
    }

    /// The power's [`Allowance::change`], or 0 if it has nothing to adjust.
    #[must_use]
    pub fn due(&self, power: Power) -> i32 {
        self.of(power).map_or(0, |allowance| allowance.change)
    }

    /// How many units the power can build and must remove.
    #[must_use]
    pub fn counts(&self, power: Power) -> AdjustmentCounts {
        self.of(power).map(Allowance::counts).unwrap_or_default()
    }

    /// The power's [`Allowance::sites`].
    #[must_use]
    pub fn sites(&self, power: Power) -> Vec<Province> {
        self.of(power)
            .map(|allowance| allowance.sites.clone())
            .unwrap_or_default()
    }
}

/// The number of centers minus the number of units: the number of builds if positive, of removals if negative. Counts
/// greater than [`i32::MAX`] are taken as that.
#[must_use]
pub fn change(centers: usize, units: usize) -> i32 {
    let saturated = |count: usize| i32::try_from(count).unwrap_or(i32::MAX);
    saturated(centers) - saturated(units)
}

/// The centers without a unit in which a power that owns these centers may build, in their order.
pub fn open_sites<'a>(
    map: &'a Map,
    position: &'a Position,
    power: Power,
    owned: &'a [Province],
    sites: Sites,
) -> impl Iterator<Item = Province> + 'a {
    let homes = map.homes(power);
    let any = match sites {
        Sites::Homes => false,
        Sites::Owned => true,
        Sites::OwnedIfHome => owned.iter().any(|center| homes.contains(center)),
    };
    let open = owned
        .iter()
        .filter(move |center| any || homes.contains(center));
    open.copied()
        .filter(|site| position.standing(*site).is_none())
}

/// How many units a power can build and must remove in an adjustment phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AdjustmentCounts {
    /// The builds for which there is a free site.
    pub builds: usize,
    /// The units that must be removed.
    pub removals: usize,
    /// The builds for which there is no free site.
    pub unusable_builds: usize,
}

impl AdjustmentCounts {
    /// The counts for a [`change`] if this many sites are open.
    #[must_use]
    pub fn new(change: i32, open_sites: usize) -> Self {
        let amount = change.unsigned_abs() as usize;
        if change < 0 {
            return Self {
                removals: amount,
                ..Self::default()
            };
        }
        let builds = amount.min(open_sites);
        Self {
            builds,
            removals: 0,
            unusable_builds: amount - builds,
        }
    }
}

impl Allowance {
    /// How many units the power can build and must remove.
    #[must_use]
    pub fn counts(&self) -> AdjustmentCounts {
        AdjustmentCounts::new(self.change, self.sites.len())
    }

    /// The centers in which the power may build this kind; empty if it may not build the kind.
    pub fn sites_for(&self, kind: UnitKind) -> &[Province] {
        match self.kinds.get(&kind) {
            None => &[],
            Some(limits) => limits.sites.as_deref().unwrap_or(&self.sites),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::UnitKind;
    use crate::notation;
    use crate::position::Unit;

    #[test]
    fn a_power_builds_at_home_where_it_owns_and_nobody_stands() {
        let map = Map::standard();
        let place = |words: &str| notation::place(map, words).unwrap();
        let (austria, italy) = (Power(0), Power(4));
        let mut position = Position::default();
        for (center, owner) in [
            ("VIE", austria),
            ("BUD", austria),
            ("TRI", italy),
            ("SER", austria),
        ] {
            position.owners.insert(place(center).province, owner);
        }
        position.units.push(Unit {
            id: UnitId(0),
            power: austria,
            kind: UnitKind::ARMY,
            at: place("BUD"),
        });
        let allowances = Allowances::standard(map, &position, 7, Sites::Homes);
        assert_eq!(allowances.due(austria), 2);
        assert_eq!(allowances.sites(austria), [place("VIE").province]);
        assert_eq!(allowances.sites(italy), []);
        assert_eq!(allowances.sites(Power(7)), []);
        let anywhere = Allowances::standard(map, &position, 7, Sites::Owned);
        let open = ["SER", "VIE"].map(|center| place(center).province);
        assert_eq!(anywhere.sites(austria), open);
        // Of Italy's centers none is its home.
        let with_home = Allowances::standard(map, &position, 7, Sites::OwnedIfHome);
        assert_eq!(with_home.sites(austria), open);
        assert_eq!(with_home.sites(italy), []);
    }
}
