//! The sender on a thread of its own, so that mail is sent while the judge works.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use super::event::Event;
use super::notice::Notices;
use super::sending::{self, OutboxSender, SenderError};
use super::setup::{self, SetupError};
use crate::clock::Clock;
use crate::config::Config;
use dipjudge_store::Store;

/// The longest wait between two looks at the outbox, since the clock may be set.
const MAX_WAIT: Duration = Duration::from_secs(60);
/// How long a stopped queue rests.
const WHEN_STOPPED: Rest = Rest {
    first: Duration::from_secs(60),
    longest: Duration::from_secs(30 * 60),
};
/// How long the queue rests if the server cannot be reached.
const WHEN_AWAY: Rest = Rest {
    first: Duration::from_secs(1),
    longest: Duration::from_secs(5 * 60),
};

/// A pause that doubles each time.
#[derive(Clone, Copy)]
struct Rest {
    first: Duration,
    longest: Duration,
}

/// Wakes the sender from other threads.
#[derive(Debug, Clone, Default)]
pub struct Waker {
    waker: Arc<Notify>,
    /// Whether to try again at once even if the sender rests.
    now: Arc<AtomicBool>,
}

impl Waker {
    /// Wakes the sender because the outbox has new mail.
    pub fn wake(&self) {
        self.waker.notify_one();
    }

    /// Has everything that is due tried at once, even if the sender rests.
    pub fn retry_now(&self) {
        self.now.store(true, Ordering::Release);
        self.waker.notify_one();
    }

    fn take_retry(&self) -> bool {
        self.now.swap(false, Ordering::AcqRel)
    }
}

/// The sender; it stops when this is dropped, after it has finished the mails that it has begun to send.
#[derive(Debug)]
pub(super) struct SenderThread {
    waker: Waker,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl SenderThread {
    /// Starts the sender. If the store fails later, an event says so.
    ///
    /// # Errors
    /// If the outbox cannot be set up.
    pub(super) fn start(
        config: &Config,
        store: Arc<Store>,
        notices: Notices,
        events: Sender<Event>,
    ) -> Result<SenderThread, SetupError> {
        let thread_failed = |source| SetupError::Read {
            path: "a thread for the outbox".into(),
            source,
        };
        let runtime = sending::runtime().map_err(thread_failed)?;
        let (waker, stop) = (Waker::default(), Arc::new(AtomicBool::new(false)));
        let (start, started) = mpsc::channel();
        let (config, wakes, stopped) = (config.clone(), waker.clone(), stop.clone());
        let work = move || {
            // The SMTP client must be made, used and dropped inside the runtime.
            runtime.block_on(async {
                let made = setup::outbox(&config).and_then(|outbox| {
                    Ok(OutboxSender::new(store, outbox, Clock::System, notices)?)
                });
                let mut sender = match made {
                    Ok(sender) => sender,
                    Err(error) => return drop(start.send(Err(error))),
                };
                drop(start.send(Ok(())));
                let outcome = serve(&mut sender, &wakes, &stopped).await;
                sender.close().await;
                if let Err(error) = outcome {
                    drop(events.send(Event::PartFailed(format!("the outbox: {error}"))));
                }
            });
        };
        let thread = thread::Builder::new()
            .name("post".to_owned())
            .spawn(work)
            .map_err(thread_failed)?;
        if let Ok(outcome) = started.recv() {
            outcome?;
        }
        Ok(SenderThread {
            waker,
            stop,
            thread: Some(thread),
        })
    }

    /// There is something new in the outbox.
    pub(super) fn wake(&self) {
        self.waker.wake();
    }

    /// A handle that wakes the sender.
    pub(super) fn waker(&self) -> Waker {
        self.waker.clone()
    }
}

impl Drop for SenderThread {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Release);
        self.waker.wake();
        if let Some(thread) = self.thread.take() {
            // A panic has been logged.
            let _ = thread.join();
        }
    }
}

async fn serve(
    sender: &mut OutboxSender,
    waker: &Waker,
    stop: &AtomicBool,
) -> Result<(), SenderError> {
    let go_on = || !stop.load(Ordering::Acquire);
    let mut rest = Duration::ZERO;
    while go_on() {
        let round = sender.round(&go_on, None).await?;
        let rests = if round.stopped.is_some() {
            Some(WHEN_STOPPED)
        } else if round.away.is_some() {
            Some(WHEN_AWAY)
        } else {
            None
        };
        if let Some(rests) = rests {
            rest = (rest * 2).clamp(rests.first, rests.longest);
            tracing::debug!(seconds = rest.as_secs(), "the outbox rests");
            let end = Instant::now() + rest;
            // New mail does not end the rest.
            while go_on() && Instant::now() < end {
                let left = end.saturating_duration_since(Instant::now());
                let _ = tokio::time::timeout(left, waker.waker.notified()).await;
                if waker.take_retry() {
                    tracing::info!("the keeper has everything tried at once");
                    rest = Duration::ZERO;
                    break;
                }
            }
            continue;
        }
        rest = Duration::ZERO;
        let wait = match sender.next_due()? {
            // If the time is negative, the mail is due.
            Some(due) => Duration::try_from(due.duration_since(Clock::System.now()))
                .unwrap_or(Duration::ZERO)
                .min(MAX_WAIT),
            None => MAX_WAIT,
        };
        let _ = tokio::time::timeout(wait, waker.waker.notified()).await;
        waker.take_retry();
    }
    Ok(())
}
