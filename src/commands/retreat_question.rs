//! Retreats that somebody supposes before the moves are played: `Suppose Ben throws my fleet out of Kiel. Where could it go?`, `If
//! Denmark is kicked out it goes back to Kiel.`

use super::mentions::{Mention, marker, marker_near_start, mentions};
use super::names::Names;
use dipjudge_grammar::{Grammar, Text};
use dipjudge_rules::map::{Location, Province};

/// The most words before the supposition: `And if`, `Please, if`. What stands behind more is not the line's alone.
const MOST_BEFORE: usize = 2;

/// What is said of a unit that may be dislodged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SupposedRetreat {
    /// It is asked where the unit that stands there can go then.
    Asked(Province),
    /// The unit is to go there then.
    Ordered {
        /// Where it stands.
        from: Province,
        /// Where it goes.
        to: Location,
    },
}

/// What a line says of the retreat of a unit that may be dislodged; `None` if it says nothing of the kind.
pub fn supposed_retreat(grammar: &Grammar, line: &str, names: &Names) -> Option<SupposedRetreat> {
    let text = Text::new(line);
    let stands = |rule: &str| marker(grammar, names, rule, &text);
    let supposed = marker_near_start(grammar, names, "clause-if", &text, MOST_BEFORE)?;
    stands("asks-retreat")?;
    let named = mentions(grammar, &text, names);
    let mut named = named.iter().filter(|named| named.start >= supposed.end);
    let from = named.next()?.province();
    if stands("asks-where").is_some() || stands("asks-where-to").is_some() {
        return Some(SupposedRetreat::Asked(from));
    }
    let goal = named.find(|named| named.province() != from);
    let to = |goal: &Mention| Location {
        province: goal.province(),
        coast: goal.coast(),
    };
    let asks = line.trim_end().ends_with('?');
    goal.filter(|_| !asks)
        .map(|goal| SupposedRetreat::Ordered { from, to: to(goal) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::orders::standard;
    use crate::testing::names;

    #[test]
    fn retreats_that_are_supposed_are_known() {
        let told = |line: &str| {
            supposed_retreat(standard(), line, names()).map(|supposed| match supposed {
                SupposedRetreat::Asked(from) => format!("{from} ?"),
                SupposedRetreat::Ordered { from, to } => format!("{from} {}", to.province),
            })
        };
        for (line, supposed) in [
            (
                "Suppose Ben throws my fleet out of Kiel. Where could it go then?",
                "KIE ?",
            ),
            (
                "And if Denmark is kicked out it shall go back to Kiel if thats empty, otherwise disband it.",
                "DEN KIE",
            ),
            (
                "Should they dislodge my fleet in Denmark, it goes back to Kiel.",
                "DEN KIE",
            ),
        ] {
            assert_eq!(told(line).as_deref(), Some(supposed), "{line}");
        }
        for line in [
            "A Den R Kie",
            "If France goes to Burgundy, Munich to Ruhr",
            "Was Kiel dislodged?",
        ] {
            assert_eq!(told(line), None, "{line}");
        }
    }
}
