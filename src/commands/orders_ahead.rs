//! What is ordered before it is due: `If I conquer Tunis, I build a fleet in Brest`, `In winter I want an army in Paris`, `And for the
//! fall: Tyrolia to Munich`.

use super::mentions::{marker, marker_behind, marker_near_start};
use super::names::Names;
use super::prose::sentences;
use dipjudge_grammar::{Grammar, Text};

/// The most words before the supposition: `And if`.
const MOST_BEFORE: usize = 2;

/// What stands before the first sentence of a line that orders builds for the winter, and the words that order them: `For the fall
/// everything holds. And in the winter, I want to build a fleet in Rome`. `None` if none does.
pub fn build_ahead<'l>(
    grammar: &Grammar,
    line: &'l str,
    names: &Names,
) -> Option<(&'l str, &'l str)> {
    // Few lines have a word that begins so, and each line of orders is asked.
    let lower = line.to_lowercase();
    if !["build", "raise"].iter().any(|verb| lower.contains(verb)) {
        return None;
    }
    let orders_builds = |sentence: &str| builds_ordered(grammar, sentence, names).is_some();
    let (before, ahead) = parted_at(line, orders_builds)?;
    // "That army can be disbanded, I rather build a new one in winter."
    let is_for_now = |clause: &str| {
        let text = Text::new(clause);
        let stands = |rule: &str| marker(grammar, names, rule, &text).is_some();
        stands("clause-remove") && !stands("clause-winter") && !stands("clause-if")
    };
    let mut joints = ahead.match_indices(", ");
    let behind = joints.find_map(|(end, joint)| {
        let (clause, behind) = (ahead.get(..end)?, ahead.get(end + joint.len()..)?);
        (is_for_now(clause) && orders_builds(behind)).then_some(behind)
    });
    let (before, ahead) = match behind {
        Some(behind) => (line.strip_suffix(behind)?, behind),
        None => (before, ahead),
    };
    Some((before, builds_ordered(grammar, ahead, names)?))
}

/// The words that order builds for the winter: what stands behind their condition, or all of them. `None` if they ask, have no verb
/// of building, or do not speak of later.
fn builds_ordered<'l>(grammar: &Grammar, line: &'l str, names: &Names) -> Option<&'l str> {
    let text = Text::new(line);
    let stands = |rule: &str| marker(grammar, names, rule, &text).is_some();
    if line.trim_end().ends_with('?') {
        return None;
    }
    if let Some(supposed) = marker_near_start(grammar, names, "clause-if", &text, MOST_BEFORE) {
        let (_, behind) = line.split_at_checked(text.source_at(supposed.end))?;
        // "If I get two builds then fleet London and army Liverpool, if it is only one then just the fleet."
        let (condition, ordered) = parted_behind_condition(behind).or_else(|| {
            // "If I get Moscow build another army in Warsaw"
            let builds = marker_behind(grammar, names, "clause-build", &text, supposed.end)?;
            behind.split_at_checked(text.source_at(builds.start) - text.source_at(supposed.end))
        })?;
        let speaks_of_builds =
            stands("clause-build") || condition.to_lowercase().contains(" build");
        let fewer = [", but if ", ", if "]
            .iter()
            .filter_map(|joint| ordered.find(joint))
            .min();
        return ordered
            .get(..fewer.unwrap_or(ordered.len()))
            .filter(|_| speaks_of_builds);
    }
    if !stands("clause-build") {
        return None;
    }
    // "And in the winter, if I get to build one, I want a fleet in Rome."
    let behind_if = line
        .split_once(", if ")
        .and_then(|(_, behind)| behind.split_once(", "));
    let ordered = behind_if.map_or(line, |(_, ordered)| ordered);
    // "Winter: build an army in Moscow if I get one."
    let ordered = ordered.split(" if ").next().unwrap_or(ordered);
    stands("clause-winter").then_some(ordered)
}

/// The sentences of a line from the first one on that speaks of a later turn, with what stands before it: `I retreat to Vienna. And for
/// the fall: Tyrolia to Munich`. `None` if none does.
pub fn moves_ahead<'l>(
    grammar: &Grammar,
    line: &'l str,
    names: &Names,
) -> Option<(&'l str, &'l str)> {
    parted_at(line, |sentence| {
        marker(grammar, names, "clause-ahead", &Text::new(sentence)).is_some()
    })
}

/// Words that order movements for later, without a condition that their writer gets somewhere: `for spring: if I'm in Sweden then
/// Sweden goes to Norway`. An order for later counts only if its unit stands where the order says.
pub fn without_arrival(grammar: &Grammar, line: &str, names: &Names) -> String {
    let text = Text::new(line);
    let parts = marker(grammar, names, "clause-arrival", &text).and_then(|arrival| {
        let before = line.get(..text.source_at(arrival.start))?;
        let behind = line.get(text.source_at(arrival.end)..)?;
        let (_, ordered) = parted_behind_condition(behind)?;
        Some([before, ordered].concat())
    });
    parts.unwrap_or_else(|| line.to_owned())
}

/// What stands behind "if", parted into the condition and what is ordered.
fn parted_behind_condition(words: &str) -> Option<(&str, &str)> {
    let mut joints = [" then ", ", "].into_iter();
    joints.find_map(|joint| words.split_once(joint))
}

/// A line parted before its first sentence of a kind; `None` if it has none.
fn parted_at(line: &str, is_first: impl Fn(&str) -> bool) -> Option<(&str, &str)> {
    let first = sentences(line)
        .into_iter()
        .find(|sentence| is_first(sentence))?;
    line.split_at_checked(line.find(first)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::orders::standard;
    use crate::testing::names;

    #[test]
    fn moves_for_later_stand_behind_what_is_due() {
        let line = "I retreat to Vienna. And for the fall: Tyrolia to Munich. Trieste holds.";
        let parts = moves_ahead(standard(), line, names());
        let parts = parts.map(|(before, ahead)| (before.trim(), ahead));
        let ahead = "And for the fall: Tyrolia to Munich. Trieste holds.";
        assert_eq!(parts, Some(("I retreat to Vienna.", ahead)));
        assert_eq!(moves_ahead(standard(), "Tyrolia to Munich", names()), None);
    }

    #[test]
    fn a_condition_that_ones_own_unit_arrives_is_left_out() {
        let line = "And for next spring: if I'm in Sweden then Sweden goes to Norway";
        let left = without_arrival(standard(), line, names());
        assert_eq!(left, "And for next spring: Sweden goes to Norway");
        for line in [
            "In spring Sweden goes to Norway",
            "In spring, if France is in Spain then Rome holds",
        ] {
            assert_eq!(without_arrival(standard(), line, names()), line);
        }
    }

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
            (
                "And in the winter, if I get to build one, I want a fleet in Rome.",
                Some("I want a fleet in Rome."),
            ),
            (
                "If I get two builds in winter then fleet London and army Liverpool, but if it is only one then just the fleet.",
                Some("fleet London and army Liverpool"),
            ),
            (
                "Winter: build army in Moscow if I get one.",
                Some("Winter: build army in Moscow"),
            ),
            (
                "and then if i do get moscow build another army in warsaw in the winter",
                Some("build another army in warsaw in the winter"),
            ),
            ("If France goes to Burgundy, Munich to Ruhr", None),
            ("If I take Tunis, may I build two fleets?", None),
            ("build a fleet in Brest", None),
        ] {
            let parts = build_ahead(standard(), line, names());
            assert_eq!(parts.map(|(_, words)| words), ordered, "{line}");
        }
    }
}
