//! What the judge keeps of addresses, beside the logs: one memo an address, named by it.

use std::collections::BTreeMap;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::memos::MemoChange;

/// What is kept of addresses, each normalized.
#[derive(Debug)]
pub(crate) struct AddressMemos<T> {
    /// How the names of the memos begin.
    prefix: &'static str,
    all: BTreeMap<String, T>,
}

impl<T: Serialize + DeserializeOwned> AddressMemos<T> {
    /// Nothing yet, under names that begin so.
    pub(crate) fn new(prefix: &'static str) -> AddressMemos<T> {
        AddressMemos {
            prefix,
            all: BTreeMap::new(),
        }
    }

    /// What is kept of an address.
    pub(crate) fn get(&self, address: &str) -> Option<&T> {
        self.all.get(address)
    }

    /// All addresses of which something is kept, in their order.
    pub(crate) fn all(&self) -> &BTreeMap<String, T> {
        &self.all
    }

    /// What is to be stored so that this is kept of an address. `None` if it cannot be written, which times always can.
    pub(crate) fn kept(&self, address: &str, what: &T) -> Option<MemoChange> {
        let content = serde_json::to_vec(what).ok()?;
        Some(self.memo(address, Some(content)))
    }

    /// What is to be stored so that nothing is kept of an address.
    pub(crate) fn forgotten(&self, address: &str) -> MemoChange {
        self.memo(address, None)
    }

    fn memo(&self, address: &str, content: Option<Vec<u8>>) -> MemoChange {
        MemoChange {
            name: format!("{}{address}", self.prefix),
            content,
        }
    }

    /// Whether what is kept under a name is of this kind.
    pub(crate) fn holds_name(&self, name: &str) -> bool {
        name.starts_with(self.prefix)
    }

    /// Takes in what was kept under a name, or forgets it.
    ///
    /// # Errors
    /// If no version of this program wrote it.
    pub(crate) fn absorb(
        &mut self,
        name: &str,
        json: Option<&[u8]>,
    ) -> Result<(), serde_json::Error> {
        let address = name.strip_prefix(self.prefix).unwrap_or(name);
        match json {
            Some(json) => {
                let kept = serde_json::from_slice(json)?;
                self.all.insert(address.to_owned(), kept);
            }
            None => _ = self.all.remove(address),
        }
        Ok(())
    }
}
