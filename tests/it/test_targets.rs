//! A crate whose manifest says that it has no unit tests or no examples has none, so that none is left out in silence.

use std::fs;
use std::path::{Path, PathBuf};

/// The text of each Rust file below a folder.
fn texts_below(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            texts_below(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            found.push((path, text));
        }
    }
}

fn is_unit_test(line: &str) -> bool {
    line.trim() == "#[test]"
}

fn is_example(line: &str) -> bool {
    let line = line.trim();
    line == "/// ```" || line == "//! ```"
}

#[test]
fn what_is_not_built_for_tests_has_none() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut crates = 0;
    for entry in fs::read_dir(&src).unwrap() {
        let folder = entry.unwrap().path();
        let Ok(manifest) = fs::read_to_string(folder.join("Cargo.toml")) else {
            continue;
        };
        crates += 1;
        let mut texts = Vec::new();
        texts_below(&folder, &mut texts);
        for (says, is_one) in [
            ("\ntest = false", is_unit_test as fn(&str) -> bool),
            ("\ndoctest = false", is_example),
        ] {
            if manifest.contains(says) {
                let with = texts.iter().find(|(_, text)| text.lines().any(is_one));
                assert!(
                    with.is_none(),
                    "{:?} says{says}",
                    with.map(|(path, _)| path)
                );
            }
        }
    }
    assert!(crates > 8, "hardly any crate was found");
}
