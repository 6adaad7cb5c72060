//! The results of a phase: what happened to each unit, why, and which unit caused it.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::map::{Location, Power, Province, UnitKind};
use crate::orders::Illegal;
use crate::position::{Dislodged, Position, Unit, UnitId};

/// A word that is printed after an order in the results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Mark {
    /// A move that did not get into its destination, or a retreat that met another.
    Bounce,
    /// A support that was cut.
    Cut,
    /// An order without effect: illegal, or a support or convoy that matches no order.
    Void,
    /// A convoyed move for which no chain of fleets was ordered.
    NoConvoy,
    /// A convoyed move whose convoy was disrupted.
    Disrupted,
    /// The unit was dislodged and must retreat or disband.
    Dislodged,
    /// The unit was disbanded.
    Disband,
}

impl Mark {
    /// All marks, in the order in which they are printed.
    pub const ALL: [Self; 7] = [
        Self::Bounce,
        Self::Cut,
        Self::Void,
        Self::NoConvoy,
        Self::Disrupted,
        Self::Dislodged,
        Self::Disband,
    ];

    /// The mark as it is printed: `no convoy`.
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

/// A set of marks. An order without marks succeeded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Marks(u8);

impl Marks {
    /// No mark: success.
    pub const NONE: Self = Self(0);

    /// Whether the mark is in the set.
    #[must_use]
    pub const fn has(self, mark: Mark) -> bool {
        self.0 >> mark as u8 & 1 != 0
    }

    /// Adds the mark.
    pub const fn add(&mut self, mark: Mark) {
        self.0 |= 1 << mark as u8;
    }

    /// Whether the set is empty.
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

/// A unit that caused something, as it was at the start of the phase. It is written `F Stp/sc`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Combatant {
    /// The id of the unit in the position.
    pub unit: UnitId,
    /// The power that owns the unit.
    pub power: Power,
    /// An army, a fleet, or a kind of the variant's.
    pub kind: UnitKind,
    /// The location at the start of the phase.
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

/// Why an order failed, with the unit that caused it where there is one. As text it is a part of a sentence, in English:
/// `bounced with A Mun, strength 1 against 1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reason {
    /// The move was not stronger than the unit in its destination, or than another move to it.
    Bounced {
        /// The unit that kept it out; `None` if a [`Stronghold`](crate::orders::Stronghold) did so without a unit.
        with: Option<Combatant>,
        /// The attack strength of the move (DATC 5.B.8).
        strength: u32,
        /// The strength that it had to exceed.
        against: u32,
    },
    /// The move would have dislodged a unit of its own power.
    OwnUnit {
        /// The unit in the way.
        with: Combatant,
    },
    /// The shared province had no room for the unit.
    NoRoom {
        /// The shared province.
        at: Province,
    },
    /// The support was cut.
    Cut {
        /// The unit that attacked or dislodged the supporting unit.
        by: Combatant,
    },
    /// No chain of fleets from its province to its destination was ordered to convoy it.
    NoConvoy,
    /// The convoy was disrupted.
    Disrupted {
        /// A fleet of the convoy that was dislodged.
        fleet: Option<Combatant>,
        /// The unit that dislodged that fleet.
        by: Option<Combatant>,
    },
    /// The convoy was part of a convoy paradox, so the army stays (Szykman's rule, DATC 4.A.2).
    Paradox,
    /// The supported or convoyed unit had an order that does not match.
    Unmatched,
    /// The order was not legal; the unit held.
    Illegal(Illegal),
    /// The variant made the order void, for this reason ([`OrderSheet::voided`](crate::orders::OrderSheet::voided)).
    Voided(String),
    /// Several units retreated to the same province, and all of them disband.
    RetreatsMet {
        /// The first of the other units.
        with: Combatant,
    },
    /// The dislodged unit had no order.
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
                write!(f, "bounced off {with}, {strength} against {against}")
            }
            Self::Bounced {
                with: None,
                strength,
                against,
            } => {
                write!(f, "kept out by the fort, {strength} against {against}")
            }
            Self::OwnUnit { with } => write!(f, "cannot dislodge its own {with}"),
            Self::NoRoom { at } => write!(f, "no room in {}", at.titled()),
            Self::Cut { by } => write!(f, "support cut by {by}"),
            Self::NoConvoy => f.write_str("no complete chain of fleets was ordered to convoy it"),
            Self::Disrupted {
                fleet: Some(fleet),
                by: Some(by),
            } => {
                write!(f, "convoy disrupted: {fleet} dislodged by {by}")
            }
            Self::Disrupted { .. } => f.write_str("convoy disrupted"),
            Self::Paradox => {
                f.write_str("convoy disrupted: a convoy paradox, so the convoy fails (rules 6.1)")
            }
            Self::Unmatched => f.write_str("the unit it named did something else"),
            Self::Illegal(_) => f.write_str("not a legal order"),
            Self::Voided(why) => f.write_str(why),
            Self::RetreatsMet { with } => {
                write!(f, "{with} retreated there too, so both are disbanded")
            }
            Self::NoRetreat => f.write_str("no retreat"),
        }
    }
}

