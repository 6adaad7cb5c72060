//! The entries of the pages of frequent questions that a question is about, by the words that it shares with what people ask.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use super::passages::tells;
use super::prose::is_written_as_name;
use super::subjects::{Asker, stems};

/// A page of frequent questions.
#[derive(Debug, Clone, Copy)]
pub struct FrequentPage<'a> {
    /// Entries that empty lines part, each of questions and below them the answer, whose lines are indented.
    pub text: &'a str,
    /// Who asks what it answers.
    pub asked_by: AskedBy,
}

/// Who asks what a page of frequent questions answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AskedBy {
    /// Anybody.
    Anybody,
    /// Players of the variant that an entry names.
    PlayersOfVariant,
    /// Masters for the most part.
    Masters,
}

/// Some questions that mean the same, and their answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrequentQuestion {
    /// The first line of the questions.
    head: String,
    /// The questions as they stand on the page.
    pub asked: String,
    /// Who asks them.
    asked_by: AskedBy,
    /// The lines of the answer.
    pub answer: String,
    /// Each word that people ask it with, and in how many of their questions it stands.
    words: BTreeMap<String, usize>,
    /// The words of the answer.
    answered: BTreeSet<String>,
}

/// The entries that a question is about.
#[derive(Debug, Default)]
pub struct FrequentFound<'a> {
    /// The best first.
    pub entries: Vec<&'a FrequentQuestion>,
    /// Whether the question is about one of them more likely than about a subject that only may be meant.
    pub likely: bool,
    /// Whether the question can hardly be about anything else.
    pub sure: bool,
}

/// More ways to ask what the pages answer.
const WAYS: &str = include_str!("../../grammar/questions.txt");

/// By a word without its ending, signs of the groups of words in which it stands (`grammar/alike.txt`).
static ALIKE: LazyLock<BTreeMap<String, Vec<String>>> = LazyLock::new(|| {
    let mut alike: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let lines = include_str!("../../grammar/alike.txt").lines();
    let groups = lines.filter(|line| !line.starts_with('#'));
    for (number, group) in groups.enumerate() {
        for word in BTreeSet::from_iter(stems(group)) {
            alike
                .entry(word)
                .or_default()
                .push(format!("{GROUP}{number}"));
        }
    }
    alike
});

/// The pages of frequent questions.
#[derive(Debug, Default)]
pub struct FrequentQuestions {
    entries: Vec<FrequentQuestion>,
    /// In how many entries each word is asked.
    spread: BTreeMap<String, usize>,
}

/// How a group of words that mean nearly the same begins; no word begins so.
const GROUP: char = '#';
/// How much a word counts that questions of all kinds have.
const OF_COMMON: f64 = 0.7;
/// How much two words count that stand together, beside each of them.
const OF_PAIR: f64 = 0.3;
/// How much a group of words that mean nearly the same counts, beside the word.
const OF_GROUP: f64 = 0.8;
/// How much an entry counts that masters ask for, if somebody else asks.
const OF_MASTERS: f64 = 0.8;
/// How much an entry counts that is about the variant of the game, or one that the question names: it tells what differs there.
const OF_VARIANT: f64 = 1.3;
/// What a word counts that stands in the answer, beside what it counts as one that is asked.
const IN_ANSWER: f64 = 0.3;
/// How fast a word counts more that more of the ways to ask an entry have: with so many it counts half of the most.
const HALF_OF_MOST: f64 = 1.2;
/// What the words of a question of the usual length are worth together.
const OF_USUAL: f64 = 32.0;
/// The least score at which an entry is told; 1 is a question of the usual length each of whose words stands in one way to ask it.
const LEAST: f64 = 0.57;
/// The same if it shares one telling word with the question.
const LEAST_OF_ONE: f64 = 0.7;
/// The least score at which they are told in place of what only may be meant.
const LIKELY: f64 = 0.85;
/// The least score at which nothing else is told, and by how much of it the next entry must be worse.
const SURE: [(f64, f64); 2] = [(0.6, 0.3), (1.1, 0.2)];
/// Another entry is told too if it is so near to the best one.
const NEAR: f64 = 0.75;
/// The most entries that are told.
const MOST_TOLD: usize = 3;
/// The fewest telling words that a question must share with an entry, unless one of them is asked in so few entries.
const FEWEST_SHARED: usize = 2;
const RARE: usize = 6;

