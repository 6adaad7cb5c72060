//! Order lines of a mail: parsed, checked against what the sender sees, and stored (`judge-workflow.md` 3.8).

use std::collections::BTreeSet;

use crate::proposals::ORDERS;
use crate::work::GameWork;
use dipjudge_commands::command_reader::is_pleasantry;
use dipjudge_commands::consider;
use dipjudge_commands::names::Names;
use dipjudge_commands::order_corrections::{
    Correction, Mistake, corrections, one_each, orders_in_prose, pointed_back,
};
use dipjudge_commands::order_words::{OrderWords, Verb};
use dipjudge_commands::orders::{Due, grammar_of, read_orders_by};
use dipjudge_commands::parse_error::ParseError;
use dipjudge_game::planted::{Leak, planted};
use dipjudge_game::project::{SaidSoFar, Sight};
use dipjudge_game::{Effect, Event, Game, Phase, State, Variant, VariantGame};
use dipjudge_mails::outbound::Answer;
use dipjudge_rules::calendar::PhaseKind;
use dipjudge_rules::map::{Power, Province};

/// The outcome of the order lines of a mail.
#[derive(Debug, Default)]
pub(crate) struct OrderOutcomes {
    /// The quoted errors and notes, in the order of the lines.
    pub answers: Vec<Answer>,
    /// The number of lines that could not be accepted.
    pub errors: usize,
    pub accepted: usize,
    /// What the accepted lines were about ([`about`]).
    pub about: BTreeSet<String>,
    /// Corrected forms of orders that cannot be parsed.
    pub meant: Vec<String>,
    /// What the answers have said so far, for the following lines.
    pub said: SaidSoFar,
}

/// The text for an eliminated power in games that hide which powers exist.
pub(crate) fn fallen(game: &Game, variant: &dyn Variant, power: Power) -> Option<String> {
    let goes_on = game.begun() && !game.over();
    let told = goes_on && variant.hides_existence(game) && !variant.in_play(game, power);
    told.then(|| {
        "Your power is eliminated, so you can send nothing until the game is over.".to_owned()
    })
}

/// What an order is about, as proposals have it: [`ORDERS`] for all units, else that and its subject.
pub(crate) fn about(words: &OrderWords) -> String {
    match words.subject() {
        Some(subject) => format!("{ORDERS} {subject}"),
        None => ORDERS.to_owned(),
    }
}

/// Why no orders at all are accepted at the moment; `None` if they are.
pub(crate) fn closed(game: &Game, variant: &dyn Variant, power: Power) -> Option<String> {
    if let Some(why) = fallen(game, variant, power) {
        return Some(why);
    }
    match game.state {
        State::Running if game.settings.approval && !game.standing(power).approved => Some(
            "The master has not yet approved you to send orders. PRESS TO M to ask.".to_owned(),
        ),
        State::Running => None,
        State::Paused => {
            Some("The game is paused; orders are not taken until the master resumes it.".to_owned())
        }
        State::Halted { .. } => {
            Some("The game stands still for now, so no orders are taken.".to_owned())
        }
        State::Over(_) => Some("The game is over, so no orders are taken.".to_owned()),
        State::Forming | State::Ready => {
            Some("The game has not started, so there is nothing to order yet.".to_owned())
        }
    }
}

/// The answer to a master who acts as a power, for a line whose submission is sealed from him. It is the same whatever
/// has been submitted, and nothing changes (README, Decided 39).
pub(crate) const RECORDED: &str = "Recorded.";

