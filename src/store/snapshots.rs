//! Snapshots of what logs lead to, so that a start need not read whole logs. A snapshot is a file beside the database, named by the
//! number of its log. It bears the number of records that it holds, the hash of the last of them and the hash of its own content;
//! if anything does not fit, it is ignored. So nothing is lost with a snapshot, and none is synced.
//!
//! Snapshots hold hashes of passwords and what players submit, as logs do: nobody but the owner may read them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use dipjudge_judge::Snapshot;

use super::blobs::Hash;
use super::error::StoreError;
use super::faults::{StepKind, step};
use super::read::Records;
use super::tables::{NameRow, record_key};
use super::{Store, make_private_folder};

/// The first line of each file.
const FIRST_LINE: &str = "dipjudge snapshot 1";
/// A snapshot is due when so many bytes of records have followed the last one,
const LEAST_TAIL: u64 = 4 << 10;
/// or so large a part of it, whichever is more.
const PART: u64 = 4;

/// The folder of the snapshots.
#[derive(Debug)]
pub(super) struct Snapshots {
    dir: PathBuf,
    tails: Mutex<Tails>,
}

/// The lengths of logs behind their snapshots.
#[derive(Debug, Default)]
struct Tails {
    by_log: BTreeMap<String, Tail>,
    /// The logs of which a snapshot is due.
    due: BTreeSet<String>,
}

/// How much has followed the last snapshot of a log.
#[derive(Clone, Copy, Debug, Default)]
struct Tail {
    /// The bytes of these records.
    bytes: u64,
    /// The bytes of the snapshot.
    snapshot: u64,
}

impl Tail {
    fn is_due(self) -> bool {
        self.bytes > LEAST_TAIL.max(self.snapshot / PART)
    }
}

impl Snapshots {
    /// Opens the folder, and creates it if it is missing.
    pub(super) fn open(dir: &Path) -> Result<Self, StoreError> {
        let dir = dir.join("snapshots");
        make_private_folder(&dir)?;
        Ok(Self {
            dir,
            tails: Mutex::default(),
        })
    }

    fn path(&self, log: NameRow) -> PathBuf {
        self.dir.join(format!("{:016x}", log.id))
    }

    fn tails(&self) -> MutexGuard<'_, Tails> {
        self.tails.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change_tail(&self, log: &str, change: impl FnOnce(&mut Tail)) {
        let mut tails = self.tails();
        let Tails { by_log, due } = &mut *tails;
        let tail = match by_log.get_mut(log) {
            Some(tail) => tail,
            None => by_log.entry(log.to_owned()).or_default(),
        };
        change(tail);
        if tail.is_due() {
            if !due.contains(log) {
                due.insert(log.to_owned());
            }
        } else {
            due.remove(log);
        }
    }

    /// Counts a record that was appended or that a start has read.
    pub(super) fn count(&self, log: &str, record: &[u8]) {
        self.change_tail(log, |tail| tail.bytes += record.len() as u64);
    }

    /// Removes the snapshot of a log that is dropped.
    pub(super) fn remove(&self, name: &str, log: NameRow) {
        let mut tails = self.tails();
        tails.by_log.remove(name);
        tails.due.remove(name);
        drop(tails);
        match fs::remove_file(self.path(log)) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                tracing::warn!(%error, "the snapshot of a dropped log stays");
            }
            _ => {}
        }
    }

    /// Gives the count of a log another name.
    pub(super) fn rename(&self, name: &str, new: &str) {
        let tail = self.tails().by_log.remove(name).unwrap_or_default();
        self.tails().due.remove(name);
        self.change_tail(new, |of_new| *of_new = tail);
    }

    fn read(&self, log: NameRow) -> Option<WrittenSnapshot> {
        WrittenSnapshot::decode(fs::read(self.path(log)).ok()?)
    }

    fn write(&self, log: NameRow, written: &WrittenSnapshot) -> std::io::Result<()> {
        let path = self.path(log);
        let draft = path.with_extension("tmp");
        let mut options = File::options();
        options.create(true).truncate(true).write(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        step(StepKind::Write, "a snapshot")?;
        let mut file = options.open(&draft)?;
        file.write_all(&written.encode())?;
        step(StepKind::Write, "the name of a snapshot")?;
        fs::rename(&draft, &path)
    }
}

/// What a file holds.
#[derive(Debug, PartialEq, Eq)]
struct WrittenSnapshot {
    /// The hash of the last record that the snapshot holds.
    last: Hash,
    snapshot: Snapshot,
}

