//! Reads order lines by `grammar/orders.grammar` and a variant's file.

use super::mentions::{marker, provinces_in};
use super::names::Names;
use super::order_corrections::suggestion;
use super::order_words::{OrderWords, UnitWords, Verb};
use super::parse_cause::{CompleteOrder, cause};
use super::parse_error::{ParseError, ParseReason, word};
use super::plain_line::{is_table_row, plain_line};
use super::prose::{asks_judge, clauses_of_orders, sentences};
use super::verb_reader::{VerbReading, adjusted, irregular, moved, retreated, unit_words};
use dipjudge_game::{Phase, Variant};
use dipjudge_grammar::{Grammar, GrammarError, Source, Text, files};
use dipjudge_rules::calendar::PhaseKind;
use dipjudge_rules::map::{Power, Province};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Mutex, OnceLock, PoisonError};

/// A longer line is no order; mails are cut at a thousand characters a line before.
const LONGEST_LINE: usize = 4_000;

/// The rule of a variant's own lines.
pub(super) const OWN: &str = "line";

/// Rules that the reader asks for by name; all others must be reached from them.
pub const ROOTS: [&str; 77] = [
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
    "asks-when",
    "clause-raise",
    "clause-lift",
    "clause-kept",
    "kept-alone",
    "as-before",
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

/// How much beside the grammar of orders is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// Orders as the judge writes them.
    Regular,
    /// With marks of lists, courtesies and the rules under `irregular` too.
    Forgiving,
}

/// What lines of orders are read for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Due {
    /// The kind of phase whose orders are read beside the variant's own lines. None where nothing but those can be given: in
    /// a phase of the variant's own, and at a table that is forming, which is in no phase.
    pub(super) orders: Option<PhaseKind>,
    /// What is due, in a sentence: `movement`.
    pub(super) called: String,
}

impl Due {
    /// In a phase of a game.
    pub fn in_phase(phase: &Phase) -> Due {
        Due {
            orders: phase.phase_kind(),
            called: phase.kind().to_lowercase(),
        }
    }

    /// Before the start, and wherever else no line but the variant's own is asked for.
    pub fn own_lines() -> Due {
        Due {
            orders: None,
            called: String::new(),
        }
    }
}

impl From<PhaseKind> for Due {
    fn from(kind: PhaseKind) -> Due {
        Due {
            orders: Some(kind).filter(|kind| OrderReader::rule_for(*kind).is_some()),
            called: word(kind).to_owned(),
        }
    }
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

/// Words that name provinces and order nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aside {
    /// "Where can my army in Venice go?", "Suppose that I am thrown out of Venice."
    Question,
    /// "If France goes there, I'd rather go to the North Sea"
    Condition,
    /// "not Greece!"
    Denial,
}

/// The most words of a clause that names another unit that is kept.
const MOST_OF_KEPT: usize = 2;

/// The fewest words of a question or a condition: shorter ones are orders with a mistake.
const FEWEST_OF_ASIDE: usize = 5;

/// Whether words say something of a unit's place and order nothing: `Venice depends on what Anna does`.
pub fn is_remark(grammar: &Grammar, words: &str, names: &Names) -> bool {
    let text = Text::new(words);
    let unit = grammar.read("unit", &text, 0, names);
    unit.is_some_and(|unit| {
        let next = text.skip_blanks(unit.end);
        grammar.read("clause-remark", &text, next, names).is_some()
    })
}

/// Where the units stand whose orders are to stay as they are: `Rome and Naples stay as they are`.
pub fn left_as_before(grammar: &Grammar, words: &str, names: &Names) -> Vec<Province> {
    match marker(grammar, names, "as-before", &Text::new(words)) {
        Some(_) => provinces_in(grammar, words, names),
        None => Vec::new(),
    }
}

/// Whether words say that a unit is kept.
pub fn keeps_unit(grammar: &Grammar, words: &str, names: &Names) -> bool {
    marker(grammar, names, "clause-kept", &Text::new(words)).is_some()
}

