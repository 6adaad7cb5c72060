//! What ARCHITECTURE.md names is there: a file that was renamed or removed is mended in its text, too.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::sources::{files_below, sources};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
/// Where the files stand that it names.
const FOLDERS: [&str; 5] = ["src", "tests", "benches", "grammar", "deploy"];

/// The words in backticks that are names of files of code: `judge/rates.rs`.
fn named_files(text: &str) -> Vec<&str> {
    let quoted = text.split('`').skip(1).step_by(2);
    let is_file = |name: &&str| {
        let known = [".rs", ".grammar"].iter().any(|end| name.ends_with(end));
        known && !name.contains([' ', '<', '…', '*'])
    };
    quoted.filter(is_file).collect()
}

#[test]
fn every_file_that_is_named_exists() {
    let text = fs::read_to_string(Path::new(ROOT).join("ARCHITECTURE.md")).unwrap();
    let mut files = Vec::new();
    for folder in FOLDERS {
        files_below(&Path::new(ROOT).join(folder), &mut files);
    }
    let from_top = |path: PathBuf| {
        let path = path.strip_prefix(ROOT).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let files: Vec<String> = files.into_iter().map(from_top).collect();
    let named = named_files(&text);
    assert!(named.len() > 50, "hardly any file is named");
    let exists = |name: &&str| {
        let end = format!("/{name}");
        files
            .iter()
            .any(|file| file == name || file.ends_with(&end))
    };
    let missing: Vec<&str> = named.into_iter().filter(|name| !exists(name)).collect();
    assert!(missing.is_empty(), "ARCHITECTURE.md names {missing:?}");
}

/// The setting that it names as an example: beside the place where it acts it stands in two lines of the grammar, in one row of the
/// settings and in one of the table of switches.
#[test]
fn a_setting_stands_in_as_few_spots_as_it_says() {
    let grammar = fs::read_to_string(Path::new(ROOT).join("grammar/settings.grammar")).unwrap();
    let rules = grammar
        .lines()
        .filter(|line| line.contains("strict-coasts"));
    assert_eq!(rules.count(), 2);
    let sources = sources();
    let rows = sources.iter().filter_map(|source| {
        let rows = source.code.matches("StrictCoasts").count();
        (rows > 0).then_some((source.name.as_str(), rows))
    });
    assert_eq!(
        rows.collect::<Vec<_>>(),
        [
            ("src/game/settings.rs", 1),
            ("src/judge/acts/settings/switches.rs", 1),
        ]
    );
}

#[test]
fn names_of_files_are_recognized() {
    let text = "See `judge/rates.rs` and `Rates`, not rates.rs; `a file.rs` is none.";
    assert_eq!(named_files(text), ["judge/rates.rs"]);
}

/// The crates of the workspace that a crate depends on.
fn dependencies(name: &str) -> BTreeSet<String> {
    let manifest = Path::new(ROOT).join("src").join(name).join("Cargo.toml");
    let manifest = fs::read_to_string(manifest).unwrap();
    let (_, listed) = manifest.split_once("[dependencies]").unwrap();
    let listed = listed.lines().take_while(|line| !line.starts_with('['));
    let names = listed.filter_map(|line| line.strip_prefix("dipjudge-")?.split('.').next());
    names.map(str::to_owned).collect()
}

#[test]
fn each_crate_depends_on_those_that_the_table_says() {
    let text = fs::read_to_string(Path::new(ROOT).join("ARCHITECTURE.md")).unwrap();
    let (_, table) = text
        .split_once("Which crate knows which others:\n\n```text\n")
        .unwrap();
    let (table, _) = table.split_once("```").unwrap();
    let (head, rows) = table.split_once('\n').unwrap();
    let columns: Vec<(usize, &str)> = head
        .split_whitespace()
        .map(|name| {
            (
                head.find(&format!(" {name} "))
                    .unwrap_or(head.len() - name.len()),
                name,
            )
        })
        .collect();
    let mut crates = 0;
    for row in rows.lines() {
        let name = row.split(' ').next().unwrap();
        let marks = row.match_indices(" x").map(|(at, _)| at + 1);
        // A mark belongs to the last column that begins before it.
        let marked = marks.filter_map(|at| columns.iter().rev().find(|(begin, _)| *begin <= at));
        let told: BTreeSet<String> = marked.map(|(_, name)| (*name).to_owned()).collect();
        assert_eq!(told, dependencies(name), "{name}");
        crates += 1;
    }
    assert_eq!(crates, columns.len(), "all but the lowest, and the shell");
}
