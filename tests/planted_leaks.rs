//! The test of the test: with a leak planted on purpose the search for what breaks the property finds it.
//!
//! `cargo test --features planted-leaks --test planted_leaks`; `LEAK=History` plants that one alone.

#[path = "noninterference/mod.rs"]
mod secrecy;

use std::sync::Arc;

use dipjudge::planted::{Leak, plant};
use secrecy::fixture::Options;
use secrecy::property::{Search, search};
use secrecy::twins::Kind;

/// Pairs in which each leak must have shown itself.
const PAIRS: usize = 2000;

/// The twins in which what a leak tells can differ: a search among all would take long for the rare ones.
fn changing(leak: Option<Leak>) -> Vec<Kind> {
    match leak {
        Some(Leak::Refusal | Leak::Sequence) => vec![Kind::Secrets],
        Some(Leak::Slips) => vec![Kind::Orders, Kind::Secrets],
        _ => Kind::ALL.to_vec(),
    }
}

/// The tables at which there is anything for it to tell.
fn open_to(leak: Option<Leak>) -> fn(&str, Options) -> bool {
    match leak {
        Some(Leak::Slips) => |variant, _| variant == "bridge",
        _ => |_, _| true,
    }
}

/// Searches where one leak can be seen, with one, the same or none, planted.
fn with(leak: Option<Leak>, sought: Option<Leak>, pairs: usize) -> Result<String, String> {
    search(&Search {
        seed: 1,
        pairs,
        kinds: changing(sought),
        tables: open_to(sought),
        prepare: Arc::new(move || plant(leak)),
        trials: 0,
    })
    .map(|tally| tally.to_string())
}

#[test]
fn every_planted_leak_is_found() {
    let mut missed = Vec::new();
    let only = std::env::var("LEAK").ok();
    let asked = |leak: &Leak| {
        only.as_ref()
            .is_none_or(|name| format!("{leak:?}") == *name)
    };
    for leak in Leak::ALL.into_iter().filter(asked) {
        match with(Some(leak), Some(leak), PAIRS) {
            Ok(tally) => missed.push(format!("{leak:?} was not found in {tally}")),
            Err(told) => {
                let told: Vec<&str> = told.lines().take(12).collect();
                println!("{leak:?}: {}", told.join("\n"));
            }
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[test]
fn without_one_nothing_is_found() {
    for sought in [None, Some(Leak::Refusal), Some(Leak::Slips)] {
        with(None, sought, 700).unwrap_or_else(|fault| panic!("{fault}"));
    }
}
