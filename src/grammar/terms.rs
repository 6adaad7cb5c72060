//! Terms: names, numbers and other parts of a line that a grammar file cannot list.

use super::Text;
use super::number_words::number_in_words;
use dipjudge_rules::map::{Power, Province, UnitKind};

/// A term in angle brackets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Term {
    /// `<province>`: a province by any of its names.
    Province,
    /// `<power>`: a power by its name or adjective.
    Power,
    /// `<power-letter>`: a power by its single letter.
    PowerLetter,
    /// `<unit-kind>`: a kind of unit by letter or name.
    UnitKind,
    /// `<number>`: a whole number, with an optional sign.
    Number,
    /// `<count>`: a whole number in digits, or one of the first in words.
    Count,
    /// `<decimal>`: a number that may have a decimal point.
    Decimal,
    /// `<word>`: the text up to a blank, comma or semicolon.
    Word,
    /// `<rest>`: the rest of the line, at least one character.
    Rest,
    /// [`Term::Rest`] without a remark behind it.
    Value,
    /// `<reader>`: somebody to whom a letter can go.
    Reader,
    /// `<date>`: a day, a time or both.
    Date,
    /// `<phase>`: the name of a phase.
    Phase,
}

impl Term {
    /// The term with this name in angle brackets.
    pub(super) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "province" => Self::Province,
            "power" => Self::Power,
            "power-letter" => Self::PowerLetter,
            "unit-kind" => Self::UnitKind,
            "number" => Self::Number,
            "count" => Self::Count,
            "decimal" => Self::Decimal,
            "word" => Self::Word,
            "rest" => Self::Rest,
            "value" => Self::Value,
            "reader" => Self::Reader,
            "date" => Self::Date,
            "phase" => Self::Phase,
            _ => return None,
        })
    }

    /// The term in a sentence such as "a province was expected here".
    pub fn said(self) -> &'static str {
        match self {
            Self::Province => "a province",
            Self::Power => "a power",
            Self::PowerLetter => "the letter of a power",
            Self::UnitKind => "a kind of unit",
            Self::Number | Self::Count | Self::Decimal => "a number",
            Self::Word => "a word",
            Self::Rest | Self::Value => "some text",
            Self::Reader => "the reader of a letter",
            Self::Date => "a date",
            Self::Phase => "the name of a phase",
        }
    }
}

/// The value of a term.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Of [`Term::Province`].
    Province(Province),
    /// Of [`Term::Power`] and [`Term::PowerLetter`].
    Power(Power),
    /// Of [`Term::UnitKind`].
    Kind(UnitKind),
    /// Of [`Term::Number`] and [`Term::Count`].
    Number(i64),
    /// Of all other terms. Their text ([`Node::text`](super::Node::text)) is interpreted by the caller.
    Text,
}

/// The names of a map and a game. Each method looks for a name at a position of the folded text, which is never a blank. It
/// returns the position after the *longest* name that begins there, and what it names. A name must end at the end of a word.
/// The default methods find no names.
pub trait Terms {
    /// A province.
    fn province(&self, _text: &Text<'_>, _at: usize) -> Option<(usize, Province)> {
        None
    }
    /// A power by name or adjective.
    fn power(&self, _text: &Text<'_>, _at: usize) -> Option<(usize, Power)> {
        None
    }
    /// A power by letter.
    fn power_letter(&self, _text: &Text<'_>, _at: usize) -> Option<(usize, Power)> {
        None
    }
    /// A kind of unit.
    fn unit_kind(&self, _text: &Text<'_>, _at: usize) -> Option<(usize, UnitKind)> {
        None
    }
    /// The end of the name of somebody to whom a letter can go.
    fn reader(&self, _text: &Text<'_>, _at: usize) -> Option<usize> {
        None
    }
    /// The end of a date.
    fn date(&self, _text: &Text<'_>, _at: usize) -> Option<usize> {
        None
    }
    /// The end of a phase's name.
    fn phase(&self, _text: &Text<'_>, _at: usize) -> Option<usize> {
        None
    }
}

/// Reads a term at a position that is not a blank.
pub(super) fn read<T: Terms + ?Sized>(
    term: Term,
    terms: &T,
    text: &Text<'_>,
    at: usize,
) -> Option<(usize, Value)> {
    match term {
        Term::Province => terms
            .province(text, at)
            .map(|(end, it)| (end, Value::Province(it))),
        Term::Power => terms
            .power(text, at)
            .map(|(end, it)| (end, Value::Power(it))),
        Term::PowerLetter => terms
            .power_letter(text, at)
            .map(|(end, it)| (end, Value::Power(it))),
        Term::UnitKind => terms
            .unit_kind(text, at)
            .map(|(end, it)| (end, Value::Kind(it))),
        Term::Number => number(text, at),
        Term::Count => number(text, at).or_else(|| {
            let end = text.word_end(at);
            let count = number_in_words(text.folded(at..end))?;
            Some((end, Value::Number(count.into())))
        }),
        Term::Decimal => decimal(text, at),
        Term::Word => {
            let length = text
                .rest(at)
                .iter()
                .take_while(|byte| !matches!(byte, b' ' | b',' | b';'))
                .count();
            (length > 0).then_some((at + length, Value::Text))
        }
        Term::Rest => (at < text.len()).then_some((text.len(), Value::Text)),
        Term::Value => {
            let end = before_remark(text, at);
            (at < end).then_some((end, Value::Text))
        }
        Term::Reader => terms.reader(text, at).map(|end| (end, Value::Text)),
        Term::Date => terms.date(text, at).map(|end| (end, Value::Text)),
        Term::Phase => terms.phase(text, at).map(|end| (end, Value::Text)),
    }
}

/// Where a line ends without the blanks and the remark behind it: a `#` at the beginning of a word that is no number.
fn before_remark(text: &Text<'_>, at: usize) -> usize {
    let blank = |at: usize| text.skip_blanks(at) > at;
    let begins = |here: usize| {
        text.byte(here) == b'#'
            && (here == at || blank(here - 1))
            && !text.byte(here + 1).is_ascii_digit()
    };
    let mut end = (at..text.len())
        .find(|here| begins(*here))
        .unwrap_or(text.len());
    while end > at && blank(end - 1) {
        end -= 1;
    }
    end
}

fn number(text: &Text<'_>, at: usize) -> Option<(usize, Value)> {
    let digits = at + usize::from(matches!(text.byte(at), b'-' | b'+'));
    let end = text.word_end(digits);
    let plus = usize::from(text.byte(at) == b'+');
    let value = text.folded(at + plus..end).parse().ok()?;
    (end > digits).then_some((end, Value::Number(value)))
}

fn decimal(text: &Text<'_>, at: usize) -> Option<(usize, Value)> {
    let digit = |at: usize| text.byte(at).is_ascii_digit();
    let mut end = at + usize::from(matches!(text.byte(at), b'-' | b'+'));
    let start = end;
    while digit(end) || (text.byte(end) == b'.' && digit(end + 1)) {
        end += 1;
    }
    let sound = end > start && !text.in_word(end);
    let value: f64 = text.folded(at..end).parse().ok()?;
    (sound && value.is_finite()).then_some((end, Value::Text))
}
