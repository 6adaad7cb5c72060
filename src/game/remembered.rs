//! Data of a variant that remember what they were read as: a game is asked for its state at every step, and data are read
//! much more often than they change.

use std::any::Any;
use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use dipjudge_rules::orders::VariantData;

/// Data that are read once, and then copied as what they were read as. They are equal and stored as their data alone.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RememberedData {
    data: VariantData,
    #[serde(skip)]
    read: OnceLock<Arc<dyn Any + Send + Sync>>,
}

impl RememberedData {
    /// The data.
    pub fn data(&self) -> &VariantData {
        &self.data
    }

    /// Reads the value like [`VariantData::stored`].
    #[must_use]
    pub fn stored<T: DeserializeOwned + Default + Clone + Send + Sync + 'static>(&self) -> T {
        self.known::<T>().into_owned()
    }

    /// Reads the value without a copy, if nothing else was read of the data before.
    #[must_use]
    pub fn known<T>(&self) -> Cow<'_, T>
    where
        T: DeserializeOwned + Default + Clone + Send + Sync + 'static,
    {
        let read = self
            .read
            .get_or_init(|| Arc::new(self.data.stored::<T>()))
            .downcast_ref::<T>();
        read.map_or_else(|| Cow::Owned(self.data.stored()), Cow::Borrowed)
    }

    /// The same data without what they were read as, for games that are kept and seldom read.
    #[must_use]
    pub(super) fn unread(&self) -> RememberedData {
        self.data.clone().into()
    }
}

impl PartialEq for RememberedData {
    fn eq(&self, other: &RememberedData) -> bool {
        self.data == other.data
    }
}

impl Eq for RememberedData {}

impl From<VariantData> for RememberedData {
    fn from(data: VariantData) -> RememberedData {
        RememberedData {
            data,
            read: OnceLock::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(number: u32) -> RememberedData {
        VariantData::of(&number).unwrap().into()
    }

    #[test]
    fn data_are_read_as_what_is_asked_for_whatever_they_were_read_as_before() {
        let data = number(7);
        assert_eq!(data.stored::<u32>(), 7);
        assert_eq!(data.stored::<u32>(), 7);
        assert_eq!(data.stored::<i64>(), 7);
        assert_eq!(data.stored::<String>(), "", "they are no text");
    }

    #[test]
    fn what_was_read_changes_neither_whether_data_are_equal_nor_how_they_are_stored() {
        let (read, unread) = (number(7), number(7));
        let _ = read.stored::<u32>();
        assert_eq!(read, unread);
        assert_eq!(read.unread(), unread);
        assert_eq!(serde_json::to_string(&read).unwrap(), "7");
    }
}
