//! The folder of the database: its creation, and its compaction when it is much larger than its content.
//!
//! The database never frees disk space. A new one is built beside it and replaces it by two renames: `sled` to
//! `sled.old`, `sled.new` to `sled`. The next start cleans up after a process that was killed meanwhile: `sled` is always
//! whole, and if it is missing, `sled.old` is.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;

use sha2::{Digest, Sha256};

use super::blobs::sync_folder;
use super::error::StoreError;
use super::tables::{KEPT, OWN, STORE_VERSION, Tables, VERSION, open_database, to_number};

/// When to compact: both limits must be exceeded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Size of the database file in bytes.
    pub(super) bytes: u64,
    /// The ratio of that size to the bytes of keys and values in it.
    pub(super) times: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            bytes: 64 << 20,
            times: 8,
        }
    }
}

/// The folder of the database.
pub(super) fn folder(dir: &Path) -> PathBuf {
    dir.join("sled")
}

fn new_folder(dir: &Path) -> PathBuf {
    dir.join("sled.new")
}

fn old_folder(dir: &Path) -> PathBuf {
    dir.join("sled.old")
}

/// Cleans up after a process that was killed while it replaced the database.
pub(super) fn recover(dir: &Path) -> Result<(), StoreError> {
    let (sled, new, old) = (folder(dir), new_folder(dir), old_folder(dir));
    if !sled.exists() && old.exists() {
        rename(&old, &sled)?;
        sync_folder(dir)?;
    }
    remove(&new)?;
    remove(&old)
}

/// Creates an empty database. It gets its name only when it is complete.
pub(super) fn create(dir: &Path) -> Result<(), StoreError> {
    let new = new_folder(dir);
    let db = open_database(&new)?;
    let tables = Tables::open(&db)?;
    tables.own.insert(VERSION, &STORE_VERSION.to_be_bytes())?;
    tables.own.insert(KEPT, &0_u64.to_be_bytes())?;
    db.flush()?;
    drop((tables, db));
    wait_until_closed(&new)?;
    rename(&new, &folder(dir))?;
    sync_folder(dir)
}

/// Opens the database, and compacts it first if it exceeds both limits. If that fails, for example because the disk is full, the old
/// database stays.
///
/// To count its content takes long, so that is done only where what was counted last, and the records since, leave it open.
pub(super) fn open_compacted(dir: &Path, limits: Limits) -> Result<sled::Db, StoreError> {
    let sled = folder(dir);
    let data = sled.join("db");
    // Opening the database reports a missing file.
    let size = fs::metadata(&data).map_or(0, |meta| meta.len());
    let db = open_database(&sled)?;
    let fits = |content: u64| size <= content.saturating_mul(limits.times);
    let own = db.open_tree(OWN)?;
    let kept = own.get(KEPT)?.map(|bytes| to_number(&bytes)).transpose()?;
    if size <= limits.bytes || fits(kept.unwrap_or(0)) {
        return Ok(db);
    }
    let contents = Contents::of(&db)?;
    if fits(contents.bytes) {
        own.insert(KEPT, &contents.bytes.to_be_bytes())?;
        return Ok(db);
    }
    let copied = copy(&db, &new_folder(dir), &contents);
    drop((own, db));
    wait_until_closed(&sled)?;
    if let Err(error) = copied {
        tracing::warn!(%error, "the database cannot be written anew and stays as it is");
        remove(&new_folder(dir))?;
        return open_database(&sled);
    }
    rename(&sled, &old_folder(dir))?;
    sync_folder(dir)?;
    rename(&new_folder(dir), &sled)?;
    sync_folder(dir)?;
    remove(&old_folder(dir))?;
    let now = fs::metadata(&data).map_or(0, |meta| meta.len());
    tracing::info!(before = size, now, "the database is written anew");
    open_database(&sled)
}

