//! Orders as they were probably meant: what an order that cannot be read becomes when the mistake that stopped its reading is
//! corrected. Whoever proposes one of them must read it as any other line first, and must have only one that can be done.

use super::likeness::{are_alike, replaced};
use super::names::Names;
use super::order_words::{OrderWords, Verb};
use super::parse_error::{ParseError, ParseReason, Suggestion};
use super::prose::{asks_judge, denies, sentences};
use dipjudge_grammar::{Terms, Text};

/// Longer texts are no order with a mistake.
const LONGEST: usize = 120;

/// What an order may say behind its unit, for words that are like one of these.
const VERBS: [&str; 12] = [
    "supports",
    "support",
    "convoys",
    "convoy",
    "moves to",
    "move to",
    "retreats to",
    "holds",
    "hold",
    "stands",
    "disbands",
    "builds",
];

/// A mistake in an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mistake {
    /// The letter of the unit stands at its province: `FLon-Nth`.
    GluedKind,
    /// The name of a province is misspelt, and just one is like it.
    Province,
    /// The name of a province is misspelt or too short, and several may be meant.
    OneOfSeveralProvinces,
    /// No verb stands behind the unit: the arrow is missing, or a word stands for it.
    NoArrow,
    /// The verb is misspelt.
    Verb,
    /// Further words stand behind the order.
    TextAfter,
}

impl Mistake {
    /// Whether the correction is all but certain, so that it is shown with the refusal.
    fn has_one_correction(self) -> bool {
        !matches!(self, Self::OneOfSeveralProvinces | Self::Verb)
    }

    /// Whether it may be one of several mistakes in an order. A word with a blank or an arrow put in is not corrected any
    /// further, since orders would be made of prose.
    pub fn is_one_of_several(self) -> bool {
        !matches!(self, Self::GluedKind | Self::NoArrow)
    }
}

/// An order with one mistake corrected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Correction {
    /// The corrected line. A province is written by its name, everything else as it was sent.
    pub line: String,
    /// What was wrong with the line as it was sent.
    pub mistake: Mistake,
}

/// What an order that cannot be read may have been meant as, the likeliest first.
pub fn corrections(error: &ParseError, names: &Names) -> Vec<Correction> {
    let words: &str = &error.text;
    let mut found = Vec::new();
    if !may_be_mended(words) {
        return found;
    }
    let mut add = |mistake, line| found.push(Correction { line, mistake });
    if let Some(line) = kind_parted(words, names) {
        add(Mistake::GluedKind, line);
    }
    let at = error.at.checked_sub(error.span.start);
    let Some((before, after)) = at.and_then(|at| words.split_at_checked(at)) else {
        return found;
    };
    let instead = |word: &str, better: &str| replaced(words, before.len(), word, better);
    match &error.reason {
        ParseReason::UnknownProvince { word, nearest, .. } => {
            // What follows the province on the line may have been taken for a part of its name.
            let first = word.split_whitespace().next().unwrap_or_default();
            let mistake = match nearest.len() {
                1 => Mistake::Province,
                _ => Mistake::OneOfSeveralProvinces,
            };
            for meant in nearest {
                if let Some(line) = instead(word, &meant.name) {
                    add(mistake, line);
                }
            }
            for meant in nearest {
                if let Some(line) = instead(first, &meant.name) {
                    add(Mistake::OneOfSeveralProvinces, line);
                }
            }
        }
        ParseReason::AmbiguousProvince {
            word, candidates, ..
        } => {
            for meant in candidates {
                if let Some(line) = instead(word, &meant.name) {
                    add(Mistake::OneOfSeveralProvinces, line);
                }
            }
        }
        ParseReason::NoVerb { word, .. } if !word.is_empty() => {
            for line in with_arrow(before, after, names) {
                add(Mistake::NoArrow, line);
            }
            let first = word.split_whitespace().next().unwrap_or_default();
            for verb in VERBS {
                let meant = verb.split_whitespace().next().unwrap_or_default();
                if are_alike(first, meant)
                    && let Some(line) = instead(first, verb)
                {
                    add(Mistake::Verb, line);
                }
            }
        }
        ParseReason::TextAfter { .. } => add(Mistake::TextAfter, before.trim_end().to_owned()),
        _ => {}
    }
    found
}

