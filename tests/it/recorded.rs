//! The logs of the demo games, one of each variant that has one, and of the register, as the program once stored them (`tests/recorded/`). Every
//! stored log must still be read, replay to the same game and be written again byte for byte, so that the form of a log
//! never changes by accident.
//!
//! What a game is after each record stands beside its log as digests, `NAME.digests`: a line for each record names the parts
//! of the game that this record changed, each with the digest of its JSON. A failure names the first record and part that
//! differ, and prints that part before and after the record.
//!
//! After a change of form that is meant: `DIPJUDGE_RECORD=1 cargo test --test it recorded` plays the sample games of
//! `dipjudge demo` and stores their logs and digests anew; `DIPJUDGE_RECORD=digests` keeps the logs and stores the digests.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Once};

use crate::games::JUDGE;
use crate::memory::settings;
use dipjudge::game::verifying::{LogCheck, LogFault};
use dipjudge::game::{Event, Game, Record, Settings, apply};
use dipjudge::judge::registry::{self, RegistryRecord};
use dipjudge::judge::{Judge, JudgeError};
use dipjudge::mails::outbound::Templates;
use dipjudge::shell::demo::SAMPLES;
use dipjudge::variants;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

/// The name of a log's file: without the `@` before the name of the judge's own log.
fn file_name(log: &str) -> String {
    format!("{}.log", log.trim_start_matches('@'))
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recorded")
}

/// The recorded lines of each log, by its name; recorded anew first where that is asked for.
fn recorded() -> BTreeMap<String, Vec<String>> {
    static RECORDING: Once = Once::new();
    if let Some(what) = std::env::var_os("DIPJUDGE_RECORD") {
        RECORDING.call_once(|| {
            if what != "digests" {
                record();
            }
            record_digests();
        });
    }
    stored()
}

/// The lines of each stored log, by its name.
fn stored() -> BTreeMap<String, Vec<String>> {
    let files = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap());
    let logs = files.filter_map(|entry| {
        let name = entry.file_name().into_string().unwrap();
        let log = name.strip_suffix(".log")?.to_owned();
        let text = fs::read_to_string(entry.path()).unwrap();
        Some((log, text.lines().map(str::to_owned).collect()))
    });
    logs.collect()
}

/// Plays the sample games and stores their logs.
fn record() {
    let place = tempfile::tempdir().unwrap();
    let judge = place.path().join("judge");
    let copy = place.path().join("copy");
    run(&["demo".as_ref(), "--all".as_ref(), judge.as_os_str()]);
    let config = judge.join("dipjudge.toml");
    run(&[
        "--config".as_ref(),
        config.as_os_str(),
        "backup".as_ref(),
        copy.as_os_str(),
    ]);
    let mut logs: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in fs::read_to_string(&copy).unwrap().lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        if let Some(record) = line.get("record") {
            let of = |key: &str| record[key].as_str().unwrap().to_owned();
            logs.entry(of("log")).or_default().push(of("text"));
        }
    }
    for (log, lines) in &logs {
        fs::write(folder().join(file_name(log)), lines.join("\n") + "\n").unwrap();
    }
}

/// Stores the digests of the games that the stored logs make.
fn record_digests() {
    for (log, lines) in stored() {
        if log != registry::LOG.trim_start_matches('@') {
            let digests: Vec<String> = changes(&lines).iter().map(Change::digests).collect();
            fs::write(digests_file(&log), digests.join("\n") + "\n").unwrap();
        }
    }
}

fn digests_file(log: &str) -> PathBuf {
    folder().join(format!("{log}.digests"))
}

fn run(arguments: &[&std::ffi::OsStr]) {
    let done = Command::new(env!("CARGO_BIN_EXE_dipjudge"))
        .args(arguments)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{said}");
}

/// The recorded lines of each log, by the log's own name.
pub(crate) fn logs() -> BTreeMap<String, Vec<String>> {
    let mut logs = recorded();
    let register = logs.remove(registry::LOG.trim_start_matches('@'));
    logs.extend(register.map(|lines| (registry::LOG.to_owned(), lines)));
    logs
}

