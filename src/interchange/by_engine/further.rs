//! Keys of a line beyond those of the standard game: settings, forced draws, the variant's own state.

use dipjudge_game::{DataError, unreadable};
use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::{Map, Value};

/// The keys of `state` that are common to all variants; the rest belong to the variant.
const COMMON: [&str; 4] = ["units", "centers", "retreats", "builds"];

/// The further keys of a line.
pub(super) struct Further {
    /// Settings by name.
    pub(super) settings: Map<String, Value>,
    /// Forced draws by stream.
    pub(super) draws: BTreeMap<String, u64>,
    /// The variant's own keys of `state`.
    pub(super) own: Map<String, Value>,
}

impl Further {
    /// Reads them from a line that is known to be an object; the error is a sentence.
    pub(super) fn read(line: &[u8]) -> Result<Further, DataError> {
        let ReadKeys(mut line) = serde_json::from_slice(line)
            .map_err(|error| format!("The object cannot be read: {error}."))?;
        let mut object = |key: &str| match line.remove(key) {
            None | Some(Value::Null) => Ok(Map::new()),
            Some(Value::Object(object)) => Ok(object),
            Some(_) => unreadable(format!("`{key}` has to be an object.")),
        };
        let settings = object("settings")?;
        let draws = object("draws")?
            .into_iter()
            .map(|(stream, number)| match number.as_u64() {
                Some(number) => Ok((stream, number)),
                None => unreadable(format!(
                    "The draw `{stream}` has to be a whole number from 0 on, not {number}."
                )),
            })
            .collect::<Result<_, _>>()?;
        let own = object("state")?;
        Ok(Further {
            settings,
            draws,
            own,
        })
    }
}

/// The keys that are read here. Others are skipped, since most of a line are its units and orders.
struct ReadKeys(Map<String, Value>);

impl<'de> Deserialize<'de> for ReadKeys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visit;
        impl<'de> Visitor<'de> for Visit {
            type Value = ReadKeys;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ReadKeys, A::Error> {
                let mut read = Map::new();
                while let Some(key) = map.next_key::<String>()? {
                    let value = match key.as_str() {
                        "settings" | "draws" => map.next_value()?,
                        "state" => match map.next_value()? {
                            Some(OwnKeys(own)) => Value::Object(own),
                            None => Value::Null,
                        },
                        _ => {
                            map.next_value::<IgnoredAny>()?;
                            continue;
                        }
                    };
                    read.insert(key, value);
                }
                Ok(ReadKeys(read))
            }
        }
        deserializer.deserialize_map(Visit)
    }
}

/// The keys of a `state` that are the variant's own.
struct OwnKeys(Map<String, Value>);

impl<'de> Deserialize<'de> for OwnKeys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visit;
        impl<'de> Visitor<'de> for Visit {
            type Value = OwnKeys;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<OwnKeys, A::Error> {
                let mut own = Map::new();
                while let Some(key) = map.next_key::<String>()? {
                    if COMMON.contains(&key.as_str()) {
                        map.next_value::<IgnoredAny>()?;
                    } else {
                        own.insert(key, map.next_value()?);
                    }
                }
                Ok(OwnKeys(own))
            }
        }
        deserializer.deserialize_map(Visit)
    }
}
