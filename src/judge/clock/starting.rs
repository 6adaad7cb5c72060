//! The start of a game: from the last player's sign-on to the first deadline. Powers are assigned and everybody is told
//! (`judge-workflow.md` 1.1, 1.3).

use crate::registry::RegistryEvent;
use crate::work::keeping::HistoryKind;
use crate::work::or_logged::OrLogged;
use crate::work::{GameWork, MailClass, Recipient};
use dipjudge_game::{Event, Role, State, VariantGame, phases, project};
use dipjudge_mails::outbound;
use dipjudge_rules::map::Power;

/// If the game is full, begins it, or tells the master that all players are there if he begins it.
pub(crate) fn begin_if_full(work: &mut GameWork) {
    let edit = &work.open.edit;
    if !edit.variant_game().begins_itself() || edit.game.begun() {
        return;
    }
    // A player who joins a game that is ready takes a seat that it could begin without, and its master has been told
    // already.
    if edit.game.state == State::Ready && edit.game.settings.manual_start {
        return;
    }
    begin_or_say_ready(work);
}

/// Begins the game, or tells the master that all players are there if he begins it.
pub(crate) fn begin_or_say_ready(work: &mut GameWork) {
    let edit = &work.open.edit;
    if edit.game.settings.manual_start {
        work.emit(Event::Ready);
        let masters: Vec<Recipient> = work
            .everyone()
            .into_iter()
            .filter(|to| work.is_master(*to))
            .collect();
        work.broadcast(&masters, MailClass::Notice, |work, to| {
            let game = &work.game().name;
            let line = format!("'{}' is full. Send SET AUTO START to start it.", game);
            work.notice(to, "Ready to Start", line)
        });
        return;
    }
    begin(work);
}

/// Assigns the powers, sets up the board and sends *Game Starting* to all. Powers without a player stay vacant.
pub(crate) fn begin(work: &mut GameWork) {
    let edit = &mut work.open.edit;
    let game = &edit.game;
    let (powers, holders, stand_by) = match edit.variant.roster(game) {
        Some(roster) => {
            let powers = (0u8..).map(Power).zip(roster.powers);
            let (powers, holders): (_, Vec<_>) = powers
                .map(|(power, (info, seat))| (info, (power, seat)))
                .unzip();
            (powers, holders, roster.stand_by)
        }
        None => {
            let count = game.seated(Role::Player).count();
            let powers = edit.variant.powers(game.map(), count, &game.settings);
            let holders = VariantGame::new(game, edit.variant).deal(&powers);
            (powers, holders, Vec::new())
        }
    };
    let people = holders
        .iter()
        .filter_map(|(_, seat)| game.seat(*seat))
        .map(|seat| seat.person)
        .collect();
    edit.emit(Event::Dealt { powers, holders });
    for seat in stand_by {
        edit.emit(Event::StandsBy { seat });
    }
    phases::begin(edit);
    work.register(RegistryEvent::Joined {
        people,
        at_start: true,
    });
    let mut everyone = work.everyone();
    everyone.extend(work.those_who_stand_by());
    work.broadcast(&everyone, MailClass::Opening, |work, to| {
        if work.game().stand_by.contains(&to.seat) {
            stand_by_mail(work, to)
        } else {
            Some(work.with_board(to, start_mail(work, &work.reader(to))?))
        }
    });
    let watcher = work.observer();
    work.give_labels_to(&[watcher.viewer]);
    if let Some(text) = start_mail(work, &watcher) {
        let by_name = start_mail(work, &watcher.by_name());
        work.archive(work.readers_of_all(), &text, by_name, HistoryKind::Mailing);
    }
}

/// The mail to those who signed on but do not play. It does not show how many they are.
fn stand_by_mail(work: &GameWork, to: Recipient) -> Option<outbound::Text> {
    let name = &work.game().name;
    let lines = vec![
        format!("Game '{name}' has started without a place for you; you are on its stand-by list."),
        "When a player leaves, the first on the list takes over; I will write if that is you. Until then you hear \
         nothing of the game before its end. RESIGN takes you off the list."
            .to_owned(),
    ];
    work.notice(to, "Game Starting", lines)
}

fn start_mail(work: &GameWork, reader: &project::Reader) -> Option<outbound::Text> {
    let edit = &work.open.edit;
    let name_of = |seat| work.name_of(seat);
    let start = edit.variant_game().read_by(reader).game_start(&name_of);
    let heading = edit
        .variant_game()
        .read_by(reader)
        .heading(&work.judge.settings.name);
    outbound::game_start(&work.templates(), &heading, &start).or_logged()
}