/// Whether words say that units are kept, and nothing of any that are removed or built: `and keep Gascony to get Paris back`.
pub fn keeps_alone(grammar: &Grammar, words: &str, names: &Names) -> bool {
    let text = Text::new(words);
    let begins = |text: &Text<'_>| {
        let kept = grammar.read("kept-alone", text, text.skip_blanks(0), names);
        kept.is_some()
    };
    let changes = ["clause-remove", "clause-raise", "clause-waive"];
    let changes = changes
        .iter()
        .any(|rule| marker(grammar, names, rule, &text).is_some());
    // "and Gascony", but not "so Marseilles goes"
    let goes_on = |clause: &&str| {
        names.any_province(clause)
            && clause.split_whitespace().count() > MOST_OF_KEPT
            && !begins(&Text::new(clause))
    };
    let mut clauses = clauses_of_orders(words).into_iter();
    begins(&text) && !changes && !clauses.any(|clause| goes_on(&clause))
}

/// Whether a sentence is a question although no mark ends it: `if i send nothing for berlin, what does it do`.
fn asks_without_mark(sentence: &str) -> bool {
    const QUESTIONS: [&str; 12] = [
        "what ", "when ", "where ", "which ", "who ", "why ", "can i ", "may i ", "do i ",
        "must i ", "does ", "did ",
    ];
    let sentence = sentence.to_lowercase();
    let asks = |clause: &str| {
        let clause = clause.trim_start();
        let clause = clause.strip_prefix("and ").unwrap_or(clause);
        QUESTIONS.iter().any(|begins| clause.starts_with(begins))
    };
    let supposes = sentence.starts_with("if ") || sentence.starts_with("when ");
    asks(&sentence) || supposes && sentence.split(',').skip(1).any(asks)
}

/// What words are that cannot be read as an order, if they ask or make a condition. An arrow makes an order of them.
pub fn aside(grammar: &Grammar, words: &str, names: &Names) -> Option<Aside> {
    let has_arrow = [" - ", "->", " > "]
        .iter()
        .any(|arrow| words.contains(arrow));
    let stands = |rule: &str, words: &str| {
        let text = Text::new(words);
        grammar.read(rule, &text, 0, names).is_some()
    };
    if has_arrow {
        return None;
    }
    // "No, not Portugal"
    let words = ["No,", "no,"]
        .iter()
        .find_map(|no| words.strip_prefix(no))
        .unwrap_or(words);
    let sentences = sentences(words.trim_start());
    // "no fleet in trieste, just the army in budapest" orders something.
    let denies = |clause: &str| !names.any_province(clause) || stands("clause-not", clause);
    let clauses = clauses_of_orders(words);
    if stands("clause-not", words) && sentences.len() < 2 && clauses.into_iter().all(denies) {
        return Some(Aside::Denial);
    }
    if words.split_whitespace().count() < FEWEST_OF_ASIDE {
        return None;
    }
    let of_sentence = |sentence: &str| {
        let asks =
            (sentence.ends_with('?') || asks_without_mark(sentence)) && !asks_judge(sentence);
        if asks || stands("clause-suppose", sentence) {
            return Some(Aside::Question);
        }
        stands("clause-if", sentence).then_some(Aside::Condition)
    };
    let asides: Option<Vec<Aside>> = sentences.into_iter().map(of_sentence).collect();
    asides?.first().copied()
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

/// One line that is being read.
pub(super) struct OrderReader<'a> {
    pub(super) grammar: &'a Grammar,
    pub(super) text: &'a Text<'a>,
    pub(super) names: &'a Names,
    pub(super) due: &'a Due,
    pub(super) style: Style,
}

/// An order that was read.
#[derive(Clone)]
pub(super) struct ReadOrder {
    pub(super) order: OrderWords,
    /// The position after it.
    pub(super) end: usize,
}

