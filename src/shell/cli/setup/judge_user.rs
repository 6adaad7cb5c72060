//! Whose the judge's files are: root sets a judge up for another user, everybody else for himself.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::cli::about;
use dipjudge_store::Owner;

/// The user whom the package makes.
const USUAL: &str = "dipjudge";

/// The user as whom the judge runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum JudgeUser {
    /// Whoever types the command.
    Oneself,
    /// Another one, for whom root makes it.
    Other {
        /// The name.
        name: String,
        /// The numbers.
        owner: Owner,
    },
}

impl JudgeUser {
    /// The user of this name, or the usual one where root asks.
    ///
    /// # Errors
    /// If the system has no such user, or somebody else than root names one.
    pub(super) fn find(named: Option<&str>) -> Result<JudgeUser> {
        let root = fs::metadata("/proc/self").is_ok_and(|metadata| metadata.uid() == 0);
        if !root {
            if named.is_some() {
                bail!("only root sets a judge up for another user");
            }
            return Ok(JudgeUser::Oneself);
        }
        let name = named.unwrap_or(USUAL);
        let users = fs::read_to_string("/etc/passwd").context("cannot read /etc/passwd")?;
        let owner = owner_in(&users, name).with_context(|| {
            format!(
                "this machine has no user {name}: the package makes it; without the package type useradd --system {name}, or name another one with --user"
            )
        })?;
        if owner.user == 0 {
            bail!("a judge does not run as root: name another user with --user");
        }
        Ok(JudgeUser::Other {
            name: name.to_owned(),
            owner,
        })
    }

    /// The numbers, where they are not those of this process.
    pub(super) fn owner(&self) -> Option<Owner> {
        match self {
            JudgeUser::Oneself => None,
            JudgeUser::Other { owner, .. } => Some(*owner),
        }
    }

    /// Makes the folder of the config, which the judge reads and does not write.
    pub(super) fn make_config_folder(&self, dir: &Path) -> Result<()> {
        if about(dir.try_exists(), "look for", dir)? {
            return Ok(());
        }
        self.make_folder(dir, 0o750)?;
        match self {
            JudgeUser::Oneself => Ok(()),
            JudgeUser::Other { .. } => about(chown(dir, Some(0), None), "hand over", dir),
        }
    }

    /// Makes a folder of the judge's own if it is missing, and those above it that are missing too.
    pub(super) fn make_folder(&self, dir: &Path, mode: u32) -> Result<()> {
        if about(dir.try_exists(), "look for", dir)? {
            return Ok(());
        }
        if let Some(above) = dir.parent() {
            self.make_folder(above, mode)?;
        }
        about(
            DirBuilder::new().mode(mode).create(dir),
            "make the folder",
            dir,
        )?;
        match self.owner() {
            Some(owner) => about(
                chown(dir, Some(owner.user), Some(owner.group)),
                "hand over",
                dir,
            ),
            None => Ok(()),
        }
    }

    /// Writes a new file that the judge reads and nobody else does; where root writes it, the judge cannot change it.
    pub(super) fn write_new(&self, path: &Path, text: &str) -> Result<()> {
        let mode = match self {
            JudgeUser::Oneself => 0o600,
            JudgeUser::Other { .. } => 0o640,
        };
        let mut options = OpenOptions::new();
        let made = options.write(true).create_new(true).mode(mode).open(path);
        let mut file = about(made, "write", path)?;
        if let Some(owner) = self.owner() {
            about(chown(path, None, Some(owner.group)), "hand over", path)?;
        }
        about(
            file.write_all(text.as_bytes())
                .and_then(|()| file.sync_all()),
            "write",
            path,
        )
    }

    /// Fails if a file is missing, or the judge cannot read it.
    pub(super) fn must_read(&self, path: &Path) -> Result<()> {
        if !about(path.try_exists(), "look for", path)? {
            bail!("there is no file {}", path.display());
        }
        let JudgeUser::Other { name, owner } = self else {
            return Ok(());
        };
        let status = Command::new("test")
            .arg("-r")
            .arg(path)
            .current_dir("/")
            .uid(owner.user)
            .gid(owner.group)
            .status()
            .context("cannot run the program test")?;
        if !status.success() {
            let path = path.display();
            bail!(
                "the user {name} cannot read {path}: type chgrp {name} {path} and chmod 0640 {path}, or lay it into a folder that is open to {name}"
            );
        }
        Ok(())
    }

    /// Runs a command of this program as the judge's user, with its own words on standard output.
    ///
    /// # Errors
    /// If it fails; it has said why.
    pub(super) fn runs(&self, arguments: &[&std::ffi::OsStr]) -> Result<()> {
        let program = std::env::current_exe().context("cannot find this program")?;
        let mut command = Command::new(program);
        command.args(arguments).current_dir("/");
        if let Some(owner) = self.owner() {
            command.uid(owner.user).gid(owner.group);
        }
        let status = command.status().context("cannot run this program again")?;
        if !status.success() {
            let words: Vec<_> = arguments
                .iter()
                .map(|word| word.to_string_lossy())
                .collect();
            bail!("dipjudge {} did not succeed", words.join(" "));
        }
        Ok(())
    }

    /// What is typed before a command so that the judge's user runs it.
    pub(super) fn prefix(&self) -> String {
        match self {
            JudgeUser::Oneself => String::new(),
            JudgeUser::Other { name, .. } => format!("runuser -u {name} -- "),
        }
    }
}

/// The numbers of a user in the text of `/etc/passwd`.
fn owner_in(users: &str, name: &str) -> Option<Owner> {
    let mut lines = users
        .lines()
        .map(|line| line.split(':').collect::<Vec<_>>());
    let fields = lines.find(|fields| fields.first() == Some(&name))?;
    Some(Owner {
        user: fields.get(2)?.parse().ok()?,
        group: fields.get(3)?.parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_is_found_by_his_whole_name() {
        let users = "root:x:0:0:root:/root:/bin/sh\ndipjudge:x:990:991::/:/usr/sbin/nologin\n";
        let owner = owner_in(users, "dipjudge").unwrap();
        assert_eq!((owner.user, owner.group), (990, 991));
        assert_eq!(owner_in(users, "dip"), None);
    }
}
