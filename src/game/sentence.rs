//! Sentences that name powers by their number: the projection puts in what their reader calls them.

use dipjudge_rules::map::Power;

/// A sentence for a reader who is not known yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sentence(Vec<SentencePart>);

/// A part of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SentencePart {
    /// Words that are the same for all.
    Words(String),
    /// A power's name, as the reader calls it.
    Power(Power),
    /// The names of several powers, in the order of the reader's words for them.
    Powers(Vec<Power>),
    /// Who leads a power, in a sentence of its own; nothing where the reader is not told.
    Leader(Power),
}

impl Sentence {
    /// A sentence without any power's name.
    pub fn of(words: impl Into<String>) -> Sentence {
        Sentence(vec![SentencePart::Words(words.into())])
    }

    /// The sentence with further words.
    pub fn words(mut self, words: impl Into<String>) -> Sentence {
        self.0.push(SentencePart::Words(words.into()));
        self
    }

    /// The sentence with a power's name.
    pub fn power(mut self, power: Power) -> Sentence {
        self.0.push(SentencePart::Power(power));
        self
    }

    /// The sentence with the names of several powers: `Babel, Carthage`.
    pub fn powers(mut self, powers: impl IntoIterator<Item = Power>) -> Sentence {
        let powers = powers.into_iter().collect();
        self.0.push(SentencePart::Powers(powers));
        self
    }

    /// The sentence with one behind it that says who leads a power, for those who may know.
    pub fn leader(mut self, power: Power) -> Sentence {
        self.0.push(SentencePart::Leader(power));
        self
    }

    /// The sentence with another behind it.
    pub fn then(mut self, other: Sentence) -> Sentence {
        self.0.extend(other.0);
        self
    }

    /// Its parts, in order.
    pub fn parts(&self) -> &[SentencePart] {
        &self.0
    }
}
