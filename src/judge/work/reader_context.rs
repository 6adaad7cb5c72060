//! The context of a question: who asks, and about what.

use crate::work::Work;
use crate::work::acting::Acting;
use crate::work::game_work::OpenGame;
use dipjudge_game::Game;

/// The role in which a question is asked, and the game in hand.
pub(crate) struct ReaderContext<'e, 'j> {
    pub work: &'e Work<'j>,
    /// The game that the sender has signed on to.
    pub open: Option<&'e OpenGame>,
    pub acting: Option<Acting>,
    /// The address that identifies the sender.
    pub address: String,
}

impl<'e> ReaderContext<'e, '_> {
    /// The game that the sender has signed on to, in its present state.
    pub(crate) fn own(&self) -> Option<&'e Game> {
        self.open.map(|open| &open.edit.game)
    }
}
