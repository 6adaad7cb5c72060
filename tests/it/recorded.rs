//! The logs of one game of each variant, and of the register, as the program once stored them (`tests/recorded/`). Every
//! stored log must still be read, replay to the same game and be written again byte for byte, so that the form of a log
//! never changes by accident.
//!
//! After a change of form that is meant: `DIPJUDGE_RECORD=1 cargo test --test it recorded` plays the sample games of
//! `dipjudge demo` and stores their logs anew.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Once;

use crate::games::JUDGE;
use crate::memory::settings;
use dipjudge::game::{Game, Record, Settings, apply};
use dipjudge::judge::registry::{self, RegistryRecord};
use dipjudge::judge::{Judge, JudgeError};
use dipjudge::mails::outbound::Templates;
use dipjudge::variants;

/// The judge's own log bears a sign that no file name needs.
fn file_name(log: &str) -> String {
    format!("{}.log", log.trim_start_matches('@'))
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recorded")
}

/// The recorded lines of each log, by its name; played and recorded anew where that is asked for.
fn recorded() -> BTreeMap<String, Vec<String>> {
    static RECORDING: Once = Once::new();
    if std::env::var_os("DIPJUDGE_RECORD").is_some() {
        RECORDING.call_once(record);
    }
    let files = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap());
    let logs = files.filter_map(|entry| {
        let name = entry.file_name().into_string().unwrap();
        let log = name.strip_suffix(".log")?.to_owned();
        let text = fs::read_to_string(entry.path()).unwrap();
        Some((log, text.lines().map(str::to_owned).collect()))
    });
    logs.collect()
}

/// Plays the sample games and stores their logs and the games that they make.
fn record() {
    let place = tempfile::tempdir().unwrap();
    let judge = place.path().join("judge");
    let copy = place.path().join("copy");
    run(&["demo".as_ref(), judge.as_os_str()]);
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
        if log != registry::LOG {
            fs::write(folder().join(format!("{log}.json")), state(&replay(lines))).unwrap();
        }
    }
}

fn run(arguments: &[&std::ffi::OsStr]) {
    let done = Command::new(env!("CARGO_BIN_EXE_dipjudge"))
        .args(arguments)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{said}");
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

fn replay(lines: &[String]) -> Game {
    let records = lines
        .iter()
        .map(|line| serde_json::from_str::<Record>(line).unwrap());
    let game = records.fold(None, |game, record| {
        Some(apply::replay(game, &record).unwrap())
    });
    game.unwrap()
}

/// A game as text, without the settings that are as every game begins with: a setting more leaves the recorded games as they
/// are. What it was before each turn is left out too, since `rolling_back.rs` goes back to each.
fn state(game: &Game) -> String {
    let mut state = serde_json::to_value(game).unwrap();
    state.as_object_mut().unwrap().remove("past");
    let usual = serde_json::to_value(Settings::default()).unwrap();
    let settings = state["settings"].as_object_mut().unwrap();
    settings.retain(|name, value| usual.get(name) != Some(value));
    serde_json::to_string_pretty(&state).unwrap() + "\n"
}

#[test]
fn every_variant_has_a_recorded_game_that_replays_byte_for_byte() {
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
        let then = fs::read_to_string(folder().join(format!("{log}.json"))).unwrap();
        assert_eq!(state(&game), then, "{log}");
        assert!(game.over(), "{log} was played to its end");
        played.push(game.variant);
    }
    played.sort();
    let mut all: Vec<&str> = variants::ALL
        .iter()
        .map(|variant| variant.card().name)
        .collect();
    all.sort_unstable();
    assert_eq!(played, all);
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
