//! Reads order lines by `grammar/orders.grammar` and a variant's file.

use super::due::Due;
use super::names::Names;
use super::order_corrections::suggestion;
use super::order_reader::{OWN, OrderReader, Style};
use super::order_words::{OrderWords, UnitWords};
use super::parse_error::{ParseError, ParseReason};
use super::plain_line::{is_table_row, plain_line};
use super::verb_reader::unit_words;
use dipjudge_game::Variant;
use dipjudge_grammar::{Grammar, GrammarError, Source, Text, files};
use dipjudge_rules::map::Power;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Mutex, OnceLock, PoisonError};

/// A longer line is no order; mails are cut at a thousand characters a line before.
const LONGEST_LINE: usize = 4_000;

/// Rules that the reader asks for by name; all others must be reached from them.
pub const ROOTS: [&str; 93] = [
    "heading",
    "unit",
    "separator",
    "several",
    "tail",
    "comment",
    "quote",
    "movement",
    "retreat",
    "adjustment",
    "verb",
    "condition",
    "overrule",
    "kind",
    "arrow",
    "emphasis",
    "mark",
    "before",
    "behind",
    "prose",
    // What `order_clauses` looks for.
    "clause-support",
    "clause-convoy",
    "clause-hold",
    "clause-plain",
    "clause-remove",
    "clause-from",
    "clause-of",
    "clause-behind",
    "clause-same",
    "clause-coast",
    "clause-open",
    "clause-if",
    "clause-suppose",
    "clause-what-if",
    "clause-attack",
    "clause-outcome",
    "clause-not",
    "clause-all",
    "clause-empty",
    "clause-there",
    "clause-it",
    "clause-arrival",
    "clause-mutual",
    "clause-other",
    "clause-build",
    "clause-winter",
    "clause-too",
    "clause-both",
    "clause-every",
    "clause-except",
    "clause-over",
    "clause-army",
    "clause-fleet",
    "clause-remark",
    "clause-waive",
    "clause-stays",
    "asks-whether",
    "asks-where",
    "asks-past",
    "asks-by-whom",
    "asks-of-writer",
    "asks-reach",
    "asks-instead",
    "asks-swap",
    "asks-where-to",
    "asks-retreat",
    "asks-units",
    "asks-place",
    "asks-builds",
    "asks-build-in",
    "asks-gain",
    "asks-strength",
    "asks-own",
    "asks-anyone",
    "asks-others",
    "asks-with-help",
    "asks-danger",
    "asks-when",
    "asks-fate",
    "asks-units-of",
    "asks-unowned",
    "asks-what-was",
    "clause-raise",
    "clause-lift",
    "clause-kept",
    "clause-ahead",
    "asks-sight",
    "asks-me",
    "clause-land",
    "kept-alone",
    "as-before",
    // What `self_correction` looks for.
    "taken-back",
    "taken-beside",
];

/// The grammar of the orders of every game.
pub fn standard() -> &'static Grammar {
    static GRAMMAR: OnceLock<Grammar> = OnceLock::new();
    GRAMMAR.get_or_init(|| match Grammar::compile(&[files::ORDERS]) {
        Ok(grammar) => grammar,
        // Part of the program, and compiled by a test.
        Err(error) => unreachable!("{error}"),
    })
}

/// The grammar of the orders of every game with a variant's own lines, the text of its file.
///
/// # Errors
/// The first fault of the file.
pub fn with_own_lines(name: &str, text: &str) -> Result<Grammar, GrammarError> {
    Grammar::compile(&[files::ORDERS, Source { name, text }])
}

/// The grammar by which orders of a variant's games are read; compiled once.
///
/// A variant's file that cannot be compiled adds nothing: a test compiles the files of all variants.
pub fn grammar_of(variant: &dyn Variant) -> &'static Grammar {
    static GRAMMARS: Mutex<BTreeMap<&'static str, &'static Grammar>> = Mutex::new(BTreeMap::new());
    if variant.card().grammar.is_empty() {
        return standard();
    }
    let mut grammars = GRAMMARS.lock().unwrap_or_else(PoisonError::into_inner);
    grammars.entry(variant.card().name).or_insert_with(|| {
        match with_own_lines(variant.card().name, variant.card().grammar) {
            Ok(grammar) => Box::leak(Box::new(grammar)),
            Err(_) => standard(),
        }
    })
}

/// Reads a line as orders for a kind of phase, in a game without lines of its own.
///
/// Orders stand one after the other, parted by `;`, `,` or nothing. A bad one is told once and
/// skipped up to the next `;`, or to the next `,` behind which an order can be read. Comments and
/// quoted lines give nothing.
pub fn read_orders(
    line: &str,
    due: impl Into<Due>,
    names: &Names,
) -> Vec<Result<OrderWords, ParseError>> {
    read_orders_by(standard(), line, due, names)
}

