//! Removes and replaces characters in orders and commands, in press and in header fields.

use unicode_normalization::UnicodeNormalization;

use dipjudge_rules::folding::{is_bidi_mark, is_invisible};

/// The longest text of a player in a header field (names, titles of games, subjects of press).
const HEADER_TEXT: usize = 64;

/// The ASCII character for typographic ones that NFKC does not change: dashes, arrows, quotation marks.
fn plain(c: char) -> char {
    match c {
        '\u{2010}'..='\u{2015}' | '\u{2043}' | '\u{2212}' => '-',
        '\u{2192}' | '\u{21d2}' | '\u{2794}' | '\u{279c}' | '\u{279e}' | '\u{27a1}'
        | '\u{27f6}' => '-',
        '\t' | '\u{a0}' | '\u{2007}' | '\u{202f}' => ' ',
        '\u{2018}'..='\u{201b}' | '\u{2032}' => '\'',
        '\u{201c}'..='\u{201f}' | '\u{2033}' => '"',
        other => other,
    }
}

/// Cleans a line for orders and commands: removes control and invisible characters, unifies hyphens, blanks and quotation
/// marks, and folds compatibility forms (full-width letters, ligatures) to plain ones.
///
/// ```
/// use dipjudge_mails::inbound::clean_line;
/// assert_eq!(clean_line("F\u{a0}Lon – \u{200b}Nth"), "F Lon - Nth");
/// ```
pub fn clean_line(line: &str) -> String {
    let kept = line
        .chars()
        .map(plain)
        .filter(|c| !c.is_control() && !is_invisible(*c));
    // NFKC does not turn an en dash into a hyphen, and it turns presentation forms into em dashes: so the table is applied
    // before and after.
    let folded: String = kept
        .nfkc()
        .map(plain)
        .filter(|c| !c.is_control() && !is_invisible(*c))
        .collect();
    folded.trim_end().to_owned()
}

/// Cleans a line for press: keeps the words as written, but removes characters that could control a terminal or change the
/// direction of the text.
pub(super) fn clean_original(line: &str) -> String {
    let kept: String = line
        .chars()
        .filter(|c| *c == '\t' || !(c.is_control() || is_bidi_mark(*c) || *c == '\u{feff}'))
        .collect();
    kept.trim_end().to_owned()
}

/// Cleans a player's text (a name, the title of a game, a subject of press) for a header field, a page or a log: one line
/// without control and invisible characters, single blanks, at most 64 characters.
///
/// ```
/// use dipjudge_mails::inbound::clean_header_text;
/// assert_eq!(clean_header_text("peace\r\nBcc: all@example.org"), "peace Bcc: all@example.org");
/// ```
pub fn clean_header_text(text: &str) -> String {
    clean_to(text, HEADER_TEXT)
}

/// As [`clean_header_text`], with another limit in characters.
pub(super) fn clean_to(text: &str, characters: usize) -> String {
    let mut cleaned = String::new();
    let mut length = 0;
    let mut blank_due = false;
    for c in text.chars() {
        if c.is_whitespace() {
            blank_due = true;
            continue;
        }
        if c.is_control() || is_invisible(c) {
            continue;
        }
        let blank = blank_due && length > 0;
        if length + usize::from(blank) + 1 > characters {
            break;
        }
        if blank {
            cleaned.push(' ');
            length += 1;
        }
        blank_due = false;
        cleaned.push(c);
        length += 1;
    }
    cleaned
}

/// Splits decoded text into lines at CRLF, LF, a lone CR, and the separators of Unicode, which some phones write. Lines keep
/// their trailing blanks, which format=flowed needs.
pub(super) fn lines_of(text: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find([
        '\n', '\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}',
    ]) {
        let (line, tail) = rest.split_at(at);
        lines.push(line);
        let width = if tail.starts_with("\r\n") {
            2
        } else {
            tail.chars().next().map_or(1, char::len_utf8)
        };
        rest = tail.get(width..).unwrap_or("");
    }
    if !rest.is_empty() {
        lines.push(rest);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_keyboards_and_mailers_put_for_plain_signs_is_undone() {
        for (written, read) in [
            ("A Par\u{2013}Bur", "A Par-Bur"),
            ("A Par\u{2014}Bur", "A Par-Bur"),
            ("A Par \u{2192} Bur", "A Par - Bur"),
            ("A Par \u{27a1}\u{fe0f} Bur", "A Par - Bur"),
            ("A Par \u{2212} Bur", "A Par - Bur"),
            ("A Par \u{fe58} Bur", "A Par - Bur"),
            ("\u{feff}A\u{a0}Par H", "A Par H"),
            ("A\u{202f}Par\u{2007}H", "A Par H"),
            ("A Par\u{200b}is H\u{ad}old", "A Paris Hold"),
            ("A P\u{202e}ar H", "A Par H"),
            ("\u{ff21}\u{3000}\u{ff30}\u{ff21}\u{ff32} H", "A PAR H"),
            ("\u{fb01}nland", "finland"),
            ("\u{201c}don\u{2019}t\u{201d}", "\"don't\""),
            ("A\tPar H  ", "A Par H"),
            ("A Par\u{1b}[31m H", "A Par[31m H"),
            ("Zürich", "Zürich"),
        ] {
            assert_eq!(clean_line(written), read, "{written:?}");
        }
    }

    #[test]
    fn press_keeps_its_typography_but_nothing_that_steers() {
        assert_eq!(
            clean_original("“Peace” – \u{1b}[2Jnow\u{202e} \t— Ben "),
            "“Peace” – [2Jnow \t— Ben"
        );
    }

    #[test]
    fn header_text_is_one_short_line() {
        assert_eq!(clean_header_text("  a\r\n\tb\0c\u{200f} "), "a bc");
        assert_eq!(clean_header_text(&"x ".repeat(100)).chars().count(), 63);
        assert_eq!(clean_header_text(&"é".repeat(100)).chars().count(), 64);
        assert_eq!(clean_header_text("\r\n"), "");
    }

    #[test]
    fn every_kind_of_line_break_breaks() {
        assert_eq!(
            lines_of("a\r\nb\rc\nd\u{2028}e\u{85}f\n\ng"),
            ["a", "b", "c", "d", "e", "f", "", "g"]
        );
        assert_eq!(lines_of(""), Vec::<&str>::new());
        assert_eq!(lines_of("a \n"), ["a "]);
    }
}
