//! The daemon: waits for mail, deadlines and signals, and calls the processor.

use std::io;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, RwLock};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use sd_notify::NotifyState;

use super::backups::BackupOutcome;
use super::control::ControlSocket;
use super::event::Event;
use super::keeper_acts::KeeperOrder;
use super::keeper_queries::{Answer, KeeperQueries, Question};
use super::notice::Notices;
use super::processor::{Probing, Processor, ProcessorError};
use super::publisher::Publisher;
use super::sender_thread::SenderThread;
use super::setup::{self, SetupError};
use super::signals::{SignalHandler, tell};
use super::source::{INBOX, SPOOL, Source};
use super::unfinished;
use super::upkeep;
use super::watch::WatchedInbox;
use crate::clock::Clock;
use crate::config::{Config, ConfigError};
use crate::inbox::{Claim, ForeignInbox, Inbox};
use crate::signed::SignatureChecks;
use dipjudge_judge::Judge;
use dipjudge_store::{Store, StoreError};

/// How soon something is tried again that is due and could not be done.
const SOON: Duration = Duration::from_secs(1);
/// How often the metrics are written.
const METRICS: Duration = Duration::from_secs(60);

/// Why the daemon ended without being told to.
#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    /// It could not start.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The processor failed.
    #[error(transparent)]
    Processor(#[from] ProcessorError),
    /// The system refused something.
    #[error("cannot {0}: {1}")]
    System(&'static str, io::Error),
    /// A part of the daemon failed.
    #[error("{0}")]
    Broken(String),
}

impl From<StoreError> for ServiceError {
    fn from(error: StoreError) -> ServiceError {
        ServiceError::Setup(error.into())
    }
}

/// Why the daemon stops working under its config.
enum RunEnd {
    Stop,
    Reload(Box<Config>),
}

/// Runs until it is told to stop. `load` reads the config again. `foreign` says what to do with an inbox that
/// bears the id of another store.
///
/// # Errors
/// If it cannot start, or if something fails that only a restart can cure; then the current batch has had no effect.
pub fn run(
    config: Config,
    foreign: ForeignInbox,
    load: &dyn Fn() -> Result<Config, ConfigError>,
) -> Result<(), ServiceError> {
    let (events, received) = mpsc::channel();
    let signals = SignalHandler::start(events.clone())
        .map_err(|error| ServiceError::System("listen to signals", error))?;
    let store = Arc::new(Store::open(&config.judge.data)?);
    unfinished::check_finished(&config, &store)?;
    let mut run = ServiceRun {
        config,
        store,
        signals,
        events,
        received,
        load,
        upkeep: UpkeepState::Idle,
        publisher: Publisher::default(),
        new_config: true,
        foreign,
        announced: false,
        orders: Vec::new(),
    };
    loop {
        match run.work()? {
            RunEnd::Stop => break,
            RunEnd::Reload(config) => {
                tracing::info!("the config was read again");
                run.config = *config;
                run.new_config = true;
            }
        }
    }
    tracing::info!("stopped");
    Ok(())
}

/// The state of the daily upkeep, which runs on a thread of its own.
enum UpkeepState {
    Idle,
    Running,
    Done(BackupOutcome),
}

/// The running daemon.
struct ServiceRun<'a> {
    config: Config,
    store: Arc<Store>,
    signals: SignalHandler,
    events: Sender<Event>,
    received: Receiver<Event>,
    load: &'a dyn Fn() -> Result<Config, ConfigError>,
    upkeep: UpkeepState,
    publisher: Publisher,
    /// Whether no upkeep was tried under this config yet.
    new_config: bool,
    /// What to do with the inbox of another store. It is taken over at first only, since another judge may claim it back.
    foreign: ForeignInbox,
    announced: bool,
    /// What the keeper wants done, in the order in which it was asked for.
    orders: Vec<KeeperOrder>,
}

