//! The sender on a thread of its own: mail goes out at the server's pace while the judge works.

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

/// At least so often the outbox is looked at: the clock may have been set.
const AT_MOST: Duration = Duration::from_secs(60);
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

/// By which others wake the sender.
#[derive(Debug, Clone, Default)]
pub struct Waker {
    waker: Arc<Notify>,
    /// Not to rest any longer, whatever the reason.
    now: Arc<AtomicBool>,
}

impl Waker {
    /// There is something new in the outbox.
    pub fn wake(&self) {
        self.waker.notify_one();
    }

    /// Everything that is due is to be tried at once, by a sender that rests too.
    pub fn insist(&self) {
        self.now.store(true, Ordering::Release);
        self.waker.notify_one();
    }

    fn insisted(&self) -> bool {
        self.now.swap(false, Ordering::AcqRel)
    }
}

/// The sender, at work until this is dropped. What is under way then is finished.
#[derive(Debug)]
pub(super) struct SenderThread {
    waker: Waker,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl SenderThread {
    /// Sets the sender to work. A failure of the store later on is told as an event.
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
        let (ready, readied) = mpsc::channel();
        let (config, wakes, stopped) = (config.clone(), waker.clone(), stop.clone());
        let work = move || {
            // The mail client must be made, used and dropped inside the runtime.
            runtime.block_on(async {
                let made = setup::outbox(&config).and_then(|outbox| {
                    Ok(OutboxSender::new(store, outbox, Clock::System, notices)?)
                });
                let mut sender = match made {
                    Ok(sender) => sender,
                    Err(error) => return drop(ready.send(Err(error))),
                };
                drop(ready.send(Ok(())));
                let outcome = serve(&mut sender, &wakes, &stopped).await;
                sender.close().await;
                if let Err(error) = outcome {
                    drop(events.send(Event::Broken(format!("the outbox: {error}"))));
                }
            });
        };
        let thread = thread::Builder::new()
            .name("post".to_owned())
            .spawn(work)
            .map_err(thread_failed)?;
        if let Ok(outcome) = readied.recv() {
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

    /// By which others wake it.
    pub(super) fn waker(&self) -> Waker {
        self.waker.clone()
    }
}

impl Drop for SenderThread {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Release);
        self.waker.wake();
        if let Some(thread) = self.thread.take() {
            // Had it panicked, that was logged.
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
        let posted = sender.round(&go_on, None).await?;
        let rests = if posted.stopped.is_some() {
            Some(WHEN_STOPPED)
        } else if posted.away.is_some() {
            Some(WHEN_AWAY)
        } else {
            None
        };
        if let Some(rests) = rests {
            rest = (rest * 2).clamp(rests.first, rests.longest);
            tracing::debug!(seconds = rest.as_secs(), "the outbox rests");
            let end = Instant::now() + rest;
            // New mail is no reason to try earlier.
            while go_on() && Instant::now() < end {
                let left = end.saturating_duration_since(Instant::now());
                let _ = tokio::time::timeout(left, waker.waker.notified()).await;
                if waker.insisted() {
                    tracing::info!("the keeper has everything tried at once");
                    rest = Duration::ZERO;
                    break;
                }
            }
            continue;
        }
        rest = Duration::ZERO;
        let wait = match sender.next_due()? {
            // A negative time is none: the mail is due.
            Some(due) => Duration::try_from(due.duration_since(Clock::System.now()))
                .unwrap_or(Duration::ZERO)
                .min(AT_MOST),
            None => AT_MOST,
        };
        let _ = tokio::time::timeout(wait, waker.waker.notified()).await;
        waker.insisted();
    }
    Ok(())
}
