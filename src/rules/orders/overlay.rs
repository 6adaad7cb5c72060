//! What a variant lays over the map for one turn.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::map::{Location, Power, Province};
use crate::position::UnitId;

/// What a variant lays over the map this turn: consulted when an order is checked and again when it is adjudicated.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Overlay {
    /// Pairs of provinces that touch this turn, for moves, supports, convoys and retreats. Terrain still counts: armies go
    /// from land to land, fleets between places where a fleet can be (any coast); a sea linked to land convoys from and to it.
    pub links: Vec<(Province, Province)>,
    /// More places that single units may go to; they may support there too.
    pub reach: BTreeMap<UnitId, Vec<Location>>,
    /// Provinces that defend themselves.
    pub strongholds: BTreeMap<Province, Stronghold>,
    /// Provinces open only to the units of these powers; where a province is named here, the map's `only` does not count.
    pub only: BTreeMap<Province, Vec<Power>>,
    /// Units that may convoy one passenger through their own province, on land too, to places that they say.
    pub ferries: Vec<Ferry>,
}

/// A unit that may convoy one passenger through its own province, wherever that lies. It does so alone: a ferry on land is
/// no part of a chain of fleets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ferry {
    /// Who convoys; it still needs the order to.
    pub by: UnitId,
    /// Who is carried.
    pub passenger: UnitId,
    /// Where to.
    pub to: Vec<Province>,
}

/// A province that defends itself against all but its owner, also when it is empty. The hold strength and the strength of
/// its unit in a head-to-head fight become `max(strength × times + plus, at_least)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stronghold {
    /// Whose units it does not resist.
    pub owner: Power,
    /// What is added to the strength, once it is multiplied.
    pub plus: u32,
    /// Multiplied, before `plus` is added.
    pub times: u32,
    /// The least that it defends with.
    pub at_least: u32,
}

impl Stronghold {
    /// A stronghold that adds to the defence.
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
    /// Whether it changes nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.links.is_empty()
            && self.reach.is_empty()
            && self.strongholds.is_empty()
            && self.only.is_empty()
            && self.ferries.is_empty()
    }

    /// The units that may carry this passenger to this province by themselves.
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
