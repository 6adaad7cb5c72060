//! Reports beyond the common lines: facts that name powers by number, one text for each section (`mailtemplates/`). The
//! projection keeps the facts that their reader may have and replaces powers by his labels.

use std::collections::BTreeMap;

use super::Audience;
use dipjudge_rules::map::{Location, Power};
use dipjudge_rules::position::Unit;
use dipjudge_view::Words;

/// A section of a report or a list. It is made for an audience:
///
/// ```
/// use dipjudge_game::{Audience, Section};
/// use dipjudge_view::Words;
///
/// static WORDS: Words = Words { file: "spies/seen.md", text: "# Seen" };
///
/// fn seen() -> Section {
///     Section::new(Audience::Masters, &WORDS).with("spies", 2u32)
/// }
/// ```
///
/// ```compile_fail
/// # use dipjudge_game::{Audience, Section};
/// # use dipjudge_view::Words;
/// # static WORDS: Words = Words { file: "spies/seen.md", text: "# Seen" };
/// fn seen() -> Section {
///     Section::new(&WORDS).with("spies", 2u32)
/// }
/// ```
///
/// A text that is put together at run time says for whom it is, too:
///
/// ```
/// # use dipjudge_game::{Audience, Fact, Section};
/// fn ordered(order: String) -> Fact {
///     Fact::text(Audience::Masters, order)
/// }
/// ```
///
/// ```compile_fail
/// # use dipjudge_game::{Audience, Fact, Section};
/// fn ordered(order: String) -> Fact {
///     order.into()
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Section {
    pub(crate) words: &'static Words,
    pub(crate) audience: Audience,
    /// The facts in the text, by the names that it uses.
    pub(crate) fields: BTreeMap<&'static str, Fact>,
}

impl Section {
    /// A section for an audience, without facts.
    pub fn new(audience: Audience, words: &'static Words) -> Section {
        Section {
            words,
            audience,
            fields: BTreeMap::new(),
        }
    }

    /// The same with another fact.
    pub fn with(mut self, name: &'static str, fact: impl Into<Fact>) -> Section {
        self.fields.insert(name, fact.into());
        self
    }
}

/// A value that a text can print.
#[derive(Clone, Debug)]
pub enum Fact {
    /// No value; a template tests it with `is none`.
    None,
    /// A text that is the same for all its readers.
    Text(FactText),
    /// A number, which a template can compare and count with.
    Number(i64),
    /// A truth value.
    Flag(bool),
    /// A power: `name`, `adjective` and `introduced` in the template, in the reader's words.
    Power(Power),
    /// A place by its full name.
    Place(Location),
    /// A unit: `power`, `kind`, `place` and `short` (`A PRU`).
    Unit(Unit),
    /// A list of facts, which a template iterates over in this order.
    List(Vec<Fact>),
    /// Facts by the names that the template uses.
    Record(BTreeMap<&'static str, Fact>),
    /// A fact for some readers only. For others it is `None`, and left out of a list.
    For(Audience, Box<Fact>),
}

/// A text in a fact: a word of the program's own, or one made for an audience ([`Fact::text`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FactText(String);

impl FactText {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Fact {
    /// A text for an audience.
    pub fn text(to: Audience, text: impl Into<String>) -> Fact {
        let text = Fact::Text(FactText(text.into()));
        match to {
            Audience::Everyone => text,
            to => Fact::For(to, Box::new(text)),
        }
    }

    /// Facts by name.
    pub fn record<const N: usize>(fields: [(&'static str, Fact); N]) -> Fact {
        Fact::Record(BTreeMap::from(fields))
    }

    /// A list of facts.
    pub fn list<T: Into<Fact>>(all: impl IntoIterator<Item = T>) -> Fact {
        Fact::List(all.into_iter().map(Into::into).collect())
    }
}

macro_rules! facts {
    ($($from:ty => $fact:ident),+) => {
        $(impl From<$from> for Fact {
            fn from(value: $from) -> Fact {
                Fact::$fact(value.into())
            }
        })+
    };
}

facts!(i32 => Number, u32 => Number, bool => Flag, Power => Power, Location => Place,
    Unit => Unit, Vec<Fact> => List);

/// A word of the program's own.
impl From<&'static str> for Fact {
    fn from(word: &'static str) -> Fact {
        Fact::Text(FactText(word.to_owned()))
    }
}

impl From<usize> for Fact {
    fn from(value: usize) -> Fact {
        Fact::Number(i64::try_from(value).unwrap_or(i64::MAX))
    }
}

impl<T: Into<Fact>> From<Option<T>> for Fact {
    fn from(value: Option<T>) -> Fact {
        value.map_or(Fact::None, Into::into)
    }
}
