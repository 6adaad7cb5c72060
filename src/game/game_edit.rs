//! A game while it is being changed: a working copy and the events that changed it.

use jiff::Timestamp;

use super::{Access, Dice, DrawSheet, Event, Game, Seed, Variant, VariantGame, apply};
use dipjudge_view::Viewer;

/// Events are emitted here. Each is applied to the copy at once, so that later decisions see the changed game, and all are kept
/// for the log.
pub struct GameEdit<'v> {
    /// The game with all events applied.
    pub game: Game,
    /// The events that changed it, in order.
    pub events: Vec<Event>,
    /// The game's variant.
    pub variant: &'v dyn Variant,
    /// The moment at which all of it happens.
    pub now: Timestamp,
    /// The moment at which it was due: for what the clock triggers the time it fell due, otherwise `now`.
    pub fell_due: Timestamp,
    /// Forced draws, and a record of those made; `None` in a game by mail.
    pub draws: Option<&'v DrawSheet>,
    /// The reader for whom this is a prediction only.
    foretold_to: Option<Viewer>,
}

impl<'v> GameEdit<'v> {
    /// Starts from a game as it is.
    pub fn of(game: &Game, variant: &'v dyn Variant, now: Timestamp) -> GameEdit<'v> {
        GameEdit::of_own(game.clone(), variant, now)
    }

    /// Starts from a game that nobody else needs.
    pub fn of_own(game: Game, variant: &'v dyn Variant, now: Timestamp) -> GameEdit<'v> {
        GameEdit {
            game,
            events: Vec::new(),
            variant,
            now,
            fell_due: now,
            draws: None,
            foretold_to: None,
        }
    }

    /// Starts a prediction for a reader. It contains neither what is sealed from him nor future chance.
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

    /// The access with which the rules read submissions.
    pub(super) fn access(&self) -> Access<'v> {
        match self.foretold_to {
            Some(reader) => Access::foretelling(&self.game, self.variant, reader),
            None => Access::whole(self.variant),
        }
    }

    /// Applies an event and keeps it for the log.
    pub fn emit(&mut self, event: Event) {
        apply::apply(&mut self.game, self.now, &event);
        self.events.push(event);
    }
}
