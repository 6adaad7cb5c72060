//! The board of a `state` object, for a picture.

use dipjudge_game::{DataError, unreadable};
use serde_json::{Map, Value, json};

use super::{by_engine, input};
use dipjudge_view::Board;

/// Keys of the package's `state` that do not describe the board.
const ASIDE: [&str; 8] = [
    "civil_disorder",
    "game_id",
    "homes",
    "influence",
    "note",
    "rules",
    "timestamp",
    "zobrist_hash",
];

/// The phase of a position that names none.
const MOVEMENT: &str = "S1901M";
/// The same if units must retreat.
const RETREATS: &str = "S1901R";

/// Reads a `state` object, or a line of `adjudicate` that contains one, and returns the board for a picture. If there are
/// orders, it is the board on which they were carried out, together with the orders. `as_power` limits it to what that power
/// sees.
///
/// # Errors
/// A sentence that describes the fault.
pub fn board(text: &str, as_power: Option<&str>) -> Result<Board, DataError> {
    let value: Value = serde_json::from_str(text)
        .map_err(|error| format!("The position is not JSON: {error}."))?;
    let Value::Object(object) = value else {
        return unreadable("The position has to be an object with `units` and `centers`.");
    };
    let line = Value::Object(line(object)?).to_string();
    let input = input::read(line.as_bytes())?;
    by_engine::board(&input, as_power)
}

/// Wraps a bare `state` in a line.
fn line(mut object: Map<String, Value>) -> Result<Map<String, Value>, DataError> {
    if !object.contains_key("state") {
        if !["units", "centers"]
            .iter()
            .any(|key| object.contains_key(*key))
        {
            return unreadable(
                "The position has neither `units` nor `centers`: it has to be a `state` object, as in \
                 {\"units\": {\"FRANCE\": [\"A PAR\"]}, \"centers\": {\"FRANCE\": [\"PAR\"]}}.",
            );
        }
        let mut line = Map::new();
        for key in ["map", "name", "variant", "settings"] {
            if let Some(value) = object.remove(key) {
                line.insert(key.to_owned(), value);
            }
        }
        line.insert("state".to_owned(), Value::Object(object));
        object = line;
    }
    let Some(Value::Object(state)) = object.get_mut("state") else {
        return unreadable("`state` has to be an object.");
    };
    for key in ASIDE {
        state.remove(key);
    }
    // The package writes the map and the phase into its `state` too.
    let inner = ["map", "name"].map(|key| (key, state.remove(key)));
    let phase = if any_retreats(state) {
        RETREATS
    } else {
        MOVEMENT
    };
    for (key, value) in inner {
        if let Some(value) = value {
            object.entry(key).or_insert(value);
        }
    }
    object.entry("name").or_insert_with(|| json!(phase));
    Ok(object)
}

fn any_retreats(state: &Map<String, Value>) -> bool {
    let lists = |key: &str| {
        let object = state.get(key).and_then(Value::as_object);
        object.into_iter().flat_map(Map::values)
    };
    let starred = |unit: &Value| unit.as_str().is_some_and(|unit| unit.starts_with('*'));
    let units = lists("units").filter_map(Value::as_array);
    let retreats = lists("retreats").filter_map(Value::as_object);
    units.flatten().any(starred) || retreats.flatten().next().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_or_a_line_with_one_is_a_board() {
        let state = r#"{"units": {"FRANCE": ["A PAR", "*F BRE"]}, "centers": {"FRANCE": ["PAR"]}}"#;
        let alone = board(state, None).unwrap();
        assert_eq!((alone.units.len(), alone.owners.len()), (2, 1));
        assert_eq!(alone.title, "Diplomacy, S1901R");
        let line = r#"{"name": "F1902M", "state": {"units": {"FRANCE": ["A PAR"]}}, "orders": {"FRANCE": ["A PAR - BUR"]}}"#;
        let played = board(line, None).unwrap();
        assert_eq!(played.orders.len(), 1);
        assert_eq!(played.title, "Diplomacy, F1902M");
    }

    #[test]
    fn what_is_no_position_is_told_in_a_sentence() {
        for (text, told) in [
            (
                "[]",
                "The position has to be an object with `units` and `centers`.",
            ),
            ("{\"state\": 3}", "`state` has to be an object."),
            (
                "{\"units\": {\"FRANCE\": [\"A XXX\"]}}",
                "`A XXX` is no unit.",
            ),
            (
                "{\"units\": {}, \"map\": \"mars\"}",
                "No map is called `mars`.",
            ),
            (
                "{\"units\": {}, \"variant\": \"mars\"}",
                "No variant is called `mars`.",
            ),
        ] {
            assert_eq!(board(text, None).unwrap_err().to_string(), told);
        }
        assert!(
            board("{", None)
                .unwrap_err()
                .to_string()
                .starts_with("The position is not JSON")
        );
        assert!(
            board("{}", None)
                .unwrap_err()
                .to_string()
                .contains("neither `units` nor `centers`")
        );
    }
}
