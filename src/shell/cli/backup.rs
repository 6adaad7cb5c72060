//! `backup` and `restore`.

use std::fs::File;
use std::io::{self, BufReader, Write};
use std::ops::ControlFlow;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::{about, ask, byte_bar, keeper};
use crate::config::Config;
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

/// Makes a store from a copy.
pub(super) fn restore(config: &Config, file: &Path) -> Result<()> {
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
    keeper::forget_again(config)
}

/// An error of the copy, or of the file that is written.
struct Wrapped(anyhow::Error);

impl From<io::Error> for Wrapped {
    fn from(error: io::Error) -> Wrapped {
        Wrapped(error.into())
    }
}
