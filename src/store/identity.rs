//! The id and the owner of the store in a folder.
//!
//! The id is drawn when the store is created and is part of its backups. It is in a file of its own, so that it can be read
//! while another process has the store open.

use std::fmt;
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use super::blobs::{from_hex, sync_folder, to_hex};
use super::error::StoreError;

/// The name of the file.
pub(super) const FILE: &str = "store.id";
/// If one of these exists, the folder has a store or the remains of one.
const PARTS: [&str; 4] = ["sled", "sled.old", "store.writes", "restoring"];

/// The unique id of a store.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StoreId(String);

impl StoreId {
    /// A new one.
    fn draw() -> Result<StoreId, StoreError> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(|error| StoreError::Database {
            what: format!("the system has no random bytes: {error}"),
        })?;
        Ok(StoreId(to_hex(&bytes)))
    }

    /// Reads 32 hexadecimal digits.
    pub fn parse(text: &str) -> Option<StoreId> {
        let text = text.trim();
        from_hex(text)
            .filter(|bytes| bytes.len() == 16)
            .map(|_| StoreId(text.to_owned()))
    }

    /// The 32 hexadecimal digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for StoreId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The id of the store in a folder, even if another process has it open.
///
/// # Errors
/// [`StoreError::Missing`] if there is no store, [`StoreError::NoId`] if it has no id; or if the folder cannot be read.
pub fn find(dir: &Path) -> Result<StoreId, StoreError> {
    if !exists(dir)? {
        return Err(StoreError::Missing {
            dir: dir.to_owned(),
        });
    }
    read(dir)?.ok_or_else(|| StoreError::NoId {
        dir: dir.to_owned(),
    })
}

/// Whether a folder has a store or the remains of one. It is an error if the folder cannot be read.
pub(super) fn exists(dir: &Path) -> Result<bool, StoreError> {
    for part in PARTS {
        let path = dir.join(part);
        if path
            .try_exists()
            .map_err(StoreError::io("look for", &path))?
        {
            return Ok(true);
        }
    }
    Ok(false)
}

fn read(dir: &Path) -> Result<Option<StoreId>, StoreError> {
    let path = dir.join(FILE);
    match fs::read_to_string(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(StoreError::io("read", &path)(error)),
        Ok(text) => match StoreId::parse(&text) {
            Some(id) => Ok(Some(id)),
            None => Err(StoreError::damaged(format!(
                "the file {FILE} holds no id of a store"
            ))),
        },
    }
}

/// Writes the id of a store that is being created: this one, or a new one.
pub(super) fn write_id(dir: &Path, id: Option<&StoreId>) -> Result<(), StoreError> {
    let id = match id {
        Some(id) => id.clone(),
        None => StoreId::draw()?,
    };
    let path = dir.join(FILE);
    File::create(&path)
        .and_then(|mut file| {
            file.write_all(format!("{id}\n").as_bytes())?;
            file.sync_all()
        })
        .map_err(StoreError::io("write", &path))?;
    sync_folder(dir)
}

/// A user and a group of the system, by their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owner {
    /// The user.
    pub user: u32,
    /// The group.
    pub group: u32,
}

/// The owner of the store in a folder.
///
/// # Errors
/// As [`find`].
pub fn owner(dir: &Path) -> Result<Owner, StoreError> {
    find(dir)?;
    let path = dir.join(FILE);
    let metadata = fs::metadata(&path).map_err(StoreError::io("look at", &path))?;
    Ok(Owner {
        user: metadata.uid(),
        group: metadata.gid(),
    })
}

/// Refuses to work as root in the folder of another user, who could not read what root writes.
///
/// # Errors
/// [`StoreError::Foreign`].
pub fn refuse_root(dir: &Path) -> Result<(), StoreError> {
    let this_user = match fs::metadata("/proc/self") {
        Ok(metadata) => metadata.uid(),
        // Without that file system the user of this process is not known.
        Err(_) => return Ok(()),
    };
    let nearest = dir
        .ancestors()
        .find_map(|folder| fs::metadata(folder).ok())
        .map_or(this_user, |metadata| metadata.uid());
    if this_user == 0 && nearest != 0 {
        return Err(StoreError::Foreign {
            dir: dir.to_owned(),
            owner: user_name(nearest),
        });
    }
    Ok(())
}

/// The name of a user, or the number if the system has no name for it.
pub fn user_name(user: u32) -> String {
    let number = user.to_string();
    let passwd = fs::read_to_string("/etc/passwd").unwrap_or_default();
    passwd
        .lines()
        .map(|line| line.split(':').collect::<Vec<_>>())
        .find(|fields| fields.get(2) == Some(&number.as_str()))
        .and_then(|fields| fields.first().map(|name| (*name).to_owned()))
        .unwrap_or(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_read_back_and_nothing_else_is_one() {
        let id = StoreId::draw().unwrap();
        assert_ne!(id, StoreId::draw().unwrap());
        assert_eq!(StoreId::parse(&format!("{id}\n")), Some(id));
        for no in ["", "0123", &"g".repeat(32), &"0".repeat(33)] {
            assert_eq!(StoreId::parse(no), None, "{no}");
        }
    }

    #[test]
    fn an_empty_folder_holds_no_store() {
        let dir = tempfile::tempdir().unwrap();
        let error = find(dir.path()).unwrap_err();
        assert!(matches!(error, StoreError::Missing { .. }), "{error}");
        assert!(error.to_string().contains(dir.path().to_str().unwrap()));
        fs::create_dir(dir.path().join("sled")).unwrap();
        assert!(matches!(find(dir.path()), Err(StoreError::NoId { .. })));
    }

    #[test]
    fn root_has_a_name() {
        assert_eq!(user_name(0), "root");
        assert_eq!(user_name(4_294_967_000), "4294967000");
    }
}
