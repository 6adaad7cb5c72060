//! Checks of a whole grammar.

use super::compiled::{Expression, Grammar};
use super::{GrammarError, GrammarFault};

/// Checks that no rule can call itself before anything is read, which would never end.
pub(super) fn no_left_recursion(grammar: &Grammar) -> Result<(), GrammarError> {
    let empty = may_be_empty(grammar);
    for (start, rule) in grammar.rules.iter().enumerate() {
        let mut seen = vec![false; grammar.rules.len()];
        let mut open = Vec::new();
        calls_first(&rule.body, &empty, &mut open);
        while let Some(called) = open.pop() {
            if called == start {
                return Err(GrammarError {
                    file: rule.file.clone(),
                    line: rule.line,
                    fault: GrammarFault::LeftRecursion(rule.name.clone()),
                });
            }
            if let (Some(seen), Some(rule)) = (seen.get_mut(called), grammar.rules.get(called))
                && !std::mem::replace(seen, true)
            {
                calls_first(&rule.body, &empty, &mut open);
            }
        }
    }
    Ok(())
}

/// For each rule, whether it can match without reading anything.
fn may_be_empty(grammar: &Grammar) -> Vec<bool> {
    let mut empty = vec![false; grammar.rules.len()];
    loop {
        let next: Vec<bool> = grammar
            .rules
            .iter()
            .map(|rule| is_empty(&rule.body, &empty))
            .collect();
        if next == empty {
            return empty;
        }
        empty = next;
    }
}

fn is_empty(expression: &Expression, empty: &[bool]) -> bool {
    match expression {
        Expression::Sequence(parts) => parts.iter().all(|part| is_empty(part, empty)),
        Expression::Choice(parts, _) => parts.iter().any(|part| is_empty(part, empty)),
        Expression::Optional(_) | Expression::Repeat(_) | Expression::Not(_) | Expression::End => {
            true
        }
        Expression::Word(_) | Expression::Term(_) => false,
        Expression::Rule(rule) => empty.get(*rule).copied().unwrap_or(false),
    }
}

/// Adds the rules that the expression can call before it has read anything.
fn calls_first(expression: &Expression, empty: &[bool], calls: &mut Vec<usize>) {
    match expression {
        Expression::Sequence(parts) => {
            for part in parts {
                calls_first(part, empty, calls);
                if !is_empty(part, empty) {
                    break;
                }
            }
        }
        Expression::Choice(parts, _) => {
            for part in parts {
                calls_first(part, empty, calls);
            }
        }
        Expression::Optional(part) | Expression::Repeat(part) | Expression::Not(part) => {
            calls_first(part, empty, calls);
        }
        Expression::Rule(rule) => calls.push(*rule),
        Expression::Word(_) | Expression::Term(_) | Expression::End => {}
    }
}

/// The names of the rules that cannot be reached from any root.
pub(super) fn unreachable<'g>(grammar: &'g Grammar, roots: &[&str]) -> Vec<&'g str> {
    let mut reached = vec![false; grammar.rules.len()];
    let mut open: Vec<usize> = roots
        .iter()
        .filter_map(|root| grammar.number_of(root))
        .collect();
    while let Some(rule) = open.pop() {
        if let (Some(reached), Some(rule)) = (reached.get_mut(rule), grammar.rules.get(rule))
            && !std::mem::replace(reached, true)
        {
            calls(&rule.body, &mut open);
        }
    }
    grammar
        .rules
        .iter()
        .zip(reached)
        .filter(|(_, reached)| !reached)
        .map(|(rule, _)| rule.name.as_str())
        .collect()
}

fn calls(expression: &Expression, found: &mut Vec<usize>) {
    match expression {
        Expression::Sequence(parts) | Expression::Choice(parts, _) => {
            for part in parts {
                calls(part, found);
            }
        }
        Expression::Optional(part) | Expression::Repeat(part) | Expression::Not(part) => {
            calls(part, found);
        }
        Expression::Rule(rule) => found.push(*rule),
        Expression::Word(_) | Expression::Term(_) | Expression::End => {}
    }
}
