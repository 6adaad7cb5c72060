//! The store: the durable state of the judge, on one disk, used by one process at a time.
//!
//! A game is its log: records are only appended, and the records of each log are numbered without gaps. A [`Batch`] is
//! one transaction: that a message is handled, the records that result and the mails to be sent. Once [`Store::commit`]
//! has returned, all of it survives the end of the process and power failures; if the process ends before, either all of
//! it is stored or nothing.
//!
//! Rows are in a database (sled), large values in files beside it. Nothing outside this crate depends on either.
//!
//! ```text
//! DIR/store.id     the id of the store
//! DIR/store.lock   held while the store is open
//! DIR/store.writes the number of writes that the database must have
//! DIR/sled/        the database
//! DIR/blobs/       large values, and the texts of mails
//! DIR/snapshots/   what logs lead to, for a quick start; may be deleted
//! ```
//!
//! Every call may block on the disk.
#![expect(
    clippy::disallowed_methods,
    reason = "the store reads and writes files"
)]

mod archived;
mod backup;
mod blobs;
mod compact;
mod error;
pub mod faults;
mod identity;
mod lock;
mod outbox;
mod queue;
mod read;
mod restore;
mod rewriting;
mod snapshots;
mod tables;
mod transaction;
mod upkeep;
mod write_count;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use dipjudge_judge::{ByName, MemoChange};
use dipjudge_mails::outbound::Letter;

pub use blobs::{Hash, from_hex, to_hex};
pub use error::StoreError;
pub use identity::{Owner, StoreId, find, owner, refuse_root, user_name};
pub use outbox::{FailedMail, OutboxMail, QueuedMail, RetryMode};
pub use queue::QueueFilter;
pub use read::Records;
pub use restore::{check_backup, restore};
pub use snapshots::LogToRead;
pub use tables::MailForm;

use blobs::Blobs;
use lock::Lock;
use outbox::SharedBytes;
use queue::Queue;
use snapshots::Snapshots;
use tables::{KEPT, MailRow, NEXT, NameRow, STORE_VERSION, SharedRow, Tables, VERSION, WRITES};
use transaction::{Changes, Failure};
use write_count::WriteCount;

/// What is written in one transaction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    /// The time at which the keys in `seen` are handled and `mails` are written.
    pub at: Timestamp,
    /// Keys of the message that this batch handles.
    pub seen: Vec<[u8; 32]>,
    /// Names of logs, and records to be appended to them in this order. A log begins with its first record.
    pub records: Vec<(String, Vec<u8>)>,
    /// Mails to be sent.
    pub mails: Vec<NewMail>,
    /// Texts for the archives of games.
    pub archive: Vec<NewArchived>,
    /// Keys and values of other state: counters, times, caches. Of several values for a key the last one counts.
    pub meta: Vec<(String, Vec<u8>)>,
    /// Keys whose values are removed, even if they are in `meta`.
    pub forget: Vec<String>,
    /// Changes of the judge's memos. Of several for a name the last one counts. Memos are used for some days at most and are not
    /// in backups.
    pub memos: Vec<MemoChange>,
}

/// A mail to be sent to one recipient.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewMail {
    /// Return path of the envelope.
    pub envelope_from: String,
    /// The one recipient.
    pub to: String,
    /// The message, RFC 5322.
    pub letter: Letter,
    /// 0 is sent first (results), 3 last (reminders).
    pub rank: u8,
    /// Its game, whose mails are sent one after another; `None` for a mail that belongs to no game.
    pub game: Option<String>,
    /// It is not sent before this time.
    pub due: Timestamp,
}

/// A text for the archive of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewArchived {
    /// Name of the game.
    pub game: String,
    /// The reader that it is kept for, named as by the caller; `None` for everybody.
    pub reader: Option<String>,
    /// When it was sent.
    pub at: Timestamp,
    /// Its subject.
    pub subject: String,
    /// Its text.
    pub body: String,
    /// Its form for readers who may not know addresses.
    pub by_name: ByName,
    /// It was a broadcast, not a result.
    pub broadcast: bool,
}

