//! From a full table to the first deadline: dealing the powers and telling everybody (`judge-workflow.md` 1.1, 1.3).

use super::errand::{Errand, NOTICES, Recipient};
use super::registry::RegistryEvent;
use super::seam::Readership;
use crate::game::{Event, Game, Role, deal, phases, project};
use crate::mails::outbound;
use crate::map::Power;
use crate::view::{GameStart, Viewer};

/// Begins the game if its table is full: at once, or by telling the master that all are there.
pub(super) fn begin_if_full(errand: &mut Errand) {
    let Some(course) = &errand.course else { return };
    if !project::begins_itself(&course.game, course.variant) || course.game.begun() {
        return;
    }
    if course.game.settings.manual_start {
        errand.emit(Event::Ready);
        let masters: Vec<Recipient> = errand
            .everyone()
            .into_iter()
            .filter(|to| errand.is_master(*to))
            .collect();
        errand.broadcast(&masters, NOTICES, |errand, to| {
            let heading = errand.heading(to)?;
            let line = format!(
                "All players of '{}' are there.  Send SET AUTO START to begin the game.",
                heading.game
            );
            outbound::notice(&errand.judge.templates, &heading, "Ready to Start", &[line]).ok()
        });
        return;
    }
    begin(errand);
}

/// Deals the powers, sets up the board and sends *Game Starting* to all. Powers without a player stay vacant.
pub(super) fn begin(errand: &mut Errand) {
    let Some(course) = &mut errand.course else {
        return;
    };
    let game = &course.game;
    let (powers, holders) = match course.variant.roster(game) {
        Some(roster) => (0u8..)
            .zip(roster)
            .map(|(index, (info, seat))| (info, (Power(index), seat)))
            .unzip(),
        None => {
            let count = game.seated(Role::Player).count();
            let powers = course.variant.powers(game.map(), count, &game.settings);
            let holders = deal::deal(game, &powers);
            (powers, holders)
        }
    };
    let people = holders
        .iter()
        .filter_map(|(_, seat)| game.seat(*seat))
        .map(|seat| seat.person)
        .collect();
    course.emit(Event::Dealt { powers, holders });
    phases::begin(course);
    errand.register(RegistryEvent::Joined {
        people,
        at_start: true,
    });
    let everyone = errand.everyone();
    errand.broadcast(&everyone, NOTICES, |errand, to| {
        start_mail(errand, &errand.reader(to)?)
    });
    let Some(zone) = errand.game().map(Game::zone) else {
        return;
    };
    let write = |errand: &Errand, viewer| {
        let zone = zone.clone();
        start_mail(errand, &project::Reader { viewer, zone })
    };
    let everybody_reads = match errand.hides() {
        true => Readership::Whole,
        false => Readership::Everyone,
    };
    if let Some(text) = write(errand, Viewer::Observer) {
        errand.archive_for(everybody_reads, &text, false);
    }
    if errand.hides() {
        for power in errand.game().map(Game::survivors).unwrap_or_default() {
            let reader = project::Reader {
                viewer: Viewer::Power(power),
                zone: zone.clone(),
            };
            if let Some(text) = kept_start_mail(errand, &reader) {
                errand.archive_for(Readership::Power(power), &text, false);
            }
        }
    }
}

fn start_mail(errand: &Errand, reader: &project::Reader) -> Option<outbound::Text> {
    let course = errand.course.as_ref()?;
    let start = project::game_start(&course.game, course.variant, reader);
    start_text(errand, reader, &start)
}

/// What is kept of a power's opening for who leads it by then: in a gunboat game he may be another, and does not learn who
/// it was.
fn kept_start_mail(errand: &Errand, reader: &project::Reader) -> Option<outbound::Text> {
    let course = errand.course.as_ref()?;
    let watcher = project::Reader {
        viewer: Viewer::Observer,
        ..reader.clone()
    };
    let start = GameStart {
        players: project::game_start(&course.game, course.variant, &watcher).players,
        ..project::game_start(&course.game, course.variant, reader)
    };
    start_text(errand, reader, &start)
}

fn start_text(
    errand: &Errand,
    reader: &project::Reader,
    start: &GameStart,
) -> Option<outbound::Text> {
    let course = errand.course.as_ref()?;
    let heading = project::heading(
        &course.game,
        course.variant,
        reader,
        &errand.judge.settings.name,
    );
    outbound::game_start(&errand.judge.templates, &heading, start).ok()
}