/// A support that points back to the order before it on the line, with that order in the place of the word: `Mar supports that`.
pub fn pointed_back(order: &str, before: &str) -> Option<String> {
    let order = order.trim().trim_end_matches(['.', '!']);
    let (unit, word) = order.rsplit_once(' ')?;
    let points = ["that", "this", "it", "him", "them"];
    let supports = ["s", "supports", "support", "supporting", "helps"];
    let ends =
        |words: &[&str], text: &str| words.iter().any(|word| text.eq_ignore_ascii_case(word));
    let (unit, verb) = unit.rsplit_once(' ')?;
    (ends(&points, word) && ends(&supports, verb)).then(|| format!("{unit} S {before}"))
}

/// An order for each of several units that stand behind one kind: `armies in Mun and Ber`.
pub fn one_each(order: &str) -> Option<String> {
    let order = order.trim().trim_end_matches(['.', '!']);
    let (kind, places) = order.split_once(' ')?;
    let kind = match kind.to_ascii_lowercase().as_str() {
        "armies" => "A",
        "fleets" => "F",
        _ => return None,
    };
    let places = places
        .strip_prefix("in ")
        .or_else(|| places.strip_prefix("at "))
        .unwrap_or(places);
    let places = places.replace(" and ", ",").replace('&', ",");
    let orders: Vec<String> = places
        .split(',')
        .map(str::trim)
        .filter(|place| !place.is_empty())
        .map(|place| format!("{kind} {place}"))
        .collect();
    (orders.len() > 1).then(|| orders.join("; "))
}

/// The corrected line to be shown with a refusal, if a correction makes whole orders of the words. `read` reads a line by the
/// same rules.
pub(super) fn suggestion(
    error: &ParseError,
    names: &Names,
    read: impl Fn(&str) -> Vec<Result<OrderWords, ParseError>>,
) -> Option<Box<Suggestion>> {
    corrections(error, names)
        .iter()
        .filter(|correction| correction.mistake.has_one_correction())
        .find_map(|correction| whole_orders(read(&correction.line)))
        .map(|line| Box::new(Suggestion { line }))
}

/// Whether words can be an order with a mistake in it: neither long prose, nor an order that is denied.
fn may_be_mended(words: &str) -> bool {
    words.len() <= LONGEST && !denies(words)
}

/// Where orders may stand in prose: for each sentence, its words from each of its words on, the whole sentence first. A sentence
/// that denies or asks something holds none, unless it asks the judge.
pub fn orders_in_prose(text: &str) -> impl Iterator<Item = Vec<&str>> {
    let sentences = sentences(text).into_iter();
    sentences
        .filter(|sentence| may_be_mended(sentence) && !asks(sentence))
        .map(|sentence| {
            let starts = sentence.char_indices().filter(|(at, _)| {
                sentence
                    .get(..*at)
                    .is_some_and(|before| before.is_empty() || before.ends_with(' '))
            });
            // "York takes the boat over the North Sea to Denmark": the sea is no unit that goes there.
            let starts = starts.filter(|(at, _)| !names_way(sentence.get(..*at).unwrap_or("")));
            let from = starts.filter_map(|(at, _)| sentence.get(at..));
            from.filter(|words| !words.starts_with(' ')).collect()
        })
}

/// Whether words end with one behind which the way of a unit stands.
fn names_way(before: &str) -> bool {
    let mut words = before.split_whitespace().rev();
    let last = words.find(|word| !word.eq_ignore_ascii_case("the"));
    let ways = ["over", "via", "through", "across"];
    last.is_some_and(|last| ways.iter().any(|way| last.eq_ignore_ascii_case(way)))
}

/// Whether a sentence asks something of somebody else than the judge.
fn asks(sentence: &str) -> bool {
    let questions = [
        "why",
        "what",
        "how",
        "who",
        "which",
        "when",
        "where",
        "if",
        "whether",
        "suppose",
        "supposing",
        "assuming",
        "imagine",
    ];
    let asks = sentence
        .split_whitespace()
        .any(|word| questions.iter().any(|ask| word.eq_ignore_ascii_case(ask)));
    (sentence.trim_end().ends_with('?') && !asks_judge(sentence)) || asks
}

