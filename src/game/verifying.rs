//! Checks a log: every phase in it is adjudicated once more from the state before it, with the orders and the seed that the log
//! holds, and must come out as it is stored.

use jiff::Timestamp;

use crate::apply::{self, NoCreation};
use crate::phases::PhaseResults;
use crate::{Event, Game, GameEdit, Record, Variant};

/// What is wrong in a log.
#[derive(Debug, thiserror::Error)]
pub enum LogFault {
    /// It does not begin with the creation of the game.
    #[error(transparent)]
    NoCreation(#[from] NoCreation),
    /// A phase comes out otherwise.
    #[error("{phase}, played at {at}, comes out otherwise than it is stored")]
    OtherResults {
        /// The phase: `S1901M`.
        phase: String,
        /// When it was played.
        at: Timestamp,
    },
}

/// A log that is checked, record by record.
#[derive(Debug)]
pub struct LogCheck {
    variant_of: fn(&str) -> &'static dyn Variant,
    game: Option<Game>,
    /// The number of phases that came out as stored.
    pub phases: usize,
}

impl LogCheck {
    /// A check that has read nothing yet. `variant_of` finds a variant by its name.
    pub fn new(variant_of: fn(&str) -> &'static dyn Variant) -> LogCheck {
        LogCheck {
            variant_of,
            game: None,
            phases: 0,
        }
    }

    /// The state to which the records so far lead.
    pub fn game(&self) -> Option<&Game> {
        self.game.as_ref()
    }

    /// Checks the next record.
    ///
    /// # Errors
    /// What is wrong in it.
    pub fn check(&mut self, record: &Record) -> Result<(), LogFault> {
        let mut events = record.events.iter();
        let mut game = match self.game.take() {
            Some(game) => game,
            None => apply::create(events.next().ok_or(NoCreation)?, record.at)?,
        };
        for event in events {
            if let Event::Played(_) = event {
                let variant = (self.variant_of)(&game.variant);
                let again = PhaseResults::again(&GameEdit::of(&game, variant, record.at));
                if again.as_ref() != Some(event) {
                    let phase = game.phase_name(variant).to_string();
                    let at = record.at;
                    return Err(LogFault::OtherResults { phase, at });
                }
                self.phases += 1;
            }
            apply::apply(&mut game, record.at, event);
        }
        self.game = Some(game);
        Ok(())
    }
}
