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
            ActMode::Real if mails > 0 => writeln!(f, "({} to others.)", counted(mails, "mail")),
            ActMode::Real => Ok(()),
            ActMode::DryRun => writeln!(
                f,
                "(Nothing was done.  Without --dry-run it would be, with {} to others.)",
                counted(mails, "mail")
            ),
        }
    }
}

/// `1 mail`, `3 mails`.
pub(crate) fn counted(number: usize, what: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{number} {what}{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mails_to_others_are_counted_in_words() {
        let report = |mails, mode| KeeperReport {
            said: "Done.".to_owned(),
            records: 1,
            mails,
            mode,
        };
        assert_eq!(report(0, ActMode::Real).to_string(), "Done.\n");
        assert_eq!(
            report(1, ActMode::Real).to_string(),
            "Done.\n(1 mail to others.)\n"
        );
        let dry = report(3, ActMode::DryRun).to_string();
        assert!(dry.contains("with 3 mails to others"), "{dry}");
    }
}
