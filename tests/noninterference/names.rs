//! Names that are words of the judge or stand for nobody, in disguise.

use super::dice::Dice;
use super::disguises::{DISGUISES, Forming, Table, WORDS, are_alike, disguise};
use super::property::number;

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