/// Handles one line of orders for the current phase.
pub(crate) fn take(
    work: &mut GameWork,
    power: Power,
    line: &str,
    names: &Names,
    taken: &mut OrderOutcomes,
) {
    let edit = &work.open.edit;
    let game = &edit.game;
    let quote = |text: &str| {
        format!(
            "{}: {}",
            VariantGame::new(game, edit.variant).prefix_of(power),
            text.trim()
        )
    };
    if let Some(why) = closed(game, edit.variant, power) {
        taken.answers.push(Answer::about(quote(line), vec![why]));
        return;
    }
    let grammar = grammar_of(edit.variant);
    let read = read_orders_by(grammar, line, Due::in_phase(&game.phase), names);
    let mut before: Option<String> = None;
    for order in read {
        let words = match order {
            Ok(words) => {
                before = Some(words.text.trim().to_owned());
                words
            }
            Err(error) if is_pleasantry(&error.text) => continue,
            Err(error) => {
                taken.errors += usize::from(error.is_error());
                let mut own = work.take_sight(power, work.lines_of());
                own.sight.said.clone_from(&taken.said);
                let before = before.as_deref();
                let meant = meant(&own.sight, work.variant(), names, &error, before);
                work.keep_sight(own);
                // The end of the answer proposes the corrected line, so it is not repeated here.
                let why = if meant.is_some() {
                    error.reason.to_string()
                } else {
                    error.to_string()
                };
                taken.meant.extend(meant);
                taken
                    .answers
                    .push(fault(work, power, &error.text, vec![why]));
                continue;
            }
        };
        if words.heading.is_some_and(|heading| heading != power) {
            taken.errors += 1;
            let why = "This line starts with another power's name, so I ignored it.".to_owned();
            taken
                .answers
                .push(fault(work, power, &words.text, vec![why]));
            continue;
        }
        let sealed = is_sealed_from_masters(work, &words) && !planted(Leak::Lent);
        if work.open.acts_as_power && sealed {
            let said = fault(work, power, &words.text, vec![RECORDED.to_owned()]);
            taken.answers.push(said);
            continue;
        }
        let mut own = work.take_sight(power, work.lines_of());
        let sight = &mut own.sight;
        sight.said.clone_from(&taken.said);
        match consider::consider(sight, work.variant(), &words) {
            Ok(considered) => {
                taken.accepted += 1;
                taken.about.insert(about(&words));
                consider::note(&mut taken.said, sight, &words, &considered.effects);
                let kind = if sight.horizon.is_some() {
                    consider::named_kind(&words)
                } else {
                    None
                };
                for effect in considered.effects {
                    if work.open.acts_as_power && touches_sealed(work, &effect) {
                        continue;
                    }
                    let mut event = effect.event(power);
                    if let Event::Ordered { named, .. } = &mut event {
                        *named = kind;
                    }
                    work.emit(event);
                }
                if !considered.notes.is_empty() {
                    taken
                        .answers
                        .push(fault(work, power, &words.text, considered.notes));
                }
            }
            Err(sentences) => {
                taken.errors += 1;
                taken
                    .answers
                    .push(fault(work, power, &words.text, sentences));
            }
        }
        work.keep_sight(own);
    }
}

/// The largest number of mistakes in one order that are corrected.
const MOST_MENDED: usize = 3;

/// The corrected form of an order that cannot be parsed; `None` unless exactly one possible correction is an order that
/// can be given. `before` is the order before it on the line.
fn meant(
    sight: &Sight,
    variant: &dyn Variant,
    names: &Names,
    error: &ParseError,
    before: Option<&str>,
) -> Option<String> {
    let read = |line: &str| {
        let due = Due::in_phase(&sight.phase);
        read_orders_by(grammar_of(variant), line, due, names)
    };
    let can_be_given = |orders: &[Result<OrderWords, ParseError>]| {
        let can_be_given = |words: &OrderWords| {
            let own = words.heading.is_none_or(|power| power == sight.power);
            own && consider::consider(sight, variant, words).is_ok()
        };
        let mut orders = orders.iter().map(Result::as_ref).peekable();
        orders.peek().is_some() && orders.all(|order| order.is_ok_and(can_be_given))
    };
    if let Some(suggestion) = &error.suggestion
        && can_be_given(&read(&suggestion.line))
    {
        return Some(suggestion.line.clone());
    }
    let written = [
        before.and_then(|order| pointed_back(&error.text, order)),
        one_each(&error.text),
    ];
    let mut written = written.into_iter().flatten();
    if let Some(line) = written.find(|line| can_be_given(&read(line))) {
        return Some(line);
    }
    let mut found: Vec<String> = Vec::new();
    let mut tried = corrections(error, names);
    for _ in 0..MOST_MENDED {
        let mut next = Vec::new();
        for Correction { line, mistake } in std::mem::take(&mut tried) {
            if !mistake.is_one_of_several() {
                continue;
            }
            let orders = read(&line);
            if can_be_given(&orders) {
                found.push(line);
            } else if let [Err(error)] = orders.as_slice() {
                next.extend(corrections(error, names));
            }
        }
        tried = next;
    }
    found.dedup();
    match found.as_slice() {
        [only] => Some(only.clone()),
        [] => in_prose(sight, &error.text, names, &read, &can_be_given),
        _ => None,
    }
}

