//! What servers say, as the keeper and the log may read it.

/// The most characters of it.
const MOST: usize = 200;

/// A server's words on one line.
pub(crate) fn readable(words: &str) -> String {
    words
        .chars()
        .filter(|sign| !sign.is_control())
        .take(MOST)
        .collect()
}
