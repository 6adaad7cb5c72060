//! Keys of a line beyond those of the standard game: settings, forced draws, the variant's own state.

use dipjudge_game::{DataError, unreadable};
use std::collections::BTreeMap;

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
        let mut line: Map<String, Value> = serde_json::from_slice(line)
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
        let mut own = object("state")?;
        own.retain(|key, _| !COMMON.contains(&key.as_str()));
        Ok(Further {
            settings,
            draws,
            own,
        })
    }
}
