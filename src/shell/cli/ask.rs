//! `games`, `show` and `status`: asked of the daemon, or of the store where none runs.

use std::io::Write;
use std::ops::ControlFlow;
use std::sync::{Arc, RwLock};

use anyhow::{Context, Result, bail};

use crate::clock::Clock;
use crate::config::Config;
use crate::daemon::keeper_queries::{Answer, KeeperQueries, Question};
use crate::daemon::{control, once, setup};
use dipjudge_store::{Store, StoreError};

/// Lists all games.
pub(super) fn games(config: &Config, out: &mut dyn Write) -> Result<()> {
    ask_and_print(config, &Question::Games, out)
}

/// Shows one game.
pub(super) fn show(config: &Config, game: &str, out: &mut dyn Write) -> Result<()> {
    let question = Question::Show {
        game: game.to_owned(),
    };
    ask_and_print(config, &question, out)
}

/// Asks a question and prints the answer.
pub(super) fn ask_and_print(
    config: &Config,
    question: &Question,
    out: &mut dyn Write,
) -> Result<()> {
    print(answer(config, question)?, out)
}

/// Shows how the judge is doing; `retry` tries everything in the outbox first.
pub(super) fn status(config: &Config, json: bool, retry: bool, out: &mut dyn Write) -> Result<()> {
    let given = if retry {
        retried(config)?
    } else {
        answer(config, &Question::Status)?
    };
    match given {
        Answer::Status(status) if json => {
            writeln!(out, "{}", serde_json::to_string_pretty(&status)?)?
        }
        other => print(other, out)?,
    }
    Ok(())
}

/// Where a daemon runs its sender does it, while we look on; else it is done here.
fn retried(config: &Config) -> Result<Answer> {
    let Some(queries) = open(config)? else {
        return answer(config, &Question::Retry);
    };
    once::retry(config, Clock::System, queries.store.clone())?;
    Ok(queries.answer(&Question::Status))
}

/// Prints an answer that is one text.
fn print(answer: Answer, out: &mut dyn Write) -> Result<()> {
    match answer {
        Answer::Text(text) => writeln!(out, "{}", text.trim_end())?,
        Answer::Status(status) => write!(out, "{status}")?,
        Answer::Failed(why) => bail!(why),
        Answer::Picture(_) | Answer::Part(_) | Answer::End => {
            bail!("the daemon answered another question")
        }
    }
    Ok(out.flush()?)
}

/// The answer to a question, by the daemon if there is one.
pub(super) fn answer(config: &Config, question: &Question) -> Result<Answer> {
    if let Some(queries) = open(config)? {
        return Ok(queries.answer(question));
    }
    let mut first = None;
    control::ask(&config.judge.data, question, |answer| {
        first = Some(answer);
        Ok(ControlFlow::Break(()))
    })
    .with_context(|| no_answer(config))?;
    first.context("the daemon gave no answer")
}

/// Everything that is needed to answer, from the store itself; `None` if a daemon has it.
pub(super) fn open(config: &Config) -> Result<Option<KeeperQueries>> {
    let store = match Store::open(&config.judge.data) {
        Err(StoreError::Busy { .. }) => return Ok(None),
        // The daemon answers root, too.
        Err(StoreError::Foreign { .. }) if control::is_listened_to(&config.judge.data) => {
            return Ok(None);
        }
        other => Arc::new(other?),
    };
    let templates = setup::templates(config)?;
    let judge = setup::judge(&store, setup::settings(config), templates.clone())?;
    Ok(Some(KeeperQueries {
        judge: Arc::new(RwLock::new(judge)),
        store,
        templates,
        config: Arc::new(config.clone()),
        sender: None,
    }))
}

/// Why there is no answer though the store is in use.
pub(super) fn no_answer(config: &Config) -> String {
    format!(
        "the store in {} is in use by a program that does not answer; ask again when it is done",
        config.judge.data.display()
    )
}