/// Reads a line as orders or lines of a variant: as [`read_orders`], by another grammar. At each
/// place the variant's rule `line` is tried first.
pub fn read_orders_by(
    grammar: &Grammar,
    line: &str,
    due: impl Into<Due>,
    names: &Names,
) -> Vec<Result<OrderWords, ParseError>> {
    if line.len() > LONGEST_LINE {
        let span = 0..line.len();
        let text = line.chars().take(80).collect();
        return vec![Err(ParseError {
            text,
            span,
            at: 0,
            reason: ParseReason::TooLong,
            suggestion: None,
        })];
    }
    let due = due.into();
    let forgiving = |line: &str| read_in_style(grammar, line, &due, names, Style::Forgiving);
    let mut read = forgiving(line);
    if (read.is_empty() || read.iter().any(Result::is_err))
        && let Some(plain) = plain_line(line)
    {
        read = forgiving(&plain);
    }
    if is_table_row(line) {
        // The head of a table and the rule below it.
        read.retain(|order| order.as_ref().map_or_else(ParseError::is_error, |_| true));
    }
    for order in &mut read {
        match order {
            Ok(order) => order.span = on_boundaries(line, &order.span),
            Err(error) if is_prose(grammar, error, names) => {
                error.reason = ParseReason::NotAnOrder;
            }
            Err(error) => {
                error.suggestion = suggestion(error, names, forgiving);
                error.span = on_boundaries(line, &error.span);
                error.at = on_boundaries(line, &(error.at..error.at)).start;
            }
        }
    }
    read
}

/// Whether what cannot be read is a sentence, by its first word.
fn is_prose(grammar: &Grammar, error: &ParseError, names: &Names) -> bool {
    let text = Text::new(&error.text);
    let begins = error.at <= error.span.start && grammar.read("prose", &text, 0, names).is_some();
    // "do" and "is" can be names of units or places on a map.
    begins && error.text.split_whitespace().count() > 2
}

/// The span with the whole of the characters of the line at its ends, in place of which blanks may have been read.
fn on_boundaries(line: &str, span: &Range<usize>) -> Range<usize> {
    let (mut start, mut end) = (span.start.min(line.len()), span.end.min(line.len()));
    while !line.is_char_boundary(start) {
        start -= 1;
    }
    while !line.is_char_boundary(end) {
        end += 1;
    }
    start..end
}

/// The power that a line names, if it is a heading of orders and nothing else: `France:`.
pub fn heading_alone(grammar: &Grammar, line: &str, names: &Names) -> Option<Power> {
    let text = Text::new(line);
    let tree = grammar.read("heading", &text, 0, names)?;
    let ends = text.skip_blanks(tree.end) >= text.len();
    if ends { tree.root(&text).power() } else { None }
}

/// The unit that a question names: `A Edi`, `did my army in Edinburgh fail?`. What stands before and after it is not looked at;
/// a unit whose kind is named is preferred, since a word may be the name of a province by chance.
pub fn unit_in_question(grammar: &Grammar, line: &str, names: &Names) -> Option<UnitWords> {
    let starts = line.char_indices().filter(|(at, letter)| {
        let before = line.get(..*at).and_then(|before| before.chars().last());
        !letter.is_whitespace() && before.is_none_or(char::is_whitespace)
    });
    let units = starts.filter_map(|(at, _)| {
        let text = Text::new(line.get(at..)?);
        let tree = grammar.read("unit", &text, 0, names)?;
        unit_words(tree.root(&text))
    });
    let units: Vec<UnitWords> = units.collect();
    let of_kind = units.iter().find(|unit| unit.kind.is_some());
    of_kind.or(units.first()).cloned()
}

/// Whether a line holds orders that are written as the judge writes them: what a letter holds beside those is no order.
pub fn reads_as_regular_order(grammar: &Grammar, line: &str, due: &Due, names: &Names) -> bool {
    let read = read_in_style(grammar, line, due, names, Style::Regular);
    read.iter().any(|order| match order {
        Ok(_) => true,
        Err(error) => matches!(error.reason, ParseReason::NoContact { .. }),
    })
}

/// Whether a line of the variant's own stands at the beginning of the text.
pub fn begins_own_line(grammar: &Grammar, text: &str, names: &Names) -> bool {
    grammar.has(OWN) && grammar.read(OWN, &Text::new(text), 0, names).is_some()
}

fn read_in_style(
    grammar: &Grammar,
    line: &str,
    due: &Due,
    names: &Names,
    style: Style,
) -> Vec<Result<OrderWords, ParseError>> {
    let text = Text::new(line);
    let reader = OrderReader::new(grammar, &text, due, names, style);
    if reader.stands("quote", 0).is_some() {
        Vec::new()
    } else {
        reader.line()
    }
}
