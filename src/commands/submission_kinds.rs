//! Of which kinds of submissions a line is, by how the grammar reads it: what is stored for a later phase is marked with them.

use std::collections::BTreeSet;

use super::condition_words::read_condition;
use super::names::Names;
use super::order_words::Verb;
use super::orders::{grammar_of, read_orders_by};
use dipjudge_game::{ORDERS, SubmissionKind, Variant};
use dipjudge_grammar::Line;
use dipjudge_rules::calendar::PhaseKind;

/// The kinds of what stands in a line of orders for a kind of phase; none if not all of it can be read.
pub fn of_orders(
    variant: &dyn Variant,
    line: &str,
    phase: PhaseKind,
    names: &Names,
) -> BTreeSet<String> {
    let mut kinds = BTreeSet::new();
    for order in read_orders_by(grammar_of(variant), line, phase, names) {
        let kind = match order.map(|words| words.verb) {
            Ok(Verb::Own(own)) => SubmissionKind::of_line(variant, &own.rule),
            Ok(_) => &ORDERS,
            Err(_) => return BTreeSet::new(),
        };
        kinds.insert(kind.name.to_owned());
    }
    if kinds.is_empty() {
        kinds.insert(ORDERS.name.to_owned());
    }
    kinds
}

/// The same for a line that begins, parts or ends a block of conditions: what a condition asks is of the kind of orders.
pub fn of_condition(
    variant: &dyn Variant,
    condition: &Line,
    phase: PhaseKind,
    names: &Names,
) -> BTreeSet<String> {
    let Some(text) = condition.words() else {
        return BTreeSet::from([ORDERS.name.to_owned()]);
    };
    match read_condition(text, names) {
        Ok((_, then)) => of_orders(variant, then, phase, names),
        Err(_) => BTreeSet::new(),
    }
}