impl ServiceRun<'_> {
    fn work(&mut self) -> Result<RunEnd, ServiceError> {
        for note in &self.config.notes {
            tracing::warn!("{note}");
        }
        let (settings, templates) = (
            setup::settings(&self.config),
            setup::templates(&self.config)?,
        );
        let notices = Notices::new(&settings, &templates);
        let judge = setup::judge(&self.store, settings, templates.clone())?;
        setup::log_stopped_games(&judge);
        let judge = Arc::new(RwLock::new(judge));
        let mut sources = self.sources()?;
        let sender_thread = SenderThread::start(
            &self.config,
            self.store.clone(),
            notices.clone(),
            self.events.clone(),
        )?;
        let mut processor =
            Processor::new(judge.clone(), self.store.clone(), Clock::System, notices)?
                .with_signatures(SignatureChecks::of(&self.config))
                .with_probing(Probing::of(&self.config))
                .with_journal(setup::journal(&self.config, &self.store));
        let queries = KeeperQueries {
            judge,
            store: self.store.clone(),
            templates,
            config: Arc::new(self.config.clone()),
            sender: Some(sender_thread.waker()),
            acts: Some(self.events.clone()),
        };
        let _control = ControlSocket::listen(&self.config.judge.data, queries.clone())
            .map_err(|error| ServiceError::System("listen on the control socket", error))?;
        tell(&[NotifyState::Ready]);
        if !std::mem::replace(&mut self.announced, true) {
            tracing::info!(judge = self.config.judge.name, data = ?self.config.judge.data, "running");
        }
        let end = self.serve(&mut processor, &mut sources, &sender_thread, &queries);
        if !matches!(end, Ok(RunEnd::Reload(_))) {
            tell(&[NotifyState::Stopping]);
        }
        let now = processor.now();
        let noted = processor.note(now);
        let end = end?;
        noted?;
        Ok(end)
    }

    fn sources(&mut self) -> Result<Vec<Source>, ServiceError> {
        let claim = Claim {
            store: self.store.id().clone(),
            foreign: std::mem::take(&mut self.foreign),
        };
        let inbox = setup::inbox(&self.config, claim)?;
        let spool = setup::spool_inbox(&self.config)?;
        Ok(vec![
            self.watched(INBOX, inbox)?,
            self.watched(SPOOL, spool)?,
        ])
    }

    /// An inbox on a thread of its own.
    fn watched(&self, name: &'static str, inbox: Box<dyn Inbox>) -> Result<Source, ServiceError> {
        let (events, signals) = (self.events.clone(), self.signals.clone());
        // Nobody receives the event any more when the daemon ends.
        let news = move || drop(events.send(Event::MayHaveMail));
        let watched = WatchedInbox::start(name, inbox, news, move || signals.go_on())
            .map_err(|error| ServiceError::System("start a thread", error))?;
        let rejected = setup::place_of_rejected(&self.config, name);
        Ok(Source::new(name, Box::new(watched), rejected))
    }

    fn serve(
        &mut self,
        processor: &mut Processor<Judge>,
        sources: &mut [Source],
        sender_thread: &SenderThread,
        queries: &KeeperQueries,
    ) -> Result<RunEnd, ServiceError> {
        let mut look = true;
        let mut metrics_written: Option<Instant> = None;
        loop {
            self.do_orders(processor, sender_thread)?;
            if look {
                let stepped = processor.step(sources, &|| self.signals.go_on())?;
                sender_thread.wake();
                look = false;
                if stepped.unreached.is_some() || stepped.fault {
                    // Nothing that is due can be done, so only an event ends the wait.
                    if let Some(end) =
                        self.wait_for_events(self.signals.longest_sleep(), &mut look)?
                    {
                        return Ok(end);
                    }
                    continue;
                }
            }
            if !self.signals.go_on() {
                return Ok(RunEnd::Stop);
            }
            self.run_upkeep(processor, sender_thread)?;
            if let Some(wanted) = &self.config.publish {
                self.publisher.publish(queries, wanted);
            }
            let now = processor.now();
            if metrics_written.is_none_or(|at| at.elapsed() >= METRICS) {
                metrics_written = Some(Instant::now());
                self.write_metrics(queries);
            }
            let wait = match processor.next_due()? {
                Some(due) => self.time_until(due, now),
                None => self.signals.longest_sleep(),
            };
            if let Some(end) = self.wait_for_events(wait, &mut look)? {
                return Ok(end);
            }
            look |= processor
                .next_due()?
                .is_some_and(|due| due <= Clock::System.settled(processor.now()));
        }
    }

    /// Does what the keeper has asked for meanwhile.
    fn do_orders(
        &mut self,
        processor: &mut Processor<Judge>,
        sender_thread: &SenderThread,
    ) -> Result<(), ServiceError> {
        for order in std::mem::take(&mut self.orders) {
            let outcome = processor.do_for_keeper(&order.act, order.mode)?;
            // Whoever asked may have gone.
            let _ = order.reply.send(outcome);
            sender_thread.wake();
        }
        Ok(())
    }

    /// Starts the daily upkeep if it is due, and records its outcome.
    fn run_upkeep(
        &mut self,
        processor: &mut Processor<Judge>,
        sender_thread: &SenderThread,
    ) -> Result<(), ServiceError> {
        let now = processor.now();
        let backup = self.config.backup.clone();
        match &self.upkeep {
            UpkeepState::Running => return Ok(()),
            UpkeepState::Done(outcome) => {
                processor.record_backup(outcome)?;
                sender_thread.wake();
            }
            UpkeepState::Idle => {
                let folder = backup.as_ref().map(|backup| &backup.path);
                let backups = &processor.memory().backups;
                // A keeper who restarts the daemon or has it reload the config may have removed the cause of the failures.
                let mended = std::mem::take(&mut self.new_config) && backups.failures > 0;
                if mended || backups.due(now, folder) {
                    let events = self.events.clone();
                    // Nobody receives the event any more when the daemon ends.
                    let done = move |outcome| drop(events.send(Event::BackupDone(outcome)));
                    upkeep::begin(now, self.store.clone(), backup, done)
                        .map_err(|error| ServiceError::System("start a thread", error))?;
                    self.upkeep = UpkeepState::Running;
                }
                return Ok(());
            }
        }
        self.upkeep = UpkeepState::Idle;
        Ok(())
    }

    /// How long to sleep before something is due.
    fn time_until(&self, due: Timestamp, now: Timestamp) -> Duration {
        let until = Clock::System.until_settled(due, now);
        // Something due in the past could not be done in the last step; it is tried again soon, not at once.
        if until.is_zero() {
            SOON
        } else {
            until.min(self.signals.longest_sleep())
        }
    }

    /// Waits until there is an event.
    fn wait_for_events(
        &mut self,
        at_most: Duration,
        look: &mut bool,
    ) -> Result<Option<RunEnd>, ServiceError> {
        let first = self.received.recv_timeout(at_most).ok();
        self.signals.show_alive();
        // All events that came meanwhile are handled together.
        let news: Vec<Event> = first.into_iter().chain(self.received.try_iter()).collect();
        for event in news {
            match event {
                Event::MayHaveMail => *look = true,
                Event::Stop => return Ok(Some(RunEnd::Stop)),
                Event::BackupDone(outcome) => self.upkeep = UpkeepState::Done(outcome),
                Event::ForKeeper(order) => self.orders.push(*order),
                Event::PartFailed(why) => return Err(ServiceError::Broken(why)),
                Event::Reload => {
                    if let Some(config) = self.reload_config() {
                        return Ok(Some(RunEnd::Reload(Box::new(config))));
                    }
                }
            }
        }
        Ok(None)
    }

    /// Reads the config again; `None` if it cannot be used, and the current one stays in force.
    fn reload_config(&self) -> Option<Config> {
        let why = match (self.load)() {
            Err(error) => error.to_string(),
            Ok(config) => match setup::templates(&config) {
                Err(error) => error.to_string(),
                Ok(_) if config.judge.data != self.config.judge.data => {
                    "another data folder takes a new start".to_owned()
                }
                Ok(_) => return Some(config),
            },
        };
        tracing::error!(why, "the config in force stays");
        None
    }

    fn write_metrics(&self, queries: &KeeperQueries) {
        let Some(path) = &self.config.metrics else {
            return;
        };
        if let Answer::Status(status) = queries.answer(&Question::Status)
            && let Err(error) = upkeep::metrics(path, &status)
        {
            tracing::warn!(%error, ?path, "the numbers cannot be written");
        }
    }
}
