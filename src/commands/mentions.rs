//! What a text in words names: provinces, kinds of units, and the words by which a clause is understood.

use super::names::Names;
use super::order_words::PlaceWords;
use super::verb_reader::place_words;
use dipjudge_grammar::{Grammar, Terms, Text};
use dipjudge_rules::map::{Coast, Province, UnitKind};

/// The fewest letters of words that are taken for a province.
const SHORTEST_NAME: usize = 3;

/// Words of sentences that begin the name of a province: Bothnia, Trieste.
pub(super) const COMMON_WORDS: [&str; 5] = ["both", "tries", "greet", "greets", "greetings"];

/// A province that a clause names.
#[derive(Clone)]
pub(super) struct Mention {
    pub(super) place: PlaceWords,
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Mention {
    pub(super) fn province(&self) -> Province {
        self.place.province
    }

    pub(super) fn coast(&self) -> Option<Coast> {
        self.place.coast
    }

    /// Whether it stands at this position.
    pub(super) fn covers(&self, at: usize) -> bool {
        (self.start..self.end).contains(&at)
    }
}

/// The kind of verb that a clause has, with its place.
#[derive(Clone, Copy)]
pub(super) struct Marker {
    pub(super) start: usize,
    pub(super) end: usize,
}

/// The starts of the words of a text.
pub(super) fn words(text: &Text<'_>) -> Vec<usize> {
    let mut starts = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let end = text.word_end(at);
        if end > at {
            starts.push(at);
            at = end;
        } else {
            at += 1;
        }
    }
    starts
}

/// The provinces that a text names.
pub(super) fn mentions(grammar: &Grammar, text: &Text<'_>, names: &Names) -> Vec<Mention> {
    let mut found: Vec<Mention> = Vec::new();
    for start in words(text) {
        let is_common = COMMON_WORDS.contains(&text.folded(start..text.word_end(start)));
        if is_common || found.last().is_some_and(|last| start < last.end) {
            continue;
        }
        let place = grammar
            .read("place", text, start, names)
            .and_then(|tree| Some((place_words(tree.root(text))?, tree.end)));
        if let Some((place, end)) = place
            && end - start >= SHORTEST_NAME
            && !names.is_adjective(text, start, end)
        {
            found.push(Mention { place, start, end });
        }
    }
    found
}

/// A rule where it stands in a text first.
pub(super) fn marker(
    grammar: &Grammar,
    names: &Names,
    rule: &str,
    text: &Text<'_>,
) -> Option<Marker> {
    marker_among(grammar, names, rule, text, words(text))
}

/// The same among the first words of a text, with at most so many before it: `And if`.
pub(super) fn marker_near_start(
    grammar: &Grammar,
    names: &Names,
    rule: &str,
    text: &Text<'_>,
    most_before: usize,
) -> Option<Marker> {
    let first = words(text).into_iter().take(most_before + 1);
    marker_among(grammar, names, rule, text, first)
}

/// The same among the words that begin at a place or behind it.
pub(super) fn marker_behind(
    grammar: &Grammar,
    names: &Names,
    rule: &str,
    text: &Text<'_>,
    place: usize,
) -> Option<Marker> {
    let behind = words(text).into_iter().filter(|start| *start >= place);
    marker_among(grammar, names, rule, text, behind)
}

/// A rule where it stands first of these places.
pub(super) fn marker_among(
    grammar: &Grammar,
    names: &Names,
    rule: &str,
    text: &Text<'_>,
    starts: impl IntoIterator<Item = usize>,
) -> Option<Marker> {
    starts.into_iter().find_map(|start| {
        let end = grammar.read(rule, text, start, names)?.end;
        Some(Marker { start, end })
    })
}

/// The provinces that a text names, each once.
pub(super) fn distinct_provinces(
    grammar: &Grammar,
    text: &Text<'_>,
    names: &Names,
) -> Vec<Province> {
    let mut places: Vec<Province> = Vec::new();
    for named in mentions(grammar, text, names) {
        if !places.contains(&named.province()) {
            places.push(named.province());
        }
    }
    places
}

/// The kind of unit that a word names, one or several of it: `army`, `armies`.
pub(super) fn kind_at(
    grammar: &Grammar,
    names: &Names,
    text: &Text<'_>,
    at: usize,
) -> Option<UnitKind> {
    let one = |word: &str| {
        let word = Text::new(word);
        let (end, kind) = names.unit_kind(&word, 0)?;
        (end == word.len()).then_some(kind)
    };
    let word = text.source(at..text.word_end(at));
    // The article, not the letter of an army.
    if word == "a" {
        return None;
    }
    let word = word.to_lowercase();
    let single = word.strip_suffix("ies").map(|stem| format!("{stem}y"));
    let single = single.or_else(|| word.strip_suffix('s').map(str::to_owned));
    // "As" is no plural of the letter.
    let single = single.filter(|single| single.len() > 1);
    let stands = |rule: &str| grammar.read(rule, text, at, names).is_some();
    one(&word)
        .or_else(|| one(&single?))
        .or_else(|| stands("clause-army").then(|| one("army"))?)
        .or_else(|| stands("clause-fleet").then(|| one("fleet"))?)
}

/// The provinces that a text names.
pub fn provinces_in(grammar: &Grammar, text: &str, names: &Names) -> Vec<Province> {
    let text = Text::new(text);
    let mentions = mentions(grammar, &text, names);
    mentions.iter().map(Mention::province).collect()
}

/// The number of provinces that a line names: of two readings, the one that tells more is the better one.
pub fn provinces_named(grammar: &Grammar, line: &str, names: &Names) -> usize {
    let text = Text::new(line);
    mentions(grammar, &text, names).len()
}
