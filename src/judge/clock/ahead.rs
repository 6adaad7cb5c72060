//! Orders for later phases (`judge-workflow.md` 3.7). They are stored as text and parsed when their phase begins, as if
//! they had just arrived; a mail then shows the orders that stand.

use crate::work::acting::{Refusal, refuse};
use std::collections::BTreeSet;

use crate::orders::branches::{self, BlockLine, Branches};
use crate::orders::lines::{self, OrderOutcomes};
use crate::orders::warnings;
use crate::work::or_logged::OrLogged;
use crate::work::own_sight::LinesOf;
use crate::work::{GameWork, MailClass};
use dipjudge_commands::consider::ahead::{as_supposed, could_be_given};
use dipjudge_commands::mail_reader::{BodyLine, Item, ItemKind, SignOnBy, read_mail};
use dipjudge_commands::names::Names;
use dipjudge_commands::orders::{grammar_of, read_orders_by};
use dipjudge_commands::settings::{SetItem, read_settings, rule_of};
use dipjudge_commands::submission_kinds;
use dipjudge_game::{
    AheadLine, Event, Game, ORDERS, SubmissionKind, Variant, VariantGame, phases, phases_named,
};
use dipjudge_grammar::Line;
use dipjudge_mails::outbound::{self, Answer};
use dipjudge_rules::calendar::{PhaseKind, PhaseName};
use dipjudge_rules::map::Power;
use dipjudge_variants as variants;
use dipjudge_view::Viewer;

/// How many years ahead orders may be given.
const FARTHEST: i32 = 5;

/// Checks that orders may be stored for this phase.
pub(crate) fn may_store(game: &Game, phase: PhaseName, now: PhaseName) -> Result<(), Refusal> {
    if phase < now {
        return refuse(format!(
            "Invalid phase {} specified: it is past, '{}' is in {}.",
            phase.in_mail(),
            game.name,
            now.in_mail()
        ));
    }
    if phase.turn.year > now.turn.year + FARTHEST {
        return refuse(format!(
            "Invalid phase {} specified: orders are kept for at most {FARTHEST} years ahead.",
            phase.in_mail()
        ));
    }
    let variant = variants::of(&game.variant);
    // Lines for a phase that never comes would be stored forever.
    if phases_named(variant, phase).is_empty() {
        return refuse(format!(
            "Invalid phase {} specified: a game of {} has no such phase; GET RULES.{} tells its year.",
            phase.in_mail(),
            variant.card().title,
            variant.card().name.to_uppercase()
        ));
    }
    Ok(())
}

/// The next phase of a kind in a game.
pub(crate) fn next_phase_of(game: &Game, kind: PhaseKind) -> Option<PhaseName> {
    let variant = variants::of(&game.variant);
    let now = game.phase_name(variant);
    let turns = std::iter::successors(Some(game.turn), |turn| Some(turn.next()));
    // A year has four seasons.
    let names = turns.take(5).map(|turn| PhaseName::new(turn, kind));
    let mut next = names.filter(|name| *name > now);
    next.find(|name| !phases_named(variant, *name).is_empty())
}

/// What is wrong with a line for a later phase.
pub(crate) struct WrongAhead {
    pub why: Refusal,
    /// The line as it was probably meant.
    pub meant: Option<String>,
}

impl From<Refusal> for WrongAhead {
    fn from(why: Refusal) -> WrongAhead {
        WrongAhead { why, meant: None }
    }
}

/// A line for a later phase, as a mail's line.
struct ReadAhead {
    /// What it is; `None` if it is nothing.
    item: Option<Item>,
    names: Names,
}

impl ReadAhead {
    fn of(work: &GameWork, power: Power, line: &str) -> ReadAhead {
        let body = BodyLine::own(1, line);
        let items = read_mail(&[body], SignOnBy::ReplyAddress).items;
        let roster = work.variant_game().seen_by(Viewer::Power(power)).roster();
        ReadAhead {
            // Each line is one item.
            item: items.into_iter().next(),
            names: Names::shared(work.game().map(), &roster),
        }
    }
}

