//! Who asks for something to be shown, and what of the judge he asks about.

use crate::work::Work;
use crate::work::acting::Acting;
use crate::work::game_work::OpenGame;
use dipjudge_game::Game;

/// As whom, and with which game in hand, a question is answered.
pub(crate) struct ReaderContext<'e, 'j> {
    pub work: &'e Work<'j>,
    /// The game that he has signed on to.
    pub open: Option<&'e OpenGame>,
    pub acting: Option<Acting>,
    /// The address by which he is known.
    pub address: String,
}

impl<'e> ReaderContext<'e, '_> {
    /// The game that he has signed on to, as it now is.
    pub(crate) fn own(&self) -> Option<&'e Game> {
        self.open.map(|open| &open.edit.game)
    }
}
