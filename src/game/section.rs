//! What the judge tells beside the common lines of a report: facts that name powers by number, each section in words of its
//! own (`mailtemplates/`). The projection keeps those that their reader may have and puts in what he calls the powers.

use std::collections::BTreeMap;

use super::Audience;
use dipjudge_rules::map::{Location, Power};
use dipjudge_rules::position::Unit;
use dipjudge_view::Words;

/// A section of a report or a list.
#[derive(Clone, Debug)]
pub struct Section {
    /// What it is told in.
    pub words: &'static Words,
    /// Who may have it.
    pub audience: Audience,
    /// What is put into the words, by the names that they use.
    pub fields: BTreeMap<&'static str, Fact>,
}

impl Section {
    /// A section for everybody, with nothing to put in.
    pub fn new(words: &'static Words) -> Section {
        Section {
            words,
            audience: Audience::Everyone,
            fields: BTreeMap::new(),
        }
    }

    /// The same for these alone.
    pub fn to(self, audience: Audience) -> Section {
        Section { audience, ..self }
    }

    /// The same with something to put in.
    pub fn with(mut self, name: &'static str, fact: impl Into<Fact>) -> Section {
        self.fields.insert(name, fact.into());
        self
    }
}

/// Something to be told.
#[derive(Clone, Debug)]
pub enum Fact {
    /// No such thing here: a template asks with `is none`.
    None,
    /// Words that are the same for all.
    Text(String),
    /// A number, which a template can compare and count with.
    Number(i64),
    /// Whether something is so.
    Flag(bool),
    /// A power: `name`, `adjective` and `introduced` in the template, as its reader calls it.
    Power(Power),
    /// A place by its full name.
    Place(Location),
    /// A unit: `power`, `kind`, `place` and `short` (`A PRU`).
    Unit(Unit),
    /// Facts of one sort, which a template goes through in this order.
    List(Vec<Fact>),
    /// What belongs together, by the names that the template uses.
    Record(BTreeMap<&'static str, Fact>),
    /// What is for some readers alone: nothing for others, and in a list no item.
    For(Audience, Box<Fact>),
}

impl Fact {
    /// What belongs together.
    pub fn record<const N: usize>(fields: [(&'static str, Fact); N]) -> Fact {
        Fact::Record(BTreeMap::from(fields))
    }

    /// Several of a kind.
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

facts!(String => Text, &str => Text, i32 => Number, u32 => Number, bool => Flag, Power => Power, Location => Place,
    Unit => Unit, Vec<Fact> => List);

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
