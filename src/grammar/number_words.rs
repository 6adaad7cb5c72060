//! Whole numbers as words.

/// The words, from one on.
const WORDS: [&str; 20] = [
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
];

/// The number from one to twenty that a word in small letters is: `seven`.
pub fn number_in_words(word: &str) -> Option<u8> {
    (1..)
        .zip(WORDS)
        .find_map(|(number, name)| (name == word).then_some(number))
}