impl<'a> OrderReader<'a> {
    pub(super) fn new(
        grammar: &'a Grammar,
        text: &'a Text<'a>,
        due: &'a Due,
        names: &'a Names,
        style: Style,
    ) -> Self {
        Self {
            grammar,
            text,
            names,
            due,
            style,
        }
    }

    /// What stands at this place, read as an order of each kind of phase of the standard game.
    pub(super) fn standard_orders(&self, at: usize) -> impl Iterator<Item = ReadOrder> {
        PhaseKind::STANDARD
            .into_iter()
            .filter_map(Self::rule_for)
            .filter_map(move |rule| self.common(rule, at)?.ok())
    }

    fn line(&self) -> Vec<Result<OrderWords, ParseError>> {
        let mut found: Vec<Result<OrderWords, ParseError>> = Vec::new();
        // Where each of them begins.
        let mut starts: Vec<usize> = Vec::new();
        let mut remarks = Vec::new();
        let mut at = 0;
        let heading = self.heading(&mut at);
        // An order that was already read to see that one follows.
        let mut ahead: Option<ReadOrder> = None;
        loop {
            at = self.skip_joints(at, &mut remarks);
            let behind = self.skip_behind(at);
            if !found.is_empty() && behind > at {
                at = behind;
                continue;
            }
            if self.at_end(at) {
                break;
            }
            let read = match ahead.take() {
                Some(read) => Ok(read),
                None => self
                    .order(at)
                    .or_else(|error| self.behind_words(&mut at, error)),
            };
            match read {
                Ok(ReadOrder { mut order, end }) => {
                    order.heading = heading;
                    order.remarks.append(&mut remarks);
                    let after = self.skip_remarks(end, &mut order.remarks);
                    let after = self.skip_behind(after);
                    starts.push(at);
                    if self.at_end(after) || self.at_joint(after) {
                        at = after;
                        found.push(Ok(order));
                        continue;
                    }
                    match self.following(after) {
                        Some(next) => {
                            found.push(Ok(order));
                            ahead = Some(next);
                            at = after;
                        }
                        None => {
                            let next = self.resume(at, after);
                            let complete = CompleteOrder {
                                order: &order,
                                end,
                                after,
                            };
                            found.push(Err(cause(self, at..next, Some(complete))));
                            at = next;
                        }
                    }
                }
                Err(mut error) => {
                    starts.push(at);
                    let next = self.resume(at, at);
                    error.span = self.text.source_at(at)..self.text.source_at(next);
                    error.text = self.text.source(at..next).into();
                    if error.reason == ParseReason::NotAnOrder {
                        error = cause(self, at..next, None);
                    }
                    found.push(Err(error));
                    at = next;
                }
            }
        }
        if let Some(Ok(order)) = found.last_mut() {
            order.remarks.append(&mut remarks);
        }
        if self.style == Style::Forgiving {
            self.share_verbs(found, &starts)
        } else {
            found
        }
    }

    /// Gives units that stand before an order of another one, and have no verb, the same order: `Rome, Tunis and Naples hold`. For
    /// each of what was read `starts` says where it begins.
    fn share_verbs(
        &self,
        found: Vec<Result<OrderWords, ParseError>>,
        starts: &[usize],
    ) -> Vec<Result<OrderWords, ParseError>> {
        let mut shared: Vec<Result<OrderWords, ParseError>> = Vec::new();
        for (read, &start) in found.into_iter().zip(starts).rev() {
            let units = match (&read, shared.last()) {
                (Err(error), Some(Ok(next)))
                    if next.can_be_shared() && !error.text.contains(';') =>
                {
                    self.units_alone(start, error)
                        .map(|units| (units, next.clone()))
                }
                _ => None,
            };
            match units {
                Some((units, next)) => {
                    let verb = self.verb_of(&next);
                    shared.extend(units.into_iter().rev().map(|(unit, name)| {
                        Ok(OrderWords {
                            text: format!("{name} {verb}"),
                            unit: Some(unit),
                            remarks: Vec::new(),
                            ..next.clone()
                        })
                    }));
                }
                None => shared.push(read),
            }
        }
        shared.reverse();
        shared
    }

