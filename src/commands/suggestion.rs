//! The line that was probably meant by one that cannot be read.

use super::names::Names;
use super::order_words::{OrderWords, Verb};
use super::parse_error::{ParseError, ParseReason, Suggestion};
use dipjudge_grammar::{Terms, Text};

/// Longer texts are no order with a mistake.
const LONGEST: usize = 120;

/// Words that turn the meaning of a line round.
const NEGATIONS: [&str; 6] = ["not", "don't", "no", "never", "without", "unless"];

/// The corrected line, if a correction makes whole orders of the words. `read` reads a line by the same rules.
pub(super) fn suggestion(
    error: &ParseError,
    names: &Names,
    read: impl Fn(&str) -> Vec<Result<OrderWords, ParseError>>,
) -> Option<Box<Suggestion>> {
    let words: &str = &error.text;
    if !may_be_mended(words) {
        return None;
    }
    let lines = corrections(error, words, names);
    let line = lines.iter().find_map(|line| whole_orders(read(line)))?;
    Some(Box::new(Suggestion { line }))
}

/// Whether words can be an order with a mistake in it: neither long prose, nor an order that is denied.
pub(super) fn may_be_mended(words: &str) -> bool {
    let negates = |word: &str| NEGATIONS.iter().any(|no| word.eq_ignore_ascii_case(no));
    words.len() <= LONGEST && !words.split_whitespace().any(negates)
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

/// The words with one mistake mended, the likeliest first.
fn corrections(error: &ParseError, words: &str, names: &Names) -> Vec<String> {
    if let Some(parted) = kind_parted(words, names) {
        return vec![parted];
    }
    let at = error.at.checked_sub(error.span.start);
    let Some((before, after)) = at.and_then(|at| words.split_at_checked(at)) else {
        return Vec::new();
    };
    match &error.reason {
        ParseReason::TextAfter { .. } => vec![before.to_owned()],
        ParseReason::NoVerb { word, .. } if !word.is_empty() => verb_mended(before, after, names),
        ParseReason::UnknownProvince { word, nearest, .. } => match nearest.as_slice() {
            [only] => after
                .strip_prefix(word.as_str())
                .map(|rest| format!("{before}{}{rest}", only.province))
                .into_iter()
                .collect(),
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// A unit with a word behind it that is no verb: the arrow is missing, or the word stands for one.
fn verb_mended(unit: &str, after: &str, names: &Names) -> Vec<String> {
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
    use crate::orders::read_orders;
    use crate::testing::names;
    use dipjudge_rules::calendar::PhaseKind;

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
            ("F Lon nach Nth", "F LON - NTH"),
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
