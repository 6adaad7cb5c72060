//! An order with a condition in words behind it: `F Lon - Nth, but only if France does not go there, otherwise it holds`.

use super::mentions::{marker_among, words};
use super::names::Names;
use super::prose::bare_words;
use dipjudge_grammar::{Grammar, Text};

/// Words for somebody whose orders the condition is about.
const OTHERS: [&str; 8] = [
    "he", "she", "they", "nobody", "anybody", "anyone", "somebody", "someone",
];
/// What parts an order from those before it.
const JOINTS: [&str; 4] = [", ", "; ", ". ", " and "];
/// How the order begins that counts where the condition does not hold.
const OTHERWISE: [&str; 4] = ["otherwise ", "or else ", "else ", "if not "];

/// An order on which the condition stands, among the other words of its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConditionalOrder<'l> {
    /// The orders before it, which do not depend on anything.
    pub before: &'l str,
    /// The order.
    pub order: &'l str,
    /// The order with its condition and what follows.
    pub whole: &'l str,
    /// What is to be done if the condition does not hold.
    pub otherwise: Option<&'l str>,
}

/// The order of a line that has a condition behind it. The condition names somebody or a province; `if possible` is none.
pub fn conditional_order<'l>(
    grammar: &Grammar,
    line: &'l str,
    names: &Names,
    names_somebody: impl Fn(&str) -> bool,
) -> Option<ConditionalOrder<'l>> {
    let text = Text::new(line);
    let starts = words(&text).into_iter().filter(|at| {
        let word = text.folded(*at..text.word_end(*at));
        *at > 0 && word != "should"
    });
    let condition = marker_among(grammar, names, "clause-if", &text, starts)?;
    let order = line.get(..condition.start)?.trim_end();
    // "(if Germany does not object)" is a remark.
    if order.ends_with('(') {
        return None;
    }
    let order = order.strip_suffix("but").unwrap_or(order);
    let order = order.trim_end_matches([' ', ',']);
    let start = JOINTS
        .iter()
        .filter_map(|joint| Some(order.rfind(joint)? + joint.len()));
    let start = start.max().unwrap_or(0);
    let (before, order) = order.split_at_checked(start)?;
    let behind = line.get(condition.end..)?;
    let lower = behind.to_ascii_lowercase();
    let other = OTHERWISE
        .iter()
        .filter_map(|word| Some((lower.find(word)?, word.len())))
        .min();
    let otherwise = other.and_then(|(at, length)| behind.get(at + length..));
    let tested = other.map_or(behind, |(at, _)| behind.get(..at).unwrap_or(behind));
    let is_about_others = names.any_province(tested)
        || names_somebody(tested)
        || bare_words(tested).any(|word| OTHERS.contains(&word.to_lowercase().as_str()));
    let depends = names.any_province(order) && is_about_others;
    depends.then_some(ConditionalOrder {
        before: before.trim_end_matches([' ', ',', ';']),
        order,
        whole: line.get(start..)?,
        otherwise: otherwise.map(str::trim),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::orders::standard;
    use crate::testing::names;

    fn of(line: &str) -> Option<(&str, &str, Option<&str>)> {
        let names_somebody = |text: &str| text.contains("France");
        let found = conditional_order(standard(), line, names(), names_somebody)?;
        Some((found.before, found.order, found.otherwise))
    }

    #[test]
    fn an_order_with_a_condition_is_told_from_those_before_it() {
        assert_eq!(
            of(
                "A Par - Bur, F Lon - Nth, but only if France does not go there, otherwise it holds"
            ),
            Some(("A Par - Bur", "F Lon - Nth", Some("it holds")))
        );
        assert_eq!(
            of("Bla - Rum unless she stays"),
            Some(("", "Bla - Rum", None))
        );
        for line in [
            "F Lon - Nth if possible",
            "F Lon - Nth (if France does not object)",
            "London should go to the North Sea",
            "if France goes there F Lon - Nth",
            "A Par - Bur, thanks, and tell me if that is right",
        ] {
            assert_eq!(of(line), None, "{line}");
        }
    }
}
