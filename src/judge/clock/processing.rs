//! The processing of a phase: adjudication, the results to all, then the orders stored for the phase that begins
//! (`judge-workflow.md` 1.2, rows 17 to 19).

use crate::clock::ahead;
use crate::clock::dedication;
use crate::clock::diaries;
use crate::clock::halting;
use crate::clock::postal;
use crate::registry::DedicationReason;
use crate::work::keeping::HistoryKind;
use crate::work::or_logged::OrLogged;
use crate::work::{GameWork, MailClass, Recipient};
use dipjudge_game::planted::{Leak, planted};
use dipjudge_game::project::{self, Labels};
use dipjudge_game::{Ending, Event, Game, Played, State, VariantGame, in_play, phases};
use dipjudge_mails::outbound::{self, Text};
use dipjudge_rules::map::Power;
use dipjudge_view::{EndDisclosure, Label, OwnChanges, Viewer};

/// Puts powers whose orders are missing at the end of grace into civil disorder.
fn disorder(work: &mut GameWork, powers: &[Power]) {
    dedication::points(work, powers, -100, DedicationReason::Disorder);
    for power in powers {
        work.emit(Event::Disorder {
            power: *power,
            on: true,
        });
    }
}

/// Adjudicates the current phase with the orders that there are, tells everybody, and opens the next phase that needs
/// orders. These powers go into civil disorder first. If the results do not hold, the game stands still instead.
pub(crate) fn process(work: &mut GameWork, powers_missing: &[Power]) {
    let phase_results = match halting::results(work, powers_missing) {
        Ok(phase_results) => phase_results,
        Err(contradiction) => return halting::halt(work, &contradiction),
    };
    disorder(work, powers_missing);
    let before = work.game().clone();
    if before.timing.late_notice.is_none() {
        // Nobody was late in this phase, or late powers have not been counted yet (PROCESS before the deadline).
        let times = before.timing.times;
        let due = times.is_some_and(|times| work.now >= times.deadline);
        if due
            || VariantGame::new(&before, work.variant())
                .powers_missing()
                .is_empty()
        {
            dedication::count_turns(work, &[]);
        }
    }
    phase_results.take_over(&mut work.open.edit);
    tell_results(work, &before);
    ahead::come_into_force(work);
}

/// Sends everybody the results of the last adjudicated phase, and the ending if the game has ended; `before` is the
/// game at the beginning of that phase.
pub(crate) fn tell_results(work: &mut GameWork, before: &Game) {
    let game = work.game();
    let Some(played) = game.last.clone() else {
        return;
    };
    let ended = match &game.state {
        State::Over(ending) => Some(ending.clone()),
        _ => None,
    };
    if let Some(ending) = &ended {
        tell_ending(work, ending);
    }
    let mut everyone = work.everyone();
    // A power that has just been eliminated reads of it, even where eliminated powers receive no further mails.
    for power in in_play(before, work.variant()) {
        let to = work.leader_or_later(power);
        everyone.extend(to.filter(|to| !everyone.contains(to)));
    }
    work.broadcast(&everyone, MailClass::Results, |work, to| {
        results(work, to, before, &played)
    });
    keep_for_all(work, before, &played);
}

/// Archives the results for HISTORY as observers received them. If the board is hidden, archives the whole, to be read
/// once the game is over.
fn keep_for_all(work: &mut GameWork, before: &Game, played: &Played) {
    let reader = if work.keeps_by_power() {
        project::Reader::any_master(work.game())
    } else {
        work.observer()
    };
    work.give_labels_to(&[reader.viewer]);
    if let Some(mut text) = write_results(work, &reader, &[], before, played) {
        let mut by_name = write_results(work, &reader.by_name(), &[], before, played);
        // Press is the same in all copies but for who may be named.
        let anybody = Recipient::ANY_OBSERVER;
        text.document.append(postal::of(work, before, anybody));
        if let Some(by_name) = &mut by_name {
            by_name
                .document
                .append(postal::of(work, before, anybody.by_name()));
        }
        work.archive(work.readers_of_all(), &text, by_name, HistoryKind::Mailing);
    }
}

fn results(work: &GameWork, to: Recipient, before: &Game, played: &Played) -> Option<Text> {
    let reader = work.reader(to);
    let mut text = write_results(work, &reader, &own_readers(work, to), before, played)?;
    text.document.append(postal::of(work, before, to));
    Some(work.illustrated(to, text, |edit, viewer| {
        let (game, variant) = (&edit.game, edit.variant);
        let game = VariantGame::new(game, variant);
        if planted(Leak::Picture) {
            Some(game.whole_results(before, played))
        } else {
            game.seen_by(viewer).board_of_results(before, played)
        }
    }))
}

/// The reader as each of the powers whose changes the results tell him. Where nothing is hidden he gets the same results for all
/// that he leads.
fn own_readers(work: &GameWork, to: Recipient) -> Vec<project::Reader> {
    let powers = match to.power {
        None => Vec::new(),
        Some(power) if work.hides() || to.is_nobodys() => vec![power],
        Some(power) => {
            let mut led = work.game().led_by(to.seat);
            if !led.contains(&power) {
                led.push(power);
            }
            led
        }
    };
    let reader = |power| {
        let power = Some(power);
        work.reader(Recipient { power, ..to })
    };
    powers.into_iter().map(reader).collect()
}

