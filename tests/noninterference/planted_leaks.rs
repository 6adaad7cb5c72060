//! The test of the test: every leak that is planted on purpose is found by the search as it runs by default, which is told nothing
//! of where they are. All of them are open at once. What differs is searched for the one leak that shows it alone; that one is
//! closed, and the run goes on. What differs with all of them closed breaks the property itself (`property_holds`): these runs hold
//! it as well.
//!
//! One lot alone: `LEAK=Hint,Zone,Nudge cargo test --locked --test noninterference planted_leaks -- --nocapture` opens these and
//! no others, and says at its end which of them are found and which are missed. All must be found.

use std::collections::{BTreeMap, BTreeSet};

use super::openings::Openings;
use super::property::{Failure, Search, Tally, in_threads, number, run, run_with, threads};
use super::property_holds::default_search;
use dipjudge::planted::Leak;

/// Runs of the search by default.
pub const RUNS: u64 = 32;
/// Runs that begin with the same leaks open, so that chance of threads changes nothing. Each of them finds them all, so they are few.
const ROUND: usize = 2;

/// What a run counted, and the leaks that it showed.
struct Ran {
    tally: Tally,
    seed: u64,
    shown: Vec<Leak>,
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
    let runs = number("RUNS", RUNS);
    let seeds: Vec<u64> = search.seeds().take(runs as usize).collect();
    let mut tally = Tally::default();
    for round in seeds.chunks(ROUND) {
        let all = in_threads(threads(), round, |seed| run_and_show(&search, seed, &open));
        for ran in all {
            let ran = ran.unwrap_or_else(|failure| panic!("{}", failure.told));
            tally.add(&ran.tally);
            for leak in ran.shown {
                open.remove(&leak);
                found.entry(leak).or_insert(ran.seed);
            }
        }
        if only.is_some() && open.is_empty() {
            break;
        }
    }
    println!("{tally}");
    println!("found {found:?}, missed {open:?}");
    // Whatever a rare meeting of circumstances alone would show has a scene of its own.
    assert!(open.is_empty(), "not found: {open:?}");
}

/// One run, and the leaks that it shows, if these are open when it begins.
///
/// # Errors
/// What breaks the property with all leaks closed.
fn run_and_show(search: &Search, seed: u64, open: &BTreeSet<Leak>) -> Result<Ran, Failure> {
    let mut openings = Openings::of(open);
    let ran = run_with(search, seed, &mut openings);
    for leaks in &openings.together {
        println!("{seed} {leaks:?} together");
    }
    for (leak, told) in &openings.shown {
        let told: Vec<&str> = told.lines().take(8).collect();
        println!("{seed} {leak:?}\n{}", told.join("\n"));
    }
    let tally = match ran {
        Ok(tally) => tally,
        Err(failure) => {
            // What was played with leaks open may keep something of them. Without any, nothing may differ.
            let told: Vec<&str> = failure.told.lines().take(8).collect();
            println!("{seed} comes of no leak\n{}", told.join("\n"));
            run(search, seed)?
        }
    };
    Ok(Ran {
        tally,
        seed,
        shown: openings.shown.into_keys().collect(),
    })
}
