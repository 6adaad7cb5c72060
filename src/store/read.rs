//! Reading the store.

use jiff::Timestamp;

use super::blobs::Hash;
use super::error::StoreError;
use super::tables::{self, Cell, NameRow, record_key};
use super::{Archived, Store, transaction};

/// The records of one log, from the first.
pub struct Records<'a> {
    store: &'a Store,
    rows: Option<sled::Iter>,
    next: u64,
    count: u64,
}

impl Iterator for Records<'_> {
    type Item = Result<Vec<u8>, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        let rows = self.rows.as_mut()?;
        let item = match rows.next() {
            Some(row) => self.store.record(row, self.next),
            None if self.next < self.count => Err(StoreError::damaged("a log lacks its end")),
            None => {
                self.rows = None;
                return None;
            }
        };
        match item {
            Ok(_) => self.next += 1,
            Err(_) => self.rows = None,
        }
        Some(item)
    }
}

impl Store {
    /// The names of all logs, sorted.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn logs(&self) -> Result<Vec<String>, StoreError> {
        let writer = self.writer()?;
        let logs = writer.names.iter().filter(|(_, name)| name.records > 0);
        Ok(logs.map(|(log, _)| log.clone()).collect())
    }

    /// The records of a log in order; empty if there is no such log. Ends after the first error.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn records(&self, log: &str) -> Result<Records<'_>, StoreError> {
        self.records_from(log, 0)
    }

    /// The records of a log behind the first so many.
    pub(super) fn records_from(&self, log: &str, next: u64) -> Result<Records<'_>, StoreError> {
        let name = self.name(log)?.filter(|name| next < name.records);
        let rows = name.map(|name| {
            let keys = record_key(name.id, next)..record_key(name.id, name.records);
            self.tables.records.range(keys)
        });
        Ok(Records {
            store: self,
            rows,
            next,
            count: name.map_or(next, |name| name.records),
        })
    }

    /// The number of records of a log.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn record_count(&self, log: &str) -> Result<u64, StoreError> {
        Ok(self.name(log)?.map_or(0, |name| name.records))
    }

    /// Whether a message with this key was handled at or after `since`.
    ///
    /// # Errors
    /// If the store cannot be read. Do not treat that as "no": the message would be handled twice.
    pub fn seen(&self, key: &[u8; 32], since: Timestamp) -> Result<bool, StoreError> {
        self.check_usable()?;
        Ok(self
            .tables
            .seen
            .get(key)?
            .is_some_and(|at| at.as_ref() >= &tables::time_key(since)[..]))
    }

    /// The archived texts of a game from `from` to `to`, both inclusive, in the order of time.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn archive(
        &self,
        game: &str,
        from: Timestamp,
        to: Timestamp,
    ) -> Result<Vec<Archived>, StoreError> {
        // With the writer's lock, so that a game is not dropped between a row and its file.
        let writer = self.writer()?;
        let name = match writer.names.get(game) {
            Some(name) if from <= to => name,
            _ => return Ok(Vec::new()),
        };
        let keys =
            tables::archive_key(name.id, from, 0)..=tables::archive_key(name.id, to, u64::MAX);
        let mut texts = Vec::new();
        for row in self.tables.archive.range(keys) {
            let (_, value) = row?;
            let text: Archived = tables::from_row(&self.value(&value)?)?;
            // Keys are exact to microseconds only.
            if (from..=to).contains(&text.at) {
                texts.push(text);
            }
        }
        Ok(texts)
    }

    /// All memos, by name.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn memos(&self) -> Result<Vec<(String, Vec<u8>)>, StoreError> {
        self.check_usable()?;
        let rows = self.tables.memos.iter().map(|row| {
            let (name, value) = row?;
            Ok((text(&name)?, value.to_vec()))
        });
        rows.collect()
    }

    /// The value of this key.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn meta(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        // With the writer's lock, so that a large value is not replaced between its row and its file.
        let _writer = self.writer()?;
        self.tables
            .meta
            .get(key)?
            .map(|stored| self.value(&stored))
            .transpose()
    }

    /// The keys in `meta` that begin with `start`, sorted.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn meta_keys(&self, start: &str) -> Result<Vec<String>, StoreError> {
        self.check_usable()?;
        self.tables
            .meta
            .scan_prefix(start)
            .keys()
            .map(|key| text(&key?))
            .collect()
    }

    pub(super) fn name(&self, name: &str) -> Result<Option<NameRow>, StoreError> {
        Ok(self.writer()?.names.get(name).copied())
    }

    /// The value of a cell, read from its file if it is large.
    pub(super) fn value(&self, stored: &[u8]) -> Result<Vec<u8>, StoreError> {
        match Cell::decode(stored)? {
            Cell::Inline(bytes) => Ok(bytes.to_vec()),
            Cell::Blob(hash) => self.blob(hash),
        }
    }

    /// A blob, read from its file.
    pub(super) fn blob(&self, hash: Hash) -> Result<Vec<u8>, StoreError> {
        let row = transaction::blob(&self.tables, hash)?;
        let row = row.ok_or_else(|| StoreError::damaged("a value has no file"))?;
        self.blobs.read(hash, row.place)
    }

    fn record(
        &self,
        row: sled::Result<(sled::IVec, sled::IVec)>,
        expected: u64,
    ) -> Result<Vec<u8>, StoreError> {
        let (key, value) = row?;
        if tables::to_number(key.get(8..).unwrap_or_default())? != expected {
            return Err(StoreError::damaged(format!(
                "a log lacks its record {expected}"
            )));
        }
        self.value(&value)
    }
}

/// A key that is text.
pub(super) fn text(key: &[u8]) -> Result<String, StoreError> {
    String::from_utf8(key.to_vec()).map_err(|_| StoreError::damaged("a name is not text"))
}
