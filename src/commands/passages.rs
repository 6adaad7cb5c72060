//! The passages of the rules pages that a question is about, by the rare words that they share (the ranking function BM25).

use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::subjects::{is_rare, stems};
use dipjudge_game::Variant;

/// A page of rules.
#[derive(Debug, Clone, Copy)]
pub struct RulesPage {
    /// The name of the variant whose rules they are.
    pub name: &'static str,
    /// All of its lines.
    pub text: &'static str,
}

impl RulesPage {
    /// That of a variant.
    pub fn of(variant: &dyn Variant) -> RulesPage {
        let card = variant.card();
        RulesPage {
            name: card.name,
            text: card.rules,
        }
    }
}

/// A numbered rule or a paragraph of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// The name of the variant on whose page it stands.
    pub page: &'static str,
    /// Its lines as they stand there.
    pub text: String,
    words: Vec<String>,
    /// The words of the heading above it.
    heading: Vec<String>,
    /// Its first words.
    first: Vec<String>,
}

/// The passages that a question is about.
#[derive(Debug, Default)]
pub struct PassagesFound {
    /// The best first.
    pub passages: Vec<Passage>,
    /// Whether the question has a term of the variant, so that it can be about nothing else.
    pub has_term: bool,
}

/// The most passages that a question is answered by.
const MOST_TOLD: usize = 3;
/// The most passages on one term of the game.
const MOST_OF_TERM: usize = 2;
/// What must speak for a passage that shares no term of the game with the question.
const LEAST: f64 = 4.0;
/// A word is a sign of what a question is about if it is worth this much: one passage in eight has it.
const TELLING: f64 = 2.0;
/// What all words of a question count where a passage on one of its terms is looked for.
const BESIDE: f64 = 0.3;
/// A passage is nearly the best if it has this part of its score.
const NEAR: f64 = 0.75;
/// Half of what a word can count comes from its first occurrence in a passage.
const SATURATION: f64 = 0.8;
/// How much a passage longer than the mean counts less.
const LENGTH: f64 = 0.4;
/// How much more a passage counts for a term that is among its first words: `5.2 A fort is ...` tells what a fort is.
const BEGINS: f64 = 1.5;
/// How much more it counts where the term stands in the heading.
const HEADED: f64 = 1.4;
/// How many words begin a passage.
const FIRST_WORDS: usize = 3;
/// Longer passages are tables and examples.
const MOST_LINES: usize = 12;

/// Words of questions of all kinds.
const COMMON: &str = "a an the i me my we our you your he she it its they their this that these those is are was were be been am do \
    does did done have has had can could may might must should shall will would not no yes and or but if then than so as of in on at by \
    to from with for about into over up down out off again still already just only also too very much many more most some any all each \
    every other another same own what which who whom whose when where why how there here now today please thanks thank hello hi dear \
    sorry ok okay get got go goes going come comes want wants wanted need needs know tell told say says mean means happen happens work \
    works thing things something anything nothing somebody anybody one two three first last next time way like really ever never after \
    before judge game games question variant rule rules explain word words little bit understand neither nor";

static COMMON_STEMS: LazyLock<BTreeSet<String>> =
    LazyLock::new(|| stems(COMMON).into_iter().collect());

/// Whether a stem is no word of questions of all kinds.
pub(super) fn tells(stem: &str) -> bool {
    stem.chars().count() > 2 && !COMMON_STEMS.contains(stem)
}

/// A word of a question, and what it is worth: more, the fewer passages have it.
struct Asked {
    word: String,
    worth: f64,
}

