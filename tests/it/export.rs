//! `dipjudge export`: a real game told in saved-game JSON adjudicates again to the same game, and each reader's version
//! holds what that reader may know.

use std::process::Command;

use crate::games::memory_host::MemoryHost;
use crate::games::play::play;
use crate::games::standard;
use dipjudge::game::project::Chronicle;
use dipjudge::game::{Event, Record, SettingChange};
use dipjudge::interchange::{self, Options};
use dipjudge::variants;
use dipjudge::view::Viewer;
use serde_json::{Value, json};

/// The sample game, played to its end or to a part of its steps; its log.
fn records(share: f64) -> Vec<Record> {
    let script = standard(0);
    let mut host = MemoryHost::new();
    let steps = &script.steps[..(script.steps.len() as f64 * share) as usize];
    play(&script, steps, &mut host, &mut Vec::new());
    let logged = host.records.iter().filter(|(log, _)| log == "kaiser");
    logged
        .map(|(_, json)| serde_json::from_slice(json).unwrap())
        .collect()
}

fn exported(records: &[Record], viewer: Viewer) -> Value {
    let chronicle = Chronicle::of(records).unwrap();
    let variant = variants::of(&chronicle.now().variant);
    let text = interchange::export(&chronicle.seen_by(variant, viewer).export());
    serde_json::from_str(&text).unwrap()
}

/// One phase as `adjudicate` takes it.
fn adjudicated(saved: &Value, phase: &Value) -> Value {
    let line = json!({
        "map": saved["map"], "variant": saved["variant"], "name": phase["name"],
        "state": phase["state"], "orders": phase["orders"],
    });
    let options = Options {
        fallback: Some(&interchange::judge_syntax),
        ..Options::default()
    };
    let mut out = Vec::new();
    assert!(
        interchange::adjudicate(line.to_string().as_bytes(), &options, &mut out),
        "{}",
        String::from_utf8_lossy(&out)
    );
    serde_json::from_slice(&out).unwrap()
}

/// An object without the powers that have nothing.
fn without_empty(object: &Value) -> Value {
    let entries = object.as_object().unwrap().iter().filter(|(_, value)| {
        value.as_array().is_none_or(|list| !list.is_empty())
            && value.as_object().is_none_or(|map| !map.is_empty())
    });
    entries
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

#[test]
fn every_phase_leads_to_the_next_one() {
    let saved = exported(&records(1.0), Viewer::Master);
    let phases = saved["phases"].as_array().unwrap();
    assert!(phases.len() > 20, "{}", phases.len());
    for pair in phases.windows(2) {
        let [phase, next] = pair else { unreachable!() };
        let answer = adjudicated(&saved, phase);
        let name = &phase["name"];
        assert_eq!(answer["errors"], json!([]), "{name}");
        assert_eq!(answer["results"], results(phase), "{name}");
        let after = &answer["next"]["state"];
        for key in ["units", "centers", "retreats"] {
            assert_eq!(
                without_empty(&after[key]),
                without_empty(&next["state"][key]),
                "{key} after {name}"
            );
        }
        if next["name"] != "COMPLETED" {
            assert_eq!(answer["next"]["name"], next["name"]);
        }
        for (power, count) in after["builds"].as_object().into_iter().flatten() {
            assert_eq!(&next["state"]["builds"][power]["count"], count, "{name}");
        }
    }
    assert_eq!(phases.last().unwrap()["name"], "COMPLETED");
    assert_eq!(saved["seed"].as_str().unwrap().len(), 64);
}

/// The filter answers for every unit that stood when the phase began; new units are no part of that.
fn results(phase: &Value) -> Value {
    let mut results = phase["results"].as_object().unwrap().clone();
    if phase["name"].as_str().unwrap().starts_with('W') {
        let units = phase["state"]["units"].as_object().unwrap().values();
        let stood: Vec<&str> = units
            .flat_map(|list| list.as_array().unwrap())
            .filter_map(Value::as_str)
            .collect();
        results.retain(|unit, _| stood.contains(&unit.as_str()));
        for unit in stood {
            results.entry(unit).or_insert_with(|| json!([]));
        }
    }
    results.into()
}

#[test]
fn orders_of_the_phase_in_hand_are_their_owners() {
    let records = records(0.4);
    let chronicle = Chronicle::of(&records).unwrap();
    // Up to the last mail before somebody's orders were adjudicated.
    let ordered = |records: &[Record]| {
        let game = Chronicle::of(records).unwrap().now().clone();
        let given = game
            .standings
            .values()
            .filter(|standing| !standing.orders.units.is_empty())
            .count();
        given > 2
    };
    let long = (1..records.len())
        .rev()
        .find(|end| ordered(&records[..*end]))
        .unwrap();
    let records = &records[..long];
    let master = exported(records, Viewer::Master);
    let all = &master["phases"].as_array().unwrap().last().unwrap()["orders"];
    assert!(without_empty(all).as_object().unwrap().len() > 2);
    assert_eq!(master["seed"], Value::Null, "the seed is nobody's yet");
    for power in chronicle.now().all_powers() {
        let own = exported(records, Viewer::Power(power));
        let key = chronicle.now().key(power);
        let (mine, phases) = (own["phases"].as_array().unwrap(), &master["phases"]);
        let in_hand = mine.last().unwrap();
        for (other, orders) in in_hand["orders"].as_object().unwrap() {
            let expected = if other == key {
                &all[other]
            } else {
                &json!([])
            };
            assert_eq!(orders, expected, "{other} as {key} reads it");
        }
        // All else is public in an open game.
        assert_eq!(
            mine[..mine.len() - 1],
            phases.as_array().unwrap()[..mine.len() - 1]
        );
        assert_eq!(
            in_hand["state"],
            phases.as_array().unwrap().last().unwrap()["state"]
        );
    }
    let observer = exported(records, Viewer::Observer);
    let in_hand = observer["phases"].as_array().unwrap().last().unwrap();
    assert_eq!(without_empty(&in_hand["orders"]), json!({}));
}

#[test]
fn the_program_writes_it_for_a_game_of_the_store() {
    let folder = tempfile::tempdir().unwrap();
    let program = |arguments: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_dipjudge"))
            .args(arguments)
            .current_dir(folder.path())
            .env("TMPDIR", folder.path())
            .output()
            .unwrap()
    };
    let played = program(&["demo", "played"]);
    assert!(played.status.success(), "{played:?}");
    let house = std::fs::read_dir(folder.path().join("played"))
        .unwrap()
        .flatten()
        .map(|entry| entry.path())
        .chain([folder.path().join("played")])
        .find(|path| path.join("dipjudge.toml").is_file())
        .expect("the demo leaves its config");
    let config = house.join("dipjudge.toml");
    let export = |more: &[&str]| {
        let config = ["--config", config.to_str().unwrap(), "export"];
        program(&[config.as_slice(), more].concat())
    };
    let whole = export(&["kaiser"]);
    assert!(whole.status.success(), "{whole:?}");
    let saved: Value = serde_json::from_slice(&whole.stdout).unwrap();
    assert_eq!(
        (&saved["id"], &saved["map"]),
        (&json!("kaiser"), &json!("standard"))
    );
    assert_eq!(
        saved["phases"][0]["state"]["units"]["FRANCE"],
        json!(["A MAR", "A PAR", "F BRE"])
    );
    assert_eq!(saved["phases"][0]["messages"], json!([]));
    // The same game, the same bytes; over, it is open to everybody.
    assert_eq!(export(&["kaiser", "--as", "france"]).stdout, whole.stdout);
    for (arguments, why) in [
        (
            ["kaiser", "--as", "ruritania"].as_slice(),
            "no power 'ruritania'",
        ),
        (["kaise"].as_slice(), "did you mean 'kaiser'"),
    ] {
        let refused = export(arguments);
        assert_eq!(refused.status.code(), Some(1));
        assert!(
            String::from_utf8_lossy(&refused.stderr).contains(why),
            "{refused:?}"
        );
    }
}

