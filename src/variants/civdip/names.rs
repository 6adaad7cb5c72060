//! What civilizations are called (rules page, section 2.5).

use std::collections::BTreeSet;

use super::state::CivDipState;
use super::{CARD, CivDipView, NAMES};
use crate::data_of;
use dipjudge_game::planted::{Leak, planted};
use dipjudge_game::project::Sight;
use dipjudge_game::{
    CommandDecision, CommandEffects, CommandInput, Dice, Event, Game, Joining, Refusal, Role,
    SeatId, Setting, is_judges_word, refuse,
};
use dipjudge_grammar::Line;
use dipjudge_rules::folding::letters as fold;
use dipjudge_rules::map::{Map, Power, PowerInfo};
use dipjudge_rules::orders::VariantData;

/// What those are called who choose no name, a line each. In a file of its own: texts in code are words of the judge.
const POOL: &str = include_str!("names.txt");

/// Words that stand for somebody who has no name, or that the judge writes beside names.
const RESERVED: &[&str] = &[
    "master",
    "observer",
    "judge",
    "keeper",
    "all",
    "unknown",
    "nobody",
    "stranger",
    "none",
    "neutral",
    "accepted",
    "recorded",
    "rejected",
    "cancelled",
    "transaction",
    "civilization",
    "endpress",
];

/// Whether a name means something on the map already, or to the judge.
fn is_a_word(map: &Map, name: &str) -> bool {
    let folded = fold(name);
    RESERVED.iter().any(|word| *word == folded) || is_judges_word(map, &CARD, name)
}

/// A name as it was written, if it can be one.
fn check(map: &Map, words: &str) -> Result<String, Refusal> {
    let words = words.trim_end_matches(['.', '!', '?']);
    let name = words.split_whitespace().collect::<Vec<_>>().join(" ");
    let letter = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphabetic());
    let fits = |c: char| c.is_ascii_alphabetic() || matches!(c, ' ' | '-' | '\'');
    let sound = (3..=24).contains(&name.chars().count())
        && name.chars().all(fits)
        && letter(name.chars().next())
        && letter(name.chars().next_back())
        && fold(&name).len() >= 3;
    if !sound {
        return refuse(
            "A name has 3 to 24 letters A to Z, among which single blanks, hyphens and apostrophes may stand; at least three are letters, and so are the first and the last.",
        );
    }
    let last = name.rsplit(' ').next().unwrap_or_default();
    let numeral = last.chars().all(|c| "IVXivx".contains(c));
    if numeral || is_a_word(map, &name) {
        return refuse(format!(
            "\"{name}\" is a word of this map or of the judge; choose another name."
        ));
    }
    Ok(name)
}

/// `NAME Hittite Empire` at a table that is forming.
pub(super) fn seat(line: &Line, game: &Game, seat: SeatId) -> Result<Joining, Refusal> {
    let others = game.seated(Role::Player).filter(|other| other.id != seat);
    let others: Vec<String> = others.filter_map(|other| other.brings.stored()).collect();
    let rule = Rule {
        map: game.map(),
        dealt: NAMES.is(game, "dealt"),
        taken: if NAMES.is(game, "unique") {
            others.iter().map(|name| fold(name)).collect()
        } else {
            BTreeSet::new()
        },
    };
    let name = rule.read(line)?;
    Ok(Joining {
        said: vec![said(&name)],
        brings: data_of(&name),
    })
}

fn said(name: &str) -> String {
    format!("Your name will be {name}.")
}

/// What a game lets its players choose.
struct Rule<'m> {
    map: &'m Map,
    dealt: bool,
    taken: BTreeSet<String>,
}

impl Rule<'_> {
    fn read(&self, line: &Line) -> Result<String, Refusal> {
        if self.dealt {
            return refuse("In this game names are dealt; nobody chooses one.");
        }
        let name = check(self.map, line.words().unwrap_or_default())?;
        if self.taken.contains(&fold(&name)) {
            refuse(format!("\"{name}\" is taken; choose another name."))
        } else {
            Ok(name)
        }
    }
}

/// The same in the opening Winter.
pub(super) fn decide(given: &CommandInput, sight: &Sight) -> Result<CommandDecision, Refusal> {
    let own: CivDipView = sight.own.stored();
    if own.name_is_fixed {
        return refuse("The name is fixed.");
    }
    let rule = Rule {
        map: sight.map,
        dealt: own.names_are_dealt,
        taken: own.names_taken,
    };
    let name = rule.read(given.line)?;
    Ok(CommandDecision {
        said: vec![said(&name)],
        act: data_of(&name),
    })
}

/// Names the power anew.
pub(super) fn rename(game: &Game, power: Power, act: &VariantData, _: Dice) -> CommandEffects {
    let name: String = act.stored();
    let mut state = CivDipState::of(game);
    if let Some(own) = power.index().and_then(|index| state.names.get_mut(index)) {
        own.clone_from(&name);
    }
    let called = Event::Renamed {
        power,
        called: called(&name, &state.names, power.index().unwrap_or_default()),
    };
    CommandEffects {
        events: vec![state.kept(), called],
        ..CommandEffects::default()
    }
}

