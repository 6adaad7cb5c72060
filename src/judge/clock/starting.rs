//! From a full table to the first deadline: dealing the powers and telling everybody (`judge-workflow.md` 1.1, 1.3).

use crate::game::{Event, Role, deal, phases, project};
use crate::judge::registry::RegistryEvent;
use crate::judge::work::sending::OrLogged;
use crate::judge::work::{GameWork, MailClass, Recipient};
use crate::mails::outbound;
use crate::map::Power;

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
    let watcher = work.observer();
    work.give_labels_to(&[watcher.viewer]);
    if let Some(text) = start_mail(work, &watcher) {
        work.archive(work.readers_of_all(), &text, false);
    }
}

fn start_mail(work: &GameWork, reader: &project::Reader) -> Option<outbound::Text> {
    let edit = &work.open.edit;
    let start = project::game_start(&edit.game, edit.variant, reader);
    let heading = project::heading(&edit.game, edit.variant, reader, &work.judge.settings.name);
    outbound::game_start(&work.templates(), &heading, &start).or_logged()
}
