//! Builds that are ordered before they are due: `If I conquer Tunis, I build a fleet in Brest`, `In winter I want an army in Paris`.

use super::mentions::{marker, marker_near_start};
use super::names::Names;
use dipjudge_grammar::{Grammar, Text};

/// The most words before the supposition: `And if`.
const MOST_BEFORE: usize = 2;

/// The words of a line that order builds for the winter: what stands behind its condition, or all of it. `None` if it asks, has no
/// verb of building, or does not speak of later.
pub fn build_ahead<'l>(grammar: &Grammar, line: &'l str, names: &Names) -> Option<&'l str> {
    // Few lines have a word that begins so, and each line of orders is asked.
    let lower = line.to_lowercase();
    if !["build", "raise"].iter().any(|verb| lower.contains(verb)) {
        return None;
    }
    let text = Text::new(line);
    let stands = |rule: &str| marker(grammar, names, rule, &text).is_some();
    let builds = stands("clause-build") && !line.trim_end().ends_with('?');
    if !builds {
        return None;
    }
    if marker_near_start(grammar, names, "clause-if", &text, MOST_BEFORE).is_some() {
        return line.split_once(", ").map(|(_, ordered)| ordered);
    }
    stands("clause-winter").then_some(line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::orders::standard;
    use crate::testing::names;

    #[test]
    fn builds_for_the_winter_stand_behind_their_condition() {
        for (line, ordered) in [
            (
                "And if I conquer Tunis, I build a fleet in Brest.",
                Some("I build a fleet in Brest."),
            ),
            (
                "In winter please build me an army in Paris",
                Some("In winter please build me an army in Paris"),
            ),
            ("If France goes to Burgundy, Munich to Ruhr", None),
            ("If I take Tunis, may I build two fleets?", None),
            ("build a fleet in Brest", None),
        ] {
            assert_eq!(build_ahead(standard(), line, names()), ordered, "{line}");
        }
    }
}
