//! The test of the test: every leak that is planted on purpose is found by the search as it runs by default, which is told nothing
//! of where they are. All of them are open at once. What differs is searched for the one leak that shows it alone; that one is
//! closed, and the run goes on. With all of them closed the same runs show nothing, which is the property itself
//! (`property_holds`).
//!
//! One lot alone: `LEAK=Hint,Zone,Nudge cargo test --locked --test noninterference planted_leaks -- --nocapture` opens these and
//! no others, and says at its end which of them are found and which are missed. Nearly all must be found.

use std::collections::{BTreeMap, BTreeSet};

use super::openings::Openings;
use super::property::{Search, in_threads, number, run_with, threads};
use super::property_holds::default_search;
use dipjudge::planted::Leak;

/// Runs of the search by default.
const RUNS: u64 = 32;
/// Runs that begin with the same leaks open, so that chance of threads changes nothing. Each of them finds them all, so they are few.
const ROUND: usize = 2;

/// Of so many leaks one may be missed. A rare meeting of circumstances shows some of them, and which of these come about changes with
/// each line that the judge knows, since the authors of the search write them.
const MISSED_OF: usize = 6;

/// A leak that was found, and by which run.
struct Find {
    seed: u64,
    leak: Leak,
}

#[test]
fn the_default_search_finds_planted_leaks() {
    let only = std::env::var("LEAK").ok();
    let asked = |leak: &Leak| {
        let name = format!("{leak:?}");
        only.as_ref()
            .is_none_or(|only| only.split(',').any(|one| one == name))
    };
    let mut open: BTreeSet<Leak> = Leak::ALL.iter().copied().filter(asked).collect();
    let mut found: BTreeMap<Leak, u64> = BTreeMap::new();
    let search = default_search();
    let seeds: Vec<u64> = search.seeds().take(number("RUNS", RUNS) as usize).collect();
    for round in seeds.chunks(ROUND) {
        let all = in_threads(threads(), round, |seed| {
            Ok::<_, ()>(shown_by(&search, seed, &open))
        });
        for find in all.into_iter().flatten().flatten() {
            open.remove(&find.leak);
            found.entry(find.leak).or_insert(find.seed);
        }
        if open.is_empty() {
            break;
        }
    }
    println!("found {found:?}, missed {open:?}");
    let all = open.len() + found.len();
    assert!(
        open.len() * MISSED_OF <= all,
        "of {all} not found: {open:?}"
    );
}

/// The leaks that one run shows, if these are open when it begins.
fn shown_by(search: &Search, seed: u64, open: &BTreeSet<Leak>) -> Vec<Find> {
    let mut openings = Openings::of(open);
    if let Err(failure) = run_with(search, seed, &mut openings) {
        let told: Vec<&str> = failure.told.lines().take(8).collect();
        println!("{seed} comes of no leak\n{}", told.join("\n"));
    }
    for leaks in &openings.together {
        println!("{seed} {leaks:?} together");
    }
    for (leak, told) in &openings.shown {
        let told: Vec<&str> = told.lines().take(8).collect();
        println!("{seed} {leak:?}\n{}", told.join("\n"));
    }
    let shown = openings.shown.into_keys();
    shown.map(|leak| Find { seed, leak }).collect()
}
