//! Non-interference: what a reader may not know does not reach him (`visibility.md` 11).
//!
//! `PAIRS=40000 cargo test --test noninterference` searches longer; `SEED=…` begins elsewhere; `VARIANT=strangers` looks at the
//! tables of that variant alone; `WORDS=4000` plays as names all words that the judge writes, rather than 600 of them;
//! `THREADS=1` leaves the other cores alone. `cargo test --release` is worth its build from some thousands of pairs on.

#[path = "noninterference/mod.rs"]
mod secrecy;

use std::sync::Arc;

use dipjudge::variants;
use secrecy::dice::Dice;
use secrecy::disguises::{DISGUISES, Forming, Table, WORDS, are_alike, disguise};
use secrecy::fixture::Part;
use secrecy::property::{Search, number, search, threads};
use secrecy::twins::Kind;
use secrecy::{civilizations, strangers};

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

/// Ordinary names, which anybody may take.
const ORDINARY: [&str; 4] = ["Carthage", "Hittite Empire", "O'Neill", "Kush-Meroe"];

#[test]
fn who_writes_a_name_that_he_was_never_told_is_answered_as_if_nobody_bore_it() {
    let tables = [Table::laid(0).played(), Table::laid(3)];
    assert!(
        tables[0].tells_whom_one_has_met(),
        "where somebody has met a bearer the answers differ, so the search can see"
    );
    let mut words: Vec<&str> = WORDS.iter().copied().chain(ORDINARY).collect();
    let all = words.len();
    let mut dice = Dice::new(number("SEED", 1));
    while words.len() > number("WORDS", 600).min(all as u64) as usize {
        words.swap_remove(dice.below(words.len()));
    }
    let (mut readers, mut unknown) = (0, 0);
    for (count, words) in words.chunks_exact(3).enumerate() {
        let table = &tables[count % tables.len()];
        let played = table
            .play(words, &mut dice)
            .unwrap_or_else(|failure| panic!("{failure}"));
        readers += played.readers;
        unknown += played.unknown;
    }
    println!(
        "{} words, {readers} readers, {unknown} names that are nobody's",
        words.len()
    );
    assert!(readers >= 5 * (words.len() / 3), "{readers}");
    assert!(unknown >= 10 * words.len(), "{unknown}");
}

#[test]
fn no_word_of_the_judges_is_taken_for_a_name_and_any_other_is_whoever_else_bears_it() {
    let forming = Forming::laid();
    let mut dice = Dice::new(number("SEED", 1));
    let names: Vec<String> = WORDS
        .iter()
        .filter(|word| word.len() <= 24)
        .map(|word| disguise(word, dice.below(DISGUISES - 1)))
        .collect();
    for names in names.chunks(40) {
        let answer = forming.answer(names);
        assert!(!answer.contains("Your name will be"), "{answer}");
        let refused = answer
            .matches("is a word of this map or of the judge")
            .count();
        assert_eq!(refused, names.len(), "{names:?}: {answer}");
    }
    for name in ORDINARY {
        for which in 0..DISGUISES - 1 {
            assert!(
                are_alike(name, &disguise(name, which)),
                "{name} in disguise {which}"
            );
        }
        for _ in 0..3 {
            forming
                .play(name, &mut dice)
                .unwrap_or_else(|failure| panic!("{failure}"));
        }
    }
}
