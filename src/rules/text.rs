//! Lines of text in a form that can be matched against words.

use std::ops::Range;
use unicode_normalization::char::decompose_compatible;

use crate::folding::is_invisible;

/// A line of text with a folded copy: lower-case ASCII without accents, in which every kind of blank is a blank and every kind
/// of dash or arrow is a hyphen. Words are matched against the folded copy. Positions are byte positions in the folded copy;
/// [`Text::source`] gives the original words.
#[derive(Debug, Clone)]
pub struct Text<'a> {
    source: &'a str,
    folded: Vec<u8>,
    /// For each folded byte, the position of its character in the source, and the position of the end. Empty if both texts have
    /// the same positions, as for a line of ASCII.
    origin: Vec<usize>,
}

/// Stands for a character without a corresponding ASCII letter.
const FOREIGN: u8 = 0x1a;

impl<'a> Text<'a> {
    /// Folds a line.
    pub fn new(source: &'a str) -> Self {
        if source.is_ascii() {
            let folded = source.bytes().map(fold_ascii).collect();
            return Self {
                source,
                folded,
                origin: Vec::new(),
            };
        }
        let mut folded = Vec::with_capacity(source.len());
        let mut origin = Vec::with_capacity(source.len() + 1);
        for (at, letter) in source.char_indices() {
            fold(letter, &mut folded);
            origin.resize(folded.len(), at);
        }
        origin.push(source.len());
        Self {
            source,
            folded,
            origin,
        }
    }

    /// The original line.
    pub fn whole(&self) -> &'a str {
        self.source
    }

    /// The length of the folded copy in bytes.
    pub fn len(&self) -> usize {
        self.folded.len()
    }

    /// Whether the folded copy is empty.
    pub fn is_empty(&self) -> bool {
        self.folded.is_empty()
    }

    /// The folded byte at a position; 0 at the end and after it.
    pub fn byte(&self, at: usize) -> u8 {
        self.folded.get(at).copied().unwrap_or(0)
    }

    /// The folded copy from a position to the end.
    pub fn rest(&self, at: usize) -> &[u8] {
        self.folded.get(at..).unwrap_or_default()
    }

    /// The folded copy of a span.
    pub fn folded(&self, span: Range<usize>) -> &str {
        let bytes = self.folded.get(span).unwrap_or_default();
        std::str::from_utf8(bytes).unwrap_or_default()
    }

    /// The byte position in the original line that corresponds to a position.
    pub fn source_at(&self, at: usize) -> usize {
        if self.origin.is_empty() {
            at.min(self.source.len())
        } else {
            self.origin.get(at).copied().unwrap_or(self.source.len())
        }
    }

    /// The original words of a span, without blanks at both ends.
    pub fn source(&self, span: Range<usize>) -> &'a str {
        let span = self.source_at(span.start)..self.source_at(span.end);
        self.source.get(span).unwrap_or_default().trim()
    }

    /// Whether the byte at a position is a letter or digit.
    pub fn in_word(&self, at: usize) -> bool {
        let byte = self.byte(at);
        byte.is_ascii_alphanumeric() || byte == FOREIGN
    }

    /// The first position at or after this one that is neither a blank nor a full stop. Both only separate words.
    pub fn skip_blanks(&self, mut at: usize) -> usize {
        while matches!(self.byte(at), b' ' | b'.') {
            at += 1;
        }
        at
    }

    /// The first position at or after this one that is not a blank.
    pub fn skip_spaces(&self, mut at: usize) -> usize {
        while self.byte(at) == b' ' {
            at += 1;
        }
        at
    }

    /// The start of the word that ends at this position.
    pub fn word_start(&self, mut at: usize) -> usize {
        while at > 0 && self.in_word(at - 1) {
            at -= 1;
        }
        at
    }

    /// The end of the word that starts at this position.
    pub fn word_end(&self, mut at: usize) -> usize {
        while self.in_word(at) {
            at += 1;
        }
        at
    }
}

fn fold_ascii(byte: u8) -> u8 {
    match byte {
        b'\t' | b'\n' | b'\r' | 0x0b | 0x0c | 0 => b' ',
        _ => byte.to_ascii_lowercase(),
    }
}

fn fold(letter: char, folded: &mut Vec<u8>) {
    match letter {
        letter if letter.is_ascii() => folded.push(fold_ascii(letter as u8)),
        letter if letter.is_whitespace() => folded.push(b' '),
        // Nobody who wrote or read the line has seen it.
        letter if is_invisible(letter) => {}
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}' => {
            folded.push(b'-');
        }
        '→' | '⇒' | '➔' | '➜' | '➡' | '⟶' | '⟹' | '⇨' | '↦' => folded.push(b'-'),
        '\u{2018}' | '\u{2019}' | '\u{201b}' | '\u{b4}' => folded.push(b'\''),
        '\u{201c}'..='\u{201f}' => folded.push(b'"'),
        _ => {
            let before = folded.len();
            decompose_compatible(letter, |part| {
                if part.is_ascii_graphic() && folded.len() < before + 4 {
                    folded.push(fold_ascii(part as u8));
                }
            });
            if folded.len() == before && !is_mark(letter) {
                folded.push(FOREIGN);
            }
        }
    }
}

fn is_mark(letter: char) -> bool {
    unicode_normalization::char::is_combining_mark(letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dashes_arrows_blanks_and_accents_are_folded() {
        let text = Text::new("Édi\u{a0}→ N\u{2013}Ö’s");
        assert_eq!(text.folded(0..text.len()), "edi - n-o's");
    }

    #[test]
    fn positions_lead_back_to_the_source() {
        let text = Text::new("A Köl→Mün");
        let start = 6;
        assert_eq!(text.folded(start..text.len()), "mun");
        assert_eq!(text.source(start..text.len()), "Mün");
        assert_eq!(text.source(0..5), "A Köl");
    }

    #[test]
    fn ligatures_become_several_letters() {
        let text = Text::new("ﬁn");
        assert_eq!(text.folded(0..text.len()), "fin");
        assert_eq!(text.source(0..3), "ﬁn");
    }

    #[test]
    fn unknown_letters_part_no_words() {
        let text = Text::new("Щ lon");
        assert!(text.in_word(0));
        assert_eq!(text.source(0..1), "Щ");
    }
}
