//! Questions of where a unit can go: `Can my fleet go from Trieste to Venice?`, `Where can my army in Vienna go?`

use super::mentions::{Mention, kind_at, marker, mentions, words};
use super::names::Names;
use super::prose::{asks_judge, bare_words};
use super::subjects::asks;
use dipjudge_grammar::{Grammar, Text};
use dipjudge_rules::map::{Coast, Province, UnitKind};

/// The most words of a question that goes on with the unit of the one before it.
const LONGEST_OF_SAME: usize = 5;

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AskedReach {
    /// Where a unit can go.
    Goals {
        /// The kind of unit, if the question names one.
        kind: Option<UnitKind>,
        /// Where it is.
        from: Province,
        /// On which coast, if the question names one.
        coast: Option<Coast>,
        /// Where it is to go; `None` for all places.
        to: Option<Province>,
    },
    /// Which of the asker's units can go to a province; `None`: where each of them can go.
    Own(Option<Province>),
    /// Whose units can go to a province.
    Anyone(Province),
    /// Which units of others can go to a province.
    Others(Province),
    /// Which units of others can go to where one of the asker's units stands.
    OthersOwn,
    /// Whether a unit can support another one at or into a province: it must be able to go there.
    Support {
        /// Where the supporting unit is.
        from: Province,
        /// Where it supports.
        to: Province,
    },
    /// Whether two units can change places.
    Swap,
}

/// Of what the mail has asked before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AskedBefore {
    /// Where the unit stands: "And to Apulia?" asks of the same one.
    pub from: Option<Province>,
    /// Where somebody is to go: "Who else could go there?"
    pub to: Option<Province>,
}

/// The most provinces that a question of a support names: the supporting unit, the one that is helped, and where that goes.
const MOST_OF_SUPPORT: usize = 3;

/// Whether a sentence asks what is possible.
fn can_ask(sentence: &str) -> bool {
    let asks = ["can", "could", "may", "able", "possible", "allowed"];
    bare_words(sentence).any(|word| asks.iter().any(|ask| word.eq_ignore_ascii_case(ask)))
}

