//! The events that wake the daemon.

use super::backups::BackupOutcome;

/// An event that wakes the daemon.
#[derive(Debug)]
pub enum Event {
    /// An inbox may have new mail.
    MayHaveMail,
    /// The daemon is to stop.
    Stop,
    /// The config is to be read again.
    Reload,
    /// The daily upkeep is done.
    BackupDone(BackupOutcome),
    /// A part of the daemon cannot go on.
    PartFailed(String),
}
