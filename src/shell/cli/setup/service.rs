//! The service that the package brings: begun at the end of a setup, where systemd runs.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use super::CONFIG_FOLDER;
use super::judge_user::JudgeUser;

/// Where systemd says that it runs (sd_booted(3)).
const BOOTED: &str = "/run/systemd/system";
const UNIT: &str = "dipjudge.service";

/// Enables and starts the service, or says what is typed to start the judge.
pub(super) fn begin(
    leave_alone: bool,
    user: &JudgeUser,
    dir: &Path,
    file: &Path,
    out: &mut dyn Write,
) -> Result<()> {
    let is_usual = dir == Path::new(CONFIG_FOLDER) && matches!(user, JudgeUser::Other { .. });
    if is_usual && Path::new(BOOTED).is_dir() && systemctl(&["cat", UNIT])? {
        if leave_alone {
            writeln!(out, "Start it with: systemctl enable --now dipjudge")?;
            return Ok(());
        }
        if !systemctl(&["enable", "--now", UNIT])? {
            bail!(
                "the judge is made, and its service does not start: journalctl -u dipjudge says why"
            );
        }
        writeln!(
            out,
            "The judge runs, and starts with the machine. Look with: dipjudge status"
        )?;
        return Ok(());
    }
    writeln!(
        out,
        "Start it with: {}dipjudge --config {} run",
        user.prefix(),
        file.display()
    )?;
    Ok(())
}

/// Whether systemctl succeeds. What it says against something goes to standard error.
fn systemctl(words: &[&str]) -> Result<bool> {
    let status = Command::new("systemctl")
        .args(words)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .status()
        .context("cannot run systemctl")?;
    Ok(status.success())
}
