//! `export`: one game for other programs, asked of the daemon, or of the store where none runs.

use std::io::Write;

use anyhow::Result;

use super::ask;
use crate::shell::config::Config;
use crate::shell::daemon::keeper_queries::Question;

/// Writes one game as saved-game JSON.
pub(super) fn export(
    config: &Config,
    game: &str,
    as_power: Option<&str>,
    out: &mut dyn Write,
) -> Result<()> {
    let question = Question::Export {
        game: game.to_owned(),
        as_power: as_power.map(str::to_owned),
    };
    ask::print(ask::answer(config, &question)?, out)
}
