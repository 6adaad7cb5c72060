//! An order with a condition in words behind it: `F Lon - Nth, but only if France does not go there, otherwise it holds`.

use super::mentions::{marker, marker_among, mentions, provinces_in, words};
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
    /// The order, without its condition.
    pub order: &'l str,
    /// The order with its condition and what follows.
    pub whole: &'l str,
    /// The condition.
    pub tested: &'l str,
    /// What is to be done if the condition does not hold.
    pub otherwise: Option<&'l str>,
}

/// The order of a line with a condition behind it. Only words that name somebody or a province count as a condition: `if possible`
/// does not.
pub fn conditional_order<'l>(
    grammar: &Grammar,
    line: &'l str,
    names: &Names,
    names_somebody: impl Fn(&str) -> bool,
) -> Option<ConditionalOrder<'l>> {
    let text = Text::new(line);
    let starts = words(&text).into_iter().filter(|at| {
        let word = text.folded(*at..text.word_end(*at));
        // "in case he comes" says why, and the order stands.
        *at > 0 && !["should", "in"].contains(&word)
    });
    let condition = marker_among(grammar, names, "clause-if", &text, starts)?;
    let order = line.get(..text.source_at(condition.start))?.trim_end();
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
    let behind = line.get(text.source_at(condition.end)..)?;
    let (tested, otherwise) = with_otherwise(behind);
    let depends = names.any_province(order) && is_about_others(tested, names, names_somebody);
    depends.then_some(ConditionalOrder {
        before: before.trim_end_matches([' ', ',', ';']),
        order,
        whole: line.get(start..)?,
        tested,
        otherwise,
    })
}

/// What a line orders behind a condition on what others do, `If Germany leaves Denmark then NTH - DEN`, and what otherwise.
pub fn condition_before<'l>(
    line: &'l str,
    names: &Names,
    names_somebody: impl Fn(&str) -> bool,
) -> Option<(&'l str, Option<&'l str>)> {
    let (before, otherwise) = with_otherwise(line);
    let ends = [" then ", ", "]
        .iter()
        .filter_map(|sign| Some((before.find(sign)?, sign.len())));
    let (end, length) = ends.min()?;
    let order = before.get(end + length..)?.trim_end_matches([' ', ',']);
    is_about_others(before.get(..end)?, names, names_somebody).then_some((order, otherwise))
}

/// The support of a move on whose condition it stands: `Serbia S Rumania - Budapest`, of `Serbia supports him` where the condition is
/// `the Russian in Rumania moves to Budapest`.
pub fn support_of_tested_move(
    grammar: &Grammar,
    order: &str,
    tested: &str,
    names: &Names,
) -> Option<String> {
    let helps = marker(grammar, names, "clause-support", &Text::new(order)).is_some();
    let helpers = provinces_in(grammar, order, names);
    let moved = provinces_in(grammar, tested, names);
    let ([helper, others @ ..], [first, second]) = (helpers.as_slice(), moved.as_slice()) else {
        return None;
    };
    // "if he goes to Budapest from Galicia"
    let text = Text::new(tested);
    let comes_from = mentions(grammar, &text, names)
        .get(1)
        .is_some_and(|second| {
            let before = text.folded(0..second.start);
            before.trim_end().ends_with("from") || before.trim_end().ends_with("from the")
        });
    let (from, to) = if comes_from {
        (second, first)
    } else {
        (first, second)
    };
    let points_back = others.iter().all(|other| moved.contains(other));
    let [helper, from, to] = [helper, from, to].map(|at| names.full_name(*at));
    (helps && points_back).then(|| format!("{helper} S {from} - {to}"))
}

/// A text before the words that say what is to be done otherwise, and what stands behind them.
fn with_otherwise(text: &str) -> (&str, Option<&str>) {
    let lower = text.to_ascii_lowercase();
    let other = OTHERWISE
        .iter()
        .filter_map(|word| Some((lower.find(word)?, word.len())));
    match other.min() {
        Some((at, length)) => {
            let behind = text.get(at + length..);
            (text.get(..at).unwrap_or(text), behind.map(str::trim))
        }
        None => (text, None),
    }
}

fn is_about_others(tested: &str, names: &Names, names_somebody: impl Fn(&str) -> bool) -> bool {
    names.any_province(tested)
        || names_somebody(tested)
        || bare_words(tested).any(|word| OTHERS.contains(&word.to_lowercase().as_str()))
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
        assert_eq!(
            of("Für mich: Bla - Rum unless she stays"),
            Some(("", "Für mich: Bla - Rum", None))
        );
        for line in [
            "F Lon - Nth if possible",
            "F Lon - Nth (if France does not object)",
            "London should go to the North Sea",
            "if France goes there F Lon - Nth",
            "F Lon - Nth in case France goes there",
            "A Par - Bur, thanks, and tell me if that is right",
        ] {
            assert_eq!(of(line), None, "{line}");
        }
    }
}
