//! Files that import one another in a circle must be read together to be understood, so ARCHITECTURE.md names every circle under
//! `src/` and says why it is one; between crates Cargo allows none. The face of a folder (`mod.rs`) is left out: it names its own
//! files, and they name what it holds for all.

use std::collections::{BTreeMap, BTreeSet};

use super::sources::{Source, sources};

/// Which files a file imports from, by the paths of their modules.
type Imports = BTreeMap<String, BTreeSet<String>>;

/// `src/judge/receiving/lines.rs` as `judge::receiving::lines`; none for the face of a folder.
fn module(source: &Source) -> Option<String> {
    let path = source.name.strip_prefix("src/")?.strip_suffix(".rs")?;
    let last = path.rsplit('/').next()?;
    (!matches!(last, "mod" | "lib" | "main")).then(|| path.replace('/', "::"))
}

/// The paths of a `use` tree, braces opened.
fn opened(tree: &str) -> Vec<String> {
    let tree = tree.trim();
    let Some((before, group)) = tree.split_once('{') else {
        return vec![tree.to_owned()];
    };
    let group = group.strip_suffix('}').unwrap_or(group);
    let (mut depth, mut part, mut parts) = (0usize, String::new(), Vec::new());
    for c in group.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if c == ',' && depth == 0 {
            parts.push(std::mem::take(&mut part));
        } else {
            part.push(c);
        }
    }
    parts.push(part);
    let parts = parts.iter().filter(|part| !part.trim().is_empty());
    parts
        .flat_map(|part| opened(part))
        .map(|path| format!("{before}{path}"))
        .collect()
}

/// All paths within its crate that a file names, the crate's name first.
fn paths(module: &str, code: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    let mut rest = String::new();
    for statement in code.split_inclusive(';') {
        match statement.split_once("use ") {
            Some((before, tree))
                if before.trim_end().is_empty() || before.ends_with(['\n', ' ']) =>
            {
                found.extend(opened(tree.trim_end_matches(';')));
            }
            _ => rest.push_str(statement),
        }
    }
    let word = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    found.extend(
        rest.split(|c: char| !word(c))
            .filter(|path| path.starts_with("crate::") || path.starts_with("super::"))
            .map(str::to_owned),
    );
    let here: Vec<String> = module.split("::").map(str::to_owned).collect();
    let from_root = |path: &String| {
        let mut place = here.clone();
        let mut climbed = false;
        let mut rest = Vec::new();
        for part in path.split("::").map(str::trim) {
            match part {
                "crate" => (place, climbed) = (vec![here[0].clone()], true),
                "super" => {
                    place.pop();
                    climbed = true;
                }
                part => rest.push(part.to_owned()),
            }
        }
        climbed.then(|| [place, rest].concat())
    };
    found.iter().filter_map(from_root).collect()
}

fn imports() -> Imports {
    let sources = sources();
    let files: BTreeMap<String, &Source> = sources
        .iter()
        .filter_map(|source| Some((module(source)?, source)))
        .collect();
    let target = |path: &Vec<String>| {
        (1..=path.len())
            .rev()
            .map(|length| path[..length].join("::"))
            .find(|name| files.contains_key(name))
    };
    files
        .iter()
        .map(|(name, source)| {
            let named = paths(name, &source.code);
            let others = named
                .iter()
                .filter_map(target)
                .filter(|other| other != name);
            (name.clone(), others.collect())
        })
        .collect()
}

/// All files that can be reached from one by imports.
fn reached(imports: &Imports, from: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut open = vec![from.to_owned()];
    while let Some(file) = open.pop() {
        for next in imports.get(&file).into_iter().flatten() {
            if found.insert(next.clone()) {
                open.push(next.clone());
            }
        }
    }
    found
}

/// The circles, each with its files.
fn circles(imports: &Imports) -> BTreeSet<BTreeSet<String>> {
    let reach: Imports = imports
        .keys()
        .map(|file| (file.clone(), reached(imports, file)))
        .collect();
    reach
        .iter()
        .map(|(file, others)| {
            let back = others.iter().filter(|other| reach[*other].contains(file));
            back.cloned().collect()
        })
        .filter(|circle: &BTreeSet<String>| !circle.is_empty())
        .collect()
}

/// The circles that ARCHITECTURE.md names: each item of the list below its heading begins with the files of one.
fn named_circles() -> BTreeSet<BTreeSet<String>> {
    let text = include_str!("../../ARCHITECTURE.md");
    let (_, section) = text.split_once("\n## Circles of files\n").unwrap();
    let section = section.split("\n## ").next().unwrap();
    section
        .split("\n- ")
        .skip(1)
        .map(|item| {
            let (files, reason) = item.split_once(": ").unwrap();
            assert!(reason.split_whitespace().count() > 5, "no reason: {item}");
            let files = files.split('`').filter_map(|file| file.strip_suffix(".rs"));
            files.map(|file| file.replace('/', "::")).collect()
        })
        .collect()
}

#[test]
fn the_circles_of_imports_are_those_that_architecture_names() {
    let imports = imports();
    assert!(imports.len() > 200, "only {} files read", imports.len());
    assert_eq!(circles(&imports), named_circles());
}

#[test]
fn the_reader_of_paths_finds_circles() {
    let code =
        "use super::b::{self, C};\nuse crate::{x::{y, z}, w};\nfn f() { super::super::v::g() }";
    let found: Vec<String> = paths("m::a", code)
        .iter()
        .map(|path| path.join("::"))
        .collect();
    assert_eq!(
        found,
        [
            "m::b::self",
            "m::b::C",
            "m::x::y",
            "m::x::z",
            "m::w",
            "v::g"
        ]
    );
    let arrow = |from: &str, to: &[&str]| {
        let to = to.iter().map(|to| (*to).to_owned()).collect();
        (from.to_owned(), to)
    };
    let plan = Imports::from([
        arrow("a", &["b"]),
        arrow("b", &["c", "d"]),
        arrow("c", &["a"]),
        arrow("d", &[]),
    ]);
    let one = BTreeSet::from(["a".to_owned(), "b".to_owned(), "c".to_owned()]);
    assert_eq!(circles(&plan), BTreeSet::from([one]));
}
