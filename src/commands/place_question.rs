//! Questions of who owns a province and what stands there: `Who owns Greece?`, `Is there a unit in Galicia?`

use super::mentions::{distinct_provinces, marker, marker_behind, marker_near_start, mentions};
use super::names::Names;
use super::prose::asks_judge;
use super::subjects::asks;
use dipjudge_grammar::{Grammar, Text};
use dipjudge_rules::map::Province;

/// The most provinces that are told of.
const MOST_TOLD: usize = 4;

/// The most words before a supposition: `Quick one: suppose I take Denmark`.
const MOST_BEFORE: usize = 3;

/// The provinces of which a sentence asks who owns them or what stands there; none, if it asks nothing of the kind.
pub fn asked_places(grammar: &Grammar, sentence: &str, names: &Names) -> Vec<Province> {
    if !asks(sentence) || asks_judge(sentence) {
        return Vec::new();
    }
    let text = Text::new(sentence);
    let stands = |rule: &str| marker(grammar, names, rule, &text).is_some();
    // "Naples is occupied, where can I build then?", "Since when do I own Denmark?"
    if !stands("asks-place") || stands("asks-where") || stands("asks-when") {
        return Vec::new();
    }
    let mut places = distinct_provinces(grammar, &text, names);
    places.truncate(MOST_TOLD);
    places
}

/// Whether a sentence asks how many units its writer builds or removes next.
pub fn asks_builds(grammar: &Grammar, sentence: &str, names: &Names) -> bool {
    let text = Text::new(sentence);
    let stands = |rule: &str| marker(grammar, names, rule, &text).is_some();
    // "Can I build in a center that is not my home?" is about the rules.
    let asks_in = || stands("asks-build-in") && !mentions(grammar, &text, names).is_empty();
    asks(sentence) && (stands("asks-builds") || asks_in())
}

/// The provinces that a line supposes its writer to take where it asks how many units he builds: `Suppose I take Denmark and keep
/// the rest. How many can I build, and where?`, `How many builds do I get if I take Norway?`
pub fn supposed_gains(grammar: &Grammar, line: &str, names: &Names) -> Vec<Province> {
    let text = Text::new(line);
    let behind = |rule: &str, place: usize| marker_behind(grammar, names, rule, &text, place);
    let Some(builds) = marker(grammar, names, "asks-builds", &text) else {
        return Vec::new();
    };
    let supposed = marker_near_start(grammar, names, "clause-if", &text, MOST_BEFORE)
        .filter(|supposed| supposed.start < builds.start)
        .map(|supposed| supposed.end..builds.start)
        .or_else(|| {
            let supposed = behind("clause-if", builds.end)?;
            Some(supposed.end..text.len())
        });
    let Some(supposed) = supposed else {
        return Vec::new();
    };
    let gains = behind("asks-gain", supposed.start);
    if !gains.is_some_and(|gains| supposed.contains(&gains.start)) {
        return Vec::new();
    }
    let named = mentions(grammar, &text, names).into_iter();
    let gained = named.filter(|named| supposed.contains(&named.start));
    gained.map(|named| named.province()).collect()
}

/// Whether a sentence asks where somebody's units stand and names no place itself: `Where are the French fleets now?`
pub fn asks_units_of(grammar: &Grammar, sentence: &str, names: &Names) -> bool {
    let text = Text::new(sentence);
    asks(sentence)
        && ["asks-units-of", "asks-units"]
            .iter()
            .all(|rule| marker(grammar, names, rule, &text).is_some())
        && mentions(grammar, &text, names).is_empty()
}

/// Whether a sentence asks which units its writer sees.
pub fn asks_sight(grammar: &Grammar, sentence: &str, names: &Names) -> bool {
    asks(sentence) && marker(grammar, names, "asks-sight", &Text::new(sentence)).is_some()
}

/// Whether a sentence asks which centers belong to nobody.
pub fn asks_unowned(grammar: &Grammar, sentence: &str, names: &Names) -> bool {
    asks(sentence) && marker(grammar, names, "asks-unowned", &Text::new(sentence)).is_some()
}

/// Whether a sentence asks how many units or centers somebody has.
pub fn asks_strength(grammar: &Grammar, sentence: &str, names: &Names) -> bool {
    asks(sentence) && marker(grammar, names, "asks-strength", &Text::new(sentence)).is_some()
}

#[cfg(test)]
mod tests {
    use super::{asked_places, asks_strength, supposed_gains};
    use crate::orders::standard;
    use crate::testing::names;

    #[test]
    fn questions_of_owners_and_units_are_known() {
        for (sentence, places) in [
            ("Who owns Greece?", "GRE"),
            (
                "How many centers does one need to win, and to whom belongs Greece?",
                "GRE",
            ),
            ("and to whom belongs Greece?", "GRE"),
            ("is there a unit in Galicia or Bohemia?", "GAL BOH"),
            ("who's in Munich now", "MUN"),
            ("Is Sweden still empty?", "SWE"),
            ("Naples is occupied, where can I build then?", ""),
            ("Can my fleet go to Greece?", ""),
            ("since when do i own denmark?", ""),
            ("Can you order my unit in Vienna to hold?", ""),
            ("Greece belongs to me", ""),
        ] {
            let asked = asked_places(standard(), sentence, names());
            let asked: Vec<String> = asked.iter().map(ToString::to_string).collect();
            assert_eq!(asked.join(" "), places, "{sentence}");
        }
    }

    #[test]
    fn what_is_supposed_to_be_taken_is_known() {
        let gains = |line: &str| supposed_gains(standard(), line, names());
        let line = "Quick one: suppose I take Denmark this fall and keep all the rest. How many can I build this winter and where?";
        let denmark = dipjudge_rules::map::Map::standard().find_province("den");
        assert_eq!(gains(line), Vec::from_iter(denmark));
        let line = "How many builds do I get if I take Denmark?";
        assert_eq!(gains(line), Vec::from_iter(denmark));
        for line in [
            "How many can I build?",
            "If Denmark is taken, am I out?",
            "How many builds do I have if I lose Denmark?",
        ] {
            assert!(gains(line).is_empty(), "{line}");
        }
    }

    #[test]
    fn questions_of_strength_are_known() {
        for line in [
            "how many units has every country now?",
            "How many centers does Russia have?",
            "how many armies do I have",
        ] {
            assert!(asks_strength(standard(), line, names()), "{line}");
        }
        for line in [
            "How many centers do I need to win?",
            "How many units can I build?",
            "How many centers are needed?",
        ] {
            assert!(!asks_strength(standard(), line, names()), "{line}");
        }
    }
}
