//! The pump: takes what has arrived in order, has the judge rule on it, stores what follows, and does what is due.
//!
//! `run`, `tick` and `deliver` all work through [`Pump::step`]. A ruling is stored whole in one commit before anything of it
//! is done; only then does the judge take it over, and only then is the message put away. So a program that dies at any
//! point has handled each message exactly once when it comes back.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, PoisonError, RwLock};

use jiff::{SignedDuration, Timestamp};
use sha2::{Digest, Sha256};

use super::arrival::{Arrived, Found, in_order};
use super::bench::Bench;
use super::library::StoreLibrary;
use super::memory::{Memory, SetAside};
use super::notice::Notices;
use super::source::{INBOX, Source};
use crate::judge::{Incoming, JudgeError, Ruling, Verdict};
use crate::shell::clock::{Clock, before_second_of};
use crate::shell::random::SystemIds;
use crate::shell::store::{Batch, NewArchived, NewMail, Store, StoreError};

/// So often the time of the last look is written down if nothing else is.
const LOOK_NOTED: SignedDuration = SignedDuration::from_mins(10);
/// After a fault in the program in what is due, it is left alone for so long.
const AFTER_FAULT: SignedDuration = SignedDuration::from_mins(15);
/// No look at the clock leads to more rulings: a guard against a game that would never come to rest.
const MOST_RULINGS: usize = 100_000;

/// Why the pump cannot go on. Nothing of what it had in hand has happened; the program must begin anew from the store.
#[derive(Debug, thiserror::Error)]
pub enum PumpError {
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
    /// Messages handled.
    pub handled: usize,
    /// Rulings on what was due.
    pub ruled: usize,
    /// Why a source could not be looked at; then nothing that was due has been done.
    pub unreached: Option<String>,
    /// Something that is due could not be done because of a fault in the program.
    pub fault: bool,
}

/// The pump.
pub struct Pump<B> {
    bench: Arc<RwLock<B>>,
    store: Arc<Store>,
    clock: Clock,
    ids: SystemIds,
    memory: Memory,
    /// What of it is in the store.
    saved: Memory,
    noted: Timestamp,
    notices: Notices,
    /// Until when nothing is done that is due.
    faulty: Option<Timestamp>,
    /// Whether what is due is left to somebody who can look at the whole inbox.
    idle: bool,
}

