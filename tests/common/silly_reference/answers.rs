//! When an answer is right (5.2).

use serde_json::Value;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// `normalise(t)`.
fn normalised(text: &str) -> String {
    let plain = text.nfkd().filter(|c| !is_combining_mark(*c));
    let lower: String = plain.flat_map(char::to_lowercase).collect();
    let mut blanked = String::new();
    for c in lower.replace('&', " and ").chars() {
        match c {
            '\'' | '’' | '.' => {}
            c if c.is_alphanumeric() => blanked.push(c),
            _ => blanked.push(' '),
        }
    }
    let mut words: Vec<&str> = blanked.split_whitespace().collect();
    if words.len() > 1 && ["the", "a", "an"].contains(&words[0]) {
        words.remove(0);
    }
    words.join(" ")
}

/// `slack(w)`.
fn slack(text: &str, exact: bool) -> usize {
    let digit = text.chars().any(|c| c.is_ascii_digit());
    if exact || digit {
        0
    } else {
        text.chars().count() / 6
    }
}

/// The least number of insertions, deletions, substitutions and swaps of neighbours, no place touched twice.
fn distance(one: &str, other: &str) -> usize {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let mut table = vec![vec![0; other.len() + 1]; one.len() + 1];
    for i in 0..=one.len() {
        for j in 0..=other.len() {
            table[i][j] = match (i, j) {
                (0, far) | (far, 0) => far,
                _ => {
                    let same = usize::from(one[i - 1] != other[j - 1]);
                    let least = (table[i - 1][j] + 1).min(table[i][j - 1] + 1);
                    let mut least = least.min(table[i - 1][j - 1] + same);
                    if i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1] {
                        least = least.min(table[i - 2][j - 2] + 1);
                    }
                    least
                }
            };
        }
    }
    table[one.len()][other.len()]
}

/// The numbers in a text, with or without commas between thousands; a stroke right before a number, and not between two, is
/// its sign.
fn numbers(text: &str) -> Vec<f64> {
    let inside = |c: char| c.is_ascii_digit() || c == ',' || c == '.';
    let digit = |c: char| c.is_ascii_digit();
    let (mut numbers, mut rest) = (Vec::new(), text);
    while let Some(start) = rest.find(digit) {
        let before = &rest[..start];
        let between = before == "-" && !numbers.is_empty();
        let negative = before.ends_with('-') && !between;
        let run = &rest[start..];
        let end = run.find(|c| !inside(c)).unwrap_or(run.len());
        let number: Option<f64> = run[..end]
            .replace(',', "")
            .trim_end_matches('.')
            .parse()
            .ok();
        numbers.extend(number.map(|number| if negative { -number } else { number }));
        rest = &run[end..];
    }
    numbers
}

/// Whether an answer is one that is accepted.
pub(super) fn fits(accepted: &Value, answer: &str, exact: bool) -> bool {
    if let Some(text) = accepted["Text"].as_str() {
        let text = normalised(text);
        return distance(&text, &normalised(answer)) <= slack(&text, exact);
    }
    if let Some(words) = accepted["Words"].as_array() {
        let answer = normalised(answer);
        return words.iter().all(|word| {
            let word = normalised(word.as_str().unwrap());
            let mut found = answer.split_whitespace();
            found.any(|found| distance(&word, found) <= slack(&word, exact))
        });
    }
    let (low, high) = (
        accepted["Number"][0].as_f64(),
        accepted["Number"][1].as_f64(),
    );
    match numbers(answer).as_slice() {
        [number] => low.unwrap() <= *number && *number <= high.unwrap(),
        _ => false,
    }
}

#[test]
fn answers_are_held_against_what_is_accepted() {
    let text = serde_json::json!({"Text": "Allan Calhamer"});
    for (answer, right) in [
        ("alan  CALHAMER!", true),
        ("the Allan Calhamer", true),
        ("Callahan", false),
    ] {
        assert_eq!(fits(&text, answer, false), right, "{answer}");
    }
    assert_eq!(distance("calhamer", "calhmaer"), 1);
    assert_eq!(numbers("about 8,800 m"), [8800.0]);
    assert_eq!(numbers("-8848, or 8700-8850."), [-8848.0, 8700.0, 8850.0]);
}