fn write_results(
    work: &GameWork,
    reader: &project::Reader,
    own: &[project::Reader],
    before: &Game,
    played: &Played,
) -> Option<Text> {
    let edit = &work.open.edit;
    // The heading of results names the phase just processed and its deadline (6.1).
    let mut heading = VariantGame::new(before, edit.variant)
        .read_by(reader)
        .heading(&work.judge.settings.name);
    let report = edit
        .variant_game()
        .read_by(reader)
        .results(before, played)?;
    if planted(Leak::Report) {
        let votes = before.standings.values().filter(|one| one.vote.is_some());
        heading.title.push_str(&votes.count().to_string());
    }
    let changes = own.iter().filter_map(|own| {
        let view = edit.variant_game().read_by(own);
        view.own_changes(before, played, &report)
    });
    let changes: Vec<OwnChanges> = changes.collect();
    outbound::results(&work.templates(), &heading, &report, &changes).or_logged()
}

/// The results of the last adjudicated phase in plain text, as everybody may read them in an open game.
pub(crate) fn last_report(work: &GameWork, before: &Game) -> Option<String> {
    let played = work.game().last.clone()?;
    let report = write_results(work, &work.observer(), &[], before, &played)?;
    Some(report.body())
}

/// Tells everybody how the game ended, and the seed from which all its random choices can be verified.
pub(crate) fn tell_ending(work: &mut GameWork, ending: &Ending) {
    let everyone = work.everyone();
    let write = |work: &GameWork, reader: &project::Reader| {
        let edit = &work.open.edit;
        let mut heading = edit
            .variant_game()
            .read_by(reader)
            .heading(&work.judge.settings.name);
        // The subject names the phase in which the game ended.
        heading.phase = heading.phase.trim_end_matches('X').to_owned();
        let labels = edit.variant_game().seen_by(reader.viewer).labels();
        let closing = EndDisclosure {
            board: edit.variant_game().seen_by(reader.viewer).last_board(),
            leaders: leaders_revealed(work, reader, &labels),
            summary: Some(edit.variant_game().read_by(reader).summary(&|seat| {
                let person = edit.game.seat(seat).map(|seat| seat.person);
                let person = person.and_then(|person| work.registry.person(person));
                person.map_or_else(String::new, |person| person.name.clone())
            })),
            seed: edit.game.seed.to_hex(),
        };
        let ending = in_names(&labels, ending);
        outbound::game_over(&work.templates(), &heading, &ending, &closing).or_logged()
    };
    work.broadcast(&everyone, MailClass::Notice, |work, to| {
        write(work, &work.reader(to)).map(|text| work.with_board(to, text))
    });
    work.give_labels_to(&[Viewer::Observer]);
    if let Some(text) = write(work, &work.observer()) {
        let by_name = write(work, &work.observer().by_name());
        work.archive(work.readers_of_all(), &text, by_name, HistoryKind::Mailing);
    }
    diaries::publish(work);
}

/// Tells everybody who led which power, once that is no secret any more; and what was not told because it was one.
pub(crate) fn tell_leaders(work: &mut GameWork) {
    let everyone = work.everyone();
    work.broadcast(&everyone, MailClass::Notice, |work, to| {
        let reader = work.reader(to);
        let labels = work.labels(to);
        let leaders = leaders_revealed(work, &reader, &labels);
        let lines = leaders
            .into_iter()
            .map(|(power, name)| format!("{power}: {name}"));
        let lines: Vec<String> = lines.collect();
        work.notice(to, "Players Revealed", lines)
    });
    diaries::publish(work);
}

/// Who led which power by name, as far as this reader may know it now.
fn leaders_revealed(
    work: &GameWork,
    reader: &project::Reader,
    labels: &Labels,
) -> Vec<(Label, String)> {
    let (game, variant) = (work.game(), work.variant());
    if !game.over() || (work.secrecy().leaders && !game.settings.reveal) {
        return Vec::new();
    }
    let led = |power: Power| {
        let seat = project::leading_seat(game, power)?;
        let person = work.registry.person(seat.person)?;
        let shown = !VariantGame::new(game, variant)
            .read_by(reader)
            .hides_leader(seat);
        shown.then(|| (labels.introduced(power), person.name.clone()))
    };
    game.all_powers().filter_map(led).collect()
}

fn in_names(labels: &Labels, ending: &Ending) -> outbound::Ending {
    let named = |power: &Power| outbound::NamedPower {
        label: labels.introduced(*power),
        letter: labels.letter(*power),
    };
    match ending {
        Ending::Won(winners) => outbound::Ending::Victory(winners.iter().map(named).collect()),
        Ending::Drawn(powers) => outbound::Ending::Draw(powers.iter().map(named).collect()),
        Ending::Conceded(winner) => outbound::Ending::Concession(named(winner)),
        Ending::Terminated => outbound::Ending::Terminated,
    }
}

/// Handles a change that may have made the set of orders complete or incomplete.
pub(crate) fn settle(work: &mut GameWork) {
    phases::settle(&mut work.open.edit);
}
