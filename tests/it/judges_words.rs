//! `src/game/judges_words.txt` lists the words that the judge itself can print: those of the texts in its code, of templates,
//! pages, rules and grammars. The list is a file, and not made at build time, so that a changed text in the judge does not
//! rebuild the game.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// What is printed lies here. The map in play is asked for its words when a name is chosen.
const PRINTED: [&str; 3] = ["src", "mailtemplates", "grammar"];
/// What no player reads: the command line, leaks on purpose, and documents for those who work on the program.
const NOT_PRINTED: [&str; 6] = [
    "src/shell",
    "src/store",
    "src/game/flows.rs",
    "src/game/planted.rs",
    "src/rules/map",
    "src/main.rs",
];
/// Shorter than any name.
const SHORTEST: usize = 3;

#[test]
fn the_list_of_printed_words_is_complete() -> io::Result<()> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut words = BTreeSet::new();
    for folder in PRINTED {
        gather(&top.join(folder), &mut BTreeSet::new(), &mut words)?;
    }
    let words: String = words.iter().map(|word| format!("{word}\n")).collect();
    let list = top.join("src/game/judges_words.txt");
    if fs::read_to_string(&list).unwrap_or_default() != words {
        fs::write(list.with_extension("txt.failed"), words)?;
        panic!(
            "texts of the judge have changed: move judges_words.txt.failed over src/game/judges_words.txt"
        );
    }
    Ok(())
}

fn gather(
    folder: &Path,
    for_tests: &mut BTreeSet<PathBuf>,
    words: &mut BTreeSet<String>,
) -> io::Result<()> {
    let entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    let paths: Vec<PathBuf> = entries.into_iter().map(|entry| entry.path()).collect();
    for path in paths.iter().filter(|path| is(path, "rs")) {
        let stem = path.file_stem().unwrap_or_default();
        let own = match stem == "mod" || stem == "lib" {
            true => folder.to_path_buf(),
            false => folder.join(stem),
        };
        let modules = test_modules(&fs::read_to_string(path)?);
        for_tests.extend(modules.into_iter().map(|module| own.join(module)));
    }
    for path in paths {
        let left_out = NOT_PRINTED.iter().any(|other| path.ends_with(other))
            || for_tests.contains(&path.with_extension(""))
            || path
                .file_name()
                .is_some_and(|name| name == "README.md" || name == "tests");
        if left_out {
            continue;
        }
        if path.is_dir() {
            gather(&path, for_tests, words)?;
        } else if is(&path, "rs") {
            literals(&fs::read_to_string(&path)?, words);
        } else if path.ends_with("grammar/subjects.txt") {
            // The examples are words of players.
            let text = fs::read_to_string(&path)?;
            let printed = text.lines().filter(|line| !line.starts_with("- "));
            printed.for_each(|line| add(line, words));
        } else if ["md", "grammar"].iter().any(|kind| is(&path, kind))
            || path
                .components()
                .any(|part| part.as_os_str() == "mailtemplates")
        {
            add(&fs::read_to_string(&path)?, words);
        }
    }
    Ok(())
}

fn is(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found == extension)
}

/// Whether a line says that what follows is compiled for tests alone.
fn for_tests(line: &str) -> bool {
    line == "#[cfg(test)]" || line.starts_with("#[cfg(any(test,")
}

/// The modules in files of their own that only tests have.
fn test_modules(code: &str) -> Vec<String> {
    let lines: Vec<&str> = code.lines().map(str::trim).collect();
    let pairs = lines.windows(2).filter(|pair| for_tests(pair[0]));
    pairs
        .filter_map(|pair| pair[1].strip_suffix(';')?.split_once("mod "))
        .map(|(_, module)| module.to_owned())
        .collect()
}

/// Adds the words of all texts in code but its tests.
fn literals(code: &str, words: &mut BTreeSet<String>) {
    let code = without_tests(code);
    let letters: Vec<char> = code.chars().collect();
    let at = |index: usize| letters.get(index).copied().unwrap_or('\0');
    let mut index = 0;
    while index < letters.len() {
        match at(index) {
            '/' if at(index + 1) == '/' => {
                while index < letters.len() && at(index) != '\n' {
                    index += 1;
                }
            }
            // A character, not a lifetime.
            '\'' if at(index + 1) == '\\' => {
                index += 3;
                while index < letters.len() && at(index) != '\'' {
                    index += 1;
                }
            }
            '\'' if at(index + 2) == '\'' => index += 2,
            '"' => {
                let mut hashes = 0;
                while index > hashes && at(index - 1 - hashes) == '#' {
                    hashes += 1;
                }
                let raw = index > hashes && at(index - 1 - hashes) == 'r';
                let start = index + 1;
                index = start;
                let closes = |index: usize| {
                    at(index) == '"'
                        && (!raw || (1..=hashes).all(|behind| at(index + behind) == '#'))
                };
                let mut text = String::new();
                while index < letters.len() && !closes(index) {
                    if !raw && at(index) == '\\' {
                        text.push(' ');
                        index += 2;
                        continue;
                    }
                    text.push(at(index));
                    index += 1;
                }
                add(&text, words);
            }
            _ => {}
        }
        index += 1;
    }
}

/// Code without the modules in it that only tests have. They begin and end at the margin.
fn without_tests(code: &str) -> String {
    let mut kept = String::new();
    let mut lines = code.lines();
    while let Some(line) = lines.next() {
        if !for_tests(line) {
            kept.push_str(line);
            kept.push('\n');
            continue;
        }
        let opens = lines.by_ref().find(|line| !line.starts_with("#["));
        if opens.is_some_and(|line| line.ends_with('{')) {
            lines.by_ref().find(|line| *line == "}");
        }
    }
    kept
}

/// Adds the words of a text: each by itself, and those that a hyphen or apostrophe joins as one.
fn add(text: &str, words: &mut BTreeSet<String>) {
    let of_a_word = |c: char| c.is_alphabetic() || matches!(c, '-' | '\'');
    let parts =
        |word: &str| -> Vec<String> { word.split(['-', '\'']).map(str::to_lowercase).collect() };
    // A style's `@media` is no word that anybody reads.
    let text = text.replace("@media", " ");
    for word in text.split(|c: char| !of_a_word(c)) {
        let parts = parts(word);
        let joined = parts.concat();
        let long = |word: &String| word.chars().count() >= SHORTEST;
        words.extend(parts.into_iter().chain([joined]).filter(long));
    }
}
