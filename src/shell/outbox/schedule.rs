//! When a mail that could not be sent is tried again (RFC 5321 4.5.4.1).

use jiff::{SignedDuration, Timestamp};

use crate::random::within_unit;

/// After this many failures a mail is tried hourly.
const QUICK_FAILURES: i64 = 4;
/// After this time a mail is given up.
pub const GIVE_UP_AFTER: SignedDuration = SignedDuration::from_hours(4 * 24);

/// When to try a mail again that was first tried at `first` and has now failed `failures` times (1 or more); `None` to give
/// it up.
///
/// `jitter` is a random number from 0 to 1; it adds up to a tenth of the wait, so that the mails of a queue are not all due
/// at once.
pub fn next_attempt(
    first: Timestamp,
    failures: u32,
    now: Timestamp,
    jitter: f64,
) -> Option<Timestamp> {
    // The number of failures counts too, so that a clock set back does not keep a mail for ever, and one set forward does
    // not end it at once.
    let hourly_failures = i64::from(failures) - QUICK_FAILURES;
    if now.duration_since(first) >= GIVE_UP_AFTER && hourly_failures > 0
        || hourly_failures > GIVE_UP_AFTER.as_hours()
    {
        return None;
    }
    let minutes = match failures {
        0 | 1 => 1,
        2 => 5,
        3 => 15,
        4 => 30,
        _ => 60,
    };
    let wait = SignedDuration::from_mins(minutes);
    let jitter = within_unit(jitter);
    now.checked_add(wait + wait.mul_f64(jitter / 10.0)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(minutes: i64) -> Timestamp {
        Timestamp::from_second(1_000_000_000 + 60 * minutes).unwrap()
    }

    #[test]
    fn the_waits_grow_to_an_hour_for_four_days() {
        let (mut now, mut failures) = (at(0), 0);
        let mut waits = Vec::new();
        loop {
            failures += 1;
            let Some(next) = next_attempt(at(0), failures, now, 0.0) else {
                break;
            };
            waits.push(next.duration_since(now).as_mins());
            now = next;
        }
        assert_eq!(waits[..6], [1, 5, 15, 30, 60, 60]);
        assert!(now.duration_since(at(0)) >= GIVE_UP_AFTER);
        assert!(now.duration_since(at(0)) < GIVE_UP_AFTER + SignedDuration::from_hours(2));
    }

    #[test]
    fn jitter_adds_at_most_a_tenth() {
        assert_eq!(next_attempt(at(0), 5, at(60), 1.0), Some(at(126)));
        assert_eq!(next_attempt(at(0), 5, at(60), f64::NAN), Some(at(120)));
        assert_eq!(next_attempt(at(0), 5, at(60), 7.0), Some(at(126)));
    }

    #[test]
    fn a_machine_that_slept_for_a_week_tries_more_than_once() {
        assert!(next_attempt(at(0), 2, at(7 * 24 * 60), 0.0).is_some());
        assert!(next_attempt(at(0), 5, at(7 * 24 * 60), 0.0).is_none());
    }

    #[test]
    fn a_clock_set_back_does_not_make_a_mail_immortal() {
        assert!(next_attempt(at(0), 101, at(-1000), 0.0).is_none());
        assert!(next_attempt(at(0), u32::MAX, at(0), 0.0).is_none());
    }
}
