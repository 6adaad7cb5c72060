//! Finds out why words are no order.

use super::due::rule_for;
use super::no_contact::meant;
use super::order_reader::{OWN, OrderReader, ReadOrder};
use super::order_words::{OrderWords, UnitWords};
use super::parse_error::{Candidate, ParseError, ParseReason, Role, Wanted};
use super::verb_reader::unit_words;
use dipjudge_grammar::{Failure, Term, Terms, Text, Tree, WantedTerm};
use dipjudge_rules::calendar::PhaseKind;
use dipjudge_rules::map::Province;
use std::ops::Range;

/// Verbs shorter than this are letters, which stand in any text.
const SHORTEST_VERB: usize = 4;

/// An order that could be read, with more text behind it.
pub(super) struct CompleteOrder<'o> {
    pub(super) order: &'o OrderWords,
    /// The position after it.
    pub(super) end: usize,
    /// Where the text behind it begins.
    pub(super) after: usize,
}

/// Why the words of a span are no order, or why what begins with a complete order is none.
pub(super) fn cause(
    reader: &OrderReader<'_>,
    span: Range<usize>,
    complete: Option<CompleteOrder<'_>>,
) -> ParseError {
    let text = reader.text;
    let error_at = |at: usize, reason: ParseReason| ParseError {
        text: text.source(span.clone()).into(),
        span: text.source_at(span.start)..text.source_at(span.end),
        at: text.source_at(at),
        reason,
        suggestion: None,
    };
    let failure = farthest(reader, span.start);
    if let Some(reason) = no_contact(reader, span.start, &failure) {
        return error_at(failure.at, reason);
    }
    if let Some(meant) = other_phase(reader, span.start, failure.at) {
        return error_at(
            span.start,
            ParseReason::OtherPhase {
                meant,
                now: reader.due.called.clone(),
            },
        );
    }
    if let Some(CompleteOrder { order, end, after }) = &complete {
        let tried_beyond = failure.at > *end && !failure.terms.is_empty() && failure.at > *after;
        if !tried_beyond {
            let unit = order.unit.as_ref().map(|unit| described(reader, unit));
            return error_at(
                *after,
                ParseReason::TextAfter {
                    unit,
                    word: run(reader, *after, span.end),
                },
            );
        }
    }
    let of_variant = reader.grammar.has(OWN)
        && reader
            .grammar
            .explain(OWN, text, span.start, reader.names)
            .at
            > text.skip_blanks(span.start);
    if complete.is_none() && !of_variant && is_chatter(reader, span.clone()) {
        return error_at(span.start, ParseReason::NotAnOrder);
    }
    let at = failure.at;
    let reason = province_wanted(reader, &failure, span.end)
        .or_else(|| verb_wanted(reader, span.start, &failure, span.end))
        .unwrap_or_else(|| wanted(reader, &failure, span.end));
    error_at(at, reason)
}

/// The failure that came farthest: by the rule of the phase or by the variant's own lines.
fn farthest(reader: &OrderReader<'_>, at: usize) -> Failure {
    let explain = |rule: &str| reader.grammar.explain(rule, reader.text, at, reader.names);
    let own = reader.grammar.has(OWN).then(|| explain(OWN));
    let common = reader.due.orders.and_then(rule_for).map(explain);
    match (own, common) {
        (Some(own), Some(common)) if own.at > common.at => own,
        (_, Some(common)) => common,
        (Some(own), None) => own,
        (None, None) => Failure {
            at,
            ..Failure::default()
        },
    }
}

/// Where a power is wanted and the words would be an order, were they that of somebody whom their sender may address.
fn no_contact(reader: &OrderReader<'_>, start: usize, failure: &Failure) -> Option<ParseReason> {
    if !failure.wants(Term::Power) {
        return None;
    }
    let own = reader.grammar.has(OWN).then_some(OWN);
    let common = reader.due.orders.and_then(rule_for);
    own.into_iter().chain(common).find_map(|rule| {
        let ends = |tree: &Tree<'_>| reader.at_end(tree.end) || reader.at_joint(tree.end);
        let places = (start, failure.at);
        let (error, tree) = meant(
            reader.grammar,
            rule,
            reader.text,
            places,
            reader.names,
            &ends,
        )?;
        let own = if rule == OWN {
            let line = tree.root(reader.text).first();
            line.map(|line| line.rule().to_owned())
        } else {
            None
        };
        Some(ParseReason::NoContact { error, own })
    })
}

/// The kind of phase whose orders these words are, if reading them as such gives a whole order.
fn other_phase(reader: &OrderReader<'_>, at: usize, reached: usize) -> Option<PhaseKind> {
    PhaseKind::STANDARD
        .into_iter()
        .filter(|kind| reader.due.orders != Some(*kind))
        .find(|kind| {
            let rule = rule_for(*kind);
            let read = rule.and_then(|rule| reader.common(rule, at));
            read.is_some_and(|read| match read {
                Ok(ReadOrder { order, end }) => {
                    let ends = reader.at_end(end) || reader.at_joint(end);
                    ends && end >= reached
                        && order.verb.phase_kind() == Some(*kind)
                        && order.verb != super::order_words::Verb::Adjust
                }
                Err(_) => false,
            })
        })
}

