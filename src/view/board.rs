//! A board as one reader may see it: everything that a picture of it shows.

use std::collections::{BTreeMap, BTreeSet};

use super::Label;
use dipjudge_rules::map::{Location, Map, Province, UnitKind};
use dipjudge_rules::orders::{Action, Names, Never};

/// The contents of a picture. What its reader may not see is not in it.
#[derive(Clone, Debug)]
pub struct Board {
    /// The map, with the variant's changes to it.
    pub map: &'static Map,
    /// Lines of a drawing file that the variant adds to the drawing of the map.
    pub drawing: &'static str,
    /// The title of the picture: `Kaiser after Spring of 1901, Movement`.
    pub title: String,
    /// The powers that the reader knows, in the order in which he learned of them. It determines their colors.
    pub powers: Vec<PowerOnBoard>,
    /// The provinces in sight; `None` if all are.
    pub in_sight: Option<BTreeSet<Province>>,
    /// The owners of centers.
    pub owners: BTreeMap<Province, Owner>,
    /// The units, including those that have left the board in the phase.
    pub units: Vec<UnitOnBoard>,
    /// The orders and what is known of their results.
    pub orders: Vec<OrderOnBoard>,
    /// The provinces without a unit in which there was a stand-off.
    pub standoffs: BTreeSet<Province>,
    /// The places that are open to units that retreat or are built in the phase to come, as far as the reader may know.
    pub open: BTreeSet<OpenPlace>,
    /// The marks of the variant.
    pub signs: Vec<Sign>,
    /// The power whose surroundings alone are shown; `None` shows the whole board.
    pub near: Option<Owner>,
}

/// A place that is open in the phase to come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct OpenPlace {
    /// The place.
    pub at: Location,
    /// What it is open for.
    pub purpose: OpenFor,
}

/// What a place is open for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OpenFor {
    /// A dislodged unit can retreat there.
    Retreat,
    /// A power can build there.
    Build,
}

/// Maps are compared by where they are kept: each is there once.
impl PartialEq for Board {
    fn eq(&self, other: &Board) -> bool {
        let Board {
            map,
            drawing,
            title,
            powers,
            in_sight,
            owners,
            units,
            orders,
            standoffs,
            open,
            signs,
            near,
        } = self;
        std::ptr::eq(*map, other.map)
            && *title == other.title
            && *orders == other.orders
            && *units == other.units
            && *owners == other.owners
            && *powers == other.powers
            && *in_sight == other.in_sight
            && *standoffs == other.standoffs
            && *open == other.open
            && *signs == other.signs
            && *drawing == other.drawing
            && *near == other.near
    }
}

impl Board {
    /// Whether a province is in sight.
    #[must_use]
    pub fn is_in_sight(&self, province: Province) -> bool {
        let all = self.in_sight.as_ref();
        all.is_none_or(|seen| seen.contains(&province))
    }

    /// The power of an owner; `None` for nobody.
    #[must_use]
    pub fn power(&self, whose: Owner) -> Option<&PowerOnBoard> {
        self.powers.get(whose.0?)
    }

    /// Whether the arrow of the convoyed army leads over this fleet, so that the convoy needs no line of its own.
    #[must_use]
    pub fn is_in_move(&self, fleet: Location, from: Location, to: Location) -> bool {
        self.orders.iter().any(|order| match &order.action {
            Action::Move { to: there, by } => {
                order.from.province == from.province
                    && there.province == to.province
                    && by.iter().any(|over| over.province == fleet.province)
            }
            _ => false,
        })
    }
}

/// An owner: an index into [`Board::powers`], or nobody.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Owner(pub Option<usize>);

impl Owner {
    /// No power.
    pub const NOBODY: Owner = Owner(None);
}

/// A power as the reader knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PowerOnBoard {
    /// The reader's name for the power.
    pub label: Label,
    /// One to three letters that stand for the power, different for each power on the board.
    pub mark: String,
}

/// A unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnitOnBoard {
    /// The kind, by the letters that are shown to players.
    pub kind: UnitKind,
    /// The power that owns the unit.
    pub whose: Owner,
    /// The location of the unit, or the last one if it has left the board.
    pub at: Location,
    /// Whether the unit is there.
    pub state: UnitState,
}

/// The state of a unit at the location where it is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum UnitState {
    /// The unit is there.
    Stands,
    /// The unit was built in the phase of the picture.
    Built,
    /// The unit is dislodged and must retreat.
    Dislodged,
    /// The unit was removed or destroyed in the phase of the picture.
    Gone,
    /// The unit was dislodged there and then disbanded or destroyed.
    GoneWhenDislodged,
}

/// An order and what is known of its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderOnBoard {
    /// The power that owns the unit.
    pub whose: Owner,
    /// The location of the unit at the start of the phase.
    pub from: Location,
    /// The action that was ordered.
    pub action: Action<DrawnLocations>,
    /// What is known of its result.
    pub fate: OrderFate,
}

/// What is known of the result of an order on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderFate {
    /// It succeeded.
    Succeeded,
    /// It failed, was cut or was void.
    Failed,
    /// It is given and not adjudicated yet; the orders of its power alone are enough for it.
    Given,
    /// It is given, and depends on an order that its power has not given: of another power's unit, of one that it does not see, or
    /// of an own unit that is ordered otherwise.
    Doubtful,
}

/// The naming of actions by the locations between which they are drawn. The location of another unit has a coast only if the
/// reader has seen it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawnLocations {}

impl Names for DrawnLocations {
    type Place = Location;
    type Province = Location;
    /// The location of the unit.
    type Unit = Location;
    /// The locations of the fleets that convoyed a move, in order, as far as the reader knows.
    type Route = Vec<Location>;
    type NewUnit = Never;
    type Special = Never;
}

/// A mark of a variant in a province.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sign {
    /// The marked province.
    pub at: Province,
    /// The form of the mark.
    pub look: SignLook,
    /// The word on a [`SignLook::Token`].
    pub text: String,
    /// The power in whose color the mark is drawn.
    pub whose: Owner,
    /// The explanation below the picture; empty if none is needed.
    pub meaning: &'static str,
}

/// The form of a mark of a variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SignLook {
    /// A wall around the center.
    Fort,
    /// The province is striped.
    Stripes,
    /// A plate with a word, beside the units.
    Token,
    /// A ring around the unit, which is new or otherwise notable.
    Ring,
    /// A cross: something ended here.
    Cross,
}
