//! The entries of the page of frequent questions that a question is about, by the words that it shares with theirs.

use std::collections::{BTreeMap, BTreeSet};

use super::passages::tells;
use super::prose::is_written_as_name;
use super::subjects::stems;

/// Some questions that mean the same, and their answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrequentQuestion {
    /// The first line of the questions.
    head: String,
    /// The questions as they stand on the page.
    pub asked: String,
    /// The lines of the answer.
    pub answer: String,
    /// Each word of the questions, and how many of them have it.
    words: BTreeMap<String, usize>,
    /// The words of the answer.
    answered: BTreeSet<String>,
    /// The words of each way in which people ask it.
    ways: Vec<BTreeSet<String>>,
}

/// The entries that a question is about.
#[derive(Debug, Default)]
pub struct FrequentFound<'a> {
    /// The best first.
    pub entries: Vec<&'a FrequentQuestion>,
    /// Whether the question can hardly be about anything else.
    pub sure: bool,
}

/// More ways to ask what the page answers.
const WAYS: &str = include_str!("../../grammar/questions.txt");

/// The page of frequent questions.
#[derive(Debug, Default)]
pub struct FrequentQuestions {
    entries: Vec<FrequentQuestion>,
    /// In how many entries each word is asked.
    spread: BTreeMap<String, usize>,
    /// The number of ways to ask, of all entries.
    ways: usize,
    /// In how many of them each word stands.
    spread_of_ways: BTreeMap<String, usize>,
}

/// What the words that an entry shares with a question must be worth together, and how much of the worth of all its words that must
/// be: the more is shared, the less of the question need it be.
const ENOUGH: [(f64, f64); 4] = [(3.8, 0.6), (6.0, 0.45), (10.0, 0.38), (14.0, 0.28)];
/// The same, where nothing else need be told.
const SURE: [(f64, f64); 2] = [(4.9, 0.75), (6.0, 0.6)];
/// What the word of a question must be worth in which just one tells anything.
const LEAST_OF_ONE: f64 = 5.0;
/// A word that no entry asks is worth as much as one that so many ask.
const OF_UNKNOWN: f64 = 20.0;
/// What a word counts that stands in the answer alone.
const IN_ANSWER: f64 = 0.4;
/// Another entry is told too if it is so near to the best one.
const NEAR: f64 = 0.8;
/// The least likeness of a question and a way to ask an entry, from 0 to 1, at which the entry is told, and at which nothing else is.
const LIKE: f64 = 0.66;
const SURELY_LIKE: f64 = 0.78;
/// The most entries that are told.
const MOST_TOLD: usize = 2;

impl FrequentQuestions {
    /// Reads the page: entries that empty lines part, each of questions and below them the answer, whose lines are indented. More
    /// ways to ask them stand in `grammar/questions.txt`.
    pub fn read(page: &str) -> FrequentQuestions {
        let parts = page.split("\n\n").map(|part| part.trim_matches('\n'));
        let mut entries: Vec<FrequentQuestion> = parts.filter_map(FrequentQuestion::read).collect();
        let more = ways_to_ask();
        let mut spread_of_ways = BTreeMap::new();
        for entry in &mut entries {
            let more = more.get(entry.head.as_str()).into_iter().flatten();
            entry.ways.extend(more.map(|way| words_of(way)));
            for word in entry.ways.iter().flatten() {
                *spread_of_ways.entry(word.clone()).or_default() += 1;
            }
        }
        let mut spread = BTreeMap::new();
        for entry in &entries {
            for word in entry.words.keys() {
                *spread.entry(word.clone()).or_default() += 1;
            }
        }
        FrequentQuestions {
            ways: entries.iter().map(|entry| entry.ways.len()).sum(),
            entries,
            spread,
            spread_of_ways,
        }
    }