/// Whether the words hold neither a province nor a verb, and do not look like an order either.
fn is_chatter(reader: &OrderReader<'_>, span: Range<usize>) -> bool {
    let text = reader.text;
    let mut at = span.start;
    if let Some(end) = reader.stands("kind", at) {
        // "A Foo-Bar": a letter, one word, an arrow or a verb.
        let word = text.skip_blanks(text.word_end(text.skip_blanks(end)));
        let sign = reader.arrow(word).is_some();
        if sign || reader.stands("verb", word).is_some() {
            return false;
        }
    }
    let mut words = 0;
    while at < span.end {
        let end = text.word_end(at);
        if end == at {
            at += 1;
            continue;
        }
        if reader.names.province(text, at).is_some() {
            return false;
        }
        // "Foo moves to Bar", but not "here are my moves": a unit takes few words, and something
        // follows a verb.
        let verb = words < 4 && end - at >= SHORTEST_VERB && text.skip_blanks(end) < span.end;
        if verb && reader.stands("verb", at).is_some_and(|verb| verb >= end) {
            return false;
        }
        words += 1;
        at = end;
    }
    true
}

fn province_wanted(reader: &OrderReader<'_>, failure: &Failure, end: usize) -> Option<ParseReason> {
    let trails = failure
        .terms
        .iter()
        .filter(|wanted| wanted.term == Term::Province);
    // The innermost order that wants a province here says what for.
    let trail = trails
        .map(|wanted| &wanted.rules)
        .max_by_key(|trail| trail.len())?;
    let within = |rule: &str| trail.iter().any(|name| name == rule);
    let role = if within("support-move") || within("convoy-move") {
        Role::HelpedDestination
    } else if within("support") || within("convoy") {
        Role::Helped
    } else if within("move") || within("retreat-to") || within("goal") {
        Role::Destination
    } else {
        Role::Source
    };
    let (text, names) = (reader.text, reader.names);
    let candidates = |provinces: Vec<Province>| {
        let named = |province| Candidate {
            province,
            name: names.full_name(province).to_owned(),
        };
        provinces.into_iter().map(named).collect::<Vec<_>>()
    };
    if let Some(stem) = names
        .stem(text, failure.at)
        .filter(|stem| stem.candidates.len() > 1)
    {
        let word = text.source(failure.at..stem.end).to_owned();
        return Some(ParseReason::AmbiguousProvince {
            role,
            word,
            candidates: candidates(stem.candidates),
        });
    }
    let word = run(reader, failure.at, end);
    if word.is_empty() {
        return Some(ParseReason::Expected {
            wanted: vec![Wanted::Term(Term::Province)],
            word,
        });
    }
    let first = text.folded(failure.at..text.word_end(failure.at).max(failure.at + 1));
    let mut nearest = names.nearest(&word);
    if nearest.is_empty() {
        nearest = names.nearest(first);
    }
    Some(ParseReason::UnknownProvince {
        role,
        word,
        nearest: candidates(nearest),
    })
}

/// If the unit was read and reading stopped right behind it.
fn verb_wanted(
    reader: &OrderReader<'_>,
    start: usize,
    failure: &Failure,
    end: usize,
) -> Option<ParseReason> {
    if failure
        .terms
        .iter()
        .any(|wanted| wanted.rules.iter().any(|rule| rule == "proxy-taker"))
    {
        return Some(ParseReason::PowerMissing {
            word: run(reader, failure.at, end),
        });
    }
    let tree = reader
        .grammar
        .read("unit", reader.text, start, reader.names)?;
    if reader.text.skip_blanks(tree.end) < failure.at {
        return None;
    }
    let unit = unit_words(tree.root(reader.text))?;
    let unit = described(reader, &unit);
    Some(ParseReason::NoVerb {
        unit,
        word: run(reader, failure.at, end),
    })
}

fn wanted(reader: &OrderReader<'_>, failure: &Failure, end: usize) -> ParseReason {
    let mut wanted: Vec<Wanted> = Vec::new();
    for WantedTerm { term, .. } in &failure.terms {
        let term = Wanted::Term(*term);
        if !wanted.contains(&term) {
            wanted.push(term);
        }
    }
    let signs_too = wanted.is_empty();
    // Behind a place a coast may stand, which is seldom what is missing.
    let coast = reader
        .grammar
        .explain("coast", &Text::new(""), 0, reader.names)
        .words;
    let others = failure.words.iter().any(|word| !coast.contains(word));
    let words = failure
        .words
        .iter()
        .filter(|word| word.len() > 1 || signs_too)
        .filter(|word| !others || !coast.contains(word));
    wanted.extend(
        words
            .map(|word| Wanted::from(format!("`{}`", word.to_ascii_uppercase())))
            .take(6),
    );
    if failure.end {
        wanted.push(Wanted::from("the end of the line"));
    }
    if wanted.is_empty() {
        wanted.push(Wanted::from("an order"));
    }
    ParseReason::Expected {
        wanted,
        word: run(reader, failure.at, end),
    }
}

/// The words that begin here, up to a sign that parts orders or their parts.
fn run(reader: &OrderReader<'_>, at: usize, end: usize) -> String {
    let text = reader.text;
    let mut stop = at;
    while stop < end.min(text.len())
        && !matches!(text.byte(stop), b'-' | b'/' | b'(' | b')' | b';' | b',')
    {
        stop += 1;
    }
    if stop == at && at < end {
        stop = at + 1;
    }
    text.source(at..stop).to_owned()
}

/// `the fleet in London`, `the unit in London`.
fn described(reader: &OrderReader<'_>, unit: &UnitWords) -> String {
    let kind = unit
        .kind
        .map_or("unit", |kind| reader.names.kind_name(kind));
    format!(
        "the {kind} in {}",
        reader.names.full_name(unit.place.province)
    )
}
