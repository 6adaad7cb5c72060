//! One round of work without a daemon: `tick` and `deliver`.

use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};
use std::time::{Duration, Instant};

use jiff::Timestamp;

use super::memory::Memory;
use super::notice::Notices;
use super::processor::{Probing, Processor, ProcessorError, StepOutcome};
use super::sending::{self, OutboxSender, RoundOutcome, SenderError};
use super::setup::{self, SetupError};
use super::source::{INBOX, SPOOL, Source};
use super::unfinished;
use super::upkeep;
use crate::clock::Clock;
use crate::config::{self, Config};
use crate::inbox::{Claim, Inbox};
use crate::signed::SignatureChecks;
use dipjudge_judge::Judge;
use dipjudge_store::{Store, StoreError};

/// The most rounds, in case new mail comes in all the time.
const MOST_ROUNDS: usize = 100;

/// Why the work failed.
#[derive(Debug, thiserror::Error)]
pub enum OnceError {
    /// Something cannot be opened or read.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The processor failed.
    #[error(transparent)]
    Processor(#[from] ProcessorError),
    /// The time named with `--at` is before the newest event.
    #[error(
        "--at {at} is refused: the newest event in the store is of {newest}; name that time or a later one"
    )]
    TooEarly {
        /// The time named.
        at: Timestamp,
        /// The time of the newest event.
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

    /// Whether the store belongs to another user; root may not use it.
    pub fn is_foreign(&self) -> bool {
        matches!(
            self,
            OnceError::Setup(SetupError::Store(StoreError::Foreign { .. }))
        )
    }
}

/// The outcome of the work.
#[derive(Debug, Default)]
pub struct WorkDone {
    /// What was done with incoming mail and what was due.
    pub step: StepOutcome,
    /// What was sent.
    pub sending: RoundOutcome,
}

/// The sources from which mail is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailSources {
    /// The inbox and the spool.
    All,
    /// The spool, and the inbox if it is a Maildir on this machine. If it is a mail server, nothing that is due is done.
    Local,
}

/// Opens the store and checks that the time is not before the newest event.
///
/// # Errors
/// If the store is in use or cannot be read, or if `--at` names a time before the newest event.
pub fn open(config: &Config, clock: Clock) -> Result<Store, OnceError> {
    let store = Store::open(&config.judge.data)?;
    unfinished::check_finished(config, &store)?;
    let newest = Memory::read(&store)?.newest;
    match (clock, newest) {
        (Clock::At(at), Some(newest)) if at < newest => Err(OnceError::TooEarly { at, newest }),
        _ => Ok(store),
    }
}

/// Takes what has arrived, does what is due, sends what is in the outbox until `end`.
///
/// # Errors
/// If the work cannot begin, or fails in a way that only a restart can cure. A mail server that cannot be reached is no
/// error; the result says so.
pub fn work(
    config: &Config,
    clock: Clock,
    sources: MailSources,
    end: Option<Instant>,
) -> Result<WorkDone, OnceError> {
    let work = Work {
        config,
        clock,
        sources,
        end,
        upkeep: Upkeep::Skip,
    };
    work.run()
}

/// As [`work`] everywhere, with the daily upkeep if it is due.
///
/// # Errors
/// As [`work`].
pub fn tick(config: &Config, clock: Clock) -> Result<WorkDone, OnceError> {
    let work = Work {
        config,
        clock,
        sources: MailSources::All,
        end: None,
        upkeep: Upkeep::IfDue,
    };
    work.run()
}

/// A judge that stays open between rounds of work: nothing is read again, and whose password has passed is known.
pub struct OpenJudge {
    store: Arc<Store>,
    judge: Arc<RwLock<Judge>>,
    notices: Notices,
}