    /// The entries that a question is about, the best first; none, if too little speaks for any. Entries about a variant of `others`
    /// count only if the question names it.
    pub fn about(&self, question: &str, others: &[&str]) -> FrequentFound<'_> {
        let by_words = self.by_words(question, others);
        if by_words.sure {
            return by_words;
        }
        let by_ways = self.by_ways(question, others);
        if by_ways.sure || by_words.entries.is_empty() {
            return by_ways;
        }
        by_words
    }

    /// The entries of which a way to ask is like the question.
    fn by_ways(&self, question: &str, others: &[&str]) -> FrequentFound<'_> {
        let words = words_of(&without_names(question));
        let open = self.entries.iter();
        let open = open.filter(|entry| entry.is_open(question, others));
        let likeness = |entry: &FrequentQuestion| {
            let all = entry.ways.iter().map(|way| self.likeness(&words, way));
            all.fold(0.0, f64::max)
        };
        let mut scored: Vec<(&FrequentQuestion, f64)> =
            open.map(|entry| (entry, likeness(entry))).collect();
        scored.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        let Some((_, best)) = scored.first().copied().filter(|(_, best)| *best >= LIKE) else {
            return FrequentFound::default();
        };
        FrequentFound {
            entries: nearest(scored, best),
            sure: best >= SURELY_LIKE,
        }
    }

    /// How alike two sets of words are, from 0 to 1: the cosine between them, where a word counts more the fewer ways have it.
    fn likeness(&self, one: &BTreeSet<String>, other: &BTreeSet<String>) -> f64 {
        let worth = |word: &String| {
            let with = self.spread_of_ways.get(word).copied().unwrap_or(1);
            (self.ways as f64 / with as f64).ln().powi(2)
        };
        let shared: Vec<&String> = one.intersection(other).collect();
        if shared.len() < 2 {
            return 0.0;
        }
        let sum = |words: &BTreeSet<String>| words.iter().map(worth).sum::<f64>();
        let length = (sum(one) * sum(other)).sqrt();
        shared.into_iter().map(worth).sum::<f64>() / length.max(f64::EPSILON)
    }

    /// The entries whose questions and answer share enough words with the question.
    fn by_words(&self, question: &str, others: &[&str]) -> FrequentFound<'_> {
        let words: BTreeSet<String> = stems(&without_names(question)).into_iter().collect();
        let words: Vec<&String> = words.iter().filter(|word| tells(word)).collect();
        let all: f64 = words.iter().map(|word| self.worth(word)).sum();
        let open = self.entries.iter();
        let open = open.filter(|entry| entry.is_open(question, others));
        let scored = open.map(|entry| {
            let shared = words
                .iter()
                .map(|word| entry.share_of(word) * self.worth(word));
            (entry, shared.sum::<f64>())
        });
        let mut scored: Vec<(&FrequentQuestion, f64)> = scored.collect();
        scored.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        let Some((_, best)) = scored.first().copied() else {
            return FrequentFound::default();
        };
        let shares = |entry: &FrequentQuestion| {
            let asked = words.iter().filter(|word| entry.words.contains_key(**word));
            asked.count()
        };
        // "How can I mail everybody?" is not about what everybody did.
        if words.len() > 1 && scored.first().is_some_and(|(entry, _)| shares(entry) < 2) {
            return FrequentFound::default();
        }
        // "Will you be home?"
        if words.len() < 2 && best < LEAST_OF_ONE {
            return FrequentFound::default();
        }
        let reaches = |least: &[(f64, f64)]| {
            let mut least = least.iter();
            least.any(|(worth, part)| best >= *worth && best >= all * part)
        };
        if !reaches(&ENOUGH) {
            return FrequentFound::default();
        }
        FrequentFound {
            entries: nearest(scored, best),
            sure: reaches(&SURE),
        }
    }

    /// What a word is worth: more, the fewer entries ask it. A word that none asks counts as one that few ask.
    fn worth(&self, word: &str) -> f64 {
        let with = self
            .spread
            .get(word)
            .map_or(OF_UNKNOWN, |with| *with as f64);
        (self.entries.len() as f64 / with).ln().max(0.0)
    }
}

/// The entries that are told of those with these scores, of which this one is the best.
fn nearest(scored: Vec<(&FrequentQuestion, f64)>, best: f64) -> Vec<&FrequentQuestion> {
    let near = scored
        .into_iter()
        .filter(|(_, score)| *score >= best * NEAR);
    near.take(MOST_TOLD).map(|(entry, _)| entry).collect()
}

/// The ways to ask entries of the page, by the first lines of these.
fn ways_to_ask() -> BTreeMap<&'static str, Vec<&'static str>> {
    let mut ways: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut of = None;
    for line in WAYS.lines() {
        if let Some(head) = line.strip_prefix('[') {
            of = Some(ways.entry(head.trim_end_matches(']')).or_default());
        } else if let (Some(way), Some(of)) = (line.strip_prefix("- "), &mut of) {
            of.push(way);
        }
    }
    ways
}

