//! What comes of the orders of a phase: for each unit what happened, why, and by whom.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::map::{Location, Power, Province, UnitKind};
use crate::orders::Illegal;
use crate::position::{Dislodged, Position, Unit, UnitId};

/// One of the words printed behind an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Mark {
    /// A move or retreat that met another.
    Bounce,
    /// A support that was attacked.
    Cut,
    /// An order without effect.
    Void,
    /// A convoyed move for which there were never the orders.
    NoConvoy,
    /// A convoyed move, or a convoy, that was broken up.
    Disrupted,
    /// The unit lost its place.
    Dislodged,
    /// The unit left the board.
    Disband,
}

impl Mark {
    /// All, in the order in which they are printed.
    pub const ALL: [Self; 7] = [
        Self::Bounce,
        Self::Cut,
        Self::Void,
        Self::NoConvoy,
        Self::Disrupted,
        Self::Dislodged,
        Self::Disband,
    ];

    /// `no convoy`
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Bounce => "bounce",
            Self::Cut => "cut",
            Self::Void => "void",
            Self::NoConvoy => "no convoy",
            Self::Disrupted => "disrupted",
            Self::Dislodged => "dislodged",
            Self::Disband => "disband",
        }
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// The marks of one order; none is success.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Marks(u8);

impl Marks {
    /// No mark: success.
    pub const NONE: Self = Self(0);

    /// Whether the mark is there.
    #[must_use]
    pub const fn has(self, mark: Mark) -> bool {
        self.0 >> mark as u8 & 1 != 0
    }

    /// Sets the mark.
    pub const fn add(&mut self, mark: Mark) {
        self.0 |= 1 << mark as u8;
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The marks, in the order in which they are printed.
    pub fn iter(self) -> impl Iterator<Item = Mark> {
        Mark::ALL.into_iter().filter(move |&mark| self.has(mark))
    }
}

impl FromIterator<Mark> for Marks {
    fn from_iter<I: IntoIterator<Item = Mark>>(marks: I) -> Self {
        let mut set = Self::NONE;
        marks.into_iter().for_each(|mark| set.add(mark));
        set
    }
}

/// A unit as it stood at the start of the phase, named as the cause of something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Combatant {
    /// Its number in the position.
    pub unit: UnitId,
    /// Whose it is.
    pub power: Power,
    /// What it is.
    pub kind: UnitKind,
    /// Where it stood.
    pub at: Location,
}

impl From<&Unit> for Combatant {
    fn from(unit: &Unit) -> Self {
        Self {
            unit: unit.id,
            power: unit.power,
            kind: unit.kind,
            at: unit.at,
        }
    }
}

impl fmt::Display for Combatant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.kind, self.at.province.titled())?;
        match self.at.coast {
            None => Ok(()),
            Some(coast) => write!(f, "/{}", coast.as_str().to_lowercase()),
        }
    }
}

/// Why an order did not succeed, and by whom.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reason {
    /// The move was not stronger than what was there or came there.
    Bounced {
        /// Whom it met; nothing if a stronghold alone kept it out.
        with: Option<Combatant>,
        /// Its attack strength, in units.
        strength: u32,
        /// What it had to exceed.
        against: u32,
    },
    /// The move would have dislodged a unit of its own power.
    OwnUnit {
        /// The unit in the way.
        with: Combatant,
    },
    /// The place was full.
    NoRoom {
        /// The province that holds no more units.
        at: Province,
    },
    /// The support was attacked, or its giver dislodged.
    Cut {
        /// The unit that attacked the giver, or dislodged it.
        by: Combatant,
    },
    /// Nobody was ordered to convoy it (all the way).
    NoConvoy,
    /// The convoy was broken up.
    Disrupted {
        /// The fleet that was dislodged, where one can be named.
        fleet: Option<Combatant>,
        /// The unit that dislodged it, where one can be named.
        by: Option<Combatant>,
    },
    /// A convoy that would only stand if it did not stand; the armies stay (Szykman, DATC 4.A.2).
    Paradox,
    /// The supported or convoyed unit was ordered something else.
    Unmatched,
    /// The order was not legal; the unit held.
    Illegal(Illegal),
    /// Made void by the variant, which says why.
    Voided(String),
    /// Two retreats met, and nobody survived.
    RetreatsMet {
        /// The first of the others.
        with: Combatant,
    },
    /// No retreat was ordered, or none was possible.
    NoRetreat,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bounced {
                with: Some(with),
                strength,
                against,
            } => {
                write!(
                    f,
                    "bounced with {with}, strength {strength} against {against}"
                )
            }
            Self::Bounced {
                with: None,
                strength,
                against,
            } => {
                write!(
                    f,
                    "repelled by the place itself, strength {strength} against {against}"
                )
            }
            Self::OwnUnit { with } => write!(f, "may not dislodge its own {with}"),
            Self::NoRoom { at } => write!(f, "no room in {}", at.titled()),
            Self::Cut { by } => write!(f, "support cut by {by}"),
            Self::NoConvoy => f.write_str("no fleets were ordered to convoy it all the way"),
            Self::Disrupted {
                fleet: Some(fleet),
                by: Some(by),
            } => {
                write!(f, "convoy disrupted: {fleet} dislodged by {by}")
            }
            Self::Disrupted { .. } => f.write_str("convoy disrupted"),
            Self::Paradox => {
                f.write_str("convoy disrupted: it would have had to stand and to fall at once")
            }
            Self::Unmatched => f.write_str("the other unit was ordered something else"),
            Self::Illegal(_) => f.write_str("not a legal order"),
            Self::Voided(why) => f.write_str(why),
            Self::RetreatsMet { with } => write!(f, "met {with} on the retreat"),
            Self::NoRetreat => f.write_str("no retreat"),
        }
    }
}

