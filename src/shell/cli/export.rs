//! `export`: one game for other programs, or as a page for people; answered by the daemon, or from the store if no daemon
//! runs.

use std::io::Write;

use anyhow::Result;

use super::ask;
use crate::config::Config;
use crate::daemon::keeper_queries::Question;

/// Writes one game as saved-game JSON, or as a page of HTML.
pub(super) fn export(
    config: &Config,
    game: &str,
    as_power: Option<&str>,
    html: bool,
    out: &mut dyn Write,
) -> Result<()> {
    let (game, as_power) = (game.to_owned(), as_power.map(str::to_owned));
    let question = if html {
        Question::Record { game, as_power }
    } else {
        Question::Export { game, as_power }
    };
    ask::ask_and_print(config, &question, out)
}