impl FrequentQuestions {
    /// Reads the pages. More ways to ask what they answer stand in `grammar/questions.txt`.
    pub fn read(pages: &[FrequentPage]) -> FrequentQuestions {
        FrequentQuestions::of(pages, &ways_to_ask(WAYS))
    }

    fn of(pages: &[FrequentPage], more: &BTreeMap<&str, Vec<&str>>) -> FrequentQuestions {
        let read = |page: &FrequentPage| {
            let asked_by = page.asked_by;
            let parts = page.text.split("\n\n");
            let parts = parts.filter_map(move |part| FrequentQuestion::read(part, asked_by));
            parts.collect::<Vec<FrequentQuestion>>()
        };
        let mut entries: Vec<FrequentQuestion> = pages.iter().flat_map(read).collect();
        let mut spread = BTreeMap::new();
        for entry in &mut entries {
            let more = more.get(entry.head.as_str()).into_iter().flatten();
            more.for_each(|way| entry.add_way(way));
            for word in entry.words.keys() {
                *spread.entry(word.clone()).or_default() += 1;
            }
        }
        FrequentQuestions { entries, spread }
    }

    /// The entries that a question is about, the best first; none, if too little speaks for any. Entries about a variant of `others`
    /// count only if the question names it, and others about a variant more; those that masters ask for count less if somebody else
    /// asks.
    pub fn about(&self, question: &str, asker: Asker, others: &[&str]) -> FrequentFound<'_> {
        let words = words_of(question);
        let open = self.entries.iter();
        let open = open.filter(|entry| entry.is_open(question, others));
        let scored = self.scored(&words, asker, open);
        let Some((first, best)) = scored.first().copied() else {
            return FrequentFound::default();
        };
        let telling = words.iter().filter(|word| is_single(word) && tells(word));
        let telling: Vec<&String> = telling.collect();
        let shared = telling
            .iter()
            .filter(|word| first.words.contains_key(**word));
        let shared: Vec<&&String> = shared.collect();
        let is_rare = |word: &&&String| self.spread.get(**word).is_some_and(|with| *with <= RARE);
        // "Who is leading?", but not "Deal?"
        let fewest = FEWEST_SHARED.min(telling.len().max(1));
        let is_one_word = words.iter().filter(|word| is_single(word)).count() < 2;
        let is_marked = question.trim_end().ends_with('?');
        let tells_enough =
            !is_one_word && (shared.len() >= fewest || is_marked && shared.iter().any(is_rare));
        let least = if shared.len() < FEWEST_SHARED {
            LEAST_OF_ONE
        } else {
            LEAST
        };
        if best < least || !tells_enough {
            return FrequentFound::default();
        }
        let next = scored.get(1).map_or(0.0, |(_, score)| *score);
        let sure = SURE
            .iter()
            .any(|(least, lead)| best >= *least && next <= best * (1.0 - lead));
        let near = scored.iter().filter(|(_, score)| *score >= best * NEAR);
        let near = near.map(|(entry, _)| *entry);
        FrequentFound {
            entries: near.take(if sure { 1 } else { MOST_TOLD }).collect(),
            likely: sure || best >= LIKELY,
            sure,
        }
    }

    /// Those entries with one of the words of a question, each with its score, the best first: what the words are worth for the
    /// entry, of what they are worth. A long question holds more that speaks for none, so its length counts half.
    fn scored<'e>(
        &self,
        words: &BTreeSet<String>,
        asker: Asker,
        open: impl Iterator<Item = &'e FrequentQuestion>,
    ) -> Vec<(&'e FrequentQuestion, f64)> {
        let worth: Vec<(&String, f64)> =
            words.iter().map(|word| (word, self.worth(word))).collect();
        let all: f64 = worth.iter().map(|(_, worth)| worth).sum();
        let scored = open.map(|entry| {
            let shared = worth
                .iter()
                .map(|(word, worth)| entry.share_of(word) * worth);
            let shared = shared.sum::<f64>() * entry.counts_for(asker);
            (entry, shared / (all * OF_USUAL).sqrt().max(f64::EPSILON))
        });
        let mut scored: Vec<_> = scored.filter(|(_, score)| *score > 0.0).collect();
        scored.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        scored
    }

    /// What a word is worth: more, the fewer entries are asked with it.
    fn worth(&self, word: &str) -> f64 {
        let with = self.spread.get(word).copied().unwrap_or(0) as f64;
        let worth = (self.entries.len() as f64 / (with + 0.5)).ln_1p();
        match word {
            pair if pair.contains(' ') => worth * OF_PAIR,
            group if group.starts_with(GROUP) => worth * OF_GROUP,
            word if tells(word) => worth,
            _ => worth * OF_COMMON,
        }
    }
}