/// The records of each recorded game.
pub(crate) fn games() -> BTreeMap<String, Vec<Record>> {
    let mut logs = recorded();
    logs.remove(registry::LOG.trim_start_matches('@'));
    let records = |lines: Vec<String>| {
        let lines = lines.iter();
        lines
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    };
    logs.into_iter()
        .map(|(name, lines)| (name, records(lines)))
        .collect()
}

/// What one record changed in a game: each part that is other than before, before and after.
struct Change(BTreeMap<String, (Value, Value)>);

impl Change {
    /// As it stands in the file of digests.
    fn digests(&self) -> String {
        let parts = self.0.iter();
        let parts = parts.map(|(part, (_, after))| format!("{part}:{}", digest(after)));
        parts.collect::<Vec<_>>().join(" ")
    }

    /// What differs from the recorded digests, with the parts that do.
    fn difference(&self, recorded: &str) -> String {
        let recorded: BTreeMap<&str, &str> = recorded
            .split_whitespace()
            .map(|part| part.split_once(':').unwrap())
            .collect();
        let mut told = String::new();
        for (part, (before, after)) in &self.0 {
            if recorded.get(part.as_str()) != Some(&digest(after).as_str()) {
                told += &format!("\n{part} was\n{before:#}\nand is now\n{after:#}");
            }
        }
        for part in recorded.keys().filter(|part| !self.0.contains_key(**part)) {
            told += &format!("\n{part} is as before");
        }
        told
    }
}

