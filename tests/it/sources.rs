//! The source of the program, as far as tests of its structure need it: without comments and texts, code apart from tests.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// A Rust file without its comments, texts and test code.
pub(super) struct Source {
    /// From the top folder, for reports.
    pub(super) name: String,
    /// The folder under `src/`, which is a crate; empty for `lib.rs` and `main.rs` of the program.
    pub(super) krate: String,
    /// The path of the module within its crate: `map`, `board`.
    pub(super) module: Vec<String>,
    /// Code, with the tests.
    pub(super) all: String,
    /// Code, without the tests.
    pub(super) code: String,
}

/// The paths of all files below a folder.
pub(super) fn files_below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files_below(&path, found);
        } else {
            found.push(path);
        }
    }
}

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
            // The tests of a crate, beside its manifest, are no part of the program.
            if !(path.ends_with("tests") && folder.join("Cargo.toml").exists()) {
                collect(&path, files);
            }
        } else if path.extension().is_some_and(|end| end == "rs") {
            files.push(path);
        }
    }
}

fn source(top: &Path, file: &Path, text: &str, test: bool) -> Source {
    let place: Vec<String> = file
        .strip_prefix(top)
        .unwrap()
        .with_extension("")
        .iter()
        .map(|part| part.to_string_lossy().into_owned())
        .collect();
    let (krate, module) = match &place[..] {
        [krate, module @ ..] if !module.is_empty() => (krate.clone(), module.to_vec()),
        _ => (String::new(), place.clone()),
    };
    let module = match &module[..] {
        [module @ .., last] if matches!(last.as_str(), "mod" | "lib" | "main") => module.to_vec(),
        _ => module,
    };
    let all = without_comments(text);
    let code = if test {
        String::new()
    } else {
        without_tests(&all)
    };
    Source {
        name: format!("src/{}.rs", place.join("/")),
        krate,
        module,
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
pub(super) fn without_comments(text: &str) -> String {
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
    // What is compiled for other crates' tests too.
    code.replace("#[cfg(any(test, feature = \"\"))]", "#[cfg(test)]")
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
pub(super) fn heads<'c>(code: &'c str, head: &str) -> Vec<&'c str> {
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

pub(super) fn names(code: &str, wanted: &str) -> bool {
    code.match_indices(wanted).any(|(place, _)| {
        let part = |c: char| c.is_alphanumeric() || c == '_';
        let open = wanted.ends_with('!');
        !code[..place].ends_with(part) && (open || !code[place + wanted.len()..].starts_with(part))
    })
}

#[test]
fn every_way_to_write_an_import_is_found() {
    let code = without_comments(
        "use crate::map::{Power, Province}; // crate::shell\nuse crate::{game::Game, position::{Unit, UnitId}};\n\
         /* crate::judge /* crate::judge */ */ fn f() -> crate::orders::Action { \"crate::mails\"; '\"'; r#\"crate::view\"#; $crate::x }",
    );
    assert_eq!(heads(&code, "crate"), ["map", "game", "position", "orders"]);
    assert_eq!(
        heads("use std::{fs, io::{self, Read}};", "std"),
        ["fs", "io"]
    );
}

#[test]
fn code_for_tests_is_left_out() {
    let tested = without_comments(
        "fn a() {}\n#[cfg(test)]\nmod tests { fn b() { { } } }\nfn c() {}\n#[cfg(any(test, feature = \"testing\"))]\nmod golden;\nfn d() {}",
    );
    let code = without_tests(&tested);
    assert!(
        code.contains("fn a")
            && code.contains("fn c")
            && code.contains("fn d")
            && !code.contains("fn b")
    );
    assert_eq!(
        test_files(Path::new("src/mails/mod.rs"), &tested),
        [Path::new("src/mails/golden.rs")]
    );
    assert!(
        names("let x: Game = y;", "Game")
            && !names("GameStart", "Game")
            && !names("a_Game", "Game")
    );
}
