//! The lines of a mail as the rest of the judge uses them.
//!
//! Orders are never read from a quotation or a signature, but press may include quotations (its option `QUOTE`). So no
//! line is removed here: each has its [`LinePart`], the words as sent for press ([`BodyLine::original`]) and the words
//! cleaned for the grammar ([`BodyLine::text`]). Commands and orders are read from the `text` of [`LinePart::Own`] lines;
//! press takes their `original`, with `QUOTE` also that of the [`LinePart::Quote`] lines between them.
//! [`LinePart::Signature`] lines are not used: a line `--` ends the reading.

use super::attribution::shared_line;
use super::clean::{clean_line, clean_original};
use super::limits::{Limits, cut};
use super::quote::{self, LinePart};
use super::raw_line::RawLine;

/// One line of the text of a mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BodyLine {
    /// Counted from 1, including empty lines. The pieces of an overlong line have the same number.
    pub number: usize,
    /// Cleaned for commands and orders; never longer than [`Limits::line_characters`].
    pub text: String,
    /// As sent, for press: with `>`, without control characters and marks of writing direction.
    pub original: String,
    /// Who wrote it.
    pub part: LinePart,
    /// Why this line must not be read as an order; press may still contain it.
    pub fault: Option<LineFault>,
}

/// Why a line cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineFault {
    /// It contains U+FFFD: characters were lost on the way.
    Unreadable,
    /// It has more than [`Limits::line_characters`] characters; this is one piece of it.
    TooLong,
}

impl BodyLine {
    /// Whether the line is empty or has blanks only.
    pub fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }
}

/// How much there is of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextExtent {
    Whole,
    /// Its end is missing.
    Cut,
}

/// The lines of a text, cut if some of the sender's own were left out.
pub(super) struct Body {
    pub(super) lines: Vec<BodyLine>,
    pub(super) extent: TextExtent,
    /// The whole text is a ciphertext (RFC 4880).
    pub(super) encrypted: bool,
}

/// Makes body lines of raw ones, within the limits.
pub(super) fn body(mut raw: Vec<RawLine>, extent: TextExtent, limits: &Limits) -> Body {
    let bounded = keep_within(&mut raw, limits.text_bytes);
    unarmor(&mut raw);
    let split = split_shared_line(&mut raw);
    let cleaned: Vec<String> = raw.iter().map(|line| clean_line(&line.text)).collect();
    let encrypted = cleaned
        .iter()
        .find(|line| !line.trim().is_empty())
        .is_some_and(|line| line.trim() == "-----BEGIN PGP MESSAGE-----");
    let parts = quote::parts(&raw, &cleaned);
    let mut lines: Vec<BodyLine> = Vec::new();
    let mut own = 0;
    // If the text is cut within a quotation, nothing of the sender's own is missing.
    let is_cut = [extent, bounded].contains(&TextExtent::Cut);
    let mut extent = if is_cut && parts.last() == Some(&LinePart::Own) {
        TextExtent::Cut
    } else {
        TextExtent::Whole
    };
    for ((index, line), (text, part)) in raw.iter().enumerate().zip(cleaned.into_iter().zip(parts))
    {
        let pieces = pieces(line, text, limits.line_characters);
        if part == LinePart::Own {
            own += pieces.len();
            if own > limits.lines {
                extent = TextExtent::Cut;
                continue;
            }
        }
        lines.extend(pieces.into_iter().map(|piece| BodyLine {
            // The second half of a line has its number.
            number: index + usize::from(split.is_none_or(|split| index < split)),
            text: piece.text,
            original: piece.original,
            part,
            fault: piece.fault,
        }));
    }
    let filled = lines
        .iter()
        .rposition(|line| !line.original.trim().is_empty())
        .map_or(0, |last| last + 1);
    lines.truncate(filled);
    Body {
        lines,
        extent,
        encrypted,
    }
}

/// Splits the line that ends the sender's words and begins a quotation below; says which line its second half is now.
fn split_shared_line(raw: &mut Vec<RawLine>) -> Option<usize> {
    let shared = |line: &RawLine| shared_line(&line.text).filter(|_| line.depth == 0);
    let (index, at) = raw
        .iter()
        .enumerate()
        .find_map(|(index, line)| shared(line).map(|at| (index, at)))?;
    let line = raw.get_mut(index)?;
    let sentence = line.text.split_off(at);
    let words = line.text.trim_end_matches(['-', ' ']).len();
    line.text.truncate(words);
    raw.insert(index + 1, RawLine::new(0, sentence));
    Some(index + 1)
}

/// Drops what lies beyond this many bytes.
fn keep_within(raw: &mut Vec<RawLine>, bytes: usize) -> TextExtent {
    let mut used = 0_usize;
    for index in 0..raw.len() {
        let Some(line) = raw.get_mut(index) else {
            break;
        };
        let room = bytes.saturating_sub(used);
        used = used.saturating_add(line.text.len() + 1);
        if line.text.len() > room {
            cut(&mut line.text, room);
            // The line goes, since half of it may say something else; of a text of one line a piece stays, marked as too long.
            raw.truncate(index.max(1));
            return TextExtent::Cut;
        }
    }
    TextExtent::Whole
}

/// Opens a clear-signed text (RFC 4880 7): clears the lines of its frame and keeps its words.
fn unarmor(raw: &mut [RawLine]) {
    let Some(begin) = raw.iter().position(|line| !line.text.trim().is_empty()) else {
        return;
    };
    let (mut in_frame, mut after) = (true, false);
    for (index, line) in raw.iter_mut().enumerate().skip(begin) {
        let text = line.text.trim_end();
        if index == begin && (text != "-----BEGIN PGP SIGNED MESSAGE-----" || line.depth > 0) {
            return;
        }
        after |= text == "-----BEGIN PGP SIGNATURE-----";
        if in_frame || after {
            in_frame &= !text.is_empty();
            line.text.clear();
        } else if let Some(escaped) = line.text.strip_prefix("- ") {
            line.text = escaped.to_owned();
        }
    }
}

