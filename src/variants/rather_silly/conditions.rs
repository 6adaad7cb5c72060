//! Facts that submissions may depend on (section 4).

use serde::{Deserialize, Serialize};

use super::MONSTERS;
use super::board::Board;
use super::state::{Borg, Tardis};
use dipjudge_rules::conditions;
use dipjudge_rules::map::{Power, Province, UnitKind};
use dipjudge_rules::position::UnitId;

/// A condition of a submission.
pub(super) type Condition = conditions::Condition<ConditionFact>;

/// Something that is done if a condition holds then.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Conditional<T> {
    pub condition: Option<Condition>,
    pub then: T,
}

/// Whose a unit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum UnitOwner {
    Any,
    /// Of whoever sets the condition.
    My,
    /// Of any other player.
    Enemy,
    Of(Power),
}

/// How a number of centers compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Comparison {
    Less,
    AtMost,
    Exactly,
    AtLeast,
    More,
}

/// What may be so. Units with numbers are named by where they stood when the season began.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum ConditionFact {
    BorgIn(Province),
    /// In hyperspace, if no space is named.
    TardisIn(Option<Province>),
    /// Of either sort, if none is named.
    MonstersIn(Option<UnitKind>, Province),
    /// A unit of any kind, if none is named, or one that must retreat, is there now.
    UnitIn(UnitOwner, Option<UnitKind>, Province),
    Empty(Province),
    Link(Province, Province),
    Owns(Power, Province),
    Centers(Power, Comparison, u32),
    Sold(UnitId),
    Dislodged(UnitId),
    /// It was ordered to move (there) and has, or has not, arrived.
    Moved(UnitId, Option<Province>, bool),
    Destroyed(UnitId),
    Eaten(UnitId),
    StandOff(Province),
    Merged(Province),
    Exploded(Province),
    Right(Power),
}

impl ConditionFact {
    /// The first step before which it is known.
    pub(super) fn known_from(&self) -> u8 {
        match self {
            ConditionFact::Eaten(_) => 6,
            ConditionFact::Exploded(_) => 7,
            ConditionFact::Right(_) => 11,
            _ => 4,
        }
    }
}

/// Whether a condition is known before a step.
pub(super) fn is_known(condition: &Condition, step: u8) -> bool {
    let facts = condition.facts();
    facts.iter().all(|fact| fact.known_from() <= step)
}

/// Whether a condition that a seat has set holds now.
pub(super) fn holds(board: &Board<'_>, me: Power, condition: Option<&Condition>) -> bool {
    condition.is_none_or(|condition| condition.holds(&|fact| is_true(board, me, fact)))
}

/// Of several submissions for one subject the first whose condition holds.
pub(super) fn first<'s, T>(
    board: &Board<'_>,
    me: Power,
    submissions: impl IntoIterator<Item = &'s Conditional<T>>,
) -> Option<&'s T> {
    let mut submissions = submissions.into_iter();
    let found = submissions.find(|one| holds(board, me, one.condition.as_ref()));
    found.map(|one| &one.then)
}

fn is_true(board: &Board<'_>, me: Power, fact: &ConditionFact) -> bool {
    let season = &board.state.season;
    match *fact {
        ConditionFact::BorgIn(place) => board.state.borg == Borg::At(place),
        ConditionFact::TardisIn(None) => board.state.tardis == Tardis::Hyperspace,
        ConditionFact::TardisIn(Some(place)) => board.state.tardis == Tardis::At(place),
        ConditionFact::MonstersIn(kind, place) => board
            .in_space(place)
            .any(|unit| unit.power == MONSTERS && kind.is_none_or(|kind| kind == unit.kind)),
        ConditionFact::UnitIn(whose, kind, place) => board.in_space(place).any(|unit| {
            let owned = match whose {
                UnitOwner::Any => true,
                UnitOwner::My => unit.power == me,
                UnitOwner::Enemy => unit.power != me,
                UnitOwner::Of(power) => unit.power == power,
            };
            unit.power != MONSTERS && owned && kind.is_none_or(|kind| kind == unit.kind)
        }),
        ConditionFact::Empty(place) => {
            board.in_space(place).next().is_none()
                && board.state.borg != Borg::At(place)
                && board.state.tardis != Tardis::At(place)
        }
        ConditionFact::Link(a, b) => board.state.link == Some((a.min(b), a.max(b))),
        ConditionFact::Owns(power, place) => board.position.owners.get(&place) == Some(&power),
        ConditionFact::Centers(power, than, number) => {
            let owned = board.position.centers_of(power).count() as u32;
            match than {
                Comparison::Less => owned < number,
                Comparison::AtMost => owned <= number,
                Comparison::Exactly => owned == number,
                Comparison::AtLeast => owned >= number,
                Comparison::More => owned > number,
            }
        }
        ConditionFact::Sold(unit) => board.unit(unit).is_some() && board.traits(unit).soul > 0,
        ConditionFact::Dislodged(unit) => board.must_retreat(unit),
        ConditionFact::Moved(unit, to, succeeded) => {
            let ordered = season.moves.get(&unit);
            let there = ordered.is_some_and(|end| to.is_none_or(|to| to == *end));
            there && season.arrived.contains(&unit) == succeeded
        }
        ConditionFact::Destroyed(unit) => board.unit(unit).is_none(),
        ConditionFact::Eaten(unit) => season.eaten.contains(&unit),
        ConditionFact::StandOff(place) => season.register.contains_key(&place),
        ConditionFact::Merged(place) => season.merged.contains(&place),
        ConditionFact::Exploded(place) => season.exploded.contains(&place),
        ConditionFact::Right(power) => season.right.contains(&power),
    }
}
