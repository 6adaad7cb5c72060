//! The words of notices that a mail could not be delivered, from the table `failure_notices.txt`.

use std::sync::LazyLock;

use super::word_table::table_lines;

/// The table: one line for each of the words, with an example.
const TABLE: &str = include_str!("failure_notices.txt");

/// Read once; the table is a part of the program.
static WORDS: LazyLock<FailureWords> = LazyLock::new(|| FailureWords::read(TABLE));

/// The words by what they tell, in lower case.
#[derive(Debug, Default)]
pub(super) struct FailureWords {
    /// How subjects begin.
    pub(super) subjects: Vec<&'static str>,
    /// How subjects begin that people write, too.
    pub(super) noted: Vec<&'static str>,
    /// What notices say.
    pub(super) sentences: Vec<&'static str>,
    /// What only programs say of themselves.
    pub(super) of_programs: Vec<&'static str>,
    /// Behind or below them stand failing addresses.
    pub(super) lists: Vec<&'static str>,
    /// Right behind them stands the failing address.
    pub(super) names: Vec<&'static str>,
    /// Above the copy of the mail that came back.
    pub(super) copies: Vec<&'static str>,
    /// Delivery is still tried.
    pub(super) retried: Vec<&'static str>,
}

impl FailureWords {
    /// The words of all languages.
    pub(super) fn all() -> &'static FailureWords {
        &WORDS
    }

    fn read(table: &'static str) -> FailureWords {
        let mut words = FailureWords::default();
        for line in table_lines(table) {
            let list = match line.kind {
                "subject" => &mut words.subjects,
                "noted" => &mut words.noted,
                "says" => &mut words.sentences,
                "program" => &mut words.of_programs,
                "lists" => &mut words.lists,
                "names" => &mut words.names,
                "copy" => &mut words.copies,
                "retried" => &mut words.retried,
                _ => continue,
            };
            list.push(line.words);
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use super::super::address::Address;
    use super::super::failure_text::{Notice, Writer};
    use super::*;

    const FAILING: &str = "ben@example.net";

    fn notice<'t>(subject: &'t str, text: &'t str, writer: Writer) -> Notice<'t> {
        Notice {
            subject,
            text,
            writer,
            host: "mx.example.net",
        }
    }

    fn named(text: &str) -> Vec<String> {
        let judge = Address::parse("judge@example.org").unwrap();
        let found = notice("", text, Writer::Program).failed_addresses(&[&judge]);
        found.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn every_example_of_the_table_is_known_by_its_words() {
        const SAYS: &str = "ben@example.net: user unknown";
        let mut unknown = Vec::new();
        for line in table_lines(TABLE) {
            let example = &line.example.replace("\\n", "\n");
            let example = example.as_str();
            let known = match line.kind {
                "subject" => notice(example, SAYS, Writer::Person).tells_failure(),
                "noted" => {
                    notice(example, SAYS, Writer::Program).tells_failure()
                        && notice(example, "", Writer::Program).tells_failure()
                }
                "says" => {
                    let text = format!("{FAILING}\n{example}");
                    notice("Undeliverable: x", &text, Writer::Person).tells_failure()
                        && notice("x", &text, Writer::Program).tells_failure()
                        && !notice("x", &text, Writer::Person).tells_failure()
                }
                "program" => notice("Undeliverable: x", example, Writer::Person).tells_failure(),
                "lists" | "names" => named(example) == [FAILING],
                "copy" => named(&format!("It failed.\n{example}\nTo: eve@example.net")).is_empty(),
                "retried" => notice(example, "", Writer::Program).is_retried(),
                _ => false,
            };
            if !known {
                unknown.push(format!("{} {}: {example}", line.kind, line.words));
            }
            assert!(example.to_lowercase().contains(line.words), "{example}");
            assert_eq!(line.words, line.words.to_lowercase(), "{example}");
        }
        assert!(unknown.is_empty(), "{}", unknown.join("\n"));
    }

    #[test]
    fn a_table_line_has_four_columns() {
        let lines = TABLE
            .lines()
            .filter(|line| !line.starts_with('#') && !line.is_empty());
        assert_eq!(table_lines(TABLE).count(), lines.count());
    }
}
