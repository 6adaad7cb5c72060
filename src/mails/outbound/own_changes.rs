//! The first sentence of a report: what changed for its reader.

use dipjudge_view::{OwnChange, OwnChanges, SeenUnit, and_list};

/// A sentence for each power that the reader leads; where he leads several, it begins with the name of the power.
pub(super) fn sentences(changes: &[OwnChanges]) -> Vec<String> {
    let one = |change: &OwnChanges| {
        let said = sentence(&change.what);
        if changes.len() > 1 {
            format!("{}: {said}", change.power)
        } else {
            said
        }
    };
    changes.iter().map(one).collect()
}

/// Splits the text of results above their headline, which ends with the game and the number of the phase in parentheses: what stands
/// before it is the reader's own. All of it is if there is no headline.
pub fn split_at_headline(text: &str) -> (&str, &str) {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if is_headline(line.trim_end()) {
            return text.split_at(at);
        }
        at += line.len();
    }
    (text, "")
}

/// `Movement results for Spring of 1901.  (kaiser.001)`.
fn is_headline(line: &str) -> bool {
    let inner = line
        .strip_suffix(')')
        .and_then(|line| line.rsplit_once('('));
    let number = inner.and_then(|(_, inner)| inner.rsplit_once('.'));
    number.is_some_and(|(game, number)| {
        !game.is_empty() && number.len() >= 3 && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}

fn sentence(change: &OwnChange) -> String {
    match change {
        OwnChange::Counted { took, lost, due } => {
            let took = (!took.is_empty()).then(|| format!("took {}", and_list(took)));
            let lost = (!lost.is_empty()).then(|| format!("lost {}", and_list(lost)));
            let changed: Vec<String> = took.into_iter().chain(lost).collect();
            let changed = match changed.as_slice() {
                [] => "You have the same centers as before".to_owned(),
                changed => format!("You {}", and_list(changed)),
            };
            let units = usize::try_from(due.unsigned_abs()).unwrap_or_default();
            let due = match due.signum() {
                0 => "nothing to build or remove".to_owned(),
                1 => in_words(units, "build"),
                _ => in_words(units, "removal"),
            };
            format!("{changed}: {due}.")
        }
        OwnChange::Moved {
            orders,
            failed,
            dislodged,
        } => {
            let failed = match (failed.as_slice(), orders) {
                ([], 0) => "None of your units had an order.".to_owned(),
                ([], 1) => "Your order succeeded.".to_owned(),
                ([], _) => "All your orders succeeded.".to_owned(),
                ([one], _) => format!("Your order for {} failed.", name(one)),
                (failed, _) => format!("Your orders for {} failed.", names(failed)),
            };
            match dislodged.as_slice() {
                [] => failed,
                [one] => format!("{failed}  {} was dislodged.", name(one)),
                dislodged => format!("{failed}  {} were dislodged.", names(dislodged)),
            }
        }
        OwnChange::Retreated { kept, gone } => match (kept, gone.as_slice()) {
            (1, []) => "Your unit retreated.".to_owned(),
            (kept, []) => format!("Your {kept} units retreated."),
            (_, gone) => format!("You lost {}.", names(gone)),
        },
        OwnChange::Adjusted { built, removed } => match (built.as_slice(), removed.as_slice()) {
            ([], []) => "You built nothing.".to_owned(),
            (built, []) => format!("You built {}.", and_list(built)),
            ([], removed) => format!("You removed {}.", and_list(removed)),
            (built, removed) => format!(
                "You built {} and removed {}.",
                and_list(built),
                and_list(removed)
            ),
        },
    }
}

/// `two builds`.
fn in_words(number: usize, noun: &str) -> String {
    let words = ["no", "one", "two", "three", "four", "five", "six", "seven"];
    let word = words.get(number).map(|word| (*word).to_owned());
    let word = word.unwrap_or_else(|| number.to_string());
    let end = if number == 1 { "" } else { "s" };
    format!("{word} {noun}{end}")
}

/// `Army Vienna`.
fn name(unit: &SeenUnit) -> String {
    format!("{} {}", unit.kind, unit.place)
}

fn names(units: &[SeenUnit]) -> String {
    let names: Vec<String> = units.iter().map(name).collect();
    and_list(&names)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dipjudge_view::Label;

    #[test]
    fn what_is_the_readers_own_stands_above_the_headline() {
        let text = ":: Judge: USXX\n\nYou took Belgium (Bel.): one build.\n\nMovement results for Fall of 1901.  (kaiser.003)\n\nEngland: ...\n";
        let (own, all) = split_at_headline(text);
        assert!(own.ends_with("one build.\n\n"), "{own}");
        assert!(all.starts_with("Movement results"), "{all}");
        assert_eq!(split_at_headline("No results."), ("No results.", ""));
    }

    fn said(what: OwnChange) -> String {
        let change = OwnChanges {
            power: Label::new("France".to_owned()),
            what,
        };
        sentences(&[change]).join(" ")
    }

    #[test]
    fn centers_come_with_what_is_due_for_them() {
        let counted = |took: &[&str], lost: &[&str], due| {
            let list = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
            said(OwnChange::Counted {
                took: list(took),
                lost: list(lost),
                due,
            })
        };
        assert_eq!(
            counted(&["Belgium"], &["Serbia"], 2),
            "You took Belgium and lost Serbia: two builds."
        );
        assert_eq!(
            counted(&[], &["Paris", "Brest"], -1),
            "You lost Paris and Brest: one removal."
        );
        assert_eq!(
            counted(&[], &[], 0),
            "You have the same centers as before: nothing to build or remove."
        );
    }

    #[test]
    fn who_leads_several_powers_reads_a_sentence_for_each() {
        let change = |name: &str, built: &str| OwnChanges {
            power: Label::new(name.to_owned()),
            what: OwnChange::Adjusted {
                built: vec![built.to_owned()],
                removed: Vec::new(),
            },
        };
        let both = [
            change("France", "Army Paris"),
            change("Italy", "Fleet Rome"),
        ];
        assert_eq!(
            sentences(&both),
            [
                "France: You built Army Paris.",
                "Italy: You built Fleet Rome."
            ]
        );
    }
}
