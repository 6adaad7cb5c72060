//! The input object, with its texts borrowed from the line.

use dipjudge_game::DataError;
use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, de};
use serde_json::{Map, Value};

/// A line of input. Keys that it does not name are ignored.
#[derive(Deserialize)]
pub(super) struct Input<'a> {
    #[serde(borrow, default)]
    pub(super) id: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub(super) map: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub(super) variant: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub(super) name: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub(super) state: Option<State<'a>>,
    #[serde(borrow, default)]
    pub(super) orders: Option<Section<'a>>,
    #[serde(borrow, default)]
    pub(super) seed: Option<Text<'a>>,
    #[serde(default)]
    pub(super) settings: Option<Value>,
    /// Forced draws by stream.
    #[serde(default)]
    pub(super) draws: Option<Value>,
}

/// The part of a line that is needed to answer one with errors.
#[derive(Deserialize)]
pub(super) struct Identity<'a> {
    #[serde(borrow, default)]
    pub(super) id: Option<Text<'a>>,
}

#[derive(Default)]
pub(super) struct State<'a> {
    pub(super) units: Option<Section<'a>>,
    pub(super) centers: Option<Section<'a>>,
    pub(super) retreats: Option<Retreats<'a>>,
    /// The keys that are not common to all variants.
    pub(super) own: Map<String, Value>,
}

impl<'de: 'a, 'a> Deserialize<'de> for State<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visit;
        impl<'de> Visitor<'de> for Visit {
            type Value = State<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("struct State")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<State<'de>, A::Error> {
                let mut state = State::default();
                let (mut units, mut centers, mut retreats) = (None, None, None);
                while let Some(key) = map.next_key::<Text<'de>>()? {
                    match key.as_str() {
                        "units" => once("units", &mut units, &mut map)?,
                        "centers" => once("centers", &mut centers, &mut map)?,
                        "retreats" => once("retreats", &mut retreats, &mut map)?,
                        "builds" => {
                            map.next_value::<IgnoredAny>()?;
                        }
                        own => {
                            state.own.insert(own.to_owned(), map.next_value()?);
                        }
                    }
                }
                state.units = units.flatten();
                state.centers = centers.flatten();
                state.retreats = retreats.flatten();
                Ok(state)
            }
        }
        deserializer.deserialize_map(Visit)
    }
}

/// Reads the value of a key that comes once at most.
fn once<'de, A: MapAccess<'de>, T: Deserialize<'de>>(
    key: &'static str,
    value: &mut Option<T>,
    map: &mut A,
) -> Result<(), A::Error> {
    if value.is_some() {
        return Err(de::Error::duplicate_field(key));
    }
    *value = Some(map.next_value()?);
    Ok(())
}

/// A text, borrowed unless it has escapes.
#[derive(Clone, Debug)]
pub(super) struct Text<'a>(Cow<'a, str>);

impl Text<'_> {
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visit;
        impl<'de> Visitor<'de> for Visit {
            type Value = Text<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }
            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Borrowed(text)))
            }
            fn visit_str<E>(self, text: &str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Owned(text.to_owned())))
            }
        }
        deserializer.deserialize_str(Visit)
    }
}

/// An object of lists of texts, stored flat: the keys, and each text with the index of its key.
#[derive(Debug, Default)]
pub(super) struct Section<'a> {
    pub(super) keys: Vec<Text<'a>>,
    pub(super) entries: Vec<(usize, Text<'a>)>,
}

impl<'de: 'a, 'a> Deserialize<'de> for Section<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visit;
        impl<'de> Visitor<'de> for Visit {
            type Value = Section<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of lists of strings")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Section<'de>, A::Error> {
                let mut section = Section {
                    keys: Vec::with_capacity(8),
                    entries: Vec::with_capacity(36),
                };
                while let Some(key) = map.next_key()? {
                    let index = section.keys.len();
                    section.keys.push(key);
                    map.next_value_seed(Entries {
                        index,
                        entries: &mut section.entries,
                    })?;
                }
                Ok(section)
            }
        }
        deserializer.deserialize_map(Visit)
    }
}

/// The list of one key. `null`, which the package writes for powers without orders, is read as an empty list.
struct Entries<'v, 'de> {
    index: usize,
    entries: &'v mut Vec<(usize, Text<'de>)>,
}

impl<'de> DeserializeSeed<'de> for Entries<'_, 'de> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Entries<'_, 'de> {
    type Value = ();
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of strings")
    }
    fn visit_unit<E: de::Error>(self) -> Result<(), E> {
        Ok(())
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        while let Some(text) = seq.next_element()? {
            self.entries.push((self.index, text));
        }
        Ok(())
    }
}

/// Dislodged units and their retreats: power, unit, locations.
#[derive(Debug, Default)]
pub(super) struct Retreats<'a>(pub(super) Vec<(Text<'a>, Section<'a>)>);

impl<'de: 'a, 'a> Deserialize<'de> for Retreats<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visit;
        impl<'de> Visitor<'de> for Visit {
            type Value = Retreats<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of objects of lists of strings")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Retreats<'de>, A::Error> {
                let mut retreats = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    retreats.push(entry);
                }
                Ok(Retreats(retreats))
            }
        }
        deserializer.deserialize_map(Visit)
    }
}

/// Reads a line; the error is a sentence.
pub(super) fn read(line: &[u8]) -> Result<Input<'_>, DataError> {
    let text =
        std::str::from_utf8(line).map_err(|error| format!("The line is not JSON: {error}."))?;
    serde_json::from_str(text)
        .and_then(|input| only_object(text, input))
        .map_err(|error| {
            if serde_json::from_str::<IgnoredAny>(text).is_err() {
                format!("The line is not JSON: {error}.").into()
            } else {
                format!("The object cannot be read: {error}.").into()
            }
        })
}

/// A list would be read as the values of the keys in their order.
fn only_object<'a>(text: &str, input: Input<'a>) -> Result<Input<'a>, serde_json::Error> {
    if text.trim_start().starts_with('{') {
        Ok(input)
    } else {
        Err(de::Error::custom("it is no object"))
    }
}
