//! Units, orders and results as one reader sees them.

use std::fmt;

use dipjudge_rules::orders::{Action, Names};
use serde::Serialize;

use super::Label;

/// A unit in sight.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SeenUnit {
    /// Whose it is: `Austria`.
    pub power: Label,
    /// Whose it is, as an adjective: `Austrian`.
    pub adjective: String,
    /// `Army`, `Fleet`, or what the variant has.
    pub kind: String,
    /// Full name with coast: `St Petersburg (south coast)`.
    pub place: String,
    /// Full name of the province alone: `St Petersburg`.
    pub province: String,
    /// Whether the place is a sea (`in the North Sea`).
    pub at_sea: bool,
}

/// The naming of actions by the names that a reader reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InNames {}

impl Names for InNames {
    /// Full name with coast.
    type Place = String;
    /// Full name.
    type Province = String;
    type Unit = SupportedUnit;
    /// Full names of the places before the destination, of a convoy route.
    type Route = Vec<String>;
    type NewUnit = SupportedUnit;
    type Special = SpecialInNames;
}

/// An order that is not an action of the standard rules, in names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum SpecialInNames {
    /// `PROXY TO Turkey`.
    Proxy {
        /// Who may order the unit.
        to: Label,
    },
    /// A variant's own order, as a sentence without its full stop: `COLONIZE Galicia`.
    Own {
        /// The text of the order.
        words: String,
    },
}

impl fmt::Display for SpecialInNames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Proxy { to } => write!(f, "PROXY TO {to}"),
            Self::Own { words } => f.write_str(words),
        }
    }
}

/// The order of a unit, or that there is none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum UnitOrder {
    /// No order was given: `, No Order Processed`.
    Nothing,
    /// A retreat that was not ordered: `, No Order Processed (DISBAND)`.
    NoRetreat,
    /// An order.
    Action(Action<InNames>),
}

/// A unit named in somebody's order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SupportedUnit {
    /// Named only where it is foreign: `Russian`.
    pub adjective: Option<String>,
    /// `Army`; `None` where no unit is seen there.
    pub kind: Option<String>,
    /// Full name with coast.
    pub place: String,
}

/// `Russian Army Rumania`.
impl fmt::Display for SupportedUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for word in [&self.adjective, &self.kind].into_iter().flatten() {
            write!(f, "{word} ")?;
        }
        f.write_str(&self.place)
    }
}

/// The result of an order, in the words that mapping programs parse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mark {
    /// The move bounced.
    Bounce,
    /// The support was cut.
    Cut,
    /// The order fitted no other order.
    Void,
    /// No chain of fleets was ordered.
    #[serde(rename = "no convoy")]
    NoConvoy,
    /// A convoying fleet was dislodged.
    Disrupted,
    /// The unit was dislodged.
    Dislodged,
    /// The unit was destroyed.
    Destroyed,
}

impl Mark {
    /// As it stands between `(*` and `*)`.
    pub fn as_str(self) -> &'static str {
        match self {
            Mark::Bounce => "bounce",
            Mark::Cut => "cut",
            Mark::Void => "void",
            Mark::NoConvoy => "no convoy",
            Mark::Disrupted => "disrupted",
            Mark::Dislodged => "dislodged",
            Mark::Destroyed => "destroyed",
        }
    }
}

/// One line of orders or of results: `Austria: Army Serbia SUPPORT Russian Army Rumania -> Bulgaria.  (*cut*)`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OrderLine {
    /// The unit that the order is for.
    pub unit: SeenUnit,
    /// The order, or that there is none.
    pub ordered: UnitOrder,
    /// The results; empty for success and for orders that are not adjudicated yet.
    pub marks: Vec<Mark>,
    /// Why, as a sentence part: `bounced with A Mun, strength 1 against 1`.
    pub reason: Option<String>,
    /// A warning in a reply: `check convoy`, shown as `(*WARN: check convoy*)`.
    pub warning: Option<String>,
}

/// One line of an adjustment phase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WinterLine {
    /// Whose build or removal it is.
    pub power: Label,
    /// What was ordered or done.
    pub action: WinterAction,
}

/// What happens in an adjustment phase, in names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum WinterAction {
    /// `Builds an army in Trieste.`
    Build {
        /// `Army`.
        kind: String,
        /// Full name with coast.
        place: String,
    },
    /// `Removes the fleet in Brest.`
    Remove {
        /// `Fleet`.
        kind: String,
        /// Full name with coast.
        place: String,
        /// Whether the place is a sea (`in the North Sea`).
        at_sea: bool,
    },
    /// `Defaults, removing the fleet in Kiel.`
    DefaultRemove {
        /// `Fleet`.
        kind: String,
        /// Full name with coast.
        place: String,
        /// Whether the place is a sea (`in the North Sea`).
        at_sea: bool,
    },
    /// `Build waived.`
    Waive,
    /// `2 builds pending.` in a reply.
    BuildsPending(usize),
    /// `1 removal pending.` in a reply.
    RemovalsPending(usize),
    /// `1 unusable build pending.` in a reply.
    UnusablePending(usize),
    /// `1 unusable build waived.` in a report.
    UnusableWaived(usize),
    /// `2 builds saved for later.`
    Saved(usize),
    /// A build nobody ordered: `1 build waived.` is written as so many `Build waived.` lines.
    Own {
        /// A variant's own sentence, without its full stop.
        words: String,
    },
}
