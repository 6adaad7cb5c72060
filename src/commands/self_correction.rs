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
    taken_back: &TakenBack<'_>,
    names: &Names,
    before: Option<&str>,
) -> Option<String> {
    let TakenBack { kept, behind, .. } = *taken_back;
    let better = sentences(behind).into_iter().next()?;
    let kept = if kept.is_empty() { before? } else { kept };
    // "the fleet in Berlin, I still need the Ruhr"
    let clause = better.split_once(", ").map(|(clause, _)| clause);
    let (better, mended) = [Some(better), clause]
        .into_iter()
        .flatten()
        .find_map(|better| {
            let mended = replaced(grammar, kept, better.trim_end_matches(is_sign), names)?;
            Some((better, mended))
        })?;
    let rest = behind
        .split_once(better)?
        .1
        .trim_start_matches([',', ' '])
        .trim();
    Some(if rest.is_empty() {
        mended
    } else {
        format!("{mended}. {rest}")
    })
}

/// A line in which its writer takes something back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TakenBack<'l> {
    /// What stands before the words that say so; it may be empty.
    pub kept: &'l str,
    /// The words that say so, with the signs around them.
    pub words: &'l str,
    /// What stands behind them; it may be empty.
    pub behind: &'l str,
}

/// A line parted at the first words by which its writer takes something back; `None` if there are none.
pub fn taken_back<'l>(grammar: &Grammar, line: &'l str, names: &Names) -> Option<TakenBack<'l>> {
    let text = Text::new(line);
    let starts = words(&text).into_iter();
    let mut starts = starts.filter(|start| follows_sign(&text, *start));
    let (start, end) = starts.find_map(|start| {
        let end = grammar.read("taken-back", &text, start, names)?.end;
        Some((text.source_at(start), text.source_at(end)))
    })?;
    let kept = line.get(..start)?.trim_end_matches(is_sign);
    let behind = line.get(end..)?.trim_start();
    Some(TakenBack {
        kept,
        words: line.get(kept.len()..line.len() - behind.len())?,
        behind,
    })
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
    if !say_nothing_else(grammar, &text, beside, names) {
        return None;
    }
    let put = |old: Range<usize>, new: Range<usize>| with(&kept, old, text.source(new));
    match (new.has_kind, old.has_kind) {
        (false, _) => put(old.place, new.place),
        (true, true) => put(old.whole, new.whole),
        // "Take Bohemia off. No wait, the fleet in Greece."
        (true, false) if olds.len() == 1 => put(old.place, new.whole),
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
    if !say_nothing_else(grammar, better, beside, names) {
        return None;
    }
    let (old, new) = (with_article(kept, old), with_article(better, new));
    with(kept, old, better.source(new))
}

/// Whether the words at these places only go with a place or a kind: `to the ... instead`.
fn say_nothing_else(
    grammar: &Grammar,
    text: &Text<'_>,
    mut places: impl Iterator<Item = usize>,
    names: &Names,
) -> bool {
    places.all(|at| grammar.read("taken-beside", text, at, names).is_some())
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

    fn corrected_line(line: &str, before: Option<&str>) -> Option<String> {
        let taken_back = taken_back(standard(), line, names())?;
        corrected(standard(), &taken_back, names(), before)
    }

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
                "Take off the army in the Ruhr... no, actually the fleet in Berlin, I still need the Ruhr.",
                "Take off the fleet in Berlin. I still need the Ruhr.",
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
            (
                "Take Bohemia off. No wait, the fleet in Greece.",
                "Take fleet in Greece off",
            ),
        ] {
            let read = corrected_line(line, None);
            assert_eq!(read.as_deref(), Some(meant), "{line}");
        }
        let read = corrected_line("No wait, Ruhr!", Some("Munich - Burgundy"));
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
            assert_eq!(corrected_line(line, None), None, "{line}");
        }
    }
}
