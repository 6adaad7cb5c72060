//! Orders as they were written: read, but not yet held against the board.

use dipjudge_grammar::Line;
use dipjudge_rules::calendar::PhaseKind;
use dipjudge_rules::map::{Coast, Power, Province, UnitKind};
use std::fmt;
use std::ops::Range;

/// One order of a line.
#[derive(Debug, Clone, PartialEq)]
pub struct OrderWords {
    /// The order as it was sent, without what parts it from its neighbors.
    pub text: String,
    /// Where it stands in the line, in bytes.
    pub span: Range<usize>,
    /// The power named before a colon at the beginning of the line.
    pub heading: Option<Power>,
    /// The unit, or for builds what is to be built and where. `None` for `WAIVE`, for orders to all units and for lines of a
    /// variant.
    pub unit: Option<UnitWords>,
    /// What it is to do.
    pub verb: Verb,
    /// Comments in brackets that were left out: `(hello)`.
    pub remarks: Vec<String>,
}

/// A unit as it was named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnitWords {
    /// Its power, if named: `English Fleet London`.
    pub nation: Option<Power>,
    /// Its kind, if named.
    pub kind: Option<UnitKind>,
    /// Where it is.
    pub place: PlaceWords,
    /// Which of several like units there, from one on, if that was said: `FA Bur #2`.
    pub number: Option<usize>,
}

/// A place as it was named. A coast is kept even where it means nothing, as for an army.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlaceWords {
    /// The province.
    pub province: Province,
    /// The coast, if named.
    pub coast: Option<Coast>,
    /// The province's name as it was sent, for "may also have meant".
    pub word: String,
}

/// What a unit is told to do.
#[derive(Debug, Clone, PartialEq)]
pub enum Verb {
    /// Stay.
    Hold,
    /// All units stay that no other line of the mail orders.
    HoldAll,
    /// Go somewhere: the last place of the route, which is never empty. More than one place is a
    /// convoy route.
    Move {
        /// The places in order.
        route: Vec<PlaceWords>,
        /// Whether `VIA` was added.
        via: bool,
    },
    /// Help a unit to stay.
    SupportHold {
        /// The unit helped.
        unit: UnitWords,
    },
    /// Help a unit to go somewhere.
    SupportMove {
        /// The unit helped.
        unit: UnitWords,
        /// Where it goes.
        to: PlaceWords,
    },
    /// Carry an army over sea.
    Convoy {
        /// The army.
        unit: UnitWords,
        /// Where it goes.
        to: PlaceWords,
    },
    /// Let another power order the unit.
    Proxy {
        /// That power.
        to: Power,
    },
    /// Leave the board: a dislodged unit, or in a movement phase where that is allowed.
    Disband,
    /// Retreat.
    Retreat {
        /// Where to.
        to: PlaceWords,
    },
    /// Build the unit.
    Build,
    /// Remove the unit.
    Remove,
    /// Build nothing.
    Waive(Waive),
    /// Keep the unit, where any may be removed.
    Maintain,
    /// An adjustment without a verb: a build for who may build, a removal for who must remove.
    Adjust,
    /// A line of the variant.
    Own(Line),
}

/// How many builds are waived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waive {
    /// One.
    One,
    /// So many.
    Number(u32),
    /// All that are left.
    All,
}

impl OrderWords {
    /// What it is about, for a later line about the same: the place of its unit, or the kind of line; `None` for all units.
    pub fn subject(&self) -> Option<String> {
        match (&self.unit, &self.verb) {
            (Some(unit), _) => Some(unit.place.province.to_string()),
            (None, Verb::HoldAll) => None,
            (None, Verb::Own(line)) => Some(line.rule.clone()),
            (None, _) => Some("waive".to_owned()),
        }
    }
}

impl Verb {
    /// The kind of phase that an order with this verb is for.
    pub fn phase_kind(&self) -> Option<PhaseKind> {
        match self {
            Self::Hold
            | Self::HoldAll
            | Self::Move { .. }
            | Self::SupportHold { .. }
            | Self::SupportMove { .. }
            | Self::Convoy { .. }
            | Self::Proxy { .. } => Some(PhaseKind::Movement),
            Self::Retreat { .. } => Some(PhaseKind::Retreats),
            Self::Build | Self::Remove | Self::Waive(_) | Self::Maintain | Self::Adjust => {
                Some(PhaseKind::Adjustments)
            }
            Self::Disband | Self::Own(_) => None,
        }
    }
}

/// The order in a short form that reads back as itself.
impl fmt::Display for OrderWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(unit) = &self.unit else {
            return match &self.verb {
                Verb::HoldAll => f.write_str("ALL HOLD"),
                Verb::Waive(Waive::One) => f.write_str("WAIVE"),
                Verb::Waive(Waive::Number(number)) => write!(f, "WAIVE {number}"),
                Verb::Waive(Waive::All) => f.write_str("WAIVE ALL"),
                _ => f.write_str(&self.text),
            };
        };
        match &self.verb {
            Verb::Hold => write!(f, "{unit} H"),
            Verb::Move { route, via } => {
                write!(f, "{unit}")?;
                for place in route {
                    write!(f, " - {place}")?;
                }
                f.write_str(if *via { " VIA" } else { "" })
            }
            Verb::SupportHold { unit: other } => write!(f, "{unit} S {other}"),
            Verb::SupportMove { unit: other, to } => write!(f, "{unit} S {other} - {to}"),
            Verb::Convoy { unit: other, to } => write!(f, "{unit} C {other} - {to}"),
            // Powers have no code of their own, so their name stays as it was sent.
            Verb::Proxy { .. } => f.write_str(&self.text),
            Verb::Disband => write!(f, "{unit} D"),
            Verb::Retreat { to } => write!(f, "{unit} R {to}"),
            Verb::Build => write!(f, "BUILD {unit}"),
            Verb::Remove => write!(f, "REMOVE {unit}"),
            Verb::Maintain => write!(f, "MAINTAIN {unit}"),
            Verb::Adjust => write!(f, "{unit}"),
            Verb::HoldAll | Verb::Waive(_) | Verb::Own(_) => f.write_str(&self.text),
        }
    }
}

impl fmt::Display for UnitWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(kind) = self.kind {
            write!(f, "{kind} ")?;
        }
        write!(f, "{}", self.place)?;
        match self.number {
            Some(number) => write!(f, " #{number}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for PlaceWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.province)?;
        match self.coast {
            Some(coast) => write!(f, "/{coast}"),
            None => Ok(()),
        }
    }
}
