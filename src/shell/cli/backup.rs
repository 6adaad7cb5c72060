//! `backup` and `restore`.

use std::fs::File;
use std::io::{self, BufReader, Write};
use std::ops::ControlFlow;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::{about, ask, byte_bar, keeper};
use crate::clock::Clock;
use crate::config::Config;
use crate::daemon::catch_up::{self, CaughtUp, OldMails};
use crate::daemon::control;
use crate::daemon::keeper_queries::{Answer, Question};
use crate::daemon::upkeep::{PRIVATE, write};
use dipjudge_store::{self as store, StoreError};

/// Writes a copy of the store; an existing file is replaced only with `overwrite`.
pub(super) fn backup(config: &Config, file: &Path, overwrite: bool) -> Result<()> {
    let standard_output = file == Path::new("-");
    // A symbolic link counts as a file, wherever it points.
    if !standard_output && !overwrite && file.symlink_metadata().is_ok() {
        bail!(
            "there is already a file {}; name another one, or add --overwrite",
            file.display()
        );
    }
    let bar = byte_bar(None, "backup");
    if standard_output {
        copy(config, &mut bar.wrap_write(io::stdout().lock()))?;
    } else {
        let outcome: Result<(), Wrapped> = write(file, PRIVATE, |out| {
            copy(config, &mut bar.wrap_write(out)).map_err(Wrapped)
        });
        outcome
            .map_err(|wrapped| wrapped.0)
            .with_context(|| format!("cannot write {}", file.display()))?;
    }
    bar.finish_and_clear();
    Ok(())
}

fn copy(config: &Config, out: &mut dyn Write) -> Result<()> {
    if let Some(queries) = ask::open(config)? {
        return Ok(queries.backup(out)?);
    }
    let mut failed = None;
    control::ask(
        &config.judge.data,
        &Question::Backup,
        |answer| match answer {
            Answer::Part(text) => {
                out.write_all(text.as_bytes())?;
                Ok(ControlFlow::Continue(()))
            }
            Answer::End => {
                out.flush()?;
                Ok(ControlFlow::Break(()))
            }
            Answer::Failed(why) => {
                failed = Some(why);
                Ok(ControlFlow::Break(()))
            }
            Answer::Text(_)
            | Answer::Picture(_)
            | Answer::Files(_)
            | Answer::Status(_)
            | Answer::Done(_)
            | Answer::Users(_) => Err(io::Error::other("the daemon answered another question")),
        },
    )
    .with_context(|| ask::no_answer_text(config))?;
    match failed {
        Some(why) => bail!(why),
        None => Ok(()),
    }
}

/// What follows a restore.
#[derive(Clone, Copy)]
pub(super) enum AfterRestore {
    Nothing,
    CatchUp(OldMails),
}

/// Makes a store from a copy.
pub(super) fn restore(
    config: &Config,
    file: &Path,
    then: AfterRestore,
    clock: Clock,
    out: &mut dyn Write,
) -> Result<()> {
    let source = about(File::open(file), "open", file)?;
    let size = source.metadata().map(|metadata| metadata.len()).ok();
    let bar = byte_bar(size, "restore");
    let mut reader = BufReader::new(bar.wrap_read(source));
    match store::restore(&config.judge.data, &mut reader) {
        Err(StoreError::Busy { .. }) => {
            bail!("the daemon is running on that store; stop it, and restore into an empty folder")
        }
        other => other.with_context(|| format!("cannot restore {}", file.display()))?,
    }
    bar.finish_and_clear();
    if let AfterRestore::CatchUp(old_mails) = then {
        let done = catch_up::catch_up(config, clock, old_mails)
            .context("the store cannot catch up; empty its folder before you try again")?;
        tell(&done, out)?;
    }
    keeper::forget_again(config)
}

/// Tells the keeper what a store has caught up with, and what is left to him.
fn tell(done: &CaughtUp, out: &mut dyn Write) -> io::Result<()> {
    let CaughtUp {
        messages,
        due,
        acts,
        journal,
        missing,
        paused,
        taken_as_sent,
    } = done;
    writeln!(
        out,
        "{messages} messages are taken again, {due} times something fell due, {acts} of your acts are repeated."
    )?;
    if !journal {
        writeln!(
            out,
            "There is no journal of what no mailbox holds. What came by pipe since the backup, and what you did on the command line, \
             is lost, and games that began since have other seeds."
        )?;
    }
    for sentence in missing {
        writeln!(out, "{sentence}")?;
    }
    if *taken_as_sent > 0 {
        writeln!(
            out,
            "{taken_as_sent} mails must have been sent before and are not sent again; restore with --resend sends them."
        )?;
    }
    if !paused.is_empty() {
        let names: Vec<&str> = paused.iter().map(String::as_str).collect();
        writeln!(
            out,
            "Paused until their masters, or you by dipjudge resume-all, have compared them with the mails: {}.",
            names.join(", ")
        )?;
    }
    Ok(())
}

/// An error of the copy, or of the file that is written.
struct Wrapped(anyhow::Error);

impl From<io::Error> for Wrapped {
    fn from(error: io::Error) -> Wrapped {
        Wrapped(error.into())
    }
}
