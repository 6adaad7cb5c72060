//! The test of the test: every leak that is planted on purpose is found by the search as it runs by default, which is told nothing
//! of where they are. All of them are open at once. What is found is then searched for the one leak that shows it alone; that one is
//! closed, and the same run is searched again for the others. With all of them closed the same runs show nothing, which is the
//! property itself (`property_holds`).

use std::collections::{BTreeMap, BTreeSet};

use super::property::{Search, in_threads, number, run, threads};
use super::property_holds::default_search;
use dipjudge::planted::Leak;

/// Runs of the search by default.
const RUNS: u64 = 48;
/// Runs that begin with the same leaks open, so that chance of threads changes nothing. Each of them finds them all, so they are few.
const ROUND: usize = 2;

/// Leaks that the default run still misses: rare meetings of circumstances show them. Each that it finds is struck out.
const MISSED: &[Leak] = &[
    Leak::Submissions,
    Leak::Addressees,
    Leak::UnitGift,
    Leak::Exchange,
    Leak::Prediction,
    Leak::Unfired,
    Leak::Accepted,
    Leak::Sequence,
    // Planted by people who had not read the search.
    Leak::NameInPress,
    Leak::Hindsight,
    Leak::Wreck,
    Leak::Unanimous,
    Leak::BidsIn,
    Leak::RetreatOptions,
    Leak::Fallen,
    Leak::RelayToken,
    Leak::AbsenceMoved,
    Leak::Whois,
    Leak::Nudge,
    Leak::Zone,
    Leak::RaisedNumber,
];

/// Searches one run, in which these are open, until it shows nothing more: the leaks that it shows.
fn shown_by(search: &Search, seed: u64, mut open: BTreeSet<Leak>) -> BTreeSet<Leak> {
    let mut shown = BTreeSet::new();
    while !open.is_empty() {
        let sought = Search {
            leaks: open.clone(),
            trials: 0,
            ..search.clone()
        };
        let Err(failure) = run(&sought, seed) else {
            break;
        };
        let told: Vec<&str> = failure.told.lines().take(8).collect();
        println!("{} {:?}\n{}", failure.seed, failure.leaks, told.join("\n"));
        if failure.leaks.is_empty() {
            // Several together show it, none of them alone.
            break;
        }
        for leak in failure.leaks {
            open.remove(&leak);
            shown.insert(leak);
        }
    }
    shown
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
            Ok::<_, ()>((seed, shown_by(&search, seed, open.clone())))
        });
        for (seed, shown) in all.into_iter().flatten() {
            for leak in shown {
                open.remove(&leak);
                found.entry(leak).or_insert(seed);
            }
        }
        if open.is_empty() {
            break;
        }
    }
    println!("found {found:?}, missed {open:?}");
    open.retain(|leak| !MISSED.contains(leak));
    assert!(open.is_empty(), "not found: {open:?}");
}
