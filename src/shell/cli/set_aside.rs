//! `set-aside`: the messages that only the keeper can make sense of.

use std::io::Write;
use std::time::{Duration, Instant};

use anyhow::Result;

use super::ask;
use crate::clock::Clock;
use crate::config::Config;
use crate::daemon::keeper_queries::Question;
use crate::daemon::once::{self, Reach};

/// What is to be sent after the message was read again may wait for another time after this.
const SENDING: Duration = Duration::from_secs(60);

/// Lists them.
pub(super) fn list(config: &Config, out: &mut dyn Write) -> Result<()> {
    ask::ask_and_print(config, &Question::SetAside, out)
}

/// Shows one.
pub(super) fn show(config: &Config, number: u64, out: &mut dyn Write) -> Result<()> {
    ask::ask_and_print(config, &Question::ShowSetAside { number }, out)
}

/// Has one read again: by the daemon, or at once where none runs.
pub(super) fn retry(config: &Config, number: u64, out: &mut dyn Write) -> Result<()> {
    ask::ask_and_print(config, &Question::RetrySetAside { number }, out)?;
    match once::work(
        config,
        Clock::System,
        Reach::Everywhere,
        Some(Instant::now() + SENDING),
    ) {
        // The daemon reads it.
        Err(error) if error.is_busy() => Ok(()),
        other => other.map(drop).map_err(Into::into),
    }
}

/// Removes one.
pub(super) fn delete(config: &Config, number: u64, out: &mut dyn Write) -> Result<()> {
    ask::ask_and_print(config, &Question::DeleteSetAside { number }, out)
}
