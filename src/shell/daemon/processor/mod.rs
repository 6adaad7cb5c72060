//! The processor handles messages in order: the judge rules on each, and the ruling is stored. It also does what is due.
//!
//! `run`, `tick` and `deliver` all call [`Processor::step`]. A ruling is stored whole, in one commit with those just before
//! it; only then mail is sent and messages are put away. So each message is handled exactly once, even if the program is
//! killed.

mod again;
mod due;
mod for_keeper;
mod keeping;
mod message;
mod message_order;
mod probing;
#[cfg(test)]
mod tests;

use std::sync::{Arc, PoisonError, RwLock};

pub(super) use again::Circumstances;

use jiff::{SignedDuration, Timestamp};
use message_order::DeferredMessages;
pub use probing::Probing;

use super::arrival::{SourceLook, in_order};
use super::backups::BackupOutcome;
use super::digest;
use super::journal::Journal;
use super::mail_handler::MailHandler;
use super::memory::Memory;
use super::notice::{NoticeKind, Notices};
use super::pending::Pending;
use super::source::{INBOX, Source};
use crate::clock::Clock;
use crate::random::DerivedIds;
use crate::signed::SignatureChecks;
use dipjudge_judge::JudgeError;
use dipjudge_store::{Batch, Store, StoreError};

/// How often the time of the last look is stored if nothing else is.
const LOOK_NOTED: SignedDuration = SignedDuration::from_mins(10);

/// Why the processor cannot go on. Nothing of the current batch has taken effect; the program must start again from the
/// store.
#[derive(Debug, thiserror::Error)]
pub enum ProcessorError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The judge cannot read its own records.
    #[error(transparent)]
    Judge(#[from] JudgeError),
    /// The system has no random bytes.
    #[error("the system has no random bytes: {0}")]
    Random(getrandom::Error),
    /// What the store is to remember cannot be written as JSON.
    #[error("cannot write a note: {0}")]
    Note(#[from] serde_json::Error),
    /// The judge panicked while it applied a ruling.
    #[error("an earlier fault left the judge in doubt; start again")]
    JudgePanicked,
}

/// The outcome of a step.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct StepOutcome {
    /// How many messages were handled.
    pub handled: usize,
    /// How many rulings were made on what was due.
    pub ruled: usize,
    /// Why a source could not be read; then nothing that is due was done.
    pub unreached: Option<String>,
    /// Whether something that is due could not be done because of a panic.
    pub fault: bool,
}

/// What a look at every source found.
struct LookAtAll {
    looks: Vec<SourceLook>,
    /// Why one of them could not be reached.
    unreached: Option<String>,
}