/// A text from the archive of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Archived {
    /// The reader that it is kept for; `None` for everybody, as in older stores.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reader: Option<String>,
    /// When it was sent.
    pub at: Timestamp,
    /// Its subject.
    pub subject: String,
    /// Its text.
    pub body: String,
    /// Its form for readers who may not know addresses; missing in older stores.
    #[serde(default, skip_serializing_if = "ByName::is_not_kept")]
    pub by_name: ByName,
    /// It was a broadcast, not a result.
    pub broadcast: bool,
    /// The SHA-256 of its subject and text as they were sent; missing in older stores.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<Hash>,
}

/// The open store. Reads may come from any thread; writes come one after another.
pub struct Store {
    // Order matters: fields are dropped from first to last, and the lock must be released last.
    tables: Tables,
    data: File,
    data_path: PathBuf,
    blobs: Blobs,
    snapshots: Snapshots,
    dir: PathBuf,
    id: StoreId,
    writer: Mutex<Writer>,
    backup: Mutex<()>,
    broken: AtomicBool,
    /// Number of writes so far; changed only while the writer's lock is held.
    writes: AtomicU64,
    write_count: WriteCount,
    _lock: Lock,
}

impl fmt::Debug for Store {
    // Without the content: mails, orders and hashes of passwords must not get into a log.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store")
            .field("dir", &self.dir)
            .finish_non_exhaustive()
    }
}

/// The state that the writer keeps in memory.
#[derive(Debug, Default)]
struct Writer {
    /// The next number for a name, mail or archived text.
    next: u64,
    /// The value of [`KEPT`].
    kept: Option<u64>,
    names: BTreeMap<String, NameRow>,
    queue: Queue,
    shared: SharedBytes,
}

impl Store {
    /// Creates an empty store in `dir` if there is none, and opens it.
    ///
    /// # Errors
    /// As [`Store::open`], or if it cannot be created.
    pub fn create(dir: &Path) -> Result<Self, StoreError> {
        Self::create_as(dir, None)
    }

    /// As [`Store::create`], with this id.
    fn create_as(dir: &Path, id: Option<&StoreId>) -> Result<Self, StoreError> {
        identity::refuse_root(dir)?;
        if !identity::exists(dir)? {
            make_private_folder(dir)?;
            let _lock = Lock::take(dir)?;
            // Another process may have created it before this one had the lock.
            if !identity::exists(dir)? {
                compact::recover(dir)?;
                identity::write_id(dir, id)?;
                compact::create(dir)?;
            }
        }
        Self::open(dir)
    }

    /// Opens the store in `dir`, and cleans up after a process that was killed: unfinished snapshots, files that no row
    /// names, unfinished compactions. A database that is much larger than its content is compacted.
    ///
    /// # Errors
    /// [`StoreError::Missing`] if there is none; [`StoreError::Busy`] at once if another process has it open;
    /// [`StoreError::Newer`], [`StoreError::Damaged`], [`StoreError::Unfinished`] if it cannot be used.
    pub fn open(dir: &Path) -> Result<Self, StoreError> {
        if !identity::exists(dir)? {
            return Err(StoreError::Missing {
                dir: dir.to_owned(),
            });
        }
        identity::refuse_root(dir)?;
        let lock = Lock::take(dir)?;
        restore::check_finished(dir)?;
        compact::recover(dir)?;
        let sled = compact::folder(dir);
        if !sled.exists() {
            return Err(StoreError::damaged("the database is gone"));
        }
        let db = compact::open_compacted(dir, compact::Limits::default())?;
        let tables = Tables::open(&db)?;
        let version = tables.own_number(VERSION)?.unwrap_or(0);
        match version {
            STORE_VERSION => {}
            0 => {
                return Err(StoreError::damaged(
                    "the database is not one of this program",
                ));
            }
            found if found < STORE_VERSION => {
                return Err(StoreError::Older {
                    found,
                    known: STORE_VERSION,
                });
            }
            found => {
                return Err(StoreError::Newer {
                    found,
                    known: STORE_VERSION,
                });
            }
        }
        // After the version, since older stores have no id.
        let id = identity::find(dir)?;
        let writes = tables.own_number(WRITES)?.unwrap_or(0);
        let write_count = WriteCount::open(dir, writes)?;
        let blobs = Blobs::open(&dir.join("blobs"))?;
        let swept = blobs.sweep(|file| Ok(transaction::blobs_in_file(&tables, file)? > 0))?;
        if swept > 0 {
            tracing::info!(swept, "files that no row names are removed");
        }
        let data_path = sled.join("db");
        let data = File::options()
            .read(true)
            .write(true)
            .open(&data_path)
            .map_err(StoreError::io("open", &data_path))?;
        blobs::sync_folder(&sled)?;
        blobs::sync_folder(dir)?;
        let writer = Mutex::new(Writer::read(&tables)?);
        let store = Self {
            tables,
            data,
            data_path,
            blobs,
            snapshots: Snapshots::open(dir)?,
            dir: dir.to_owned(),
            id,
            writer,
            backup: Mutex::new(()),
            broken: AtomicBool::new(false),
            writes: AtomicU64::new(writes),
            write_count,
            _lock: lock,
        };
        store.finish_dropping()?;
        Ok(store)
    }

