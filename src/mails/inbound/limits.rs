//! Limits on what is read of one mail.

/// Limits on one mail. A mail beyond them is refused with a sentence, or read in part with a note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the whole message; of a larger one the first text is read, if it is within the limit.
    pub bytes: usize,
    /// Parts of a multipart message, including multiparts.
    pub parts: usize,
    /// How deep multiparts may nest.
    pub depth: usize,
    /// Bytes of decoded text that are read.
    pub text_bytes: usize,
    /// Lines of the sender's own words; quoted lines do not count.
    pub lines: usize,
    /// Characters in one line; a longer one is split into several [`super::BodyLine`]s, all marked as too long.
    pub line_characters: usize,
    /// `Received` fields; more of them mean that the mail runs in circles (RFC 5321 6.3).
    pub received: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            bytes: 1 << 20,
            parts: 100,
            depth: 10,
            text_bytes: 64 << 10,
            lines: 500,
            line_characters: 1_000,
            received: 25,
        }
    }
}

/// Cuts a text to at most so many bytes, between two characters.
pub(super) fn cut(text: &mut String, bytes: usize) {
    let mut ends = (0..=bytes.min(text.len())).rev();
    let end = ends.find(|end| text.is_char_boundary(*end));
    text.truncate(end.unwrap_or(0));
}
