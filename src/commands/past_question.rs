//! Questions after orders of past phases: `Who supported Serbia to Trieste last turn?`, `What did Italy do in spring?`

use super::mentions::{distinct_provinces, marker, words};
use super::names::Names;
use super::prose::asks_judge;
use super::subjects::asks;
use dipjudge_grammar::{Grammar, Text};
use dipjudge_rules::map::Province;

/// What orders of the past a sentence asks after.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AskedPast {
    /// The provinces that it names.
    pub places: Vec<Province>,
    /// Whether it asks who did something, so that the powers that it names are those to whom it was done: `Who attacked Italy?`
    pub by_whom: bool,
    /// Whether its writer is one of these: `Who attacked me?`
    pub to_writer: bool,
}

/// What orders of the past a sentence asks after; `None` if it asks after none. `What did ...?` and `Did ...?` may ask after much
/// else: whoever has no name of a power in them asks after no orders.
pub fn asked_past(grammar: &Grammar, sentence: &str, names: &Names) -> Option<AskedPast> {
    if !asks(sentence) || asks_judge(sentence) {
        return None;
    }
    let text = Text::new(sentence);
    let found = marker(grammar, names, "asks-past", &text)?;
    // "Why did Munich fail?" is WHY, and "How many builds did I get?" is about centers.
    let begin = words(&text)
        .into_iter()
        .take_while(|at| *at < found.start)
        .map(|at| text.folded(at..text.word_end(at)).to_string());
    let other = [
        "why", "when", "many", "if", "can", "could", "should", "would", "will",
    ];
    if begin.into_iter().any(|word| other.contains(&word.as_str())) {
        return None;
    }
    let stands = |rule: &str| marker(grammar, names, rule, &text).is_some();
    Some(AskedPast {
        places: distinct_provinces(grammar, &text, names),
        by_whom: stands("asks-by-whom"),
        to_writer: stands("asks-of-writer"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::orders::standard;
    use crate::testing::names;

    #[test]
    fn questions_after_past_orders_are_known() {
        for (sentence, asked) in [
            ("Who supported Serbia - Trieste in Spring 1903?", "SER TRI"),
            ("who helped the turk into trieste last turn?", "TRI"),
            ("Which units attacked Munich?", "MUN"),
            ("Did anybody attack me?", "me"),
            ("what happened in Burgundy last spring?", "BUR"),
            ("What did Italy do last turn?", ""),
            ("Who kicked me out of Tunis?", "TUN me"),
        ] {
            let past = asked_past(standard(), sentence, names());
            let past = past.map(|past| {
                let places = past.places.iter().map(ToString::to_string);
                let me = (past.by_whom && past.to_writer).then(|| "me".to_owned());
                places.chain(me).collect::<Vec<_>>().join(" ")
            });
            assert_eq!(past.as_deref(), Some(asked), "{sentence}");
        }
        for other in [
            "Why did A Ser fail?",
            "Who can attack Munich?",
            "Who owns Trieste?",
            "Could you move Munich to Burgundy?",
            "How many builds did Russia get?",
        ] {
            assert_eq!(asked_past(standard(), other, names()), None, "{other}");
        }
    }
}
