//! Every case of the DATC, through the filter line by line and through the whole filter at once.

use std::collections::{BTreeMap, BTreeSet};

use dipjudge::interchange::{Options, adjudicate, run};
use serde_json::Value;

const CASES: &str = include_str!("../../src/rules/tests/datc/datc.jsonl");

fn cases() -> Vec<Value> {
    CASES
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn texts(value: &Value) -> BTreeSet<String> {
    value
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .map(str::to_owned)
        .collect()
}

/// Lists by power, as sets, the empty ones left out.
fn by_power(value: &Value) -> BTreeMap<String, BTreeSet<String>> {
    let entries = value.as_object().into_iter().flatten();
    entries
        .map(|(power, list)| (power.clone(), texts(list)))
        .filter(|(_, list)| !list.is_empty())
        .collect()
}

fn retreats(value: &Value) -> BTreeMap<String, BTreeMap<String, BTreeSet<String>>> {
    let powers = value.as_object().into_iter().flatten();
    powers
        .map(|(power, units)| (power.clone(), by_power(units)))
        .filter(|(_, units)| !units.is_empty())
        .collect()
}

/// What differs between the answer and what the case expects.
fn differences(case: &Value, answer: &Value) -> Vec<String> {
    let expect = &case["expect"];
    let mut found = Vec::new();
    let mut differ = |what: &str, expected: &dyn std::fmt::Debug, got: &dyn std::fmt::Debug| {
        found.push(format!("{what}: expected {expected:?}, got {got:?}"));
    };
    if let Some(error) = answer.get("error") {
        differ("answer", &"an adjudication", error);
    }
    let (state, expected) = (&answer["next"]["state"], &expect["next"]["state"]);
    if expected.get("units").is_some() && by_power(&state["units"]) != by_power(&expected["units"])
    {
        differ(
            "units",
            &by_power(&expected["units"]),
            &by_power(&state["units"]),
        );
    }
    if expected.get("retreats").is_some()
        && retreats(&state["retreats"]) != retreats(&expected["retreats"])
    {
        differ(
            "retreats",
            &retreats(&expected["retreats"]),
            &retreats(&state["retreats"]),
        );
    }
    let results = answer["results"].as_object().cloned().unwrap_or_default();
    if expect.get("dislodged").is_some() {
        let dislodged: BTreeSet<String> = results
            .iter()
            .filter(|(_, codes)| texts(codes).contains("dislodged"))
            .map(|(unit, _)| unit.clone())
            .collect();
        if dislodged != texts(&expect["dislodged"]) {
            differ("dislodged", &texts(&expect["dislodged"]), &dislodged);
        }
    }
    for (unit, codes) in expect["results"].as_object().into_iter().flatten() {
        let got = results.get(unit).map(texts).unwrap_or_default();
        let refused = answer["errors"]
            .as_array()
            .into_iter()
            .flatten()
            .any(|error| {
                error["order"]
                    .as_str()
                    .is_some_and(|order| order.starts_with(unit.as_str()))
            });
        let codes = texts(codes);
        let met = |code: &String| {
            code.split('|')
                .any(|code| got.contains(code) || (code == "void" && refused))
        };
        if !results.contains_key(unit)
            || (codes.is_empty() && !got.is_empty())
            || !codes.iter().all(met)
        {
            differ(unit, &codes, &results.get(unit));
        }
    }
    found
}

#[test]
fn every_case_comes_out_as_the_document_says() {
    let cases = cases();
    assert_eq!(cases.len(), 181);
    let mut failures = Vec::new();
    for case in &cases {
        let mut out = Vec::new();
        let adjudicated = adjudicate(case.to_string().as_bytes(), &Options::default(), &mut out);
        let answer: Value = serde_json::from_slice(&out).unwrap();
        let found = differences(case, &answer);
        if !adjudicated || !found.is_empty() {
            failures.push(format!(
                "{}\n  {}\n  {}",
                case["id"],
                found.join("\n  "),
                case["orders"]
            ));
        }
    }
    assert!(
        failures.is_empty(),
        "{} of {} cases differ:\n{}",
        failures.len(),
        cases.len(),
        failures.join("\n")
    );
}

#[test]
fn the_filter_answers_all_cases_in_their_order_whatever_the_number_of_threads() {
    let mut answers = Vec::new();
    for jobs in [1, 2, 5] {
        let mut out = Vec::new();
        let options = Options {
            jobs,
            ..Options::default()
        };
        assert!(run(CASES.as_bytes(), &mut out, &options).unwrap());
        answers.push(String::from_utf8(out).unwrap());
    }
    assert!(answers.windows(2).all(|pair| pair[0] == pair[1]));
    let ids: Vec<Value> = answers[0]
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["id"].clone())
        .collect();
    let expected: Vec<Value> = cases().iter().map(|case| case["id"].clone()).collect();
    assert_eq!(ids, expected);
}

#[test]
fn a_case_that_comes_out_wrong_is_noticed() {
    let mut case = cases()
        .into_iter()
        .find(|case| case["id"] == "datc-6.A.11")
        .unwrap();
    let mut out = Vec::new();
    adjudicate(case.to_string().as_bytes(), &Options::default(), &mut out);
    let answer: Value = serde_json::from_slice(&out).unwrap();
    assert!(differences(&case, &answer).is_empty());
    case["expect"]["results"]["A VIE"] = Value::Array(vec![]);
    case["expect"]["next"]["state"]["units"]["AUSTRIA"] = serde_json::json!(["A TYR"]);
    case["expect"]["dislodged"] = serde_json::json!(["A VEN"]);
    assert_eq!(differences(&case, &answer).len(), 3);
}
