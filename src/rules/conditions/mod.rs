//! Conditions: facts joined by AND, OR and NOT. What a fact is, and whether it is true, whoever asks knows: the old judge's
//! `IF … ELSE … ENDIF` speaks of units in sight, variants of things of their own.

use serde::{Deserialize, Serialize};

/// Facts of one sort, joined.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Condition<F> {
    /// This is so.
    Fact(F),
    /// The contrary.
    Not(Box<Condition<F>>),
    /// Both.
    And(Box<Condition<F>>, Box<Condition<F>>),
    /// One or both.
    Or(Box<Condition<F>>, Box<Condition<F>>),
}

impl<F> Condition<F> {
    /// Whether it holds, if a fact is true of which `is_true` says so.
    pub fn holds(&self, is_true: &impl Fn(&F) -> bool) -> bool {
        match self {
            Condition::Fact(fact) => is_true(fact),
            Condition::Not(inner) => !inner.holds(is_true),
            Condition::And(first, second) => first.holds(is_true) && second.holds(is_true),
            Condition::Or(first, second) => first.holds(is_true) || second.holds(is_true),
        }
    }

    /// All its facts, from left to right.
    pub fn facts(&self) -> Vec<&F> {
        match self {
            Condition::Fact(fact) => vec![fact],
            Condition::Not(inner) => inner.facts(),
            Condition::And(first, second) | Condition::Or(first, second) => {
                let mut facts = first.facts();
                facts.extend(second.facts());
                facts
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fact(name: char) -> Condition<char> {
        Condition::Fact(name)
    }

    #[test]
    fn a_condition_is_what_its_facts_make_it() {
        // a AND NOT (b OR c)
        let either = Condition::Or(Box::new(fact('b')), Box::new(fact('c')));
        let neither = Condition::Not(Box::new(either));
        let condition = Condition::And(Box::new(fact('a')), Box::new(neither));
        assert_eq!(condition.facts(), [&'a', &'b', &'c']);
        for (truths, holds) in [
            ("", false),
            ("a", true),
            ("ab", false),
            ("ac", false),
            ("bc", false),
        ] {
            let is_true = |fact: &char| truths.contains(*fact);
            assert_eq!(condition.holds(&is_true), holds, "{truths}");
        }
    }
}
