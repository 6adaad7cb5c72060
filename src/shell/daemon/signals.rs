//! The signals that stop the daemon or make it reload its config, and the messages to the service manager.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use sd_notify::NotifyState;
use tokio::signal::unix::{SignalKind, signal};

use super::event::Event;

/// Knows whether to stop, and shows the service manager that the daemon is alive.
#[derive(Debug, Clone)]
pub(super) struct SignalHandler {
    stop: Arc<AtomicBool>,
    /// `None` if the service manager does not watch the daemon.
    watchdog: Option<Watchdog>,
}

#[derive(Debug, Clone)]
struct Watchdog {
    /// How often to show that the daemon is alive.
    every: Duration,
    /// When that was done last.
    last: Arc<Mutex<Instant>>,
}

impl SignalHandler {
    /// Starts listening to signals. Each is also sent as an event, which wakes the daemon.
    ///
    /// # Errors
    /// If the system refuses.
    pub(super) fn start(events: Sender<Event>) -> io::Result<SignalHandler> {
        let stop = Arc::new(AtomicBool::new(false));
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let listening = {
            let _inside = runtime.enter();
            (
                signal(SignalKind::terminate())?,
                signal(SignalKind::interrupt())?,
                signal(SignalKind::hangup())?,
            )
        };
        let flag = stop.clone();
        thread::Builder::new()
            .name("signals".to_owned())
            .spawn(move || {
                let (mut terminate, mut interrupt, mut hangup) = listening;
                runtime.block_on(async {
                    loop {
                        let event = tokio::select! {
                            _ = terminate.recv() => Event::Stop,
                            _ = interrupt.recv() => Event::Stop,
                            _ = hangup.recv() => Event::Reload,
                        };
                        if matches!(event, Event::Stop) {
                            flag.store(true, Ordering::Release);
                        }
                        if events.send(event).is_err() {
                            return;
                        }
                    }
                });
            })?;
        // Twice as often as the service manager asks for.
        let watchdog = sd_notify::watchdog_enabled().map(|every| Watchdog {
            every: every / 2,
            last: Arc::new(Mutex::new(Instant::now())),
        });
        Ok(SignalHandler { stop, watchdog })
    }

    /// Whether to go on. Also shows that the daemon is alive.
    pub(super) fn go_on(&self) -> bool {
        self.show_alive();
        !self.stop.load(Ordering::Acquire)
    }

    /// Shows that the daemon is alive, if it is time.
    pub(super) fn show_alive(&self) {
        let Some(watchdog) = &self.watchdog else {
            return;
        };
        let Ok(mut last) = watchdog.last.lock() else {
            return;
        };
        if last.elapsed() >= watchdog.every {
            *last = Instant::now();
            tell(&[NotifyState::Watchdog]);
        }
    }

    /// How long the daemon may sleep without being taken for dead.
    pub(super) fn longest_sleep(&self) -> Duration {
        let usual = Duration::from_secs(20);
        match &self.watchdog {
            Some(watchdog) => usual.min(watchdog.every),
            None => usual,
        }
    }
}

/// Tells the service manager a state, if there is one.
pub(super) fn tell(state: &[NotifyState<'_>]) {
    if let Err(error) = sd_notify::notify(state) {
        tracing::debug!(%error, "the service manager cannot be told");
    }
}
