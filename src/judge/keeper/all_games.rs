//! What the keeper does to all games at once: their clocks, and letters to those who are in them.

use std::collections::BTreeSet;

use super::{Audience, KeeperRefusal, seat};
use crate::acts::master;
use crate::registry::RegistryEvent;
use crate::work::acting::{ActOutcome, Acting};
use crate::work::game_work::OpenGame;
use crate::work::or_logged::OrLogged;
use crate::work::{GameWork, MailClass, Work};
use dipjudge_game::{Game, Role, State};
use dipjudge_mails::outbound;

/// Pauses every running game. Returns what is said, a line for each.
pub(super) fn pause(work: &mut Work) -> Vec<String> {
    let games: Vec<&Game> = work.judge.games().collect();
    let running = games
        .into_iter()
        .filter(|game| game.state == State::Running);
    let names: BTreeSet<String> = running.map(|game| game.name.clone()).collect();
    hold(work, names, master::pause)
}

/// Pauses games that were made again after the loss of the machine.
pub(super) fn pause_restored(work: &mut Work, games: &BTreeSet<String>) -> Vec<String> {
    hold(work, games.clone(), master::pause_restored)
}

fn hold(
    work: &mut Work,
    names: BTreeSet<String>,
    pause: fn(&mut GameWork, Acting) -> ActOutcome,
) -> Vec<String> {
    let said = as_master_of_each(work, &names, pause);
    if !names.is_empty() {
        work.register(RegistryEvent::Held { games: names });
    }
    or_nothing(said, "No game is running.")
}

/// Lets the games go on that were paused so, and are paused still.
pub(super) fn resume(work: &mut Work) -> Vec<String> {
    let judge = work.judge;
    let held = work.registry.held().iter();
    let paused = |name: &&String| {
        let game = judge.game(name);
        game.is_some_and(|game| game.state == State::Paused)
    };
    let names: BTreeSet<String> = held.filter(paused).cloned().collect();
    let said = as_master_of_each(work, &names, master::resume);
    if !work.registry.held().is_empty() {
        work.register(RegistryEvent::Released);
    }
    or_nothing(said, "No game is paused by the keeper.")
}

fn or_nothing(said: Vec<String>, nothing: &str) -> Vec<String> {
    if said.is_empty() {
        vec![nothing.to_owned()]
    } else {
        said
    }
}

fn as_master_of_each(
    work: &mut Work,
    names: &BTreeSet<String>,
    act: impl Fn(&mut GameWork, Acting) -> ActOutcome,
) -> Vec<String> {
    let mut said = Vec::new();
    for name in names {
        let Some(game) = work.judge.game(name) else {
            continue;
        };
        let mut open = OpenGame::of(game, work.now);
        let mut of_game = GameWork::new(work, &mut open);
        let acting = seat::take(&mut of_game);
        let outcome = act(&mut of_game, acting);
        of_game.send_notices();
        seat::leave(&mut of_game, acting);
        work.close(open);
        said.push(match outcome {
            Ok(document) => document.text().trim().to_owned(),
            Err(refusal) => refusal.into_sentences().join("  "),
        });
    }
    said
}

/// Writes a letter to each of an audience; nobody reads who else got it.
pub(super) fn write(
    work: &mut Work,
    to: Audience,
    subject: &str,
    text: &str,
) -> Result<Vec<String>, KeeperRefusal> {
    if text.trim().is_empty() {
        return Err(KeeperRefusal("the letter has no text".to_owned()));
    }
    let readers = readers(work, to);
    let judge = work.judge;
    let subject = format!("{}: {}", judge.settings.name, subject.trim());
    for reader in &readers {
        let paragraphs: Vec<String> = text.trim().lines().map(str::to_owned).collect();
        let letter = outbound::stranger_notice(
            &judge.templates,
            &judge.settings.name,
            &subject,
            outbound::Document::verbatim(paragraphs.join("\n")),
        );
        if let Some(letter) = letter.or_logged() {
            work.send_without_game(reader, letter, MailClass::Notice);
        }
    }
    Ok(vec![format!(
        "The letter goes to {} address(es).",
        readers.len()
    )])
}

fn readers(work: &Work, to: Audience) -> BTreeSet<String> {
    let role = match to {
        Audience::Players => Role::Player,
        Audience::Masters => Role::Master,
        Audience::Everybody => {
            let people = work.registry.people();
            let first = people.filter_map(|person| person.addresses.first().cloned());
            return first
                .filter(|address| !work.registry.is_blocked(address))
                .collect();
        }
    };
    let games = work.judge.games().filter(|game| !game.over());
    let seats = games.flat_map(|game| game.seated(role));
    let addresses = seats.map(|seat| seat.address.clone());
    addresses
        .filter(|address| !work.registry.is_blocked(address))
        .collect()
}
