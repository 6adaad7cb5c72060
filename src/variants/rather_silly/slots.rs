//! What each seat has submitted, by subject: under what names it is put down, who reads it when, and how it is gathered for a
//! step.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::conditions::Conditional;
use super::is_solid;
use super::orders::{TardisOrder, UnitOrder};
use super::pass;
use super::state::Question;
use super::submissions::{
    AdjustmentLine, AdjustmentOrder, Build, Jest, Prediction, RetreatChoice, Submissions,
    SubmissionsByPower,
};
use crate::data_of;
use dipjudge_game::{
    Access, DataError, Effect, Game, OpenedBy, Slots, Stored, Submission, SubmissionKind,
    unreadable,
};
use dipjudge_rules::map::{Location, Power, Province, UnitKind};
use dipjudge_rules::orders::{Action, VariantData, VariantOrder};
use dipjudge_rules::position::UnitId;

/// Names of what one line alone may say.
pub(super) const TARDIS: &str = "tardis";
pub(super) const JESTS: &str = "re-orders";
pub(super) const PREDICTIONS: &str = "predictions";
pub(super) const QUESTION: &str = "question";
/// A question for which no answer has come yet.
pub(super) const DRAFT: &str = "question without an answer";
pub(super) const ANSWER: &str = "answer";
pub(super) const HERDS: &str = "herds";
pub(super) const VOTE: &str = "vote";
pub(super) const FREE_BUILDS: &str = "free builds";
/// How names of what is said of one subject begin.
const SALE: &str = "sale of ";
const DETONATION: &str = "herd in ";
const RETREAT: &str = "retreat of ";
const ADJUSTMENT: &str = "adjustment ";

pub(super) fn sale(unit: UnitId) -> String {
    format!("{SALE}{}", unit.0)
}

pub(super) fn detonation(place: Province) -> String {
    format!("{DETONATION}{place}")
}

pub(super) fn retreat(unit: UnitId) -> String {
    format!("{RETREAT}{}", unit.0)
}

/// Builds of one site, the build of a pair, the removal of one unit, or builds that are waived.
pub(super) fn adjustment(what: &AdjustmentOrder) -> String {
    let subject = match what {
        AdjustmentOrder::Build(Build::Unit(kind, at)) if is_solid(*kind) => at.province.to_string(),
        AdjustmentOrder::Build(Build::Unit(kind, at)) => format!("{kind} {}", at.province),
        AdjustmentOrder::Build(Build::Pair(..)) => "pair".to_owned(),
        AdjustmentOrder::Remove(unit) => format!("of {}", unit.0),
        AdjustmentOrder::Waive => "waived".to_owned(),
    };
    format!("{ADJUSTMENT}{subject}")
}

pub(super) fn is_adjustment(name: &str) -> bool {
    name.starts_with(ADJUSTMENT)
}

/// What is sealed from all others, masters too: what comes of it is told by its step, and what comes to nothing is its
/// author's (section 6).
const SECRET: SubmissionKind = SubmissionKind {
    opens: &[OpenedBy::Said],
    ..SubmissionKind::SEALED
};

/// Where herds are: of those that never explode all read once the game is over.
pub(super) const HERD: SubmissionKind = SubmissionKind {
    name: "herds",
    slots: Slots::Named(HERDS),
    lines: &["herds"],
    opens: &[OpenedBy::Said, OpenedBy::Over],
    ..SECRET
};

const JOURNEY: SubmissionKind = SubmissionKind {
    name: "tardis",
    slots: Slots::Named(TARDIS),
    lines: &["tardis"],
    ..SECRET
};

const JEST: SubmissionKind = SubmissionKind {
    name: "re-order",
    slots: Slots::Named(JESTS),
    lines: &["reorder"],
    ..SECRET
};

const PREDICTION: SubmissionKind = SubmissionKind {
    name: "prediction",
    slots: Slots::Named(PREDICTIONS),
    lines: &["predict"],
    ..SECRET
};

/// For an answer to nothing: what counts is the question that is open when a mail comes.
pub(super) const NO_QUESTION: &str = "Nothing is asked yet: a question is published with the results of the moves, and only then can it be answered.";