/// Checks a line for a later phase and stores it, or says why it cannot be stored. If the line is sealed from a master who acts as
/// the power, he reads a constant answer and nothing is stored.
pub(crate) fn take(
    work: &mut GameWork,
    power: Power,
    phase: PhaseName,
    line: &str,
) -> Result<Option<String>, WrongAhead> {
    let read = ReadAhead::of(work, power, line);
    check(work, power, phase, line, &read)?;
    Ok(store(work, power, phase, line, &read)?)
}

/// Whether a line of orders can be kept for a later phase.
pub(crate) fn could_be_kept(
    work: &mut GameWork,
    power: Power,
    phase: PhaseName,
    line: &str,
) -> bool {
    let read = ReadAhead::of(work, power, line);
    check(work, power, phase, line, &read).is_ok()
}

/// Checks a line of orders for a later phase by the grammar and the map, since where units will stand nobody knows. Conditions and
/// lines of a variant are read when their phase begins.
fn check(
    work: &mut GameWork,
    power: Power,
    phase: PhaseName,
    line: &str,
    ReadAhead { item, names }: &ReadAhead,
) -> Result<(), WrongAhead> {
    let variant = work.variant();
    let is_order = matches!(
        item.as_ref().map(|item| &item.kind),
        Some(ItemKind::Order | ItemKind::Invalid { .. })
    );
    if !is_order || matches!(phase.kind, PhaseKind::Own(_)) {
        return Ok(());
    }
    let own = work.take_sight(power, work.lines_of());
    let mut checked = Ok(());
    for order in read_orders_by(grammar_of(variant), line, phase.kind, names) {
        let wrong = match order {
            Ok(words) if phase.kind == PhaseKind::Movement => {
                let could = could_be_given(&own.sight, &words);
                could.map_err(|why| WrongAhead {
                    why: Refusal::from(format!(
                        "{why}  This line was not kept for {}.",
                        phase.in_mail()
                    )),
                    meant: None,
                })
            }
            Ok(_) => Ok(()),
            // A name that the sender does not know may be known to him by then.
            Err(error) if error.reason.is_about_a_power() => Ok(()),
            Err(error) => {
                let why = format!(
                    "{}  This line was not kept for {}.",
                    error.reason,
                    phase.in_mail()
                );
                let meant = lines::only_readable(variant, phase.kind, names, &error);
                Err(WrongAhead {
                    why: Refusal::from(why),
                    meant,
                })
            }
        };
        checked = checked.and(wrong);
    }
    work.keep_sight(own);
    checked
}

fn store(
    work: &mut GameWork,
    power: Power,
    phase: PhaseName,
    line: &str,
    read: &ReadAhead,
) -> Result<Option<String>, Refusal> {
    let variant = work.variant();
    let kinds = kinds_of(variant, phase, read);
    let mut declared = kinds
        .iter()
        .map(|kind| SubmissionKind::named(variant, kind));
    if let Some(why) = declared.find_map(|kind| kind.not_ahead) {
        return refuse(why);
    }
    if work.open.acts_as_power && !VariantGame::new(work.game(), variant).masters_read_kinds(&kinds)
    {
        return Ok(Some(lines::RECORDED.to_owned()));
    }
    let line = AheadLine {
        phase: phase.to_string(),
        line: line.trim().to_owned(),
        kinds,
    };
    work.emit(Event::Ahead {
        power,
        lines: vec![line],
    });
    Ok(None)
}

