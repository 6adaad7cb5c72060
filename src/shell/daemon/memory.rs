//! What the shell itself must not forget: how far it looked, what time it acted as of, what it set aside.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::outage::Outages;
use crate::shell::store::{Store, StoreError};

/// Under which key of the store it lies.
const KEY: &str = "shell";
/// The key before the number of a message set aside.
const SET_ASIDE: &str = "set-aside";

/// It.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Memory {
    /// The hour of the newest thing that happened: nothing can happen before it any more.
    pub newest: Option<Timestamp>,
    /// When each source of mail was last seen completely, with all that was in it handled.
    pub looks: BTreeMap<String, Timestamp>,
    /// When the inbox could not be reached.
    pub outages: Outages,
    /// How many messages were handled.
    pub messages: u64,
    /// How many of these were set aside for the keeper.
    pub set_aside: u64,
    /// When the keeper was last written to, as far as it matters.
    pub notices: Vec<Timestamp>,
}

/// A message set aside.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetAside {
    /// Its number, from 1.
    pub number: u64,
    /// When.
    pub at: Timestamp,
    /// When it arrived.
    pub arrived: Timestamp,
    /// From where: `inbox` or `spool`.
    pub source: String,
    /// Why.
    pub why: String,
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

impl SetAside {
    /// As entries for the store: the facts, and the message itself.
    ///
    /// # Errors
    /// None that could be expected.
    pub fn entries(&self, message: &[u8]) -> Result<[(String, Vec<u8>); 2], serde_json::Error> {
        let key = format!("{SET_ASIDE}.{}", self.number);
        Ok([
            (key.clone(), serde_json::to_vec(self)?),
            (format!("{key}.message"), message.to_vec()),
        ])
    }

    /// The newest messages set aside, at most `n`, newest first.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn newest(store: &Store, memory: &Memory, n: u64) -> Result<Vec<SetAside>, StoreError> {
        let numbers = (memory.set_aside.saturating_sub(n)..memory.set_aside)
            .rev()
            .map(|number| number + 1);
        let mut found = Vec::new();
        for number in numbers {
            let entry = store.meta(&format!("{SET_ASIDE}.{number}"))?;
            found.extend(entry.and_then(|bytes| serde_json::from_slice(&bytes).ok()));
        }
        Ok(found)
    }

    /// A message set aside, as it came.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn message(store: &Store, number: u64) -> Result<Option<Vec<u8>>, StoreError> {
        store.meta(&format!("{SET_ASIDE}.{number}.message"))
    }
}
