//! The trees of the database, their keys and rows.
//!
//! Numbers in keys are big-endian, so that bytes and numbers have the same order. Rows are JSON.

use std::path::Path;
use std::time::Duration;

use jiff::Timestamp;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::blobs::{Hash, Place};
use super::error::StoreError;

/// Version of the form that this module describes; stored under [`VERSION`].
pub(super) const STORE_VERSION: u64 = 4;
/// Key in `own` of the store's version.
pub(super) const VERSION: &[u8] = b"version";
/// Key in `own` of the next number to be assigned.
pub(super) const NEXT: &[u8] = b"next";
/// Key in `own` of the number of writes so far.
pub(super) const WRITES: &[u8] = b"writes";
/// Key in `own` of a number of bytes that the keys and values of the database have at least: those that were counted last, and the
/// records since. Missing where nothing was counted.
pub(super) const KEPT: &[u8] = b"kept";
/// The name of the tree `own`.
pub(super) const OWN: &str = "own";
/// Begins the keys in `own` of dropped names whose rows are not removed yet.
pub(super) const DROPPED: &[u8] = b"dropped ";
/// Longer values are in files of their own.
pub(super) const INLINE: usize = 8 * 1024;

/// All trees.
pub(super) struct Tables {
    /// The store's version and counters.
    pub(super) own: sled::Tree,
    /// Other state of the callers: key to cell.
    pub(super) meta: sled::Tree,
    /// Name of a log or game to [`NameRow`].
    pub(super) names: sled::Tree,
    /// Number of the name, sequence number in the log: to cell.
    pub(super) records: sled::Tree,
    /// Number of the name, time, number: to cell with [`super::Archived`].
    pub(super) archive: sled::Tree,
    /// Key of a message to the time at which it was handled last.
    pub(super) seen: sled::Tree,
    /// Name of a memo to its content. In the database the tree is called `counts`, since these were the first memos.
    pub(super) memos: sled::Tree,
    /// Number to [`MailRow`].
    pub(super) outbox: sled::Tree,
    /// Number to [`MailRow`], of mails given up.
    pub(super) failed: sled::Tree,
    /// Hash of a blob to [`BlobRow`].
    pub(super) blobs: sled::Tree,
    /// Name of a file to the number of its blobs that rows name.
    pub(super) files: sled::Tree,
}

impl Tables {
    /// Opens them all.
    pub(super) fn open(db: &sled::Db) -> Result<Self, StoreError> {
        Ok(Self {
            own: db.open_tree(OWN)?,
            meta: db.open_tree("meta")?,
            names: db.open_tree("names")?,
            records: db.open_tree("records")?,
            archive: db.open_tree("archive")?,
            seen: db.open_tree("seen")?,
            memos: db.open_tree("counts")?,
            outbox: db.open_tree("outbox")?,
            failed: db.open_tree("failed")?,
            blobs: db.open_tree("blobs")?,
            files: db.open_tree("files")?,
        })
    }
}

impl Tables {
    /// A number of the store's own.
    pub(super) fn own_number(&self, key: &[u8]) -> Result<Option<u64>, StoreError> {
        let bytes = self.own.get(key)?;
        bytes.map(|bytes| to_number(&bytes)).transpose()
    }
}

/// Opens the database in `dir`. The caller holds the lock of the store.
pub(super) fn open_database(dir: &Path) -> Result<sled::Db, StoreError> {
    sweep_generating(dir)?;
    let config = sled::Config::new().path(dir).cache_capacity(32 << 20);
    // Threads of a database that this process has just closed may still hold its lock for a moment.
    for _ in 0..100 {
        match config.open() {
            Err(sled::Error::Io(error)) if error.to_string().contains("could not acquire lock") => {
                std::thread::sleep(Duration::from_millis(20));
            }
            done => return Ok(done?),
        }
    }
    Ok(config.open()?)
}

