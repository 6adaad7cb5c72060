//! What a store holds, line by line, to be compared with another byte for byte.

use std::collections::BTreeMap;
use std::path::Path;

use dipjudge::store::Store;
use serde_json::Value;

/// The lines of a backup of this store.
pub(crate) fn store_lines(data: &Path) -> Vec<String> {
    let store = Store::open(data).unwrap();
    let mut backup = Vec::new();
    store.backup(&mut backup).unwrap();
    let text = String::from_utf8(backup).unwrap();
    text.lines().filter_map(counted).collect()
}

/// A line of a backup without what depends on how often the program was started.
fn counted(line: &str) -> Option<String> {
    let mut value: Value = serde_json::from_str(line).unwrap();
    if value.get("end").is_some() {
        return None;
    }
    if value["meta"]["key"] == "shell" {
        let text = value["meta"]["text"].as_str().unwrap();
        let memory: Value = serde_json::from_str(text).unwrap();
        let kept = ["newest", "messages", "rulings", "set_aside", "outages"];
        let kept: BTreeMap<_, _> = kept.map(|key| (key, memory[key].clone())).into();
        value = serde_json::to_value(kept).unwrap();
    }
    Some(value.to_string())
}