/// Drops what a power has sent for a phase before, where the last lines for it, those of one mail, are the same once more: twice
/// a build or a waived build would be another thing.
pub(crate) fn drop_repeated(work: &mut GameWork, power: Power, phase: PhaseName, last: usize) {
    let phase = phase.to_string();
    let ahead = work.game().standing(power).ahead.iter();
    let kept: Vec<AheadLine> = ahead.filter(|line| line.phase == phase).cloned().collect();
    let Some((before, again)) = kept.len().checked_sub(last).map(|at| kept.split_at(at)) else {
        return;
    };
    let Some(at) = before.windows(last.max(1)).position(|lines| lines == again) else {
        return;
    };
    let lines = [&before[..at], &before[at + last..], again].concat();
    let phase = Some(phase);
    work.emit(Event::AheadDropped { power, phase });
    work.emit(Event::Ahead { power, lines });
}

/// What a power should check in its orders for a movement phase to come: those that match no other of its orders for that phase.
/// Nothing where a condition decides which of them will be given.
pub(crate) fn notes(work: &mut GameWork, power: Power, phase: PhaseName) -> Vec<String> {
    let (variant, map) = (work.variant(), work.game().map());
    let roster = work.variant_game().seen_by(Viewer::Power(power)).roster();
    let names = Names::shared(map, &roster);
    let named = phase.to_string();
    let ahead = work.game().standing(power).ahead.iter();
    let lines: Vec<String> = ahead
        .filter(|line| line.phase == named)
        .map(|line| line.line.clone())
        .collect();
    let mail: Vec<BodyLine> = (1..)
        .zip(&lines)
        .map(|(number, line)| BodyLine::own(number, line))
        .collect();
    let mut orders = Vec::new();
    for item in read_mail(&mail, SignOnBy::ReplyAddress).items {
        match &item.kind {
            ItemKind::Command(line)
                if BlockLine::of(&item.text, line, variant, &names).is_some() =>
            {
                return Vec::new();
            }
            ItemKind::Order | ItemKind::Invalid { .. } => {
                let read = read_orders_by(grammar_of(variant), &item.text, phase.kind, &names);
                orders.extend(read.into_iter().flatten());
            }
            _ => {}
        }
    }
    let own = work.take_sight(power, work.lines_of());
    let supposed = as_supposed(&own.sight, &orders);
    work.keep_sight(own);
    supposed.map_or_else(Vec::new, |sight| warnings::notes(&sight))
}

/// Deletes what a power has stored for later phases; for a master who acts as the power, only what he may read.
pub(crate) fn clear(work: &mut GameWork, power: Power) {
    let (game, variant) = (work.game(), work.variant());
    let sealed = |line: &&AheadLine| {
        work.open.acts_as_power && !VariantGame::new(game, variant).masters_read_kinds(&line.kinds)
    };
    let ahead = game.standing(power).ahead.iter();
    let lines: Vec<AheadLine> = ahead.filter(sealed).cloned().collect();
    work.emit(Event::AheadDropped { power, phase: None });
    if !lines.is_empty() {
        work.emit(Event::Ahead { power, lines });
    }
}

/// The kinds of submission in a line, parsed as it will be when its phase begins.
fn kinds_of(
    variant: &dyn Variant,
    phase: PhaseName,
    ReadAhead { item, names }: &ReadAhead,
) -> BTreeSet<String> {
    let of = |item: &Item| match &item.kind {
        ItemKind::Command(line) if BlockLine::of(&item.text, line, variant, names).is_some() => {
            submission_kinds::of_condition(variant, line, phase.kind, names)
        }
        ItemKind::Command(line) if kept_wait(line).is_some() => {
            BTreeSet::from([ORDERS.name.to_owned()])
        }
        _ => submission_kinds::of_orders(variant, &item.text, phase.kind, names),
    };
    item.as_ref().map_or_else(BTreeSet::new, of)
}

