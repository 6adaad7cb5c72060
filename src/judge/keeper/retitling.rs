//! `rename GAME NEW`.

use super::game_lines::game_named;
use super::{KeeperRefusal, seat};
use crate::people::creating::check_name;
use crate::registry::RegistryEvent;
use crate::work::game_work::OpenGame;
use crate::work::{GameWork, Work};
use dipjudge_game::Event;

/// Gives a game another name, of which everybody in it is told. The record goes to the log of before, which the caller renames in
/// the same write.
pub(super) fn retitle(work: &mut Work, name: &str, to: &str) -> Result<Vec<String>, KeeperRefusal> {
    let before = game_named(work, name)?;
    let to = to.trim().to_lowercase();
    let keeper = work.judge.settings.keeper.clone();
    check_name(work, &keeper, &to)?;
    if work.judge.stopped_game(&to).is_some() {
        return Err(KeeperRefusal(format!(
            "a game that stands still is called '{to}'"
        )));
    }
    let Some(game) = work.judge.game(&before) else {
        return Err(KeeperRefusal(format!("there is no game '{before}'")));
    };
    let mut open = OpenGame::of(game, work.now);
    let mut of_game = GameWork::new(work, &mut open);
    let acting = seat::take(&mut of_game);
    let told = format!(
        "Game '{before}' is called '{to}' from now on. Write {to} in SIGNON; answers to mails of before do not reach it any more, answers to \
         this one do."
    );
    of_game.emit(Event::Retitled { name: to.clone() });
    of_game.tell_others(Some(acting.seat), "Renamed", |_, _| {
        Some(vec![told.clone()])
    });
    of_game.send_notices();
    seat::leave(&mut of_game, acting);
    work.close_as(open, &before);
    // The archive is renamed with the log.
    for text in &mut work.ruling.archive {
        text.game.clone_from(&before);
    }
    work.register(RegistryEvent::Retitled {
        from: before.clone(),
        to: to.clone(),
    });
    Ok(vec![format!(
        "Game '{before}' is called '{to}' from now on."
    )])
}