/// The orders that stand in words around them, one at most in each sentence: `I think I'll go with Trieste to Albania. Not
/// sure.` Where just one unit must retreat, or all stand in one place, it need not be named.
fn in_prose(
    sight: &Sight,
    text: &str,
    names: &Names,
    read: &impl Fn(&str) -> Vec<Result<OrderWords, ParseError>>,
    can_be_given: &impl Fn(&[Result<OrderWords, ParseError>]) -> bool,
) -> Option<String> {
    let dislodged = sight.position.dislodged.iter();
    let mut due = dislodged.filter(|one| one.unit.power == sight.power && !one.options.is_empty());
    let only_one = due.next().filter(|_| due.next().is_none());
    let own: Vec<Province> = {
        let units = sight.position.units.iter();
        let own = units.filter(|unit| unit.power == sight.power);
        own.map(|unit| unit.at.province).collect()
    };
    // A unit alone is named by who means it.
    let place = match own.as_slice() {
        [first, others @ ..] if !others.is_empty() && others.iter().all(|at| at == first) => {
            Some(*first)
        }
        _ => None,
    };
    let at = match sight.phase {
        Phase::Movement => place,
        _ => only_one.map(|one| one.unit.at.province),
    };
    let unit = at.and_then(|at| Some(sight.map.info(at)?.name.clone()));
    let given = |line: &str| {
        let orders = read(line);
        if can_be_given(&orders) {
            return Some(line.trim().to_owned());
        }
        let [Err(error)] = orders.as_slice() else {
            return None;
        };
        let cut = |found: &Correction| found.mistake == Mistake::TextAfter;
        let line = corrections(error, names).into_iter().find(cut)?.line;
        can_be_given(&read(&line)).then_some(line)
    };
    let found = orders_in_prose(text).filter_map(|sentence| {
        sentence.into_iter().find_map(|words| {
            let clause = || given(words.split_once(", ")?.0);
            let with_unit = || given(&format!("{} {words}", unit.as_deref()?));
            let with_arrow = || given(&format!("{} - {words}", unit.as_deref()?));
            given(words)
                .or_else(clause)
                .or_else(with_unit)
                .or_else(with_arrow)
        })
    });
    let found: Vec<String> = found.collect();
    (!found.is_empty()).then(|| found.join("; "))
}

/// The corrected form of an order for a phase to come that cannot be parsed; `None` unless there is exactly one that can be.
pub(crate) fn only_readable(
    variant: &dyn Variant,
    kind: PhaseKind,
    names: &Names,
    error: &ParseError,
) -> Option<String> {
    let reads = |line: &String| {
        let read = read_orders_by(grammar_of(variant), line, kind, names);
        !read.is_empty() && read.iter().all(Result::is_ok)
    };
    if let Some(suggestion) = &error.suggestion {
        return Some(suggestion.line.clone());
    }
    let lines = corrections(error, names)
        .into_iter()
        .map(|correction| correction.line);
    let mut readable: Vec<String> = lines.filter(reads).collect();
    readable.dedup();
    match readable.as_slice() {
        [only] => Some(only.clone()),
        _ => None,
    }
}

/// Whether a line submits something that the masters of the game in hand may not read.
fn is_sealed_from_masters(work: &GameWork, words: &OrderWords) -> bool {
    match &words.verb {
        Verb::Own(line) => !work.variant_game().masters_read_line(&line.rule),
        _ => false,
    }
}

/// Whether the effect of a line changes something that the masters of the game in hand may not read.
fn touches_sealed(work: &GameWork, effect: &Effect) -> bool {
    match effect {
        Effect::Submission(submission) => !work.variant_game().masters_read_slot(&submission.name),
        _ => false,
    }
}

fn fault(work: &GameWork, power: Power, text: &str, sentences: Vec<String>) -> Answer {
    let prefix = work.variant_game().prefix_of(power);
    Answer::about(format!("{prefix}: {}", text.trim()), sentences)
}
