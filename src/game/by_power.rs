//! Objects by power in the saved-game format: a variant's own keys of a `state` object.

use crate::data_error::{DataError, unreadable};
use std::collections::BTreeMap;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map as Object, Value, json};

use super::Game;
use super::project::ToldGame;
use dipjudge_rules::map::Power;

/// What a key says of each power, in one shape for all; empty if the key is missing. The error is a sentence.
pub fn read<T: DeserializeOwned>(
    keys: &Object<String, Value>,
    key: &str,
    game: &Game,
) -> Result<BTreeMap<Power, T>, DataError> {
    let Some(value) = keys.get(key) else {
        return Ok(BTreeMap::new());
    };
    let Value::Object(entries) = value else {
        return unreadable(format!("`{key}` has to be an object by power."));
    };
    let one = |(name, value): (&String, &Value)| {
        let power = game
            .power_of_key(name)
            .ok_or_else(|| format!("`{key}` names `{name}`, which is no power of this game."))?;
        let value = T::deserialize(value)
            .map_err(|error| format!("`{key}` of {name} cannot be read: {error}."))?;
        Ok((power, value))
    };
    entries.iter().map(one).collect()
}

/// Writes what `read` reads.
pub fn write<T: Serialize>(game: &ToldGame<'_>, by_power: &BTreeMap<Power, T>) -> Value {
    let named: BTreeMap<String, &T> = by_power
        .iter()
        .map(|(power, value)| (game.key(*power), value))
        .collect();
    json!(named)
}