/// The passages that a question is about, the best first; none, if nothing in particular speaks for any. `own` is the page of the
/// variant, which tells what it changes in the standard game. A word that stands there alone, and in no example of what people
/// ask for, is a term of the variant and has passages of its own; else a passage must share several telling words.
pub fn passages_about(
    own: Option<RulesPage>,
    standard: RulesPage,
    question: &str,
) -> PassagesFound {
    let mut all: Vec<Passage> = own.iter().flat_map(passages_of).collect();
    let of_variant = all.len();
    all.extend(passages_of(&standard));
    let (own, standard) = all.split_at(of_variant);
    let is_term = |word: &str| {
        let stands_in = |page: &[Passage]| page.iter().any(|one| one.has(word));
        is_rare(word) && stands_in(own) && !stands_in(standard)
    };
    let words: BTreeSet<String> = stems(question).into_iter().collect();
    let words: Vec<String> = words.into_iter().filter(|word| tells(word)).collect();
    let all_words = words.len();
    let asked = words.into_iter();
    let asked = asked.filter_map(|word| {
        let with = all.iter().filter(|one| one.has(&word)).count();
        let without = all.len() - with;
        let worth = ((without as f64 + 0.5) / (with as f64 + 0.5) + 1.0).ln();
        (with > 0).then_some(Asked { word, worth })
    });
    let asked: Vec<Asked> = asked.collect();
    let ranking = Ranking::of(&all);
    let mut told: Vec<&Passage> = Vec::new();
    for term in asked.iter().filter(|one| is_term(&one.word)) {
        let score = |one: &Passage| {
            let all_words = ranking.counts(term, one) + BESIDE * ranking.score(&asked, one);
            all_words * one.is_about(&term.word)
        };
        let best = all.iter().map(score).fold(0.0, f64::max);
        // The first ones that are nearly the best introduce what the others tell more of.
        let near = all
            .iter()
            .filter(|one| one.has(&term.word) && score(one) >= best * NEAR);
        let new: Vec<&Passage> = near
            .filter(|one| !told.contains(one))
            .take(MOST_OF_TERM)
            .collect();
        told.extend(new);
    }
    let has_term = !told.is_empty();
    if told.is_empty() {
        let best = all.iter().max_by(|one, other| {
            ranking
                .score(&asked, one)
                .total_cmp(&ranking.score(&asked, other))
        });
        told.extend(best.filter(|best| {
            let telling = asked
                .iter()
                .filter(|one| one.worth >= TELLING && best.has(&one.word));
            let telling = telling.count();
            ranking.score(&asked, best) >= LEAST && telling > 1 && telling * 2 >= all_words
        }));
    }
    PassagesFound {
        passages: told.into_iter().take(MOST_TOLD).cloned().collect(),
        has_term,
    }
}

/// The ranking of passages (BM25).
struct Ranking {
    /// The mean number of words of a passage.
    mean: f64,
}

impl Ranking {
    fn of(all: &[Passage]) -> Ranking {
        let words: usize = all.iter().map(|one| one.words.len()).sum();
        Ranking {
            mean: words as f64 / all.len().max(1) as f64,
        }
    }

    /// What one word of a question counts for a passage.
    fn counts(&self, Asked { word, worth }: &Asked, one: &Passage) -> f64 {
        let length = 1.0 - LENGTH + LENGTH * one.words.len() as f64 / self.mean;
        let times = one.words.iter().filter(|other| *other == word).count() as f64;
        worth * times * (SATURATION + 1.0) / (times + SATURATION * length)
    }

    fn score(&self, asked: &[Asked], one: &Passage) -> f64 {
        asked.iter().map(|word| self.counts(word, one)).sum()
    }
}

impl Passage {
    fn has(&self, word: &str) -> bool {
        self.words.iter().any(|other| other == word)
    }

    /// How much more the passage counts for a term by where that stands.
    fn is_about(&self, term: &String) -> f64 {
        let begins = if self.first.contains(term) {
            BEGINS
        } else {
            1.0
        };
        let is_headed = self.heading.contains(term);
        begins * if is_headed { HEADED } else { 1.0 }
    }
}

