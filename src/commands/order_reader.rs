//! Reads a line order by order: each by the rules of the phase, a bad one skipped up to where the next can be read.

use super::due::{Due, rule_for};
use super::names::Names;
use super::order_words::{OrderWords, UnitWords, Verb};

use super::parse_cause::{CompleteOrder, cause};
use super::parse_error::{ParseError, ParseReason};
use super::verb_reader::{VerbReading, adjusted, irregular, moved, retreated, unit_words};
use dipjudge_grammar::{Grammar, Text};
use dipjudge_rules::calendar::PhaseKind;
use dipjudge_rules::map::Power;

/// The rule of a variant's own lines.
pub(super) const OWN: &str = "line";

/// How much beside the grammar of orders is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// Orders as the judge writes them.
    Regular,
    /// With marks of lists, courtesies and the rules under `irregular` too.
    Forgiving,
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
            .filter_map(rule_for)
            .filter_map(move |rule| self.common(rule, at)?.ok())
    }

    pub(super) fn line(&self) -> Vec<Result<OrderWords, ParseError>> {
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
                    if (next.can_be_shared() || matches!(next.verb, Verb::Own(_)))
                        && !error.text.contains(';') =>
                {
                    self.units_alone(start, error)
                        .map(|units| (units, next.clone()))
                }
                _ => None,
            };
            match units {
                Some((units, next)) => {
                    let verb = self.verb_of(&next);
                    let others = units.into_iter().rev();
                    let others: Option<Vec<OrderWords>> = others
                        .map(|(unit, name)| self.shared_with(unit, format!("{name} {verb}"), &next))
                        .collect();
                    match others {
                        Some(others) => shared.extend(others.into_iter().map(Ok)),
                        None => shared.push(read),
                    }
                }
                None => shared.push(read),
            }
        }
        shared.reverse();
        shared
    }

    /// The order of a unit that stands before that of another one and has no verb: `text` is what both say. `None` if it is no order of
    /// a unit.
    fn shared_with(&self, unit: UnitWords, text: String, next: &OrderWords) -> Option<OrderWords> {
        if !matches!(next.verb, Verb::Own(_)) {
            return Some(OrderWords {
                text,
                unit: Some(unit),
                remarks: Vec::new(),
                ..next.clone()
            });
        }
        // "Norway and Spain become colonies": the variant reads each line.
        let whole = Text::new(&text);
        let reader = OrderReader::new(self.grammar, &whole, self.due, self.names, self.style);
        let read = reader.own_line(0).filter(|read| reader.at_end(read.end))?;
        Some(OrderWords {
            span: next.span.clone(),
            ..read.order
        })
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
            .and_then(rule_for)
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