impl OpenJudge {
    /// The judge of a store, with the settings of a config.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn of(config: &Config, store: Store) -> Result<OpenJudge, OnceError> {
        let store = Arc::new(store);
        let (settings, templates) = (setup::settings(config), setup::templates(config)?);
        let notices = Notices::new(&settings, &templates);
        let judge = setup::judge(&store, settings, templates)?;
        setup::log_stopped_games(&judge);
        Ok(OpenJudge {
            store,
            judge: Arc::new(RwLock::new(judge)),
            notices,
        })
    }

    /// The judge as it stands.
    pub fn judge(&self) -> RwLockReadGuard<'_, Judge> {
        self.judge.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// As [`work`] everywhere. The config is that of the judge.
    ///
    /// # Errors
    /// As [`work`].
    pub fn work(&self, config: &Config, clock: Clock) -> Result<WorkDone, OnceError> {
        let mut done = WorkDone::default();
        let work = Work {
            config,
            clock,
            sources: MailSources::All,
            end: None,
            upkeep: Upkeep::Skip,
        };
        work.round(self, &mut done)?;
        Ok(done)
    }
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
    sources: MailSources,
    /// When to stop sending.
    end: Option<Instant>,
    upkeep: Upkeep,
}

impl Work<'_> {
    fn run(&self) -> Result<WorkDone, OnceError> {
        let mut done = WorkDone::default();
        for _ in 0..MOST_ROUNDS {
            let store = match open(self.config, self.clock) {
                // Another process has taken over the rest.
                Err(error) if error.is_busy() && done.step.handled > 0 => break,
                other => other?,
            };
            let before = done.step.handled;
            self.round(&OpenJudge::of(self.config, store)?, &mut done)?;
            // A `deliver` that found the store in use has left its message in the spool for this process.
            let waiting = setup::spool(self.config)
                .waiting()
                .is_ok_and(|waiting| !waiting.is_empty());
            if !waiting || done.step.handled == before {
                break;
            }
        }
        Ok(done)
    }

    fn round(&self, open: &OpenJudge, done: &mut WorkDone) -> Result<(), OnceError> {
        let (config, clock) = (self.config, self.clock);
        let OpenJudge {
            store,
            judge,
            notices,
        } = open;
        let local = matches!(config.inbox, config::InboxConfig::Maildir { .. });
        let everywhere = local || self.sources == MailSources::All;
        let mut sources = Vec::new();
        if everywhere {
            let inbox = setup::inbox(config, Claim::of(store.id()))?;
            sources.push(source(config, INBOX, inbox));
        }
        sources.push(source(config, SPOOL, setup::spool_inbox(config)?));
        let mut processor = Processor::new(judge.clone(), store.clone(), clock, notices.clone())?
            .with_signatures(SignatureChecks::of(config))
            .with_probing(Probing::of(config))
            .with_journal(setup::journal(config, store));
        if !everywhere {
            processor.leave_due_work();
        }
        loop {
            let outcome = processor.step(&mut sources, &|| true)?;
            done.step.handled += outcome.handled;
            done.step.ruled += outcome.ruled;
            let at_rest = outcome.unreached.is_some() || outcome.fault || !everywhere;
            (done.step.unreached, done.step.fault) = (outcome.unreached, outcome.fault);
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
            processor.record_backup(&upkeep::run(now, store, config.backup.as_ref()))?;
        }
        // The messages are safe; what is not sent now is sent later.
        let round = send(config, clock, store.clone(), notices.clone(), self.end)?;
        done.sending.delivered += round.delivered;
        done.sending.later += round.later;
        done.sending.given_up += round.given_up;
        done.sending.stopped = round.stopped;
        done.sending.away = round.away;
        Ok(())
    }
}

fn source(config: &Config, name: &'static str, inbox: Box<dyn Inbox>) -> Source {
    let rejected = setup::place_of_rejected(config, name);
    Source::new(name, Box::new(inbox), rejected)
}

/// Tries everything in the outbox at once, including mails that were put off or given up.
///
/// # Errors
/// If the store is in use or cannot be read, or if nothing can be sent at all.
pub fn retry(config: &Config, clock: Clock, store: Arc<Store>) -> Result<RoundOutcome, OnceError> {
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
) -> Result<RoundOutcome, OnceError> {
    if store.next_due()?.is_none_or(|due| due > clock.now()) {
        return Ok(RoundOutcome::default());
    }
    let runtime = sending::runtime().map_err(OnceError::Runtime)?;
    runtime.block_on(async {
        let outbox = setup::outbox(config)?;
        let mut sender = OutboxSender::new(store, outbox, clock, notices)?;
        let round = sender.round(&|| true, end).await;
        sender.close().await;
        Ok(round?)
    })
}
