//! The order sheet: all that adjudication of a movement phase is told.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::{Order, Overlay};
use crate::map::{Power, Province};
use crate::position::UnitId;

/// One action for each fighting unit, and what a variant adds to this turn. The standard game is the sheet with nothing extra.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrderSheet {
    /// The orders; the last one for a unit counts, a unit without one holds. Their sequence matters only for a shared
    /// place: a support that names it goes to the first listed of the moves that fit.
    pub orders: Vec<Order>,
    /// Units that do not have the strengths 1, 1, 1.
    pub strengths: BTreeMap<UnitId, Strength>,
    /// Borders and strongholds laid over the map.
    pub overlay: Overlay,
    /// Supports that cost no order.
    pub assists: Vec<Assist>,
    /// Units that take no part and block nobody.
    pub withdrawn: BTreeSet<UnitId>,
    /// How many units of a power there is room for in a shared province, at the end of the phase. Without an entry: any number.
    pub room: BTreeMap<(Province, Power), u32>,
    /// Where more of a power want into a shared province than it has room for, those listed first get in, as many as fit;
    /// otherwise nobody does.
    pub first_come: bool,
    /// Supports and convoys that the variant makes void, and the words that say why.
    pub voided: BTreeMap<UnitId, String>,
    /// Orders that another hand than the owner's has written, and the words that say so, printed beside the order.
    pub reasons: BTreeMap<UnitId, String>,
    /// For a support or convoy of a unit in a shared province: which power's unit is meant. Without an entry: the orderer's.
    pub beneficiaries: BTreeMap<UnitId, Power>,
}

/// What a unit counts for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Strength {
    /// When it moves, and in keeping others out of its destination.
    pub attack: u32,
    /// When it stays.
    pub hold: u32,
    /// In the support that it gives.
    pub support: u32,
}

impl Strength {
    /// The same in everything.
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

/// Support that costs no order: `by` adds its strength to whatever `of` does, its move or its hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assist {
    /// Who helps, whatever its own order is.
    pub by: UnitId,
    /// Who is helped.
    pub of: UnitId,
    /// It is cut when the strengths of foreign attacks on the province of `by` (not counting one from the province that
    /// the help is directed to) add up to this, and when `by` is dislodged.
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
    /// Writes the unit's order, in place of any before. `why` is printed beside the order.
    pub fn replace(&mut self, unit: UnitId, action: super::Action, why: Option<String>) {
        self.orders.retain(|order| order.unit != unit);
        self.orders.push(Order { unit, action });
        match why {
            None => self.reasons.remove(&unit),
            Some(why) => self.reasons.insert(unit, why),
        };
    }

    /// The unit takes no part and blocks nobody.
    pub fn withdraw(&mut self, unit: UnitId) {
        self.withdrawn.insert(unit);
    }

    /// The unit's order: the last one written; nothing if there is none.
    #[must_use]
    pub fn action(&self, unit: UnitId) -> Option<&super::Action> {
        self.orders
            .iter()
            .rev()
            .find(|order| order.unit == unit)
            .map(|order| &order.action)
    }
}