/// Questions and answers are the master's to rule on.
const ASKED: SubmissionKind = SubmissionKind {
    name: "question",
    slots: Slots::Begin(QUESTION),
    lines: &["question", "accept"],
    masters: true,
    ..SECRET
};

const ANSWERED: SubmissionKind = SubmissionKind {
    name: "answer",
    slots: Slots::Named(ANSWER),
    lines: &["answer"],
    not_ahead: Some(NO_QUESTION),
    ..ASKED
};

/// All else: votes, and what may have a condition.
pub(super) const OTHERS: SubmissionKind = SubmissionKind {
    name: "submission",
    slots: Slots::Others,
    lines: &["if-then", "cancel", "submission", "vote", "pass"],
    ..SECRET
};

/// The kinds of submissions.
pub(super) const KINDS: &[SubmissionKind] =
    &[HERD, JOURNEY, JEST, PREDICTION, ASKED, ANSWERED, OTHERS];

/// The kind of what is put down under a name.
pub(super) fn kind(name: &str) -> &'static SubmissionKind {
    match name {
        HERDS => &HERD,
        TARDIS => &JOURNEY,
        JESTS => &JEST,
        PREDICTIONS => &PREDICTION,
        QUESTION | DRAFT => &ASKED,
        ANSWER => &ANSWERED,
        _ => &OTHERS,
    }
}

/// Keeps something until the season is over, or takes it back.
pub(super) fn put<T: Serialize>(name: String, what: Option<&T>) -> Effect {
    Effect::Submission(Submission {
        name,
        data: what.map(data_of),
        lasting: true,
    })
}

/// Whether what is put down under a name can be read.
pub(super) fn can_read(name: &str, data: &VariantData) -> Result<(), DataError> {
    match name {
        TARDIS => Stored::is::<TardisOrder>(data),
        JESTS => Stored::is::<Vec<Jest>>(data),
        PREDICTIONS => Stored::is::<Vec<Prediction>>(data),
        QUESTION => Stored::is::<Question>(data),
        pass::PASS => Stored::is::<bool>(data),
        DRAFT | ANSWER => Stored::is::<String>(data),
        HERDS => Stored::is::<BTreeSet<Province>>(data),
        VOTE => Stored::is::<Vec<Conditional<Option<(Province, Province)>>>>(data),
        FREE_BUILDS => Stored::is::<Vec<Conditional<(UnitKind, Location)>>>(data),
        _ if is_adjustment(name) => Stored::is::<Vec<AdjustmentLine>>(data),
        _ if name.starts_with(RETREAT) => Stored::is::<Vec<Conditional<RetreatChoice>>>(data),
        _ if name.starts_with(SALE) || name.starts_with(DETONATION) => {
            Stored::is::<Vec<Conditional<()>>>(data)
        }
        _ => unreadable("Rather Silly keeps nothing of the kind"),
    }
}

/// Whether the MASTERMIND has asked something that can be answered.
pub(super) fn has_question(sent: &BTreeMap<&str, &VariantData>) -> bool {
    let question = sent.get(QUESTION).map(|data| data.stored::<Question>());
    question.is_some_and(|question| !question.accepted.is_empty())
}

/// What a unit is told by an order as it is kept.
pub(super) fn unit_order(action: &Action) -> UnitOrder {
    match action {
        Action::Special(VariantOrder(_, data)) => data.stored(),
        action => UnitOrder::Common(action.clone()),
    }
}

/// What everybody has submitted that still counts.
pub(super) fn everybody(game: &Game, access: &Access<'_>) -> SubmissionsByPower {
    let powers = game.all_powers();
    powers
        .map(|power| (power, of(game, power, access)))
        .collect()
}

fn of(game: &Game, power: Power, access: &Access<'_>) -> Submissions {
    let mut all = Submissions::default();
    let sent = game.lasting_submissions(power, access);
    for (name, data) in &sent {
        gather(&mut all, name, data);
    }
    let adjustments = adjustments(sent);
    all.adjusting = in_order(adjustments.into_values().flatten());
    for (unit, action) in &game.standing(power).orders.units {
        // A retreat that was ordered in its phase comes behind those with conditions.
        match action {
            Action::Retreat { to } => all.retreats.push(at_once((*unit, RetreatChoice::To(*to)))),
            Action::Disband => all.retreats.push(at_once((*unit, RetreatChoice::Disband))),
            action => {
                all.orders.insert(*unit, unit_order(action));
            }
        }
    }
    all
}

