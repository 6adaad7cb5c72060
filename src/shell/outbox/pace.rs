//! How fast mail is sent: a token bucket, with half the speed if the server asks for it.

use std::time::Duration;

use jiff::Timestamp;

/// After this time without a complaint of the server the speed is doubled again.
const RECOVERY: Duration = Duration::from_secs(10 * 60);
/// The most halvings: one sixteenth of the speed.
const SLOWEST: u32 = 4;

/// Determines when the next mail may be sent.
#[derive(Debug, Clone)]
pub struct Pace {
    per_minute: f64,
    /// How often the speed was halved.
    halvings: u32,
    changed: Timestamp,
    /// How many mails may be sent at once; if less than one, the next must wait.
    tokens: f64,
    filled: Timestamp,
}

impl Pace {
    /// A pace of `per_minute` mails, of which a tenth may be sent at once.
    pub fn new(per_minute: u32, now: Timestamp) -> Pace {
        let per_minute = f64::from(per_minute.max(1));
        let mut pace = Pace {
            per_minute,
            halvings: 0,
            changed: now,
            tokens: 0.0,
            filled: now,
        };
        pace.tokens = pace.burst();
        pace
    }

    fn burst(&self) -> f64 {
        (self.per_minute / 10.0).max(1.0)
    }

    fn per_second(&self) -> f64 {
        self.per_minute / 60.0 / f64::from(1u32 << self.halvings.min(SLOWEST))
    }

    fn fill(&mut self, now: Timestamp) {
        if self.halvings > 0 && elapsed(self.changed, now) >= RECOVERY {
            self.halvings -= 1;
            self.changed = now;
        }
        self.tokens = (self.tokens + elapsed(self.filled, now).as_secs_f64() * self.per_second())
            .min(self.burst());
        self.filled = now;
    }

    /// Takes a token for one mail, or returns how long to wait.
    pub fn take(&mut self, now: Timestamp) -> Result<(), Duration> {
        self.fill(now);
        if self.tokens >= 1.0 {
            self.tokens -= 1.0;
            return Ok(());
        }
        let seconds = (1.0 - self.tokens) / self.per_second();
        Err(Duration::try_from_secs_f64(seconds)
            .unwrap_or(RECOVERY)
            .max(Duration::from_millis(1)))
    }

    /// Halves the speed and drops the saved tokens, since the server complained. Complaints within a second count as one,
    /// since several connections may get it at once.
    pub fn slow(&mut self, now: Timestamp) {
        self.fill(now);
        self.tokens = self.tokens.min(1.0);
        if self.halvings == 0 || elapsed(self.changed, now) >= Duration::from_secs(1) {
            self.halvings = (self.halvings + 1).min(SLOWEST);
        }
        self.changed = now;
    }
}

/// The time between two instants; zero if the clock went back.
fn elapsed(from: Timestamp, to: Timestamp) -> Duration {
    Duration::try_from(to.duration_since(from)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::SignedDuration;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_second(1_000_000_000 + seconds).unwrap()
    }

    /// How many mails go in a minute, asked ten times a second.
    fn in_a_minute(pace: &mut Pace, from: i64) -> u32 {
        let tenths = (0..600).map(|n| at(from) + SignedDuration::from_millis(100 * n));
        tenths
            .map(|now| std::iter::from_fn(|| pace.take(now).ok()).count() as u32)
            .sum()
    }

    #[test]
    fn so_many_go_in_a_minute() {
        let mut pace = Pace::new(120, at(0));
        in_a_minute(&mut pace, 0);
        assert!((118..=121).contains(&in_a_minute(&mut pace, 60)));
    }

    #[test]
    fn the_wait_named_is_long_enough() {
        let mut pace = Pace::new(1, at(0));
        pace.take(at(0)).unwrap();
        let wait = pace.take(at(0)).unwrap_err();
        assert!(pace.take(at(59)).is_err());
        assert!(wait <= Duration::from_secs(61));
        assert!(pace.take(at(61)).is_ok());
    }

    #[test]
    fn a_complaint_halves_the_speed_and_time_heals() {
        let mut pace = Pace::new(600, at(0));
        pace.slow(at(0));
        pace.slow(at(0));
        in_a_minute(&mut pace, 0);
        assert!((298..=302).contains(&in_a_minute(&mut pace, 60)));
        assert!(in_a_minute(&mut pace, 660) > 590);
    }

    #[test]
    fn there_is_a_slowest_speed_and_a_clock_set_back_is_no_harm() {
        let mut pace = Pace::new(600, at(0));
        (1..100).for_each(|n| pace.slow(at(2 * n)));
        assert!(in_a_minute(&mut pace, 200) >= 35);
        assert!(pace.take(at(-5000)).is_err());
    }
}
