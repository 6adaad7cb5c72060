//! Words that are nearly another word.

/// The fewest letters of a word that is compared with others: shorter ones are like too many.
const SHORTEST_COMPARED: usize = 3;

/// Whether a word is nearly another: one letter wrong, missing, too many or two exchanged; two of them in a long word.
pub fn are_alike(word: &str, other: &str) -> bool {
    let (word, other) = (word.to_lowercase(), other.to_lowercase());
    let length = word.chars().count();
    if length < SHORTEST_COMPARED || word == other {
        return false;
    }
    let most = if length < 7 { 1 } else { 2 };
    strsim::osa_distance(&word, &other) <= most
}

/// The text with another word where this one stands; `None` if it does not stand there.
pub(super) fn replaced(text: &str, at: usize, word: &str, better: &str) -> Option<String> {
    let word = word.trim_end();
    let behind = text.get(at..)?;
    let skipped = behind.len() - behind.trim_start().len();
    let rest = behind.trim_start().strip_prefix(word)?;
    if word.is_empty() {
        return None;
    }
    let before = text.get(..at + skipped)?;
    Some(format!("{before}{better}{rest}"))
}
