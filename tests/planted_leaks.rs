//! The test of the test: with a leak planted on purpose the search for what breaks the property finds it, for its own sake:
//! what was found shows the leak, and with the leak closed the same runs show nothing.
//!
//! `cargo test --features planted-leaks --test planted_leaks`; `LEAK=History` plants that one alone. `PAIRS`, `SEED` and
//! `THREADS` as in `noninterference`.

#[path = "noninterference/mod.rs"]
mod secrecy;

use std::sync::Arc;

use dipjudge::planted::{Leak, plant};
use secrecy::fixture::Options;
use secrecy::property::{Failure, Search, Tally, number, search, threads};
use secrecy::twins::Kind;

/// Pairs in which each leak must have shown itself.
const PAIRS: u64 = 2000;

/// The twins in which what a leak tells can differ: a search among all would take long for the rare ones.
fn changing(leak: Leak) -> Vec<Kind> {
    match leak {
        Leak::Refusal | Leak::Sequence => vec![Kind::Secrets],
        Leak::Slips => vec![Kind::Orders, Kind::Secrets],
        _ => Kind::ALL.to_vec(),
    }
}

/// The tables at which there is anything for it to tell.
fn open_to(leak: Leak) -> fn(&str, Options) -> bool {
    match leak {
        Leak::Slips => |variant, _| variant == "bridge",
        _ => |_, _| true,
    }
}

/// Words of which one stands in whatever shows this leak.
fn evidence(leak: Leak) -> &'static [&'static str] {
    match leak {
        Leak::Report => &[" Results"],
        Leak::Reply => &["In-Reply-To"],
        Leak::Refusal => &["  - ("],
        Leak::Counter => &["Message-ID"],
        Leak::Clock => &["Date:"],
        Leak::History => &["  - "],
        Leak::Export => &["in the export"],
        Leak::Sequence => &["readers ["],
        Leak::Slips => &["  - ("],
        Leak::ReturnPath => &["Return-Path:"],
        Leak::Early => &["sent at"],
        Leak::ReplyAddress => &["what belongs to another reader"],
        Leak::Absence => &["Absence"],
        Leak::Condition => &["IF "],
        Leak::Void => &["void"],
        Leak::Dedication => &["ded"],
    }
}

fn with(leak: Option<Leak>, sought: Leak, seed: u64, pairs: usize) -> Result<Tally, Failure> {
    search(&Search {
        seed,
        pairs,
        kinds: changing(sought),
        tables: open_to(sought),
        prepare: Arc::new(move || plant(leak)),
        trials: 0,
        threads: threads(),
    })
}

/// What of this leak is not as it must be.
fn missed(leak: Leak) -> Option<String> {
    let pairs = number("PAIRS", PAIRS) as usize;
    let found = match with(Some(leak), leak, number("SEED", 1), pairs) {
        Ok(tally) => return Some(format!("{leak:?} was not found in {tally}")),
        Err(found) => found,
    };
    let told: Vec<&str> = found.told.lines().take(12).collect();
    println!("{leak:?}: {}", told.join("\n"));
    if !evidence(leak).iter().any(|word| found.told.contains(word)) {
        return Some(format!(
            "{leak:?}: something else was found\n{}",
            found.told
        ));
    }
    // A few pairs more than one run has are one round.
    let closed = with(None, leak, found.seed, 1);
    closed.err().map(|other| {
        let told = other.told;
        format!("{leak:?}: this is found without it as well\n{told}")
    })
}

#[test]
fn every_planted_leak_is_found_for_its_own_sake() {
    let only = std::env::var("LEAK").ok();
    let asked = |leak: &Leak| {
        only.as_ref()
            .is_none_or(|name| format!("{leak:?}") == *name)
    };
    let missed: Vec<String> = Leak::ALL
        .into_iter()
        .filter(asked)
        .filter_map(missed)
        .collect();
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[test]
fn without_one_nothing_is_found() {
    for sought in [Leak::Report, Leak::Refusal, Leak::Slips] {
        with(None, sought, 1, 700).unwrap_or_else(|failure| panic!("{}", failure.told));
    }
}