fn at_once<T>(then: T) -> Conditional<T> {
    Conditional {
        condition: None,
        then,
    }
}

/// What was sent for adjustments, by the names under which it is put down.
pub(super) fn adjustments<'d>(
    sent: impl IntoIterator<Item = (&'d str, &'d VariantData)>,
) -> BTreeMap<String, Vec<AdjustmentLine>> {
    sent.into_iter()
        .filter(|(name, _)| is_adjustment(name))
        .map(|(name, data)| (name.to_owned(), data.stored()))
        .collect()
}

/// Lines in the order in which they were sent.
fn in_order(lines: impl Iterator<Item = AdjustmentLine>) -> Vec<Conditional<AdjustmentOrder>> {
    let mut lines: Vec<AdjustmentLine> = lines.collect();
    lines.sort_by_key(|line| line.number);
    let plain = lines.into_iter().map(|line| Conditional {
        condition: line.condition,
        then: line.then,
    });
    plain.collect()
}

/// How long a submission counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SubmissionLifetime {
    /// Until the units have moved.
    Movement,
    /// Until the retreats of the season.
    Retreats,
    /// Until Spring or Autumn is over.
    Season,
    /// Until Winter is over.
    Year,
}

/// How long the submission of this name counts.
pub(super) fn lifetime(name: &str) -> SubmissionLifetime {
    match name {
        TARDIS | JESTS | PREDICTIONS | DRAFT => SubmissionLifetime::Movement,
        _ if is_adjustment(name) => SubmissionLifetime::Year,
        name => match subject(name) {
            Some(SlotSubject::Sale(_) | SlotSubject::Detonation(_)) => SubmissionLifetime::Movement,
            Some(SlotSubject::Retreat(_)) => SubmissionLifetime::Retreats,
            None => SubmissionLifetime::Season,
        },
    }
}

/// What a name says that is put down for one subject: whose sale or retreat, or where a herd explodes.
pub(super) enum SlotSubject {
    Sale(UnitId),
    Retreat(UnitId),
    Detonation(Province),
}

/// The subject of a name, where it has one.
pub(super) fn subject(name: &str) -> Option<SlotSubject> {
    let place = || name.strip_prefix(DETONATION)?.parse().ok();
    unit(name, SALE)
        .map(SlotSubject::Sale)
        .or_else(|| unit(name, RETREAT).map(SlotSubject::Retreat))
        .or_else(|| place().map(SlotSubject::Detonation))
}

/// The number behind the beginning of a name.
fn unit(name: &str, begins: &str) -> Option<UnitId> {
    name.strip_prefix(begins)?.parse().ok().map(UnitId)
}

fn gather(all: &mut Submissions, name: &str, data: &VariantData) {
    match name {
        TARDIS => all.tardis = data.stored(),
        JESTS => all.jests = data.stored(),
        PREDICTIONS => all.predictions = data.stored(),
        QUESTION => all.question = Some(data.stored()),
        ANSWER => all.answer = Some(data.stored()),
        VOTE => all.votes = data.stored(),
        FREE_BUILDS => all.free_builds = data.stored(),
        _ => {}
    }
    match subject(name) {
        Some(SlotSubject::Sale(unit)) => all.sales.extend(each(data, |()| unit)),
        Some(SlotSubject::Retreat(unit)) => all.retreats.extend(each(data, |to| (unit, to))),
        Some(SlotSubject::Detonation(place)) => all.detonations.extend(each(data, |()| place)),
        None => {}
    }
}

/// The lines for one subject, each with what it says of it.
fn each<T: DeserializeOwned, S>(
    data: &VariantData,
    says: impl Fn(T) -> S,
) -> impl Iterator<Item = Conditional<S>> {
    let lines: Vec<Conditional<T>> = data.stored();
    lines.into_iter().map(move |line| Conditional {
        condition: line.condition,
        then: says(line.then),
    })
}
