//! One write to the store: everything of it lasts, or nothing of it.
//!
//! All writers hold the one lock of [`super::Store`], so what goes into the trees is computed before the transaction and
//! nothing in it can conflict. After it: `flush`, which survives the end of the process, and `sync_data` of the data
//! file, which survives a power cut (the database's own flush does not sync).

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::Path;

use sled::Transactional;
use sled::transaction::{ConflictableTransactionError, TransactionError};

use super::blobs::{Blobs, Hash};
use super::error::StoreError;
use super::tables::{Cell, Tables, to_number};

/// What one transaction changes.
#[derive(Debug, Default)]
pub(super) struct Changes<'a> {
    pub(super) own: sled::Batch,
    pub(super) meta: sled::Batch,
    pub(super) names: sled::Batch,
    pub(super) records: sled::Batch,
    pub(super) archive: sled::Batch,
    pub(super) seen: sled::Batch,
    pub(super) counts: sled::Batch,
    pub(super) outbox: sled::Batch,
    pub(super) failed: sled::Batch,
    texts: BTreeMap<Hash, Cow<'a, [u8]>>,
    holders: BTreeMap<Hash, i64>,
}

impl<'a> Changes<'a> {
    /// Keeps a value: what to write into the tree. A large one goes to a file, with this row as a holder.
    pub(super) fn keep(&mut self, bytes: impl Into<Cow<'a, [u8]>>) -> Vec<u8> {
        let bytes = bytes.into();
        let cell = Cell::of(&bytes);
        let stored = cell.encode();
        if let Cell::Blob(hash) = cell {
            self.hold_new(hash, bytes);
        }
        stored
    }

    /// Keeps a text in a file whatever its size; its name is returned.
    pub(super) fn keep_in_file(&mut self, bytes: &'a [u8]) -> Hash {
        let hash = Hash::of(bytes);
        self.hold_new(hash, Cow::Borrowed(bytes));
        hash
    }

    fn hold_new(&mut self, hash: Hash, bytes: Cow<'a, [u8]>) {
        self.texts.insert(hash, bytes);
        *self.holders.entry(hash).or_default() += 1;
    }

    /// A row that names this file goes away.
    pub(super) fn release(&mut self, hash: Hash) {
        *self.holders.entry(hash).or_default() -= 1;
    }

    /// A cell goes away.
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
    /// Before the transaction: nothing happened, and the store can be used on.
    Clean(StoreError),
    /// In or after it: nobody knows what is on the disk.
    Unknown(StoreError),
}

/// Reads the number of holders of a file.
pub(super) fn holders(tables: &Tables, hash: Hash) -> Result<u64, StoreError> {
    tables
        .blobs
        .get(hash.0)?
        .map_or(Ok(0), |bytes| to_number(&bytes))
}

/// Does it: files first, then the one transaction, then flush and sync, then the files go that nobody names any more.
pub(super) fn apply(
    tables: &Tables,
    blobs: &Blobs,
    data: &File,
    path: &Path,
    changes: &Changes<'_>,
) -> Result<(), Failure> {
    let counts = Counts::of(tables, changes).map_err(Failure::Clean)?;
    let new = changes
        .texts
        .iter()
        .filter(|(hash, _)| counts.new.contains(hash));
    blobs
        .write(new.map(|(hash, bytes)| (*hash, bytes.as_ref())))
        .map_err(Failure::Clean)?;

    let trees = (
        &tables.own,
        &tables.meta,
        &tables.names,
        &tables.records,
        &tables.archive,
        &tables.seen,
        &tables.counts,
        &tables.outbox,
        &tables.failed,
        &tables.blobs,
    );
    trees
        .transaction(
            |(own, meta, names, records, archive, seen, counts_kept, outbox, failed, blobs)| {
                own.apply_batch(&changes.own)?;
                meta.apply_batch(&changes.meta)?;
                names.apply_batch(&changes.names)?;
                records.apply_batch(&changes.records)?;
                archive.apply_batch(&changes.archive)?;
                seen.apply_batch(&changes.seen)?;
                counts_kept.apply_batch(&changes.counts)?;
                outbox.apply_batch(&changes.outbox)?;
                failed.apply_batch(&changes.failed)?;
                blobs.apply_batch(&counts.rows)?;
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
    tables
        .own
        .flush()
        .map_err(|error| Failure::Unknown(error.into()))?;
    data.sync_data()
        .map_err(|error| Failure::Unknown(StoreError::io("sync", path)(error)))?;

    for hash in counts.gone {
        blobs.remove(hash);
    }
    Ok(())
}

/// What becomes of the files that a change touches.
struct Counts {
    rows: sled::Batch,
    /// Not held before, so to be written: a file that lies there may be an orphan of unknown worth.
    new: BTreeSet<Hash>,
    gone: Vec<Hash>,
}

impl Counts {
    fn of(tables: &Tables, changes: &Changes<'_>) -> Result<Self, StoreError> {
        let mut counts = Self {
            rows: sled::Batch::default(),
            new: BTreeSet::new(),
            gone: Vec::new(),
        };
        for (hash, change) in &changes.holders {
            let before = holders(tables, *hash)?;
            let after = before.saturating_add_signed(*change);
            if before == 0 && after > 0 {
                counts.new.insert(*hash);
            }
            if after > 0 {
                counts.rows.insert(&hash.0, &after.to_be_bytes());
            } else {
                counts.rows.remove(&hash.0);
                counts.gone.push(*hash);
            }
        }
        Ok(counts)
    }
}