/// The words of a question that tell something.
fn words_of(question: &str) -> BTreeSet<String> {
    let words = stems(question).into_iter();
    words.filter(|word| tells(word)).collect()
}

/// A question without the names in it, which begin with a capital letter and go on with small ones: powers, provinces, people.
fn without_names(question: &str) -> String {
    let is_name = |(at, word): &(usize, &str)| {
        let word = word.trim_matches(|sign: char| !sign.is_alphanumeric());
        *at > 0 && word.chars().count() > 1 && is_written_as_name(word)
    };
    let words = question.split_whitespace().enumerate();
    let kept: Vec<&str> = words
        .filter(|word| !is_name(word))
        .map(|(_, word)| word)
        .collect();
    kept.join(" ")
}

impl FrequentQuestion {
    fn read(part: &str) -> Option<FrequentQuestion> {
        let is_answer = |line: &&str| line.starts_with(' ');
        let asked: Vec<&str> = part.lines().take_while(|line| !is_answer(line)).collect();
        let answer: Vec<&str> = part.lines().filter(is_answer).collect();
        if asked.is_empty() || answer.is_empty() {
            return None;
        }
        let head = asked.first()?;
        let asked = asked.join(" ");
        let mut words = BTreeMap::new();
        for question in asked.split_inclusive(['?', '.']) {
            let of_question: BTreeSet<String> = stems(question).into_iter().collect();
            for word in of_question {
                *words.entry(word).or_default() += 1;
            }
        }
        let parts = asked.split_inclusive(['?', '.']);
        Some(FrequentQuestion {
            ways: parts
                .map(words_of)
                .filter(|words| !words.is_empty())
                .collect(),
            head: (*head).to_owned(),
            answered: stems(&answer.join(" ")).into_iter().collect(),
            asked,
            answer: answer.join("\n"),
            words,
        })
    }

    /// Whether this entry is about no variant of `others` that the question does not name.
    fn is_open(&self, question: &str, others: &[&str]) -> bool {
        let mut others = others.iter();
        !others.any(|name| self.asked.contains(name) && !question.contains(name))
    }

    /// How much a word of a question counts for this entry.
    fn share_of(&self, word: &str) -> f64 {
        match self.words.get(word) {
            Some(1) => 1.0,
            Some(_) => 1.15,
            None if self.answered.contains(word) => IN_ANSWER,
            None => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page() -> FrequentQuestions {
        let page = std::fs::read_to_string("../../mailtemplates/pages/questions.txt").unwrap();
        FrequentQuestions::read(&page)
    }

    #[test]
    fn a_question_finds_the_entry_that_answers_it() {
        let page = page();
        for (question, entry) in [
            (
                "What is that SHA-256 gibberish in the starting mail?",
                "What is the SHA-256 line",
            ),
            (
                "Can I attach a picture to a letter to Finn?",
                "May I attach a picture",
            ),
            (
                "So can a watcher see the orders before the deadline?",
                "May watchers see",
            ),
            ("Who is leading?", "How many centers are there"),
            (
                "Have you got something like that with a seat free?",
                "Which games wait for players",
            ),
        ] {
            let found = page.about(question, &[]);
            let first = found
                .entries
                .first()
                .map_or("", |entry| entry.asked.as_str());
            assert!(first.starts_with(entry), "{question} {first}");
        }
    }

    #[test]
    fn every_way_to_ask_belongs_to_an_entry() {
        let page = page();
        let heads: BTreeSet<&str> = page
            .entries
            .iter()
            .map(|entry| entry.head.as_str())
            .collect();
        for head in ways_to_ask().keys() {
            assert!(
                heads.contains(head),
                "no entry of the page begins with {head}"
            );
        }
    }

    #[test]
    fn talk_and_other_variants_find_none() {
        let page = page();
        for question in [
            "What do you say to Greece for me?",
            "Will you be home for Christmas?",
            "Can you do that?",
        ] {
            assert!(page.about(question, &[]).entries.is_empty(), "{question}");
        }
        let others = ["Rather Silly"];
        assert!(
            page.about("What do the llamas do?", &others)
                .entries
                .is_empty()
        );
        assert!(
            !page
                .about("What do the llamas of Rather Silly do?", &others)
                .entries
                .is_empty()
        );
    }
}
