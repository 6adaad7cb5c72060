//! A board as one reader may see it: everything that a picture of it shows, and nothing else.

use std::collections::{BTreeMap, BTreeSet};

use super::Label;
use dipjudge_rules::map::{Location, Map, Province, UnitKind};
use dipjudge_rules::orders::{Action, Names, Never};

/// What one picture shows. `game::project` makes it; what its reader may not see is not in it.
#[derive(Clone, Debug)]
pub struct Board {
    /// The map, with what the variant lays over it.
    pub map: &'static Map,
    /// What the variant draws over the map's drawing: lines of a drawing file.
    pub drawing: &'static str,
    /// What the picture is of: `Kaiser after Spring of 1901, Movement`.
    pub title: String,
    /// Those whom the reader knows, in the order in which he came to know them; colors go by it.
    pub powers: Vec<PowerOnBoard>,
    /// What is in sight; none: everything.
    pub in_sight: Option<BTreeSet<Province>>,
    /// Who owns which center.
    pub owners: BTreeMap<Province, Whose>,
    /// Units, those of which only the former place is told among them.
    pub units: Vec<UnitOnBoard>,
    /// Orders, with what came of them.
    pub orders: Vec<OrderOnBoard>,
    /// Provinces in which units stood off and none is left.
    pub standoffs: BTreeSet<Province>,
    /// What the variant marks.
    pub signs: Vec<Sign>,
}

impl Board {
    /// Whether a province is in sight.
    #[must_use]
    pub fn is_in_sight(&self, province: Province) -> bool {
        let all = self.in_sight.as_ref();
        all.is_none_or(|seen| seen.contains(&province))
    }

    /// What a power is called.
    #[must_use]
    pub fn power(&self, whose: Whose) -> Option<&PowerOnBoard> {
        self.powers.get(whose.0?)
    }

    /// Whether the arrow of the convoyed army leads over the fleet that stands here, so that the convoy is seen in it.
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

/// Whose something is: the place of a power in [`Board::powers`], or nobody's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Whose(pub Option<usize>);

impl Whose {
    /// Nobody's.
    pub const NOBODY: Whose = Whose(None);
}

/// A power in the reader's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PowerOnBoard {
    /// What the reader calls it.
    pub label: Label,
    /// One to three letters for it, unlike those of all others on the board.
    pub mark: String,
}

/// A unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnitOnBoard {
    /// What it is, by the letters that mails have for it.
    pub kind: UnitKind,
    /// Whose it is.
    pub whose: Whose,
    /// Where it stands, or stood.
    pub at: Location,
    /// Whether it stands there.
    pub state: UnitState,
}

/// How a unit stands where it is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum UnitState {
    /// It stands.
    Stands,
    /// It stands, since it was built in the phase that is told.
    Built,
    /// It is dislodged and must retreat.
    Dislodged,
    /// It is gone: removed or destroyed in the phase that is told.
    Gone,
    /// It is gone: it was dislodged there and has been disbanded or destroyed.
    GoneWhenDislodged,
}

/// An order and what came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderOnBoard {
    /// Whose unit.
    pub whose: Whose,
    /// Where the unit stood.
    pub from: Location,
    /// What it was told.
    pub action: Action<Drawn>,
    /// Whether that failed, was cut or was void.
    pub failed: bool,
}

/// Names actions by where their ends are drawn. Places of other units bear a coast only where the reader saw them stand
/// there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drawn {}

impl Names for Drawn {
    type Place = Location;
    type Province = Location;
    /// Where it stands.
    type Unit = Location;
    /// The fleets that convoyed a move, as far as the reader knows, in the order of the way.
    type Route = Vec<Location>;
    type NewUnit = Never;
    type Special = Never;
}

/// What a variant marks in a province.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sign {
    /// Where.
    pub at: Province,
    /// How it is drawn.
    pub look: SignLook,
    /// A word for it, where it is a token.
    pub text: String,
    /// In whose color.
    pub whose: Whose,
    /// What it means, as the words below the picture say; empty where nothing needs to be said.
    pub meaning: &'static str,
}

/// How what a variant marks is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SignLook {
    /// A wall around the center.
    Fort,
    /// The province is striped.
    Stripes,
    /// A plate with a word, beside the units.
    Token,
    /// A ring around the unit: it is new, or otherwise to be looked at.
    Ring,
    /// A cross: something ended here.
    Cross,
}