/// The result of one unit's order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// The id of the unit in the position.
    pub unit: UnitId,
    /// The marks of the order; without a mark it succeeded.
    pub marks: Marks,
    /// The location to which the unit moved or retreated, with the coast of a fleet; `None` if it did neither.
    pub moved: Option<Location>,
    /// Why the order failed; `None` if it succeeded.
    pub reason: Option<Reason>,
    /// The unit that dislodged this one; `None` if it was not dislodged.
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

/// A province that stayed empty because the moves to it failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StandOff {
    /// The province. No unit can retreat to it if there were two contenders or more.
    pub province: Province,
    /// The units whose moves to it failed. There is only one if a stronghold repelled it.
    pub contenders: Vec<UnitId>,
}

/// Whether a convoy that was ordered was possible, whether or not the army was ordered to move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConvoyOutcome {
    /// The province of the army.
    pub from: Province,
    /// The destination of the army.
    pub to: Province,
    /// Whether the fleets that were ordered to convoy and not dislodged join the two provinces.
    pub stands: bool,
    /// The provinces of these fleets, in alphabetical order.
    pub through: Vec<Province>,
}

/// A decision of the adjudicator that the rules contradict. A resolution that has one is wrong.
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

/// The result of a movement or retreat phase.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resolution {
    /// One outcome for each unit: after movement in the order of [`Position::units`], after retreats in that of
    /// [`Position::dislodged`].
    pub outcomes: Vec<Outcome>,
    /// The units that must retreat or disband in the next phase, sorted by id. Empty after retreats.
    pub dislodged: Vec<Dislodged>,
    /// The stand-offs, sorted by province.
    pub stand_offs: Vec<StandOff>,
    /// The convoys that were ordered.
    pub routes: Vec<ConvoyOutcome>,
    /// A fault of the adjudicator, found by [`checked_movement`](super::checked_movement). The resolution must not be used if
    /// there is one.
    #[serde(skip)]
    pub contradiction: Option<Contradiction>,
}

impl Resolution {
    /// The outcome of the unit's order.
    #[must_use]
    pub fn outcome(&self, unit: UnitId) -> Option<&Outcome> {
        // In a new game, and until units are gone, a unit's id is its index.
        let first = usize::try_from(unit.0)
            .ok()
            .and_then(|at| self.outcomes.get(at));
        first
            .filter(|outcome| outcome.unit == unit)
            .or_else(|| self.outcomes.iter().find(|outcome| outcome.unit == unit))
    }

    /// The position after the phase. Dislodged units are in [`Position::dislodged`], and units that retreated are in
    /// [`Position::units`] again. The owners of centers are those before the phase: who owns them after Fall is for the
    /// caller to decide.
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
