//! The post on a thread of its own: mail goes out at the server's pace while the judge works.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use super::notice::Notices;
use super::post::{self, Post};
use super::service::Event;
use super::setup::{self, SetupError};
use crate::shell::clock::Clock;
use crate::shell::config::Config;
use crate::shell::store::{Store, StoreError};

/// At least so often the outbox is looked at: the clock may have been set.
const AT_MOST: Duration = Duration::from_secs(60);
/// How long a stopped queue rests: from this, doubling, to that.
const STOPPED: (Duration, Duration) = (Duration::from_secs(60), Duration::from_secs(30 * 60));
/// The same where the server is away.
const AWAY: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(5 * 60));

/// By which others wake the post.
#[derive(Debug, Clone, Default)]
pub struct Bell {
    bell: Arc<Notify>,
    /// Not to rest any longer, whatever the reason.
    now: Arc<AtomicBool>,
}

impl Bell {
    /// There is something new in the outbox.
    pub fn ring(&self) {
        self.bell.notify_one();
    }

    /// Everything that is due is to be tried at once, by a post that rests too.
    pub fn insist(&self) {
        self.now.store(true, Ordering::Release);
        self.bell.notify_one();
    }

    fn insisted(&self) -> bool {
        self.now.swap(false, Ordering::AcqRel)
    }
}

/// The post, at work until this is dropped. What is under way then is finished.
#[derive(Debug)]
pub(super) struct Postman {
    bell: Bell,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Postman {
    /// Sets the post to work. A failure of the store later on is told as an event.
    ///
    /// # Errors
    /// If the outbox cannot be set up.
    pub(super) fn start(
        config: &Config,
        store: Arc<Store>,
        notices: Notices,
        events: Sender<Event>,
    ) -> Result<Postman, SetupError> {
        let thread_failed = |source| SetupError::Read {
            path: "a thread for the outbox".into(),
            source,
        };
        let runtime = post::runtime().map_err(thread_failed)?;
        let (bell, stop) = (Bell::default(), Arc::new(AtomicBool::new(false)));
        let (ready, readied) = mpsc::channel();
        let (config, rings, stopped) = (config.clone(), bell.clone(), stop.clone());
        let work = move || {
            // The mail client must be made, used and dropped inside the runtime.
            runtime.block_on(async {
                let made = setup::outbox(&config).and_then(|(outbox, rate)| {
                    Ok(Post::new(store, outbox, Clock::System, notices, rate)?)
                });
                let mut post = match made {
                    Ok(post) => post,
                    Err(error) => return drop(ready.send(Err(error))),
                };
                drop(ready.send(Ok(())));
                let outcome = serve(&mut post, &rings, &stopped).await;
                post.close().await;
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
        Ok(Postman {
            bell,
            stop,
            thread: Some(thread),
        })
    }

    /// There is something new in the outbox.
    pub(super) fn ring(&self) {
        self.bell.ring();
    }

    /// By which others wake it.
    pub(super) fn bell(&self) -> Bell {
        self.bell.clone()
    }
}

impl Drop for Postman {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Release);
        self.bell.ring();
        if let Some(thread) = self.thread.take() {
            // Had it panicked, that was logged.
            let _ = thread.join();
        }
    }
}

async fn serve(post: &mut Post, bell: &Bell, stop: &AtomicBool) -> Result<(), StoreError> {
    let go_on = || !stop.load(Ordering::Acquire);
    let mut rest = Duration::ZERO;
    while go_on() {
        let posted = post.round(&go_on, None).await?;
        let rests = match (&posted.stopped, &posted.away) {
            (Some(_), _) => Some(STOPPED),
            (None, Some(_)) => Some(AWAY),
            (None, None) => None,
        };
        if let Some((first, longest)) = rests {
            rest = (rest * 2).clamp(first, longest);
            tracing::debug!(seconds = rest.as_secs(), "the outbox rests");
            let end = Instant::now() + rest;
            // New mail is no reason to try earlier.
            while go_on() && Instant::now() < end {
                let left = end.saturating_duration_since(Instant::now());
                let _ = tokio::time::timeout(left, bell.bell.notified()).await;
                if bell.insisted() {
                    tracing::info!("the keeper has everything tried at once");
                    rest = Duration::ZERO;
                    break;
                }
            }
            continue;
        }
        rest = Duration::ZERO;
        let until = post
            .next_due()?
            .map(|due| due.duration_since(Clock::System.now()));
        let wait = until.map_or(AT_MOST, |until| {
            Duration::try_from(until).unwrap_or_default().min(AT_MOST)
        });
        let _ = tokio::time::timeout(wait, bell.bell.notified()).await;
        bell.insisted();
    }
    Ok(())
}
