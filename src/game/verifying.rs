//! Checks a log: every phase in it is adjudicated once more from the state before it, with the orders and the seed that the log
//! holds, and must come out as it is stored, with the steps behind it that ask nobody.

use std::collections::VecDeque;

use jiff::Timestamp;

use crate::apply::{self, NoCreation};
use crate::phases;
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
        let mut steps = Steps::none();
        for event in events {
            if steps.is_over() && matches!(event, Event::Played(_)) {
                steps = Steps::of(&game, (self.variant_of)(&game.variant), record.at);
                self.phases += 1;
            }
            steps.take(event)?;
            apply::apply(&mut game, record.at, event);
        }
        steps.end()?;
        self.game = Some(game);
        Ok(())
    }
}

/// What has to follow when a phase is played: its results, and the steps that ask nobody.
pub(crate) struct Steps {
    phase: String,
    at: Timestamp,
    to_come: VecDeque<Event>,
}

impl Steps {
    /// Nothing has to follow.
    pub(crate) fn none() -> Steps {
        Steps {
            phase: String::new(),
            at: Timestamp::MIN,
            to_come: VecDeque::new(),
        }
    }

    /// What has to follow if the phase in hand is played now.
    pub(crate) fn of(game: &Game, variant: &dyn Variant, at: Timestamp) -> Steps {
        Steps {
            phase: game.phase_name(variant).to_string(),
            at,
            to_come: phases::played_again(GameEdit::of(game, variant, at)).into(),
        }
    }

    /// The same without what a reader of the log does not get.
    pub(crate) fn that_are(mut self, told: impl Fn(&Event) -> bool) -> Steps {
        self.to_come.retain(told);
        self
    }

    /// Whether one of them is so.
    pub(crate) fn any(&self, which: impl Fn(&Event) -> bool) -> bool {
        self.to_come.iter().any(which)
    }

    pub(crate) fn is_over(&self) -> bool {
        self.to_come.is_empty()
    }

    /// The next event of the log.
    pub(crate) fn take(&mut self, event: &Event) -> Result<(), LogFault> {
        match self.to_come.pop_front() {
            Some(wanted) if wanted != *event => self.fault(),
            None if matches!(event, Event::Played(_)) => self.fault(),
            _ => Ok(()),
        }
    }

    /// The end of the record.
    pub(crate) fn end(&self) -> Result<(), LogFault> {
        if self.is_over() { Ok(()) } else { self.fault() }
    }

    fn fault(&self) -> Result<(), LogFault> {
        Err(LogFault::OtherResults {
            phase: self.phase.clone(),
            at: self.at,
        })
    }
}
