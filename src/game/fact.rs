//! Sentences that name powers by their number: the projection puts in what their reader calls them.

use crate::map::Power;

/// A sentence for a reader who is not known yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fact(Vec<FactPart>);

/// A part of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FactPart {
    /// Words that are the same for all.
    Words(String),
    /// A power's name, as the reader calls it.
    Power(Power),
}

impl Fact {
    /// A sentence without any power's name.
    pub fn of(words: impl Into<String>) -> Fact {
        Fact(vec![FactPart::Words(words.into())])
    }

    /// The sentence with further words.
    pub fn words(mut self, words: impl Into<String>) -> Fact {
        self.0.push(FactPart::Words(words.into()));
        self
    }

    /// The sentence with a power's name.
    pub fn power(mut self, power: Power) -> Fact {
        self.0.push(FactPart::Power(power));
        self
    }

    /// Its parts, in order.
    pub fn parts(&self) -> &[FactPart] {
        &self.0
    }
}
