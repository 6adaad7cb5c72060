//! A game in the course of being changed: a working copy and the events that changed it.

use jiff::Timestamp;

use super::{Access, Dice, DrawSheet, Event, Game, Seed, Variant, VariantGame, apply};
use dipjudge_view::Viewer;

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
    /// The moment at which it was to happen: when what the clock demanded fell due, else now.
    pub fell_due: Timestamp,
    /// Forced draws, and a note of those made; none in a game by mail.
    pub draws: Option<&'v DrawSheet>,
    /// To whom what follows is only foretold.
    foretold_to: Option<Viewer>,
}

impl<'v> GameEdit<'v> {
    /// A course that starts from a game as it is.
    pub fn of(game: &Game, variant: &'v dyn Variant, now: Timestamp) -> GameEdit<'v> {
        GameEdit {
            game: game.clone(),
            events: Vec::new(),
            variant,
            now,
            fell_due: now,
            draws: None,
            foretold_to: None,
        }
    }

    /// A course that only foretells to a reader what would follow: what is sealed from him is not in it, nor chance to come.
    pub fn foretelling(
        game: &Game,
        variant: &'v dyn Variant,
        now: Timestamp,
        to: Viewer,
    ) -> GameEdit<'v> {
        let mut edit = GameEdit {
            foretold_to: Some(to),
            ..GameEdit::of(game, variant, now)
        };
        let access = edit.access();
        edit.game.seed = Seed::new([0; 32]);
        edit.game.keep_open_submissions(&access);
        edit
    }

    /// The game as it now is, with its variant.
    pub fn variant_game(&self) -> VariantGame<'_> {
        VariantGame::new(&self.game, self.variant)
    }

    /// The game's dice.
    pub fn dice(&self) -> Dice<'_> {
        self.game.dice().beside(self.draws)
    }

    /// What the rules read submissions by.
    pub(super) fn access(&self) -> Access<'v> {
        match self.foretold_to {
            Some(reader) => Access::foretelling(&self.game, self.variant, reader),
            None => Access::whole(self.variant),
        }
    }

    /// Something happens.
    pub fn emit(&mut self, event: Event) {
        apply::apply(&mut self.game, self.now, &event);
        self.events.push(event);
    }
}
