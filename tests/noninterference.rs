//! Non-interference: what a reader may not know does not reach him (`visibility.md` 11).
//!
//! `PAIRS=40000 cargo test --test noninterference` searches longer; `SEED=…` begins elsewhere.

#[path = "noninterference/mod.rs"]
mod secrecy;

use std::sync::Arc;

use secrecy::property::{Search, search};
use secrecy::twins::Kind;

fn number(name: &str, usual: u64) -> u64 {
    let given = std::env::var(name).ok();
    given.map_or(usual, |given| {
        given.parse().expect("a number is wanted there")
    })
}

#[test]
fn nobody_reads_what_he_may_not_know() {
    let pairs = number("PAIRS", 3000) as usize;
    let tally = search(&Search {
        seed: number("SEED", 1),
        pairs,
        kinds: Kind::ALL.to_vec(),
        prepare: Arc::new(|| {}),
        trials: 150,
    })
    .unwrap_or_else(|fault| panic!("{fault}"));
    println!("{tally}");
}
