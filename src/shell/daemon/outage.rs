//! Outages of the inbox. An outage of more than an hour moves deadlines (README, Decided 6), so they are determined here
//! and kept in the store.

use dipjudge_judge::Outage;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

/// Only longer outages count.
const MIN_LENGTH: SignedDuration = SignedDuration::from_hours(1);
/// Failures further apart than this belong to different outages: time in which the program did not run does not count.
const MAX_GAP: SignedDuration = SignedDuration::from_mins(30);
/// How often a current outage is written to the store, so that it survives a restart.
const NOTE_EVERY: SignedDuration = SignedDuration::from_mins(5);
/// How long an outage is remembered.
const KEEP_FOR: SignedDuration = SignedDuration::from_hours(24 * 60);

/// The outages of the inbox.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outages {
    /// Those that have ended and count.
    past: Vec<Outage>,
    /// The current one.
    open: Option<OpenOutage>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct OpenOutage {
    from: Timestamp,
    last: Timestamp,
}

impl Outages {
    /// Records that the inbox could not be reached. Returns true if the store should be updated.
    pub fn failed(&mut self, at: Timestamp) -> bool {
        match &mut self.open {
            Some(open) if at.duration_since(open.last) <= MAX_GAP => {
                let due = at.duration_since(open.last) >= NOTE_EVERY;
                // In between, the failure last written stays: it determines when to write again.
                if due {
                    open.last = at;
                }
                due
            }
            _ => {
                self.close_at_last_failure();
                self.open = Some(OpenOutage { from: at, last: at });
                true
            }
        }
    }

    /// Records that the inbox was reached. Returns true if the store should be updated.
    pub fn reached(&mut self, at: Timestamp) -> bool {
        let Some(open) = self.open else { return false };
        if at.duration_since(open.last) <= MAX_GAP {
            self.open = None;
            self.keep(open.from, at);
        } else {
            self.close_at_last_failure();
        }
        true
    }

    /// When the current outage began.
    pub fn since(&self) -> Option<Timestamp> {
        self.open.map(|open| open.from)
    }

    /// The past outages that count, for the judge.
    pub fn past(&self) -> &[Outage] {
        &self.past
    }

    /// These have ended and count.
    pub fn set_past(&mut self, past: Vec<Outage>) {
        self.past = past;
    }

    fn close_at_last_failure(&mut self) {
        if let Some(open) = self.open.take() {
            self.keep(open.from, open.last);
        }
    }

    fn keep(&mut self, from: Timestamp, until: Timestamp) {
        if until.duration_since(from) > MIN_LENGTH {
            self.past
                .retain(|outage| until.duration_since(outage.until) < KEEP_FOR);
            self.past.push(Outage { from, until });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(minute: i64) -> Timestamp {
        Timestamp::from_second(1_000_000_000 + 60 * minute).unwrap()
    }

    fn lasting(from: i64, until: i64) -> Outage {
        Outage {
            from: at(from),
            until: at(until),
        }
    }

    fn after(failures: impl IntoIterator<Item = i64>, reached: i64) -> Vec<Outage> {
        let mut outages = Outages::default();
        for minute in failures {
            outages.failed(at(minute));
        }
        outages.reached(at(reached));
        outages.past().to_vec()
    }

    #[test]
    fn only_more_than_an_hour_counts() {
        assert_eq!(after((0..60).step_by(5), 60), []);
        assert_eq!(after((0..=60).step_by(5), 61), [lasting(0, 61)]);
    }

    #[test]
    fn time_in_which_nobody_tried_is_no_outage() {
        // A failure, then the program was off for a day.
        assert_eq!(after([0], 24 * 60), []);
        assert_eq!(after((0..=90).step_by(10), 24 * 60), [lasting(0, 90)]);
        assert_eq!(after([0, 24 * 60], 24 * 60 + 5), []);
    }

    #[test]
    fn a_restart_in_the_middle_does_not_cut_it_in_two() {
        let mut outages = Outages::default();
        (0..50).for_each(|minute| _ = outages.failed(at(minute)));
        let mut restarted: Outages =
            serde_json::from_slice(&serde_json::to_vec(&outages).unwrap()).unwrap();
        (52..80).for_each(|minute| _ = restarted.failed(at(minute)));
        assert_eq!(restarted.since(), Some(at(0)));
        restarted.reached(at(80));
        assert_eq!(restarted.past(), [lasting(0, 80)]);
        assert_eq!(restarted.since(), None);
    }

    #[test]
    fn it_is_written_down_at_its_beginning_now_and_then_and_at_its_end() {
        let mut outages = Outages::default();
        assert!(!outages.reached(at(0)));
        let noted: Vec<i64> = (1..=12)
            .filter(|minute| outages.failed(at(*minute)))
            .collect();
        assert_eq!(noted, [1, 6, 11]);
        assert!(outages.reached(at(13)));
        assert!(!outages.reached(at(14)));
    }

    #[test]
    fn a_clock_set_back_makes_no_outage() {
        let mut outages = Outages::default();
        outages.failed(at(100));
        outages.failed(at(0));
        outages.reached(at(1));
        assert_eq!(outages.past(), []);
    }
}
