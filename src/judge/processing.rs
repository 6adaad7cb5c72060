//! A phase adjudicated and told: results to all, then what players had ordered ahead for the phase that begins
//! (`judge-workflow.md` 1.2, rows 17 to 19).

use super::ahead;
use super::due;
use super::errand::{Errand, NOTICES, RESULTS};
use super::registry::Why;
use super::seam::Readership;
use crate::game::{Ending, Event, Game, Played, State, phases, project};
use crate::mails::outbound::{self, Text};
use crate::map::Power;
use crate::planted::{Leak, planted};
use crate::view::{Label, Viewer};

/// Puts powers that are missing at the end of grace into civil disorder.
pub(super) fn disorder(errand: &mut Errand, powers: &[Power]) {
    due::points(errand, powers, -100, Why::Disorder);
    for power in powers {
        errand.emit(Event::Disorder {
            power: *power,
            on: true,
        });
    }
}

/// Adjudicates the phase in hand with what there is, tells everybody, and opens the next that asks somebody.
pub(super) fn process(errand: &mut Errand) {
    let Some(course) = &mut errand.course else {
        return;
    };
    let was_late = course.game.timing.late_notice.is_some();
    let before = course.game.clone();
    if !was_late {
        // Nobody was late in this phase, or those who are have not been counted yet (PROCESS before the deadline).
        let due = course
            .game
            .timing
            .times
            .is_some_and(|times| errand.now >= times.deadline);
        if due || crate::game::asks::missing(&course.game, course.variant).is_empty() {
            due::count_turns(errand, &[]);
        }
    }
    let Some(course) = &mut errand.course else {
        return;
    };
    phases::run(course);
    tell(errand, &before);
    ahead::come_into_force(errand);
}

fn tell(errand: &mut Errand, before: &Game) {
    let Some(game) = errand.game() else { return };
    let Some(played) = game.last.clone() else {
        return;
    };
    let ended = match &game.state {
        State::Over(ending) => Some(ending.clone()),
        _ => None,
    };
    if let Some(ending) = &ended {
        tell_ending(errand, ending);
    }
    let mut everyone = errand.everyone();
    // Who has just fallen reads of it, even where the fallen hear no more.
    let fallen = before.survivors().into_iter();
    everyone.extend(
        fallen
            .filter_map(|power| errand.leader(power))
            .filter(|to| !everyone.contains(to))
            .collect::<Vec<_>>(),
    );
    errand.broadcast(&everyone, RESULTS, |errand, to| {
        results(errand, to, before, &played)
    });
    keep(errand, before, &played);
}

/// Keeps the results for HISTORY: as observers got them, or where the board is hidden as each power did (be it led by
/// somebody or not), and whole for the end.
fn keep(errand: &mut Errand, before: &Game, played: &Played) {
    let Some(zone) = errand.game().map(Game::zone) else {
        return;
    };
    let write = |errand: &Errand, viewer| {
        let zone = zone.clone();
        write_results(errand, &project::Reader { viewer, zone }, before, played)
    };
    if !errand.hides() {
        if let Some(text) = write(errand, Viewer::Observer) {
            errand.archive(&text, false);
        }
        return;
    }
    for power in before.survivors() {
        if let Some(text) = write(errand, Viewer::Power(power)) {
            errand.archive_for(Readership::Power(power), &text, false);
        }
    }
    if let Some(text) = write(errand, Viewer::Master) {
        errand.archive_for(Readership::Whole, &text, false);
    }
}

fn results(
    errand: &Errand,
    to: super::errand::Recipient,
    before: &Game,
    played: &Played,
) -> Option<Text> {
    write_results(errand, &errand.reader(to)?, before, played)
}

fn write_results(
    errand: &Errand,
    reader: &project::Reader,
    before: &Game,
    played: &Played,
) -> Option<Text> {
    let course = errand.course.as_ref()?;
    // The heading of results bears the phase just processed and its deadline (6.1).
    let mut heading = project::heading(before, course.variant, reader, &errand.judge.settings.name);
    let report = project::results(before, &course.game, course.variant, played, reader)?;
    if planted(Leak::Report) {
        let votes = before.standings.values().filter(|one| one.vote.is_some());
        heading.title.push_str(&votes.count().to_string());
    }
    outbound::results(&errand.judge.templates, &heading, &report).ok()
}

/// Tells everybody how the game ended, and the seed by which all its chance can be checked.
pub(super) fn tell_ending(errand: &mut Errand, ending: &Ending) {
    let everyone = errand.everyone();
    let write = |errand: &Errand, reader: &project::Reader| {
        let course = errand.course.as_ref()?;
        let mut heading = project::heading(
            &course.game,
            course.variant,
            reader,
            &errand.judge.settings.name,
        );
        // The subject carries the phase in which it ended.
        heading.phase = heading.phase.trim_end_matches('X').to_owned();
        let more = [format!(
            "All chance in this game followed from the seed {}.",
            course.game.seed.to_hex()
        )];
        outbound::game_over(
            &errand.judge.templates,
            &heading,
            &in_names(&course.game, ending),
            &more,
        )
        .ok()
    };
    errand.broadcast(&everyone, NOTICES, |errand, to| {
        write(errand, &errand.reader(to)?)
    });
    let observer = errand.game().map(|game| project::Reader {
        viewer: Viewer::Observer,
        zone: game.zone(),
    });
    if let Some(text) = observer.and_then(|reader| write(errand, &reader)) {
        errand.archive(&text, false);
    }
}

fn in_names(game: &Game, ending: &Ending) -> outbound::Ending {
    let named = |power: &Power| -> (Label, String) {
        (project::introduced(game, *power), game.power_letter(*power))
    };
    match ending {
        Ending::Won(winners) => outbound::Ending::Victory(winners.iter().map(named).collect()),
        Ending::Drawn(powers) => outbound::Ending::Draw(powers.iter().map(named).collect()),
        Ending::Conceded(winner) => {
            let (label, letter) = named(winner);
            outbound::Ending::Concession(label, letter)
        }
        Ending::Terminated => outbound::Ending::Terminated,
    }
}

/// After a change that may have made the set of orders complete or incomplete.
pub(super) fn settle(errand: &mut Errand) {
    if let Some(course) = &mut errand.course {
        phases::settle(course);
    }
}
