//! The state of the shell that survives a restart.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::backups::Backups;
use super::notice::NoticesSent;
use super::outage::Outages;
use super::probe::Probe;
use dipjudge_store::{Store, StoreError};

/// Its key in the store.
const KEY: &str = "shell";

/// The state of the shell that survives a restart beside the logs; one value of the store.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Memory {
    /// The time of the newest event: nothing may happen before it.
    pub newest: Option<Timestamp>,
    /// When each source of mail was last read completely and everything in it was handled.
    pub looks: BTreeMap<String, Timestamp>,
    /// The outages of the inbox.
    pub outages: Outages,
    /// How many messages were handled.
    pub messages: u64,
    /// How many rulings were stored: on messages, on what was due, on what the keeper asked for, and notices of the program.
    pub rulings: u64,
    /// How many of these were set aside for the keeper.
    pub set_aside: u64,
    /// The state of the backups.
    pub backups: Backups,
    /// The notices to the keeper within the last day.
    pub notices_sent: NoticesSent,
    /// The last test mail, where test mails are sent.
    pub probe: Option<Probe>,
    /// When the last digest was due, whether or not there was anything to tell.
    pub digest: Option<Timestamp>,
}

impl Memory {
    /// Reads it; the default if the store has none.
    ///
    /// # Errors
    /// If the store cannot be read, or holds something else under that key.
    pub fn read(store: &Store) -> Result<Memory, StoreError> {
        match store.meta(KEY)? {
            None => Ok(Memory::default()),
            Some(bytes) => serde_json::from_slice(&bytes).map_err(|error| StoreError::Damaged {
                what: format!("the entry {KEY:?} cannot be read: {error}"),
            }),
        }
    }

    /// The entry for the store.
    ///
    /// # Errors
    /// If it cannot be written as JSON, which is not expected.
    pub fn entry(&self) -> Result<(String, Vec<u8>), serde_json::Error> {
        Ok((KEY.to_owned(), serde_json::to_vec(self)?))
    }
}
