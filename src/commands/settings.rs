//! Reads `SET` lines by `grammar/settings.grammar`.

use super::command_reader::first_words;
use super::date_words::Calendar;
use dipjudge_grammar::{Grammar, Line, Text, files};
use std::collections::BTreeSet;
use std::sync::OnceLock;

/// Rules that the reader asks for by name.
pub const ROOTS: [&str; 5] = ["filler", "own-setting", "remark", "separator", "setting"];

/// The compiled file.
pub fn grammar() -> &'static Grammar {
    static GRAMMAR: OnceLock<Grammar> = OnceLock::new();
    GRAMMAR.get_or_init(|| match Grammar::compile(&[files::SETTINGS]) {
        Ok(grammar) => grammar,
        // Part of the program, and compiled by a test.
        Err(error) => unreachable!("{error}"),
    })
}

/// Settings that end with a date: what stands behind one is a mistake in the date.
const DATED: [&str; 5] = ["deadline", "grace", "start", "sign-up", "absence"];

/// One setting of a `SET` line.
#[derive(Debug, Clone, PartialEq)]
pub enum SetItem {
    /// A setting of the judge, by its rule of `grammar/settings.grammar`.
    Known(Line),
    /// Any other: a variant's setting, or a mistake. What follows on the line is its value.
    Named {
        /// The name as it was written; see [`SetItem::key`].
        name: String,
        /// The rest of the line; may be empty.
        value: String,
        /// If the name is a setting of the judge but the value does not fit: what would have.
        wanted: Vec<String>,
    },
}

impl SetItem {
    /// The form in which names of settings are compared: small letters, `-` for `_`.
    pub fn key(name: &str) -> String {
        name.to_ascii_lowercase().replace('_', "-")
    }
}

/// What stands behind the name of a variant's setting.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OwnValue {
    /// The value.
    pub value: String,
    /// The phase from which on it is to act, if it is put off.
    pub from: Option<String>,
    /// The reason that was given.
    pub because: Option<String>,
}

impl OwnValue {
    /// Reads it.
    pub fn read(words: &str) -> OwnValue {
        let text = Text::new(words);
        let tree = grammar().read("own-setting", &text, 0, &Calendar);
        let Some(tree) = tree.filter(|tree| text.skip_blanks(tree.end) >= text.len()) else {
            return OwnValue {
                value: words.trim().to_owned(),
                ..OwnValue::default()
            };
        };
        let root = tree.root(&text);
        let part = |rule: &str| root.find(rule).map(|part| part.text().trim().to_owned());
        OwnValue {
            value: part("own-value").unwrap_or_default(),
            from: part("own-phase"),
            because: part("own-reason"),
        }
    }
}

/// The first words of all settings, in small letters.
pub(super) fn setting_words() -> &'static BTreeSet<String> {
    static WORDS: OnceLock<BTreeSet<String>> = OnceLock::new();
    WORDS.get_or_init(|| {
        let anything = grammar().explain("setting", &Text::new(""), 0, &Calendar);
        first_words(&anything.words)
    })
}

/// Whether a part of a `SET` line that is no setting says from which phase on the one before it is to act.
pub fn puts_off(item: &SetItem) -> bool {
    matches!(item, SetItem::Named { name, .. } if SetItem::key(name) == "from")
}

/// Whether the last thing that a `SET` line sets is a comment whose text follows it.
pub(super) fn opens_comment(line: &str) -> bool {
    matches!(read_settings(line).last(), Some(SetItem::Known(item)) if item.rule == "comment-begin")
}

/// The rule by which a setting is known: of a switch the rule that names it, without the `off-` of a word that means off.
pub fn rule_of(line: &Line) -> &str {
    if switched(line).is_none() {
        return &line.rule;
    }
    let mut part = line;
    while let Some(inner) = part.parts.iter().find(|inner| !inner.rule.is_empty()) {
        part = inner;
    }
    part.rule.strip_prefix("off-").unwrap_or(&part.rule)
}

/// Whether a line turns a switch on or off; `None` if it sets something else.
pub fn switched(line: &Line) -> Option<bool> {
    match line.rule.as_str() {
        "flag-on" => Some(true),
        "flag-off" => Some(false),
        _ => None,
    }
}

