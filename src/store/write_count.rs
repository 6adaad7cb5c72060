//! A second count of the writes, outside the database.
//!
//! A database file that has lost its end opens without an error: old messages would be handled again and phases
//! adjudicated twice. So the number of each write is stored in its transaction and, once that is synced, in this file. The
//! file is not synced and may lag behind the database, but is never ahead. A database with fewer writes has lost some.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::error::StoreError;
use super::faults::{StepKind, step};

/// The count, as one line of digits.
#[derive(Debug)]
pub(super) struct WriteCount {
    path: PathBuf,
    file: File,
}

impl WriteCount {
    /// Opens the file of the store in `dir` and compares it with the number of writes in the database.
    pub(super) fn open(dir: &Path, writes: u64) -> Result<Self, StoreError> {
        let path = dir.join("store.writes");
        let mut file = File::options()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(&path)
            .map_err(StoreError::io("open", &path))?;
        let mut text = String::new();
        // A file without a number (a power cut while it was new) says nothing.
        let known: Option<u64> = match file.read_to_string(&mut text) {
            Ok(_) => text.trim().parse().ok(),
            Err(_) => None,
        };
        if let Some(known) = known
            && known > writes
        {
            let lost = known - writes;
            return Err(StoreError::damaged(format!(
                "the database lacks its last {lost} writes"
            )));
        }
        let write_count = Self { path, file };
        write_count.note(writes)?;
        Ok(write_count)
    }

    /// Records the number of writes on the disk.
    pub(super) fn note(&self, writes: u64) -> Result<(), StoreError> {
        let mut file = &self.file;
        // Always of the same length, so that the whole old number is overwritten.
        step(StepKind::Write, "the count of writes")
            .and_then(|()| file.seek(SeekFrom::Start(0)))
            .and_then(|_| file.write_all(format!("{writes:020}\n").as_bytes()))
            .map_err(StoreError::io("write", &self.path))
    }
}