impl<B: Bench> Pump<B> {
    /// A pump between this judge and this store.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn new(
        bench: Arc<RwLock<B>>,
        store: Arc<Store>,
        clock: Clock,
        notices: Notices,
    ) -> Result<Pump<B>, StoreError> {
        let memory = Memory::read(&store)?;
        let noted = memory.looks.values().copied().max().unwrap_or(Timestamp::MIN);
        Ok(Pump { bench, store, clock, ids: SystemIds::new(), saved: memory.clone(), memory, noted, notices, faulty: None, idle: false })
    }

    /// Whether to do nothing that is due: before a phase is adjudicated the inbox must have been looked at.
    pub fn leave_what_is_due(&mut self, leave: bool) {
        self.idle = leave;
    }

    /// The hour: never before anything that has happened.
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
    pub fn next_due(&self) -> Result<Option<Timestamp>, PumpError> {
        Ok(self.bench.read().map_err(|_| PumpError::Doubt)?.next_due())
    }

    /// One complete step: everything that has arrived, in order, and before each message what was due before it; then what
    /// is due now, if every source could be looked at completely.
    ///
    /// `go_on` is asked between messages; when it says no, the step ends early with nothing half done.
    ///
    /// # Errors
    /// If something fails that only a new start can cure.
    pub fn step(&mut self, sources: &mut [Source], go_on: &dyn Fn() -> bool) -> Result<Stepped, PumpError> {
        let mut stepped = Stepped::default();
        let outcome = self.take_all(sources, go_on, &mut stepped);
        sources.iter_mut().for_each(Source::put_away);
        outcome?;
        Ok(stepped)
    }

    fn take_all(
        &mut self,
        sources: &mut [Source],
        go_on: &dyn Fn() -> bool,
        stepped: &mut Stepped,
    ) -> Result<(), PumpError> {
        loop {
            let look = self.now();
            let (found, unreached) = self.look(sources, look)?;
            let complete = unreached.is_none() && found.iter().all(|found| found.complete);
            stepped.unreached = unreached;
            let messages = in_order(found, look);
            let stuck = messages.is_empty();
            for message in messages {
                if !go_on() {
                    return Ok(());
                }
                if stepped.unreached.is_none() {
                    // A phase that ended before this message arrived is closed before it is read.
                    let by = before_second_of(message.at);
                    self.rule_on_the_clock(by, look, go_on, stepped)?;
                }
                self.take(message, sources)?;
                stepped.handled += 1;
            }
            sources.iter_mut().for_each(Source::put_away);
            if complete {
                for source in sources.iter() {
                    self.memory.looks.insert(source.name.to_owned(), look);
                }
                self.rule_on_the_clock(self.clock.settled(look), look, go_on, stepped)?;
                return self.note_looks(look);
            }
            // An incomplete look that brings nothing would come back for ever.
            if stepped.unreached.is_some() || stuck || !go_on() {
                return Ok(());
            }
        }
    }

    /// Looks at every source. Where one cannot be reached, the others are looked at all the same.
    fn look(&mut self, sources: &mut [Source], now: Timestamp) -> Result<(Vec<Found>, Option<String>), PumpError> {
        let mut all = Vec::new();
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
            all.push(match outcome {
                Ok(look) => Found { mails: look.mails, complete: look.complete, last_look },
                Err(why) => {
                    unreached = Some(format!("the {} cannot be read: {why}", source.name));
                    Found { complete: true, ..Found::default() }
                }
            });
        }
        Ok((all, unreached))
    }

    /// One message.
    fn take(&mut self, message: Arrived, sources: &mut [Source]) -> Result<(), PumpError> {
        let Arrived { source, mail, at: arrived } = message;
        let Some(source) = sources.get_mut(source) else { return Ok(()) };
        let now = self.now();
        let number = self.memory.messages + 1;
        let incoming =
            Incoming { bytes: mail.bytes, arrived, envelope_from: None, envelope_to: None, oversize: mail.oversize };
        let (mut ruling, fault) = match self.receive(&incoming, now)? {
            Some(ruling) => (ruling, false),
            None => (set_aside_for(FAULT, now), true),
        };
        let mut extra = Batch::default();
        if let Verdict::Rejected(why) = &ruling.verdict {
            let key = set_aside_key(&incoming.bytes);
            if self.store.seen(&key, Timestamp::MIN)? {
                // It was set aside before, and could not be moved.
                source.reject(&mail.handle);
                return Ok(());
            }
            self.memory.set_aside += 1;
            let aside = SetAside {
                number: self.memory.set_aside,
                at: now,
                arrived,
                source: source.name.to_owned(),
                why: why.clone(),
            };
            tracing::warn!(number, set_aside = aside.number, why, "a message is set aside");
            extra.meta.extend(aside.entries(&incoming.bytes)?);
            extra.mails.extend(self.tell_of(&aside, fault, now));
            ruling.seen.push(key);
        }
        self.memory.messages = number;
        self.keep(&ruling, now, extra)?;
        tracing::info!(number, source = source.name, %arrived, mails = ruling.mails.len(), "message handled");
        match ruling.verdict {
            Verdict::Done => source.handled(mail.handle),
            Verdict::Rejected(_) => source.reject(&mail.handle),
        }
        Ok(())
    }

    /// The ruling on a message; `None` if the program failed over it.
    fn receive(&mut self, incoming: &Incoming, now: Timestamp) -> Result<Option<Ruling>, PumpError> {
        let bench = self.bench.read().map_err(|_| PumpError::Doubt)?;
        let library = StoreLibrary::new(&self.store);
        let ids = &mut self.ids;
        let ruling = catch_unwind(AssertUnwindSafe(|| bench.receive(incoming, now, ids, &library))).ok();
        library.fault()?;
        self.ids.fault().map_or(Ok(ruling), |fault| Err(PumpError::Random(fault)))
    }

    fn tell_of(&mut self, aside: &SetAside, fault: bool, now: Timestamp) -> Option<NewMail> {
        let subject = format!("Message {} set aside", aside.number);
        let mut lines = vec![
            format!("A message that arrived at {} was set aside: {}.", aside.arrived, aside.why),
            "It lies among the rejected messages of the inbox, and a copy of it in the store. No other message was \
             touched."
                .to_owned(),
        ];
        if fault {
            lines.push("Please send it to the authors of the program, if its sender agrees.".to_owned());
        }
        self.notices.write(&mut self.memory.notices, now, &mut self.ids, &subject, &lines)
    }

    /// Does what was due at `by`, until nothing is.
    fn rule_on_the_clock(
        &mut self,
        by: Timestamp,
        look: Timestamp,
        go_on: &dyn Fn() -> bool,
        stepped: &mut Stepped,
    ) -> Result<(), PumpError> {
        if self.idle {
            return Ok(());
        }
        if self.faulty.is_some_and(|until| self.clock.now() < until) {
            stepped.fault = true;
            return Ok(());
        }
        self.faulty = None;
        let health = self.memory.outages.health(look);
        for _ in 0..MOST_RULINGS {
            let now = self.now();
            let outcome = {
                let bench = self.bench.read().map_err(|_| PumpError::Doubt)?;
                let library = StoreLibrary::new(&self.store);
                let ids = &mut self.ids;
                let outcome = catch_unwind(AssertUnwindSafe(|| bench.tick(by, now, &health, ids, &library)));
                library.fault()?;
                outcome
            };
            if let Some(fault) = self.ids.fault() {
                return Err(PumpError::Random(fault));
            }
            match outcome {
                Ok(None) => return Ok(()),
                // One that changes nothing would be due for ever.
                Ok(Some(ruling)) if ruling.records.is_empty() => break,
                Ok(Some(ruling)) => {
                    self.keep(&ruling, now, Batch::default())?;
                    stepped.ruled += 1;
                }
                Err(_) => break,
            }
            if !go_on() {
                return Ok(());
            }
        }
        stepped.fault = true;
        self.faulty = self.clock.now().checked_add(AFTER_FAULT).ok();
        tracing::error!("what is due cannot be done, which is a fault of the program; tried again in 15 minutes");
        let now = self.now();
        let lines = [
            "Something that is due in a game cannot be done, which is a fault of the program. Mail is still handled. It \
             is tried again every 15 minutes, and when the program starts again."
                .to_owned(),
            "The log says where. Please report it to the authors of the program.".to_owned(),
        ];
        let notice =
            self.notices.write(&mut self.memory.notices, now, &mut self.ids, "Something due cannot be done", &lines);
        let extra = Batch { at: now, mails: notice.into_iter().collect(), ..Batch::default() };
        self.keep(&Ruling { at: now, ..Ruling::default() }, now, extra)
    }

    /// Stores a ruling with what else belongs to it, then lets the judge take it over.
    fn keep(&mut self, ruling: &Ruling, now: Timestamp, extra: Batch) -> Result<(), PumpError> {
        for note in &ruling.notes {
            tracing::warn!("{note}");
        }
        if !ruling.records.is_empty() {
            self.memory.newest = Some(self.memory.newest.map_or(ruling.at, |newest| newest.max(ruling.at)));
        }
        let batch = self.batch(ruling, now, extra)?;
        if batch == (Batch { at: now, ..Batch::default() }) {
            return Ok(());
        }
        let batch = Batch { meta: batch.meta.iter().cloned().chain([self.memory.entry()?]).collect(), ..batch };
        self.store.commit(&batch)?;
        self.saved = self.memory.clone();
        self.noted = now;
        self.bench.write().map_err(|_| PumpError::Doubt)?.absorb(ruling)?;
        for record in &ruling.records {
            tracing::info!(game = record.log, events = super::kinds::of(&record.json), "recorded");
        }
        Ok(())
    }

    fn batch(&self, ruling: &Ruling, now: Timestamp, extra: Batch) -> Result<Batch, PumpError> {
        let mail = |mail: &crate::judge::Outgoing| NewMail {
            envelope_from: mail.envelope_from.clone(),
            to: mail.to.clone(),
            bytes: mail.bytes.clone(),
            rank: mail.rank,
            due: now,
        };
        let text = |text: &crate::judge::Archived| NewArchived {
            game: text.game.clone(),
            at: text.at,
            subject: text.subject.clone(),
            body: text.body.clone(),
            broadcast: text.broadcast,
        };
        Ok(Batch {
            at: now,
            seen: ruling.seen.iter().copied().chain(extra.seen).collect(),
            records: ruling.records.iter().map(|record| (record.log.clone(), record.json.clone())).collect(),
            mails: ruling.mails.iter().map(mail).chain(extra.mails).collect(),
            archive: ruling.archive.iter().map(text).collect(),
            meta: extra.meta,
        })
    }

    /// Writes down how far was looked, now and then, or at once after something has happened since.
    fn note_looks(&mut self, look: Timestamp) -> Result<(), PumpError> {
        if look.duration_since(self.noted) >= LOOK_NOTED { self.note(look) } else { Ok(()) }
    }

    /// Writes down what the shell remembers, if that is not done yet.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn note(&mut self, now: Timestamp) -> Result<(), PumpError> {
        if self.memory != self.saved {
            self.store.commit(&Batch { at: now, meta: vec![self.memory.entry()?], ..Batch::default() })?;
            self.saved = self.memory.clone();
        }
        self.noted = now;
        Ok(())
    }
}

/// Why a message over which the program failed is set aside.
const FAULT: &str = "the program failed over it, which is a fault of the program";

/// What becomes of a message over which the program failed.
fn set_aside_for(why: &str, now: Timestamp) -> Ruling {
    Ruling { at: now, verdict: Verdict::Rejected(why.to_owned()), ..Ruling::default() }
}

/// By which a message set aside is known again, should it come back.
fn set_aside_key(bytes: &[u8]) -> [u8; 32] {
    Sha256::new().chain_update(b"set aside\0").chain_update(bytes).finalize().into()
}

impl<B> Pump<B> {
    /// The judge, to read.
    pub fn bench(&self) -> std::sync::RwLockReadGuard<'_, B> {
        // A judge in doubt is only ever read from here for the keeper's eyes.
        self.bench.read().unwrap_or_else(PoisonError::into_inner)
    }
}
