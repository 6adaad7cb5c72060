//! What a lost store did is done again, as of then (`catch_up.rs`).

use jiff::Timestamp;

use super::{Processor, ProcessorError, StepOutcome};
use crate::clock::Clock;
use crate::daemon::arrival::ArrivedMessage;
use crate::daemon::keeper_acts::{ActMode, KeeperOutcome};
use crate::daemon::source::Source;
use crate::inbox::FetchedMessage;
use dipjudge_judge::{Judge, KeeperAct, Outage};

/// The circumstances in which something was done.
#[derive(Clone, Debug, Default)]
pub struct Circumstances {
    /// The number of rulings before, if it is known.
    pub number: Option<u64>,
    /// The seeds that it drew.
    pub seeds: Vec<[u8; 32]>,
    /// The outages of the inbox that were known.
    pub outages: Vec<Outage>,
}

impl Processor<Judge> {
    /// What follows is done as of this time, or as of the newest event.
    ///
    /// # Errors
    /// If what was done before cannot be stored.
    pub fn as_of(
        &mut self,
        now: Timestamp,
        circumstances: Circumstances,
    ) -> Result<(), ProcessorError> {
        // What is stored together bears one time.
        if self.clock != Clock::At(now) {
            self.finish()?;
        }
        let Circumstances {
            number,
            seeds,
            outages,
        } = circumstances;
        self.clock = Clock::At(now);
        self.ids.use_seeds(seeds);
        self.memory.rulings = number.unwrap_or(self.memory.rulings);
        if !outages.is_empty() {
            self.memory.outages.set_past(outages);
        }
        Ok(())
    }

    /// Handles a message that arrived at this time, from one of these sources.
    ///
    /// # Errors
    /// If something fails that only a restart can cure.
    pub fn handle_again(
        &mut self,
        mail: FetchedMessage,
        at: Timestamp,
        sources: &mut [Source],
        source: usize,
    ) -> Result<(), ProcessorError> {
        self.handle(ArrivedMessage { source, mail, at }, sources)?;
        self.store_if_full()
    }

    /// Does one thing that was due at `by`; whether there was any.
    ///
    /// # Errors
    /// If something fails that only a restart can cure.
    pub fn do_one_due(&mut self, by: Timestamp) -> Result<bool, ProcessorError> {
        let mut done = StepOutcome::default();
        self.do_due_work(by, &|| false, &mut done)?;
        self.store_if_full()?;
        Ok(done.ruled > 0)
    }

    /// Does what the keeper asked for.
    ///
    /// # Errors
    /// If something fails that only a restart can cure.
    pub fn act_again(&mut self, act: &KeeperAct) -> Result<KeeperOutcome, ProcessorError> {
        self.do_for_keeper(act, ActMode::Real)
    }

    /// Stores what waits to be stored.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn finish(&mut self) -> Result<(), ProcessorError> {
        self.pending.handled.clear();
        self.store_pending()
    }

    fn store_if_full(&mut self) -> Result<(), ProcessorError> {
        if self.pending.is_full() {
            self.finish()?;
        }
        Ok(())
    }
}