/// The short form of what was read, if it is orders and nothing else.
fn whole_orders(read: Vec<Result<OrderWords, ParseError>>) -> Option<String> {
    let orders: Result<Vec<OrderWords>, ParseError> = read.into_iter().collect();
    let orders = orders.ok()?;
    let plain =
        |order: &OrderWords| !matches!(order.verb, Verb::Own(_) | Verb::Adjust | Verb::HoldAll);
    if orders.is_empty() || !orders.iter().all(plain) {
        return None;
    }
    let orders: Vec<String> = orders.iter().map(ToString::to_string).collect();
    Some(orders.join("; "))
}

/// A unit with a word behind it that is no verb: the arrow is missing, or the word stands for one.
fn with_arrow(unit: &str, after: &str, names: &Names) -> Vec<String> {
    let mut lines = vec![format!("{unit} - {after}")];
    let Some((word, rest)) = after.split_once(' ') else {
        return lines;
    };
    let text = Text::new(word);
    let is_kind = names
        .unit_kind(&text, 0)
        .is_some_and(|(end, _)| end == text.len());
    // "F Lon nach Eng" and "London fleet to Eng", but not "London loves Paris".
    let has_kind = unit.trim().contains(' ');
    if is_kind || has_kind {
        lines.push(format!("{unit} {rest}"));
    }
    if has_kind {
        lines.push(format!("{unit} - {rest}"));
    }
    lines
}

/// `FLon-Nth` with a blank behind the letter.
fn kind_parted(words: &str, names: &Names) -> Option<String> {
    let (kind, rest) = words.split_at_checked(1)?;
    let text = Text::new(kind);
    let glued = rest.starts_with(|next: char| next.is_ascii_alphabetic());
    let is_kind = glued && names.unit_kind(&text, 0).is_some();
    is_kind.then(|| format!("{kind} {rest}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::orders::read_orders;
    use crate::testing::names;
    use dipjudge_rules::calendar::PhaseKind;

    fn corrected(line: &str) -> Vec<String> {
        let read = read_orders(line, PhaseKind::Movement, names());
        let error = read.into_iter().find_map(Result::err);
        let found = error.map(|error| corrections(&error, names()));
        found
            .into_iter()
            .flatten()
            .map(|found| found.line)
            .collect()
    }

    #[test]
    fn a_misspelt_province_is_replaced_by_the_nearest() {
        assert!(corrected("F Lodnon - North Sea").contains(&"F London - North Sea".to_owned()));
        assert!(corrected("F Lon - Nroth Sea").contains(&"F Lon - North Sea".to_owned()));
        assert!(
            corrected("A Par S A Mar - Burgandi").contains(&"A Par S A Mar - Burgundy".to_owned())
        );
    }

    #[test]
    fn a_misspelt_verb_is_replaced_by_those_like_it() {
        assert!(corrected("A Par suports A Mar").contains(&"A Par supports A Mar".to_owned()));
        assert!(corrected("A Par hlods").contains(&"A Par holds".to_owned()));
    }

    #[test]
    fn what_stands_behind_an_order_is_cut() {
        assert_eq!(corrected("A Par - Bur because he said so"), ["A Par - Bur"]);
    }

    #[test]
    fn an_order_that_is_denied_is_not_proposed() {
        for line in [
            "A Par - Bur is not what I want",
            "A Par - Burgandi never again",
        ] {
            assert_eq!(corrected(line), Vec::<String>::new(), "{line}");
        }
    }

    fn suggested(line: &str) -> Option<String> {
        let read = read_orders(line, PhaseKind::Movement, names());
        let error = read.into_iter().find_map(Result::err);
        let error = error.unwrap_or_else(|| panic!("{line} is read"));
        error.suggestion.map(|meant| meant.line)
    }

    #[test]
    fn the_probable_order_is_shown() {
        for (line, order) in [
            ("Lon Eng", "LON - ENG"),
            ("FLon-Nth", "F LON - NTH"),
            ("F Lodnon - Nth", "F LON - NTH"),
            ("F Lon - Nth with love", "F LON - NTH"),
            ("F Lon till Nth", "F LON - NTH"),
            ("London fleet to North Sea", "LON - NTH"),
        ] {
            assert_eq!(suggested(line).as_deref(), Some(order), "{line}");
        }
    }

    #[test]
    fn what_is_no_order_has_none() {
        for line in [
            "Paris Burgundy is nice",
            "London loves Paris",
            "Both fleets hold",
            "F Lon - Nth is not what I want",
            "don't move F Lon to Nth",
            "F Lon - Foo",
            "F Liv - Yor",
        ] {
            assert_eq!(suggested(line), None, "{line}");
        }
    }
}
