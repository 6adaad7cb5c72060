//! The floor plan of `ARCHITECTURE.md`, executed: its drawing gives the storeys, its table the arrows between rooms. Every
//! `crate::` path under `src/` must be an arrow of that table; what lies below the shell must not touch the world.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

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
    "Zoned::now",
    "getrandom",
    "tokio",
    "sled",
    "println!",
    "eprintln!",
];

/// Rooms that write what a reader sees: they get views, and must not so much as name the game.
const PENS: [&str; 3] = ["mails", "drawing", "view"];

/// Files that answer players' lines by their `Sight`: what decides an answer must not have the game in reach.
const SIGHTED: [&str; 3] = [
    "src/commands/",
    "src/judge/desk/branches.rs",
    "src/judge/desk/order_warnings.rs",
];

type Plan = BTreeMap<String, BTreeSet<String>>;

/// A Rust file without its comments, texts and test code.
pub(super) struct Source {
    /// From the top folder, for reports.
    pub(super) name: String,
    /// `map`, `game`, …; none for `lib.rs` and `main.rs`.
    room: Option<String>,
    /// How many `super`s lead out of the crate's root module.
    depth: usize,
    /// Code, with the tests.
    all: String,
    /// Code, without the tests.
    pub(super) code: String,
}

// The plan --------------------------------------------------------------------

/// The rooms in the order of the drawing, highest first, each row one list.
fn rows(document: &str) -> Vec<(String, Vec<String>)> {
    let drawing = document
        .split("```")
        .nth(1)
        .expect("ARCHITECTURE.md has a drawing");
    let mut storey = String::new();
    let mut rows = Vec::new();
    for line in drawing
        .lines()
        .filter(|line| line.matches('│').count() == 2)
    {
        let columns: Vec<&str> = line.split('│').map(str::trim).collect();
        if !columns[0].is_empty() {
            storey = columns[0].to_owned();
        }
        rows.push((
            storey.clone(),
            columns[1].split_whitespace().map(str::to_owned).collect(),
        ));
    }
    rows
}

/// Who may import whom, by the table's words: rooms by name, `X and below`, `board storey`, `the desk`.
fn plan(document: &str) -> Plan {
    let rows = rows(document);
    let storey_of = |storey: &str| -> BTreeSet<String> {
        rows.iter()
            .filter(|(name, _)| name == storey)
            .flat_map(|(_, rooms)| rooms.clone())
            .collect()
    };
    let below = |room: &str| -> BTreeSet<String> {
        let row = rows
            .iter()
            .position(|(_, rooms)| rooms.iter().any(|other| other == room));
        let row = row.unwrap_or_else(|| panic!("the drawing has no room {room}"));
        rows[row + 1..]
            .iter()
            .flat_map(|(_, rooms)| rooms.clone())
            .collect()
    };
    let mut plan = Plan::new();
    for line in document.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, room, _, imports, _] = cells[..] else {
            continue;
        };
        let allowed = plan
            .entry(room.trim_matches(['`', '/']).to_owned())
            .or_default();
        for word in imports
            .split(',')
            .map(str::trim)
            .filter(|word| !matches!(*word, "–" | "-"))
        {
            match (
                word.strip_suffix(" and below"),
                word.strip_suffix(" storey"),
            ) {
                (Some(room), _) => {
                    allowed.insert(room.to_owned());
                    allowed.extend(below(room));
                }
                (_, Some(storey)) => allowed.extend(storey_of(storey)),
                _ if word == "the desk" => {
                    allowed.extend(storey_of("desk"));
                    storey_of("desk")
                        .iter()
                        .for_each(|room| allowed.extend(below(room)));
                }
                _ => {
                    allowed.insert(word.to_owned());
                }
            }
        }
    }
    plan
}

fn architecture() -> String {
    fs::read_to_string(Path::new(ROOT).join("ARCHITECTURE.md")).expect("ARCHITECTURE.md is there")
}

// The house --------------------------------------------------------------------