/// The question of where a unit can go that a sentence asks.
pub fn asked_reach(
    grammar: &Grammar,
    sentence: &str,
    names: &Names,
    before: AskedBefore,
) -> Option<AskedReach> {
    if !asks(sentence) || asks_judge(sentence) {
        return None;
    }
    let text = Text::new(sentence);
    let stands = |rule: &str| marker(grammar, names, rule, &text).is_some();
    // "Can my army in Apulia get to Greece with the help of the fleet in the Ionian?" asks for the way of the army.
    if let Some(with) = marker(grammar, names, "asks-with-help", &text) {
        let asked = format!("{}?", text.source(0..with.start));
        return asked_reach(grammar, &asked, names, before);
    }
    let named = mentions(grammar, &text, names);
    if stands("asks-swap") {
        let units = named.len() > 1 || stands("asks-units");
        return units.then_some(AskedReach::Swap);
    }
    if stands("asks-danger")
        && let [to] = named.as_slice()
    {
        return Some(AskedReach::Others(to.province()));
    }
    if stands("asks-anyone") {
        let there = || before.to.filter(|_| stands("clause-there"));
        let of_others = stands("asks-others");
        let asked = if of_others {
            AskedReach::Others
        } else {
            AskedReach::Anyone
        };
        match named.as_slice() {
            [to] => return Some(asked(to.province())),
            [] if of_others && stands("asks-me") && before.to.is_none() => {
                return Some(AskedReach::OthersOwn);
            }
            [] => return there().map(asked),
            _ => {}
        }
    }
    // "Can my fleet in Ankara support Constantinople to Bulgaria?"
    if let Some(supports) = marker(grammar, names, "clause-support", &text)
        && can_ask(sentence)
        && let [from, helped, ..] = named.as_slice()
        && let [.., to] = named.as_slice()
        && named.len() <= MOST_OF_SUPPORT
        && (from.end..helped.start).contains(&supports.start)
    {
        return Some(AskedReach::Support {
            from: from.province(),
            to: to.province(),
        });
    }
    let of_something_else = [
        "clause-support",
        "clause-convoy",
        "clause-remove",
        "asks-retreat",
    ];
    if of_something_else.into_iter().any(stands) {
        return None;
    }
    if stands("asks-own") && named.len() < 2 {
        return Some(AskedReach::Own(named.first().map(Mention::province)));
    }
    if let (Some(from), [to]) = (before.from, named.as_slice())
        && words(&text).len() <= LONGEST_OF_SAME
    {
        return Some(AskedReach::Goals {
            kind: None,
            from,
            coast: None,
            to: Some(to.province()),
        });
    }
    if !stands("asks-reach") {
        return None;
    }
    // "from Rome to Naples' east side, I mean the Ionian"
    let instead = marker(grammar, names, "asks-instead", &text);
    let meant = instead.and_then(|instead| named.iter().find(|named| named.start >= instead.end));
    let (from, to) = match named.as_slice() {
        [from, _, ..] if meant.is_some() => (from, meant.map(Mention::province)),
        [from] if stands("asks-where") => (from, None),
        [from, to] if stands("asks-whether") && from.province() != to.province() => {
            (from, Some(to.province()))
        }
        _ => return None,
    };
    let mut kinds = words(&text).into_iter().filter(|at| !from.covers(*at));
    Some(AskedReach::Goals {
        kind: kinds.find_map(|at| kind_at(grammar, names, &text, at)),
        from: from.province(),
        coast: from.coast(),
        to,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::orders::standard;
    use crate::testing::names;
    use dipjudge_rules::map::Map;

    fn asked(sentence: &str) -> Option<String> {
        let (kind, from, to) =
            match asked_reach(standard(), sentence, names(), AskedBefore::default())? {
                AskedReach::Goals { kind, from, to, .. } => (kind, from, to),
                AskedReach::Anyone(to) => return Some(format!("anyone {to}")),
                AskedReach::Others(to) => return Some(format!("others {to}")),
                AskedReach::OthersOwn => return Some("others own".to_owned()),
                AskedReach::Support { from, to } => return Some(format!("{from} supports {to}")),
                AskedReach::Own(to) => {
                    return Some(format!(
                        "own {}",
                        to.map_or("?".to_owned(), |to| to.to_string())
                    ));
                }
                AskedReach::Swap => return Some("swap".to_owned()),
            };
        let kind = kind.map_or("?", |kind| if kind == UnitKind::FLEET { "F" } else { "A" });
        let to = to.map_or("?".to_owned(), |to| to.to_string());
        Some(format!("{kind} {from} {to}"))
    }

    #[test]
    fn questions_of_where_a_unit_can_go_are_known() {
        for (sentence, reach) in [
            (
                "Can my fleet go from Trieste directly to Venice?",
                "F TRI VEN",
            ),
            ("where can F Tri go?", "F TRI ?"),
            ("Who could attack Bohemia this turn?", "anyone BOH"),
            ("Which units stand next to Bohemia?", "anyone BOH"),
            ("Who can support me into Munich?", "anyone MUN"),
            ("who can reach Munich", "anyone MUN"),
            (
                "Which units of the others can move to Munich?",
                "others MUN",
            ),
            ("is my army in Munich in danger?", "others MUN"),
            ("Can anybody attack Munich?", "others MUN"),
            ("Which of my units can actually reach Denmark?", "own DEN"),
            ("Where can my units go?", "own ?"),
            ("Can Vienna and Budapest swap places?", "swap"),
            ("Does Munich border Burgundy?", "? MUN BUR"),
            ("Can Munich support Paris to Burgundy?", "MUN supports BUR"),
            ("could F Kie support Munich?", "KIE supports MUN"),
            (
                "Is it possible to get from Silesia to Galicia in one turn?",
                "? SIL GAL",
            ),
            ("where can my army in Vienna move to", "A VIE ?"),
            (
                "Can my army in Apulia get to Greece this turn with the help of the fleet in the Ionian?",
                "A APU GRE",
            ),
        ] {
            assert_eq!(asked(sentence).as_deref(), Some(reach), "{sentence}");
        }
        let rome = Map::standard().find_province("rom");
        assert_eq!(
            asked_reach(
                standard(),
                "And to Apulia?",
                names(),
                AskedBefore {
                    from: rome,
                    to: None
                }
            ),
            Some(AskedReach::Goals {
                kind: None,
                coast: None,
                from: rome.unwrap(),
                to: Map::standard().find_province("apu"),
            })
        );
        let there = AskedBefore {
            from: None,
            to: rome,
        };
        assert_eq!(
            asked_reach(standard(), "Who else could go there?", names(), there),
            rome.map(AskedReach::Others)
        );
        for other in [
            "May I swap with whoever has Turkey?",
            "Can you move Munich to Burgundy?",
            "Can my army throw my own fleet out of Munich if Burgundy supports it?",
            "Should Munich go to Burgundy?",
            "Munich to Burgundy",
            "where can I build, in Vienna?",
        ] {
            assert_eq!(asked(other), None, "{other}");
        }
    }
}
