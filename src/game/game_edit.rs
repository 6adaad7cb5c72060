//! A game in the course of being changed: a working copy and the events that changed it.

use jiff::Timestamp;

use super::{Dice, DrawSheet, Event, Game, Variant, apply};

/// Events are emitted here: each is applied to the copy at once, so that what follows is decided on the game as it
/// then is, and all are kept for the log.
pub struct GameEdit<'v> {
    /// The game as it now is.
    pub game: Game,
    /// What changed it, in order.
    pub events: Vec<Event>,
    /// The game's variant.
    pub variant: &'v dyn Variant,
    /// The moment at which all of it happens.
    pub now: Timestamp,
    /// Forced draws, and a note of those made; none in a game by mail.
    pub draws: Option<&'v DrawSheet>,
}

impl<'v> GameEdit<'v> {
    /// A course that starts from a game as it is.
    pub fn of(game: &Game, variant: &'v dyn Variant, now: Timestamp) -> GameEdit<'v> {
        GameEdit {
            game: game.clone(),
            events: Vec::new(),
            variant,
            now,
            draws: None,
        }
    }

    /// The game's dice.
    pub fn dice(&self) -> Dice<'_> {
        self.game.dice().beside(self.draws)
    }

    /// Something happens.
    pub fn emit(&mut self, event: Event) {
        apply::apply(&mut self.game, self.now, &event);
        self.events.push(event);
    }
}
