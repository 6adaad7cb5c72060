//! The filter, line by line.

use serde_json::{Value, json};

use super::*;

fn ask(line: &Value) -> Value {
    let mut out = Vec::new();
    adjudicate(line.to_string().as_bytes(), &Options::default(), &mut out);
    serde_json::from_slice(&out).unwrap()
}

#[test]
fn the_first_moves_of_a_game() {
    let answer = ask(&json!({
        "id": "x",
        "name": "S1901M",
        "state": {"units": {"FRANCE": ["A PAR", "A MAR", "F BRE"]}, "centers": {"FRANCE": ["BRE", "MAR", "PAR"]}},
        "orders": {"FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR", "F BRE - SPA"]}
    }));
    assert_eq!(answer["id"], "x");
    assert_eq!(answer["name"], "S1901M");
    assert_eq!(
        answer["results"],
        json!({"A PAR": [], "A MAR": [], "F BRE": ["void"]})
    );
    assert_eq!(
        answer["errors"],
        json!([{"power": "FRANCE", "order": "F BRE - SPA", "error": "The fleet in Brest can't get to Spain."}])
    );
    assert_eq!(answer["next"]["name"], "F1901M");
    assert_eq!(
        answer["next"]["state"]["units"],
        json!({"FRANCE": ["A BUR", "A MAR", "F BRE"]})
    );
    assert_eq!(answer["next"]["state"]["retreats"], json!({}));
    assert_eq!(answer["winner"], Value::Null);
}