/// Size and digest of all keys and values of a database.
#[derive(PartialEq, Eq)]
struct Contents {
    /// Their total length.
    bytes: u64,
    /// A SHA-256 over all of them.
    digest: [u8; 32],
}

impl Contents {
    fn of(db: &sled::Db) -> Result<Contents, StoreError> {
        let mut names = db.tree_names();
        names.sort();
        let mut live = 0;
        let mut digest = Sha256::new();
        let mut add = |bytes: &[u8]| {
            let length = bytes.len() as u64;
            digest.update(length.to_be_bytes());
            digest.update(bytes);
            live += length;
        };
        for name in names {
            add(&name);
            for row in db.open_tree(&name)?.iter() {
                let (key, value) = row?;
                add(&key);
                add(&value);
            }
        }
        Ok(Contents {
            bytes: live,
            digest: digest.finalize().into(),
        })
    }
}

/// Copies every row into a new database and checks that it has them.
fn copy(db: &sled::Db, new: &Path, contents: &Contents) -> Result<(), StoreError> {
    let copy = open_database(new)?;
    for name in db.tree_names() {
        let tree = copy.open_tree(&name)?;
        for row in db.open_tree(&name)?.iter() {
            let (key, value) = row?;
            tree.insert(key, value)?;
        }
    }
    copy.flush()?;
    let copied = Contents::of(&copy)?;
    drop(copy);
    wait_until_closed(new)?;
    if copied != *contents {
        return Err(StoreError::damaged(
            "the new database differs from the old one",
        ));
    }
    Ok(())
}

/// Waits until the threads of a database that was just dropped have finished, then syncs its folder.
pub(super) fn wait_until_closed(sled: &Path) -> Result<(), StoreError> {
    let data = sled.join("db");
    let file = File::options()
        .read(true)
        .write(true)
        .open(&data)
        .map_err(StoreError::io("open", &data))?;
    for _ in 0..500 {
        match file.try_lock() {
            Ok(()) => {
                drop(file);
                return sync_all(sled);
            }
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(10)),
            Err(TryLockError::Error(error)) => return Err(StoreError::io("lock", &data)(error)),
        }
    }
    Err(StoreError::Database {
        what: "it does not close".to_owned(),
    })
}

/// Syncs the files of a folder, then the folder.
fn sync_all(dir: &Path) -> Result<(), StoreError> {
    for entry in fs::read_dir(dir).map_err(StoreError::io("list", dir))? {
        let path = entry.map_err(StoreError::io("list", dir))?.path();
        if path.is_dir() {
            sync_all(&path)?;
        } else {
            File::open(&path)
                .and_then(|file| file.sync_all())
                .map_err(StoreError::io("sync", &path))?;
        }
    }
    sync_folder(dir)
}

fn rename(from: &Path, to: &Path) -> Result<(), StoreError> {
    fs::rename(from, to).map_err(StoreError::io("rename", from))
}

