//! One atomic write to the store.
//!
//! All writers hold the lock of [`super::Store`], so the changes are computed before the transaction and cannot conflict.
//! After the transaction `flush` makes it survive the end of the process, and `sync_data` of the data file makes it
//! survive a power failure (the database's own flush does not sync).

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::Path;

use sled::Transactional;
use sled::transaction::{ConflictableTransactionError, TransactionError};

use super::blobs::{Blobs, Hash, Place};
use super::error::StoreError;
use super::faults::{StepKind, step};
use super::tables::{BlobRow, Cell, Tables, to_number};
use dipjudge_mails::outbound::Image;

/// What one transaction changes.
#[derive(Debug, Default)]
pub(super) struct Changes<'a> {
    pub(super) own: sled::Batch,
    pub(super) meta: sled::Batch,
    pub(super) names: sled::Batch,
    pub(super) records: sled::Batch,
    pub(super) archive: sled::Batch,
    pub(super) seen: sled::Batch,
    pub(super) memos: sled::Batch,
    pub(super) outbox: sled::Batch,
    pub(super) failed: sled::Batch,
    texts: BTreeMap<Hash, Cow<'a, [u8]>>,
    /// Which of them are mails, which may be in one file.
    mails: BTreeSet<Hash>,
    holders: BTreeMap<Hash, i64>,
}

impl<'a> Changes<'a> {
    /// Keeps a value; returns the cell for the tree. A large value is written to a file, with this row as a holder.
    pub(super) fn keep(&mut self, bytes: impl Into<Cow<'a, [u8]>>) -> Vec<u8> {
        let bytes = bytes.into();
        let cell = Cell::of(&bytes);
        let stored = cell.encode();
        if let Cell::Blob(hash) = cell {
            self.hold_new(hash, bytes);
        }
        stored
    }

    /// Keeps the text of a mail in a file, whatever its size, and returns its name.
    pub(super) fn keep_mail(&mut self, bytes: &'a [u8]) -> Hash {
        let hash = Hash::of(bytes);
        self.mails.insert(hash);
        self.hold_new(hash, Cow::Borrowed(bytes));
        hash
    }

    /// Keeps bytes shared by several mails. Their hash was computed once when the image was drawn.
    pub(super) fn keep_shared(&mut self, image: &'a Image) -> Hash {
        let hash = Hash(image.sha256());
        self.mails.insert(hash);
        self.hold_new(hash, Cow::Borrowed(image.encoded()));
        hash
    }

    fn hold_new(&mut self, hash: Hash, bytes: Cow<'a, [u8]>) {
        self.texts.insert(hash, bytes);
        *self.holders.entry(hash).or_default() += 1;
    }

    /// Counts another row that names a stored blob.
    pub(super) fn hold(&mut self, hash: Hash) {
        *self.holders.entry(hash).or_default() += 1;
    }

    /// A row that names this blob is removed.
    pub(super) fn release(&mut self, hash: Hash) {
        *self.holders.entry(hash).or_default() -= 1;
    }

    /// A cell is removed.
    pub(super) fn release_cell(&mut self, stored: &[u8]) -> Result<(), StoreError> {
        if let Cell::Blob(hash) = Cell::decode(stored)? {
            self.release(hash);
        }
        Ok(())
    }
}

/// How a write failed.
#[derive(Debug)]
pub(super) enum Failure {
    /// Before the transaction: nothing was written, and the store can still be used.
    NotWritten(StoreError),
    /// In or after the transaction: it is not known what is on the disk.
    Unknown(StoreError),
}

/// Reads the row of a blob.
pub(super) fn blob(tables: &Tables, hash: Hash) -> Result<Option<BlobRow>, StoreError> {
    let row = tables.blobs.get(hash.0)?;
    row.map(|row| BlobRow::decode(&row)).transpose()
}

/// Reads the number of blobs in a file that rows name.
pub(super) fn blobs_in_file(tables: &Tables, file: Hash) -> Result<u64, StoreError> {
    let row = tables.files.get(file.0)?;
    row.map_or(Ok(0), |bytes| to_number(&bytes))
}