pub(super) fn sources() -> Vec<Source> {
    let top = Path::new(ROOT).join("src");
    let mut files = Vec::new();
    collect(&top, &mut files);
    files.sort();
    assert!(
        files.len() > 20,
        "hardly any source under {}",
        top.display()
    );
    let texts: Vec<(PathBuf, String)> = files
        .into_iter()
        .map(|file| (file.clone(), fs::read_to_string(&file).unwrap()))
        .collect();
    let tests: BTreeSet<PathBuf> = texts
        .iter()
        .flat_map(|(file, text)| test_files(file, &without_comments(text)))
        .collect();
    texts
        .iter()
        .map(|(file, text)| source(&top, file, text, tests.contains(file)))
        .collect()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|end| end == "rs") {
            files.push(path);
        }
    }
}

fn source(top: &Path, file: &Path, text: &str, test: bool) -> Source {
    let place: Vec<String> = file
        .strip_prefix(top)
        .unwrap()
        .iter()
        .map(|part| part.to_string_lossy().into_owned())
        .collect();
    let owner = matches!(
        place.last().map(String::as_str),
        Some("mod.rs" | "lib.rs" | "main.rs")
    );
    let room = (place.len() > 1).then(|| place[0].clone()).or_else(|| {
        let file = place[0].trim_end_matches(".rs").to_owned();
        (file != "lib" && file != "main").then_some(file)
    });
    let all = without_comments(text);
    let code = if test {
        String::new()
    } else {
        without_tests(&all)
    };
    Source {
        name: format!("src/{}", place.join("/")),
        room,
        depth: place.len() - usize::from(owner),
        all,
        code,
    }
}

/// Files that a `#[cfg(test)] mod name;` makes test code.
fn test_files(file: &Path, code: &str) -> Vec<PathBuf> {
    let folder = match file.file_stem().and_then(|stem| stem.to_str()) {
        Some("mod" | "lib" | "main") => file.parent().unwrap().to_owned(),
        _ => file.with_extension(""),
    };
    let mut found = Vec::new();
    for rest in code.split("#[cfg(test)]").skip(1) {
        let rest = rest.trim_start();
        let rest = rest
            .strip_prefix("pub(crate)")
            .or(rest.strip_prefix("pub"))
            .unwrap_or(rest)
            .trim_start();
        if let Some((name, _)) = rest
            .strip_prefix("mod ")
            .and_then(|rest| rest.split_once(';'))
            && name.chars().all(|c| c.is_alphanumeric() || c == '_')
        {
            found.push(folder.join(format!("{name}.rs")));
            let mut within = Vec::new();
            let inner = folder.join(name);
            if inner.is_dir() {
                collect(&inner, &mut within);
            }
            found.extend(within);
        }
    }
    found
}

/// Code alone: comments gone, texts and characters empty.
fn without_comments(text: &str) -> String {
    let bytes: Vec<char> = text.chars().collect();
    let at = |index: usize| bytes.get(index).copied().unwrap_or('\0');
    let mut code = String::new();
    let mut index = 0;
    while index < bytes.len() {
        match (at(index), at(index + 1)) {
            ('/', '/') => {
                while index < bytes.len() && at(index) != '\n' {
                    index += 1;
                }
            }
            ('/', '*') => {
                let mut depth = 1;
                index += 2;
                while index < bytes.len() && depth > 0 {
                    match (at(index), at(index + 1)) {
                        ('/', '*') => (depth, index) = (depth + 1, index + 2),
                        ('*', '/') => (depth, index) = (depth - 1, index + 2),
                        _ => index += 1,
                    }
                }
            }
            ('r', '"' | '#') if !code.ends_with(|c: char| c.is_alphanumeric() || c == '_') => {
                let hashes = (index + 1..).take_while(|place| at(*place) == '#').count();
                if at(index + 1 + hashes) != '"' {
                    code.push('r');
                    index += 1;
                    continue;
                }
                index += hashes + 2;
                let ends = |index: usize| {
                    at(index) == '"' && (1..=hashes).all(|hash| at(index + hash) == '#')
                };
                while index < bytes.len() && !ends(index) {
                    index += 1;
                }
                index += hashes + 1;
                code.push_str("\"\"");
            }
            ('"', _) => {
                index += 1;
                while index < bytes.len() && at(index) != '"' {
                    index += if at(index) == '\\' { 2 } else { 1 };
                }
                index += 1;
                code.push_str("\"\"");
            }
            // A character, not a lifetime: closed after one, or after an escape.
            ('\'', '\\') => {
                index += 3;
                while index < bytes.len() && at(index) != '\'' {
                    index += 1;
                }
                index += 1;
            }
            ('\'', _) if at(index + 2) == '\'' => index += 3,
            (c, _) => {
                code.push(c);
                index += 1;
            }
        }
    }
    code
}

