//! Documents as fields of a template: they are inserted whole and never read as Markdown.
//!
//! While a template is filled a mark stands for each of them. Marks are made of noncharacters, which Unicode reserves for
//! internal use; `escaped` removes them from text that comes from outside.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::{Block, Document, HangingText, NameList, escaped};

/// Encloses the number of a part.
const PART: char = '\u{fdd0}';
/// Begins a line that may be wrapped.
const WRAPPED: char = '\u{fdd1}';
/// Begins a line of words and names, and separates them.
const NAMED: char = '\u{fdd2}';
/// Begins a line of words and a text, and separates them.
const HANGING: char = '\u{fdd3}';
/// All characters that are reserved for marks.
pub(super) const KEPT: std::ops::RangeInclusive<char> = '\u{fdd0}'..='\u{fdef}';

/// The only key of an object that stands for a document.
const KEY: &str = "document";

/// The finished parts among the fields of a template.
#[derive(Debug, Default)]
pub(in super::super) struct DocumentParts(Vec<Document>);

/// A line of a filled template.
pub(super) enum Line<'a> {
    /// A document of a field.
    Part(&'a Document),
    /// A line made by a filter: one that may be wrapped, or a list of names.
    Block(Block),
    /// Any other line.
    Plain(String),
}

impl Document {
    /// As a field of a template.
    pub(in super::super) fn field(&self) -> Value {
        json!({ KEY: self })
    }
}

impl DocumentParts {
    /// The fields, with a mark in place of each document. An empty document becomes an empty text.
    pub(in super::super) fn take(&mut self, fields: &Value) -> minijinja::Value {
        match fields {
            Value::Object(map) => {
                if let Some(part) = document_of(map) {
                    return minijinja::Value::from_safe_string(self.mark(part));
                }
                let inside = map.iter();
                let inside = inside.map(|(name, value)| (name.clone(), self.take(value)));
                minijinja::Value::from(inside.collect::<BTreeMap<_, _>>())
            }
            Value::Array(list) => {
                let inside: Vec<_> = list.iter().map(|value| self.take(value)).collect();
                minijinja::Value::from(inside)
            }
            plain => minijinja::Value::from(minijinja::value::Serde(plain)),
        }
    }

    fn mark(&mut self, part: Document) -> String {
        if part.is_empty() {
            return String::new();
        }
        self.0.push(part);
        format!("{PART}{}{PART}", self.0.len() - 1)
    }

    /// Reads a line of a filled template.
    pub(super) fn line(&self, line: &str) -> Line<'_> {
        if let Some(number) = line
            .strip_prefix(PART)
            .and_then(|line| line.strip_suffix(PART))
            && let Some(part) = number.parse().ok().and_then(|at: usize| self.0.get(at))
        {
            return Line::Part(part);
        }
        if let Some(line) = line.strip_prefix(WRAPPED) {
            return Line::Block(Block::from(self.in_words(line)));
        }
        if let Some(line) = line.strip_prefix(NAMED) {
            let mut words = line.split(NAMED).map(|word| self.in_words(word));
            return Line::Block(Block::NameList(NameList {
                head: words.next().unwrap_or_default(),
                names: words.collect(),
            }));
        }
        if let Some((head, text)) = line
            .strip_prefix(HANGING)
            .and_then(|line| line.split_once(HANGING))
        {
            return Line::Block(Block::HangingText(HangingText {
                head: self.in_words(head),
                text: self.in_words(text),
            }));
        }
        Line::Plain(self.in_words(line))
    }

    /// Replaces each mark by the words of its part.
    pub(in super::super) fn in_words(&self, text: &str) -> String {
        let mut words = String::new();
        // Marks enclose numbers, so every second piece is one.
        for (index, piece) in text.split(PART).enumerate() {
            match index % 2 {
                0 => words.push_str(piece),
                _ => {
                    let part = piece.parse().ok().and_then(|at: usize| self.0.get(at));
                    words.push_str(&part.map(Document::text).unwrap_or_default());
                }
            }
        }
        words.retain(|letter| !KEPT.contains(&letter));
        words
    }
}

/// The document that an object stands for, if it is one of [`Document::field`].
fn document_of(map: &Map<String, Value>) -> Option<Document> {
    if map.len() != 1 {
        return None;
    }
    serde_json::from_value(map.get(KEY)?.clone()).ok()
}

/// Sentences that may be wrapped, each on a line of its own.
pub(in super::super) fn wrapped(text: &str) -> String {
    let lines = text
        .split('\n')
        .map(|line| format!("{WRAPPED}{}", escaped(line)));
    lines.collect::<Vec<_>>().join("\n")
}

/// Words followed by a list of names, on a line of their own.
pub(in super::super) fn named(head: &str, names: &[String]) -> String {
    let names = names.iter().map(|name| format!("{NAMED}{}", escaped(name)));
    format!("{NAMED}{}{}", escaped(head), names.collect::<String>())
}

/// Words followed by a text, on a line of their own.
pub(in super::super) fn hanging(head: &str, text: &str) -> String {
    format!("{HANGING}{}{HANGING}{}", escaped(head), escaped(text))
}
