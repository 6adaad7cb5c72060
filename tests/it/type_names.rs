//! Within one crate no two types have the same name, so that a name in a signature says which type is meant.

use std::collections::{BTreeMap, BTreeSet};

use super::sources::{Source, sources};

/// Names that still stand for several types, with their crates. A name that is not needed here any more fails the test.
const DOUBLE: &[(&str, &str)] = &[];

/// The types that a file declares at module level, outside tests.
fn declared(source: &Source) -> Vec<&str> {
    let mut names = Vec::new();
    let mut depth = 0usize;
    for line in source.code.lines() {
        if depth == 0 {
            names.extend(declared_by(line));
        }
        let opened = line.matches('{').count();
        let closed = line.matches('}').count();
        depth = (depth + opened).saturating_sub(closed);
    }
    names
}

/// The type that a line of code declares.
fn declared_by(line: &str) -> Option<&str> {
    let line = match line.strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => rest.split_once(") ")?.1,
        Some(rest) => rest.trim_start(),
        None => line,
    };
    let (keyword, rest) = line.split_once(' ')?;
    if !matches!(keyword, "struct" | "enum" | "union" | "type" | "trait") {
        return None;
    }
    rest.split(|c: char| !c.is_alphanumeric() && c != '_')
        .next()
}

#[test]
fn no_type_name_is_declared_twice_in_a_crate() {
    let sources = sources();
    let mut files: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
    for source in &sources {
        for name in declared(source) {
            let place = files.entry((source.krate.as_str(), name)).or_default();
            place.push(source.name.as_str());
        }
    }
    assert!(files.len() > 500, "hardly any type was found");
    files.retain(|_, files| files.len() > 1);
    let mut faults = Vec::new();
    let mut expected: BTreeSet<(&str, &str)> = DOUBLE.iter().copied().collect();
    for ((krate, name), files) in files {
        if !expected.remove(&(krate, name)) {
            faults.push(format!("{name} is declared in {}", files.join(" and in ")));
        }
    }
    for (krate, name) in expected {
        faults.push(format!(
            "{name} is declared once in {krate}: remove it from the list"
        ));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn declarations_are_recognized() {
    for line in [
        "struct Name;",
        "pub struct Name<T> {",
        "pub(crate) enum Name {",
        "pub(in super::super) type Name = u8;",
        "trait Name: Send {",
    ] {
        assert_eq!(declared_by(line), Some("Name"), "{line}");
    }
    for line in ["fn name() {", "use super::Name;", "    struct Name;", ""] {
        assert_eq!(declared_by(line), None, "{line}");
    }
}
