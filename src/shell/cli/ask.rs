//! `games`, `show` and `status`: answered by the daemon, or from the store if no daemon runs.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, RwLock};

use anyhow::{Context, Result, bail};

use crate::clock::Clock;
use crate::config::Config;
use crate::daemon::keeper_queries::{Answer, KeeperQueries, Question};
use crate::daemon::{control, once, setup, site_folder};
use crate::pages::site::SiteContents;
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

/// Shows the status; with `retry` everything in the outbox is tried first.
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

/// Tries everything in the outbox, by the daemon if one runs, else here; then shows the status.
fn retried(config: &Config) -> Result<Answer> {
    let Some(queries) = open(config)? else {
        return answer(config, &Question::Retry);
    };
    once::retry(config, Clock::System, queries.store.clone())?;
    Ok(queries.answer(&Question::Status))
}

/// Writes the site of the public games into a folder.
pub(super) fn publish(config: &Config, folder: &Path, contents: SiteContents) -> Result<()> {
    match answer(config, &Question::Site { contents })? {
        Answer::Files(files) => site_folder::write(folder, &files)
            .with_context(|| format!("the site cannot be written into {}", folder.display())),
        other => print(other, &mut std::io::sink()),
    }
}

/// Prints an answer that is one text.
pub(super) fn print(answer: Answer, out: &mut dyn Write) -> Result<()> {
    match answer {
        Answer::Text(text) => writeln!(out, "{}", text.trim_end())?,
        Answer::Status(status) => write!(out, "{status}")?,
        Answer::Failed(why) => bail!(why),
        Answer::Done(report) => write!(out, "{report}")?,
        Answer::Users(users) => {
            for user in users {
                writeln!(out, "{user}")?;
            }
        }
        Answer::Picture(_) | Answer::Files(_) | Answer::Part(_) | Answer::End => {
            bail!("the daemon answered another question")
        }
    }
    Ok(out.flush()?)
}

/// The answer to a question, from the store or, if a daemon has it open, from the daemon.
pub(super) fn answer(config: &Config, question: &Question) -> Result<Answer> {
    if let Some(queries) = open(config)? {
        return Ok(queries.answer(question));
    }
    let mut first = None;
    control::ask(&config.judge.data, question, |answer| {
        first = Some(answer);
        Ok(ControlFlow::Break(()))
    })
    .with_context(|| no_answer_text(config))?;
    first.context("the daemon gave no answer")
}

/// Opens what is needed to answer from the store; `None` if a daemon has the store open.
pub(super) fn open(config: &Config) -> Result<Option<KeeperQueries>> {
    let store = match Store::open(&config.judge.data) {
        Err(StoreError::Busy { .. }) => return Ok(None),
        // Root may not open the store of another user, but may ask the daemon.
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
        acts: None,
    }))
}

/// What to say if the store is in use but nobody answers.
pub(super) fn no_answer_text(config: &Config) -> String {
    format!(
        "the store in {} is in use by a program that does not answer; ask again when it is done",
        config.judge.data.display()
    )
}