/// Deletes snapshots that were being written when the process was killed: the database would read one as a complete
/// snapshot and fail to open. Nothing is lost, since the older snapshot is removed only after the new one has its name.
fn sweep_generating(dir: &Path) -> Result<(), StoreError> {
    let entries = match std::fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(StoreError::io("list", dir)(error)),
    };
    for entry in entries {
        let entry = entry.map_err(StoreError::io("list", dir))?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with("snap.") && name.ends_with(".generating") {
            let path = entry.path();
            std::fs::remove_file(&path).map_err(StoreError::io("remove", &path))?;
            tracing::info!(?path, "an unfinished snapshot is removed");
        }
    }
    Ok(())
}

/// The row of a log or game. Other rows use its number, so that it can be renamed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct NameRow {
    /// Its number.
    pub(super) id: u64,
    /// The number of records of its log; they are numbered from 0.
    pub(super) records: u64,
    /// The hash of the last record; missing where an older version wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) last: Option<Hash>,
}

/// Which parts of a mail are sent. The store always keeps the whole mail.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MailForm {
    /// All of it.
    #[default]
    Whole,
    /// All except its picture.
    WithoutPicture,
    /// Its plain text only.
    TextAlone,
}

impl MailForm {
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
    pub(super) fn is_whole(&self) -> bool {
        *self == MailForm::Whole
    }
}

/// A mail that waits or was given up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct MailRow {
    pub(super) envelope_from: String,
    pub(super) to: String,
    /// Hash of the text.
    pub(super) blob: String,
    /// The bytes that it shares with other mails.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) shared: Option<SharedRow>,
    pub(super) rank: u8,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) game: Option<String>,
    pub(super) attempts: u32,
    pub(super) due: Timestamp,
    pub(super) created: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) first_tried: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) why: Option<String>,
    #[serde(default, skip_serializing_if = "MailForm::is_whole")]
    pub(super) form: MailForm,
    /// It waits for a retry, and later mails to the same recipient do not wait for it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) aside: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) given_up: Option<Timestamp>,
}

impl MailRow {
    /// The hash of its text.
    pub(super) fn hash(&self) -> Result<Hash, StoreError> {
        Hash::from_hex(&self.blob)
            .ok_or_else(|| StoreError::damaged("a mail names no file as its text"))
    }
}

/// Bytes that several mails share, stored once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SharedRow {
    /// The offset in the mail's own bytes at which they are inserted.
    pub(super) at: u64,
    /// Hash of the bytes.
    pub(super) blob: String,
}

impl SharedRow {
    /// The hash of the bytes.
    pub(super) fn hash(&self) -> Result<Hash, StoreError> {
        Hash::from_hex(&self.blob)
            .ok_or_else(|| StoreError::damaged("a mail names no file as its picture"))
    }
}

/// The row of a blob.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BlobRow {
    /// The number of rows that name it.
    pub(super) holders: u64,
    /// Where it is stored.
    pub(super) place: Place,
}

impl BlobRow {
    /// The stored form.
    pub(super) fn encode(self) -> Vec<u8> {
        let Place { file, at, length } = self.place;
        let numbers = [self.holders, at, length].map(u64::to_be_bytes);
        [numbers.as_flattened(), &file.0].concat()
    }

    /// Reads the stored form.
    pub(super) fn decode(stored: &[u8]) -> Result<Self, StoreError> {
        let (numbers, file) = stored.split_at_checked(24).unwrap_or_default();
        let number = |at: usize| to_number(numbers.get(at..at + 8).unwrap_or_default());
        let file = file
            .try_into()
            .map_err(|_| StoreError::damaged("a row of a large value cannot be read"))?;
        Ok(Self {
            holders: number(0)?,
            place: Place {
                file: Hash(file),
                at: number(8)?,
                length: number(16)?,
            },
        })
    }
}

/// A value in a tree: the value itself, or the name of its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cell<'a> {
    /// The value.
    Inline(&'a [u8]),
    /// The file with the value.
    Blob(Hash),
}

impl<'a> Cell<'a> {
    /// The cell for this value.
    pub(super) fn of(bytes: &'a [u8]) -> Self {
        if bytes.len() > INLINE {
            Self::Blob(Hash::of(bytes))
        } else {
            Self::Inline(bytes)
        }
    }

