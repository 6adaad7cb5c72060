//! Whether words say certain orders and nothing else, so that they can be taken and need not be proposed.

use super::mentions::{kind_at, mentions, words};
use super::names::Names;
use dipjudge_grammar::{Grammar, Text};
use dipjudge_rules::map::{Province, UnitKind};

/// Whether a text says these orders and nothing else: each word is in the name of a province, a kind of unit or a word that changes
/// nothing; and it names just the provinces of the orders, and kinds of which they are. `unit_at` gives the unit in a province.
pub fn says_only(
    grammar: &Grammar,
    text: &str,
    orders: &str,
    names: &Names,
    unit_at: impl Fn(Province) -> Option<UnitKind>,
) -> bool {
    if text.contains('?') {
        return false;
    }
    let (text, orders) = (Text::new(text), Text::new(orders));
    let named = mentions(grammar, &text, names);
    let ordered = mentions(grammar, &orders, names);
    let kinds = |text: &Text<'_>| -> Vec<UnitKind> {
        let words = words(text).into_iter();
        words
            .filter_map(|at| kind_at(grammar, names, text, at))
            .collect()
    };
    let mut ordered_kinds = kinds(&orders);
    ordered_kinds.extend(ordered.iter().filter_map(|one| unit_at(one.province())));
    let is_of_orders = |one: Province| ordered.iter().any(|other| other.province() == one);
    if !named.iter().all(|one| is_of_orders(one.province()))
        || !kinds(&text).iter().all(|kind| ordered_kinds.contains(kind))
    {
        return false;
    }
    let mut read_to = 0;
    words(&text).into_iter().all(|at| {
        if at < read_to || named.iter().any(|one| one.covers(at)) {
            return true;
        }
        let plain = grammar.read("clause-plain", &text, at, names);
        let is_kind = || kind_at(grammar, names, &text, at).is_some();
        match plain {
            Some(tree) => {
                read_to = tree.end;
                true
            }
            None => is_kind(),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::orders::standard;
    use crate::testing::names;
    use dipjudge_rules::map::Map;

    /// Whether a text says only these orders, where a fleet stands in Kiel and armies in all other provinces.
    fn says(text: &str, orders: &str) -> bool {
        let kiel = Map::standard().find_province("kie");
        let unit_at = |at| {
            let kind = if Some(at) == kiel {
                UnitKind::FLEET
            } else {
                UnitKind::ARMY
            };
            Some(kind)
        };
        says_only(standard(), text, orders, names(), unit_at)
    }

    #[test]
    fn each_word_counts() {
        for (text, orders) in [
            (
                "Please let my army in Vienna go to Galicia.",
                "Vienna - Galicia",
            ),
            ("all fleets hold", "Kiel H"),
            ("please have Kiel take the North Sea", "Kiel - North Sea"),
            ("Lon supports that", "Lon S A Lvp - Yor"),
            (
                "Tyrolia attacks Venice, and Trieste supports it there",
                "Tyrolia - Venice; Trieste S Tyrolia - Venice",
            ),
            ("The fleet from Kiel goes to Denmark!", "Kiel - Denmark"),
        ] {
            assert!(says(text, orders), "{text}");
        }
    }

    #[test]
    fn what_is_left_over_makes_them_uncertain() {
        for (text, orders) in [
            (
                "Vienna goes to Galicia if Russia does not",
                "Vienna - Galicia",
            ),
            ("Perhaps Vienna goes to Galicia", "Vienna - Galicia"),
            ("Vienna does not go to Galicia", "Vienna - Galicia"),
            ("Vienna goes to Galicia and Budapest", "Vienna - Galicia"),
            ("The fleet in Vienna goes to Galicia", "Vienna - Galicia"),
            ("Viienna goes to Galicia", "Vienna - Galicia"),
            ("Vienna goes to Galicia?", "Vienna - Galicia"),
            ("Vienna goes to Galicia, yours Anna", "Vienna - Galicia"),
        ] {
            assert!(!says(text, orders), "{text}");
        }
    }
}
