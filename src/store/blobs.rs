//! Large values and the texts of mails in files beside the database, which does not free the space of large values.
//!
//! A file is written (temporary name, fsync, rename, fsync of the folder) before the transaction that names it, and
//! removed after the transaction that removes its last holder. If the process ends between the two, the file is an orphan
//! and is removed at the next start.
//!
//! Most of the cost of a file is its fsync, so mails that are written together share a file: they are removed within
//! hours. Values that may stay for ever have files of their own, so that they do not keep others on the disk.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::error::StoreError;
use super::faults::{StepKind, step};

/// The name of a blob: the SHA-256 of its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Hash(pub(super) [u8; 32]);

impl Hash {
    /// The name of these bytes.
    pub(super) fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// 64 hexadecimal digits.
    pub(super) fn to_hex(self) -> String {
        to_hex(&self.0)
    }

    /// A name for a file that holds the blobs with these names.
    pub(super) fn of_file(blobs: &[Hash]) -> Self {
        let names: Vec<u8> = blobs.iter().flat_map(|hash| hash.0).collect();
        Self::of(&names)
    }

    /// Reads 64 hexadecimal digits.
    pub(super) fn from_hex(text: &str) -> Option<Self> {
        from_hex(text)?.try_into().ok().map(Self)
    }
}

impl From<Hash> for String {
    fn from(hash: Hash) -> String {
        hash.to_hex()
    }
}

impl TryFrom<String> for Hash {
    type Error = &'static str;

    fn try_from(digits: String) -> Result<Hash, Self::Error> {
        Hash::from_hex(&digits).ok_or("not a hash")
    }
}

/// Lower-case hexadecimal digits.
pub fn to_hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        for half in [byte >> 4, byte & 15] {
            text.extend(char::from_digit(u32::from(half), 16));
        }
    }
    text
}

/// Reads what [`to_hex`] writes; `None` for anything else.
pub fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digits = text.as_bytes();
    if !digits.len().is_multiple_of(2) {
        return None;
    }
    let half = |digit: u8| match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    };
    digits
        .chunks_exact(2)
        .map(|pair| match pair {
            [high, low] => Some(half(*high)? << 4 | half(*low)?),
            _ => None,
        })
        .collect()
}

/// Where the bytes of a blob are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The name of the file.
    pub(super) file: Hash,
    /// The offset of the first byte.
    pub(super) at: u64,
    /// The number of bytes.
    pub(super) length: u64,
}

/// The folder of the blobs.
#[derive(Debug)]
pub(super) struct Blobs {
    dir: PathBuf,
}

impl Blobs {
    /// Opens the folder, and creates it if it is missing.
    pub(super) fn open(dir: &Path) -> Result<Self, StoreError> {
        fs::create_dir_all(dir).map_err(StoreError::io("make folder", dir))?;
        Ok(Self {
            dir: dir.to_owned(),
        })
    }

    fn path(&self, hash: Hash) -> PathBuf {
        self.dir.join(hash.to_hex())
    }

    fn draft(&self, hash: Hash) -> PathBuf {
        self.dir.join(format!("{}.tmp", hash.to_hex()))
    }

    /// Writes files with these names and bytes durably. Each step is done for all files before the next, because on a file
    /// system with a journal the first fsync does most of the work of the following ones.
    pub(super) fn write(&self, files: BTreeMap<Hash, Vec<&[u8]>>) -> Result<(), StoreError> {
        if files.is_empty() {
            return Ok(());
        }
        let mut written = Vec::new();
        for (name, parts) in &files {
            let path = self.draft(*name);
            step(StepKind::Write, "a large value").map_err(StoreError::io("write", &path))?;
            let mut file = File::create(&path).map_err(StoreError::io("create", &path))?;
            file.write_all(&parts.concat())
                .map_err(StoreError::io("write", &path))?;
            written.push(file);
        }
        for (file, name) in written.iter().zip(files.keys()) {
            step(StepKind::Flush, "a large value")
                .and_then(|()| file.sync_all())
                .map_err(StoreError::io("sync", &self.draft(*name)))?;
        }
        for name in files.keys() {
            let draft = self.draft(*name);
            step(StepKind::Write, "the name of a large value")
                .and_then(|()| fs::rename(&draft, self.path(*name)))
                .map_err(StoreError::io("rename", &draft))?;
        }
        sync_folder(&self.dir)
    }

