//! Order lines of a mail: parsed, checked against what the sender sees, and stored (`judge-workflow.md` 3.8).

use std::collections::BTreeSet;

use crate::orders::acceptance::closed;
use crate::orders::meant::{meant, orders_stand, refusal_of_meant};
use crate::proposals::ORDERS;
use crate::work::GameWork;
use dipjudge_commands::asides::{Aside, aside, is_remark, keeps_alone};
use dipjudge_commands::command_reader::is_pleasantry;
use dipjudge_commands::consider;
use dipjudge_commands::due::Due;
use dipjudge_commands::names::Names;
use dipjudge_commands::order_corrections::{corrections, pointed_back};
use dipjudge_commands::order_words::{OrderWords, Verb};
use dipjudge_commands::orders::{grammar_of, read_orders_by};
use dipjudge_commands::orders_in_words::holds_order;
use dipjudge_commands::parse_error::{ParseError, ParseReason};
use dipjudge_game::planted::{Leak, planted};
use dipjudge_game::project::SaidSoFar;
use dipjudge_game::{Effect, Event, Variant, VariantAct};
use dipjudge_grammar::Grammar;
use dipjudge_mails::outbound::{Answer, NOT_DONE_YET};
use dipjudge_rules::calendar::PhaseKind;
use dipjudge_rules::map::{Map, Power};

/// So many words are a sentence, of which no single word is the mistake.
const FEWEST_OF_PROSE: usize = 5;

/// So many words tell something, if no order is found in them.
const FEWEST_OF_TALK: usize = 8;

/// The outcome of the order lines of a mail.
#[derive(Debug, Default)]
pub(crate) struct OrderOutcomes {
    /// The quoted errors and notes, in the order of the lines.
    pub answers: Vec<Answer>,
    /// The number of lines that could not be accepted.
    pub errors: usize,
    pub accepted: usize,
    /// The accepted orders, as they were written.
    pub taken: Vec<String>,
    /// What the accepted lines were about ([`about`]).
    pub about: BTreeSet<String>,
    /// Corrected forms of orders that cannot be parsed.
    pub meant: Vec<String>,
    /// The sentences that mean orders.
    pub in_words: Vec<OrdersInWords>,
    /// The quotes of sentences whose orders later lines replace.
    pub replaced: Vec<String>,
    /// Orders of other kinds of phases than is due.
    pub of_other_phases: Vec<(PhaseKind, String)>,
    /// Sentences of lines in which no order is found.
    pub unread: Vec<String>,
    /// The last order that was taken or meant, to which words on a later line may point.
    pub last: Option<String>,
    /// What the answers have said so far, for the following lines.
    pub said: SaidSoFar,
}

impl OrderOutcomes {
    /// The number of errors that are sentences whose orders are proposed.
    pub(crate) fn errors_in_words(&self) -> usize {
        self.in_words.iter().filter(|one| one.is_error).count()
    }

    /// Leaves orders out of lines that words before a later order meant, `Denmark and Ruhr defend, no wait, Ruhr goes back to Munich`,
    /// and gives back those of which something is left.
    pub(crate) fn keep_of_meant(
        &mut self,
        lines: Vec<String>,
        mut keeps: impl FnMut(&str) -> bool,
    ) -> Vec<String> {
        let mut left = Vec::new();
        for line in lines {
            let orders = line.split("; ").filter(|order| keeps(order));
            let kept = orders.collect::<Vec<&str>>().join("; ");
            let in_words = self.in_words.iter_mut();
            for one in in_words.filter(|one| one.orders == line) {
                one.orders.clone_from(&kept);
                if kept.is_empty() {
                    self.errors -= usize::from(std::mem::take(&mut one.is_error));
                    self.replaced.push(one.quote.clone());
                }
            }
            left.extend(Some(kept).filter(|kept| !kept.is_empty()));
        }
        left
    }
}

/// What an order is about if a later one about the same takes its place: none for all units at once, nor for a unit of a place that
/// many share.
pub(crate) fn replaced_by_another(words: &OrderWords, map: &Map) -> Option<String> {
    let place = words.unit.as_ref().map(|unit| unit.place.province);
    let is_shared = place.is_some_and(|at| map.info(at).is_some_and(|info| info.shared));
    words.subject().filter(|_| !is_shared).map(|_| about(words))
}

