//! The fuzz targets for a short time: the kept corpus, and what becomes of it by chance. `DIPJUDGE_FUZZ_SECONDS=60` does it longer, and
//! cargo-fuzz, which sees what code an input reaches, much better (`tests/fuzz/README.md`).

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

#[path = "../fuzz/src/lib.rs"]
mod targets;

use targets::TARGETS;

/// How long each target runs.
fn patience() -> Duration {
    let asked = std::env::var("DIPJUDGE_FUZZ_SECONDS").ok();
    Duration::from_secs(asked.and_then(|seconds| seconds.parse().ok()).unwrap_or(2))
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz")
}

/// The files of a folder, in order.
fn files(folder: &Path) -> Vec<Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

/// Chance that is the same at each run (xorshift).
struct Chance(u64);

impl Chance {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 11).unwrap() % most.max(1)
    }

    /// Some changes of an input: bytes, words, lines, parts of another one.
    fn changed(&mut self, corpus: &[Vec<u8>], words: &[String]) -> Vec<u8> {
        let mut input = corpus[self.below(corpus.len())].clone();
        for _ in 0..=self.below(6) {
            let at = self.below(input.len() + 1);
            match self.below(7) {
                0 if at < input.len() => input[at] = u8::try_from(self.below(256)).unwrap(),
                1 if at < input.len() => input[at] ^= 1 << self.below(8),
                2 => {
                    let end = (at + 1 + self.below(20)).min(input.len());
                    input.drain(at..end);
                }
                3 => {
                    let word = format!(" {}", words[self.below(words.len())]);
                    input.splice(at..at, word.into_bytes());
                }
                4 => {
                    let end = (at + self.below(60)).min(input.len());
                    let part = input[at..end].to_vec();
                    let times = 1 + self.below(4);
                    input.splice(at..at, part.repeat(times));
                }
                5 => {
                    let other = &corpus[self.below(corpus.len())];
                    let from = self.below(other.len() + 1);
                    let part = other[from..].to_vec();
                    input.splice(at.., part);
                }
                _ => input.insert(at, b'\n'),
            }
        }
        input.truncate(20_000);
        input
    }
}

/// The words of the dictionary.
fn words() -> Vec<String> {
    let text = fs::read_to_string(folder().join("words.dict")).unwrap();
    text.lines()
        .map(|line| line.trim_matches('"').to_owned())
        .collect()
}

#[test]
fn the_games_of_the_targets_know_their_players() {
    assert!(targets::knows_its_players());
}

#[test]
fn nothing_that_is_written_by_chance_makes_the_program_panic() {
    let words = words();
    std::thread::scope(|scope| {
        for target in &TARGETS {
            let words = &words;
            scope.spawn(move || {
                let corpus = files(&folder().join("corpus").join(target.name));
                let mut chance = Chance(0x9e37_79b9_7f4a_7c15);
                let begun = Instant::now();
                let mut count = 0;
                loop {
                    let input = match corpus.get(count) {
                        Some(kept) => kept.clone(),
                        None if begun.elapsed() > patience() => break,
                        None => chance.changed(&corpus, words),
                    };
                    let outcome = catch_unwind(AssertUnwindSafe(|| (target.run)(&input)));
                    assert!(
                        outcome.is_ok(),
                        "{} fails with the input b\"{}\"",
                        target.name,
                        input.escape_ascii()
                    );
                    count += 1;
                }
                println!("{}: {count} inputs", target.name);
            });
        }
    });
}

#[test]
fn each_target_has_a_program_and_a_corpus() {
    let manifest = fs::read_to_string(folder().join("Cargo.toml")).unwrap();
    let programs = fs::read_dir(folder().join("targets")).unwrap().count();
    assert_eq!(programs, TARGETS.len());
    for target in &TARGETS {
        assert!(manifest.contains(&format!("path = \"targets/{}.rs\"", target.name)));
        assert!(!files(&folder().join("corpus").join(target.name)).is_empty());
    }
}
