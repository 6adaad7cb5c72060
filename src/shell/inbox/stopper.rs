//! Ending a wait from another thread.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

#[derive(Debug, Default)]
struct StopFlags {
    stopped: bool,
    woken: bool,
}

/// A handle that ends an inbox's wait; clones are the same one.
#[derive(Debug, Clone, Default)]
pub struct Stopper {
    shared: Arc<(Mutex<StopFlags>, Condvar)>,
}

impl Stopper {
    /// One that nobody has stopped yet.
    pub fn new() -> Stopper {
        Stopper::default()
    }

    /// Ends this wait and every later one. What the inbox is doing otherwise (fetching, moving) is finished.
    pub fn stop(&self) {
        self.state().stopped = true;
        self.shared.1.notify_all();
    }

    /// Ends this wait, or the next one if there is none now.
    pub fn wake(&self) {
        self.state().woken = true;
        self.shared.1.notify_all();
    }

    /// Whether [`Stopper::stop`] was called.
    pub fn is_stopped(&self) -> bool {
        self.state().stopped
    }

    /// Sleeps at most so long; true when it was ended before. Uses a wake up.
    pub fn rest(&self, at_most: Duration) -> bool {
        let until = Instant::now() + at_most;
        let mut state = self.state();
        loop {
            if state.stopped || std::mem::take(&mut state.woken) {
                return true;
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            state = self
                .shared
                .1
                .wait_timeout(state, left)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
    }

    // Two flags cannot be left half changed: a thread that panicked while it held them does no harm.
    fn state(&self) -> MutexGuard<'_, StopFlags> {
        self.shared.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wake_ends_one_rest_and_a_stop_all() {
        let stopper = Stopper::new();
        assert!(!stopper.rest(Duration::ZERO));
        stopper.wake();
        assert!(stopper.rest(Duration::from_secs(60)));
        assert!(!stopper.rest(Duration::ZERO));
        stopper.stop();
        assert!(stopper.rest(Duration::from_secs(60)));
        assert!(stopper.rest(Duration::from_secs(60)));
        assert!(stopper.is_stopped());
    }

    #[test]
    fn a_rest_is_ended_from_another_thread() {
        let stopper = Stopper::new();
        let other = stopper.clone();
        let thread = std::thread::spawn(move || other.rest(Duration::from_secs(60)));
        std::thread::sleep(Duration::from_millis(30));
        stopper.stop();
        assert!(thread.join().unwrap());
    }
}
