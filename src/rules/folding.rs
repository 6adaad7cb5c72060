//! Text in a form in which names can be compared: lower case, plain letters, without invisible characters. Two names that look
//! the same are the same in this form, so that nobody can use an imitation of another player's name.

use unicode_normalization::UnicodeNormalization;

/// Whether the character changes the direction of writing. With such characters a line can be made to look like another one.
pub fn is_bidi_mark(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Whether the character is invisible (*default ignorable* in Unicode).
///
/// Variation selectors and tags, which are parts of emoji, are included: `➡️` is an arrow followed by U+FE0F.
pub fn is_invisible(c: char) -> bool {
    is_bidi_mark(c)
        || matches!(
            c,
            '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
                | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{206f}'
                | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
                | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

/// Converts a text to the form in which names are compared: compatibility forms (full-width letters, ligatures) become plain
/// letters (NFKC), invisible characters are removed, and letters become lower case.
///
/// ```
/// use dipjudge_rules::folding::fold;
/// assert_eq!(fold("Ｃar\u{200b}THAGE"), "carthage");
/// ```
pub fn fold(text: &str) -> String {
    // Most texts are: none of what follows changes anything else in them.
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    text.chars()
        .filter(|c| !is_invisible(*c))
        .nfkc()
        .flat_map(char::to_lowercase)
        // The lower case of a normalized text need not be normalized.
        .nfkc()
        .filter(|c| !is_invisible(*c))
        .collect()
}

/// The letters of the folded text, without digits, blanks and punctuation.
pub fn letters(text: &str) -> String {
    fold(text).chars().filter(|c| c.is_alphabetic()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_seen_and_other_forms_make_no_other_name() {
        for name in [
            "Carthage",
            "CARTHAGE",
            "Car\u{200b}thage",
            "Car\u{ad}thage",
            "\u{feff}Car\u{2060}thage\u{34f}",
            "C\u{ff41}rth\u{ff21}ge",
            "Car\u{3164}thage",
            "Car\u{ffa0}thage",
            "\u{1d402}arthage",
        ] {
            assert_eq!(fold(name), "carthage", "{name:?}");
        }
        assert_eq!(fold("Al-Andalus II"), "al-andalus ii");
        assert_eq!(letters("O'Ne-ill \u{ff29}"), "oneilli");
        assert_ne!(fold("Cart\u{127}age"), "carthage");
    }
}
