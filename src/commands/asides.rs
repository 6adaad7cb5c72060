//! Words beside orders that name provinces and order nothing: questions, conditions, and what is said of units that are kept.

use super::mentions::{marker, provinces_in};
use super::names::Names;
use super::prose::{asks_judge, clauses_of_orders, sentences};
use dipjudge_grammar::{Grammar, Text};
use dipjudge_rules::map::Province;

/// Words that name provinces and order nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aside {
    /// "Where can my army in Venice go?", "Suppose that I am thrown out of Venice."
    Question,
    /// "If France goes there, I'd rather go to the North Sea"
    Condition,
    /// "not Greece!"
    Denial,
}

/// The most words of a clause that names another unit that is kept.
const MOST_OF_KEPT: usize = 2;

/// The fewest words of a question or a condition: shorter ones are orders with a mistake.
const FEWEST_OF_ASIDE: usize = 5;

/// Whether words say something of a unit's place and order nothing: `Venice depends on what Anna does`.
pub fn is_remark(grammar: &Grammar, words: &str, names: &Names) -> bool {
    let text = Text::new(words);
    let unit = grammar.read("unit", &text, 0, names);
    unit.is_some_and(|unit| {
        let next = text.skip_blanks(unit.end);
        grammar.read("clause-remark", &text, next, names).is_some()
    })
}

/// Where the units stand whose orders are to stay as they are: `Rome and Naples stay as they are`.
pub fn left_as_before(grammar: &Grammar, words: &str, names: &Names) -> Vec<Province> {
    match marker(grammar, names, "as-before", &Text::new(words)) {
        Some(_) => provinces_in(grammar, words, names),
        None => Vec::new(),
    }
}

/// Whether words say that a unit is kept.
pub fn keeps_unit(grammar: &Grammar, words: &str, names: &Names) -> bool {
    marker(grammar, names, "clause-kept", &Text::new(words)).is_some()
}

/// Whether words say that units are kept, and nothing of any that are removed or built: `and keep Gascony to get Paris back`.
pub fn keeps_alone(grammar: &Grammar, words: &str, names: &Names) -> bool {
    let text = Text::new(words);
    let begins = |text: &Text<'_>| {
        let kept = grammar.read("kept-alone", text, text.skip_blanks(0), names);
        kept.is_some()
    };
    let changes = ["clause-remove", "clause-raise", "clause-waive"];
    let changes = changes
        .iter()
        .any(|rule| marker(grammar, names, rule, &text).is_some());
    // "and Gascony", but not "so Marseilles goes"
    let goes_on = |clause: &&str| {
        names.any_province(clause)
            && clause.split_whitespace().count() > MOST_OF_KEPT
            && !begins(&Text::new(clause))
    };
    let mut clauses = clauses_of_orders(words).into_iter();
    begins(&text) && !changes && !clauses.any(|clause| goes_on(&clause))
}

/// Whether a sentence is a question although no mark ends it: `if i send nothing for berlin, what does it do`.
fn asks_without_mark(sentence: &str) -> bool {
    const QUESTIONS: [&str; 12] = [
        "what ", "when ", "where ", "which ", "who ", "why ", "can i ", "may i ", "do i ",
        "must i ", "does ", "did ",
    ];
    let sentence = sentence.to_lowercase();
    let asks = |clause: &str| {
        let clause = clause.trim_start();
        let clause = clause.strip_prefix("and ").unwrap_or(clause);
        QUESTIONS.iter().any(|begins| clause.starts_with(begins))
    };
    let supposes = sentence.starts_with("if ") || sentence.starts_with("when ");
    asks(&sentence) || supposes && sentence.split(',').skip(1).any(asks)
}

/// What words are that cannot be read as an order, if they ask or make a condition. An arrow makes an order of them.
pub fn aside(grammar: &Grammar, words: &str, names: &Names) -> Option<Aside> {
    let has_arrow = [" - ", "->", " > "]
        .iter()
        .any(|arrow| words.contains(arrow));
    let stands = |rule: &str, words: &str| {
        let text = Text::new(words);
        grammar.read(rule, &text, 0, names).is_some()
    };
    if has_arrow {
        return None;
    }
    // "No, not Portugal"
    let words = ["No,", "no,"]
        .iter()
        .find_map(|no| words.strip_prefix(no))
        .unwrap_or(words);
    let sentences = sentences(words.trim_start());
    // "no fleet in trieste, just the army in budapest" orders something.
    let denies = |clause: &str| !names.any_province(clause) || stands("clause-not", clause);
    let clauses = clauses_of_orders(words);
    if stands("clause-not", words) && sentences.len() < 2 && clauses.into_iter().all(denies) {
        return Some(Aside::Denial);
    }
    if words.split_whitespace().count() < FEWEST_OF_ASIDE {
        return None;
    }
    let of_sentence = |sentence: &str| {
        let asks =
            (sentence.ends_with('?') || asks_without_mark(sentence)) && !asks_judge(sentence);
        if asks || stands("clause-suppose", sentence) {
            return Some(Aside::Question);
        }
        stands("clause-if", sentence).then_some(Aside::Condition)
    };
    let asides: Option<Vec<Aside>> = sentences.into_iter().map(of_sentence).collect();
    asides?.first().copied()
}
