//! The past turns of a game of which only the names are in memory. A game that was read from a snapshot has the states before its
//! turns in its log alone, but for that of the last turn. ROLLBACK and REPLAY need them, so they are recalled first.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Event, Game, Past, Phase, Record};
use dipjudge_rules::calendar::Turn;

/// A turn that was processed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PastTurn {
    /// Its number.
    pub number: u32,
    /// Its year and season.
    pub turn: Turn,
    /// Its phase.
    pub phase: Phase,
}

/// States that are not those before the past turns of a game.
#[derive(Debug, thiserror::Error)]
#[error("the log does not lead to the turns that the game had")]
pub struct OtherPast;

impl From<&Past> for PastTurn {
    fn from(past: &Past) -> PastTurn {
        PastTurn {
            number: past.number,
            turn: past.turn,
            phase: past.phase.clone(),
        }
    }
}

impl Record {
    /// Whether a game needs all its past turns for it.
    pub fn goes_back(&self) -> bool {
        let back = |event: &Event| matches!(event, Event::RolledBack { .. });
        self.events.iter().any(back)
    }
}

impl Game {
    /// The turns that were processed, oldest first.
    pub fn past_turns(&self) -> impl DoubleEndedIterator<Item = PastTurn> {
        let past = self.past.iter().map(|past| PastTurn::from(past.as_ref()));
        self.earlier.iter().cloned().chain(past)
    }

    /// Whether the states before all past turns are in memory.
    pub fn recalls_all(&self) -> bool {
        self.earlier.is_empty()
    }

    /// The same game with no state of a past turn but the last.
    #[must_use]
    pub fn with_last_past_alone(&self) -> Game {
        let mut game = self.clone();
        let last = game.past.len().saturating_sub(1);
        let gone = game.past.drain(..last);
        game.earlier
            .extend(gone.map(|past| PastTurn::from(past.as_ref())));
        game
    }

    /// Takes the states of earlier turns from those to which the game's log leads.
    ///
    /// # Errors
    /// If they are not those of its turns; then nothing is changed.
    pub fn recall(&mut self, all: &[Arc<Past>]) -> Result<(), OtherPast> {
        let earlier = all.get(..self.earlier.len()).ok_or(OtherPast)?;
        let turns = earlier.iter().map(|past| PastTurn::from(past.as_ref()));
        if !turns.eq(self.earlier.iter().cloned()) {
            return Err(OtherPast);
        }
        self.past.splice(..0, earlier.iter().cloned());
        self.earlier.clear();
        Ok(())
    }
}