/// A line, or a part of an overlong one.
struct Piece {
    text: String,
    original: String,
    fault: Option<LineFault>,
}

/// A line as it is, or an overlong one in pieces, broken at blanks where there are any.
fn pieces(line: &RawLine, text: String, most: usize) -> Vec<Piece> {
    let most = most.max(1);
    let original = clean_original(&line.quoted_text());
    if original.chars().count() <= most && text.chars().count() <= most {
        let fault = original
            .contains('\u{fffd}')
            .then_some(LineFault::Unreadable);
        return vec![Piece {
            text,
            original,
            fault,
        }];
    }
    let mut pieces = Vec::new();
    let mut rest = original.as_str();
    while !rest.is_empty() {
        let end = rest
            .char_indices()
            .nth(most)
            .map_or(rest.len(), |(at, _)| at);
        let (room, _) = rest.split_at_checked(end).unwrap_or((rest, ""));
        let end = match room.rfind(' ') {
            Some(blank) if blank > 0 && end < rest.len() => blank,
            _ => end,
        };
        let (piece, tail) = rest.split_at_checked(end).unwrap_or((rest, ""));
        pieces.push(Piece {
            text: clean_line(piece).chars().take(most).collect(),
            original: piece.to_owned(),
            fault: Some(LineFault::TooLong),
        });
        rest = tail.trim_start_matches(' ');
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inbound::raw_line::fixed;

    fn read(text: &str) -> Body {
        body(fixed(text), TextExtent::Whole, &Limits::default())
    }

    #[test]
    fn lines_are_numbered_as_the_sender_saw_them() {
        let body = read("one\n\n  two\u{a0}– three\n\n\n");
        let lines: Vec<(usize, &str, &str)> = body
            .lines
            .iter()
            .map(|line| (line.number, line.text.as_str(), line.original.as_str()))
            .collect();
        assert_eq!(
            lines,
            [
                (1, "one", "one"),
                (2, "", ""),
                (3, "  two - three", "  two\u{a0}– three")
            ]
        );
        assert_eq!(body.extent, TextExtent::Whole);
    }

    #[test]
    fn overlong_lines_go_on_in_marked_pieces() {
        let words = "word ".repeat(500);
        let body = read(&format!("{words}\nA Par H"));
        let pieces: Vec<&BodyLine> = body.lines.iter().filter(|line| line.number == 1).collect();
        assert_eq!(pieces.len(), 3);
        assert!(
            pieces
                .iter()
                .all(|piece| piece.fault == Some(LineFault::TooLong))
        );
        let joined: Vec<&str> = pieces.iter().map(|piece| piece.original.as_str()).collect();
        assert_eq!(joined.join(" "), words.trim_end());
        assert_eq!(body.lines.last().unwrap().fault, None);
        assert_eq!(read(&"x".repeat(2_500)).lines.len(), 3);
        // One sign that folds into eighteen.
        assert!(
            read(&"\u{fdfa}".repeat(200))
                .lines
                .iter()
                .all(|line| line.text.chars().count() <= 1_000)
        );
    }

    #[test]
    fn lost_signs_are_told() {
        let body = read("A Par H\nA M\u{fffd}n H");
        assert_eq!(body.lines[0].fault, None);
        assert_eq!(body.lines[1].fault, Some(LineFault::Unreadable));
    }

    #[test]
    fn only_own_lines_count_against_the_limit() {
        let quoted = "> quoted\n".repeat(600);
        let body = read(&format!("{quoted}A Par H\n"));
        assert_eq!(body.lines.last().unwrap().text, "A Par H");
        assert_eq!(body.extent, TextExtent::Whole);
        let body = read(&"A Par H\n".repeat(600));
        assert_eq!(body.lines.len(), 500);
        assert_eq!(body.extent, TextExtent::Cut);
    }

    #[test]
    fn text_is_bounded_without_breaking_a_sign() {
        let body = read(&format!("{}\n", "é".repeat(900)).repeat(100));
        assert_eq!(body.extent, TextExtent::Cut);
        assert!(
            body.lines
                .iter()
                .map(|line| line.original.len())
                .sum::<usize>()
                <= 64 << 10
        );
        let body = read(&format!(
            "A Par H\n-----Original Message-----\n{}",
            "old words\n".repeat(10_000)
        ));
        assert_eq!(body.extent, TextExtent::Whole);
    }

    #[test]
    fn clear_signed_text_is_opened_and_ciphertext_known() {
        let body = read(
            "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nA Par H\n- -- \nBen\n-----BEGIN PGP SIGNATURE-----\n\niQEz\n-----END PGP SIGNATURE-----",
        );
        let own: Vec<&str> = body
            .lines
            .iter()
            .filter(|l| l.part == LinePart::Own && !l.is_blank())
            .map(|l| l.text.as_str())
            .collect();
        assert_eq!(own, ["A Par H"]);
        assert_eq!(
            body.lines
                .iter()
                .find(|line| line.text == "A Par H")
                .unwrap()
                .number,
            4
        );
        assert!(!body.encrypted);
        assert!(
            read("\n-----BEGIN PGP MESSAGE-----\n\nhQEMA\n-----END PGP MESSAGE-----").encrypted
        );
    }
}
