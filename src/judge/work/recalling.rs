//! Past turns that are not in memory are read from the game's log before something goes back to one of them.

use crate::boundary::Recalled;
use crate::work::GameWork;
use crate::work::acting::Refusal;
use dipjudge_game::{Game, OtherPast, apply};

impl GameWork<'_, '_> {
    /// Reads the states before all past turns of the game in hand, unless they are in memory.
    pub(crate) fn recall_past(&mut self) -> Result<(), Refusal> {
        if self.game().recalls_all() {
            return Ok(());
        }
        let game = self.game().name.clone();
        let mut whole: Option<Game> = None;
        for record in self.library.log(&game) {
            whole = apply::replay(whole, &record).ok();
        }
        let past = whole.map(|whole| whole.past).unwrap_or_default();
        let recalled = self.open.edit.game.recall(&past);
        recalled.map_err(|error: OtherPast| {
            tracing::error!(%error, game, "past turns are not recalled");
            Refusal::from("The record of this game could not be read.")
        })?;
        self.ruling.recalled.push(Recalled { game, past });
        Ok(())
    }
}
