//! A game for other programs: its log read as a story, and the story as one reader may know it.

use dipjudge_commands::power_list::read_power;
use dipjudge_drawing::{self as drawing, Svg};
use dipjudge_game::project::Chronicle;
use dipjudge_game::{Game, VariantGame};
use dipjudge_interchange as interchange;
use dipjudge_judge::Judge;
use dipjudge_rules::map::Power;
use dipjudge_store::Store;
use dipjudge_variants as variants;
use dipjudge_view::{Viewer, and_list};

use super::game_texts;
use super::library::game_log;

/// The game in the saved-game format: as its master sees it, or as one of its powers does.
///
/// # Errors
/// If there is no such game or power, or its log cannot be read; as a sentence part.
pub(super) fn export(
    judge: &Judge,
    store: &Store,
    name: &str,
    as_power: Option<&str>,
) -> Result<String, String> {
    let (game, viewer) = game_and_viewer(judge, name, as_power)?;
    let chronicle = chronicle(store, game)?;
    let saved = chronicle
        .seen_by(variants::of(&game.variant), viewer)
        .export();
    Ok(interchange::export(&saved))
}

/// The board of a game, as its master sees it or as one of its powers does: as it stands, or behind a phase with its orders.
///
/// # Errors
/// If there is no such game, phase or power, nothing to be seen, or its log cannot be read; as a sentence part.
pub(super) fn map(
    judge: &Judge,
    store: &Store,
    name: &str,
    phase: Option<&str>,
    as_power: Option<&str>,
) -> Result<Svg, String> {
    let (game, viewer) = game_and_viewer(judge, name, as_power)?;
    let variant = variants::of(&game.variant);
    if !game.begun() {
        return Err(format!(
            "'{}' has not begun, so its board is empty",
            game.name
        ));
    }
    let board = match phase {
        None => VariantGame::new(game, variant)
            .seen_by(viewer)
            .board()
            .ok_or("nothing of the board can be seen by that power")?,
        Some(phase) => {
            let unknown = || {
                format!(
                    "'{}' has had no phase {phase} of which anything can be seen; name one as S1901M",
                    game.name
                )
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
) -> Result<(&'j Game, Viewer), String> {
    let Some(game) = judge.game(name) else {
        return Err(game_texts::no_game(judge, name));
    };
    let viewer = match as_power {
        None => Viewer::Master,
        Some(word) => Viewer::Power(power(game, word)?),
    };
    Ok((game, viewer))
}

/// The game's log, read as a story.
pub(super) fn chronicle(store: &Store, game: &Game) -> Result<Chronicle, String> {
    let records = game_log(store, &game.name).map_err(|error| error.to_string())?;
    Chronicle::of(&records).map_err(|error| error.to_string())
}

/// A power of the game by a word, as a player may name it.
pub(super) fn power(game: &Game, word: &str) -> Result<Power, String> {
    let variant = variants::of(&game.variant);
    read_power(
        word,
        VariantGame::new(game, variant)
            .seen_by(Viewer::Master)
            .roster(),
    )
    .map_err(|_| {
        let labels = VariantGame::new(game, variant)
            .seen_by(Viewer::Master)
            .labels();
        format!(
            "'{}' has no power '{word}'; its powers are {}",
            game.name,
            and_list(labels.known().map(|power| labels.name(power)))
        )
    })
}
