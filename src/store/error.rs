//! Errors of the store, with messages for the keeper.

use std::path::{Path, PathBuf};

/// An error of the store. A failed write leaves nothing in the store, except after [`StoreError::Broken`].
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another process holds the lock of this data folder.
    #[error("the store in {dir:?} is in use: the daemon is running")]
    Busy {
        /// The data folder.
        dir: PathBuf,
    },
    /// There is no store in this data folder.
    #[error(
        "the judge has never run here: there is no store in the folder {dir:?}; look at data of [judge] in the config, or make a store there with dipjudge init or dipjudge restore"
    )]
    Missing {
        /// The data folder.
        dir: PathBuf,
    },
    /// The store has no id.
    #[error(
        "the store in {dir:?} has no file store.id: if an earlier version of the program made it, use that one; else restore a backup into an empty folder"
    )]
    NoId {
        /// The data folder.
        dir: PathBuf,
    },
    /// Root would write into another user's store.
    #[error(
        "the store in {dir:?} belongs to the user {owner}, who could not read what root writes there; type this as that user, such as: runuser -u {owner} -- dipjudge …"
    )]
    Foreign {
        /// The data folder.
        dir: PathBuf,
        /// The user's name.
        owner: String,
    },
    /// The store was written by a later version of the program.
    #[error(
        "the store has version {found}, this program knows versions up to {known}; use the newer program, or restore a backup"
    )]
    Newer {
        /// Version found in the store or backup.
        found: u64,
        /// Newest version that this program reads.
        known: u64,
    },
    /// The store was written by an earlier version of the program, in a form that this one does not read.
    #[error(
        "the store has version {found}, this program writes version {known} and reads no older one; use the program that wrote it, or begin with an empty data folder"
    )]
    Older {
        /// Version found in the store.
        found: u64,
        /// The version that this program reads.
        known: u64,
    },
    /// The files are not what was written; the store must be restored from a backup.
    #[error("the store is damaged: {what}; restore it from a backup into an empty folder")]
    Damaged {
        /// What is wrong.
        what: String,
    },
    /// A write failed, and it is not known whether it is on the disk. Every later call fails until the store is opened again;
    /// then the write is either there as a whole or not at all.
    #[error("an earlier write to the store failed; stop and open the store again")]
    Broken,
    /// An operation of the operating system failed.
    #[error("cannot {doing} {path:?}: {source}")]
    Io {
        /// What was being done, as a verb.
        doing: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
    /// The database failed.
    #[error("the database failed: {what}")]
    Database {
        /// The message of the database.
        what: String,
    },
    /// The folder for a restore is not empty.
    #[error("the folder {dir:?} is not empty; restore into an empty one")]
    NotEmpty {
        /// The folder.
        dir: PathBuf,
    },
    /// A restore into this folder was interrupted.
    #[error("a restore into {dir:?} did not end; empty the folder and restore again")]
    Unfinished {
        /// The folder.
        dir: PathBuf,
    },
    /// The backup file cannot be used.
    #[error("the backup cannot be used, line {line}: {why}")]
    BadBackup {
        /// Line number, from 1.
        line: u64,
        /// What is wrong with it.
        why: String,
    },
    /// The backup could not be written or read.
    #[error("cannot copy the backup: {0}")]
    Copy(std::io::Error),
    /// No log or game of this name.
    #[error("there is no log {0:?} in the store")]
    NoSuchLog(String),
    /// There is already a log or game of this name.
    #[error("there is already a log {0:?} in the store")]
    NameTaken(String),
    /// There is no such mail in the outbox.
    #[error("there is no mail {0} in the outbox")]
    NoSuchMail(u64),
}

impl StoreError {
    /// For `map_err`: an error with what was being done to which path.
    pub(super) fn io(doing: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io {
            doing,
            path,
            source,
        }
    }

    /// The error of a damaged store.
    pub(super) fn damaged(what: impl Into<String>) -> Self {
        Self::Damaged { what: what.into() }
    }
}

impl From<sled::Error> for StoreError {
    fn from(error: sled::Error) -> Self {
        match error {
            sled::Error::Corruption { .. } => Self::damaged("the database file is corrupt"),
            sled::Error::Io(error) => Self::Database {
                what: error.to_string(),
            },
            other => Self::Database {
                what: other.to_string(),
            },
        }
    }
}
