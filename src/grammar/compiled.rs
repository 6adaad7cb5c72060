//! A compiled grammar.

use super::Term;
use std::collections::BTreeMap;

/// A compiled grammar: the rules of one or more files.
#[derive(Debug, Clone, PartialEq)]
pub struct Grammar {
    pub(super) rules: Vec<Rule>,
    pub(super) names: BTreeMap<String, usize>,
}

impl Grammar {
    /// Whether the grammar has a rule of this name.
    pub fn has(&self, rule: &str) -> bool {
        self.names.contains_key(rule)
    }

    pub(super) fn number_of(&self, rule: &str) -> Option<usize> {
        self.names.get(rule).copied()
    }

    pub(super) fn rule_name(&self, rule: usize) -> &str {
        self.rules.get(rule).map_or("", |rule| rule.name.as_str())
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Rule {
    pub(super) name: String,
    pub(super) body: Expression,
    pub(super) file: String,
    pub(super) line: usize,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Expression {
    /// All of these in sequence.
    Sequence(Vec<Expression>),
    /// The first of these that matches; with the beginnings of all, if all begin with words.
    Choice(Vec<Expression>, Option<Beginnings>),
    /// This, or nothing if it does not match.
    Optional(Box<Expression>),
    /// This as often as it matches, which may be never.
    Repeat(Box<Expression>),
    /// Matches without reading anything if this does not match.
    Not(Box<Expression>),
    Word(Word),
    Term(Term),
    /// The end of the line, after any blanks.
    End,
    /// A rule, by its index in the grammar.
    Rule(usize),
}

impl Expression {
    /// The first of these that matches.
    pub(super) fn choice(parts: Vec<Expression>) -> Expression {
        let none = Some(Beginnings::default());
        let beginnings = parts
            .iter()
            .fold(none, |all, part| Some(all?.or(Beginnings::of(part)?)));
        Expression::Choice(parts, beginnings)
    }
}

/// The characters with which what matches can begin. Where the text goes on with another one, nothing needs to be tried.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Beginnings {
    /// A bit for each ASCII character.
    characters: u128,
    /// The number of attempts that it takes to find that none of them is there.
    pub(super) attempts: usize,
}

impl Beginnings {
    /// Those of what begins with a word; `None` for everything else.
    fn of(expression: &Expression) -> Option<Beginnings> {
        let within = match expression {
            Expression::Word(word) => Beginnings {
                characters: 1u128.checked_shl(u32::from(*word.pieces.first()?.first()?))?,
                attempts: 0,
            },
            Expression::Sequence(parts) => Beginnings::of(parts.first()?)?,
            Expression::Choice(_, beginnings) => (*beginnings)?,
            _ => return None,
        };
        Some(Beginnings {
            attempts: within.attempts + 1,
            ..within
        })
    }

    fn or(self, other: Beginnings) -> Beginnings {
        Beginnings {
            characters: self.characters | other.characters,
            attempts: self.attempts + other.attempts,
        }
    }

    /// Whether the character is among them.
    pub(super) fn have(&self, character: u8) -> bool {
        let bit = 1u128.checked_shl(u32::from(character));
        bit.is_none_or(|bit| self.characters & bit != 0)
    }
}

/// A quoted word.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Word {
    /// The word as it is in the file, for messages about what was expected.
    pub(super) shown: String,
    /// The word in lower case, split where blanks may be.
    pub(super) pieces: Vec<Box<[u8]>>,
    /// Whether the word must not be followed by a letter or digit.
    pub(super) bounded: bool,
}

impl Word {
    pub(super) fn new(quoted: &str) -> Option<Self> {
        let pieces: Vec<Box<[u8]>> = quoted
            .split_whitespace()
            .map(|part| part.to_ascii_lowercase().into_bytes().into())
            .collect();
        let bounded = quoted.ends_with(|last: char| last.is_ascii_alphanumeric());
        (!pieces.is_empty() && quoted.is_ascii()).then(|| Self {
            shown: quoted.trim().to_owned(),
            pieces,
            bounded,
        })
    }
}
