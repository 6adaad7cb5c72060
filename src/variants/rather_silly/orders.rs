//! The orders of a season's movement, who wrote them, and the order sheet that the passes of step 1 rewrite.

use serde::{Deserialize, Serialize};

use dipjudge_rules::map::{Location, Province};
use dipjudge_rules::orders::{Action, Passage};
use dipjudge_rules::position::UnitId;
use dipjudge_rules::sorted_map::SortedMap;

/// An order for one unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum UnitOrder {
    /// An order of every game.
    Common(Action),
    /// It holds and drives BIRDS off.
    Shoo,
    /// It holds the TARDIS.
    HoldTardis,
    /// A FEMALE ARMY distracts this unit.
    Distract(UnitId),
    /// A DIRTY OLD MAN ARMY exposes himself.
    Expose,
    /// It moves and carries the TARDIS.
    Carry { to: Location, by: Passage },
    /// BIRDS fly through these spaces to the last of them, with an army that is to be picked up, or with the TARDIS.
    Fly {
        route: Vec<Province>,
        army: Option<UnitId>,
        tardis: bool,
    },
    /// An army lets itself be carried through these spaces: by this flock, or by any.
    Ride {
        route: Vec<Province>,
        flock: Option<UnitId>,
    },
}

impl Default for UnitOrder {
    fn default() -> UnitOrder {
        UnitOrder::HOLD
    }
}

impl UnitOrder {
    pub(super) const HOLD: UnitOrder = UnitOrder::Common(Action::Hold);

    /// A move by the shortest way.
    pub(super) fn moving(to: Location) -> UnitOrder {
        UnitOrder::Common(Action::Move {
            to,
            by: Passage::Auto,
        })
    }

    /// The order as the adjudicator has it: what is no order there is a hold.
    pub(super) fn action(&self) -> Action {
        match self {
            UnitOrder::Common(action) => action.clone(),
            UnitOrder::Carry { to, by } => Action::Move {
                to: *to,
                by: by.clone(),
            },
            _ => Action::Hold,
        }
    }

    /// Where it moves to and by what way, unless it flies or is carried.
    pub(super) fn moves(&self) -> Option<(Location, &Passage)> {
        match self {
            UnitOrder::Common(Action::Move { to, by }) | UnitOrder::Carry { to, by } => {
                Some((*to, by))
            }
            _ => None,
        }
    }

    /// Where it moves to, unless it flies or is carried.
    pub(super) fn goal(&self) -> Option<Location> {
        self.moves().map(|(to, _)| to)
    }

    /// The space that it moves to, unless it flies or is carried.
    pub(super) fn destination(&self) -> Option<Province> {
        self.goal().map(|to| to.province)
    }

    /// The space that it moves to without a convoy.
    pub(super) fn walks_to(&self) -> Option<Province> {
        let (to, by) = self.moves()?;
        matches!(by, Passage::Auto | Passage::Land).then_some(to.province)
    }

    /// The space that a support is directed to.
    pub(super) fn supports_in(&self) -> Option<Province> {
        match self {
            UnitOrder::Common(Action::SupportHold { at }) => Some(*at),
            UnitOrder::Common(Action::SupportMove { to, .. }) => Some(to.province),
            _ => None,
        }
    }

    pub(super) fn carries_tardis(&self) -> bool {
        matches!(
            self,
            UnitOrder::Carry { .. } | UnitOrder::Fly { tardis: true, .. }
        )
    }
}

/// Who wrote an order; an order of a later source is not replaced by one of an earlier source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) enum Source {
    #[default]
    Owner,
    Jester,
    /// Forced by a gay fleet.
    Bigotry,
    /// Forced by a FEMALE ARMY.
    Distracted,
    /// Twins that could have been parted hold.
    Siamese,
    /// The judge's, for monsters.
    Judge,
}

/// What the DOCTOR does with the TARDIS.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum TardisOrder {
    /// He said nothing.
    #[default]
    None,
    Stay,
    ToHyperspace,
    To(Province),
    /// It is carried by this unit.
    With(UnitId),
}

/// An order on the sheet.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SheetOrder {
    pub order: UnitOrder,
    pub source: Source,
    /// The unit for whose sake it was written: whom a FEMALE ARMY distracts, a gay fleet provokes.
    pub because: Option<UnitId>,
}

/// The orders of every unit, in the sequence in which they were written.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Sheet {
    orders: SortedMap<UnitId, Vec<SheetOrder>>,
}

impl Sheet {
    /// The order that a unit carries out.
    pub(super) fn order(&self, unit: UnitId) -> &UnitOrder {
        self.last(unit).map_or(&UnitOrder::HOLD, |last| &last.order)
    }

    pub(super) fn source(&self, unit: UnitId) -> Source {
        let order = self.last(unit);
        order.map_or(Source::Owner, |order| order.source)
    }

    fn last(&self, unit: UnitId) -> Option<&SheetOrder> {
        self.all(unit).last()
    }

    /// All orders for a unit; the last is the one that it carries out.
    pub(super) fn all(&self, unit: UnitId) -> &[SheetOrder] {
        self.orders.get(&unit).map_or(&[], Vec::as_slice)
    }

    pub(super) fn write(
        &mut self,
        unit: UnitId,
        order: UnitOrder,
        source: Source,
        because: Option<UnitId>,
    ) {
        self.orders.get_or_default(unit).push(SheetOrder {
            order,
            source,
            because,
        });
    }
}
