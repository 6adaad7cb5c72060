//! What the shell itself must not forget: how far it looked, what time it acted as of, what it set aside.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::backups::Backups;
use super::outage::Outages;
use dipjudge_store::{Store, StoreError};

/// Under which key of the store it lies.
const KEY: &str = "shell";

/// What a restart must not forget beside the logs; one value of the store.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Memory {
    /// The time of the newest thing that happened: nothing can happen before it any more.
    pub newest: Option<Timestamp>,
    /// When each source of mail was last seen completely, with all that was in it handled.
    pub looks: BTreeMap<String, Timestamp>,
    /// When the inbox could not be reached.
    pub outages: Outages,
    /// How many messages were handled.
    pub messages: u64,
    /// How many of these were set aside for the keeper.
    pub set_aside: u64,
    /// How the copies of the store fare.
    pub backups: Backups,
    /// When the keeper was last written to, as far as it matters.
    pub notices: Vec<Timestamp>,
}

impl Memory {
    /// Reads it; a store without one knows nothing yet.
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

    /// As an entry for the store.
    ///
    /// # Errors
    /// None that could be expected.
    pub fn entry(&self) -> Result<(String, Vec<u8>), serde_json::Error> {
        Ok((KEY.to_owned(), serde_json::to_vec(self)?))
    }
}
