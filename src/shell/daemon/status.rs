//! How the judge is doing: what waits, what failed, what comes next.

use std::fmt::{self, Write};
use std::path::PathBuf;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::backups::Backups;
use super::game_texts::{self, Deadline};
use super::memory::Memory;
use super::sending::Halt;
use super::set_aside::SetAsideMessage;
use super::setup;
use crate::config::Config;
use crate::maildir::Maildir;
use dipjudge_judge::{Judge, UnreachedAddress};
use dipjudge_store::{Store, StoreError};

/// The most messages set aside that are listed.
const MOST_SET_ASIDE: usize = 20;
/// The most deadlines that are printed.
const MOST_DEADLINES: usize = 10;

/// How the judge is doing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    /// When the status was taken.
    pub at: Timestamp,
    /// Whether a daemon is running.
    pub daemon: bool,
    /// How many games there are, and how many of them are running.
    pub games: (usize, usize),
    /// How many messages were handled since the store was made.
    pub messages: u64,
    /// What waits in the inbox.
    pub inbox: SourceStatus,
    /// The spool of `deliver`.
    pub spool: SourceStatus,
    /// What waits to be sent.
    pub outbox: OutboxStatus,
    /// The copies of the store.
    pub backup: BackupStatus,
    /// The games that are stopped, and why.
    #[serde(default)]
    pub stopped: Vec<String>,
    /// Deadlines of running games, soonest first.
    pub deadlines: Vec<Deadline>,
    /// Addresses that mail does not reach.
    pub failing: Vec<FailingAddress>,
    /// How many messages are set aside for the keeper.
    pub set_aside_count: usize,
    /// The newest of them, newest first.
    pub set_aside: Vec<SetAsideMessage>,
}

/// Mail that is not handled yet.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceStatus {
    /// How many messages; `None` where only a mail server knows.
    pub messages: Option<usize>,
    /// When the oldest of them arrived.
    pub oldest: Option<Timestamp>,
    /// Since when the source cannot be reached.
    pub away_since: Option<Timestamp>,
    /// When it was last seen completely.
    pub last_look: Option<Timestamp>,
}

/// Mail that is not sent yet.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutboxStatus {
    /// How many mails.
    pub mails: usize,
    /// How many of them were tried without success.
    pub in_retry: usize,
    /// When the oldest of them was written.
    pub oldest: Option<Timestamp>,
    /// How many were given up.
    pub given_up: usize,
    /// Since when and why nothing is sent at all.
    pub stopped: Option<Halt>,
    /// Since when and why the server cannot be reached.
    pub away: Option<Halt>,
}

/// The copies that are made of the store.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackupStatus {
    /// Their folder; `None` if none are made.
    pub folder: Option<PathBuf>,
    /// When the last good one was written.
    pub last: Option<Timestamp>,
    /// How many attempts failed since.
    pub failures: u32,
    /// Why the last of these failed.
    pub why: Option<String>,
}

/// An address that mail does not reach.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailingAddress {
    /// The address.
    pub address: String,
    /// How many mails wait for another attempt.
    pub waiting: usize,
    /// How many mails were given up.
    pub given_up: usize,
    /// How many mails came back, where that marks the address as not reached.
    #[serde(default)]
    pub returned: usize,
    /// The last answer of the server, or since when mails have come back.
    pub why: String,
}

impl Status {
    /// Collects the status from the store, the judge, and the Maildirs on this machine.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn gather(
        judge: &Judge,
        store: &Store,
        config: &Config,
        at: Timestamp,
        daemon: bool,
    ) -> Result<Status, StoreError> {
        let (inbox, spool) = (maildir_of(config), setup::spool(config));
        let memory = Memory::read(store)?;
        let mut set_aside = SetAsideMessage::all(store)?;
        let set_aside_count = set_aside.len();
        set_aside.truncate(MOST_SET_ASIDE);
        Ok(Status {
            at,
            daemon,
            games: game_texts::counts(judge),
            messages: memory.messages,
            inbox: SourceStatus {
                away_since: memory.outages.since(),
                ..waiting(inbox.as_ref(), super::INBOX, &memory)
            },
            spool: waiting(Some(&spool), super::SPOOL, &memory),
            outbox: outbox(store)?,
            backup: backup(&memory.backups, config),
            stopped: game_texts::stopped(judge),
            deadlines: game_texts::deadlines(judge),
            failing: failing(store)?,
            set_aside_count,
            set_aside,
        })
    }
}

/// The status of a source; only the messages of a Maildir can be counted.
fn waiting(maildir: Option<&Maildir>, name: &str, memory: &Memory) -> SourceStatus {
    let found = maildir.and_then(|maildir| maildir.waiting().ok());
    SourceStatus {
        messages: found.as_ref().map(Vec::len),
        oldest: found.and_then(|found| found.iter().map(|message| message.arrived).min()),
        away_since: None,
        last_look: memory.looks.get(name).copied(),
    }
}

fn backup(backups: &Backups, config: &Config) -> BackupStatus {
    BackupStatus {
        folder: config.backup.as_ref().map(|backup| backup.path.clone()),
        last: backups.last,
        failures: backups.failures,
        why: backups.why.clone(),
    }
}

fn outbox(store: &Store) -> Result<OutboxStatus, StoreError> {
    let waiting = store.waiting()?;
    Ok(OutboxStatus {
        mails: waiting.len(),
        in_retry: waiting.iter().filter(|mail| mail.attempts > 0).count(),
        oldest: waiting.iter().map(|mail| mail.created).min(),
        given_up: store.failed()?.len(),
        stopped: Halt::stopped(store)?,
        away: Halt::away(store)?,
    })
}

