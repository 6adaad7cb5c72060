//! Questions of who owns a province and what stands there: `Who owns Greece?`, `Is there a unit in Galicia?`

use super::mentions::{marker, mentions};
use super::names::Names;
use super::prose::asks_judge;
use super::subjects::asks;
use dipjudge_grammar::{Grammar, Text};
use dipjudge_rules::map::Province;

/// The most provinces that are told of.
const MOST_TOLD: usize = 4;

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
    let mut places: Vec<Province> = Vec::new();
    for named in mentions(grammar, &text, names) {
        if !places.contains(&named.province()) {
            places.push(named.province());
        }
    }
    places.truncate(MOST_TOLD);
    places
}

/// Whether a sentence asks how many units its writer builds or removes next.
pub fn asks_builds(grammar: &Grammar, sentence: &str, names: &Names) -> bool {
    asks(sentence) && marker(grammar, names, "asks-builds", &Text::new(sentence)).is_some()
}

#[cfg(test)]
mod tests {
    use super::asked_places;
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
}