/// The ways to ask entries of the page, by the first lines of these.
fn ways_to_ask(ways_to_ask: &str) -> BTreeMap<&str, Vec<&str>> {
    let mut ways: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut of = None;
    for line in ways_to_ask.lines() {
        if let Some(head) = line.strip_prefix('[') {
            of = Some(ways.entry(head.trim_end_matches(']')).or_default());
        } else if let (Some(way), Some(of)) = (line.strip_prefix("- "), &mut of) {
            of.push(way);
        }
    }
    ways
}

/// The words of a question, without names, each two of them that stand together, and the groups of words that mean nearly the
/// same as one of them.
fn words_of(question: &str) -> BTreeSet<String> {
    let words = stems(&without_names(question));
    let pairs = words.windows(2).map(|pair| pair.join(" "));
    let groups = words.iter().filter_map(|word| ALIKE.get(word)).flatten();
    pairs
        .chain(groups.cloned())
        .chain(words.iter().cloned())
        .collect()
}

/// Whether this is a word, and neither two that stand together nor a group.
fn is_single(word: &str) -> bool {
    !word.contains(' ') && !word.starts_with(GROUP)
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
    fn read(part: &str, asked_by: AskedBy) -> Option<FrequentQuestion> {
        let part = part.trim_matches('\n');
        let is_answer = |line: &&str| line.starts_with(' ');
        let asked: Vec<&str> = part.lines().take_while(|line| !is_answer(line)).collect();
        let answer: Vec<&str> = part.lines().filter(is_answer).collect();
        if asked.is_empty() || answer.is_empty() {
            return None;
        }
        let head = asked.first()?;
        let asked = asked.join(" ");
        let mut entry = FrequentQuestion {
            head: (*head).to_owned(),
            answered: stems(&answer.join(" ")).into_iter().collect(),
            answer: answer.join("\n"),
            words: BTreeMap::new(),
            asked_by,
            asked: String::new(),
        };
        for question in asked.split_inclusive(['?', '.']) {
            entry.add_way(question);
        }
        Some(FrequentQuestion { asked, ..entry })
    }

    /// Adds a way to ask it.
    fn add_way(&mut self, way: &str) {
        for word in words_of(way) {
            *self.words.entry(word).or_default() += 1;
        }
    }

    /// Whether this entry is about no variant of `others` that the question does not name.
    fn is_open(&self, question: &str, others: &[&str]) -> bool {
        let mut others = others.iter();
        !others.any(|name| self.asked.contains(name) && !question.contains(name))
    }

    /// How much this entry counts for who asks.
    fn counts_for(&self, asker: Asker) -> f64 {
        match self.asked_by {
            AskedBy::Masters if asker != Asker::Master => OF_MASTERS,
            AskedBy::PlayersOfVariant => OF_VARIANT,
            AskedBy::Anybody | AskedBy::Masters => 1.0,
        }
    }

    /// How much a word of a question counts for this entry.
    fn share_of(&self, word: &str) -> f64 {
        let with = self.words.get(word).copied().unwrap_or(0) as f64;
        let asked = with * (1.0 + HALF_OF_MOST) / (with + HALF_OF_MOST);
        let answered = f64::from(u8::from(with > 0.0 && self.answered.contains(word)));
        asked + answered * IN_ANSWER
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGES: [(&str, AskedBy); 4] = [
        ("questions", AskedBy::Anybody),
        ("questions.rules", AskedBy::Anybody),
        ("questions.variants", AskedBy::PlayersOfVariant),
        ("questions.master", AskedBy::Masters),
    ];
    const VARIANTS: [&str; 7] = [
        "Bridge",
        "Chaos",
        "CivDip",
        "Life",
        "Outer Space",
        "Rather Silly",
        "Winter 1900",
    ];

    /// The texts of all pages.
    fn texts() -> Vec<(String, AskedBy)> {
        let read = |(name, asked_by): (&str, AskedBy)| {
            let path = format!("../../mailtemplates/pages/{name}.txt");
            (std::fs::read_to_string(path).unwrap(), asked_by)
        };
        PAGES.into_iter().map(read).collect()
    }

    fn pages(texts: &[(String, AskedBy)]) -> Vec<FrequentPage<'_>> {
        let pages = texts.iter().map(|(text, asked_by)| FrequentPage {
            text,
            asked_by: *asked_by,
        });
        pages.collect()
    }

    fn page() -> FrequentQuestions {
        FrequentQuestions::read(&pages(&texts()))
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
                "my fleet that convoys is attacked but stays put, does the convoy still go through?",
                "My convoying fleet is attacked",
            ),
        ] {
            let found = page.about(question, Asker::Player, &[]);
            let first = found
                .entries
                .first()
                .map_or("", |entry| entry.asked.as_str());
            assert!(first.starts_with(entry), "{question} {first}");
        }
    }

    /// Three in ten ways to ask are looked up on pages that do not have them, by who may ask it: in a game of the variant that the
    /// entry is about, by a master if masters ask it. The shares are of what the pages find today.
    #[test]
    fn ways_that_the_pages_do_not_have_find_their_entry() {
        let texts = texts();
        let pages = pages(&texts);
        let all = FrequentQuestions::read(&pages);
        let ways = ways_to_ask(WAYS);
        let parts = 10;
        let (mut asked, mut found, mut sure, mut sure_and_right) = (0, 0, 0, 0);
        for part in 0..3 {
            let without = ways.iter().map(|(head, ways)| {
                let kept = ways.iter().enumerate().filter(|(at, _)| at % parts != part);
                (*head, kept.map(|(_, way)| *way).collect())
            });
            let read = FrequentQuestions::of(&pages, &without.collect());
            for entry in &all.entries {
                let others = VARIANTS.iter().filter(|name| !entry.asked.contains(**name));
                let others: Vec<&str> = others.copied().collect();
                let asker = match entry.asked_by {
                    AskedBy::Masters => Asker::Master,
                    AskedBy::Anybody | AskedBy::PlayersOfVariant => Asker::Player,
                };
                let ways = ways.get(entry.head.as_str()).into_iter().flatten();
                for way in ways.skip(part).step_by(parts) {
                    let told = read.about(way, asker, &others);
                    let is_right = |found: &&FrequentQuestion| found.head == entry.head;
                    asked += 1;
                    found += usize::from(told.entries.iter().any(is_right));
                    sure += usize::from(told.sure);
                    let first_is_right = told.entries.first().is_some_and(is_right);
                    sure_and_right += usize::from(told.sure && first_is_right);
                }
            }
        }
        assert!(found * 100 >= asked * 48, "{found} of {asked}");
        assert!(
            sure_and_right * 100 >= sure * 81,
            "{sure_and_right} of {sure}"
        );
    }

    #[test]
    fn what_masters_ask_stands_behind_what_others_ask() {
        let page = page();
        let first_for = |asker| {
            let found = page.about("Who can pause the game over the holidays?", asker, &[]);
            found.entries.first().map(|entry| entry.asked_by)
        };
        assert_eq!(first_for(Asker::Master), Some(AskedBy::Masters));
        assert_eq!(first_for(Asker::Player), Some(AskedBy::Anybody));
    }

    #[test]
    fn every_way_to_ask_belongs_to_an_entry() {
        let page = page();
        let heads: BTreeSet<&str> = page
            .entries
            .iter()
            .map(|entry| entry.head.as_str())
            .collect();
        for head in ways_to_ask(WAYS).keys() {
            assert!(
                heads.contains(head),
                "no entry of the pages begins with {head}"
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
            assert!(
                page.about(question, Asker::Player, &[]).entries.is_empty(),
                "{question}"
            );
        }
        let others = ["Rather Silly"];
        assert!(
            page.about("What do the llamas do?", Asker::Player, &others)
                .entries
                .is_empty()
        );
        assert!(
            !page
                .about(
                    "What do the llamas of Rather Silly do?",
                    Asker::Player,
                    &others
                )
                .entries
                .is_empty()
        );
    }
}
