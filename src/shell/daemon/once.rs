//! The judge at work once and then gone: `tick`, and `deliver` where no daemon runs.

use std::sync::{Arc, RwLock};
use std::time::{Duration, Instant};

use jiff::Timestamp;

use super::memory::Memory;
use super::notice::Notices;
use super::processor::{Processor, ProcessorError, Stepped};
use super::sending::{self, OutboxSender, Posted, SenderError};
use super::setup::{self, SetupError};
use super::source::{INBOX, SPOOL, Source};
use super::upkeep;
use crate::clock::Clock;
use crate::config::{self, Config};
use crate::inbox::{Claim, Inbox};
use dipjudge_store::{Store, StoreError};

/// Rounds in which nothing is ever finished, because more comes in all the time, end after so many.
const MOST_ROUNDS: usize = 100;

/// Why nothing, or not all, could be done.
#[derive(Debug, thiserror::Error)]
pub enum OnceError {
    /// Something cannot be opened or read.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The work itself.
    #[error(transparent)]
    Processor(#[from] ProcessorError),
    /// The time named with `--at` lies before something that has happened.
    #[error(
        "--at {at} is refused: the newest event in the store is of {newest}; name that time or a later one"
    )]
    TooEarly {
        /// The time named.
        at: Timestamp,
        /// That of the newest event.
        newest: Timestamp,
    },
    /// The outbox cannot be sent.
    #[error(transparent)]
    Sender(#[from] SenderError),
    /// The system has no threads for sending.
    #[error("cannot send: {0}")]
    Runtime(std::io::Error),
}

impl From<StoreError> for OnceError {
    fn from(error: StoreError) -> OnceError {
        OnceError::Setup(error.into())
    }
}

impl OnceError {
    /// Whether another process has the store open.
    pub fn is_busy(&self) -> bool {
        matches!(
            self,
            OnceError::Setup(SetupError::Store(StoreError::Busy { .. }))
        )
    }

    /// Whether the store is another user's, to whom root leaves it.
    pub fn is_foreign(&self) -> bool {
        matches!(
            self,
            OnceError::Setup(SetupError::Store(StoreError::Foreign { .. }))
        )
    }
}

/// What was done.
#[derive(Debug, Default)]
pub struct Done {
    /// With the inbox.
    pub stepped: Stepped,
    /// With the outbox.
    pub posted: Posted,
}

/// From where mail is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// From the inbox and the spool.
    Everywhere,
    /// From the spool, and from the inbox if it lies on this machine: then what is due can be done too. A mail server is left
    /// alone, and what is due with it.
    Here,
}

/// Opens the store and checks that the time can be acted as of.
///
/// # Errors
/// If it is in use or cannot be read, or if `--at` names an hour before the newest event.
pub fn open(config: &Config, clock: Clock) -> Result<Store, OnceError> {
    let store = Store::open(&config.judge.data)?;
    let newest = Memory::read(&store)?.newest;
    match (clock, newest) {
        (Clock::At(at), Some(newest)) if at < newest => Err(OnceError::TooEarly { at, newest }),
        _ => Ok(store),
    }
}

/// Takes what has arrived, does what is due, sends what is in the outbox until `end`.
///
/// # Errors
/// If it cannot begin, or fails over something that only a new start can cure. A mail server that cannot be reached is no
/// error here; it is reported in the result.
pub fn work(
    config: &Config,
    clock: Clock,
    reach: Reach,
    end: Option<Instant>,
) -> Result<Done, OnceError> {
    let work = Work {
        config,
        clock,
        reach,
        end,
        upkeep: Upkeep::Skip,
    };
    work.run()
}

/// As [`work`] everywhere, with the daily upkeep if it is due.
///
/// # Errors
/// As [`work`].
pub fn tick(config: &Config, clock: Clock) -> Result<Done, OnceError> {
    let work = Work {
        config,
        clock,
        reach: Reach::Everywhere,
        end: None,
        upkeep: Upkeep::IfDue,
    };
    work.run()
}

/// Whether the daily upkeep is part of the work.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Upkeep {
    IfDue,
    Skip,
}

/// What is to be done, and as of which time.
struct Work<'a> {
    config: &'a Config,
    clock: Clock,
    reach: Reach,
    /// When to stop sending.
    end: Option<Instant>,
    upkeep: Upkeep,
}

