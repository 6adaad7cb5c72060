//! The processor: takes what has arrived in order, has the judge rule on it, stores what follows, and does what is due.
//!
//! `run`, `tick` and `deliver` all work through [`Processor::step`]. A ruling is stored whole, in one commit with those just
//! before it, and nothing of it is done before: no mail goes out, no message is put away. So a program that dies at any
//! point has handled each message exactly once when it comes back.

mod due;
mod keeping;
mod message;
mod message_order;
#[cfg(test)]
mod tests;

use std::sync::{Arc, PoisonError, RwLock};

use jiff::{SignedDuration, Timestamp};
use message_order::DeferredMessages;

use super::arrival::{SourceLook, in_order};
use super::backups::BackupOutcome;
use super::mail_handler::MailHandler;
use super::memory::Memory;
use super::notice::Notices;
use super::pending::Pending;
use super::source::{INBOX, Source};
use crate::clock::Clock;
use crate::random::SystemIds;
use dipjudge_judge::JudgeError;
use dipjudge_store::{Batch, Store, StoreError};

/// So often the time of the last look is written down if nothing else is.
const LOOK_NOTED: SignedDuration = SignedDuration::from_mins(10);

/// Why the processor cannot go on. Nothing of what it had in hand has happened; the program must begin anew from the store.
#[derive(Debug, thiserror::Error)]
pub enum ProcessorError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The judge cannot read what it wrote itself.
    #[error(transparent)]
    Judge(#[from] JudgeError),
    /// There are no random bytes to be had.
    #[error("the system has no random bytes: {0}")]
    Random(getrandom::Error),
    /// A note of our own cannot be written.
    #[error("cannot write a note: {0}")]
    Note(#[from] serde_json::Error),
    /// The judge died while it took something over.
    #[error("an earlier fault left the judge in doubt; start again")]
    Doubt,
}

/// What a step came to.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Stepped {
    /// How many messages were handled in it.
    pub handled: usize,
    /// Rulings on what was due.
    pub ruled: usize,
    /// Why a source could not be looked at; then nothing that was due has been done.
    pub unreached: Option<String>,
    /// Something that is due could not be done because of a fault in the program.
    pub fault: bool,
}

/// What a look at every source found.
struct LookAtAll {
    looks: Vec<SourceLook>,
    /// Why one of them could not be reached.
    unreached: Option<String>,
}

/// The processor.
pub struct Processor<B> {
    handler: Arc<RwLock<B>>,
    store: Arc<Store>,
    clock: Clock,
    ids: SystemIds,
    memory: Memory,
    /// What of it is in the store.
    saved: Memory,
    /// What the judge has taken over and the store has not.
    pending: Pending,
    /// Something could not be stored: the judge is ahead of the store, and must not be asked any more.
    failed: bool,
    noted: Timestamp,
    notices: Notices,
    /// Until when nothing is done that is due.
    faulty: Option<Timestamp>,
    /// Whether what is due is left to a process that looks at the whole inbox.
    leaves_due: bool,
}

