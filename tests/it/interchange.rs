//! Cases of `dipjudge adjudicate` (`tests/interchange/README.md`).

use dipjudge::interchange::{Options, adjudicate};
use serde_json::{Map, Value, json};

/// All files of the folder.
fn files() -> Vec<(String, String)> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/interchange");
    let mut files: Vec<(String, String)> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "jsonl"))
        .map(|path| {
            (
                path.display().to_string(),
                std::fs::read_to_string(path).unwrap(),
            )
        })
        .collect();
    files.sort();
    files
}

fn answered(line: &str, as_power: Option<&str>) -> Value {
    let options = Options {
        as_power,
        ..Options::default()
    };
    let mut out = Vec::new();
    let fine = adjudicate(line.as_bytes(), &options, &mut out);
    let answer: Value = serde_json::from_slice(&out).unwrap();
    assert_eq!(fine, answer.get("error").is_none());
    answer
}

/// The first place where the answer is not what is expected.
fn difference(at: &str, expected: &Value, found: Option<&Value>) -> Option<String> {
    match (expected, found.unwrap_or(&Value::Null)) {
        (Value::Object(expected), Value::Object(found)) => expected
            .iter()
            .find_map(|(key, value)| difference(&format!("{at}.{key}"), value, found.get(key))),
        (expected, found) if expected == found => None,
        (expected, found) => Some(format!("{at} is\n  {found}, not\n  {expected}")),
    }
}

/// What the case leads to, without orders: it is a line, too.
fn again(case: &Map<String, Value>, answer: &Value) -> Option<Value> {
    let next = answer.get("next")?;
    let mut line = json!({"name": next["name"].as_str()?, "state": next["state"]});
    for key in ["variant", "map", "settings", "seed"] {
        if let Some(value) = case.get(key) {
            line[key] = value.clone();
        }
    }
    Some(line)
}

#[test]
fn every_case_is_answered_as_expected() {
    let mut wrong = Vec::new();
    let mut cases = 0;
    for (file, text) in files() {
        for line in text.lines() {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let case: Map<String, Value> = serde_json::from_str(line)
                .unwrap_or_else(|error| panic!("{file}: {error}: {line}"));
            let answer = answered(line, case.get("as").and_then(Value::as_str));
            cases += 1;
            let expected = case
                .get("expect")
                .unwrap_or_else(|| panic!("{file}: {line}"));
            let id = case
                .get("id")
                .map_or(line, |id| id.as_str().unwrap_or(line));
            if let Some(difference) = difference("answer", expected, Some(&answer)) {
                wrong.push(format!("{file}: {id}: {difference}\n  in {answer}"));
            }
            if let Some(next) = again(&case, &answer) {
                let answer = answered(&next.to_string(), None);
                if answer.get("error").is_some() {
                    wrong.push(format!(
                        "{file}: {id}: its next is no line: {answer}\n  for {next}"
                    ));
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {cases}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(cases > 0);
}
