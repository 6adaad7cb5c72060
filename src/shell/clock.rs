//! The time: the system's, or the one that `--at` names.

use std::time::{Duration, SystemTime};

use jiff::{SignedDuration, Timestamp};

/// Where the time comes from. Only here is the system asked for the time on behalf of the judge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clock {
    /// The system's.
    System,
    /// Always this time.
    At(Timestamp),
}

impl Clock {
    /// The current time.
    pub fn now(self) -> Timestamp {
        match self {
            Clock::System => {
                Timestamp::try_from(SystemTime::now()).unwrap_or(Timestamp::UNIX_EPOCH)
            }
            Clock::At(at) => at,
        }
    }

    /// The time up to which all mail has arrived, after everything that was there at `look` was read. A deadline includes
    /// its whole second (README, Decided 12), so the current second is not over yet; a time named with `--at` is.
    pub fn settled(self, look: Timestamp) -> Timestamp {
        match self {
            Clock::System => before_second_of(look),
            Clock::At(_) => look,
        }
    }

    /// How long to wait until what is due at `due` can be done.
    pub fn until_settled(self, due: Timestamp, now: Timestamp) -> Duration {
        match self {
            Clock::System => {
                Duration::try_from(second_after(due).duration_since(now)).unwrap_or_default()
            }
            Clock::At(_) => Duration::ZERO,
        }
    }
}

/// The last instant before the second of `at`.
pub fn before_second_of(at: Timestamp) -> Timestamp {
    let fraction = at.subsec_nanosecond().rem_euclid(1_000_000_000);
    let back = SignedDuration::from_nanos(i64::from(fraction) + 1);
    at.checked_sub(back).unwrap_or(Timestamp::MIN)
}

/// The first instant of the second after that of `at`.
fn second_after(at: Timestamp) -> Timestamp {
    before_second_of(at)
        .checked_add(SignedDuration::new(1, 1))
        .unwrap_or(Timestamp::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn a_deadline_includes_its_second() {
        let deadline = at("2026-03-02T18:00:00Z");
        for (arrival, late) in [
            ("17:59:59.9", false),
            ("18:00:00", false),
            ("18:00:00.999", false),
            ("18:00:01", true),
        ] {
            let arrival = at(&format!("2026-03-02T{arrival}Z"));
            assert_eq!(deadline <= before_second_of(arrival), late, "{arrival}");
            assert_eq!(
                deadline <= Clock::System.settled(arrival),
                late,
                "{arrival}"
            );
        }
        assert!(deadline <= Clock::At(deadline).settled(deadline));
    }

    #[test]
    fn what_is_due_can_be_done_when_its_second_is_over() {
        let due = at("2026-03-02T18:00:00.25Z");
        assert_eq!(
            Clock::System.until_settled(due, at("2026-03-02T18:00:00.5Z")),
            Duration::from_millis(500)
        );
        assert_eq!(
            Clock::System.until_settled(due, at("2026-03-02T19:00:00Z")),
            Duration::ZERO
        );
        assert!(due <= Clock::System.settled(at("2026-03-02T18:00:01Z")));
        assert_eq!(Clock::At(due).until_settled(due, due), Duration::ZERO);
    }

    #[test]
    fn the_ends_of_time_are_survived() {
        assert_eq!(before_second_of(Timestamp::MIN), Timestamp::MIN);
        let _ = Clock::System.until_settled(Timestamp::MAX, Timestamp::MIN);
        assert!(before_second_of(at("1969-12-31T23:59:58.5Z")) < at("1969-12-31T23:59:58Z"));
    }
}