impl<B: MailHandler> Processor<B> {
    /// A processor between this judge and this store.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn new(
        handler: Arc<RwLock<B>>,
        store: Arc<Store>,
        clock: Clock,
        notices: Notices,
    ) -> Result<Processor<B>, StoreError> {
        let memory = Memory::read(&store)?;
        let noted = memory
            .looks
            .values()
            .copied()
            .max()
            .unwrap_or(Timestamp::MIN);
        Ok(Processor {
            handler,
            store,
            clock,
            ids: SystemIds::new(),
            saved: memory.clone(),
            memory,
            pending: Pending::default(),
            failed: false,
            noted,
            notices,
            faulty: None,
            leaves_due: false,
        })
    }

    /// From now on nothing is done that is due, for a processor that does not look at the inbox: a phase is adjudicated only
    /// after a look at the inbox.
    pub fn leave_what_is_due(&mut self) {
        self.leaves_due = true;
    }

    /// The time: never before anything that has happened.
    pub fn now(&self) -> Timestamp {
        let now = self.clock.now();
        self.memory.newest.map_or(now, |newest| newest.max(now))
    }

    /// What the shell remembers.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// When something is due next.
    ///
    /// # Errors
    /// If the judge is in doubt.
    pub fn next_due(&self) -> Result<Option<Timestamp>, ProcessorError> {
        Ok(self
            .handler
            .read()
            .map_err(|_| ProcessorError::Doubt)?
            .next_due())
    }

    /// One complete step: everything that has arrived, in order, and before each message what was due before it; then what
    /// is due now, if every source could be looked at completely.
    ///
    /// `go_on` is asked between messages; when it says no, the step ends early with nothing half done.
    ///
    /// # Errors
    /// If something fails that only a new start can cure.
    pub fn step(
        &mut self,
        sources: &mut [Source],
        go_on: &dyn Fn() -> bool,
    ) -> Result<Stepped, ProcessorError> {
        if self.failed {
            return Err(ProcessorError::Doubt);
        }
        let mut stepped = Stepped::default();
        let outcome = self
            .take_all(sources, go_on, &mut stepped)
            .and_then(|()| self.store_and_put_away(sources));
        self.failed |= outcome.is_err();
        outcome.map(|()| stepped)
    }

    fn take_all(
        &mut self,
        sources: &mut [Source],
        go_on: &dyn Fn() -> bool,
        stepped: &mut Stepped,
    ) -> Result<(), ProcessorError> {
        let mut deferred = DeferredMessages::default();
        loop {
            let look = self.now();
            let LookAtAll { looks, unreached } = self.look(sources, look)?;
            let complete = unreached.is_none() && looks.iter().all(|look| look.complete);
            stepped.unreached = unreached;
            let messages = deferred.without_known(in_order(looks, look));
            let mut stuck = messages.is_empty();
            let alone = messages.len() == 1 && deferred.is_empty();
            for message in messages {
                let next = if alone {
                    Some(message)
                } else {
                    self.defer_if_over_rate(message, &mut deferred)?
                };
                if let Some(message) = next {
                    self.take_in_time(message, &mut deferred, sources, go_on, stepped)?;
                }
            }
            // A few only: then whoever has written in the meantime comes before the rest.
            for message in deferred.take_few() {
                stuck = false;
                self.take_in_time(message, &mut deferred, sources, go_on, stepped)?;
            }
            self.store_and_put_away(sources)?;
            if !go_on() {
                return Ok(());
            }
            if complete {
                let all_taken = deferred.is_empty();
                if all_taken {
                    for source in sources.iter() {
                        self.memory.looks.insert(source.name.to_owned(), look);
                    }
                }
                let settled = self.clock.settled(look);
                self.rule_in_time(settled, &mut deferred, sources, go_on, stepped)?;
                self.store_and_put_away(sources)?;
                if all_taken {
                    return self.note_looks(look);
                }
            }
            // An incomplete look that brings nothing would come back for ever.
            let nothing_left = stuck || stepped.unreached.is_some();
            if deferred.is_empty() && nothing_left {
                return Ok(());
            }
        }
    }

    /// Looks at every source. Where one cannot be reached, the others are looked at all the same.
    fn look(
        &mut self,
        sources: &mut [Source],
        now: Timestamp,
    ) -> Result<LookAtAll, ProcessorError> {
        let mut looks = Vec::new();
        let mut unreached = None;
        for source in sources {
            let last_look = self.memory.looks.get(source.name).copied();
            let outcome = source.look();
            let note = match (&outcome, source.name) {
                (Ok(_), INBOX) => self.memory.outages.reached(now),
                (Err(_), INBOX) => self.memory.outages.failed(now),
                _ => false,
            };
            if note {
                self.note(now)?;
            }
            looks.push(match outcome {
                Ok(look) => SourceLook {
                    mails: look.mails,
                    complete: look.complete,
                    last_look,
                },
                Err(error) => {
                    unreached = Some(format!("the {} cannot be read: {error}", source.name));
                    SourceLook {
                        complete: true,
                        ..SourceLook::default()
                    }
                }
            });
        }
        Ok(LookAtAll { looks, unreached })
    }

    /// Takes note of what came of the daily upkeep, and tells the keeper if copies of the store fail.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn record_backup(&mut self, outcome: &BackupOutcome) -> Result<(), ProcessorError> {
        let now = self.now();
        let mut mails = Vec::new();
        if self.memory.backups.record(outcome) {
            let backups = &self.memory.backups;
            let last = backups
                .last
                .map_or("there is none".to_owned(), |last| last.to_string());
            let lines = [
                format!(
                    "The daily copy of the store has failed {} times in a row: {}.",
                    backups.failures,
                    backups.why.as_deref().unwrap_or_default()
                ),
                format!(
                    "The last good one: {last}. It is tried again every hour. The games go on."
                ),
            ];
            mails.extend(self.notices.write(
                &mut self.memory.notices,
                now,
                &mut self.ids,
                "No backup can be written",
                &lines,
            ));
        }
        self.store.commit(&Batch {
            at: now,
            mails,
            meta: vec![self.memory.entry()?],
            ..Batch::default()
        })?;
        self.saved = self.memory.clone();
        Ok(())
    }

    /// Writes down how far was looked, now and then, or at once after something has happened since.
    fn note_looks(&mut self, look: Timestamp) -> Result<(), ProcessorError> {
        if look.duration_since(self.noted) >= LOOK_NOTED {
            self.note(look)?;
        }
        Ok(())
    }

    /// Writes down what the shell remembers, if that is not done yet.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn note(&mut self, now: Timestamp) -> Result<(), ProcessorError> {
        if self.memory != self.saved {
            self.store.commit(&Batch {
                at: now,
                meta: vec![self.memory.entry()?],
                ..Batch::default()
            })?;
            self.saved = self.memory.clone();
        }
        self.noted = now;
        Ok(())
    }
}

impl<B> Processor<B> {
    /// The judge, to read.
    pub fn handler(&self) -> std::sync::RwLockReadGuard<'_, B> {
        // A judge in doubt is only ever read from here for the keeper's eyes.
        self.handler.read().unwrap_or_else(PoisonError::into_inner)
    }
}
