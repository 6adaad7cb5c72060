//! The state of the daily backups: the last good one, and the failures since.

use std::path::PathBuf;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

/// How often a backup is made.
const DAY: SignedDuration = SignedDuration::from_hours(24);
/// How soon it is tried again after a failure.
const AGAIN: SignedDuration = SignedDuration::from_hours(1);
/// After how many failures in a row the keeper is told.
const TOLD_AFTER: u32 = 2;

/// What is remembered about the backups.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Backups {
    /// When the last good backup was written.
    pub last: Option<Timestamp>,
    /// How many attempts failed since.
    pub failures: u32,
    /// Why the last attempt failed.
    pub why: Option<String>,
    /// When the last attempt began.
    tried: Option<Timestamp>,
    /// The folder of the last attempt.
    folder: Option<PathBuf>,
    /// When the keeper was last told about failures.
    told: Option<Timestamp>,
}

/// The outcome of one day's upkeep.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackupOutcome {
    /// When it began.
    pub at: Timestamp,
    /// The folder of the backups, if any are made.
    pub folder: Option<PathBuf>,
    /// What became of this day's backup.
    pub backup: DayBackup,
}

/// What became of the backup of one day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DayBackup {
    /// No backups are made.
    SwitchedOff,
    /// It was written at this time.
    Written(Timestamp),
    /// It could not be written, for this reason; a sentence part.
    Failed(String),
}

impl Backups {
    /// Whether the upkeep is due, with backups in this folder.
    pub fn due(&self, now: Timestamp, folder: Option<&PathBuf>) -> bool {
        let wait = if self.failures > 0 { AGAIN } else { DAY };
        self.folder.as_ref() != folder
            || self
                .tried
                .is_none_or(|tried| now.duration_since(tried) >= wait)
    }

    /// Records an outcome. Returns true if the keeper is to be told: after the second failure in a row, then once a day.
    pub fn record(&mut self, outcome: &BackupOutcome) -> bool {
        self.tried = Some(outcome.at);
        self.folder.clone_from(&outcome.folder);
        match &outcome.backup {
            DayBackup::Failed(why) => {
                self.failures = self.failures.saturating_add(1);
                self.why = Some(why.clone());
                let told = self
                    .told
                    .is_some_and(|told| outcome.at.duration_since(told) < DAY);
                let tell = self.failures >= TOLD_AFTER && !told;
                if tell {
                    self.told = Some(outcome.at);
                }
                return tell;
            }
            DayBackup::Written(at) => self.last = Some(*at),
            DayBackup::SwitchedOff => {}
        }
        (self.failures, self.why, self.told) = (0, None, None);
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(hour: i64) -> Timestamp {
        Timestamp::from_second(hour * 3600).unwrap()
    }

    fn outcome(hour: i64, backup: DayBackup) -> BackupOutcome {
        BackupOutcome {
            at: at(hour),
            folder: Some("backup".into()),
            backup,
        }
    }

    fn written(hour: i64) -> BackupOutcome {
        outcome(hour, DayBackup::Written(at(hour)))
    }

    fn failed(hour: i64) -> BackupOutcome {
        outcome(hour, DayBackup::Failed("the disk is full".to_owned()))
    }

    #[test]
    fn a_copy_a_day_and_a_failure_is_tried_again_within_the_hour() {
        let mut backups = Backups::default();
        let (folder, other) = (PathBuf::from("backup"), PathBuf::from("other"));
        assert!(backups.due(at(0), Some(&folder)));
        assert!(!backups.record(&written(0)));
        assert!(!backups.due(at(23), Some(&folder)) && backups.due(at(24), Some(&folder)));
        assert!(backups.due(at(1), Some(&other)), "another folder");
        assert!(!backups.record(&failed(24)));
        assert!(backups.due(at(25), Some(&folder)));
        assert_eq!(backups.last, Some(at(0)));
    }

    #[test]
    fn the_second_failure_in_a_row_is_told_and_later_ones_once_a_day() {
        let mut backups = Backups::default();
        let mut fails = |hour| backups.record(&failed(hour));
        assert_eq!(
            [0, 1, 2, 24, 25, 26].map(&mut fails),
            [false, true, false, false, true, false]
        );
        backups.record(&written(30));
        assert_eq!((backups.failures, backups.why.as_ref()), (0, None));
        assert!(!backups.record(&failed(54)));
        assert!(backups.record(&failed(55)));
    }
}