/// Names that others have chosen, where nobody may choose the same.
pub(super) fn taken(game: &Game, unique: &Setting, power: Power) -> BTreeSet<String> {
    if !unique.is(game, "unique") && !planted(Leak::NameTaken) {
        return BTreeSet::new();
    }
    let names = CivDipState::of(game).names.into_iter().enumerate();
    let others = names.filter(|(index, _)| Some(*index) != power.index());
    others.map(|(_, name)| fold(&name)).collect()
}

/// The names of those who chose none, in the order of the civilizations: the pool, shuffled. Where it is too small names come
/// again with a numeral.
pub(super) fn usual(map: &Map, count: usize, dice: Dice) -> Vec<String> {
    let mut pool = pool(map);
    dice.shuffle("civdip/name", &mut pool);
    with_numerals(pool, count)
}

/// So many names of the pool as it stands.
pub(super) fn first(map: &Map, count: usize) -> Vec<String> {
    with_numerals(pool(map), count)
}

/// The names of the pool that mean nothing on a map.
fn pool(map: &Map) -> Vec<String> {
    let pool = POOL.lines().filter(|name| !is_a_word(map, name));
    pool.map(|name| (*name).to_owned()).collect()
}

fn with_numerals(pool: Vec<String>, count: usize) -> Vec<String> {
    let again: Vec<String> = pool.iter().map(|name| format!("{name} II")).collect();
    pool.into_iter().chain(again).take(count).collect()
}

/// The civilizations of a game by these names. Two may have one name; their keys differ.
pub(super) fn roster(names: &[String]) -> Vec<PowerInfo> {
    let numbered = names.iter().enumerate();
    numbered
        .map(|(index, name)| called(name, names, index))
        .collect()
}

fn called(name: &str, names: &[String], index: usize) -> PowerInfo {
    let before = names.iter().take(index);
    let alike = before.filter(|other| fold(other) == fold(name)).count();
    let key = name.to_uppercase();
    PowerInfo {
        name: name.to_owned(),
        adjective: name.to_owned(),
        key: match alike {
            0 => key,
            alike => format!("{key} {}", alike + 1),
        },
        letter: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Case #7.
    #[test]
    fn a_name_is_no_word_of_the_map_or_of_the_judge() {
        let map = Map::standard();
        for (words, name) in [
            ("Hittite Empire", "Hittite Empire"),
            ("  Al-  Andalus ", "Al- Andalus"),
            ("O'Neill", "O'Neill"),
            ("Sparta", "Sparta"),
        ] {
            assert_eq!(check(map, words).as_deref(), Ok(name));
        }
        for words in [
            "Rome",
            "Galicia",
            "Gal",
            "stp",
            "Master",
            "Sparta II",
            "Unknown",
            "N. Sea",
            "North Sea",
            "St Petersburg",
            "St Petersburg (north coast)",
            "Ur",
            "A.B",
            "Épire",
            "-Babel",
            "Babel-",
            "Army",
            "Press",
            "ENDPRESS",
            "Spring",
            "Mon",
            "Ocean",
            "Petersburg",
            "bounce",
            "Thule",
            "Avalon",
            "",
            "A name that is longer than it may be",
        ] {
            assert!(check(map, words).is_err(), "{words}");
        }
    }

    #[test]
    fn no_name_of_the_pool_is_a_word_of_the_usual_map_or_of_the_judge() {
        let drawn = pool(Map::standard());
        assert!(POOL.lines().eq(drawn.iter().map(String::as_str)));
    }

    /// What a page shows as an example may be nobody's name: else the page would seem to tell of him.
    #[test]
    fn no_example_is_a_name_that_may_be_taken() {
        let rows = CARD.commands.iter();
        let examples: Vec<&str> = rows.flat_map(|row| row.examples.iter().copied()).collect();
        for text in [CARD.rules, &examples.join("\n")] {
            for word in text.split(|c: char| !c.is_ascii_alphabetic()) {
                assert!(check(Map::standard(), word).is_err(), "{word}");
            }
        }
    }

    #[test]
    fn those_who_choose_none_get_names_of_the_pool_and_all_have_keys_of_their_own() {
        let map = Map::standard();
        let names = first(map, 30);
        let folded: BTreeSet<String> = names.iter().map(|name| fold(name)).collect();
        assert_eq!(folded.len(), 30);
        for name in names.iter().take(20) {
            assert_eq!(check(map, name).as_ref(), Ok(name));
        }
        let twice = ["Sparta", "Elam", "SPARTA"].map(str::to_owned);
        let keys: Vec<String> = roster(&twice).into_iter().map(|info| info.key).collect();
        assert_eq!(keys, ["SPARTA", "ELAM", "SPARTA 2"]);
    }
}
