//! Breaking text into lines of at most [`WIDTH`] characters.

use std::ops::Range;
use std::sync::OnceLock;

use regex::Regex;

/// The width of a report (`judge-workflow.md` 6): longer lines are wrapped, unless tools read them.
pub(super) const WIDTH: usize = 78;
/// A blank at which a line is not broken.
pub(super) const NO_BREAK: char = '\u{a0}';

/// Breaks one line at blanks so that no part is longer than `width` characters, unless a single word is.
/// The first part keeps the indentation of the line; the others are indented by `indent` blanks.
/// A line that fits keeps its runs of blanks.
pub fn wrap_line(line: &str, width: usize, indent: usize) -> Vec<String> {
    let line = line.trim_end();
    if line.chars().count() <= width {
        return vec![line.to_owned()];
    }
    let lead: String = line.chars().take_while(|c| *c == ' ').collect();
    wrap_after(&lead, line, width, indent)
}

/// Appends the words of `text` to `head`, which is not changed (columns, an indentation), and breaks at blanks as
/// [`wrap_line`] does.
pub(super) fn wrap_after(head: &str, text: &str, width: usize, indent: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut current = head.to_owned();
    let mut length = current.chars().count();
    let mut empty = true;
    for word in words(text) {
        let size = word.chars().count();
        if !empty && length + 1 + size > width {
            lines.push(std::mem::take(&mut current));
            current = " ".repeat(indent);
            length = indent;
            empty = true;
        }
        if !empty {
            current.push(' ');
            length += 1;
        }
        current.push_str(word);
        length += size;
        empty = false;
    }
    lines.push(current);
    lines
}

/// The pieces between blanks at which a line may be broken. A date is one piece.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let dates: Vec<Range<usize>> = date_pattern()
        .map(|pattern| pattern.find_iter(text).map(|date| date.range()).collect())
        .unwrap_or_default();
    let mut pieces = Vec::new();
    let mut start = 0;
    for (at, letter) in text.char_indices() {
        let breaks = letter.is_whitespace() && letter != NO_BREAK;
        if breaks && !dates.iter().any(|date| date.contains(&at)) {
            pieces.extend(text.get(start..at));
            start = at + letter.len_utf8();
        }
    }
    pieces.extend(text.get(start..));
    pieces.into_iter().filter(|word| !word.is_empty())
}

/// `Mon Dec 07 2026 23:30:00 +0000`.
fn date_pattern() -> Option<&'static Regex> {
    static DATE: OnceLock<Option<Regex>> = OnceLock::new();
    let pattern = r"\b[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{4} \d\d:\d\d:\d\d [+-]\d{4}";
    DATE.get_or_init(|| Regex::new(pattern).ok()).as_ref()
}

/// Wraps each line of a text at `WIDTH`; lines are not joined.
pub fn wrap_text(text: &str) -> String {
    text.split('\n')
        .flat_map(|line| wrap_line(line, WIDTH, 0))
        .collect::<Vec<_>>()
        .join("\n")
}

/// Appends `items` to `head`, which is padded to `indent` columns, separated by commas and ended by a full stop. Lines are
/// broken only after commas, so that no name is split.
pub(super) fn wrap_list(head: &str, items: &[String], indent: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut current = pad(head, indent);
    let mut empty = true;
    for (index, item) in items.iter().enumerate() {
        let end = if index + 1 == items.len() { '.' } else { ',' };
        let size = item.chars().count() + 1;
        if !empty && current.chars().count() + 1 + size > WIDTH {
            lines.push(std::mem::take(&mut current));
            current = " ".repeat(indent);
            empty = true;
        }
        if !empty {
            current.push(' ');
        }
        current.push_str(item);
        current.push(end);
        empty = false;
    }
    lines.push(current);
    lines
}

/// Pads with blanks to `width` columns; a longer text is followed by one blank.
pub(super) fn pad(text: &str, width: usize) -> String {
    let length = text.chars().count();
    let blanks = if length < width { width - length } else { 1 };
    format!("{text}{}", " ".repeat(blanks))
}

/// `1 unit`, `2 units`.
pub(super) fn count(number: impl std::fmt::Display, noun: &str) -> String {
    let number = number.to_string();
    let ending = if number == "1" { "" } else { "s" };
    format!("{number} {noun}{ending}")
}

/// Lines, each with this before it but for empty ones.
pub fn indented(lines: &[String], by: &str) -> String {
    let lines = lines.iter().map(|line| match line.as_str() {
        "" => String::new(),
        line => format!("{by}{line}"),
    });
    lines.collect::<Vec<String>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_date_is_not_broken() {
        let date = "Mon Dec 07 2026 23:30:00 +0000";
        for length in 40..80 {
            let line = format!("{} {date}, and then more.", "x".repeat(length));
            let lines = wrap_line(&line, WIDTH, 0);
            assert!(lines.iter().any(|line| line.contains(date)), "{lines:?}");
        }
    }

    #[test]
    fn lists_break_only_after_commas() {
        let names: Vec<String> = [
            "Moscow",
            "Norway",
            "Rumania",
            "Sevastopol",
            "St Petersburg",
            "Sweden",
            "St Petersburg",
        ]
        .iter()
        .map(|n| (*n).to_owned())
        .collect();
        assert_eq!(
            wrap_list("Russia:", &names, 11),
            [
                "Russia:    Moscow, Norway, Rumania, Sevastopol, St Petersburg, Sweden,",
                "           St Petersburg."
            ]
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn wrapping_loses_no_word_and_keeps_the_width(line in "[ a-zäö.:]{0,300}", indent in 0usize..12) {
            let wrapped = wrap_line(&line, WIDTH, indent);
            let words: Vec<&str> = line.split_whitespace().collect();
            let again: Vec<String> =
                wrapped.iter().flat_map(|l| l.split_whitespace().map(str::to_owned)).collect();
            prop_assert_eq!(words, again);
            for part in &wrapped {
                prop_assert!(part.chars().count() <= WIDTH || part.split_whitespace().count() == 1);
            }
        }
    }
}
