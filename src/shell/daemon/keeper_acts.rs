//! Acts of the keeper: done by the daemon in order with everything else, or here if none runs.

use std::fmt;
use std::sync::mpsc::{self, Sender};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::event::Event;
use super::keeper_queries::KeeperQueries;
use super::notice::Notices;
use super::processor::Processor;
use super::setup;
use crate::clock::Clock;
use dipjudge_judge::KeeperAct;

/// How long the daemon may take until it comes to an act.
const PATIENCE: Duration = Duration::from_secs(100);

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

impl KeeperQueries {
    /// Does an act of the keeper, or only says what it would do.
    pub fn act(&self, act: &KeeperAct, mode: ActMode) -> KeeperOutcome {
        match &self.acts {
            Some(daemon) => by_daemon(daemon, act, mode),
            None => self.act_here(act, mode),
        }
    }

    fn act_here(&self, act: &KeeperAct, mode: ActMode) -> KeeperOutcome {
        let notices = Notices::new(&setup::settings(&self.config), &self.templates);
        let processor = Processor::new(
            self.judge.clone(),
            self.store.clone(),
            Clock::System,
            notices,
        );
        let done = match processor {
            Ok(mut processor) => processor.do_for_keeper(act, mode),
            Err(error) => return KeeperOutcome::Refused(error.to_string()),
        };
        done.unwrap_or_else(|error| KeeperOutcome::Refused(error.to_string()))
    }
}

fn by_daemon(daemon: &Sender<Event>, act: &KeeperAct, mode: ActMode) -> KeeperOutcome {
    let (reply, outcome) = mpsc::channel();
    let order = KeeperOrder {
        act: act.clone(),
        mode,
        reply,
    };
    let sent = daemon.send(Event::ForKeeper(Box::new(order)));
    match sent {
        Ok(()) => outcome.recv_timeout(PATIENCE).unwrap_or_else(|_| {
            let why = "the daemon has not come to it yet; look with dipjudge show, and ask again if it is not done";
            KeeperOutcome::Refused(why.to_owned())
        }),
        Err(_) => KeeperOutcome::Refused("the daemon is stopping".to_owned()),
    }
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
