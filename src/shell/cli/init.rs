//! `init`: makes the folder of a judge.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::about;
use super::setup::ConfigText;
use crate::config::{Config, OutboxConfig};
use crate::daemon::{setup, status};
use crate::maildir::Maildir;
use dipjudge_store::{self as store, Store, StoreError};

/// Writes the config with the path of the data, and makes the empty store and the Maildirs that it names. If there is a
/// config already but no store, it makes the store of that config.
pub(crate) fn init(dir: &Path, data: Option<&Path>, out: &mut dyn Write) -> Result<()> {
    about(
        DirBuilder::new().recursive(true).mode(0o755).create(dir),
        "make the folder",
        dir,
    )?;
    let dir = about(fs::canonicalize(dir), "find the folder", dir)?;
    let file = dir.join("dipjudge.toml");
    if about(file.try_exists(), "look for", &file)? {
        return init_existing(&file, data, out);
    }
    let data = match data {
        Some(data) => about(std::path::absolute(data), "find the folder", data)?,
        None => dir.join("data"),
    };
    let text = commented(&data)?.text();
    // The environment is ignored: what is made is what the file says.
    let config = Config::parse(&text, &file, [])?;
    // The config is written last: while it is missing, all of this can be done again.
    let store = make_store(&config)?;
    let made = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o640)
        .open(&file);
    let mut made = about(made, "write", &file)?;
    about(
        made.write_all(text.as_bytes())
            .and_then(|()| made.sync_all()),
        "write",
        &file,
    )?;
    writeln!(out, "Wrote {}.", file.display())?;
    tell(&config, store, out)?;
    writeln!(
        out,
        "Edit the config, then: dipjudge --config {} run",
        file.display()
    )?;
    Ok(())
}

/// Makes what an existing config names, unless there is a store.
fn init_existing(file: &Path, data: Option<&Path>, out: &mut dyn Write) -> Result<()> {
    let text = about(fs::read_to_string(file), "read", file)?;
    let config = Config::parse(&text, file, [])?;
    let already = format!("there is already a config {}", file.display());
    match store::find(&config.judge.data) {
        Err(StoreError::Missing { .. }) if data.is_some() => {
            bail!("{already}, which says where the data is; leave --data out to make its store")
        }
        Err(StoreError::Missing { .. }) => {}
        Err(error) => return Err(error).context(format!("{already}; nothing was changed")),
        Ok(_) => bail!("{already}; nothing was changed"),
    }
    let store = make_store(&config)?;
    writeln!(out, "{} stays as it is.", file.display())?;
    tell(&config, store, out)
}

/// Whether the store was there before.
#[derive(Clone, Copy)]
enum StoreState {
    New,
    Existing,
}

/// Makes the store, its spool, and the Maildirs, as far as they are missing.
fn make_store(config: &Config) -> Result<StoreState> {
    let store = match store::find(&config.judge.data) {
        Err(StoreError::Missing { .. }) => StoreState::New,
        _ => StoreState::Existing,
    };
    Store::create(&config.judge.data)?;
    setup::spool(config).create()?;
    let maildirs = [status::maildir_of(config), outbox_maildir(config)];
    for maildir in maildirs.into_iter().flatten() {
        maildir.create()?;
    }
    Ok(store)
}

fn outbox_maildir(config: &Config) -> Option<Maildir> {
    match &config.outbox {
        OutboxConfig::Maildir { path } => Some(Maildir::at(path)),
        OutboxConfig::Smtp(_) => None,
    }
}

fn tell(config: &Config, store: StoreState, out: &mut dyn Write) -> Result<()> {
    let did = match store {
        StoreState::New => "Made an empty store in",
        StoreState::Existing => "There is a store already in",
    };
    writeln!(out, "{did} {}.", config.judge.data.display())?;
    if let (Some(inbox), Some(outbox)) = (status::maildir_of(config), outbox_maildir(config)) {
        writeln!(
            out,
            "Mail comes from {} and goes to {}.",
            inbox.root().display(),
            outbox.root().display()
        )?;
    }
    Ok(())
}

/// The commented config for a judge with its data in this folder, and its Maildirs beside it.
pub(super) fn commented(data: &Path) -> Result<ConfigText> {
    let beside = data.parent().unwrap_or(data);
    let mut text = ConfigText::commented();
    text.set_path("judge", "data", data)?;
    text.set_path("inbox", "path", &beside.join("mail/in"))?;
    text.set_path("outbox", "path", &beside.join("mail/out"))?;
    Ok(text)
}