    /// The stored form, whose first byte is the kind.
    pub(super) fn encode(self) -> Vec<u8> {
        match self {
            Self::Inline(bytes) => [b"=", bytes].concat(),
            Self::Blob(Hash(hash)) => [&b"#"[..], &hash].concat(),
        }
    }

    /// Reads the stored form.
    pub(super) fn decode(stored: &'a [u8]) -> Result<Self, StoreError> {
        match stored {
            [b'=', bytes @ ..] => Ok(Self::Inline(bytes)),
            [b'#', hash @ ..] => hash
                .try_into()
                .map(|hash| Self::Blob(Hash(hash)))
                .map_err(|_| StoreError::damaged("a value names no file")),
            _ => Err(StoreError::damaged(
                "a value is neither itself nor in a file",
            )),
        }
    }
}

/// A row as JSON.
pub(super) fn to_row<T: Serialize>(row: &T) -> Result<Vec<u8>, StoreError> {
    serde_json::to_vec(row).map_err(|error| StoreError::Database {
        what: error.to_string(),
    })
}

/// A row from JSON.
pub(super) fn from_row<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, StoreError> {
    serde_json::from_slice(bytes)
        .map_err(|error| StoreError::damaged(format!("a row cannot be read: {error}")))
}

/// A number as a key or value.
pub(super) fn to_number(bytes: &[u8]) -> Result<u64, StoreError> {
    bytes
        .try_into()
        .map(u64::from_be_bytes)
        .map_err(|_| StoreError::damaged("a number has not eight bytes"))
}

/// Microseconds since 1970, encoded such that the order of the bytes is that of time, also before 1970.
pub(super) fn time_key(at: Timestamp) -> [u8; 8] {
    (at.as_microsecond().cast_unsigned() ^ (1 << 63)).to_be_bytes()
}

/// The time that [`time_key`] wrote.
pub(super) fn from_time_key(bytes: &[u8]) -> Result<Timestamp, StoreError> {
    let micros = (to_number(bytes)? ^ (1 << 63)).cast_signed();
    Timestamp::from_microsecond(micros)
        .map_err(|_| StoreError::damaged("a time lies outside all years"))
}

/// Key of a record.
pub(super) fn record_key(log: u64, seq: u64) -> [u8; 16] {
    let mut key = [0; 16];
    let (first, second) = key.split_at_mut(8);
    first.copy_from_slice(&log.to_be_bytes());
    second.copy_from_slice(&seq.to_be_bytes());
    key
}

/// Key of an archived text; `number` distinguishes and orders those of one moment.
pub(super) fn archive_key(game: u64, at: Timestamp, number: u64) -> Vec<u8> {
    [game.to_be_bytes(), time_key(at), number.to_be_bytes()].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_sort_as_bytes_across_1970_and_read_back() {
        let times = [i64::MIN / 100_000, -1, 0, 1, 1_800_000_000_000_000]
            .map(|micros| Timestamp::from_microsecond(micros).unwrap());
        let keys = times.map(time_key);
        assert!(keys.is_sorted());
        for time in times {
            assert_eq!(from_time_key(&time_key(time)).unwrap(), time);
        }
    }

    #[test]
    fn the_row_of_a_blob_reads_back_and_nothing_else_does() {
        let row = BlobRow {
            holders: 3,
            place: Place {
                file: Hash::of(b"a file"),
                at: 500,
                length: 20_000,
            },
        };
        assert_eq!(BlobRow::decode(&row.encode()).unwrap(), row);
        assert!(BlobRow::decode(&row.encode()[1..]).is_err());
        assert!(BlobRow::decode(b"").is_err());
    }

    #[test]
    fn a_value_is_kept_inline_up_to_the_limit() {
        let small = vec![b'x'; INLINE];
        let large = vec![b'x'; INLINE + 1];
        assert_eq!(
            Cell::decode(&Cell::of(&small).encode()).unwrap(),
            Cell::Inline(&small)
        );
        assert_eq!(
            Cell::decode(&Cell::of(&large).encode()).unwrap(),
            Cell::Blob(Hash::of(&large))
        );
        assert!(Cell::decode(b"").is_err());
        assert!(Cell::decode(b"#short").is_err());
    }
}
