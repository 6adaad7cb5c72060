//! Exports a game for other programs, as far as one reader may know it.

use dipjudge_commands::power_list::read_power;
use dipjudge_drawing::{self as drawing, Svg};
use dipjudge_game::project::Chronicle;
use dipjudge_game::proof::Proof;
use dipjudge_game::{AFTER_THE_END, Game, VariantGame};
use dipjudge_interchange as interchange;
use dipjudge_judge::Judge;
use dipjudge_rules::map::Power;
use dipjudge_store::Store;
use dipjudge_variants as variants;
use dipjudge_view::{Viewer, and_list};

use super::game_texts;
use super::library::game_log;
use super::query_error::QueryError;
use crate::clock::Clock;

/// The game in the saved-game format: as its master sees it, or as one of its powers does.
///
/// # Errors
/// If there is no such game or power, or its log cannot be read.
pub(super) fn export(
    judge: &Judge,
    store: &Store,
    name: &str,
    as_power: Option<&str>,
) -> Result<String, QueryError> {
    let (game, viewer) = game_and_viewer(judge, name, as_power)?;
    let chronicle = chronicle(store, game)?;
    let saved = chronicle
        .seen_by(variants::of(&game.variant), viewer)
        .export();
    Ok(interchange::export(&saved))
}

/// The proof of a game which nobody can resume, as JSON.
///
/// # Errors
/// If there is no such game, if it may go on, or if its log cannot be read.
pub(super) fn proof(judge: &Judge, store: &Store, name: &str) -> Result<String, QueryError> {
    let Some(game) = judge.game(name) else {
        return Err(game_texts::no_game(judge, name));
    };
    let log = game_log(store, &game.name)?;
    let judge_name = &judge.settings().name;
    let proof = Proof::of(judge_name, &log, variants::of).map_err(|why| QueryError::NoProof {
        game: game.name.clone(),
        why,
    })?;
    let finality =
        VariantGame::new(game, variants::of(&game.variant)).finality(Clock::System.now());
    if finality.is_none() {
        let until = game.timing.ended;
        let until = until.and_then(|ended| ended.checked_add(AFTER_THE_END).ok());
        return Err(QueryError::MayGoOn {
            game: game.name.clone(),
            until: until.map_or_else(String::new, |until| until.strftime("%Y-%m-%d").to_string()),
        });
    }
    Ok(serde_json::to_string_pretty(&proof)?)
}

/// The board of a game as its master or one of its powers sees it: the current one, or that of a phase with its orders.
///
/// # Errors
/// If there is no such game, phase or power, nothing to be seen, or its log cannot be read.
pub(super) fn map(
    judge: &Judge,
    store: &Store,
    name: &str,
    phase: Option<&str>,
    as_power: Option<&str>,
) -> Result<Svg, QueryError> {
    let (game, viewer) = game_and_viewer(judge, name, as_power)?;
    let variant = variants::of(&game.variant);
    if !game.begun() {
        return Err(QueryError::NotBegun {
            game: game.name.clone(),
        });
    }
    let board = match phase {
        None => VariantGame::new(game, variant)
            .seen_by(viewer)
            .board()
            .ok_or(QueryError::NothingSeen)?,
        Some(phase) => {
            let unknown = || QueryError::NoPhase {
                game: game.name.clone(),
                phase: phase.to_owned(),
            };
            let phase = phase.parse().map_err(|_| unknown())?;
            chronicle(store, game)?
                .seen_by(variant, viewer)
                .board_of_phase(phase)
                .ok_or_else(unknown)?
        }
    };
    Ok(drawing::svg(&board))
}

fn game_and_viewer<'j>(
    judge: &'j Judge,
    name: &str,
    as_power: Option<&str>,
) -> Result<(&'j Game, Viewer), QueryError> {
    let Some(game) = judge.game(name) else {
        return Err(game_texts::no_game(judge, name));
    };
    let viewer = match as_power {
        None => Viewer::Master,
        Some(word) => Viewer::Power(power(game, word)?),
    };
    Ok((game, viewer))
}

/// The phases of a game, read from its log.
pub(super) fn chronicle(store: &Store, game: &Game) -> Result<Chronicle, QueryError> {
    Ok(Chronicle::of(&game_log(store, &game.name)?)?)
}

/// The power that a word names, as players name powers.
pub(super) fn power(game: &Game, word: &str) -> Result<Power, QueryError> {
    let variant = variants::of(&game.variant);
    let view = VariantGame::new(game, variant).seen_by(Viewer::Master);
    read_power(word, view.roster()).map_err(|_| {
        let labels = view.labels();
        QueryError::NoPower {
            game: game.name.clone(),
            word: word.to_owned(),
            powers: and_list(labels.known().map(|power| labels.name(power))),
        }
    })
}