/// Handles messages and what is due, for one judge and one store.
pub struct Processor<B> {
    handler: Arc<RwLock<B>>,
    store: Arc<Store>,
    clock: Clock,
    ids: DerivedIds,
    memory: Memory,
    /// The value of `memory` that is in the store.
    saved: Memory,
    /// What the judge has applied and the store does not have yet.
    pending: Pending,
    /// Whether something could not be stored: then the judge is ahead of the store and must not be used.
    failed: bool,
    looks_noted_at: Timestamp,
    notices: Notices,
    /// Until when nothing is done that is due.
    due_paused_until: Option<Timestamp>,
    /// Who checks signatures of messages, where they are checked.
    signatures: Option<SignatureChecks>,
    /// How test mails are sent and read, where they are.
    probing: Option<Probing>,
    /// Whether what is due is left to a process that looks at the whole inbox.
    leaves_due_work: bool,
    /// Where rulings are noted before they are stored.
    journal: Option<Journal>,
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
        let looks_noted_at = memory
            .looks
            .values()
            .copied()
            .max()
            .unwrap_or(Timestamp::MIN);
        Ok(Processor {
            handler,
            ids: DerivedIds::of(&store)?,
            store,
            clock,
            saved: memory.clone(),
            memory,
            pending: Pending::default(),
            failed: false,
            looks_noted_at,
            notices,
            due_paused_until: None,
            signatures: None,
            probing: None,
            leaves_due_work: false,
            journal: None,
        })
    }

    /// The same processor, which has signatures of messages checked so.
    #[must_use]
    pub fn with_signatures(self, signatures: Option<SignatureChecks>) -> Processor<B> {
        Processor { signatures, ..self }
    }

    /// With this journal, if there is one.
    #[must_use]
    pub fn with_journal(mut self, journal: Option<Journal>) -> Processor<B> {
        self.journal = journal;
        self
    }

    /// From now on nothing is done that is due, for a processor that does not look at the inbox: a phase is adjudicated only
    /// after a look at the inbox.
    pub fn leave_due_work(&mut self) {
        self.leaves_due_work = true;
    }

    /// The current time, but not before the newest event.
    pub fn now(&self) -> Timestamp {
        let now = self.clock.now();
        self.memory.newest.map_or(now, |newest| newest.max(now))
    }

    /// The state that survives a restart.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// When something is due next.
    ///
    /// # Errors
    /// If the judge panicked.
    pub fn next_due(&self) -> Result<Option<Timestamp>, ProcessorError> {
        Ok(self
            .handler
            .read()
            .map_err(|_| ProcessorError::JudgePanicked)?
            .next_due())
    }

    /// One step: all messages that have arrived, in order, and before each message what was due before it arrived; then
    /// what is due now, if every source could be read completely.
    ///
    /// `go_on` is called between messages; if it returns false, the step ends early, between two messages.
    ///
    /// # Errors
    /// If something fails that only a restart can cure.
    pub fn step(
        &mut self,
        sources: &mut [Source],
        go_on: &dyn Fn() -> bool,
    ) -> Result<StepOutcome, ProcessorError> {
        if self.failed {
            return Err(ProcessorError::JudgePanicked);
        }
        let mut stepped = StepOutcome::default();
        let outcome = self
            .take_all(sources, go_on, &mut stepped)
            .and_then(|()| self.store_and_finish(sources));
        self.failed |= outcome.is_err();
        outcome.map(|()| stepped)
    }

    fn take_all(
        &mut self,
        sources: &mut [Source],
        go_on: &dyn Fn() -> bool,
        stepped: &mut StepOutcome,
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
                    self.handle_in_order(message, &mut deferred, sources, go_on, stepped)?;
                }
            }
            // Only a few, so that new messages of others come before the rest.
            for message in deferred.take_batch() {
                stuck = false;
                self.handle_in_order(message, &mut deferred, sources, go_on, stepped)?;
            }
            self.store_and_finish(sources)?;
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
                self.do_due_work_in_order(settled, &mut deferred, sources, go_on, stepped)?;
                self.store_and_finish(sources)?;
                if all_taken {
                    self.probe(look)?;
                    self.tell_digest(look)?;
                    return self.note_looks(look);
                }
            }
            // An incomplete look that finds nothing would be repeated for ever.
            let nothing_left = stuck || stepped.unreached.is_some();
            if deferred.is_empty() && nothing_left {
                return Ok(());
            }
        }
    }

    /// Reads every source. If one cannot be reached, the others are still read.
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

    /// Records the outcome of the daily upkeep, and tells the keeper if backups fail.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn record_backup(&mut self, outcome: &BackupOutcome) -> Result<(), ProcessorError> {
        let now = self.now();
        self.begin_ids("backup", now);
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
                NoticeKind::Backup,
                &mut self.memory.notices_sent,
                now,
                &mut self.ids,
                "No backup can be written",
                &lines,
            ));
        }
        self.store_mails(now, mails)
    }

    /// Sends the keeper the digest of a day, if a day is over and there is something to tell.
    fn tell_digest(&mut self, now: Timestamp) -> Result<(), ProcessorError> {
        let Some(since) = self.memory.digest else {
            self.memory.digest = Some(now);
            return Ok(());
        };
        if now.duration_since(since) < digest::EVERY {
            return Ok(());
        }
        self.begin_ids("digest", now);
        let lines = digest::lines(&self.store, &self.memory.backups, since)?;
        self.memory.digest = Some(now);
        let mail = if lines.is_empty() {
            None
        } else {
            self.notices.write(
                NoticeKind::Digest,
                &mut self.memory.notices_sent,
                now,
                &mut self.ids,
                "What happened in a day",
                &lines,
            )
        };
        self.store_mails(now, mail.into_iter().collect())
    }

    /// From now on ids are drawn for something at this time that no message brings about.
    fn begin_ids(&mut self, kind: &str, now: Timestamp) {
        let number = self.memory.rulings.to_be_bytes();
        let now = now.as_nanosecond().to_be_bytes();
        self.ids.begin(kind, &[&number, &now]);
    }

    /// Stores the times of the looks now and then.
    fn note_looks(&mut self, look: Timestamp) -> Result<(), ProcessorError> {
        if look.duration_since(self.looks_noted_at) >= LOOK_NOTED {
            self.note(look)?;
        }
        Ok(())
    }

    /// Stores the memory of the shell if it has changed.
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
        self.looks_noted_at = now;
        Ok(())
    }
}

impl<B> Processor<B> {
    /// Read access to the judge.
    pub fn handler(&self) -> std::sync::RwLockReadGuard<'_, B> {
        // A judge that panicked is only read here, for the keeper.
        self.handler.read().unwrap_or_else(PoisonError::into_inner)
    }
}
