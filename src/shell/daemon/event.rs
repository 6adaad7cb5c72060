//! What wakes the daemon.

use super::backups::BackupOutcome;

/// What wakes the daemon.
#[derive(Debug)]
pub enum Event {
    /// There may be mail.
    News,
    /// To stop.
    Stop,
    /// To read the config again.
    Reload,
    /// The daily upkeep is done.
    BackupDone(BackupOutcome),
    /// A part of the daemon cannot go on.
    Broken(String),
}
