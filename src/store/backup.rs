//! A consistent copy of the whole store as JSON Lines, for a new machine or a new version of the store.
//!
//! The first line identifies the format, the last one has the number of the lines before it and their SHA-256. Each line
//! between is one record, text, mail, key or value. Counts for the limits are left out, since they are outdated within a
//! day. Bytes are a string `text`, or a string `hex` if they are not UTF-8.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufReader, BufWriter, Seek, Write};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::blobs::{from_hex, to_hex};
use super::error::StoreError;
use super::faults::{StepKind, step};
use super::outbox::mails;
use super::tables::{self, MailRow};
use super::{Archived, Store, Writer, read};

/// Version of this format.
pub(super) const FORMAT: u64 = 2;

/// Bytes in a line of JSON.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Bytes {
    Text(String),
    Hex(String),
}

impl Bytes {
    fn new(bytes: Vec<u8>) -> Self {
        match String::from_utf8(bytes) {
            Ok(text) => Self::Text(text),
            Err(error) => Self::Hex(to_hex(error.as_bytes())),
        }
    }

    /// The bytes; `None` if [`Bytes::new`] did not write this.
    pub(super) fn into_bytes(self) -> Option<Vec<u8>> {
        match self {
            Self::Text(text) => Some(text.into_bytes()),
            Self::Hex(digits) => from_hex(&digits),
        }
    }
}

/// One line.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum BackupLine {
    /// The first one.
    Backup {
        of: String,
        format: u64,
        /// The id of the store.
        #[serde(default)]
        store: String,
    },
    /// The name of a log or game, even of one that has no record.
    Name {
        name: String,
    },
    Record {
        log: String,
        seq: u64,
        #[serde(flatten)]
        bytes: Bytes,
    },
    Archive {
        game: String,
        #[serde(flatten)]
        text: Archived,
    },
    Seen {
        key: String,
        at: Timestamp,
    },
    Meta {
        key: String,
        #[serde(flatten)]
        bytes: Bytes,
    },
    /// Bytes shared by several mails, before the first of them.
    Shared {
        sha256: String,
        #[serde(flatten)]
        bytes: Bytes,
    },
    /// A mail that waits or, with a time in `given_up`, was given up. Its `blob` is empty.
    Mail {
        #[serde(flatten)]
        row: MailRow,
        #[serde(flatten)]
        bytes: Bytes,
    },
    /// The last one.
    End {
        lines: u64,
        sha256: String,
    },
}

/// The value of `of`.
pub(super) const OF: &str = "dipjudge";

impl Store {
    /// Writes a consistent copy of the whole store. Writers wait only while it is made on the store's disk, not while it is
    /// copied to `writer`.
    ///
    /// # Errors
    /// If the store cannot be read, its disk is full, or `writer` fails.
    pub fn backup(&self, writer: &mut dyn Write) -> Result<(), StoreError> {
        let _one_at_a_time = self.backup.lock().map_err(|_| StoreError::Broken)?;
        let path = self.dir.join("backup.tmp");
        step(StepKind::Write, "the draft of a backup").map_err(StoreError::io("create", &path))?;
        let file = File::options()
            .create(true)
            .truncate(true)
            .read(true)
            .write(true)
            .open(&path)
            .map_err(StoreError::io("create", &path))?;
        // Unlinked at once where that is possible, so that it never remains.
        let unlinked = std::fs::remove_file(&path).is_ok();
        let mut lines = BackupWriter {
            out: BufWriter::new(file),
            digest: Sha256::new(),
            count: 0,
        };
        {
            let held = self.writer()?;
            self.write_lines(&held, &mut lines)?;
        }
        let mut file = lines.end()?;
        file.rewind().map_err(StoreError::Copy)?;
        std::io::copy(&mut BufReader::new(file), writer).map_err(StoreError::Copy)?;
        writer.flush().map_err(StoreError::Copy)?;
        if !unlinked {
            std::fs::remove_file(&path).map_err(StoreError::io("remove", &path))?;
        }
        Ok(())
    }

    fn write_lines(&self, held: &Writer, lines: &mut BackupWriter) -> Result<(), StoreError> {
        lines.put(&BackupLine::Backup {
            of: OF.to_owned(),
            format: FORMAT,
            store: self.id.as_str().to_owned(),
        })?;
        for (name, row) in &held.names {
            lines.put(&BackupLine::Name { name: name.clone() })?;
            let mut count = 0;
            for record in self.tables.records.scan_prefix(row.id.to_be_bytes()) {
                let (key, value) = record?;
                let seq = tables::to_number(key.get(8..).unwrap_or_default())?;
                if seq != count {
                    return Err(StoreError::damaged(format!("the log {name:?} has a gap")));
                }
                let bytes = Bytes::new(self.value(&value)?);
                lines.put(&BackupLine::Record {
                    log: name.clone(),
                    seq,
                    bytes,
                })?;
                count += 1;
            }
            if count != row.records {
                return Err(StoreError::damaged(format!(
                    "the log {name:?} lacks its end"
                )));
            }
            for text in self.tables.archive.scan_prefix(row.id.to_be_bytes()) {
                let text = tables::from_row(&self.value(&text?.1)?)?;
                lines.put(&BackupLine::Archive {
                    game: name.clone(),
                    text,
                })?;
            }
        }
        for row in self.tables.seen.iter() {
            let (key, at) = row?;
            lines.put(&BackupLine::Seen {
                key: to_hex(&key),
                at: tables::from_time_key(&at)?,
            })?;
        }
        for row in self.tables.meta.iter() {
            let (key, value) = row?;
            let bytes = Bytes::new(self.value(&value)?);
            lines.put(&BackupLine::Meta {
                key: read::text(&key)?,
                bytes,
            })?;
        }
        // In the order of writing, waiting or not: a restore numbers them in this order.
        let mails = mails(&self.tables.outbox).chain(mails(&self.tables.failed));
        let mut written = BTreeSet::new();
        for (_, mut row) in mails.collect::<Result<BTreeMap<_, _>, _>>()? {
            let bytes = Bytes::new(self.blob(row.hash()?)?);
            row.blob.clear();
            if let Some(shared) = &row.shared
                && written.insert(shared.blob.clone())
            {
                lines.put(&BackupLine::Shared {
                    sha256: shared.blob.clone(),
                    bytes: Bytes::new(self.blob(shared.hash()?)?),
                })?;
            }
            lines.put(&BackupLine::Mail { row, bytes })?;
        }
        Ok(())
    }
}

/// Writes lines, counts them and computes their digest.
struct BackupWriter {
    out: BufWriter<File>,
    digest: Sha256,
    count: u64,
}

impl BackupWriter {
    fn put(&mut self, line: &BackupLine) -> Result<(), StoreError> {
        let mut text = tables::to_row(line)?;
        text.push(b'\n');
        self.digest.update(&text);
        self.count += 1;
        self.out.write_all(&text).map_err(StoreError::Copy)
    }

    fn end(mut self) -> Result<File, StoreError> {
        let sha256 = to_hex(&self.digest.clone().finalize());
        self.put(&BackupLine::End {
            lines: self.count,
            sha256,
        })?;
        self.out
            .into_inner()
            .map_err(|error| StoreError::Copy(error.into_error()))
    }
}