/// Reads what stands behind `SET`. The first setting that is not known is [`SetItem::Named`] with
/// the rest of the line; it may be a variant's.
pub fn read_settings(line: &str) -> Vec<SetItem> {
    let text = Text::new(line);
    let mut items = Vec::new();
    let mut at = 0;
    // Where the last setting began, if it ended with a date and nothing parts it from what follows.
    let mut open_date = None;
    loop {
        while let Some(end) = end_of("separator", &text, at) {
            at = end;
            open_date = None;
        }
        at = text.skip_blanks(at);
        if at >= text.len() || end_of("remark", &text, at).is_some() {
            return items;
        }
        if has_joint(&text, at) {
            items.push(named(&text, at, Vec::new()));
            return items;
        }
        if let Some(tree) = grammar().read("setting", &text, at, &Calendar)
            && let Some(item) = tree.root(&text).first().and_then(|group| group.first())
        {
            let item = item.to_line();
            let dated = DATED.contains(&item.rule.as_str());
            open_date = dated.then_some(at);
            at = tree.end;
            items.push(SetItem::Known(item));
            continue;
        }
        if let Some(end) = end_of("filler", &text, at) {
            at = end;
            continue;
        }
        // Text behind a date is a mistake in the date, not another setting.
        if let Some(start) = open_date {
            items.pop();
            items.push(named(
                &text,
                start,
                vec!["a date with nothing behind it".to_owned()],
            ));
            return items;
        }
        let failure = grammar().explain("setting", &text, at, &Calendar);
        let mut wanted = Vec::new();
        if failure.at > at {
            let terms = failure.terms.iter().map(|wanted| wanted.term);
            wanted.extend(terms.map(|term| term.said().to_owned()));
            wanted.extend(failure.words.iter().map(|word| word.to_ascii_uppercase()));
            wanted.dedup();
            wanted.truncate(12);
        }
        items.push(named(&text, at, wanted));
        return items;
    }
}

/// Whether the word that begins here is joined by `-` or `_`, as `births-phase`: a variant's setting,
/// whatever its first part says. None of the judge's own has such a name.
fn has_joint(text: &Text<'_>, at: usize) -> bool {
    let end = text.word_end(at);
    end > at && matches!(text.byte(end), b'-' | b'_') && text.in_word(end + 1)
}

fn end_of(rule: &str, text: &Text<'_>, at: usize) -> Option<usize> {
    grammar()
        .read(rule, text, at, &Calendar)
        .map(|tree| tree.end)
}

/// The rest of the line as a name and a value, `=` between them allowed.
fn named(text: &Text<'_>, at: usize, wanted: Vec<String>) -> SetItem {
    let rest = text.source(at..text.len());
    let length = rest
        .find(|letter: char| letter.is_whitespace() || letter == '=')
        .unwrap_or(rest.len());
    let (name, value) = rest.split_at(length);
    let value = value.trim_start().trim_start_matches('=').trim();
    SetItem::Named {
        name: name.to_owned(),
        value: value.to_owned(),
        wanted,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variants_setting_may_be_put_off_and_explained() {
        let read = |words: &str| {
            let OwnValue {
                value,
                from,
                because,
            } = OwnValue::read(words);
            [value, from.unwrap_or_default(), because.unwrap_or_default()]
        };
        for (words, parts) in [
            ("two", ["two", "", ""]),
            ("two FROM F1903", ["two", "F1903", ""]),
            (
                "two from Fall 1903 retreats because I say so, from now on",
                ["two", "Fall 1903 retreats", "I say so, from now on"],
            ),
            ("jester, doctor BECAUSE", ["jester, doctor BECAUSE", "", ""]),
            (
                "jester,doctor because both play",
                ["jester,doctor", "", "both play"],
            ),
            ("", ["", "", ""]),
        ] {
            assert_eq!(read(words), parts, "{words}");
        }
    }

    #[test]
    fn what_puts_a_common_setting_off_is_known() {
        let items = read_settings("NMR FROM F1903");
        assert!(matches!(items.as_slice(), [SetItem::Known(_), named] if puts_off(named)));
    }
}
