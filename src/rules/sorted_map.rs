//! A map of few entries, as one sorted list.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::{Serialize, Serializer};

/// A map of few entries, as one sorted list. Positions are copied at each step of an adjudication: a copy of a list is one piece
/// of memory, where a tree is made of many.
#[derive(Clone, PartialEq, Eq)]
pub struct SortedMap<K, V>(Vec<(K, V)>);

impl<K, V> SortedMap<K, V> {
    /// An empty map.
    #[must_use]
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// The number of entries.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no entry.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// The entries, sorted by key.
    pub fn iter(&self) -> Iter<'_, K, V> {
        self.0.iter().map(|(key, value)| (key, value))
    }

    /// The keys, sorted.
    pub fn keys(&self) -> impl Iterator<Item = &K> + Clone {
        self.0.iter().map(|(key, _)| key)
    }

    /// The values, in the order of their keys.
    pub fn values(&self) -> impl Iterator<Item = &V> + Clone {
        self.0.iter().map(|(_, value)| value)
    }

    /// Keeps the entries that fit.
    pub fn retain(&mut self, mut fits: impl FnMut(&K, &mut V) -> bool) {
        self.0.retain_mut(|(key, value)| fits(key, value));
    }
}

impl<K: Ord, V> SortedMap<K, V> {
    fn place(&self, key: &K) -> Result<usize, usize> {
        self.0.binary_search_by(|(other, _)| other.cmp(key))
    }

    /// The value of the key.
    #[must_use]
    pub fn get(&self, key: &K) -> Option<&V> {
        let place = self.place(key).ok()?;
        self.0.get(place).map(|(_, value)| value)
    }

    /// Whether the key has a value.
    #[must_use]
    pub fn contains_key(&self, key: &K) -> bool {
        self.place(key).is_ok()
    }

    /// Gives the key a value, and returns the one that it had.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        // Most maps are filled in the order of their keys.
        if self.0.last().is_none_or(|(last, _)| *last < key) {
            self.0.push((key, value));
            return None;
        }
        match self.place(&key) {
            Ok(place) => {
                let known = self.0.get_mut(place);
                known.map(|(_, known)| std::mem::replace(known, value))
            }
            Err(place) => {
                self.0.insert(place, (key, value));
                None
            }
        }
    }

    /// The value of the key, which gets an empty one if it has none.
    pub fn get_or_default(&mut self, key: K) -> &mut V
    where
        V: Default,
    {
        let place = match self.place(&key) {
            Ok(place) => place,
            Err(place) => {
                self.0.insert(place, (key, V::default()));
                place
            }
        };
        &mut self.0[place].1
    }

    /// Removes the key, and returns the value that it had.
    pub fn remove(&mut self, key: &K) -> Option<V> {
        let place = self.place(key).ok()?;
        Some(self.0.remove(place).1)
    }
}

/// The entries of a map.
pub type Iter<'a, K, V> = std::iter::Map<std::slice::Iter<'a, (K, V)>, Pair<'a, K, V>>;
type Pair<'a, K, V> = fn(&'a (K, V)) -> (&'a K, &'a V);

impl<K, V> Default for SortedMap<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for SortedMap<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<K: Ord, V> Extend<(K, V)> for SortedMap<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        for (key, value) in entries {
            self.insert(key, value);
        }
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for SortedMap<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let entries = entries.into_iter();
        let mut map = Self(Vec::with_capacity(entries.size_hint().0));
        map.extend(entries);
        map
    }
}

impl<K: Ord, V, const N: usize> From<[(K, V); N]> for SortedMap<K, V> {
    fn from(entries: [(K, V); N]) -> Self {
        entries.into_iter().collect()
    }
}

impl<K, V> IntoIterator for SortedMap<K, V> {
    type Item = (K, V);
    type IntoIter = std::vec::IntoIter<(K, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a, K, V> IntoIterator for &'a SortedMap<K, V> {
    type Item = (&'a K, &'a V);
    type IntoIter = Iter<'a, K, V>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<K: Serialize, V: Serialize> Serialize for SortedMap<K, V> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self)
    }
}

impl<'de, K: Deserialize<'de> + Ord, V: Deserialize<'de>> Deserialize<'de> for SortedMap<K, V> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Entries<K, V>(PhantomData<(K, V)>);
        impl<'de, K: Deserialize<'de> + Ord, V: Deserialize<'de>> Visitor<'de> for Entries<K, V> {
            type Value = SortedMap<K, V>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut read = SortedMap::new();
                while let Some((key, value)) = map.next_entry()? {
                    read.insert(key, value);
                }
                Ok(read)
            }
        }
        from.deserialize_map(Entries(PhantomData))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn it_holds_what_a_tree_holds() {
        let mut map = SortedMap::new();
        let mut tree = BTreeMap::new();
        // Keys in an order of no kind, some of them again and again.
        let mut number: u32 = 1;
        for step in 0..500 {
            number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let key = number >> 26;
            if step % 3 == 0 {
                assert_eq!(map.remove(&key), tree.remove(&key));
            } else {
                assert_eq!(map.insert(key, step), tree.insert(key, step));
            }
            assert_eq!(map.get(&key), tree.get(&key));
            assert_eq!(map.len(), tree.len());
            assert!(map.iter().eq(&tree));
        }
        let again: SortedMap<u32, i32> = tree
            .iter()
            .rev()
            .map(|(key, value)| (*key, *value))
            .collect();
        assert_eq!(again, map);
        map.retain(|key, _| key % 2 == 0);
        tree.retain(|key, _| key % 2 == 0);
        assert!(map.keys().eq(tree.keys()) && map.values().eq(tree.values()));
        assert_eq!(format!("{map:?}"), format!("{tree:?}"));
    }

    #[test]
    fn it_is_stored_as_a_tree_is() {
        let json = r#"{"1":"b","7":"a"}"#;
        let map: SortedMap<u32, String> =
            serde_json::from_str(r#"{"7":"a","1":"c","1":"b"}"#).unwrap();
        assert_eq!(serde_json::to_string(&map).unwrap(), json);
    }
}