fn failing(store: &Store) -> Result<Vec<FailingAddress>, StoreError> {
    let mut failing: Vec<FailingAddress> = Vec::new();
    for failed in store.failed()? {
        let entry = entry_of(&mut failing, failed.mail.to);
        entry.given_up += 1;
        entry.why = failed.mail.why.unwrap_or_default();
    }
    for mail in store.waiting()? {
        if mail.attempts > 0 {
            let entry = entry_of(&mut failing, mail.to);
            entry.waiting += 1;
            entry.why = mail.why.unwrap_or_default();
        }
    }
    for (name, content) in store.memos()? {
        if let Some(unreached) = UnreachedAddress::of_memo(&name, &content) {
            let entry = entry_of(&mut failing, unreached.address);
            entry.returned = unreached.returned;
            if entry.why.is_empty() {
                entry.why = format!("mail has come back since {}", unreached.since);
            }
        }
    }
    failing.sort_by(|a, b| a.address.cmp(&b.address));
    Ok(failing)
}

/// The entry of an address, made if it is missing.
fn entry_of(failing: &mut Vec<FailingAddress>, address: String) -> &mut FailingAddress {
    let known = failing
        .iter()
        .position(|failing| failing.address.eq_ignore_ascii_case(&address));
    let at = known.unwrap_or(failing.len());
    if known.is_none() {
        failing.push(FailingAddress {
            address,
            waiting: 0,
            given_up: 0,
            returned: 0,
            why: String::new(),
        });
    }
    &mut failing[at]
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (games, running) = self.games;
        writeln!(
            f,
            "daemon       {}",
            if self.daemon {
                "running"
            } else {
                "not running"
            }
        )?;
        writeln!(f, "games        {games}, {running} running")?;
        writeln!(f, "handled      {} messages", self.messages)?;
        writeln!(f, "inbox        {}", self.inbox)?;
        writeln!(f, "spool        {}", self.spool)?;
        writeln!(f, "outbox       {}", self.outbox)?;
        writeln!(f, "backup       {}", self.backup)?;
        section(f, "games that stand still", &self.stopped, |why| {
            format!("  {why}")
        })?;
        let next = self.deadlines.len().min(MOST_DEADLINES);
        let (next, later) = self.deadlines.split_at(next);
        section(f, "deadlines", next, |next| {
            format!("  {}  {} {}", next.deadline, next.game, next.phase)
        })?;
        if !later.is_empty() {
            writeln!(f, "  and {} later ones", later.len())?;
        }
        section(f, "failing addresses", &self.failing, |entry| {
            let came_back = match entry.returned {
                0 => String::new(),
                count => format!(", {count} came back"),
            };
            format!(
                "  {}: {} given up, {} waiting{came_back}; {}",
                entry.address, entry.given_up, entry.waiting, entry.why
            )
        })?;
        section(f, "messages set aside", &self.set_aside, |aside| {
            format!(
                "  {} arrived {}: {}",
                aside.number, aside.arrived, aside.why
            )
        })?;
        match self.set_aside_count.saturating_sub(self.set_aside.len()) {
            0 => Ok(()),
            older => writeln!(f, "  and {older} older ones; dipjudge set-aside lists all"),
        }
    }
}

/// A title and a line for each entry; nothing if there are no entries.
fn section<T>(
    f: &mut fmt::Formatter<'_>,
    title: &str,
    entries: &[T],
    line: impl Fn(&T) -> String,
) -> fmt::Result {
    if !entries.is_empty() {
        writeln!(f, "{title}")?;
    }
    entries
        .iter()
        .try_for_each(|entry| writeln!(f, "{}", line(entry)))
}

impl fmt::Display for SourceStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = match self.messages {
            Some(0) => "empty".to_owned(),
            Some(count) => format!("{count} not handled"),
            None => "not to be counted".to_owned(),
        };
        if let Some(oldest) = self.oldest {
            write!(text, ", the oldest of {oldest}")?;
        }
        if let Some(since) = self.away_since {
            write!(text, ", cannot be reached since {since}")?;
        }
        if let Some(look) = self.last_look {
            write!(text, ", last seen completely {look}")?;
        }
        f.write_str(&text)
    }
}

impl fmt::Display for OutboxStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} to send, {} of them tried in vain, {} given up",
            self.mails, self.in_retry, self.given_up
        )?;
        if let Some(oldest) = self.oldest {
            write!(f, ", the oldest of {oldest}")?;
        }
        if let Some(stopped) = &self.stopped {
            write!(f, "; STOPPED since {}: {}", stopped.at, stopped.why)?;
        }
        if let Some(away) = &self.away {
            write!(f, "; the server is away since {}: {}", away.at, away.why)?;
        }
        Ok(())
    }
}

impl fmt::Display for BackupStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.last {
            Some(last) => write!(f, "last good one {last}")?,
            None => f.write_str("none yet")?,
        }
        match &self.folder {
            Some(folder) => write!(f, ", in {}", folder.display())?,
            None => f.write_str(", and switched off")?,
        }
        match &self.why {
            Some(why) => write!(f, "; FAILED {} times since: {why}", self.failures),
            None => Ok(()),
        }
    }
}

/// The Maildir of the inbox, if it is one.
pub fn maildir_of(config: &Config) -> Option<Maildir> {
    match &config.inbox {
        crate::config::InboxConfig::Maildir { path } => Some(Maildir::at(path)),
        crate::config::InboxConfig::Imap(_) => None,
    }
}
