//! Takes words out of everything that is kept as text, for a person who is forgotten.

use super::archived::with_new_digest;
use super::blobs::Hash;
use super::error::StoreError;
use super::tables::{KEPT, to_row};
use super::transaction::Changes;
use super::{Store, Writer};

impl Store {
    /// Changes the text of records, archived texts and notes: `change` gets each as it is stored, JSON, and returns what stands in its
    /// place, or `None` where it stays. All snapshots are removed. Returns how many texts were changed.
    ///
    /// Every log is written at once; after an error some have been changed, and it may be done again.
    ///
    /// # Errors
    /// If the store cannot be read or written.
    pub fn rewrite(&self, change: &dyn Fn(&str) -> Option<String>) -> Result<usize, StoreError> {
        let mut writer = self.writer()?;
        let names: Vec<String> = writer.names.keys().cloned().collect();
        let mut changed = 0;
        for name in names {
            changed += self.rewrite_log(&mut writer, &name, change)?;
        }
        let mut changes = Changes::default();
        for row in self.tables.meta.iter() {
            let (key, stored) = row?;
            if let Some(new) = self.rewritten(&stored, change)? {
                changes.release_cell(&stored)?;
                let value = changes.keep(new);
                changes.meta.insert(key, value);
                changed += 1;
            }
        }
        self.write(changes)?;
        Ok(changed)
    }

    fn rewrite_log(
        &self,
        writer: &mut Writer,
        name: &str,
        change: &dyn Fn(&str) -> Option<String>,
    ) -> Result<usize, StoreError> {
        let Some(mut row) = writer.names.get(name).copied() else {
            return Ok(0);
        };
        let mut changes = Changes::default();
        let mut changed = 0;
        let start = row.id.to_be_bytes();
        for record in self.tables.records.scan_prefix(start) {
            let (key, stored) = record?;
            let Some(new) = self.rewritten(&stored, change)? else {
                continue;
            };
            if key.as_ref() == super::tables::record_key(row.id, row.records - 1) {
                row.last = Some(Hash::of(&new));
            }
            changes.release_cell(&stored)?;
            let value = changes.keep(new);
            changes.records.insert(key, value);
            changed += 1;
        }
        for text in self.tables.archive.scan_prefix(start) {
            let (key, stored) = text?;
            if let Some(new) = self.rewritten(&stored, change)? {
                changes.release_cell(&stored)?;
                let value = changes.keep(with_new_digest(&new)?);
                changes.archive.insert(key, value);
                changed += 1;
            }
        }
        self.snapshots.remove(name, row);
        if changed == 0 {
            return Ok(0);
        }
        changes.names.insert(name.as_bytes(), to_row(&row)?);
        changes.own.remove(KEPT);
        self.write(changes)?;
        writer.names.insert(name.to_owned(), row);
        writer.kept = None;
        Ok(changed)
    }

    fn rewritten(
        &self,
        stored: &[u8],
        change: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Option<Vec<u8>>, StoreError> {
        let value = self.value(stored)?;
        let text = std::str::from_utf8(&value).ok();
        Ok(text.and_then(change).map(String::into_bytes))
    }
}