    /// The id of the store.
    pub fn id(&self) -> &StoreId {
        &self.id
    }

    /// Writes a batch: one transaction, then flush, then sync. When this returns `Ok`, it is durable.
    ///
    /// # Errors
    /// Nothing of the batch is in the store, and it may be tried again. After an error in the transaction itself the store is
    /// [`StoreError::Broken`] and must be opened again.
    pub fn commit(&self, batch: &Batch) -> Result<(), StoreError> {
        let mut writer = self.writer()?;
        let mut changes = Changes::default();
        let mut draft = Draft::new(&writer);
        let mut kept = writer.kept;
        for key in &batch.seen {
            changes.seen.insert(key, &tables::time_key(batch.at));
        }
        for (log, record) in &batch.records {
            let name = draft.name(log);
            let key = tables::record_key(name.id, name.records);
            name.records += 1;
            name.last = Some(Hash::of(record));
            let value = changes.keep(record);
            kept = kept.map(|kept| kept + (key.len() + value.len()) as u64);
            changes.records.insert(&key, value);
        }
        if let Some(kept) = kept {
            changes.own.insert(KEPT, &kept.to_be_bytes());
        }
        for text in &batch.archive {
            let game = draft.name(&text.game).id;
            let key = tables::archive_key(game, text.at, draft.number());
            let row = Archived {
                reader: text.reader.clone(),
                at: text.at,
                subject: text.subject.clone(),
                body: text.body.clone(),
                by_name: text.by_name.clone(),
                broadcast: text.broadcast,
                digest: None,
            };
            let value = changes.keep(tables::to_row(&row.with_digest())?);
            changes.archive.insert(key, value);
        }
        for (key, value) in last_of_each(&batch.meta) {
            if batch.forget.iter().any(|forgotten| forgotten == key) {
                continue;
            }
            if let Some(old) = self.tables.meta.get(key)? {
                changes.release_cell(&old)?;
            }
            let value = changes.keep(value);
            changes.meta.insert(key.as_bytes(), value);
        }
        for key in batch.forget.iter().collect::<BTreeSet<_>>() {
            if let Some(old) = self.tables.meta.get(key)? {
                changes.release_cell(&old)?;
            }
            changes.meta.remove(key.as_bytes());
        }
        for MemoChange { name, content } in &batch.memos {
            match content {
                Some(content) => changes.memos.insert(name.as_bytes(), content.as_slice()),
                None => changes.memos.remove(name.as_bytes()),
            }
        }
        let mut mails = Vec::new();
        for mail in &batch.mails {
            let row = MailRow {
                envelope_from: mail.envelope_from.clone(),
                to: mail.to.clone(),
                blob: changes.keep_mail(&mail.letter.own).to_hex(),
                shared: mail.letter.shared.as_ref().map(|shared| SharedRow {
                    at: shared.at as u64,
                    blob: changes.keep_shared(&shared.image).to_hex(),
                }),
                rank: mail.rank,
                game: mail.game.clone(),
                attempts: 0,
                due: mail.due,
                created: batch.at,
                first_tried: None,
                why: None,
                form: MailForm::Whole,
                aside: false,
                given_up: None,
            };
            let id = draft.number();
            changes
                .outbox
                .insert(&id.to_be_bytes(), tables::to_row(&row)?);
            mails.push((id, row));
        }
        let Draft { next, names, .. } = draft;
        self.write_draft(&mut writer, next, names, changes)?;
        writer.kept = kept;
        for (id, row) in mails {
            writer.queue.put(id, row.entry());
        }
        for (log, record) in &batch.records {
            self.snapshots.count(log, record);
        }
        Ok(())
    }

