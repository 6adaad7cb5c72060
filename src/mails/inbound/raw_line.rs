//! Splits plain text and format=flowed (RFC 3676) into lines with their depth of quotation.

use super::clean::lines_of;

/// The most `>` that are written before a quoted line.
const MAX_DEPTH: usize = 8;

/// A decoded line, not cleaned yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RawLine {
    /// The number of `>` before it, or of blockquotes around it.
    pub(super) depth: usize,
    /// The words without those marks.
    pub(super) text: String,
}

impl RawLine {
    pub(super) fn new(depth: usize, text: impl Into<String>) -> Self {
        RawLine {
            depth,
            text: text.into(),
        }
    }

    /// Reads `> >> words`: how deep it is quoted, and its words.
    fn read(line: &str) -> Self {
        let mut depth = 0;
        let mut rest = line.trim_start();
        while let Some(inner) = rest.strip_prefix('>') {
            depth += 1;
            // `> > words` is two deep, but the blanks before the words are part of them.
            rest = match inner.trim_start() {
                deeper if deeper.starts_with('>') => deeper,
                _ => inner,
            };
        }
        if depth == 0 {
            // Unquoted lines keep the blanks before them: press may be a table.
            return RawLine::new(0, line);
        }
        RawLine::new(depth, rest.strip_prefix(' ').unwrap_or(rest))
    }

    /// The line with its marks of quotation.
    pub(super) fn quoted_text(&self) -> String {
        match self.depth.min(MAX_DEPTH) {
            0 => self.text.clone(),
            depth => format!("{} {}", ">".repeat(depth), self.text),
        }
    }
}

/// The lines of a text whose line breaks are meant.
pub(super) fn fixed(text: &str) -> Vec<RawLine> {
    lines_of(text).into_iter().map(RawLine::read).collect()
}

/// The parameter DelSp of a flowed text: whether the blank at which a line is joined to the next is deleted (RFC 3676 4.1).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum DelSp {
    Yes,
    No,
}

/// Undoes format=flowed: joins lines that end with a blank to the next line of the same depth, and removes the blank that
/// was put before `>`, `From ` and blanks at the beginning of a line.
pub(super) fn flowed(text: &str, del_sp: DelSp) -> Vec<RawLine> {
    let mut lines: Vec<RawLine> = Vec::new();
    let mut goes_on = false;
    for line in lines_of(text) {
        let words = line.trim_start_matches('>');
        let depth = line.len() - words.len();
        let words = words.strip_prefix(' ').unwrap_or(words);
        // The delimiter of a signature ends with a blank but is not flowed (RFC 3676 4.3).
        let delimiter = words == "-- ";
        let flows = words.ends_with(' ') && !delimiter;
        let kept = if flows && del_sp == DelSp::Yes {
            words.strip_suffix(' ').unwrap_or(words)
        } else {
            words
        };
        match lines.last_mut() {
            Some(last) if goes_on && !delimiter && last.depth == depth => last.text.push_str(kept),
            _ => lines.push(RawLine::new(depth, kept)),
        }
        goes_on = flows;
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(lines: Vec<RawLine>) -> Vec<String> {
        lines.iter().map(RawLine::quoted_text).collect()
    }

    #[test]
    fn quotation_marks_are_counted() {
        let lines = fixed("own\n> one\n>> two\n> > two\n>\n  indented\n >  one");
        assert_eq!(
            lines.iter().map(|line| line.depth).collect::<Vec<_>>(),
            [0, 1, 2, 2, 1, 0, 1]
        );
        assert_eq!(
            shown(lines),
            [
                "own",
                "> one",
                ">> two",
                ">> two",
                "> ",
                "  indented",
                ">  one"
            ]
        );
    }

    #[test]
    fn soft_breaks_are_joined() {
        let text = "F NTH C A LON - \nNWY\nA MUN H\n> quoted \n> line\nown \n> other depth\n";
        assert_eq!(
            shown(flowed(text, DelSp::No)),
            [
                "F NTH C A LON - NWY",
                "A MUN H",
                "> quoted line",
                "own ",
                "> other depth"
            ]
        );
    }

    #[test]
    fn delsp_joins_without_a_blank() {
        assert_eq!(shown(flowed("A MUN-B \nUR\n", DelSp::Yes)), ["A MUN-BUR"]);
    }

    #[test]
    fn stuffing_is_undone_and_the_signature_stays_apart() {
        assert_eq!(
            shown(flowed(
                " From Paris\n >no quote\n  indented\nso \n-- \nBen \nof Berlin",
                DelSp::No
            )),
            [
                "From Paris",
                ">no quote",
                " indented",
                "so ",
                "-- ",
                "Ben of Berlin"
            ]
        );
        assert_eq!(
            flowed(" >no quote", DelSp::No),
            [RawLine::new(0, ">no quote")]
        );
    }
}