/// Parses what powers had stored for the phase that has just begun, and tells each power which orders stand now.
pub(crate) fn come_into_force(work: &mut GameWork) {
    let game = work.game();
    if game.over() {
        return;
    }
    let name = game.phase_name(work.variant());
    let phase = name.to_string();
    let map = game.map();
    let stored: Vec<(Power, Vec<String>)> = game
        .all_powers()
        .filter_map(|power| {
            let standing = game.standings.get(&power)?;
            let lines: Vec<String> = standing
                .ahead
                .iter()
                .filter(|line| line.phase == phase)
                .map(|line| line.line.clone())
                .collect();
            (!lines.is_empty()).then_some((power, lines))
        })
        .collect();
    if stored.is_empty() {
        return;
    }
    for (power, lines) in stored {
        let roster = work.variant_game().seen_by(Viewer::Power(power)).roster();
        let taken = read(work, power, &lines, &Names::shared(map, &roster));
        work.emit(Event::AheadDropped {
            power,
            phase: Some(phase.clone()),
        });
        let own = lines.into_iter().map(|line| (power, line));
        work.open.came_into_force.extend(own);
        let owes = work.variant_game().requirements().owes(power);
        if taken.errors > 0 && owes {
            work.emit(Event::Flagged { power, on: true });
        }
        tell(work, power, &taken);
    }
    phases::settle(&mut work.open.edit);
}

/// Handles lines as if they had just arrived: settings, orders, and conditions, which are tested against what the power
/// sees now.
fn read(work: &mut GameWork, power: Power, lines: &[String], names: &Names) -> OrderOutcomes {
    let mut taken = OrderOutcomes::default();
    let mut branches = Branches::default();
    let mail: Vec<BodyLine> = (1..)
        .zip(lines)
        .map(|(number, line)| BodyLine::own(number, line))
        .collect();
    for item in read_mail(&mail, SignOnBy::ReplyAddress).items {
        let edit = &work.open.edit;
        let block_line = match &item.kind {
            ItemKind::Command(line) => BlockLine::of(&item.text, line, edit.variant, names),
            _ => None,
        };
        if let Some(line) = block_line {
            let variant = edit.variant;
            let own = work.take_sight(power, LinesOf::Leader);
            let step = branches::step(&mut branches, &line, variant, names, &own.sight);
            work.keep_sight(own);
            let edit = &work.open.edit;
            match step {
                Ok(None) => {}
                Ok(Some(then)) => lines::take(work, power, &then, names, &mut taken),
                Err(why) => {
                    taken.errors += 1;
                    let quote = format!("{}: {}", edit.variant_game().prefix_of(power), item.text);
                    let answer = Answer::about(quote, why.into_sentences());
                    taken.answers.push(answer);
                }
            }
        } else if branches.open() {
            let wait = match &item.kind {
                ItemKind::Command(line) => kept_wait(line),
                _ => None,
            };
            match wait {
                Some(on) => work.emit(Event::Waits { power, on }),
                None => lines::take(work, power, &item.text, names, &mut taken),
            }
        }
    }
    taken
}

fn tell(work: &mut GameWork, power: Power, taken: &OrderOutcomes) {
    let Some(to) = work.leader(power) else {
        return;
    };
    work.give_labels(&[to]);
    let edit = &work.open.edit;
    let address = edit.game.seat(to.seat).map(|seat| seat.address.as_str());
    let answers: Vec<Answer> = taken
        .answers
        .iter()
        .map(|answer| {
            work.judge
                .redact_answer(answer, address.unwrap_or_default())
        })
        .collect();
    let section = edit
        .variant_game()
        .seen_by(work.reader(to).viewer)
        .orders_section();
    let text = section.and_then(|section| {
        let heading = work.heading(to);
        outbound::pending_orders(&work.templates(), &heading, &section, &answers).or_logged()
    });
    if let Some(text) = text {
        work.send(to, text, MailClass::Opening);
    }
}

/// The value of WAIT in a line stored for a later phase; `None` for any other line.
fn kept_wait(line: &Line) -> Option<bool> {
    if line.rule != "set" {
        return None;
    }
    let items = read_settings(line.words()?);
    match items.as_slice() {
        [SetItem::Known(item)] => match rule_of(item) {
            "wait" => Some(true),
            "no-wait" => Some(false),
            _ => None,
        },
        _ => None,
    }
}
