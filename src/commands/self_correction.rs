//! Places and kinds that a writer takes back within a line: `Munich to Burgundy - no, make that Ruhr`.

use std::ops::Range;

use super::mentions::{Mention, kind_at, mentions, words};
use super::names::Names;
use super::prose::sentences;
use dipjudge_grammar::{Grammar, Text};

/// What a part of a sentence names, in positions of its text.
struct Named {
    /// The place, with the kind of unit that stands at it.
    whole: Range<usize>,
    place: Range<usize>,
    has_kind: bool,
}

/// A line as its writer means it in the end: `Munich to Ruhr`, of `Munich to Burgundy - no, make that Ruhr`. What replaces
/// must be a place, a kind of unit or both, and nothing else; `before` is the order that stands before the line.
/// `None` if nothing is taken back.
pub fn corrected(
    grammar: &Grammar,
    line: &str,
    names: &Names,
    before: Option<&str>,
) -> Option<String> {
    let (kept, behind) = parted(grammar, line, names)?;
    let better = sentences(behind).into_iter().next()?;
    let rest = behind.split_once(better)?.1.trim();
    let kept = if kept.is_empty() { before? } else { kept };
    let mended = replaced(grammar, kept, better.trim_end_matches(is_sign), names)?;
    Some(if rest.is_empty() {
        mended
    } else {
        format!("{mended}. {rest}")
    })
}

/// What stands before and behind the words by which a writer takes something back.
pub fn parted<'l>(grammar: &Grammar, line: &'l str, names: &Names) -> Option<(&'l str, &'l str)> {
    let text = Text::new(line);
    let taken_back = |start: usize| Some(grammar.read("taken-back", &text, start, names)?.end);
    let (start, end) = words(&text).into_iter().find_map(|start| {
        let begins = follows_sign(&text, start);
        let end = taken_back(start).filter(|_| begins)?;
        Some((text.source_at(start), text.source_at(end)))
    })?;
    let kept = line.get(..start)?.trim_end_matches(is_sign);
    Some((kept, line.get(end..)?.trim_start()))
}

/// Whether a sign that parts sentences or clauses stands before a word, or nothing.
fn follows_sign(text: &Text<'_>, at: usize) -> bool {
    let before = (0..at).rev().map(|before| text.byte(before));
    let mut before = before.skip_while(|byte| *byte == b' ');
    before
        .next()
        .is_none_or(|byte| !byte.is_ascii_alphanumeric() && !matches!(byte, b'\'' | b'"'))
}

fn is_sign(sign: char) -> bool {
    !sign.is_alphanumeric() && !matches!(sign, '(' | ')' | '"' | '\'')
}

/// Words with what others name in the place of what they name last. `Armenia than Constantinople` tells what is replaced.
fn replaced(grammar: &Grammar, kept: &str, better: &str, names: &Names) -> Option<String> {
    let (kept, text) = (Text::new(kept), Text::new(better));
    let found = mentions(grammar, &text, names);
    let olds = mentions(grammar, &kept, names);
    let (old, new) = match found.as_slice() {
        [] => return other_kind(grammar, &kept, &text, names),
        [new] => (olds.last()?, new),
        [new, other] if is_than(&text, new.end..other.start) => {
            let is_other = |one: &&Mention| one.province() == other.province();
            (olds.iter().rfind(is_other)?, new)
        }
        _ => return None,
    };
    let (new, old) = (
        named(grammar, &text, new, names),
        named(grammar, &kept, old, names),
    );
    let ends = found.last().map_or(new.whole.end, |last| last.end);
    let beside = words(&text)
        .into_iter()
        .filter(|at| !new.whole.contains(at) && !(new.whole.end..ends).contains(at));
    if !beside
        .map(|at| grammar.read("taken-beside", &text, at, names))
        .all(|read| read.is_some())
    {
        return None;
    }
    let put = |old: Range<usize>, new: Range<usize>| with(&kept, old, text.source(new));
    match (new.has_kind, old.has_kind) {
        (false, _) => put(old.place, new.place),
        (true, true) => put(old.whole, new.whole),
        (true, false) => None,
    }
}