/// Code without what stands under `#[cfg(test)]`.
fn without_tests(code: &str) -> String {
    let mut kept = String::new();
    let mut rest = code;
    while let Some((before, after)) = rest.split_once("#[cfg(test)]") {
        kept.push_str(before);
        let end = item_end(after);
        rest = &after[end..];
    }
    kept.push_str(rest);
    kept
}

/// Where an item ends: at its `;`, or with its braces.
fn item_end(code: &str) -> usize {
    let mut depth = 0usize;
    for (place, c) in code.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth <= 1 => return place + 1,
            '}' => depth -= 1,
            ';' if depth == 0 => return place + 1,
            _ => {}
        }
    }
    code.len()
}

/// The first segments of all paths that begin with `head::`, groups in braces included.
fn heads<'c>(code: &'c str, head: &str) -> Vec<&'c str> {
    let mut found = Vec::new();
    let start = format!("{head}::");
    for (place, _) in code.match_indices(&start) {
        let before = code[..place].chars().next_back();
        if before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | ':')) {
            continue;
        }
        let rest = code[place + start.len()..].trim_start();
        match rest.strip_prefix('{') {
            Some(group) => found.extend(group_heads(group)),
            None => found.push(word(rest)),
        }
    }
    found
}

fn group_heads(group: &str) -> Vec<&str> {
    let (mut found, mut depth, mut start) = (Vec::new(), 1, 0);
    for (place, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 || (depth == 1 && c == ',') {
            found.extend(
                Some(word(group[start..place].trim_start())).filter(|word| !word.is_empty()),
            );
            start = place + 1;
        }
        if depth == 0 {
            break;
        }
    }
    found
}

fn word(text: &str) -> &str {
    let end = text
        .find(|c: char| !c.is_alphanumeric() && c != '_')
        .unwrap_or(text.len());
    &text[..end]
}

/// The rooms that a file imports from, by `crate::` or by climbing out of its own.
fn imports(source: &Source) -> BTreeSet<String> {
    let mut rooms: BTreeSet<String> = heads(&source.all, "crate")
        .into_iter()
        .map(str::to_owned)
        .collect();
    let climb = format!("use {}", vec!["super"; source.depth].join("::"));
    for line in source.all.lines().filter(|line| line.starts_with(&climb)) {
        rooms.extend(
            heads(line, &climb["use ".len()..])
                .into_iter()
                .map(str::to_owned),
        );
    }
    rooms
}

pub(super) fn names(code: &str, wanted: &str) -> bool {
    code.match_indices(wanted).any(|(place, _)| {
        let part = |c: char| c.is_alphanumeric() || c == '_';
        let open = wanted.ends_with('!');
        !code[..place].ends_with(part) && (open || !code[place + wanted.len()..].starts_with(part))
    })
}

/// Whether the type `Game` of the room `game` is named; a variant of an enum may well be called so.
fn names_the_game(code: &str) -> bool {
    code.match_indices("Game").any(|(place, _)| {
        let (before, after) = (&code[..place], &code[place + "Game".len()..]);
        let part = |c: char| c.is_alphanumeric() || c == '_';
        let other = before.ends_with(part)
            || after.starts_with(part)
            || after.starts_with('(')
            || (before.ends_with("::") && !before.ends_with("game::"));
        !other
    })
}

