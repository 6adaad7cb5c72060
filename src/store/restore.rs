//! Restores a store from a backup into an empty folder.
//!
//! The store is built in the folder `restoring` inside it and moved when the last line of the backup has been checked. A
//! store whose restore was interrupted is not opened.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, Read};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::backup::{BackupLine, FORMAT, OF};
use super::blobs::{from_hex, sync_folder, to_hex};
use super::error::StoreError;
use super::tables::{self, MailRow};
use super::transaction::Changes;
use super::{Draft, NameRow, Store, StoreId, compact, identity, make_private_folder, transaction};

/// The longest line of a backup. Mails have a few MiB at most.
const MAX_LINE: u64 = 256 << 20;
/// Lines in one transaction.
const LINES_PER_WRITE: usize = 200;

fn staging_folder(dir: &Path) -> PathBuf {
    dir.join("restoring")
}

/// Fails if a restore into this folder was interrupted; removes the staging folder of one that was only not cleaned up.
pub(super) fn check_finished(dir: &Path) -> Result<(), StoreError> {
    let staging = staging_folder(dir);
    if !staging.exists() {
        return Ok(());
    }
    if compact::folder(&staging).exists() || !compact::folder(dir).exists() {
        return Err(StoreError::Unfinished {
            dir: dir.to_owned(),
        });
    }
    fs::remove_dir_all(&staging).map_err(StoreError::io("remove", &staging))
}

/// Creates a store in `dir` from a backup of [`Store::backup`], with the id of the original store.
///
/// # Errors
/// [`StoreError::NotEmpty`] if the folder is not empty, [`StoreError::BadBackup`] if the backup is incomplete, changed or not
/// a backup; then the folder is left empty.
pub fn restore(dir: &Path, reader: &mut dyn BufRead) -> Result<(), StoreError> {
    identity::refuse_root(dir)?;
    make_private_folder(dir)?;
    let mut entries = fs::read_dir(dir).map_err(StoreError::io("list", dir))?;
    if entries.next().is_some() {
        return Err(StoreError::NotEmpty {
            dir: dir.to_owned(),
        });
    }
    let staging = staging_folder(dir);
    make_private_folder(&staging)?;
    if let Err(error) = build(&staging, reader) {
        fs::remove_dir_all(&staging).map_err(StoreError::io("remove", &staging))?;
        return Err(error);
    }
    // The database last: with it the folder has a store.
    for part in [identity::FILE, "blobs", "sled"] {
        let from = staging.join(part);
        fs::rename(&from, dir.join(part)).map_err(StoreError::io("rename", &from))?;
        sync_folder(dir)?;
    }
    fs::remove_dir_all(&staging).map_err(StoreError::io("remove", &staging))
}

/// Whether a file is a whole and unchanged backup.
///
/// # Errors
/// [`StoreError::BadBackup`] if it is not.
pub fn check_backup(reader: &mut dyn BufRead) -> Result<(), StoreError> {
    let mut lines = BackupReader {
        reader,
        digest: Sha256::new(),
        count: 0,
    };
    loop {
        if let BackupLine::End {
            lines: count,
            sha256,
        } = lines.next()?
        {
            return lines.check_end(count, &sha256);
        }
    }
}

fn build(staging: &Path, reader: &mut dyn BufRead) -> Result<(), StoreError> {
    let mut lines = BackupReader {
        reader,
        digest: Sha256::new(),
        count: 0,
    };
    let id = match lines.next()? {
        BackupLine::Backup { of, format, store } if of == OF => {
            if format > FORMAT {
                return Err(StoreError::Newer {
                    found: format,
                    known: FORMAT,
                });
            }
            StoreId::parse(&store).ok_or_else(|| lines.bad("it lacks the id of its store"))?
        }
        _ => return Err(lines.bad("it is not a backup of this program")),
    };
    let store = Store::create_as(staging, Some(&id))?;
    loop {
        let mut chunk = Vec::new();
        let mut ended = false;
        // Shared bytes are written in one transaction with the first mail that shares them.
        while (chunk.len() < LINES_PER_WRITE
            || matches!(chunk.last(), Some(BackupLine::Shared { .. })))
            && !ended
        {
            match lines.next()? {
                BackupLine::End {
                    lines: count,
                    sha256,
                } => {
                    lines.check_end(count, &sha256)?;
                    ended = true;
                }
                line => chunk.push(line),
            }
        }
        store.restore_lines(chunk, &lines)?;
        if ended {
            return store.close();
        }
    }
}

/// Reads lines, counts them and computes their digest.
struct BackupReader<'a> {
    reader: &'a mut dyn BufRead,
    digest: Sha256,
    count: u64,
}

