//! A line like an example, with what a sentence says: `one herd in Armenia and two at sea, in the Ionian and the Aegean` and the example
//! `PLACE LLAMAS ADR, AEG, Alb` make `PLACE LLAMAS Armenia, Ionian Sea, Aegean Sea`.

use super::mentions::{distinct_provinces, kind_at, mentions, words};
use super::names::Names;
use super::order_clauses::without_refused;
use super::prose::{bare_words, clauses_of_orders};
use dipjudge_grammar::{Grammar, Text};
use dipjudge_rules::map::UnitKind;
use std::ops::Range;

/// What stands between the provinces of a list.
const JOINT: &str = ", ";

/// The word of an example in whose place a province may stand.
const ANY: &str = "ANY";

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
    let shown_kind = last_kind(grammar, &shown, names);
    let said_kind = only_kind(grammar, &said, names).map(|(_, kind)| kind);
    if let (Some(first), Some(last)) = (listed.first(), listed.last()) {
        let is_list = listed.len() > 1;
        if wanted.is_empty() || (wanted.len() > 1) != is_list {
            return None;
        }
        let named: Vec<&str> = wanted.iter().map(|at| names.full_name(*at)).collect();
        let before = shown.source(0..first.start);
        let behind = match &shown_kind {
            // "BIRTH Pie A"
            Some(kind) if kind.start >= last.end => said_kind?.to_string(),
            _ => shown.source(last.end..shown.len()).trim().to_owned(),
        };
        let parts = [before.trim(), &named.join(JOINT), &behind];
        return Some(parts.join(" ").trim().to_owned());
    }
    let mut line = example.to_owned();
    // The example has a place for a kind of unit.
    line.replace_range(shown_kind?, &said_kind?.to_string());
    // "The fleet to the Ionian" is an order.
    match wanted.as_slice() {
        _ if names_a_unit(&said) => None,
        [] => Some(line),
        [one] if line.contains(ANY) => Some(line.replacen(ANY, names.full_name(*one), 1)),
        _ => None,
    }
}

/// The line that an example with a place becomes with the kind of unit that a sentence names without any place: `BIRTH Lvn F`, of
/// `BIRTH Lvn A` and `my newborn shall be a sailor`.
pub fn with_kind(
    grammar: &Grammar,
    example: &str,
    sentence: &str,
    names: &Names,
) -> Option<String> {
    let (shown, said) = (Text::new(example), Text::new(without_refused(sentence)));
    let (_, kind) = only_kind(grammar, &said, names)?;
    let is_open = !names.any_province(sentence) && !names_a_unit(&said);
    let mut line = example.to_owned();
    line.replace_range(last_kind(grammar, &shown, names)?, &kind.to_string());
    is_open.then_some(line)
}

/// What a sentence says of one place each, if it says it of several: `Piedmont becomes a fleet and Rome an army`, `Rome and Piedmont shall
/// be fleets`.
pub fn parts_by_place(grammar: &Grammar, sentence: &str, names: &Names) -> Vec<String> {
    let said = Text::new(without_refused(sentence));
    let wanted = distinct_provinces(grammar, &said, names);
    let kind = only_kind(grammar, &said, names);
    let kind = kind.map(|(at, _)| said.source(at..said.word_end(at)));
    // "... shall be fleets", and not "the one in Rome becomes something and the one in Piedmont a fleet"
    let is_for_all = |kind: &&str| {
        let shares = ["both", "all", "each"];
        kind.ends_with('s') || bare_words(sentence).any(|word| shares.contains(&word))
    };
    match kind.filter(is_for_all) {
        Some(kind) => {
            let places = wanted.into_iter().map(|place| names.full_name(place));
            places.map(|place| format!("{place} {kind}")).collect()
        }
        None => clauses_of_orders(said.source(0..said.len()))
            .into_iter()
            .filter(|clause| names.any_province(clause))
            .map(str::to_owned)
            .collect(),
    }
}

/// Where the kind of unit stands at the end of an example: `BIRTH ANY A`.
fn last_kind(grammar: &Grammar, shown: &Text<'_>, names: &Names) -> Option<Range<usize>> {
    let last = words(shown).pop()?;
    let place = last..shown.word_end(last);
    let letter = shown.source(place.clone());
    let is_letter = letter.len() == 1 && letter.chars().all(char::is_uppercase);
    kind_at(grammar, names, shown, last).filter(|_| is_letter)?;
    Some(place)
}

/// The kind of unit that a sentence names, with where, if it names one alone.
fn only_kind(grammar: &Grammar, said: &Text<'_>, names: &Names) -> Option<(usize, UnitKind)> {
    let mut kinds = words(said).into_iter().filter_map(|at| {
        // "Not one in Berlin": a letter alone is no kind in a sentence.
        let is_word = said.word_end(at) - at > 1;
        // Lines name kinds by a letter; "new" is the kind of units that are neither army nor fleet yet.
        let is_lettered = |kind: &UnitKind| kind.to_string().len() == 1;
        kind_at(grammar, names, said, at)
            .filter(|kind| is_word && is_lettered(kind))
            .map(|kind| (at, kind))
    });
    kinds.next().filter(|_| kinds.next().is_none())
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
            (
                "BIRTH ANY A",
                "if something is born in Rome it shall be an army",
                Some("BIRTH Rome A"),
            ),
            ("BIRTH Pie A", "Rome becomes a fleet", Some("BIRTH Rome F")),
            ("BIRTH Pie A", "something in Piedmont", None),
            ("PLACE LLAMAS ADR, AEG, Alb", "where do they go?", None),
            ("PASS", "one herd in Armenia", None),
        ] {
            assert_eq!(line(example, sentence).as_deref(), said, "{sentence}");
        }
    }

    #[test]
    fn a_sentence_says_something_of_each_place() {
        for (sentence, parts) in [
            (
                "Piedmont becomes a fleet and Rome an army",
                &["Piedmont becomes a fleet and", "Rome an army"][..],
            ),
            (
                "Rome and Piedmont shall be fleets",
                &["Rome fleets", "Piedmont fleets"],
            ),
            (
                "Rome becomes a surprise and Piedmont an army",
                &["Rome becomes a surprise and", "Piedmont an army"],
            ),
        ] {
            let found = parts_by_place(standard(), sentence, names());
            assert_eq!(found, parts, "{sentence}");
        }
    }
}
