//! The order sheet: the input of a movement phase beside the map and the position.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::{Order, Overlay};
use crate::map::{Power, Province};
use crate::position::UnitId;

/// The orders of a movement phase, and what a variant adds to it. For the standard game, convert a `Vec<Order>` to a sheet.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrderSheet {
    /// The orders. If a unit has several, the last one counts; a unit without one holds. The sequence of orders for different
    /// units matters only for shared provinces: a support of a unit in one is for the first move in the list that it fits.
    pub orders: Vec<Order>,
    /// The strengths of units that do not have [`Strength::default`].
    pub strengths: BTreeMap<UnitId, Strength>,
    /// Changes to the map for this turn.
    pub overlay: Overlay,
    /// Supports that units give in addition to their orders.
    pub assists: Vec<Assist>,
    /// Units that take no part: they do not act, and other units can enter their provinces.
    pub withdrawn: BTreeSet<UnitId>,
    /// The greatest number of units that a power can have in a shared province after the phase. Without an entry there is no
    /// limit.
    pub room: BTreeMap<(Province, Power), u32>,
    /// What happens if more units of a power move to a shared province than there is room for: if true, the first ones in
    /// `orders` get in; if false, none does.
    pub first_come: bool,
    /// Units whose supports and convoys the variant makes void, and the reasons as parts of a sentence.
    pub voided: BTreeMap<UnitId, String>,
    /// Units whose orders were not given by their owners, and the reasons, which are printed beside the orders.
    pub reasons: BTreeMap<UnitId, String>,
    /// For units that support or convoy a unit in a shared province: the power to which that unit belongs. Without an entry it is
    /// the power of the supporting or convoying unit.
    pub beneficiaries: BTreeMap<UnitId, Power>,
}

/// The strengths of a unit, all 1 in the standard game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Strength {
    /// The strength of its move, without supports.
    pub attack: u32,
    /// The strength with which it defends its province, without supports.
    pub hold: u32,
    /// What its support adds to the strength of another unit.
    pub support: u32,
}

impl Strength {
    /// The same strength for everything.
    #[must_use]
    pub const fn of(strength: u32) -> Self {
        Self {
            attack: strength,
            hold: strength,
            support: strength,
        }
    }
}

impl Default for Strength {
    fn default() -> Self {
        Self::of(1)
    }
}

/// A support without an order: `by` adds its support strength to the move of `of`, or to its hold strength if it does not
/// move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assist {
    /// The unit that helps. It can have any order.
    pub by: UnitId,
    /// The unit that is helped.
    pub of: UnitId,
    /// The assist is cut if `by` is dislodged, or if the strengths of foreign attacks on `by` add up to this. As with an ordered
    /// support, an attack from the province at which the help is directed does not count.
    pub cut_at: u32,
}

/// The sheet of the standard game.
impl From<Vec<Order>> for OrderSheet {
    fn from(orders: Vec<Order>) -> Self {
        Self {
            orders,
            ..Self::default()
        }
    }
}

impl OrderSheet {
    /// Replaces the unit's orders by this one. `why` is the entry in [`OrderSheet::reasons`].
    pub fn replace(&mut self, unit: UnitId, action: super::Action, why: Option<String>) {
        self.orders.retain(|order| order.unit != unit);
        self.orders.push(Order { unit, action });
        match why {
            None => self.reasons.remove(&unit),
            Some(why) => self.reasons.insert(unit, why),
        };
    }

    /// Adds the unit to [`OrderSheet::withdrawn`].
    pub fn withdraw(&mut self, unit: UnitId) {
        self.withdrawn.insert(unit);
    }

    /// The action of the unit's last order.
    #[must_use]
    pub fn action(&self, unit: UnitId) -> Option<&super::Action> {
        self.orders
            .iter()
            .rev()
            .find(|order| order.unit == unit)
            .map(|order| &order.action)
    }
}