/// Words with another kind of unit: `build an army in Kiel - no, a fleet`.
fn other_kind(
    grammar: &Grammar,
    kept: &Text<'_>,
    better: &Text<'_>,
    names: &Names,
) -> Option<String> {
    let kinds = |text: &Text<'_>| {
        let at = words(text).into_iter();
        at.filter(|at| kind_at(grammar, names, text, *at).is_some())
            .collect::<Vec<usize>>()
    };
    let [new] = kinds(better).try_into().ok()?;
    let old = kinds(kept).pop()?;
    let beside = words(better).into_iter().filter(|at| *at != new);
    if !beside
        .map(|at| grammar.read("taken-beside", better, at, names))
        .all(|read| read.is_some())
    {
        return None;
    }
    let (old, new) = (with_article(kept, old), with_article(better, new));
    with(kept, old, better.source(new))
}

/// The words of a text with other ones in the place of a part.
fn with(text: &Text<'_>, part: Range<usize>, words: &str) -> Option<String> {
    let (start, end) = (text.source_at(part.start), text.source_at(part.end));
    let (before, after) = (text.whole().get(..start)?, text.whole().get(end..)?);
    Some(format!("{before}{words}{after}"))
}

/// A word with the article before it.
fn with_article(text: &Text<'_>, word: usize) -> Range<usize> {
    let before = words(text).into_iter().rev().find(|at| *at < word);
    let article = before.filter(|at| ["a", "an"].contains(&text.folded(*at..text.word_end(*at))));
    article.unwrap_or(word)..text.word_end(word)
}

/// Whether `than` and nothing else stands between.
fn is_than(text: &Text<'_>, between: Range<usize>) -> bool {
    text.folded(between).trim() == "than"
}

/// A place with the kind of unit before or behind it: `the fleet in Kiel`, `moscow army`.
fn named(grammar: &Grammar, text: &Text<'_>, mention: &Mention, names: &Names) -> Named {
    let place = mention.start..mention.end;
    let kind = |at: usize| kind_at(grammar, names, text, at).is_some();
    let mut before = words(text)
        .into_iter()
        .rev()
        .skip_while(|at| *at >= mention.start)
        .skip_while(|at| {
            ["in", "at", "from", "of"].contains(&text.folded(*at..text.word_end(*at)))
        });
    let start = before.next().filter(|at| kind(*at));
    let next = text.skip_blanks(mention.end);
    let end = Some(text.word_end(next)).filter(|_| start.is_none() && kind(next));
    Named {
        whole: start.unwrap_or(mention.start)..end.unwrap_or(mention.end),
        place,
        has_kind: start.or(end).is_some(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::orders::standard;
    use crate::testing::names;

    #[test]
    fn the_last_place_or_kind_is_replaced() {
        for (line, meant) in [
            ("Munich to Burgundy - no, make that Ruhr", "Munich to Ruhr"),
            (
                "Constantinople goes to Bulgaria, or no, better to the Black Sea",
                "Constantinople goes to the Black Sea",
            ),
            (
                "Rome to Venice, no wait, Naples! Apulia holds.",
                "Rome to Naples. Apulia holds.",
            ),
            (
                "Build an army in Kiel - no, a fleet.",
                "Build a fleet in Kiel",
            ),
            (
                "I take off the army in Munich. Or no, better the fleet in Kiel.",
                "I take off the fleet in Kiel",
            ),
            (
                "fleet stp north coast. no wait, moscow army instead",
                "moscow army",
            ),
            (
                "Ankara goes to Constantinople, Smyrna holds. Hmm, no, rather Armenia than Constantinople.",
                "Ankara goes to Armenia, Smyrna holds",
            ),
            ("Vienna-Galicia... actually Tyrolia", "Vienna-Tyrolia"),
        ] {
            let read = corrected(standard(), line, names(), None);
            assert_eq!(read.as_deref(), Some(meant), "{line}");
        }
        let read = corrected(
            standard(),
            "No wait, Ruhr!",
            names(),
            Some("Munich - Burgundy"),
        );
        assert_eq!(read.as_deref(), Some("Munich - Ruhr"));
    }

    #[test]
    fn whole_orders_and_other_words_replace_nothing() {
        for line in [
            "Munich to Burgundy",
            "Munich holds, no support for Ruhr",
            "London stays. No wait, Edinburgh to the North Sea",
            "no wait, London to the Channel",
            "Munich to Burgundy, no, I want to think about Ruhr",
            "Is Munich safe? No, said Anna in Ruhr",
        ] {
            assert_eq!(corrected(standard(), line, names(), None), None, "{line}");
        }
    }
}
