//! The journal in the second place of the backups: a line for each ruling, written before the ruling is stored. With a backup, the
//! mailbox and the journal a lost store can be made again (`catch_up.rs`).
//!
//! A message that lies in the mailbox is named by its digest alone. What no mailbox holds stands in the journal itself: mail by
//! pipe, acts of the keeper, seeds of new games.

use std::collections::BTreeMap;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use dipjudge_judge::{KeeperAct, Outage};
use dipjudge_store::StoreId;
use dipjudge_store::faults::{StepKind, step};

/// The start of the names of its files; the date and [`ENDING`] follow.
pub(super) const PREFIX: &str = "journal-";
pub(super) const ENDING: &str = ".jsonl";

/// Only the owner may read it.
const MODE: u32 = 0o600;

/// What a ruling was about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "cause", rename_all = "snake_case")]
pub enum JournalCause {
    /// A message of the inbox, which lies among the handled messages since.
    Message {
        /// Of the whole message as it was read.
        sha256: String,
        /// The time that its server stamped on it.
        stamped: Timestamp,
        /// The time that counts.
        arrived: Timestamp,
    },
    /// A message that came by `deliver`.
    Piped {
        /// Two hexadecimal digits for each byte.
        message: String,
        /// The time at which it was put down.
        stamped: Timestamp,
        /// The time that counts.
        arrived: Timestamp,
        /// Only its beginning is here.
        oversize: bool,
    },
    /// Something fell due.
    Due {
        /// What was due by this time was to be done.
        by: Timestamp,
        /// The outages of the inbox that were known.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        outages: Vec<Outage>,
    },
    /// The keeper asked for something.
    Keeper {
        /// What.
        act: KeeperAct,
    },
}

/// A line of the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JournalLine {
    /// The store that it belongs to.
    pub store: String,
    /// The number of rulings before this one. Where a number comes again, the program ended before the earlier ruling was stored.
    pub number: u64,
    /// The time as of which it was made.
    pub now: Timestamp,
    /// What it was about.
    #[serde(flatten)]
    pub cause: JournalCause,
    /// The logs that it added to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub logs: Vec<String>,
    /// The seeds that it drew, as hexadecimal digits.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seeds: Vec<String>,
}

/// The journal of a store.
#[derive(Clone, Debug)]
pub struct Journal {
    folder: PathBuf,
    store: StoreId,
}

impl Journal {
    /// The journal of this store in this folder.
    pub fn new(folder: &Path, store: &StoreId) -> Journal {
        Journal {
            folder: folder.to_owned(),
            store: store.clone(),
        }
    }

    /// The store whose journal it is.
    pub fn store(&self) -> &StoreId {
        &self.store
    }

    /// Appends lines durably to the file of their day.
    ///
    /// # Errors
    /// If the folder cannot be written.
    pub fn append(&self, lines: &[JournalLine]) -> io::Result<()> {
        let mut days: BTreeMap<String, Vec<u8>> = BTreeMap::new();
        for line in lines {
            let name = format!("{PREFIX}{}{ENDING}", line.now.strftime("%Y-%m-%d"));
            let text = days.entry(name).or_default();
            serde_json::to_writer(&mut *text, line)?;
            text.push(b'\n');
        }
        for (name, text) in days {
            step(StepKind::Write, "the journal")?;
            DirBuilder::new()
                .recursive(true)
                .mode(0o700)
                .create(&self.folder)?;
            let mut file = OpenOptions::new()
                .create(true)
                .append(true)
                .mode(MODE)
                .open(self.folder.join(name))?;
            file.write_all(&text)?;
            step(StepKind::Flush, "the journal")?;
            file.sync_all()?;
            File::open(&self.folder)?.sync_all()?;
        }
        Ok(())
    }

    /// Its lines from a number on, by number. A line that the end of the machine cut off is left out.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn lines_from(&self, number: u64) -> io::Result<BTreeMap<u64, JournalLine>> {
        let mut files: Vec<PathBuf> = match fs::read_dir(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            entries => entries?
                .map(|entry| entry.map(|entry| entry.path()))
                .collect::<io::Result<_>>()?,
        };
        files.retain(|path| is_journal(path));
        files.sort();
        let mut lines = BTreeMap::new();
        for path in files {
            for text in BufReader::new(File::open(path)?).split(b'\n') {
                let Ok(line) = serde_json::from_slice::<JournalLine>(&text?) else {
                    continue;
                };
                if line.store == self.store.as_str() && line.number >= number {
                    // What was written last was stored.
                    lines.insert(line.number, line);
                }
            }
        }
        Ok(lines)
    }
}

/// Whether a file is a part of a journal.
pub(super) fn is_journal(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| name.starts_with(PREFIX) && name.ends_with(ENDING))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(number: u64, day: &str, hour: u8) -> JournalLine {
        let now: Timestamp = format!("2026-03-{day}T{hour:02}:00:00Z").parse().unwrap();
        JournalLine {
            store: "0".repeat(32),
            number,
            now,
            cause: JournalCause::Due {
                by: now,
                outages: Vec::new(),
            },
            logs: vec!["kaiser".to_owned()],
            seeds: Vec::new(),
        }
    }

    #[test]
    fn what_was_written_is_read_by_number_and_the_last_of_a_number_counts() {
        let folder = tempfile::tempdir().unwrap();
        let store = StoreId::parse(&"0".repeat(32)).unwrap();
        let journal = Journal::new(&folder.path().join("far"), &store);
        assert!(journal.lines_from(0).unwrap().is_empty());
        let lines = [line(4, "01", 9), line(5, "01", 10), line(6, "02", 9)];
        journal.append(&lines).unwrap();
        journal.append(&[line(6, "02", 11)]).unwrap();
        let file = folder.path().join("far/journal-2026-03-02.jsonl");
        let mut torn = OpenOptions::new().append(true).open(file).unwrap();
        torn.write_all(b"{\"store\":\"0000").unwrap();
        let read = journal.lines_from(5).unwrap();
        assert_eq!(
            read.into_values().collect::<Vec<_>>(),
            [line(5, "01", 10), line(6, "02", 11)]
        );
    }
}
