//! How long to wait after a failure before a server is tried again.

use std::time::Duration;

use super::InboxError;
use crate::random::within_unit;

const FIRST: Duration = Duration::from_secs(1);
const LONGEST: Duration = Duration::from_secs(5 * 60);
/// Servers lock out clients that try a wrong password too often.
const AFTER_REFUSAL: Duration = Duration::from_secs(60);

/// One second, doubling to five minutes; back to one second after a success.
#[derive(Debug, Clone)]
pub struct Backoff {
    next: Duration,
}

impl Default for Backoff {
    fn default() -> Backoff {
        Backoff { next: FIRST }
    }
}

impl Backoff {
    /// The state after a success.
    pub fn new() -> Backoff {
        Backoff::default()
    }

    /// How long to wait after this failure. `jitter` is a random number from 0 to 1 that adds up to a quarter, so that many
    /// judges do not try one server at the same time.
    pub fn after(&mut self, error: &InboxError, jitter: f64) -> Duration {
        if error.needs_keeper() {
            self.next = self.next.max(AFTER_REFUSAL);
        }
        let wait = self.next;
        self.next = (wait * 2).min(LONGEST);
        let jitter = within_unit(jitter);
        wait.mul_f64(1.0 + jitter / 4.0)
    }

    /// Resets the wait after a success.
    pub fn succeeded(&mut self) {
        self.next = FIRST;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lost() -> InboxError {
        InboxError::Lost {
            what: "FETCH",
            why: "gone".into(),
        }
    }

    #[test]
    fn it_doubles_to_five_minutes_and_starts_again() {
        let mut backoff = Backoff::new();
        let waits: Vec<u64> = (0..11)
            .map(|_| backoff.after(&lost(), 0.0).as_secs())
            .collect();
        assert_eq!(waits, [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
        backoff.succeeded();
        assert_eq!(backoff.after(&lost(), 1.0), Duration::from_millis(1250));
    }

    #[test]
    fn a_refused_login_is_left_alone_longer() {
        let mut backoff = Backoff::new();
        let refused = InboxError::Login {
            server: "h:1".into(),
            user: "judge".into(),
            why: "no".into(),
        };
        assert_eq!(backoff.after(&refused, 0.0).as_secs(), 60);
        assert_eq!(backoff.after(&refused, f64::NAN).as_secs(), 120);
    }
}