    /// Takes the writer's lock. Fails once the store is broken.
    fn writer(&self) -> Result<MutexGuard<'_, Writer>, StoreError> {
        self.check_usable()?;
        // A thread that panicked with the lock held may have left memory and disk different.
        self.writer.lock().map_err(|_| StoreError::Broken)
    }

    fn check_usable(&self) -> Result<(), StoreError> {
        if self.broken.load(Ordering::Acquire) {
            return Err(StoreError::Broken);
        }
        Ok(())
    }

    /// Writes changes that use the numbers below `next`.
    fn write_draft(
        &self,
        writer: &mut Writer,
        next: u64,
        names: BTreeMap<String, NameRow>,
        mut changes: Changes<'_>,
    ) -> Result<(), StoreError> {
        for (name, row) in &names {
            changes.names.insert(name.as_bytes(), tables::to_row(row)?);
        }
        changes.own.insert(NEXT, &next.to_be_bytes());
        self.write(changes)?;
        writer.next = next;
        writer.names.extend(names);
        Ok(())
    }

    /// Writes changes. The caller holds the writer's lock, and updates the state in memory after this.
    fn write(&self, mut changes: Changes<'_>) -> Result<(), StoreError> {
        let writes = self.writes.load(Ordering::Acquire) + 1;
        changes.own.insert(WRITES, &writes.to_be_bytes());
        let (blobs, data, path) = (&self.blobs, &self.data, &self.data_path);
        match transaction::apply(&self.tables, blobs, data, path, &changes) {
            Ok(()) => self.writes.store(writes, Ordering::Release),
            Err(Failure::NotWritten(error)) => return Err(error),
            Err(Failure::Unknown(error)) => {
                self.broken.store(true, Ordering::Release);
                return Err(error);
            }
        }
        // The write is durable; only its later loss would not be noticed.
        if let Err(error) = self.write_count.note(writes) {
            tracing::warn!(%error, "the number of writes is not noted");
        }
        Ok(())
    }
}

/// Numbers assigned by a batch that is not written yet.
struct Draft<'a> {
    writer: &'a Writer,
    next: u64,
    names: BTreeMap<String, NameRow>,
}

impl<'a> Draft<'a> {
    fn new(writer: &'a Writer) -> Self {
        Draft {
            writer,
            next: writer.next,
            names: BTreeMap::new(),
        }
    }

    fn number(&mut self) -> u64 {
        let number = self.next;
        self.next += 1;
        number
    }

    fn name(&mut self, name: &str) -> &mut NameRow {
        let (known, next) = (&self.writer.names, &mut self.next);
        self.names.entry(name.to_owned()).or_insert_with(|| {
            known.get(name).copied().unwrap_or_else(|| {
                let id = *next;
                *next += 1;
                NameRow {
                    id,
                    records: 0,
                    last: None,
                }
            })
        })
    }
}

impl Writer {
    fn read(tables: &Tables) -> Result<Self, StoreError> {
        let mut writer = Self {
            next: tables.own_number(NEXT)?.unwrap_or(1),
            kept: tables.own_number(KEPT)?,
            ..Self::default()
        };
        for row in tables.names.iter() {
            let (key, value) = row?;
            writer
                .names
                .insert(read::text(&key)?, tables::from_row(&value)?);
        }
        for row in tables.outbox.iter() {
            let (key, value) = row?;
            let mail: MailRow = tables::from_row(&value)?;
            writer.queue.put(tables::to_number(&key)?, mail.entry());
        }
        Ok(writer)
    }
}

/// The last value of each key.
fn last_of_each(pairs: &[(String, Vec<u8>)]) -> BTreeMap<&str, &Vec<u8>> {
    pairs
        .iter()
        .map(|(key, value)| (key.as_str(), value))
        .collect()
}

/// Creates the folder if it is missing, accessible to its owner only: it will contain mails and hashes of passwords.
fn make_private_folder(dir: &Path) -> Result<(), StoreError> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
        .create(dir)
        .map_err(StoreError::io("make folder", dir))
}
