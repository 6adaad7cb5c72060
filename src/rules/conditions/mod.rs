//! Conditions: facts joined by AND, OR and NOT. The type of a fact is a parameter, and the caller decides whether a fact is
//! true.

use serde::{Deserialize, Serialize};

/// A condition over facts of type `F`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Condition<F> {
    /// The fact is true.
    Fact(F),
    /// The inner condition does not hold.
    Not(Box<Condition<F>>),
    /// Both conditions hold.
    And(Box<Condition<F>>, Box<Condition<F>>),
    /// At least one of the conditions holds.
    Or(Box<Condition<F>>, Box<Condition<F>>),
}

impl<F> Condition<F> {
    /// Whether the condition holds. `is_true` says which facts are true.
    pub fn holds(&self, is_true: &impl Fn(&F) -> bool) -> bool {
        match self {
            Condition::Fact(fact) => is_true(fact),
            Condition::Not(inner) => !inner.holds(is_true),
            Condition::And(first, second) => first.holds(is_true) && second.holds(is_true),
            Condition::Or(first, second) => first.holds(is_true) || second.holds(is_true),
        }
    }

    /// The facts of the condition, from left to right.
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