/// What came of one unit's order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// Its number in the position.
    pub unit: UnitId,
    /// The words behind its order; none is success.
    pub marks: Marks,
    /// Where it has moved or retreated to, coast settled.
    pub moved: Option<Location>,
    /// Why its order failed, if it did.
    pub reason: Option<Reason>,
    /// Who dislodged it, if it was.
    pub dislodged_by: Option<Combatant>,
}

impl Outcome {
    /// The outcome of an order that neither failed nor moved its unit.
    pub(super) const fn unmarked(unit: UnitId) -> Self {
        Self {
            unit,
            marks: Marks::NONE,
            moved: None,
            reason: None,
            dislodged_by: None,
        }
    }
}

/// A province that stayed empty because moves into it met.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StandOff {
    /// Nothing can retreat there in this turn.
    pub province: Province,
    /// The units that had a way there and failed. One alone only where a stronghold repelled it.
    pub contenders: Vec<UnitId>,
}

/// Whether an ordered convoy stood, for passengers that are on the sheet and for others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Route {
    /// Where the passenger stood.
    pub from: Province,
    /// Where it was to land.
    pub to: Province,
    /// Whether a chain of fleets ordered to this was left.
    pub stands: bool,
    /// Where the fleets stand that were left for it, in the order of their codes.
    pub through: Vec<Province>,
}

/// What does not hold in a resolution. Such a resolution is wrong, whatever else is right in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Contradiction {
    /// Whether this unit's move succeeds does not follow from the rest.
    Move(Combatant),
    /// Whether this army's convoy stands does not follow from the rest.
    Convoy(Combatant),
    /// Whether this unit's support is cut does not follow from the rest.
    Support(Combatant),
    /// Whether the help that this unit gives without an order is cut does not follow from the rest.
    Assist(Combatant),
    /// Whether there is room in this shared province does not follow from the rest.
    Room(Province),
    /// Two units end in this province.
    Crowded(Province),
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, unit) = match self {
            Self::Move(unit) => ("the move of", unit),
            Self::Convoy(unit) => ("the convoy of", unit),
            Self::Support(unit) => ("the support by", unit),
            Self::Assist(unit) => ("the unordered help by", unit),
            Self::Room(at) => {
                return write!(
                    f,
                    "the room in {} does not follow from the other decisions",
                    at.titled()
                );
            }
            Self::Crowded(at) => return write!(f, "two units end in {}", at.titled()),
        };
        write!(f, "{what} {unit} does not follow from the other decisions")
    }
}

/// All that came of a movement or retreat phase.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resolution {
    /// One for each unit: of movement in the order of `Position::units`, of retreats in that of `Position::dislodged`.
    pub outcomes: Vec<Outcome>,
    /// The units that must retreat or disband now, with their retreats.
    pub dislodged: Vec<Dislodged>,
    /// Where moves met in an empty province.
    pub stand_offs: Vec<StandOff>,
    /// The ordered convoys.
    pub routes: Vec<Route>,
    /// What does not hold in it, if it was checked and the adjudicator erred: then nothing of it may be told.
    #[serde(skip)]
    pub contradiction: Option<Contradiction>,
}

impl Resolution {
    /// What came of this unit's order.
    #[must_use]
    pub fn outcome(&self, unit: UnitId) -> Option<&Outcome> {
        self.outcomes.iter().find(|outcome| outcome.unit == unit)
    }

    /// The position afterwards: units moved, dislodged ones set apart, those that retreated among the others again.
    #[must_use]
    pub fn apply(&self, before: &Position) -> Position {
        let standing = before
            .units
            .iter()
            .chain(before.dislodged.iter().map(|dislodged| &dislodged.unit));
        let mut units: Vec<Unit> = Vec::with_capacity(before.units.len() + before.dislodged.len());
        for (index, unit) in standing.enumerate() {
            // Outcomes of movement are parallel to the units; those of retreats are found by number.
            let outcome = match self.outcomes.get(index) {
                Some(outcome) if outcome.unit == unit.id => Some(outcome),
                _ => self.outcome(unit.id),
            };
            let marked = |mark| outcome.is_some_and(|outcome| outcome.marks.has(mark));
            if !marked(Mark::Disband) && !marked(Mark::Dislodged) {
                let at = outcome.and_then(|outcome| outcome.moved).unwrap_or(unit.at);
                units.push(Unit { at, ..*unit });
            }
        }
        if !units.is_sorted_by_key(|unit| unit.id) {
            units.sort_by_key(|unit| unit.id);
        }
        Position {
            units,
            dislodged: self.dislodged.clone(),
            owners: before.owners.clone(),
        }
    }
}
