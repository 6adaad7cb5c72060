//! The test of the test: with a leak planted on purpose the search for what breaks the property finds it.
//!
//! `cargo test --features planted-leaks --test planted_leaks`

#[path = "noninterference/mod.rs"]
mod secrecy;

use std::sync::Arc;

use dipjudge::planted::{Leak, plant};
use secrecy::property::{Search, search};
use secrecy::twins::Kind;

/// Pairs in which each leak must have shown itself.
const PAIRS: usize = 2000;

fn with(leak: Option<Leak>, pairs: usize) -> Result<String, String> {
    search(&Search {
        seed: 1,
        pairs,
        kinds: Kind::ALL.to_vec(),
        prepare: Arc::new(move || plant(leak)),
        trials: 0,
    })
    .map(|tally| tally.to_string())
}

#[test]
fn every_planted_leak_is_found() {
    for leak in Leak::ALL {
        let found = with(Some(leak), PAIRS);
        let told = found.expect_err(&format!("{leak:?} was not found"));
        println!(
            "{leak:?}: {}",
            told.lines().take(12).collect::<Vec<_>>().join("\n")
        );
    }
}

#[test]
fn without_one_nothing_is_found() {
    with(None, 300).unwrap_or_else(|fault| panic!("{fault}"));
}