fn remove(dir: &Path) -> Result<(), StoreError> {
    match fs::remove_dir_all(dir) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(StoreError::io("remove", dir)(error))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::MetadataExt;

    use super::super::{Batch, Store};
    use super::*;

    const ALWAYS: Limits = Limits { bytes: 0, times: 0 };

    fn batch(record: &str) -> Batch {
        Batch {
            records: vec![("friday".to_owned(), record.into())],
            ..Batch::default()
        }
    }

    fn log(dir: &Path) -> Vec<Vec<u8>> {
        let store = Store::open(dir).unwrap();
        store
            .records("friday")
            .unwrap()
            .collect::<Result<_, _>>()
            .unwrap()
    }

    #[test]
    fn a_database_full_of_what_is_no_longer_there_is_written_anew() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::create(dir.path()).unwrap();
        store.commit(&batch("one")).unwrap();
        for round in 0..1500_u32 {
            let noise: Vec<u8> = (0..2000_u32).map(|i| (i * round % 251) as u8).collect();
            store.tables.meta.insert("counter", noise).unwrap();
        }
        store.tables.meta.remove("counter").unwrap();
        drop(store);
        let data = folder(dir.path()).join("db");
        let before = fs::metadata(&data).unwrap().len();
        let limits = Limits {
            bytes: 1 << 20,
            times: 8,
        };
        drop(open_compacted(dir.path(), limits).unwrap());
        let after = fs::metadata(&data).unwrap().len();
        assert!(after < before, "{before} to {after}");
        assert_eq!(log(dir.path()), [b"one"]);
        let file = || fs::metadata(&data).unwrap().ino();
        let compacted = file();
        drop(open_compacted(dir.path(), limits).unwrap());
        assert_eq!(file(), compacted, "and not again");
    }

    #[test]
    fn the_content_is_counted_again_when_it_may_have_shrunk() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::create(dir.path()).unwrap();
        let kept = |store: &Store| store.tables.own_number(KEPT).unwrap();
        store.commit(&batch(&"x".repeat(3000))).unwrap();
        let first = kept(&store).unwrap();
        assert!(first > 3000);
        store.commit(&batch(&"y".repeat(2000))).unwrap();
        assert!(kept(&store).unwrap() > first + 2000);
        store.drop_log("friday").unwrap();
        assert_eq!(kept(&store), None);
        drop(store);
        let generous = Limits {
            bytes: 0,
            times: u64::MAX,
        };
        drop(open_compacted(dir.path(), generous).unwrap());
        let counted = kept(&Store::open(dir.path()).unwrap());
        assert!(counted.is_some_and(|counted| counted < first));
    }

    #[test]
    fn a_swap_cut_off_at_any_point_loses_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path();
        Store::create(path).unwrap().commit(&batch("one")).unwrap();
        drop(open_compacted(path, ALWAYS).unwrap());
        assert_eq!(log(path), [b"one"]);

        // Killed while the new one was being written.
        fs::create_dir(new_folder(path)).unwrap();
        fs::write(new_folder(path).join("db"), b"half").unwrap();
        assert_eq!(log(path), [b"one"]);
        assert!(!new_folder(path).exists());

        // Killed between the two renames.
        fs::create_dir(new_folder(path)).unwrap();
        rename(&folder(path), &old_folder(path)).unwrap();
        assert_eq!(log(path), [b"one"]);

        // Killed before the old one was removed.
        fs::create_dir(old_folder(path)).unwrap();
        assert_eq!(log(path), [b"one"]);
        assert!(!old_folder(path).exists());
    }

    #[test]
    fn an_unfinished_snapshot_does_not_keep_the_store_closed() {
        let dir = tempfile::tempdir().unwrap();
        Store::create(dir.path())
            .unwrap()
            .commit(&batch("one"))
            .unwrap();
        let unfinished = folder(dir.path()).join("snap.0000000000FFFFFF.generating");
        fs::write(&unfinished, b"").unwrap();
        assert_eq!(log(dir.path()), [b"one"]);
        assert!(!unfinished.exists());
    }

    #[test]
    fn a_database_that_has_lost_its_end_or_all_of_it_is_called_damaged() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::create(dir.path()).unwrap();
        for number in 0..300 {
            store
                .commit(&batch(&format!("{number}").repeat(1000)))
                .unwrap();
        }
        drop(store);
        let data = File::options()
            .write(true)
            .open(folder(dir.path()).join("db"))
            .unwrap();
        let length = data.metadata().unwrap().len();
        for length in [length * 3 / 4, length / 2, 1000, 0] {
            data.set_len(length).unwrap();
            let error = Store::open(dir.path()).unwrap_err();
            assert!(
                matches!(error, StoreError::Damaged { .. }),
                "{length}: {error}"
            );
        }
        remove(&folder(dir.path())).unwrap();
        let error = Store::open(dir.path()).unwrap_err();
        assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
    }
}