/// The sample game as if it had been BLIND from the beginning.
#[test]
fn in_a_blind_game_a_power_is_told_what_it_saw() {
    let mut records = records(0.4);
    let blind = Event::Set(SettingChange::Blind(true));
    records[0].events.push(blind);
    let master = exported(&records, Viewer::Master);
    let game = Chronicle::of(&records).unwrap().now().clone();
    let (mut seen, mut hidden) = (0, 0);
    for power in game.all_powers() {
        let key = game.key(power);
        let own = exported(&records, Viewer::Power(power));
        let phases = own["phases"].as_array().unwrap();
        for (phase, whole) in phases.iter().zip(master["phases"].as_array().unwrap()) {
            let state = &phase["state"];
            assert_eq!(state["units"][key], whole["state"]["units"][key]);
            for (other, units) in state["units"].as_object().unwrap() {
                seen += units.as_array().unwrap().len();
                let all = whole["state"]["units"][other].as_array().unwrap();
                hidden += all.len() - units.as_array().unwrap().len();
                assert!(
                    units
                        .as_array()
                        .unwrap()
                        .iter()
                        .all(|unit| all.contains(unit))
                );
                if other != key {
                    assert_eq!(phase["orders"][other], json!([]), "orders of {other}");
                    assert_eq!(state["retreats"][other], json!({}), "retreats of {other}");
                    assert_eq!(state["builds"][other]["count"], 0, "builds of {other}");
                }
            }
            for (unit, marks) in phase["results"].as_object().unwrap() {
                let void = marks.as_array().unwrap().contains(&json!("void"));
                assert!(!void, "{unit}: a verdict on a hidden partner");
            }
        }
    }
    assert!(seen > 100 && hidden > 100, "{seen} seen, {hidden} hidden");
    let observer = exported(&records, Viewer::Observer);
    for phase in observer["phases"].as_array().unwrap() {
        assert_eq!(without_empty(&phase["state"]["units"]), json!({}));
        assert_eq!(without_empty(&phase["results"]), json!({}));
    }
}
