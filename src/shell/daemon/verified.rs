//! `verify`: whether logs lead to the games that the judge has, whether every phase comes out again as it is stored, and whether the mails
//! that are kept are those that were sent.

use std::sync::{PoisonError, RwLock};

use dipjudge_game::Game;
use dipjudge_game::verifying::LogCheck;
use dipjudge_judge::Judge;
use dipjudge_store::{Store, StoreError};
use dipjudge_variants as variants;
use jiff::Timestamp;

use super::game_texts;
use super::library::read_game_log;
use super::query_error::QueryError;

/// What is true of some games, or of all if none is named: a line for each.
///
/// # Errors
/// If there is no such game, or if a log or a game is not as it should be.
pub(super) fn verify(
    judge: &RwLock<Judge>,
    store: &Store,
    names: &[String],
) -> Result<String, QueryError> {
    // The judge goes on while a log is read, so it is held for no longer than a copy takes.
    let held = || judge.read().unwrap_or_else(PoisonError::into_inner);
    let names: Vec<String> = match names {
        [] => held().games().map(|game| game.name.clone()).collect(),
        _ => names.to_vec(),
    };
    let stopped = held().stopped().map(ToString::to_string).collect();
    let (mut lines, mut faults): (Vec<String>, Vec<String>) = (Vec::new(), stopped);
    for name in &names {
        let now = stored_game(&held(), name)?;
        match checked(store, &now)? {
            Ok(line) => lines.push(line),
            Err(fault) => faults.push(fault),
        }
    }
    if lines.is_empty() && faults.is_empty() {
        lines.push("There is no game yet.".to_owned());
    }
    if faults.is_empty() {
        return Ok(lines.join("\n"));
    }
    faults.append(&mut lines);
    Err(QueryError::NotVerified(faults.join("\n")))
}

/// A game as the judge has it.
struct StoredGame {
    game: Game,
    /// The number of records that led to it.
    records: usize,
}

fn stored_game(judge: &Judge, name: &str) -> Result<StoredGame, QueryError> {
    let game = judge.game(name);
    let records = judge.records_of(name);
    let (Some(game), Some(records)) = (game, records) else {
        return Err(game_texts::no_game(judge, name));
    };
    Ok(StoredGame {
        game: game.with_last_past_alone(),
        records,
    })
}

/// The line on one game; an error is a line on what is wrong.
fn checked(store: &Store, now: &StoredGame) -> Result<Result<String, String>, StoreError> {
    let name = &now.game.name;
    let mut check = LogCheck::new(variants::of);
    let mut records = 0;
    for record in read_game_log(store, name)?.take(now.records) {
        records += 1;
        if let Err(fault) = check.check(&record?) {
            return Ok(Err(format!("{name}: record {records}: {fault}.")));
        }
    }
    let led_to = check.game().map(Game::with_last_past_alone);
    if led_to.as_ref() != Some(&now.game) {
        return Ok(Err(format!(
            "{name}: the log leads to another game than the judge has."
        )));
    }
    let texts = store.archive(name, Timestamp::MIN, Timestamp::MAX)?;
    if let Some(text) = texts.iter().find(|text| !text.is_as_sent()) {
        return Ok(Err(format!(
            "{name}: what is kept of the mail \"{}\" of {} is not what was sent.",
            text.subject, text.at
        )));
    }
    Ok(Ok(format!(
        "{name}: {records} records lead to the game as it is, {} phases come out again as they are stored, and {} mails are kept \
         as they were sent.",
        check.phases,
        texts.len()
    )))
}
