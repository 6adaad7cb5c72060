//! The threat model (`deploy/THREATS.md`): each line names tests that show what it says, and they exist.

use std::fs;
use std::path::{Path, PathBuf};

use super::sources::files_below;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The tests that the last column of a line names.
fn named(line: &str) -> Vec<&str> {
    let column = line.trim_end_matches(['|', ' ']).rsplit('|').next();
    let quoted = column.unwrap_or_default().split('`').skip(1).step_by(2);
    quoted.collect()
}

#[test]
fn each_line_names_tests_that_exist() {
    let mut files: Vec<PathBuf> = Vec::new();
    for folder in ["src", "tests"] {
        files_below(&Path::new(ROOT).join(folder), &mut files);
    }
    let code: Vec<String> = files
        .iter()
        .filter(|path| path.extension().is_some_and(|end| end == "rs"))
        .map(|path| fs::read_to_string(path).unwrap())
        .collect();
    let page = fs::read_to_string(Path::new(ROOT).join("deploy/THREATS.md")).unwrap();
    let lines = page.lines().filter(|line| {
        line.starts_with("| ") && !line.starts_with("| wants") && !line.starts_with("| ---")
    });
    let mut count = 0;
    for line in lines {
        let tests = named(line);
        assert!(!tests.is_empty(), "no test: {line}");
        for test in tests {
            let exists = if test.ends_with(".txt") {
                files.iter().any(|file| file.ends_with(test))
            } else {
                let function = format!("fn {test}()");
                code.iter().any(|text| text.contains(&function))
            };
            assert!(exists, "{test} is no test");
            count += 1;
        }
    }
    assert!(count > 30);
}