/// Writes the changes: files first, then the transaction, then flush and sync; then removes files that no row names.
pub(super) fn apply(
    tables: &Tables,
    blobs: &Blobs,
    data: &File,
    path: &Path,
    changes: &Changes<'_>,
) -> Result<(), Failure> {
    let files = Files::of(tables, changes).map_err(Failure::NotWritten)?;
    let new = files.new.iter().map(|(file, blobs)| {
        let parts = blobs.iter().filter_map(|blob| changes.texts.get(blob));
        (*file, parts.map(Cow::as_ref).collect())
    });
    blobs.write(new.collect()).map_err(Failure::NotWritten)?;

    let at_disk = |what| move |error| Failure::Unknown(StoreError::io(what, path)(error));
    step(StepKind::Write, "the transaction").map_err(at_disk("write"))?;
    let trees = (
        &tables.own,
        &tables.meta,
        &tables.names,
        &tables.records,
        &tables.archive,
        &tables.seen,
        &tables.memos,
        &tables.outbox,
        &tables.failed,
        &tables.blobs,
        &tables.files,
    );
    trees
        .transaction(
            |(own, meta, names, records, archive, seen, memos, outbox, failed, blobs, in_files)| {
                own.apply_batch(&changes.own)?;
                meta.apply_batch(&changes.meta)?;
                names.apply_batch(&changes.names)?;
                records.apply_batch(&changes.records)?;
                archive.apply_batch(&changes.archive)?;
                seen.apply_batch(&changes.seen)?;
                memos.apply_batch(&changes.memos)?;
                outbox.apply_batch(&changes.outbox)?;
                failed.apply_batch(&changes.failed)?;
                blobs.apply_batch(&files.of_blobs)?;
                in_files.apply_batch(&files.counts)?;
                Ok::<(), ConflictableTransactionError<()>>(())
            },
        )
        .map_err(|error| {
            Failure::Unknown(match error {
                TransactionError::Storage(error) => error.into(),
                TransactionError::Abort(()) => StoreError::Database {
                    what: "a transaction was given up".to_owned(),
                },
            })
        })?;
    step(StepKind::Flush, "the database").map_err(at_disk("flush"))?;
    tables
        .own
        .flush()
        .map_err(|error| Failure::Unknown(error.into()))?;
    step(StepKind::Flush, "the database's file")
        .and_then(|()| data.sync_data())
        .map_err(at_disk("sync"))?;

    for file in files.gone {
        blobs.remove(file);
    }
    Ok(())
}

/// The changes to blobs and their files.
#[derive(Default)]
struct Files {
    of_blobs: sled::Batch,
    counts: sled::Batch,
    /// Files to be written, with their blobs. No row named these blobs before; an existing file may be an orphan with unknown
    /// content, so it is written again.
    new: BTreeMap<Hash, Vec<Hash>>,
    gone: Vec<Hash>,
}

impl Files {
    fn of(tables: &Tables, changes: &Changes<'_>) -> Result<Self, StoreError> {
        let mut files = Self::default();
        // The number of blobs that each file loses.
        let mut lost: BTreeMap<Hash, u64> = BTreeMap::new();
        let mut mails = Vec::new();
        for (hash, change) in &changes.holders {
            let known = blob(tables, *hash)?;
            let before = known.map_or(0, |row| row.holders);
            let holders = before.saturating_add_signed(*change);
            match known {
                Some(row) if holders > 0 => {
                    let row = BlobRow { holders, ..row };
                    files.of_blobs.insert(&hash.0, row.encode());
                }
                Some(row) => {
                    files.of_blobs.remove(&hash.0);
                    *lost.entry(row.place.file).or_default() += 1;
                }
                None if holders == 0 => {}
                None if changes.mails.contains(hash) => mails.push(*hash),
                None => files.put(vec![*hash], changes),
            }
        }
        if !mails.is_empty() {
            files.put(mails, changes);
        }
        for (file, lost) in lost {
            let left = blobs_in_file(tables, file)?.saturating_sub(lost);
            if left > 0 {
                files.counts.insert(&file.0, &left.to_be_bytes());
            } else {
                files.counts.remove(&file.0);
                files.gone.push(file);
            }
        }
        Ok(files)
    }

    /// Puts new blobs into a file of their own.
    fn put(&mut self, blobs: Vec<Hash>, changes: &Changes<'_>) {
        let file = Hash::of_file(&blobs);
        let mut at = 0;
        for blob in &blobs {
            let length = changes.texts.get(blob).map_or(0, |text| text.len() as u64);
            let row = BlobRow {
                holders: changes
                    .holders
                    .get(blob)
                    .map_or(0, |new| new.unsigned_abs()),
                place: Place { file, at, length },
            };
            self.of_blobs.insert(&blob.0, row.encode());
            at += length;
        }
        let count = blobs.len() as u64;
        self.counts.insert(&file.0, &count.to_be_bytes());
        self.new.insert(file, blobs);
    }
}
