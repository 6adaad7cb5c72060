//! A store from a backup, in an empty folder.
//!
//! It grows in the folder `restoring` within, and moves to its place when the last line of the backup has been checked.
//! A store whose restore was cut off is not opened.

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

/// No line of a backup is longer: a judge reads no mail of more than some MiB.
const LONGEST: u64 = 256 << 20;
/// Lines in one transaction.
const AT_ONCE: usize = 200;

fn building_site(dir: &Path) -> PathBuf {
    dir.join("restoring")
}

/// Refuses a folder in which a restore was cut off; tidies up after one that was only not tidied up.
pub(super) fn check_finished(dir: &Path) -> Result<(), StoreError> {
    let site = building_site(dir);
    if !site.exists() {
        return Ok(());
    }
    if compact::folder(&site).exists() || !compact::folder(dir).exists() {
        return Err(StoreError::Unfinished {
            dir: dir.to_owned(),
        });
    }
    fs::remove_dir_all(&site).map_err(StoreError::io("remove", &site))
}

/// Makes a store in `dir` from what [`Store::backup`] wrote, with the id of the one that wrote it.
///
/// # Errors
/// [`StoreError::NotEmpty`] if the folder holds anything, [`StoreError::BadBackup`] if the backup is cut short, changed
/// or not one; then the folder is left empty.
pub fn restore(dir: &Path, reader: &mut dyn BufRead) -> Result<(), StoreError> {
    identity::refuse_root(dir)?;
    make_private_folder(dir)?;
    let mut entries = fs::read_dir(dir).map_err(StoreError::io("list", dir))?;
    if entries.next().is_some() {
        return Err(StoreError::NotEmpty {
            dir: dir.to_owned(),
        });
    }
    let site = building_site(dir);
    make_private_folder(&site)?;
    if let Err(error) = build(&site, reader) {
        fs::remove_dir_all(&site).map_err(StoreError::io("remove", &site))?;
        return Err(error);
    }
    // The database last: with it the folder holds a store.
    for part in [identity::FILE, "blobs", "sled"] {
        let from = site.join(part);
        fs::rename(&from, dir.join(part)).map_err(StoreError::io("rename", &from))?;
        sync_folder(dir)?;
    }
    fs::remove_dir_all(&site).map_err(StoreError::io("remove", &site))
}

fn build(site: &Path, reader: &mut dyn BufRead) -> Result<(), StoreError> {
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
    let store = Store::create_as(site, Some(&id))?;
    loop {
        let mut chunk = Vec::new();
        let mut ended = false;
        // What mails share goes in with the first of them, which holds it.
        while (chunk.len() < AT_ONCE || matches!(chunk.last(), Some(BackupLine::Shared { .. })))
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
        store.put_back(chunk, &lines)?;
        if ended {
            return store.close();
        }
    }
}

/// Reads lines and keeps account of them.
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
        let mut reader = Read::take(&mut self.reader, LONGEST);
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
    fn put_back(&self, chunk: Vec<BackupLine>, lines: &BackupReader<'_>) -> Result<(), StoreError> {
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

    /// Closes the store such that its folder may be moved.
    fn close(self) -> Result<(), StoreError> {
        let sled = compact::folder(&self.dir);
        drop(self);
        compact::close(&sled)
    }
}
