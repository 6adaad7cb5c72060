//! The search for what breaks the property.

use std::collections::BTreeSet;

use super::asking::Asked;
use super::fixture::{Options, Part};
use super::planted_leaks;
use super::property::{Search, Tally, all_variants, failures, number, search, threads};
use super::tongue::{Tongue, name_of};
use super::twins::Kind;

/// The classes of people that every search must have met.
const PARTS: [Part; 5] = [
    Part::Master,
    Part::Player,
    Part::Observer,
    Part::Stranger,
    Part::Candidate,
];
/// Pairs that are searched beside the runs that planted leaks are searched in.
const PAIRS: u64 = 200;
/// From so many pairs on every kind must have been met often.
const ENOUGH: usize = 3_000;

/// What is searched by default.
pub fn default_search() -> Search {
    Search {
        seed: std::env::var("SEED").is_ok().then(|| number("SEED", 1)),
        skipped: 0,
        pairs: number("PAIRS", PAIRS) as usize,
        kinds: Kind::ALL.to_vec(),
        tried: Kind::ALL.into_iter().filter(is_wanted_kind).collect(),
        tables: is_wanted,
        trials: number("TRIALS", 150) as usize,
        threads: threads(),
    }
}

/// Whether a kind of twins is one of those that somebody wishes to look at alone.
fn is_wanted_kind(kind: &Kind) -> bool {
    let only = std::env::var("KINDS").unwrap_or_default();
    only.split(',').any(|one| one == format!("{kind:?}"))
}

/// Whether a table is one of those that somebody wishes to look at, who mends the search.
fn is_wanted(variant: &str, options: Options) -> bool {
    let hides = match (options.gunboat, options.blind) {
        (false, false) => "nothing",
        (true, false) => "leaders",
        (false, true) => "board",
        (true, true) => "both",
    };
    let flavor = options.flavor.to_string();
    let wanted = [("VARIANT", variant), ("HIDES", hides), ("FLAVOR", &flavor)];
    wanted.into_iter().all(|(name, value)| {
        let only = std::env::var(name);
        only.map_or(true, |only| only.split(',').any(|one| one == value))
    })
}

/// A search that nobody asked for in the environment begins behind the runs of `planted_leaks`, which hold the property as well.
#[test]
fn nobody_reads_what_he_may_not_know() {
    let mut sought = default_search();
    if ["SEED", "PAIRS", "RUNS"]
        .iter()
        .all(|name| std::env::var(name).is_err())
    {
        sought.skipped = planted_leaks::RUNS as usize;
    }
    let runs = number("RUNS", 0);
    if runs > 0 {
        let found = failures(&sought, runs);
        assert!(found.is_empty(), "{}", found.join("\n=====\n"));
        return;
    }
    let tally = search(&sought).unwrap_or_else(|failure| panic!("{}", failure.told));
    println!("{tally}");
    if sought.pairs >= ENOUGH {
        is_thorough(&tally);
    }
}

/// A search in which hardly anything stays alike, or some kind of twin or reader is never met, would prove nothing. The default
/// searches are too short to meet everything: open leaks cut pairs short, and some kinds of twins are rare.
fn is_thorough(tally: &Tally) {
    if std::env::var("VARIANT").is_ok() {
        return;
    }
    for kind in Kind::ALL {
        let (all, short, long) = tally.kinds.get(&kind).copied().unwrap_or_default();
        assert!(
            long >= 20,
            "{kind:?}: {long} pairs are alike for three phases\n{tally}"
        );
        assert!(
            short * 10 <= all * 7,
            "{kind:?}: {short} of {all} pairs part in the first phase\n{tally}"
        );
    }
    assert!(
        PARTS.iter().all(|part| tally.parts.contains_key(part)),
        "{tally}"
    );
    for variant in all_variants().map(|variant| variant.card().name) {
        assert!(tally.variants.contains_key(variant), "{variant}\n{tally}");
    }
    assert!(tally.sensitive > 10 && tally.exports > 100, "{tally}");
    everything_was_asked(tally);
}

/// What must have been asked so often while twins differed in something that whoever asked may not know.
const ASKED: usize = 1;

/// Each row of the tables, of each variant that adds some, by each class of people, and each export, in each kind of twin.
fn everything_was_asked(tally: &Tally) {
    let mut all = Asked::default();
    for kind in Kind::ALL {
        let asked = tally.asked.get(&kind).cloned().unwrap_or_default();
        let hours: usize = asked.parts.values().sum();
        assert!(
            hours >= ASKED,
            "nothing was asked while {kind:?} differed\n{tally}"
        );
        all.add(&asked);
    }
    let rows = all_variants().flat_map(|variant| {
        let tongue = Tongue::of(variant);
        tongue.rows().iter().map(name_of).collect::<Vec<_>>()
    });
    let never: BTreeSet<String> = rows
        .filter(|row| all.rows.get(row).copied().unwrap_or_default() < ASKED)
        .collect();
    assert!(never.is_empty(), "never asked: {never:?}");
    for part in PARTS {
        let count = all.parts.get(&part).copied().unwrap_or_default();
        assert!(count >= ASKED, "{part:?} asked nothing");
    }
    for export in ["saved game", "map", "past map", "page", "site"] {
        let count = all.exports.get(export).copied().unwrap_or_default();
        assert!(count >= ASKED, "no {export} was read");
    }
    for variant in all_variants().map(|variant| variant.card().name) {
        let count = all.variants.get(variant).copied().unwrap_or_default();
        assert!(count >= ASKED, "nothing was asked in {variant}");
    }
}