impl BackupReader<'_> {
    fn bad(&self, why: impl ToString) -> StoreError {
        StoreError::BadBackup {
            line: self.count,
            why: why.to_string(),
        }
    }

    fn next(&mut self) -> Result<BackupLine, StoreError> {
        self.count += 1;
        let mut text = Vec::new();
        let mut reader = Read::take(&mut self.reader, MAX_LINE);
        reader
            .read_until(b'\n', &mut text)
            .map_err(StoreError::Copy)?;
        if text.last() != Some(&b'\n') {
            return Err(self.bad("it ends in the middle"));
        }
        let line = serde_json::from_slice(&text).map_err(|error| self.bad(error))?;
        if !matches!(line, BackupLine::End { .. }) {
            self.digest.update(&text);
        }
        Ok(line)
    }

    fn check_end(&mut self, count: u64, sha256: &str) -> Result<(), StoreError> {
        if count + 1 != self.count || to_hex(&self.digest.clone().finalize()) != sha256 {
            return Err(self.bad("it is not what was written: the checksum differs"));
        }
        match self.reader.fill_buf().map_err(StoreError::Copy)? {
            [] => Ok(()),
            _ => Err(self.bad("something follows its last line")),
        }
    }
}

/// A mail, and the bytes of it that no other mail shares.
struct RestoredMail {
    row: MailRow,
    own: Vec<u8>,
}

impl Store {
    fn restore_lines(
        &self,
        chunk: Vec<BackupLine>,
        lines: &BackupReader<'_>,
    ) -> Result<(), StoreError> {
        let mut writer = self.writer()?;
        let mut changes = Changes::default();
        let mut draft = Draft::new(&writer);
        let mut mails: Vec<RestoredMail> = Vec::new();
        let mut shared: BTreeMap<String, Vec<u8>> = BTreeMap::new();
        let bad = || lines.bad("bytes are neither text nor digits");
        for line in chunk {
            match line {
                BackupLine::Name { name } => {
                    draft.name(&name);
                }
                BackupLine::Record { log, seq, bytes } => {
                    let bytes = bytes.into_bytes().ok_or_else(bad)?;
                    let name = draft.name(&log);
                    if name.records != seq {
                        return Err(lines.bad(format!("the log {log:?} has a gap")));
                    }
                    name.records += 1;
                    let key = tables::record_key(name.id, seq);
                    let value = changes.keep(bytes);
                    changes.records.insert(&key, value);
                }
                BackupLine::Archive { game, text } => {
                    let NameRow { id, .. } = *draft.name(&game);
                    let key = tables::archive_key(id, text.at, draft.number());
                    let value = changes.keep(tables::to_row(&text)?);
                    changes.archive.insert(key, value);
                }
                BackupLine::Seen { key, at } => {
                    let key = from_hex(&key)
                        .filter(|key| key.len() == 32)
                        .ok_or_else(bad)?;
                    changes.seen.insert(key, &tables::time_key(at));
                }
                BackupLine::Meta { key, bytes } => {
                    let value = changes.keep(bytes.into_bytes().ok_or_else(bad)?);
                    changes.meta.insert(key.into_bytes(), value);
                }
                BackupLine::Shared { sha256, bytes } => {
                    shared.insert(sha256, bytes.into_bytes().ok_or_else(bad)?);
                }
                BackupLine::Mail { row, bytes } => {
                    let own = bytes.into_bytes().ok_or_else(bad)?;
                    mails.push(RestoredMail { row, own });
                }
                BackupLine::Backup { .. } | BackupLine::End { .. } => {
                    return Err(lines.bad("a line in the wrong place"));
                }
            }
        }
        for RestoredMail { row, own } in &mut mails {
            row.blob = changes.keep_mail(own).to_hex();
            if let Some(named) = &row.shared {
                match shared.get(&named.blob) {
                    Some(bytes) => drop(changes.keep_mail(bytes)),
                    None if transaction::blob(&self.tables, named.hash()?)?.is_some() => {
                        changes.hold(named.hash()?)
                    }
                    None => return Err(lines.bad("a mail lacks its picture")),
                }
            }
            let tree = match row.given_up {
                Some(_) => &mut changes.failed,
                None => &mut changes.outbox,
            };
            tree.insert(&draft.number().to_be_bytes(), tables::to_row(row)?);
        }
        let Draft { next, names, .. } = draft;
        self.write_draft(&mut writer, next, names, changes)
    }

    /// Closes the store so that its folder may be moved.
    fn close(self) -> Result<(), StoreError> {
        let sled = compact::folder(&self.dir);
        drop(self);
        compact::wait_until_closed(&sled)
    }
}