    /// Reads a blob and checks its hash.
    pub(super) fn read(&self, blob: Hash, place: Place) -> Result<Vec<u8>, StoreError> {
        let path = self.path(place.file);
        let mut file = match File::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Err(StoreError::damaged(format!("the file {path:?} is missing")));
            }
            Err(error) => return Err(StoreError::io("read", &path)(error)),
        };
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(place.at))
            .and_then(|_| file.take(place.length).read_to_end(&mut bytes))
            .map_err(StoreError::io("read", &path))?;
        if Hash::of(&bytes) != blob {
            return Err(StoreError::damaged(format!(
                "the file {path:?} has been changed"
            )));
        }
        Ok(bytes)
    }

    /// Removes a file that no row names. If this fails, the file is left as an orphan.
    pub(super) fn remove(&self, hash: Hash) {
        let path = self.path(hash);
        let removed = step(StepKind::Write, "a large value that goes");
        if let Err(error) = removed.and_then(|()| fs::remove_file(&path)) {
            tracing::warn!(?path, %error, "a file that is no longer needed stays");
        }
    }

    /// Removes every file for which `named` is false, and drafts. Returns their number.
    pub(super) fn sweep(
        &self,
        named: impl Fn(Hash) -> Result<bool, StoreError>,
    ) -> Result<usize, StoreError> {
        let mut swept = 0;
        for entry in fs::read_dir(&self.dir).map_err(StoreError::io("list", &self.dir))? {
            let entry = entry.map_err(StoreError::io("list", &self.dir))?;
            let name = entry.file_name();
            let Some(name) = name.to_str() else { continue };
            let orphan = match Hash::from_hex(name) {
                Some(hash) => !named(hash)?,
                None => name.strip_suffix(".tmp").and_then(Hash::from_hex).is_some(),
            };
            if orphan {
                let path = entry.path();
                fs::remove_file(&path).map_err(StoreError::io("remove", &path))?;
                swept += 1;
            }
        }
        Ok(swept)
    }
}

/// Makes the names in a folder durable.
pub(super) fn sync_folder(dir: &Path) -> Result<(), StoreError> {
    step(StepKind::Flush, "a folder of the store")
        .and_then(|()| File::open(dir))
        .and_then(|folder| folder.sync_all())
        .map_err(StoreError::io("sync", dir))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hexadecimal_digits_read_back_and_nothing_else_does() {
        assert_eq!(to_hex(&[0, 0x9f, 0xff]), "009fff");
        assert_eq!(from_hex("009fff"), Some(vec![0, 0x9f, 0xff]));
        assert_eq!(from_hex("00g0"), None);
        assert_eq!(from_hex("0"), None);
        assert_eq!(from_hex("AB"), None);
    }

    #[test]
    fn a_blob_that_was_changed_or_lost_is_not_passed_off_as_the_real_one() {
        let dir = tempfile::tempdir().unwrap();
        let blobs = Blobs::open(&dir.path().join("blobs")).unwrap();
        let (cap, map) = (Hash::of(b"a cap"), Hash::of(b"a map"));
        let file = Hash::of_file(&[cap, map]);
        let parts = vec![&b"a cap"[..], &b"a map"[..]];
        blobs.write(BTreeMap::from([(file, parts)])).unwrap();
        let place = |at| Place {
            file,
            at,
            length: 5,
        };
        assert_eq!(blobs.read(cap, place(0)).unwrap(), b"a cap");
        assert_eq!(blobs.read(map, place(5)).unwrap(), b"a map");
        let damaged = |blob, at| {
            let read = blobs.read(blob, place(at));
            assert!(matches!(read, Err(StoreError::Damaged { .. })), "{read:?}");
        };
        fs::write(blobs.path(file), b"a capa nap").unwrap();
        assert_eq!(blobs.read(cap, place(0)).unwrap(), b"a cap");
        damaged(map, 5);
        fs::write(blobs.path(file), b"a c").unwrap();
        damaged(cap, 0);
        damaged(map, 5);
        blobs.remove(file);
        damaged(cap, 0);
    }

    #[test]
    fn the_sweep_takes_orphans_and_drafts_and_leaves_what_it_does_not_know() {
        let dir = tempfile::tempdir().unwrap();
        let blobs = Blobs::open(dir.path()).unwrap();
        let (kept, orphan) = (Hash::of(b"kept"), Hash::of(b"orphan"));
        let files = [(kept, vec![&b"kept"[..]]), (orphan, vec![&b"orphan"[..]])];
        blobs.write(BTreeMap::from(files)).unwrap();
        fs::write(blobs.draft(kept), b"ke").unwrap();
        fs::write(dir.path().join("README"), b"the keeper's own").unwrap();
        assert_eq!(blobs.sweep(|hash| Ok(hash == kept)).unwrap(), 2);
        assert_eq!(fs::read(blobs.path(kept)).unwrap(), b"kept");
        assert!(dir.path().join("README").exists());
    }
}
