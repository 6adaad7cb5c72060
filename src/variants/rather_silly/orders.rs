//! What units are told in a season's movement, by whom, and the order sheet that the passes of step 1 rewrite.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::state::Accepted;
use crate::map::{Location, Power, Province, UnitKind};
use crate::orders::{Action, Passage};
use crate::position::UnitId;

/// What a unit is told.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum Told {
    /// It holds.
    Hold,
    /// It holds and drives BIRDS off.
    Shoo,
    /// It holds the TARDIS.
    HoldTardis,
    /// A FEMALE ARMY distracts this unit.
    Distract(UnitId),
    /// A DIRTY OLD MAN ARMY exposes himself.
    Expose,
    /// It moves, and carries the TARDIS if it says so.
    Move {
        to: Location,
        by: Passage,
        tardis: bool,
    },
    SupportHold {
        at: Province,
    },
    SupportMove {
        from: Province,
        to: Location,
    },
    Convoy {
        from: Province,
        to: Province,
    },
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

impl Told {
    /// A move by the shortest way.
    pub(super) fn moving(to: Location) -> Told {
        Told::Move {
            to,
            by: Passage::Auto,
            tardis: false,
        }
    }

    /// What it is in the one adjudicator: all that is no order there holds.
    pub(super) fn action(&self) -> Action {
        match self {
            Told::Move { to, by, .. } => Action::Move {
                to: *to,
                by: by.clone(),
            },
            Told::SupportHold { at } => Action::SupportHold { at: *at },
            Told::SupportMove { from, to } => Action::SupportMove {
                from: *from,
                to: *to,
            },
            Told::Convoy { from, to } => Action::Convoy {
                from: *from,
                to: *to,
            },
            _ => Action::Hold,
        }
    }

    /// Where it moves to, unless it is carried.
    pub(super) fn destination(&self) -> Option<Province> {
        match self {
            Told::Move { to, .. } => Some(to.province),
            _ => None,
        }
    }

    /// Whether it is an unconvoyed move.
    pub(super) fn walks_to(&self) -> Option<Province> {
        match self {
            Told::Move {
                to,
                by: Passage::Auto | Passage::Land,
                ..
            } => Some(to.province),
            _ => None,
        }
    }

    /// The space that a support is directed to.
    pub(super) fn supports_in(&self) -> Option<Province> {
        match self {
            Told::SupportHold { at } => Some(*at),
            Told::SupportMove { to, .. } => Some(to.province),
            _ => None,
        }
    }

    pub(super) fn carries_tardis(&self) -> bool {
        matches!(
            self,
            Told::Move { tardis: true, .. } | Told::Fly { tardis: true, .. }
        )
    }
}

/// Whose order it is; a later one is not changed by an earlier.
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

/// A re-order of the JESTER's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum Jest {
    Unit(UnitId, Told),
    Tardis(TardisOrder),
}

/// What the SOOTHSAYER foresees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Prediction {
    /// Where there will be a stand-off.
    pub at: Province,
    /// What is to come of it where the numbers are equal.
    pub kind: Option<UnitKind>,
}

/// What a unit that must retreat does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Flight {
    To(Location),
    Disband,
}

/// What is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Build {
    Unit(UnitKind, Location),
    /// A SIAMESE pair.
    Pair((UnitKind, Location), (UnitKind, Location)),
}

/// A line of an adjustment phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Adjusting {
    Build(Build),
    Remove(UnitId),
    Waive,
}

/// Something that is done if a condition holds then.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct If<T> {
    pub condition: Option<super::conditions::Condition>,
    pub then: T,
}

/// All that one seat has submitted for a season.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Submissions {
    pub orders: BTreeMap<UnitId, Told>,
    pub tardis: TardisOrder,
    pub jests: Vec<Jest>,
    pub predictions: Vec<Prediction>,
    /// The units whose souls are sold.
    pub sales: Vec<If<UnitId>>,
    pub detonations: Vec<If<Province>>,
    pub retreats: Vec<If<(UnitId, Flight)>>,
    pub adjusting: Vec<If<Adjusting>>,
    pub free_builds: Vec<If<(UnitKind, Location)>>,
    /// The spaces to be linked; nothing for no LINK.
    pub votes: Vec<If<Option<(Province, Province)>>>,
    pub answer: Option<String>,
    /// What the MASTERMIND accepts.
    pub question: Option<Vec<Accepted>>,
}

/// Everybody's.
pub(super) type Everybody = BTreeMap<Power, Submissions>;

/// What every unit is told, and by whom.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Sheet {
    orders: BTreeMap<UnitId, (Told, Source)>,
}

impl Sheet {
    pub(super) fn told(&self, unit: UnitId) -> &Told {
        self.orders.get(&unit).map_or(&Told::Hold, |(told, _)| told)
    }

    pub(super) fn source(&self, unit: UnitId) -> Source {
        let order = self.orders.get(&unit);
        order.map_or(Source::Owner, |(_, source)| *source)
    }

    pub(super) fn write(&mut self, unit: UnitId, told: Told, source: Source) {
        self.orders.insert(unit, (told, source));
    }
}
