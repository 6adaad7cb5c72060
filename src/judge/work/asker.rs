//! Somebody who asks for something to be shown.

use crate::work::Work;
use crate::work::acting::Acting;
use crate::work::game_work::OpenGame;
use dipjudge_game::Game;

/// Who asks, and what he has in hand.
pub(crate) struct Asker<'e, 'j> {
    pub work: &'e Work<'j>,
    /// The game that he has signed on to.
    pub open: Option<&'e OpenGame>,
    /// As whom.
    pub acting: Option<Acting>,
    /// The address by which he is known.
    pub address: String,
}

impl<'e> Asker<'e, '_> {
    /// The game that he has signed on to, as it now is.
    pub(crate) fn own(&self) -> Option<&'e Game> {
        self.open.map(|open| &open.edit.game)
    }
}
