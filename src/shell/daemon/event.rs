//! What wakes the daemon.

use super::backups::Upkept;

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
    Upkept(Upkept),
    /// A part of the daemon cannot go on.
    Broken(String),
}
