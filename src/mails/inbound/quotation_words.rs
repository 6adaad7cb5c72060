//! The words of mail programs around quotations, from the table `quotations.txt`.

use std::sync::LazyLock;

use super::word_table::table_lines;

/// The table: one line for each of the words, with an example.
const TABLE: &str = include_str!("quotations.txt");

/// Read once; the table is a part of the program.
static WORDS: LazyLock<QuotationWords> = LazyLock::new(|| QuotationWords::read(TABLE));

/// The words by what they mark, in lower case.
#[derive(Debug, Default)]
pub(super) struct QuotationWords {
    /// How a sentence before a quotation begins, with the blank after it where there is one.
    pub(super) opens: Vec<String>,
    /// How it ends, before the colon.
    pub(super) ends: Vec<&'static str>,
    /// The same, for words that end sentences of people as well: only behind a date or an address.
    pub(super) dated: Vec<&'static str>,
    /// Verbs before a date or a name that ends it, between blanks.
    pub(super) within: Vec<String>,
    /// Between the dashes of a divider.
    pub(super) divides: Vec<&'static str>,
    /// A divider without dashes.
    pub(super) begins: Vec<&'static str>,
    /// The labels of a head.
    pub(super) labels: Vec<(HeadLabel, &'static str)>,
    /// Signatures of telephones and mail services; `*` stands for any words.
    pub(super) signs: Vec<&'static str>,
}

/// What a line of the head of an original message names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HeadLabel {
    From,
    Date,
    To,
    Subject,
}

impl QuotationWords {
    /// The words of all languages.
    pub(super) fn all() -> &'static QuotationWords {
        &WORDS
    }

    fn read(table: &'static str) -> QuotationWords {
        let mut words = QuotationWords::default();
        for line in table_lines(table) {
            match line.kind {
                "opens" => words.opens.push(opening(line.words)),
                "ends" => words.ends.push(line.words),
                "dated" => words.dated.push(line.words),
                "within" => words.within.push(format!(" {} ", line.words)),
                "divides" => words.divides.push(line.words),
                "begins" => words.begins.push(line.words),
                "from" => words.labels.push((HeadLabel::From, line.words)),
                "date" => words.labels.push((HeadLabel::Date, line.words)),
                "to" => words.labels.push((HeadLabel::To, line.words)),
                "subject" => words.labels.push((HeadLabel::Subject, line.words)),
                "signs" => words.signs.push(line.words),
                _ => {}
            }
        }
        words
    }

    /// Whether a lower-case line is a signature of a telephone or a mail service.
    pub(super) fn signs(&self, line: &str) -> bool {
        let line = line.trim().trim_start_matches(['(', '<', '[', '*']);
        let matches = |pattern: &str| match pattern.split_once('*') {
            None => starts_with_word(line, pattern),
            Some((head, tail)) => line
                .strip_prefix(head)
                .is_some_and(|rest| rest.contains(tail)),
        };
        self.signs.iter().any(|pattern| matches(pattern))
    }
}

/// Whether a text begins with these words; a letter that has no spaces in its script may follow.
fn starts_with_word(text: &str, words: &str) -> bool {
    text.strip_prefix(words).is_some_and(|rest| {
        let continues = rest.chars().next().is_some_and(|c| c.is_ascii_lowercase());
        !continues || words.contains(' ') && !words.ends_with(|c: char| c.is_ascii_lowercase())
    })
}

/// An opening with the blank after it; scripts without blanks between words need none.
fn opening(words: &str) -> String {
    if words.chars().all(is_of_script_without_blanks) {
        words.to_owned()
    } else {
        format!("{words} ")
    }
}

/// Whether a letter belongs to a script that is written without blanks between words.
pub(super) fn is_of_script_without_blanks(letter: char) -> bool {
    letter >= '\u{0e00}'
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::attribution::{Attribution, attribution, divides, label};
    use super::super::clean::clean_line;
    use super::*;

    #[test]
    fn every_example_of_the_table_is_known_by_its_words() {
        for line in table_lines(TABLE) {
            let example = clean_line(line.example);
            let lower = example.to_lowercase();
            let words = clean_line(line.words);
            let known = match line.kind {
                "opens" | "ends" | "dated" | "within" => {
                    let certain = Attribution {
                        lines: 1,
                        certain: true,
                    };
                    lower.contains(&words) && attribution(&[&example]) == Some(certain)
                }
                "divides" | "begins" => lower.contains(&words) && divides(&example),
                "from" => label(&example) == Some(HeadLabel::From),
                "date" => label(&example) == Some(HeadLabel::Date),
                "to" => label(&example) == Some(HeadLabel::To),
                "subject" => label(&example) == Some(HeadLabel::Subject),
                "signs" => QuotationWords::all().signs(&lower),
                _ => false,
            };
            assert!(known, "{} {}: {}", line.kind, line.words, line.example);
            assert_eq!(line.words, line.words.to_lowercase(), "{}", line.example);
            assert_eq!(line.words, words, "{}", line.example);
        }
    }

    #[test]
    fn thirty_languages_and_more_are_known() {
        let languages: BTreeSet<&str> = table_lines(TABLE).map(|line| line.language).collect();
        assert!(languages.len() >= 30, "{languages:?}");
    }

    #[test]
    fn a_table_line_has_four_columns() {
        let lines = TABLE
            .lines()
            .filter(|line| !line.starts_with('#') && !line.is_empty());
        assert_eq!(table_lines(TABLE).count(), lines.count());
    }
}