impl Work<'_> {
    fn run(&self) -> Result<Done, OnceError> {
        let mut done = Done::default();
        for _ in 0..MOST_ROUNDS {
            let store = match open(self.config, self.clock) {
                // Another process has taken over the rest.
                Err(error) if error.is_busy() && done.stepped.handled > 0 => break,
                other => other?,
            };
            let before = done.stepped.handled;
            self.round(store, &mut done)?;
            // A `deliver` that found the store in use has left its message in the spool for this process.
            let waiting = setup::spool(self.config)
                .waiting()
                .is_ok_and(|waiting| !waiting.is_empty());
            if !waiting || done.stepped.handled == before {
                break;
            }
        }
        Ok(done)
    }

    fn round(&self, store: Store, done: &mut Done) -> Result<(), OnceError> {
        let (config, clock) = (self.config, self.clock);
        let store = Arc::new(store);
        let (settings, templates) = (setup::settings(config), setup::templates(config)?);
        let notices = Notices::new(&settings, &templates);
        let judge = setup::judge(&store, settings, templates)?;
        setup::tell_stopped(&judge);
        let local = matches!(config.inbox, config::InboxConfig::Maildir { .. });
        let everywhere = local || self.reach == Reach::Everywhere;
        let mut sources = Vec::new();
        if everywhere {
            let inbox = setup::inbox(config, Claim::of(store.id()))?;
            sources.push(source(config, INBOX, inbox));
        }
        sources.push(source(config, SPOOL, setup::spool_inbox(config)?));
        let mut processor = Processor::new(
            Arc::new(RwLock::new(judge)),
            store.clone(),
            clock,
            notices.clone(),
        )?;
        if !everywhere {
            processor.leave_what_is_due();
        }
        loop {
            let stepped = processor.step(&mut sources, &|| true)?;
            done.stepped.handled += stepped.handled;
            done.stepped.ruled += stepped.ruled;
            let at_rest = stepped.unreached.is_some() || stepped.fault || !everywhere;
            (done.stepped.unreached, done.stepped.fault) = (stepped.unreached, stepped.fault);
            // What falls due in this very second is done when the second is over; the next tick may be far away.
            match processor.next_due()? {
                Some(due) if due <= processor.now() && !at_rest => {
                    let wait = clock.until_settled(due, processor.now());
                    std::thread::sleep(wait.min(Duration::from_secs(1)));
                }
                _ => break,
            }
        }
        let now = processor.now();
        processor.note(now)?;
        let folder = config.backup.as_ref().map(|backup| &backup.path);
        if self.upkeep == Upkeep::IfDue && processor.memory().backups.due(now, folder) {
            processor.record_backup(&upkeep::run(now, &store, config.backup.as_ref()))?;
        }
        // The messages are safe; what is not sent now is sent later.
        let posted = send(config, clock, store, notices, self.end)?;
        done.posted.delivered += posted.delivered;
        done.posted.later += posted.later;
        done.posted.given_up += posted.given_up;
        done.posted.stopped = posted.stopped;
        done.posted.away = posted.away;
        Ok(())
    }
}

fn source(config: &Config, name: &'static str, inbox: Box<dyn Inbox>) -> Source {
    let rejected = setup::place_of_rejected(config, name);
    Source::new(name, Box::new(inbox), rejected)
}

/// Tries everything in the outbox at once, what was put off or given up too.
///
/// # Errors
/// If the store is in use or cannot be read, or if nothing can be sent at all.
pub fn retry(config: &Config, clock: Clock, store: Arc<Store>) -> Result<Posted, OnceError> {
    let (settings, templates) = (setup::settings(config), setup::templates(config)?);
    store.try_all_again(clock.now())?;
    store.wake(clock.now(), &|_| true)?;
    send(
        config,
        clock,
        store,
        Notices::new(&settings, &templates),
        None,
    )
}

/// Sends what is in the outbox.
fn send(
    config: &Config,
    clock: Clock,
    store: Arc<Store>,
    notices: Notices,
    end: Option<Instant>,
) -> Result<Posted, OnceError> {
    if store.next_due()?.is_none_or(|due| due > clock.now()) {
        return Ok(Posted::default());
    }
    let runtime = sending::runtime().map_err(OnceError::Runtime)?;
    runtime.block_on(async {
        let outbox = setup::outbox(config)?;
        let mut sender = OutboxSender::new(store, outbox, clock, notices)?;
        let posted = sender.round(&|| true, end).await;
        sender.close().await;
        Ok(posted?)
    })
}