/// The passages of a page: what stands between empty lines, numbered rules apart. Worked turns are left out: they name many things
/// and explain one.
fn passages_of(page: &RulesPage) -> Vec<Passage> {
    let mut passages: Vec<Vec<&str>> = vec![Vec::new()];
    let mut heading = "";
    let mut headings = vec![""];
    for line in page.text.lines() {
        let is_heading = !line.is_empty() && !line.starts_with(' ');
        if is_heading {
            heading = line;
        }
        if line.is_empty() || is_heading || is_numbered(line) {
            passages.push(Vec::new());
            headings.push(heading);
        }
        if let Some(open) = passages.last_mut()
            && !line.is_empty()
            && !is_heading
        {
            open.push(line);
        }
    }
    let parts = passages.into_iter().zip(headings);
    let parts = parts.filter(|(lines, heading)| {
        (1..=MOST_LINES).contains(&lines.len())
            && !heading.contains("worked")
            && !heading.contains("first mail")
    });
    parts
        .map(|(lines, heading)| {
            let text = lines.join("\n");
            let words = stems(&format!("{heading} {text}"));
            let is_number = |word: &&str| word.contains('.') && !word.contains(char::is_alphabetic);
            let first = text.split_whitespace().skip_while(is_number);
            let first: Vec<&str> = first.take(FIRST_WORDS).collect();
            Passage {
                page: page.name,
                words,
                heading: stems(heading),
                first: stems(&first.join(" ")),
                text,
            }
        })
        .collect()
}

/// Whether a numbered rule begins here: ` A.4 The board changes twice a year`.
fn is_numbered(line: &str) -> bool {
    let Some(number) = line
        .strip_prefix(' ')
        .and_then(|line| line.split(' ').next())
    else {
        return false;
    };
    let is_digits = |part: &str| !part.is_empty() && part.chars().all(|sign| sign.is_ascii_digit());
    number.split_once('.').is_some_and(|(part, rest)| {
        let part_is_letter =
            part.chars().count() == 1 && part.chars().all(|sign| sign.is_ascii_uppercase());
        (part_is_letter || is_digits(part)) && rest.split('.').all(is_digits)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The beginnings of the passages that a question is answered by, in a game of a variant.
    fn told(variant: &str, question: &str) -> Vec<String> {
        let file = |name: &str| -> &'static str {
            let text = std::fs::read_to_string(format!("../variants/{name}/rules.md")).unwrap();
            text.leak()
        };
        let page = |name: &str| RulesPage {
            name: "RULES",
            text: file(name),
        };
        let own = (variant != "standard").then(|| page(variant));
        let found = passages_about(own, page("standard"), question);
        let begins = |one: &Passage| -> String { one.text.trim().chars().take(20).collect() };
        found.passages.iter().map(begins).collect()
    }

    #[test]
    fn a_question_is_answered_by_the_rule_that_it_is_about() {
        for (variant, question, rule) in [
            ("bridge", "What is a fort good for?", "5.2"),
            ("bridge", "What does a fort actually do?", "5.2"),
            ("rather_silly", "What about these llamas?", "5.2"),
            ("rather_silly", "who or what is BORG", "5.1"),
            ("rather_silly", "what does the Jester do?", "1.2"),
            ("outer_space", "how do I get into orbit", "You begin"),
            (
                "chaos",
                "May a unit retreat to where the attacker came from?",
                "3.1",
            ),
            (
                "chaos",
                "Can an army be convoyed over several fleets?",
                "2.7",
            ),
            (
                "chaos",
                "Is a support cut by an attack from the province it is given against?",
                "2.4",
            ),
        ] {
            let told = told(variant, question);
            assert!(
                told.iter().any(|text| text.starts_with(rule)),
                "{question} {told:?}"
            );
        }
    }

    #[test]
    fn questions_about_other_things_are_answered_by_no_rule() {
        for question in [
            "Will you be home for Christmas, and what do we eat?",
            "How many centers has each one at the moment?",
            "What time is the deadline for me here?",
            "Can we have two more days?",
            "Who plays France?",
            "How do draws work here?",
            "Who is leading?",
        ] {
            for variant in ["rather_silly", "standard"] {
                let told = told(variant, question);
                assert!(told.is_empty(), "{question} {told:?}");
            }
        }
    }
}