    /// The units that an error consists of, each with its words, if nothing else stands in it but what may stand before an order.
    fn units_alone(&self, start: usize, error: &ParseError) -> Option<Vec<(UnitWords, String)>> {
        let last = error.text.trim_end().len();
        let ends = |at: usize| self.text.source_at(at) >= error.span.start + last;
        let mut at = start;
        if let Some(end) = self.stands_beside("before", at) {
            at = self.text.skip_blanks(end);
        }
        let mut units = Vec::new();
        while !ends(at) {
            if let Some(end) = self.stands("several", at) {
                at = self.text.skip_blanks(end);
            }
            let tree = self.grammar.read("unit", self.text, at, self.names)?;
            let unit = unit_words(tree.root(self.text))?;
            units.push((unit, self.text.source(at..tree.end).to_owned()));
            at = self.text.skip_blanks(tree.end);
            if !ends(at) {
                at = self.text.skip_blanks(self.stands("separator", at)?);
            }
        }
        Some(units).filter(|units| !units.is_empty())
    }

    /// What an order says behind its unit.
    fn verb_of<'t>(&self, order: &'t OrderWords) -> &'t str {
        let text = Text::new(&order.text);
        let unit = self.grammar.read("unit", &text, 0, self.names);
        let behind = unit.and_then(|unit| order.text.get(text.source_at(unit.end)..));
        behind.unwrap_or_default().trim()
    }

    fn heading(&self, at: &mut usize) -> Option<Power> {
        let mut start = 0;
        while let Some(end) = self.stands_beside("emphasis", start) {
            start = end;
        }
        let tree = self.grammar.read("heading", self.text, start, self.names)?;
        let worded = tree.root(self.text).part("orders-heading").is_some();
        if worded && self.style == Style::Regular {
            return None;
        }
        *at = tree.end;
        tree.root(self.text).power()
    }

    /// Skips words of courtesy behind an order, if nothing else follows them.
    fn skip_behind(&self, at: usize) -> usize {
        let Some(end) = self.stands_beside("behind", at) else {
            return at;
        };
        if self.at_end(end) || self.at_joint(end) || self.following(end).is_some() {
            end
        } else {
            at
        }
    }

    /// The order behind the number of a list or behind words such as "sorry", with its place; else the error at that place. What
    /// stands behind such words must be an order as a whole, behind the number of a list it may be one with a mistake.
    fn behind_words(&self, at: &mut usize, error: ParseError) -> Result<ReadOrder, ParseError> {
        let is_whole = |read: &ReadOrder| {
            let end = self.skip_behind(self.skip_remarks(read.end, &mut Vec::new()));
            self.at_end(end) || self.at_joint(end) || self.following(end).is_some()
        };
        let numbered = self
            .stands_beside("mark", *at)
            .map(|end| self.skip_joints(end, &mut Vec::new()));
        let start = numbered.unwrap_or(*at);
        let greeted = self
            .stands_beside("before", start)
            .map(|end| self.text.skip_blanks(end));
        for place in numbered.into_iter().chain(greeted) {
            if let Ok(read) = self.order(place)
                && is_whole(&read)
            {
                *at = place;
                return Ok(read);
            }
        }
        if let Some(start) = greeted
            && self.stands("bare-unit", start).is_some()
        {
            *at = start;
            return self.order(start);
        }
        if let Some(start) = numbered
            && self.stands("unit", start).is_some()
            && start > *at
        {
            *at = start;
            return self.order(start);
        }
        Err(error)
    }

    /// The position after the rule, if it stands there.
    pub(super) fn stands(&self, rule: &str, at: usize) -> Option<usize> {
        self.grammar
            .read(rule, self.text, at, self.names)
            .map(|tree| tree.end)
    }

    /// The position after a rule of what is written beside orders, if it stands there and is read.
    fn stands_beside(&self, rule: &str, at: usize) -> Option<usize> {
        match self.style {
            Style::Regular => None,
            Style::Forgiving => self.stands(rule, at),
        }
    }

    /// The position after a separator or a mark at the end of a sentence or an order.
    fn joint(&self, at: usize) -> Option<usize> {
        self.stands("separator", at)
            .or_else(|| self.stands("tail", at))
            .or_else(|| self.stands_beside("emphasis", at))
    }

    /// Whether nothing more is to be read.
    pub(super) fn at_end(&self, at: usize) -> bool {
        let at = self.text.skip_blanks(at);
        at >= self.text.len() || self.stands("comment", at).is_some()
    }

    /// Whether a separator or the mark at the end of a sentence stands here.
    pub(super) fn at_joint(&self, at: usize) -> bool {
        self.joint(at).is_some()
    }

    fn skip_joints(&self, mut at: usize, remarks: &mut Vec<String>) -> usize {
        loop {
            at = self.skip_remarks(at, remarks);
            match self.joint(at) {
                Some(end) if end > at => at = end,
                _ => return at,
            }
        }
    }

    /// Skips brackets that hold neither a coast nor an order.
    fn skip_remarks(&self, at: usize, remarks: &mut Vec<String>) -> usize {
        let mut at = self.text.skip_blanks(at);
        while self.text.byte(at) == b'('
            && self.order(at).is_err()
            && self.stands_beside("mark", at).is_none()
        {
            let inner = self.text.rest(at);
            let Some(length) = inner.iter().position(|byte| *byte == b')') else {
                return at;
            };
            remarks.push(self.text.source(at + 1..at + length).to_owned());
            at = self.text.skip_blanks(at + length + 1);
        }
        at
    }

    /// Where reading goes on after a bad order that begins at `start`: behind the next `;`, or at the
    /// next separator behind which an order can be read, neither before `from`; or at the end.
    fn resume(&self, start: usize, from: usize) -> usize {
        let mut at = from.max(start + 1);
        while at < self.text.len() {
            let sign = self.text.byte(at);
            if sign == b';' {
                return at;
            }
            let blank = matches!(self.text.byte(at - 1), b' ' | b'.');
            if (blank || matches!(sign, b'#' | b'%')) && self.stands("comment", at).is_some() {
                return at;
            }
            if (sign == b',' || sign == b'&' || (blank && sign == b'a'))
                && let Some(end) = self.stands("separator", at)
            {
                let end = self.text.skip_blanks(end);
                if self.following(end).is_some() {
                    return at;
                }
            }
            at += 1;
        }
        self.text.len()
    }

    /// The order that begins here, behind another one or behind a bad one: it must be clear that it
    /// is one. `-` may be an arrow, and a province alone may be anything.
    fn following(&self, at: usize) -> Option<ReadOrder> {
        if matches!(self.text.byte(at), b'-' | b'+' | b'=' | b'>') {
            return None;
        }
        let read = self.order(at).ok().or_else(|| {
            let end = self.stands_beside("mark", at)?;
            self.order(end).ok()
        })?;
        (read.order.verb != Verb::Adjust || read.order.kind().is_some()).then_some(read)
    }

    /// The rule that reads the orders of a kind of phase.
    pub(super) fn rule_for(phase: PhaseKind) -> Option<&'static str> {
        match phase {
            PhaseKind::Movement => Some("movement"),
            PhaseKind::Retreats => Some("retreat"),
            PhaseKind::Adjustments => Some("adjustment"),
            PhaseKind::Own(_) => None,
        }
    }

    /// Reads the order that begins here. An error is only complete once its end is known.
    pub(super) fn order(&self, at: usize) -> Result<ReadOrder, ParseError> {
        let at = self.text.skip_blanks(at);
        let own = self.own_line(at);
        let clean = |read: &ReadOrder| self.at_end(read.end) || self.at_joint(read.end);
        if let Some(own) = own.as_ref().filter(|own| clean(own)) {
            return Ok(own.clone());
        }
        let common = self
            .due
            .orders
            .and_then(Self::rule_for)
            .map(|rule| self.common(rule, at));
        match (own, common) {
            (None, None) => self.of_any_phase(at),
            (None, Some(Some(common))) => common,
            (Some(own), Some(Some(Ok(common)))) if own.end >= common.end && !clean(&common) => {
                Ok(own)
            }
            (Some(_), Some(Some(common))) => common,
            (Some(own), _) => Ok(own),
            (None, _) => Err(self.error_at(at, ParseReason::NotAnOrder)),
        }
    }

    /// Where only lines of the variant are due: an order of whatever phase, so that its sender is told what is due instead.
    fn of_any_phase(&self, at: usize) -> Result<ReadOrder, ParseError> {
        self.standard_orders(at)
            .filter(|read| {
                let ends = self.at_end(read.end) || self.at_joint(read.end);
                ends && read.order.verb != Verb::Adjust
            })
            .max_by_key(|read| read.end)
            .ok_or_else(|| self.error_at(at, ParseReason::NotAnOrder))
    }

    fn own_line(&self, at: usize) -> Option<ReadOrder> {
        if !self.grammar.has(OWN) {
            return None;
        }
        let tree = self.grammar.read(OWN, self.text, at, self.names)?;
        let root = tree.root(self.text);
        let line = root
            .first()
            .filter(|part| !part.rule().is_empty())
            .unwrap_or(root)
            .to_line();
        Some(self.read_order(at, tree.end, None, Verb::Own(line)))
    }

    /// Reads an order by one of the three common rules; `None` if it does not match.
    pub(super) fn common(&self, rule: &str, at: usize) -> Option<Result<ReadOrder, ParseError>> {
        let tree = self.grammar.read(rule, self.text, at, self.names)?;
        let root = tree.root(self.text);
        let read: Option<VerbReading> = match (rule, root.first()) {
            (_, Some(first))
                if first.rule().starts_with("irregular") && self.style == Style::Regular =>
            {
                return None;
            }
            ("movement", Some(first)) if first.rule() == "irregular" => {
                first.first().and_then(irregular)
            }
            ("movement", _) => {
                let unit = root.part("unit").and_then(unit_words);
                root.part("action")
                    .and_then(|action| action.first())
                    .map(|action| VerbReading {
                        unit,
                        verb: moved(action),
                    })
            }
            ("retreat", Some(first)) => retreated(root, first),
            (_, Some(first)) => adjusted(first),
            (_, None) => None,
        };
        Some(match read {
            Some(VerbReading {
                unit,
                verb: Ok(verb),
            }) => Ok(self.read_order(at, tree.end, unit, verb)),
            Some(VerbReading {
                verb: Err(reason), ..
            }) => Err(self.error_at(tree.end, reason)),
            None => Err(self.error_at(at, ParseReason::NotAnOrder)),
        })
    }

    fn read_order(&self, at: usize, end: usize, unit: Option<UnitWords>, verb: Verb) -> ReadOrder {
        let order = OrderWords {
            text: self.text.source(at..end).to_owned(),
            span: self.text.source_at(at)..self.text.source_at(end),
            heading: None,
            unit,
            verb,
            remarks: Vec::new(),
        };
        ReadOrder { order, end }
    }

    /// A fault whose extent is not known yet.
    fn error_at(&self, at: usize, reason: ParseReason) -> ParseError {
        ParseError {
            text: Box::default(),
            span: 0..0,
            at: self.text.source_at(at),
            reason,
            suggestion: None,
        }
    }
}

impl OrderWords {
    /// Whether several units may be ordered the same.
    fn can_be_shared(&self) -> bool {
        let verb = &self.verb;
        let of_several = matches!(
            verb,
            Verb::Hold | Verb::SupportHold { .. } | Verb::SupportMove { .. } | Verb::Convoy { .. }
        );
        of_several && self.unit.is_some()
    }

    /// The kind of unit that was named.
    fn kind(&self) -> Option<dipjudge_rules::map::UnitKind> {
        self.unit.as_ref().and_then(|unit| unit.kind)
    }
}
