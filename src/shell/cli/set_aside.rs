//! `set-aside`: messages that are left to the keeper.

use std::io::Write;
use std::time::{Duration, Instant};

use anyhow::Result;

use super::ask;
use crate::clock::Clock;
use crate::config::Config;
use crate::daemon::keeper_queries::Question;
use crate::daemon::once::{self, MailSources};

/// Sending stops after this time; the rest stays in the outbox.
const SENDING: Duration = Duration::from_secs(60);

/// Lists them.
pub(super) fn list(config: &Config, out: &mut dyn Write) -> Result<()> {
    ask::ask_and_print(config, &Question::SetAside, out)
}

/// Shows one.
pub(super) fn show(config: &Config, number: u64, out: &mut dyn Write) -> Result<()> {
    ask::ask_and_print(config, &Question::ShowSetAside { number }, out)
}

/// Has one read again: by the daemon, or at once if no daemon runs.
pub(super) fn retry(config: &Config, number: u64, out: &mut dyn Write) -> Result<()> {
    ask::ask_and_print(config, &Question::RetrySetAside { number }, out)?;
    match once::work(
        config,
        Clock::System,
        MailSources::All,
        Some(Instant::now() + SENDING),
    ) {
        // The daemon will read it.
        Err(error) if error.is_busy() => Ok(()),
        other => other.map(drop).map_err(Into::into),
    }
}

/// Removes one.
pub(super) fn delete(config: &Config, number: u64, out: &mut dyn Write) -> Result<()> {
    ask::ask_and_print(config, &Question::DeleteSetAside { number }, out)
}