impl WrittenSnapshot {
    fn encode(&self) -> Vec<u8> {
        let Snapshot { records, json } = &self.snapshot;
        let (last, own) = (self.last.to_hex(), Hash::of(json).to_hex());
        let head = format!("{FIRST_LINE}\n{records} {last} {own}\n");
        [head.as_bytes(), json].concat()
    }

    fn decode(mut bytes: Vec<u8>) -> Option<Self> {
        let (last, records, own, head) = {
            let mut parts = bytes.splitn(3, |byte| *byte == b'\n');
            let first = parts.next()?;
            let second = parts.next()?;
            if first != FIRST_LINE.as_bytes() {
                return None;
            }
            let mut words = std::str::from_utf8(second).ok()?.split(' ');
            let records: usize = words.next()?.parse().ok()?;
            let last = Hash::from_hex(words.next()?)?;
            let own = Hash::from_hex(words.next()?)?;
            (last, records, own, first.len() + second.len() + 2)
        };
        bytes.drain(..head.min(bytes.len()));
        (Hash::of(&bytes) == own).then_some(Self {
            last,
            snapshot: Snapshot {
                records,
                json: bytes,
            },
        })
    }
}

/// What is to be read of a log at a start.
pub struct LogToRead<'a> {
    /// A snapshot that fits the log.
    pub snapshot: Option<Snapshot>,
    /// The records behind it, or all.
    pub records: Records<'a>,
}

impl Store {
    /// The snapshot of a log and the records behind it. A snapshot that is damaged, or that does not fit the log, is ignored.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn log_to_read(&self, log: &str) -> Result<LogToRead<'_>, StoreError> {
        if let Some(name) = self.name(log)?
            && let Some(WrittenSnapshot { last, snapshot }) = self.snapshots.read(name)
            && self.holds(name, snapshot.records, last)?
        {
            let bytes = snapshot.json.len() as u64;
            self.snapshots
                .change_tail(log, |tail| tail.snapshot = bytes);
            return Ok(LogToRead {
                records: self.records_from(log, snapshot.records as u64)?,
                snapshot: Some(snapshot),
            });
        }
        Ok(LogToRead {
            snapshot: None,
            records: self.records(log)?,
        })
    }

    /// Whether the record of a log with this number, counted from 1, has this hash.
    fn holds(&self, log: NameRow, number: usize, hash: Hash) -> Result<bool, StoreError> {
        let number = number as u64;
        if number == 0 || number > log.records {
            return Ok(false);
        }
        if number == log.records
            && let Some(last) = log.last
        {
            return Ok(last == hash);
        }
        let row = self.tables.records.get(record_key(log.id, number - 1))?;
        let record = row.map(|row| self.value(&row)).transpose()?;
        Ok(record.is_some_and(|record| Hash::of(&record) == hash))
    }

    /// Counts what a start has read behind the snapshot of a log.
    pub fn count_read(&self, log: &str, record: &[u8]) {
        self.snapshots.count(log, record);
    }

    /// The logs that have grown so much since their snapshots that new ones are due.
    pub fn due_snapshots(&self) -> Vec<String> {
        self.snapshots.tails().due.iter().cloned().collect()
    }

    /// Keeps a snapshot of a log; `None` where none can be made, which is not asked for again at once. A snapshot of another number of records than
    /// the log has is left out. If it cannot be written, the next start takes longer.
    pub fn keep_snapshot(&self, log: &str, snapshot: Option<Snapshot>) {
        let size = snapshot.as_ref().map_or(0, |made| made.json.len() as u64);
        self.snapshots.change_tail(log, |tail| {
            *tail = Tail {
                bytes: 0,
                snapshot: size,
            };
        });
        let kept = snapshot.map(|snapshot| self.try_to_keep(log, snapshot));
        if let Some(Err(error)) = kept {
            tracing::warn!(%error, log, "a snapshot is not written");
        }
    }

    fn try_to_keep(&self, log: &str, snapshot: Snapshot) -> Result<(), StoreError> {
        let Some(name) = self.name(log)? else {
            return Ok(());
        };
        let records = snapshot.records as u64;
        if records != name.records || records == 0 {
            return Ok(());
        }
        let last = match name.last {
            Some(last) => last,
            None => {
                let row = self.tables.records.get(record_key(name.id, records - 1))?;
                let row = row.ok_or_else(|| StoreError::damaged("a log lacks its end"))?;
                Hash::of(&self.value(&row)?)
            }
        };
        let written = WrittenSnapshot { last, snapshot };
        let kept = self.snapshots.write(name, &written);
        kept.map_err(StoreError::io("write", &self.snapshots.path(name)))
    }
}