// The tests --------------------------------------------------------------------

#[test]
fn the_drawing_the_table_and_the_folders_name_the_same_rooms() {
    let document = architecture();
    let drawn: BTreeSet<String> = rows(&document)
        .into_iter()
        .flat_map(|(_, rooms)| rooms)
        .collect();
    let listed: BTreeSet<String> = plan(&document).into_keys().collect();
    let built: BTreeSet<String> = sources()
        .into_iter()
        .filter_map(|source| source.room)
        .collect();
    assert_eq!(
        drawn, listed,
        "the drawing and the table of ARCHITECTURE.md differ"
    );
    assert_eq!(
        built, listed,
        "the folders of src/ and the table of ARCHITECTURE.md differ"
    );
}

#[test]
fn arrows_go_down_only() {
    let document = architecture();
    let height: BTreeMap<String, usize> = rows(&document)
        .into_iter()
        .rev()
        .enumerate()
        .flat_map(|(row, (_, rooms))| rooms.into_iter().map(move |room| (room, row)))
        .collect();
    for (room, allowed) in plan(&document) {
        for other in allowed {
            assert!(
                height[&other] <= height[&room],
                "the table lets {room} import {other}, which lies above it"
            );
        }
    }
}

#[test]
fn every_import_is_an_arrow_of_the_plan() {
    let plan = plan(&architecture());
    let mut faults = Vec::new();
    for source in sources() {
        let Some(room) = &source.room else { continue };
        let allowed = &plan[room];
        for other in imports(&source) {
            if other != *room && !allowed.contains(&other) {
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
        .filter(|source| source.room.as_deref().is_some_and(|room| room != "shell"))
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
fn rooms_that_write_for_readers_cannot_name_the_game() {
    let pens = |source: &&Source| {
        source
            .room
            .as_deref()
            .is_some_and(|room| PENS.contains(&room))
    };
    for source in sources().iter().filter(pens) {
        assert!(
            !names(&source.all, "Game"),
            "{} names Game: what readers may see is decided by game/project",
            source.name
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
    let list = without_comments(&fs::read_to_string(folder.join("mod.rs")).unwrap());
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
fn the_reader_of_imports_finds_every_way_to_write_one() {
    let code = without_comments(
        "use crate::map::{Power, Province}; // crate::shell\nuse crate::{game::Game, position::{Unit, UnitId}};\n\
         /* crate::judge /* crate::judge */ */ fn f() -> crate::orders::Action { \"crate::mails\"; '\"'; r#\"crate::view\"#; $crate::x }",
    );
    assert_eq!(heads(&code, "crate"), ["map", "game", "position", "orders"]);
    assert_eq!(
        heads("use std::{fs, io::{self, Read}};", "std"),
        ["fs", "io"]
    );
    let tested = "fn a() {}\n#[cfg(test)]\nmod tests { fn b() { { } } }\nfn c() {}\n#[cfg(test)]\nmod golden;\nfn d() {}";
    let code = without_tests(tested);
    assert!(
        code.contains("fn a")
            && code.contains("fn c")
            && code.contains("fn d")
            && !code.contains("fn b")
    );
    assert_eq!(
        test_files(Path::new("src/mails/mod.rs"), tested),
        [Path::new("src/mails/golden.rs")]
    );
    assert!(
        names("let x: Game = y;", "Game")
            && !names("GameStart", "Game")
            && !names("a_Game", "Game")
    );
    assert!(
        names_the_game("use crate::game::{Event, Game};")
            && names_the_game("game: &crate::game::Game")
            && !names_the_game("Listing::Game)")
    );
    let climbing = Source {
        name: "src/map/mod.rs".into(),
        room: Some("map".into()),
        depth: 1,
        all: "use super::judge::Judge;\n    use super::inner;\n".into(),
        code: String::new(),
    };
    assert_eq!(
        imports(&climbing).into_iter().collect::<Vec<_>>(),
        ["judge"]
    );
}
