//! Ends a wait from another thread.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

#[derive(Debug, Default)]
struct StopFlags {
    stopped: bool,
    woken: bool,
}

/// A handle that ends the wait of an inbox; all clones act on the same inbox.
#[derive(Debug, Clone, Default)]
pub struct Stopper {
    shared: Arc<(Mutex<StopFlags>, Condvar)>,
}

impl Stopper {
    /// A stopper that is not stopped.
    pub fn new() -> Stopper {
        Stopper::default()
    }

    /// Ends the current wait and every later one. Other work of the inbox is finished.
    pub fn stop(&self) {
        self.state().stopped = true;
        self.shared.1.notify_all();
    }

    /// Ends the current wait, or else the next one.
    pub fn wake(&self) {
        self.state().woken = true;
        self.shared.1.notify_all();
    }

    /// Whether [`Stopper::stop`] was called.
    pub fn is_stopped(&self) -> bool {
        self.state().stopped
    }

    /// Sleeps at most this long; true if it was stopped or woken. One wake ends one rest.
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

    // A panic cannot leave the two flags inconsistent.
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
