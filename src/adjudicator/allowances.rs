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
                let homes = map.homes(power);
                let open = match sites {
                    Sites::Homes => owned
                        .iter()
                        .filter(|center| homes.contains(center))
                        .copied()
                        .collect(),
                    Sites::OwnedIfHome if !owned.iter().any(|center| homes.contains(center)) => {
                        Vec::new()
                    }
                    Sites::Owned | Sites::OwnedIfHome => owned.clone(),
                };
                let count = |count: usize| i32::try_from(count).unwrap_or(i32::MAX);
                let change = count(owned.len()).saturating_sub(count(units));
                let sites = open
                    .into_iter()
                    .filter(|site| position.standing(*site).is_none())
                    .collect();
                (
                    power,
                    Allowance {
                        change,
                        sites,
                        ..Allowance::default()
                    },
                )
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

    /// Builds that can be used, removals, and builds for which there is no free place.
    #[must_use]
    pub fn usable(&self, power: Power) -> (usize, usize, usize) {
        self.of(power).map_or((0, 0, 0), Allowance::usable)
    }

    /// Where the power may build.
    #[must_use]
    pub fn sites(&self, power: Power) -> Vec<Province> {
        self.of(power)
            .map(|allowance| allowance.sites.clone())
            .unwrap_or_default()
    }
}

impl Allowance {
    /// Builds that can be used, removals, and builds for which there is no free place.
    #[must_use]
    pub fn usable(&self) -> (usize, usize, usize) {
        let amount = usize::try_from(self.change.unsigned_abs()).unwrap_or(usize::MAX);
        if self.change < 0 {
            return (0, amount, 0);
        }
        let builds = amount.min(self.sites.len());
        (builds, 0, amount - builds)
    }

    /// Where it may build this kind.
    pub fn sites_for(&self, kind: UnitKind) -> &[Province] {
        match self.kinds.get(&kind) {
            None => &[],
            Some(limits) => limits.sites.as_deref().unwrap_or(&self.sites),
        }
    }
}
