//! The judge at work once and then gone: `tick`, and `deliver` where no daemon runs.

use std::sync::{Arc, RwLock};
use std::time::{Duration, Instant};

use jiff::Timestamp;

use super::memory::Memory;
use super::notice::Notices;
use super::processor::{Processor, ProcessorError, Stepped};
use super::sending::{self, OutboxSender, Posted};
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
    /// The system has no means for sending.
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
/// error here, but stands in what is returned.
pub fn work(
    config: &Config,
    clock: Clock,
    reach: Reach,
    end: Option<Instant>,
) -> Result<Done, OnceError> {
    work_and(config, clock, reach, end, false)
}

/// As [`work`] everywhere, and once a day what the daemon does once a day.
///
/// # Errors
/// As [`work`].
pub fn tick(config: &Config, clock: Clock) -> Result<Done, OnceError> {
    work_and(config, clock, Reach::Everywhere, None, true)
}

fn work_and(
    config: &Config,
    clock: Clock,
    reach: Reach,
    end: Option<Instant>,
    upkeep: bool,
) -> Result<Done, OnceError> {
    let mut done = Done::default();
    for _ in 0..MOST_ROUNDS {
        let store = match open(config, clock) {
            // Somebody else does the rest.
            Err(error) if error.is_busy() && done.stepped.handled > 0 => break,
            other => other?,
        };
        let before = done.stepped.handled;
        round(config, clock, reach, end, upkeep, store, &mut done)?;
        // Whoever delivered a message in the meantime found the store in use and left it to us.
        let waiting = setup::spool(config)
            .waiting()
            .is_ok_and(|waiting| !waiting.is_empty());
        if !waiting || done.stepped.handled == before {
            break;
        }
    }
    Ok(done)
}

fn round(
    config: &Config,
    clock: Clock,
    reach: Reach,
    end: Option<Instant>,
    upkeep: bool,
    store: Store,
    done: &mut Done,
) -> Result<(), OnceError> {
    let store = Arc::new(store);
    let (settings, templates) = (setup::settings(config), setup::templates(config)?);
    let notices = Notices::new(&settings, &templates);
    let judge = setup::judge(&store, settings, templates)?;
    setup::tell_stopped(&judge);
    let source = |name, inbox: Box<dyn Inbox>| {
        let rejected = setup::place_of_rejected(config, name);
        Source::new(name, Box::new(inbox), rejected)
    };
    let mut sources = vec![source(SPOOL, setup::spool_inbox(config)?)];
    let here = matches!(config.inbox, config::InboxConfig::Maildir { .. });
    let all = here || reach == Reach::Everywhere;
    if all {
        let inbox = setup::inbox(config, Claim::of(store.id()))?;
        sources.insert(0, source(INBOX, inbox));
    }
    let mut processor = Processor::new(
        Arc::new(RwLock::new(judge)),
        store.clone(),
        clock,
        notices.clone(),
    )?;
    processor.leave_what_is_due(!all);
    loop {
        let stepped = processor.step(&mut sources, &|| true)?;
        done.stepped.handled += stepped.handled;
        done.stepped.ruled += stepped.ruled;
        let at_rest = stepped.unreached.is_some() || stepped.fault || !all;
        (done.stepped.unreached, done.stepped.fault) = (stepped.unreached, stepped.fault);
        // What has fallen due in this very second is done when it is over; there may be no other tick for a long time.
        match processor.next_due()?.filter(|due| *due <= processor.now()) {
            Some(due) if !at_rest => std::thread::sleep(
                clock
                    .until_settled(due, processor.now())
                    .min(Duration::from_secs(1)),
            ),
            _ => break,
        }
    }
    let now = processor.now();
    processor.note(now)?;
    let folder = config.backup.as_ref().map(|backup| &backup.path);
    if upkeep && processor.memory().backups.due(now, folder) {
        processor.record_backup(&upkeep::run(now, &store, config.backup.as_ref()))?;
    }
    // The message is safe; what is not sent now is sent another time.
    let posted = send(config, clock, store, notices, end)?;
    done.posted.delivered += posted.delivered;
    done.posted.later += posted.later;
    done.posted.given_up += posted.given_up;
    done.posted.stopped = posted.stopped;
    done.posted.away = posted.away;
    Ok(())
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
        let (outbox, rate) = setup::outbox(config)?;
        let mut sender = OutboxSender::new(store, outbox, clock, notices, rate)?;
        let posted = sender.round(&|| true, end).await;
        sender.close().await;
        Ok(posted?)
    })
}
