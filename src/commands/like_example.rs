//! A line like an example, with what a sentence says: `one herd in Armenia and two at sea, in the Ionian and the Aegean` and the example
//! `PLACE LLAMAS ADR, AEG, Alb` make `PLACE LLAMAS Armenia, Ionian Sea, Aegean Sea`.

use super::mentions::{distinct_provinces, kind_at, mentions, words};
use super::names::Names;
use super::order_clauses::without_refused;
use dipjudge_grammar::{Grammar, Text};

/// What stands between the provinces of a list.
const JOINT: &str = ", ";

/// The line that an example becomes with the provinces and the kind of unit that a sentence names. `None` if the sentence names none of
/// them, or the example does not hold as many.
pub fn like_example(
    grammar: &Grammar,
    example: &str,
    sentence: &str,
    names: &Names,
) -> Option<String> {
    // "A fleet please, not an army"
    let (shown, said) = (Text::new(example), Text::new(without_refused(sentence)));
    let wanted = distinct_provinces(grammar, &said, names);
    let listed = mentions(grammar, &shown, names);
    let mut line = example.to_owned();
    if let (Some(first), Some(last)) = (listed.first(), listed.last()) {
        let is_list = listed.len() > 1;
        if wanted.is_empty() || (wanted.len() > 1) != is_list {
            return None;
        }
        let named: Vec<&str> = wanted.iter().map(|at| names.full_name(*at)).collect();
        let before = shown.source(0..first.start);
        let behind = shown.source(last.end..shown.len());
        let parts = [before.trim(), &named.join(JOINT), behind.trim()];
        line = parts.join(" ").trim().to_owned();
    } else {
        // The example has a place for a kind of unit alone. "The fleet to the Ionian" is an order.
        if !wanted.is_empty() || names_a_unit(&said) {
            return None;
        }
        let kind_in = |text: &Text<'_>, least: usize| {
            let mut kinds = words(text).into_iter().filter_map(|at| {
                let end = text.word_end(at);
                let kind = kind_at(grammar, names, text, at);
                kind.filter(|_| end - at >= least)
                    .map(|kind| (at, end, kind))
            });
            kinds.next().filter(|_| kinds.next().is_none())
        };
        // "Not one in Berlin": a letter alone is no kind in a sentence.
        let wanted = kind_in(&said, 2).map(|(_, _, kind)| kind)?;
        let last = words(&shown).pop()?;
        let letter = shown.source(last..shown.word_end(last));
        let is_kind = letter.len() == 1 && letter.chars().all(char::is_uppercase);
        if !is_kind {
            return None;
        }
        line.replace_range(last..shown.word_end(last), &wanted.to_string());
    }
    Some(line)
}

/// Whether words speak of a certain unit: `the fleet holds`.
fn names_a_unit(said: &Text<'_>) -> bool {
    let said = said.folded(0..said.len()).to_lowercase();
    let definite = ["the fleet ", "the army ", "my fleet ", "my army "];
    definite
        .iter()
        .any(|unit| format!("{said} ").contains(unit))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::orders::standard;
    use crate::testing::names;

    #[test]
    fn the_line_holds_what_the_sentence_names() {
        let line =
            |example: &str, sentence: &str| like_example(standard(), example, sentence, names());
        for (example, sentence, said) in [
            (
                "PLACE LLAMAS ADR, AEG, Alb",
                "one herd in Armenia and one in the Black Sea, the third Syria",
                Some("PLACE LLAMAS Armenia, Black Sea, Syria"),
            ),
            (
                "BIRTH ANY A",
                "births: fleets, everywhere",
                Some("BIRTH ANY F"),
            ),
            (
                "BIRTH ANY A",
                "on my coasts I'd like a fleet please, not an army",
                Some("BIRTH ANY F"),
            ),
            (
                "BIRTH ANY A",
                "the fleet should go to the Ionian after all",
                None,
            ),
            ("BIRTH ANY A", "the fleet holds", None),
            ("PLACE LLAMAS ADR, AEG, Alb", "where do they go?", None),
            ("PASS", "one herd in Armenia", None),
        ] {
            assert_eq!(line(example, sentence).as_deref(), said, "{sentence}");
        }
    }
}
