//! The search for what breaks the property.

use std::sync::Arc;

use dipjudge::variants;

use super::fixture::Part;
use super::property::{Search, number, search, threads};
use super::twins::Kind;
use super::{civilizations, strangers};

/// From so many pairs on every kind must have been met often.
const ENOUGH: usize = 3000;

#[test]
fn nobody_reads_what_he_may_not_know() {
    let pairs = number("PAIRS", 6_800) as usize;
    let tally = search(&Search {
        seed: number("SEED", 1),
        pairs,
        kinds: Kind::ALL.to_vec(),
        tables: |variant, _| std::env::var("VARIANT").map_or(true, |only| only == variant),
        prepare: Arc::new(|_| {}),
        trials: 150,
        threads: threads(),
    })
    .unwrap_or_else(|failure| panic!("{}", failure.told));
    println!("{tally}");
    // A search in which hardly anything stays alike, or some kind of twin or reader is never met, would prove nothing.
    if pairs >= ENOUGH && std::env::var("VARIANT").is_err() {
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
        let parts = [
            Part::Master,
            Part::Player,
            Part::Observer,
            Part::Stranger,
            Part::Candidate,
        ];
        assert!(
            parts.iter().all(|part| tally.parts.contains_key(part)),
            "{tally}"
        );
        let all = variants::ALL.iter().map(|variant| variant.card().name);
        let all = all.chain([strangers::NAME, civilizations::NAME]);
        for variant in all {
            assert!(tally.variants.contains_key(variant), "{variant}\n{tally}");
        }
        assert!(tally.sensitive > 10 && tally.exports > 100, "{tally}");
    }
}