/// A sentence that cannot be parsed and means orders.
#[derive(Debug)]
pub(crate) struct OrdersInWords {
    /// The sentence as the answer quotes it, which tells that it is not done yet.
    pub quote: String,
    /// Its orders, as they were proposed.
    pub orders: String,
    /// Whether it says them and nothing else.
    pub is_certain: bool,
    /// Whether it was counted as an error.
    pub is_error: bool,
}

/// What an order is about, as proposals have it: [`ORDERS`] for all units, else that and its subject.
pub(crate) fn about(words: &OrderWords) -> String {
    match words.subject() {
        Some(subject) => format!("{ORDERS} {subject}"),
        None => ORDERS.to_owned(),
    }
}

/// The answer to a master who acts as a power, for a line whose submission is sealed from him. It is the same whatever
/// has been submitted, and nothing changes (README, Decided 39).
pub(crate) const RECORDED: &str = "Recorded.  It changes nothing: lines of this kind are sealed from masters, and count only if the power itself sends them.";

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
    if let Some(why) = closed(game, edit.variant, power) {
        taken.answers.push(fault(work, power, line, vec![why]));
        return;
    }
    let grammar = grammar_of(edit.variant);
    let read = read_orders_by(grammar, line, Due::in_phase(&game.phase), names);
    let kind = game.phase.phase_kind();
    for order in read {
        let words = match order {
            Ok(words) => {
                taken.last = Some(words.text.trim().to_owned());
                words
            }
            Err(error) if is_pleasantry(&error.text) => continue,
            Err(error) => {
                if let Some(why) = no_order(grammar, &error.text, kind, names) {
                    taken
                        .answers
                        .push(fault(work, power, &error.text, vec![why.to_owned()]));
                    continue;
                }
                let length = error.text.split_whitespace().count();
                let is_talk = length >= FEWEST_OF_PROSE && !names.any_province(&error.text);
                let mut own = work.take_sight(power, work.lines_of());
                if orders_stand(&own.sight, grammar, &error.text, names) {
                    work.keep_sight(own);
                    let stands = vec![ORDERS_STAND.to_owned()];
                    taken.answers.push(fault(work, power, &error.text, stands));
                    continue;
                }
                own.sight.said.clone_from(&taken.said);
                let before = taken.last.as_deref();
                let meant = meant(&own.sight, work.variant(), names, &error, before);
                let by_clauses = meant.as_ref().is_none_or(|meant| meant.by_clauses);
                let refused = if by_clauses {
                    refusal_of_meant(&own.sight, work.variant(), names, &error, before)
                } else {
                    None
                };
                work.keep_sight(own);
                // "Ben asked me yesterday to leave him Norway": so many words without an order in them order nothing.
                let due = || Due::in_phase(&work.game().phase);
                if (length >= FEWEST_OF_TALK || is_talk)
                    && !error.is_understood()
                    && meant.is_none()
                    && refused.is_none()
                    && !holds_order(grammar, &error.text, due(), names, |_| true)
                {
                    taken.unread.push(error.text.trim().to_owned());
                    continue;
                }
                let counts =
                    error.is_error() && !is_talk && !is_remark(grammar, &error.text, names);
                taken.errors += usize::from(counts);
                // The beginning of the answer proposes the corrected line, so it is not repeated here.
                let points_back = taken.last.as_deref();
                let points_back = points_back.and_then(|last| pointed_back(&error.text, last));
                let is_prose = points_back.is_some()
                    || error.reason == ParseReason::NotAnOrder
                    || error.text.split_whitespace().count() >= FEWEST_OF_PROSE;
                let why = match (&meant, &error.reason) {
                    (None, _) if is_prose && refused.is_some() => Vec::new(),
                    (Some(meant), _) if is_prose || meant.by_clauses => {
                        vec![NOT_DONE_YET.to_owned()]
                    }
                    (Some(_), reason) => vec![reason.to_string()],
                    // What was probably meant cannot be given either.
                    (None, reason) if error.suggestion.is_some() && refused.is_some() => {
                        vec![reason.to_string()]
                    }
                    (None, _) => vec![error.to_string()],
                };
                // "the army in Belgium goes to Burgundy, I may have no internet then"
                if let ParseReason::OtherPhase { meant, .. } = &error.reason {
                    let read = read_orders_by(grammar, &error.text, *meant, names);
                    let orders = read.iter().flatten();
                    let orders = orders.map(|order| (*meant, order.text.trim().to_owned()));
                    taken.of_other_phases.extend(orders);
                }
                if let Some(meant) = &meant
                    && (meant.by_clauses
                        || meant.is_certain
                        || error.reason == ParseReason::NotAnOrder)
                {
                    taken.in_words.push(OrdersInWords {
                        quote: quoted(work, power, &error.text),
                        orders: meant.lines.clone(),
                        is_certain: meant.is_certain,
                        is_error: counts,
                    });
                }
                let is_suggested = meant.is_none() && error.suggestion.is_some();
                let refused = refused.filter(|_| is_prose || is_suggested);
                let meant = meant.map(|meant| meant.lines);
                let last = meant.as_deref().and_then(|meant| meant.rsplit("; ").next());
                taken.last = last.map(str::to_owned).or(taken.last.take());
                taken.meant.extend(meant);
                taken.answers.push(fault(
                    work,
                    power,
                    &error.text,
                    why.into_iter().chain(refused).collect(),
                ));
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
        if acts_at_once(work, &words) {
            taken.meant.push(words.text.trim().to_owned());
            taken.answers.push(fault(
                work,
                power,
                &words.text,
                vec![NOT_DONE_YET.to_owned()],
            ));
            continue;
        }
        let mut own = work.take_sight(power, work.lines_of());
        let sight = &mut own.sight;
        sight.said.clone_from(&taken.said);
        match consider::consider(sight, work.variant(), &words) {
            Ok(considered) => {
                taken.accepted += 1;
                let replaced = replaced_by_another(&words, work.game().map());
                if let Some(unit) = replaced.filter(|_| !taken.meant.is_empty()) {
                    let due = Due::in_phase(&work.game().phase);
                    let meant = std::mem::take(&mut taken.meant);
                    taken.meant = taken.keep_of_meant(meant, |order| {
                        let read = read_orders_by(grammar, order, due.clone(), names);
                        let [Ok(other)] = read.as_slice() else {
                            return true;
                        };
                        replaced_by_another(other, work.game().map()).as_ref() != Some(&unit)
                    });
                }
                taken.about.insert(about(&words));
                taken.taken.push(words.text.trim().to_owned());
                consider::note(&mut taken.said, sight, &words, &considered.effects);
                let unit_kind = if sight.horizon.is_some() {
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
                        *named = unit_kind;
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

/// What is said of units whose orders are to stay as they are.
const ORDERS_STAND: &str = "Orders that you sent before stand as they were.";

/// What is said of a condition that is a sentence.
pub(crate) const CONDITION_IN_WORDS: &str = "No order can depend on what others order in the same phase: all orders are opened together.  So this orders nothing; send the order that you prefer, without the condition.";

/// Why words with provinces in them are no order at all: then they set no error flag.
fn no_order(
    grammar: &Grammar,
    text: &str,
    kind: Option<PhaseKind>,
    names: &Names,
) -> Option<&'static str> {
    if kind == Some(PhaseKind::Adjustments) && keeps_alone(grammar, text, names) {
        return Some("A unit that is kept needs no order.");
    }
    Some(match aside(grammar, text, names)? {
        Aside::Question => {
            "I take this for a question, so it orders nothing.  HELP tells what I answer."
        }
        Aside::Denial => "These words say what is not meant, so they order nothing.",
        Aside::Condition => CONDITION_IN_WORDS,
    })
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

/// Whether a line among orders is a command of the variant, which stands in a line of its own: `build an army in Naples and call us
/// Hittite Empire`.
fn acts_at_once(work: &GameWork, words: &OrderWords) -> bool {
    let Verb::Own(line) = &words.verb else {
        return false;
    };
    let mut commands = work.variant().card().commands.iter();
    commands.any(|row| {
        let by_power = matches!(
            row.act,
            VariantAct::Power { .. } | VariantAct::SeatThenPower { .. }
        );
        row.rule == line.rule && by_power
    })
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
    Answer::about(quoted(work, power, text), sentences)
}

/// A line as its answer quotes it: behind the letter of its power.
fn quoted(work: &GameWork, power: Power, text: &str) -> String {
    let prefix = work.variant_game().prefix_of(power);
    format!("{prefix}: {}", text.trim())
}
