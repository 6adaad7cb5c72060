//! Builds and removals due, and where and what may be built.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::map::{Location, Map, Power, Province, UnitKind};
use crate::position::{Position, UnitId};

/// Where builds may stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Sites {
    /// In own home centers.
    #[default]
    Homes,
    /// In any own center.
    Owned,
    /// In any own center, if at least one of them is a home center.
    OwnedIfHome,
}

/// What each power may and must do in an adjustment phase. The engine computes the standard case, a variant edits it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Allowances {
    /// By power; one that is not here has nothing to adjust.
    pub powers: BTreeMap<Power, Allowance>,
}

/// What one power may and must do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Allowance {
    /// Centers less units: so many builds if positive, so many removals if negative.
    pub change: i32,
    /// Where it may build, by code: vacant, owned, and of the right sort.
    pub sites: Vec<Province>,
    /// What it may build, with the limits of each kind.
    pub kinds: BTreeMap<UnitKind, KindAllowance>,
    /// Whether a build may be waived.
    pub may_waive: bool,
    /// What silence builds, in order, as far as builds are left and the places are free.
    pub default_builds: Vec<(UnitKind, Location)>,
    /// Builds not used now stay due: they are told as saved, not as waived.
    pub keeps: bool,
    /// The units in the order in which they are lost if nobody says; nothing for the rulebook's civil disorder.
    pub forfeit: Option<Vec<UnitId>>,
}

/// The limits for building one kind of unit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KindAllowance {
    /// Where, if not at all of the power's sites.
    pub sites: Option<Vec<Province>>,
    /// How many in this phase.
    pub at_most: Option<u32>,
    /// Whether it costs no build.
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
            default_builds: Vec::new(),
            keeps: false,
            forfeit: None,
        }
    }
}

impl Allowances {
    /// The standard case for a roster of so many powers, whose home centers are those of the map's own powers.
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

    /// The power's allowance, if it has one.
    #[must_use]
    pub fn of(&self, power: Power) -> Option<&Allowance> {
        self.powers.get(&power)
    }

    /// Centers less units: builds if positive, removals if negative.
    #[must_use]
    pub fn due(&self, power: Power) -> i32 {
        self.of(power).map_or(0, |allowance| allowance.change)
    }

    /// How many units the power can build and must remove.
    #[must_use]
    pub fn counts(&self, power: Power) -> AdjustmentCounts {
        self.of(power).map(Allowance::counts).unwrap_or_default()
    }

    /// Where the power may build.
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

/// Where a power that owns these centers may build, in their order.
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

    /// Where it may build this kind.
    pub fn sites_for(&self, kind: UnitKind) -> &[Province] {
        match self.kinds.get(&kind) {
            None => &[],
            Some(limits) => limits.sites.as_deref().unwrap_or(&self.sites),
        }
    }
}