fn digest(value: &Value) -> String {
    let digest = Sha256::digest(value.to_string().as_bytes());
    digest[..6]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// The parts of a game, without the settings that are as every game begins with: a new setting leaves the recorded games as
/// they are. What the game was before each turn is left out too, since `rolling_back.rs` goes back to each.
fn parts(mut game: Game) -> Map<String, Value> {
    game.past.clear();
    let Ok(Value::Object(mut parts)) = serde_json::to_value(&game) else {
        panic!("a game is an object");
    };
    parts.remove("past");
    let usual = serde_json::to_value(Settings::default()).unwrap();
    let settings = parts["settings"].as_object_mut().unwrap();
    settings.retain(|name, value| usual.get(name) != Some(value));
    parts
}

/// What each record of a log changed.
fn changes(lines: &[String]) -> Vec<Change> {
    let mut game = None;
    let mut before = Map::new();
    let mut changes = Vec::new();
    for line in lines {
        let record: Record = serde_json::from_str(line).unwrap();
        let replayed = apply::replay(game, &record).unwrap();
        let after = parts(replayed.clone());
        let mut change = BTreeMap::new();
        for part in before.keys().chain(after.keys()) {
            let value = |parts: &Map<String, Value>| parts.get(part).cloned().unwrap_or_default();
            if before.get(part) != after.get(part) {
                change.insert(part.clone(), (value(&before), value(&after)));
            }
        }
        changes.push(Change(change));
        before = after;
        game = Some(replayed);
    }
    changes
}

fn replay(lines: &[String]) -> Game {
    let records = lines
        .iter()
        .map(|line| serde_json::from_str::<Record>(line).unwrap());
    let game = records.fold(None, |game, record| {
        Some(apply::replay(game, &record).unwrap())
    });
    game.unwrap()
}

#[test]
fn every_demo_game_is_recorded_and_replays_byte_for_byte() {
    let mut played = Vec::new();
    for (log, lines) in recorded() {
        if log == registry::LOG.trim_start_matches('@') {
            continue;
        }
        for (number, line) in lines.iter().enumerate() {
            let record: Record = serde_json::from_str(line).unwrap();
            let again = serde_json::to_string(&record).unwrap();
            assert_eq!(&again, line, "{log}, record {number}");
        }
        let game = replay(&lines);
        let digests = fs::read_to_string(digests_file(&log)).unwrap();
        let changes = changes(&lines);
        assert_eq!(changes.len(), digests.lines().count(), "{log}");
        for ((number, change), recorded) in changes.iter().enumerate().zip(digests.lines()) {
            let difference = change.difference(recorded);
            assert!(difference.is_empty(), "{log}, record {number}:{difference}");
        }
        assert!(game.over(), "{log} was played to its end");
        played.push(game.variant);
    }
    played.sort();
    let mut all: Vec<&str> = SAMPLES.iter().map(|sample| sample.variant).collect();
    all.sort_unstable();
    assert_eq!(played, all);
}

#[test]
fn a_changed_game_is_told_by_record_and_part() {
    let change = &changes(&recorded()["conway"])[0];
    let digests = change.digests();
    assert_eq!(change.difference(&digests), "");
    let other = digests.replace("name:", "name:0");
    let told = change.difference(&other);
    assert_eq!(told, "\nname was\nnull\nand is now\n\"conway\"");
    let told = change.difference(&format!("{digests} seen:0"));
    assert_eq!(told, "\nseen is as before");
}

/// A judge that went on without a setting would play another game than the one that was agreed on.
#[test]
fn a_stored_setting_that_cannot_be_read_is_an_error() {
    let lines = &recorded()["conway"];
    let stored = r#""name":"list","value":true"#;
    let at = lines.iter().position(|line| line.contains(stored)).unwrap();
    let replayed = |instead: &str| {
        let mut judge = Judge::new(settings(JUDGE), Templates::built_in());
        let lines = lines[..=at].iter();
        lines
            .map(|line| line.replace(stored, instead))
            .try_for_each(|line| judge.replay("conway", line.as_bytes()))
    };
    replayed(stored).unwrap();
    for unreadable in [
        r#""name":"listed","value":true"#,
        r#""name":"list","value":"yes""#,
        r#""name":"list""#,
        r#""name":"comment""#,
        r#""value":true"#,
    ] {
        let error = replayed(unreadable).unwrap_err();
        assert!(
            matches!(&error, JudgeError::Record { log, .. } if log == "conway"),
            "{unreadable}: {error}"
        );
    }
}

#[test]
fn the_recorded_register_is_read_and_written_byte_for_byte() {
    let logs = recorded();
    let lines = &logs[registry::LOG.trim_start_matches('@')];
    assert!(lines.len() > 20);
    let mut register = registry::Registry::default();
    for (number, line) in lines.iter().enumerate() {
        let record: RegistryRecord = serde_json::from_str(line).unwrap();
        let again = serde_json::to_string(&record).unwrap();
        assert_eq!(&again, line, "record {number}");
        record.events.iter().for_each(|event| register.apply(event));
    }
    let anna = register.by_address("anna@example.org").unwrap();
    assert_eq!(anna.name, "Anna Lindqvist");
}

#[test]
fn every_phase_of_a_log_comes_out_again() {
    for (log, records) in games() {
        let mut check = LogCheck::new(variants::of);
        for (number, record) in records.iter().enumerate() {
            let checked = check.check(record);
            assert!(checked.is_ok(), "{log}, record {number}: {checked:?}");
        }
        assert!(check.phases > 1, "{log}: {} phases", check.phases);
        assert!(check.game().is_some_and(Game::over), "{log}");
    }
}

#[test]
fn a_phase_that_was_stored_otherwise_is_found() {
    let mut records = games().remove("kaiser").unwrap();
    let mut played = records.iter_mut().flat_map(|record| {
        let events = record.events.iter_mut();
        events.filter_map(|event| match event {
            Event::Played(played) if !played.outcomes.is_empty() => Some(played),
            _ => None,
        })
    });
    let played = Arc::make_mut(played.nth(3).unwrap());
    played.outcomes.swap(0, 1);
    let mut check = LogCheck::new(variants::of);
    let mut faults = records
        .iter()
        .filter_map(|record| check.check(record).err());
    assert!(matches!(faults.next(), Some(LogFault::OtherResults { .. })));
}
