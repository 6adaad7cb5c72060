//! Where the passwords come from: a file, a command, standard input, or the keyboard.

use std::io::Read;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use super::SetupOptions;
use super::judge_user::JudgeUser;
use crate::cli::about;
use crate::secret::SecretSource;

/// The longest text on standard input, in bytes.
const LONGEST: u64 = 10_000;

/// A password, as setup got it.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum PasswordGiven {
    /// In a file that is there.
    File(PathBuf),
    /// By a command.
    Command(Vec<String>),
    /// Itself; setup writes it into a file.
    Word(String),
}

impl PasswordGiven {
    /// How it is fetched while setup tries it.
    pub(super) fn source(&self) -> SecretSource {
        match self {
            PasswordGiven::File(path) => SecretSource::PasswordFile(path.clone()),
            PasswordGiven::Command(words) => SecretSource::PasswordCommand(words.clone()),
            PasswordGiven::Word(word) => SecretSource::Password(word.clone()),
        }
    }

    /// One that was typed, if it is one.
    pub(super) fn typed(word: String) -> Option<PasswordGiven> {
        (!word.is_empty()).then_some(PasswordGiven::Word(word))
    }
}

/// The passwords of the options.
pub(super) struct PasswordsGiven {
    pub(super) inbox: Option<PasswordGiven>,
    /// Left out, it is that of the inbox.
    pub(super) relay: Option<PasswordGiven>,
}

impl PasswordsGiven {
    /// Takes them from where the options say.
    pub(super) fn read(
        options: &SetupOptions,
        user: &JudgeUser,
        input: &mut dyn Read,
    ) -> Result<PasswordsGiven> {
        let mut given = PasswordsGiven {
            inbox: named(
                options.inbox_password_file.as_deref(),
                options.inbox_password_command.as_deref(),
            )?,
            relay: named(
                options.relay_password_file.as_deref(),
                options.relay_password_command.as_deref(),
            )?,
        };
        for password in [&given.inbox, &given.relay].into_iter().flatten() {
            if let PasswordGiven::File(path) = password {
                user.must_read(path)?;
            }
        }
        if options.passwords_on_stdin {
            let mut text = String::new();
            input
                .take(LONGEST)
                .read_to_string(&mut text)
                .context("cannot read the passwords on standard input")?;
            let mut lines = text.lines().map(str::to_owned);
            given.inbox = lines.next().and_then(PasswordGiven::typed);
            if given.inbox.is_none() {
                bail!("standard input has no password on its first line");
            }
            given.relay = given
                .relay
                .or_else(|| lines.next().and_then(PasswordGiven::typed));
        }
        Ok(given)
    }
}

fn named(file: Option<&std::path::Path>, command: Option<&str>) -> Result<Option<PasswordGiven>> {
    if let Some(file) = file {
        let file = about(std::path::absolute(file), "find", file)?;
        return Ok(Some(PasswordGiven::File(file)));
    }
    let words = command.map(|line| line.split_whitespace().map(str::to_owned));
    Ok(words.map(|words| PasswordGiven::Command(words.collect())))
}
