//! Sentences that name powers by their number; the projection inserts the reader's names for them.

use dipjudge_rules::map::Power;

/// A sentence for a reader who is not known yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sentence(Vec<SentencePart>);

/// A part of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SentencePart {
    /// A text that is the same for all readers.
    Words(String),
    /// A power's name, in the reader's words.
    Power(Power),
    /// The names of several powers, in the order of the reader's words for them.
    Powers(Vec<Power>),
    /// A sentence that names a power's leader; left out if the reader may not know it.
    Leader(Power),
}

impl Sentence {
    /// A sentence without a power's name.
    pub fn of(words: impl Into<String>) -> Sentence {
        Sentence(vec![SentencePart::Words(words.into())])
    }

    /// Appends a text.
    pub fn words(mut self, words: impl Into<String>) -> Sentence {
        self.0.push(SentencePart::Words(words.into()));
        self
    }

    /// Appends a power's name.
    pub fn power(mut self, power: Power) -> Sentence {
        self.0.push(SentencePart::Power(power));
        self
    }

    /// Appends the names of several powers: `Babel, Carthage`.
    pub fn powers(mut self, powers: impl IntoIterator<Item = Power>) -> Sentence {
        let powers = powers.into_iter().collect();
        self.0.push(SentencePart::Powers(powers));
        self
    }

    /// Appends a sentence that names a power's leader, for readers who may know it.
    pub fn leader(mut self, power: Power) -> Sentence {
        self.0.push(SentencePart::Leader(power));
        self
    }

    /// Appends another sentence.
    pub fn then(mut self, other: Sentence) -> Sentence {
        self.0.extend(other.0);
        self
    }

    /// Its parts, in order.
    pub fn parts(&self) -> &[SentencePart] {
        &self.0
    }
}
