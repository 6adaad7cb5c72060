//! The events that wake the daemon.

use super::backups::BackupOutcome;
use super::keeper_acts::KeeperOrder;

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
    /// The keeper wants something done.
    ForKeeper(Box<KeeperOrder>),
    /// A part of the daemon cannot go on.
    PartFailed(String),
}
