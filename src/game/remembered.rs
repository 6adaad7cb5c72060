//! Data of a variant that remember what they were read as, or made of: a game is asked for its state at every step, and data are
//! read much more often than they change.

use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, OnceLock};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use dipjudge_rules::orders::VariantData;

/// Data that are read once, and then copied as what they were read as; where they are made of a value, they are written when
/// somebody asks for them, and never in most phases. They are equal and stored as their data alone. A copy shares all of it.
#[derive(Clone, Default)]
pub struct RememberedData(Arc<Content>);

#[derive(Default)]
struct Content {
    data: OnceLock<Arc<VariantData>>,
    read: OnceLock<Arc<dyn Any + Send + Sync>>,
    /// Writes the data where there are none yet.
    write: Option<Box<dyn Fn() -> VariantData + Send + Sync>>,
}

impl RememberedData {
    /// The data that `write` makes of a value. To read what it makes has to give the same value.
    pub fn of<T: Send + Sync + 'static>(
        value: T,
        write: impl Fn(&T) -> VariantData + Send + Sync + 'static,
    ) -> RememberedData {
        let value = Arc::new(value);
        RememberedData(Arc::new(Content {
            data: OnceLock::new(),
            read: OnceLock::from(Arc::clone(&value) as Arc<dyn Any + Send + Sync>),
            write: Some(Box::new(move || write(&value))),
        }))
    }

    /// The data.
    pub fn data(&self) -> &VariantData {
        let content = &self.0;
        let written = || content.write.as_ref().map(|write| write());
        content
            .data
            .get_or_init(|| Arc::new(written().unwrap_or_default()))
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
            .0
            .read
            .get_or_init(|| Arc::new(self.data().stored::<T>()))
            .downcast_ref::<T>();
        read.map_or_else(|| Cow::Owned(self.data().stored()), Cow::Borrowed)
    }

    /// The same data without what they were read as, for games that are kept and seldom read. Data that nobody has written yet are
    /// kept as what they are made of.
    #[must_use]
    pub(super) fn unread(&self) -> RememberedData {
        match self.0.data.get() {
            Some(data) => RememberedData::written(Arc::clone(data)),
            None => self.clone(),
        }
    }

    fn written(data: Arc<VariantData>) -> RememberedData {
        RememberedData(Arc::new(Content {
            data: OnceLock::from(data),
            ..Content::default()
        }))
    }
}

impl fmt::Debug for RememberedData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.data().fmt(f)
    }
}

impl Serialize for RememberedData {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.data().serialize(to)
    }
}

impl<'de> Deserialize<'de> for RememberedData {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        VariantData::deserialize(from).map(RememberedData::from)
    }
}

impl PartialEq for RememberedData {
    fn eq(&self, other: &RememberedData) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.data() == other.data()
    }
}

impl Eq for RememberedData {}

impl From<VariantData> for RememberedData {
    fn from(data: VariantData) -> RememberedData {
        RememberedData::written(Arc::new(data))
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

    #[test]
    fn data_that_are_made_of_a_value_are_that_value_and_are_written_when_asked_for() {
        let write = |value: &u32| VariantData::of(value).unwrap();
        let made = RememberedData::of(7_u32, write);
        assert_eq!(made.stored::<u32>(), 7);
        assert_eq!(made.stored::<i64>(), 7);
        assert_eq!(made, number(7));
        assert_eq!(made.unread(), number(7));
        assert_ne!(made, RememberedData::of(8_u32, write));
        assert_eq!(serde_json::to_string(&made).unwrap(), "7");
        let read: RememberedData = serde_json::from_str("7").unwrap();
        assert_eq!(read, made);
    }
}
