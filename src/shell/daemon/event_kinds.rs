//! The kinds of the events in a record, for the log, without their content (`visibility.md` 10.2.11).

use serde_json::Value;

/// The kinds of the events of a record, in order, each once: `process late`.
pub(super) fn of(json: &[u8]) -> String {
    let Ok(record) = serde_json::from_slice::<Value>(json) else {
        return String::new();
    };
    let mut kinds: Vec<&str> = Vec::new();
    for event in record
        .get("events")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
    {
        let kind = match event {
            Value::String(kind) => Some(kind.as_str()),
            Value::Object(fields) => match fields.get("event").and_then(Value::as_str) {
                Some(kind) => Some(kind),
                None => fields.keys().next().map(String::as_str),
            },
            _ => None,
        };
        kinds.extend(kind.filter(|kind| !kinds.contains(kind)));
    }
    kinds.join(" ")
}

#[cfg(test)]
mod tests {
    #[test]
    fn only_the_kinds_are_told() {
        let record = br#"{"v":1,"events":[{"event":"ordered","orders":["A Par-Bur"]},{"event":"ordered"},"nudged",{"late":{"powers":[1]}}]}"#;
        assert_eq!(super::of(record), "ordered nudged late");
        assert_eq!(super::of(b"no record"), "");
    }
}
