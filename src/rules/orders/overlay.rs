//! Changes that a variant makes to the map for one turn.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::map::{Location, Power, Province};
use crate::position::UnitId;

/// Changes that a variant makes to the map for one turn. They apply both when orders are checked and when they are
/// adjudicated. The default changes nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Overlay {
    /// Pairs of provinces that are adjacent in addition to the map's borders, for moves, supports, convoys and retreats. Armies
    /// still need land and fleets water; a fleet may use any coast. A fleet on a sea that is linked to land can convoy from and
    /// to it.
    pub links: Vec<(Province, Province)>,
    /// Places that single units can reach in addition. They can also support there.
    pub reach: BTreeMap<UnitId, Vec<Location>>,
    /// Provinces that defend themselves.
    pub strongholds: BTreeMap<Province, Stronghold>,
    /// Provinces that only the units of these powers may enter. An entry replaces the
    /// [`ProvinceInfo::only`](crate::map::ProvinceInfo::only) of the map.
    pub only: BTreeMap<Province, Vec<Power>>,
    /// Units that can convoy another one by themselves.
    pub ferries: Vec<Ferry>,
}

/// A unit that can convoy one other unit through its own province, whether at sea or on land, without being part of a chain
/// of fleets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ferry {
    /// The unit that convoys. It needs an order to do so.
    pub by: UnitId,
    /// The unit that is convoyed.
    pub passenger: UnitId,
    /// The possible destinations.
    pub to: Vec<Province>,
}

/// A province that resists all powers but its owner, even without a unit. For attackers of other powers, the hold strength and
/// the defend strength (DATC 5.B) become `max(strength × times + plus, at_least)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stronghold {
    /// The power whose units it does not resist.
    pub owner: Power,
    /// The number that is added to the product.
    pub plus: u32,
    /// The factor by which the strength is multiplied.
    pub times: u32,
    /// The least strength.
    pub at_least: u32,
}

impl Stronghold {
    /// A stronghold that adds `plus` to the strength.
    #[must_use]
    pub const fn adding(owner: Power, plus: u32) -> Self {
        Self {
            owner,
            plus,
            times: 1,
            at_least: 0,
        }
    }

    /// The strength that an attacker of this power has to exceed.
    #[must_use]
    pub fn against(&self, attacker: Power, strength: u32) -> u32 {
        if attacker == self.owner {
            strength
        } else {
            strength
                .saturating_mul(self.times)
                .saturating_add(self.plus)
                .max(self.at_least)
        }
    }
}

impl Overlay {
    /// Whether the overlay changes nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.links.is_empty()
            && self.reach.is_empty()
            && self.strongholds.is_empty()
            && self.only.is_empty()
            && self.ferries.is_empty()
    }

    /// The units that can convoy this passenger to this province by themselves.
    pub fn ferries_to(&self, passenger: UnitId, to: Province) -> impl Iterator<Item = UnitId> {
        self.ferries
            .iter()
            .filter(move |ferry| ferry.passenger == passenger && ferry.to.contains(&to))
            .map(|ferry| ferry.by)
    }

    /// The provinces linked to this one.
    pub fn linked(&self, province: Province) -> impl Iterator<Item = Province> {
        self.links.iter().filter_map(move |&(a, b)| {
            if province == a {
                Some(b)
            } else if province == b {
                Some(a)
            } else {
                None
            }
        })
    }
}
