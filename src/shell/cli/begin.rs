//! `init`: a judge's folder.

use std::fs::{DirBuilder, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;

use anyhow::{Result, bail};

use super::about;
use crate::shell::config::{COMMENTED, Config};
use crate::shell::daemon::{setup, status};
use crate::shell::maildir::Maildir;

/// Writes the config and makes the folders that it names.
pub(in crate::shell) fn init(dir: &Path, out: &mut dyn Write) -> Result<()> {
    about(
        DirBuilder::new().recursive(true).mode(0o755).create(dir),
        "make the folder",
        dir,
    )?;
    let file = dir.join("dipjudge.toml");
    // The environment does not count: what is made is what the file says.
    let config = Config::parse(COMMENTED, &file, [])?;
    let made = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o640)
        .open(&file);
    let mut made = match made {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            bail!(
                "there is already a config {}; nothing was changed",
                file.display()
            )
        }
        other => about(other, "write", &file)?,
    };
    about(
        made.write_all(COMMENTED.as_bytes())
            .and_then(|()| made.sync_all()),
        "write",
        &file,
    )?;
    let data = &config.judge.data;
    about(
        DirBuilder::new().recursive(true).mode(0o700).create(data),
        "make the folder",
        data,
    )?;
    setup::spool(&config).create()?;
    let inbox = status::maildir_of(&config);
    let outbox = match &config.outbox {
        crate::shell::config::Outbox::Maildir { path } => Some(Maildir::at(path)),
        crate::shell::config::Outbox::Smtp(_) => None,
    };
    for maildir in [&inbox, &outbox].into_iter().flatten() {
        maildir.create()?;
    }
    writeln!(out, "Wrote {}.", file.display())?;
    if let (Some(inbox), Some(outbox)) = (inbox, outbox) {
        writeln!(
            out,
            "Mail comes from {} and goes to {}.",
            inbox.root().display(),
            outbox.root().display()
        )?;
    }
    writeln!(
        out,
        "Edit the config, then: dipjudge --config {} run",
        file.display()
    )?;
    Ok(())
}
