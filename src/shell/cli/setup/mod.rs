//! `setup`: five questions, each answer tried at once, and a judge of the answers.
//!
//! Nothing is written before all of them are answered, so a setup that is broken off leaves nothing behind but a Maildir that an answer
//! names.

mod config_text;
mod draft;
mod judge_user;
mod named_server;
mod passwords;
mod questions;
mod round_trip;
mod service;
mod terminal;

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, bail};
use clap::Args;

pub(super) use config_text::ConfigText;

use super::about;
use draft::Draft;
use judge_user::JudgeUser;
use passwords::PasswordsGiven;
use questions::Questioner;
use terminal::Terminal;

/// Where a judge lives that root sets up: the unit goes by it.
const CONFIG_FOLDER: &str = "/etc/dipjudge";
const DATA_FOLDER: &str = "/var/lib/dipjudge/data";

#[derive(Debug, Args)]
pub(super) struct SetupOptions {
    /// Where the config goes [default: /etc/dipjudge for root, else .]
    dir: Option<PathBuf>,
    /// The folder of the store [default: /var/lib/dipjudge/data for root, else DIR/data]
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// The judge's own address
    #[arg(long)]
    address: Option<String>,
    /// Where its mail comes from: a server (imap.games.net, imaps://USER@HOST:PORT), the folder of a Maildir (/srv/mail/judge), or
    /// pipe, if the mail server runs `dipjudge deliver`
    #[arg(long, value_name = "PLACE")]
    inbox: Option<String>,
    /// A file whose first line is the password of the inbox
    #[arg(long, value_name = "FILE")]
    inbox_password_file: Option<PathBuf>,
    /// A command that prints it, which is run for each login
    #[arg(long, value_name = "COMMAND", conflicts_with = "inbox_password_file")]
    inbox_password_command: Option<String>,
    /// The server that takes its mail (smtp.games.net, smtps://USER@HOST:PORT), or the folder of a Maildir; without USER there is no
    /// login
    #[arg(long, value_name = "PLACE")]
    relay: Option<String>,
    /// A file whose first line is the password of the relay [default: the password of the inbox]
    #[arg(long, value_name = "FILE")]
    relay_password_file: Option<PathBuf>,
    /// A command that prints it
    #[arg(long, value_name = "COMMAND", conflicts_with = "relay_password_file")]
    relay_password_command: Option<String>,
    /// Read passwords on standard input: of the inbox on the first line, of the relay on the second, if it has another one
    #[arg(long, conflicts_with_all = ["inbox_password_file", "inbox_password_command"])]
    passwords_on_stdin: bool,
    /// Its name, which stands in every subject
    #[arg(long)]
    name: Option<String>,
    /// Your address: who is told when something needs a human
    #[arg(long)]
    keeper: Option<String>,
    /// The certificates (PEM) of a private authority, for both mail servers
    #[arg(long, value_name = "FILE")]
    ca_file: Option<PathBuf>,
    /// As whom the judge runs, where root sets it up [default: dipjudge]
    #[arg(long)]
    user: Option<String>,
    /// How long a mail to itself may take
    #[arg(long, value_name = "SECONDS", default_value_t = 120)]
    wait: u64,
    /// Leave the service alone
    #[arg(long)]
    no_service: bool,
}

/// Asks what the options leave open, and makes the judge.
pub(super) fn setup(
    options: &SetupOptions,
    input: &mut dyn Read,
    out: &mut dyn Write,
) -> Result<()> {
    let user = JudgeUser::find(options.user.as_deref())?;
    let (dir, data) = places(options, &user)?;
    let file = dir.join("dipjudge.toml");
    if about(file.try_exists(), "look for", &file)? {
        bail!(
            "there is already a config {}, and setup never overwrites one; nothing was changed",
            file.display()
        );
    }
    let terminal = if options.passwords_on_stdin {
        None
    } else {
        Terminal::find()
    };
    if terminal.is_none() {
        all_given(options)?;
    }
    let mut draft = Draft::new(&file, &data)?;
    if let Some(ca_file) = &options.ca_file {
        let ca_file = about(std::path::absolute(ca_file), "find", ca_file)?;
        user.must_read(&ca_file)?;
        draft.trust(&ca_file)?;
    }
    let mut questioner = Questioner {
        options,
        terminal,
        user: &user,
        passwords: PasswordsGiven::read(options, &user, input)?,
        patience: Duration::from_secs(options.wait),
        out,
    };
    questioner.ask_all(&mut draft)?;
    let out = questioner.out;
    draft.write(&user, &dir, out)?;
    user.runs(&["init".as_ref(), dir.as_os_str()])?;
    let named = ["--config".as_ref(), file.as_os_str()];
    user.runs(&[named[0], named[1], "fetch-check".as_ref()])?;
    service::begin(options.no_service, &user, &dir, &file, out)
}

/// The folders of the config and of the store.
fn places(options: &SetupOptions, user: &JudgeUser) -> Result<(PathBuf, PathBuf)> {
    let usual = match user {
        JudgeUser::Oneself => ".",
        JudgeUser::Other { .. } => CONFIG_FOLDER,
    };
    let dir = options.dir.as_deref().unwrap_or(Path::new(usual));
    let dir = about(std::path::absolute(dir), "find the folder", dir)?;
    let data = match &options.data {
        Some(data) => about(std::path::absolute(data), "find the folder", data)?,
        None if dir == Path::new(CONFIG_FOLDER) => PathBuf::from(DATA_FOLDER),
        None => dir.join("data"),
    };
    Ok((dir, data))
}

/// Fails if an answer is missing that nobody can be asked for.
fn all_given(options: &SetupOptions) -> Result<()> {
    let SetupOptions {
        address,
        inbox,
        relay,
        name,
        keeper,
        ..
    } = options;
    let answers = [
        ("--address", address),
        ("--inbox", inbox),
        ("--relay", relay),
        ("--name", name),
        ("--keeper", keeper),
    ];
    let missing: Vec<&str> = answers
        .into_iter()
        .filter(|(_, answer)| answer.is_none())
        .map(|(option, _)| option)
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    bail!(
        "nobody can be asked here, since standard input is no terminal; give {}",
        missing.join(", ")
    )
}
