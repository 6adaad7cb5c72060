//! Maintenance of a store: removes old keys, renames and drops logs.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};

use super::error::StoreError;
use super::tables::{DROPPED, KEPT, to_number, to_row};
use super::transaction::Changes;
use super::{Store, Writer, tables};

/// How long the keys of handled messages are kept: longer than any server tries to deliver a message (4 to 5 days,
/// RFC 5321, 4.5.4.1), and longer than the age of a mailbox that somebody restores.
const SEEN_FOR: SignedDuration = SignedDuration::from_hours(60 * 24);
/// Rows changed in one transaction, so that other writers do not wait long.
const ROWS_PER_WRITE: usize = 500;

impl Store {
    /// Removes keys of messages that were handled more than 60 days before `now`, and returns their number. Once a day is
    /// enough.
    ///
    /// # Errors
    /// If the store cannot be read or written.
    pub fn forget_seen(&self, now: Timestamp) -> Result<usize, StoreError> {
        let Ok(since) = now.checked_sub(SEEN_FOR) else {
            return Ok(0);
        };
        let since = tables::time_key(since);
        let mut old = Vec::new();
        self.check_usable()?;
        for row in self.tables.seen.iter() {
            let (key, at) = row?;
            if at.as_ref() < &since[..] {
                old.push(key);
            }
        }
        let mut forgotten = 0;
        for keys in old.chunks(ROWS_PER_WRITE) {
            let _writer = self.writer()?;
            let mut changes = Changes::default();
            for key in keys {
                // The message may have come again in the meantime.
                if self
                    .tables
                    .seen
                    .get(key)?
                    .is_some_and(|at| at.as_ref() < &since[..])
                {
                    changes.seen.remove(key);
                    forgotten += 1;
                }
            }
            self.write(changes)?;
        }
        Ok(forgotten)
    }

    /// Gives a log, and the archive of the game of that name, another name.
    ///
    /// # Errors
    /// [`StoreError::NoSuchLog`], [`StoreError::NameTaken`], or if the store cannot be written.
    pub fn rename_log(&self, log: &str, new: &str) -> Result<(), StoreError> {
        let mut writer = self.writer()?;
        let name = known(&writer, log)?;
        if writer.names.contains_key(new) {
            return Err(StoreError::NameTaken(new.to_owned()));
        }
        let mut changes = Changes::default();
        changes.names.remove(log.as_bytes());
        changes.names.insert(new.as_bytes(), to_row(&name)?);
        self.write(changes)?;
        writer.names.remove(log);
        writer.names.insert(new.to_owned(), name);
        self.snapshots.rename(log, new);
        Ok(())
    }

    /// Drops a log and the archive of the game of that name. Once this has returned they cannot be restored.
    ///
    /// # Errors
    /// [`StoreError::NoSuchLog`], or if the store cannot be written.
    pub fn drop_log(&self, log: &str) -> Result<(), StoreError> {
        {
            let mut writer = self.writer()?;
            let name = known(&writer, log)?;
            let mut changes = Changes::default();
            changes.names.remove(log.as_bytes());
            changes
                .own
                .insert([DROPPED, &name.id.to_be_bytes()[..]].concat(), &[]);
            self.write(changes)?;
            writer.names.remove(log);
            self.snapshots.remove(log, name);
        }
        self.finish_dropping()
    }

    /// Removes the rows of dropped names, some at a time; continues where an earlier process was killed.
    pub(super) fn finish_dropping(&self) -> Result<(), StoreError> {
        for row in self.tables.own.scan_prefix(DROPPED) {
            let (key, _) = row?;
            let id = to_number(key.get(DROPPED.len()..).unwrap_or_default())?;
            while self.drop_some_rows(id)? {}
            let mut writer = self.writer()?;
            let mut changes = Changes::default();
            changes.own.remove(key);
            // What is left has to be counted again.
            changes.own.remove(KEPT);
            self.write(changes)?;
            writer.kept = None;
        }
        Ok(())
    }

    /// Removes some of the records and archived texts of this number; `false` when there are none left.
    fn drop_some_rows(&self, id: u64) -> Result<bool, StoreError> {
        let _writer = self.writer()?;
        let mut changes = Changes::default();
        let records = some_rows(&self.tables.records, id)?;
        let texts = some_rows(&self.tables.archive, id)?;
        if records.is_empty() && texts.is_empty() {
            return Ok(false);
        }
        for (key, value) in records {
            changes.release_cell(&value)?;
            changes.records.remove(key);
        }
        for (key, value) in texts {
            changes.release_cell(&value)?;
            changes.archive.remove(key);
        }
        self.write(changes)?;
        Ok(true)
    }
}

/// The first rows of this number, keys with values.
fn some_rows(tree: &sled::Tree, id: u64) -> sled::Result<BTreeMap<sled::IVec, sled::IVec>> {
    tree.scan_prefix(id.to_be_bytes())
        .take(ROWS_PER_WRITE)
        .collect()
}

fn known(writer: &Writer, log: &str) -> Result<tables::NameRow, StoreError> {
    writer
        .names
        .get(log)
        .copied()
        .ok_or_else(|| StoreError::NoSuchLog(log.to_owned()))
}
