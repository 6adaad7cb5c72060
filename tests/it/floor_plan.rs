//! What Cargo cannot keep of the plan in `ARCHITECTURE.md`: the order of the rooms within a crate, and what code below the
//! shell must not name. Which crate may use which stands in their manifests.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::sources::{heads, names, sources, without_comments};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// What reads a clock, a file, a socket, the environment or a random device, or iterates by chance.
const WORLD: [&str; 20] = [
    "std::fs",
    "std::env",
    "TcpStream",
    "TcpListener",
    "UdpSocket",
    "UnixStream",
    "std::process",
    "thread::sleep",
    "std::io::stdin",
    "SystemTime",
    "Instant",
    "HashMap",
    "HashSet",
    "Timestamp::now",
    "ZonedDateTime::now",
    "getrandom",
    "tokio",
    "sled",
    "println!",
    "eprintln!",
];

/// Crates that touch the world.
const WORLDLY: [&str; 3] = ["", "shell", "store"];

/// The rooms of `dipjudge-rules`, each with those that it may import.
const RULES: [(&str, &[&str]); 10] = [
    ("map", &[]),
    ("sorted_map", &[]),
    ("conditions", &[]),
    ("folding", &[]),
    ("text", &["folding"]),
    ("calendar", &["text"]),
    ("position", &["map", "sorted_map"]),
    ("orders", &["map", "position"]),
    (
        "notation",
        &["map", "sorted_map", "calendar", "position", "orders"],
    ),
    ("adjudicator", &["map", "position", "orders"]),
];

/// The rooms of `dipjudge-judge`, from the bottom: each may import those before it, and the files beside the rooms.
const JUDGE: [&str; 8] = [
    "work",
    "people",
    "orders",
    "clock",
    "session",
    "acts",
    "receiving",
    "keeper",
];

/// Crates that write what a reader sees: they get views, and the game is out of their reach.
const PENS: [&str; 3] = ["mails", "drawing", "view"];

/// Files that answer players' lines by their `Sight`: what decides an answer must not have the game in reach.
const SIGHTED: [&str; 3] = [
    "src/commands/",
    "src/judge/orders/branches.rs",
    "src/judge/orders/warnings.rs",
];

/// Whether the type `Game` of the room `game` is named; a variant of an enum may well be called so.
fn names_the_game(code: &str) -> bool {
    code.match_indices("Game").any(|(place, _)| {
        let (before, after) = (&code[..place], &code[place + "Game".len()..]);
        let part = |c: char| c.is_alphanumeric() || c == '_';
        let other = before.ends_with(part)
            || after.starts_with(part)
            || after.starts_with('(')
            || (before.ends_with("::") && !before.ends_with("dipjudge_game::"));
        !other
    })
}

#[test]
fn the_table_and_the_folders_name_the_same_crates() {
    let document = fs::read_to_string(Path::new(ROOT).join("ARCHITECTURE.md")).unwrap();
    let rows = document.lines().filter_map(|line| line.strip_prefix("| `"));
    let listed: BTreeSet<String> = rows
        .filter_map(|row| row.split_once('`'))
        .map(|(name, _)| name.to_owned())
        .collect();
    let mut built: BTreeSet<String> = sources().into_iter().map(|source| source.krate).collect();
    built.remove("");
    assert_eq!(built, listed);
}

#[test]
fn the_rooms_of_the_rules_import_downwards() {
    let mut faults = Vec::new();
    let sources = sources();
    for source in sources.iter().filter(|source| source.krate == "rules") {
        let Some(room) = source.module.first() else {
            continue;
        };
        let (_, allowed) = RULES
            .iter()
            .find(|(name, _)| name == room)
            .unwrap_or_else(|| panic!("{room} is not in the list"));
        for other in heads(&source.code, "crate") {
            if other != room && !allowed.contains(&other) {
                faults.push(format!("{}: {room} may not import {other}", source.name));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_rooms_of_the_judge_import_downwards() {
    let height = |room: &str| JUDGE.iter().position(|name| *name == room);
    let mut faults = Vec::new();
    for source in sources().iter().filter(|source| source.krate == "judge") {
        let within = source.name.trim_start_matches("src/judge/");
        let Some((room, _)) = within.split_once('/') else {
            continue;
        };
        let own = height(room).unwrap_or_else(|| panic!("{room} is not in the list"));
        for other in heads(&source.code, "crate") {
            if height(other).is_some_and(|other| other > own) {
                faults.push(format!("{}: {room} may not import {other}", source.name));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn nothing_below_the_shell_touches_the_world() {
    let mut faults = Vec::new();
    for source in sources()
        .iter()
        .filter(|source| !WORLDLY.contains(&source.krate.as_str()))
    {
        let std = heads(&source.code, "std");
        for forbidden in WORLD {
            let grouped = forbidden
                .strip_prefix("std::")
                .is_some_and(|module| std.contains(&module));
            if grouped || names(&source.code, forbidden) {
                faults.push(format!("{} uses {forbidden}", source.name));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn crates_that_write_for_readers_do_not_depend_on_the_game() {
    for pen in PENS {
        let manifest = Path::new(ROOT).join("src").join(pen).join("Cargo.toml");
        let manifest = fs::read_to_string(manifest).unwrap();
        assert!(
            !manifest.contains("dipjudge-game"),
            "{pen} depends on the game: what readers may see is decided by game/project"
        );
    }
}

#[test]
fn what_answers_by_sight_cannot_name_the_game() {
    let sources = sources();
    for place in SIGHTED {
        let mut files = sources
            .iter()
            .filter(|source| source.name.starts_with(place))
            .peekable();
        assert!(files.peek().is_some(), "{place} is no more");
        for source in files {
            assert!(
                !names_the_game(&source.all),
                "{} names Game: lines are considered by what their sender sees",
                source.name
            );
        }
    }
}

#[test]
fn every_variant_folder_is_on_the_list() {
    let folder = Path::new(ROOT).join("src/variants");
    let list = without_comments(&fs::read_to_string(folder.join("lib.rs")).unwrap());
    let listed = |name: &str| {
        let list = list
            .split_once(&format!("const {name}:"))
            .and_then(|(_, rest)| rest.split_once(';'));
        list.unwrap_or_else(|| panic!("there is no list {name}")).0
    };
    let all = [listed("ALL"), listed("NOT_OFFERED")];
    let mut count = 0;
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if !path.is_dir() {
            continue;
        }
        count += 1;
        assert!(
            names(&list, &format!("mod {name}")),
            "src/variants/{name} is no module of the list"
        );
        assert!(
            all.iter().filter(|list| names(list, &name)).count() == 1,
            "src/variants/{name} is on none of the lists, or on both"
        );
    }
    assert!(count > 0, "no variant found");
}

#[test]
fn a_name_is_the_games_where_the_type_is_meant() {
    assert!(
        names_the_game("use dipjudge_game::{Event, Game};")
            && names_the_game("game: &dipjudge_game::Game")
            && !names_the_game("Listing::Game)")
    );
}
