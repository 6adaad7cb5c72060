//! From a full table to the first deadline: dealing the powers and telling everybody (`judge-workflow.md` 1.1, 1.3).

use crate::game::{Event, Role, deal, phases, project};
use crate::judge::boundary::Readership;
use crate::judge::registry::RegistryEvent;
use crate::judge::work::sending::OrLogged;
use crate::judge::work::{GameWork, MailClass, Recipient};
use crate::mails::outbound;
use crate::map::Power;
use crate::view::{GameStart, Viewer};

/// Begins the game if its table is full: at once, or by telling the master that all are there.
pub(crate) fn begin_if_full(work: &mut GameWork) {
    let edit = &work.open.edit;
    if !project::begins_itself(&edit.game, edit.variant) || edit.game.begun() {
        return;
    }
    if edit.game.settings.manual_start {
        work.emit(Event::Ready);
        let masters: Vec<Recipient> = work
            .everyone()
            .into_iter()
            .filter(|to| work.is_master(*to))
            .collect();
        work.broadcast(&masters, MailClass::Notice, |work, to| {
            let heading = work.heading(to);
            let line = format!(
                "All players of '{}' are there.  Send SET AUTO START to begin the game.",
                heading.game
            );
            outbound::notice(&work.templates(), &heading, "Ready to Start", line).or_logged()
        });
        return;
    }
    begin(work);
}

/// Deals the powers, sets up the board and sends *Game Starting* to all. Powers without a player stay vacant.
pub(crate) fn begin(work: &mut GameWork) {
    let edit = &mut work.open.edit;
    let game = &edit.game;
    let (powers, holders) = match edit.variant.roster(game) {
        Some(roster) => (0u8..)
            .zip(roster)
            .map(|(index, (info, seat))| (info, (Power(index), seat)))
            .unzip(),
        None => {
            let count = game.seated(Role::Player).count();
            let powers = edit.variant.powers(game.map(), count, &game.settings);
            let holders = deal::deal(game, &powers);
            (powers, holders)
        }
    };
    let people = holders
        .iter()
        .filter_map(|(_, seat)| game.seat(*seat))
        .map(|seat| seat.person)
        .collect();
    edit.emit(Event::Dealt { powers, holders });
    phases::begin(edit);
    work.register(RegistryEvent::Joined {
        people,
        at_start: true,
    });
    let everyone = work.everyone();
    work.broadcast(&everyone, MailClass::Opening, |work, to| {
        start_mail(work, &work.reader(to))
    });
    let zone = work.game().zone();
    let write = |work: &GameWork, viewer| {
        let zone = zone.clone();
        start_mail(work, &project::Reader { viewer, zone })
    };
    let everybody_reads = match work.hides() {
        true => Readership::Whole,
        false => Readership::Everyone,
    };
    work.give_labels_to(&[Viewer::Observer]);
    if let Some(text) = write(work, Viewer::Observer) {
        work.archive_for(everybody_reads, &text, false);
    }
    if work.hides() {
        for power in work.game().survivors() {
            work.give_labels_to(&[Viewer::Power(power)]);
            let reader = project::Reader {
                viewer: Viewer::Power(power),
                zone: zone.clone(),
            };
            if let Some(text) = kept_start_mail(work, &reader) {
                work.archive_for(Readership::Power(power), &text, false);
            }
        }
    }
}

fn start_mail(work: &GameWork, reader: &project::Reader) -> Option<outbound::Text> {
    let edit = &work.open.edit;
    let start = project::game_start(&edit.game, edit.variant, reader);
    start_text(work, reader, &start)
}

/// What is kept of a power's opening for who leads it by then: in a gunboat game he may be another, and does not learn who
/// it was.
fn kept_start_mail(work: &GameWork, reader: &project::Reader) -> Option<outbound::Text> {
    let edit = &work.open.edit;
    let watcher = project::Reader {
        viewer: Viewer::Observer,
        ..reader.clone()
    };
    let start = GameStart {
        players: project::game_start(&edit.game, edit.variant, &watcher).players,
        ..project::game_start(&edit.game, edit.variant, reader)
    };
    start_text(work, reader, &start)
}

fn start_text(
    work: &GameWork,
    reader: &project::Reader,
    start: &GameStart,
) -> Option<outbound::Text> {
    let edit = &work.open.edit;
    let heading = project::heading(&edit.game, edit.variant, reader, &work.judge.settings.name);
    outbound::game_start(&work.templates(), &heading, start).or_logged()
}
