//! Acts of the keeper on their way to who does them, and what comes of them.

use std::fmt;
use std::sync::mpsc::Sender;

use serde::{Deserialize, Serialize};

use dipjudge_judge::KeeperAct;

/// Whether an act takes effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ActMode {
    /// It does.
    Real,
    /// It only says what it would do.
    DryRun,
}

/// What an act has done, or would do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeeperReport {
    /// What it says, a line for each thing.
    pub said: String,
    /// How many records it writes.
    pub records: usize,
    /// How many mails it sends.
    pub mails: usize,
    /// Whether it took effect.
    pub mode: ActMode,
}

/// What comes of an act.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeeperOutcome {
    /// It is done, or could be done.
    Done(KeeperReport),
    /// It is refused: a sentence part.
    Refused(String),
}

/// An act that waits for the daemon.
#[derive(Debug)]
pub struct KeeperOrder {
    /// What is to be done.
    pub act: KeeperAct,
    /// Whether it takes effect.
    pub mode: ActMode,
    /// Where the outcome is waited for.
    pub reply: Sender<KeeperOutcome>,
}

impl fmt::Display for KeeperReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.said.trim_end())?;
        let mails = self.mails;
        match self.mode {
            ActMode::Real if mails > 0 => writeln!(f, "({mails} mail(s) to others.)"),
            ActMode::Real => Ok(()),
            ActMode::DryRun => writeln!(
                f,
                "(Nothing was done.  Without --dry-run it would be, with {mails} mail(s) to others.)"
            ),
        }
    }
}
