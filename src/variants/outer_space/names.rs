//! Empires named by their players: a full name and a code of three letters.

use serde::{Deserialize, Serialize};

use super::state::OuterSpaceView;
use crate::data_of;
use dipjudge_game::planted::{Leak, planted};
use dipjudge_game::project::{Sight, ToldGame};
use dipjudge_game::{
    Audience, CommandDecision, CommandEffects, CommandInput, Dice, Event, Game, Joining,
    Notification, Refusal, Role, SeatId, Sentence, VariantAct, VariantCommand, refuse,
};
use dipjudge_grammar::Line;
use dipjudge_rules::map::{Map, Power, PowerInfo, Province};
use dipjudge_rules::orders::VariantData;

/// Words that the judge reads as something else, in orders, press and lists.
const RESERVED: &[&str] = &[
    "orb",
    "orbit",
    "neu",
    "neutral",
    "all",
    "gm",
    "master",
    "masters",
    "judge",
    "col",
    "via",
    "and",
    "or",
    "not",
    "the",
    "obs",
    "observer",
    "observers",
    "keeper",
    "nobody",
    "vacant",
    "army",
    "fleet",
    "hold",
    "holds",
    "support",
    "supports",
    "convoy",
    "convoys",
    "move",
    "moves",
    "retreat",
    "retreats",
    "build",
    "builds",
    "remove",
    "removes",
    "disband",
    "disbands",
    "waive",
    "up",
    "down",
    "beam",
    "player",
    "unowned",
    "index",
    // Press: PRESS TO ALL BUT …, WHITE; MO and OM are masters and observers.
    "to",
    "but",
    "except",
    "from",
    "white",
    "grey",
    "gray",
    "fake",
    "no fake",
    "quiet",
    "quote",
    "anonymous",
    "unanonymous",
    "everyone",
    "everybody",
    "mo",
    "om",
    // Commands and settings that a code at the beginning of a line, or in a list behind SET, would be taken for.
    "if",
    "else",
    "end",
    "set",
    "get",
    "map",
    "who",
    "now",
    "nmr",
    "bnc",
    "mnc",
    "press",
    "broadcast",
    "phase",
];

/// Letters of names and codes that are made up.
const LETTERS: &[u8; 26] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// An empire as its player wants it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Empire {
    /// `Jedi Knights`
    pub name: String,
    /// `JED`
    pub code: String,
}

impl Empire {
    /// As it plays.
    fn of(info: &PowerInfo) -> Empire {
        Empire {
            name: info.adjective.clone(),
            code: info.key.clone(),
        }
    }
}

/// The empires named so far, in order of sign-on; in a gunboat game by code.
pub(super) fn chosen(game: &ToldGame<'_>) -> Vec<Empire> {
    let named = game.brought().into_iter();
    let mut chosen: Vec<Empire> = named.filter_map(VariantData::stored).collect();
    if game.settings().gunboat && !planted(Leak::SignOnOrder) {
        chosen.sort_by(|one, other| one.code.cmp(&other.code));
    }
    chosen
}

/// The players, in order of sign-on, with what they chose.
fn players(game: &Game) -> impl Iterator<Item = (SeatId, Option<Empire>)> + '_ {
    game.seated(Role::Player)
        .map(|seat| (seat.id, seat.brings.stored()))
}

/// The command that names an empire.
pub(super) const COMMANDS: &[VariantCommand] = &[VariantCommand {
    rule: "empire",
    examples: &["EMPIRE Jedi Knights AS JED"],
    help: "EMPIRE name [AS code]
    Until the first phase is processed, in ...It Came from Outer Space!: how
    your empire is called, and the three letters that stand for it.",
    text_until: None,
    act: VariantAct::SeatThenPower {
        seat: read,
        decide,
        carry_out: rename,
    },
}];

/// `EMPIRE Jedi Knights AS JED` from a player at a forming table.
fn read(line: &Line, game: &Game, seat: SeatId) -> Result<Joining, Refusal> {
    let others: Vec<Empire> = players(game)
        .filter(|(other, _)| *other != seat)
        .filter_map(|(_, empire)| empire)
        .collect();
    let empire = named(line, game.map(), &others)?;
    Ok(Joining {
        said: vec![said(&empire)],
        brings: data_of(&empire),
    })
}

fn said(Empire { name, code }: &Empire) -> String {
    format!(
        "Your empire is {name}, {code} for short.  Another EMPIRE line changes it until the first phase is processed."
    )
}

/// The empire that a line names, if these others leave it the name and the code.
fn named(line: &Line, map: &Map, others: &[Empire]) -> Result<Empire, Refusal> {
    let (name, code) = parted(line.words().unwrap_or_default());
    if name.is_empty() {
        return refuse("Say how your empire is called, such as EMPIRE Jedi Knights AS JED.");
    }
    check_name(map, others, &name)?;
    let code = match code {
        Some(code) => check_code(map, others, &name, &code)?,
        None => made_up(map, others, &name),
    };
    Ok(Empire { name, code })
}

/// An empire that is named once the game has begun.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Renaming {
    /// What it was called where it was introduced.
    before: String,
    /// What it is called from now on.
    now: Empire,
}

/// The same from the leader of an empire, until the first phase is processed.
fn decide(given: &CommandInput, sight: &Sight) -> Result<CommandDecision, Refusal> {
    if !OuterSpaceView::seen(sight).names_are_open {
        return refuse(
            "Empires are named until the first phase is processed; now their names stand.",
        );
    }
    let own = |index: &usize| Some(*index) == sight.power.index();
    let known = sight.powers.iter().enumerate();
    let others = known.clone().filter(|(index, _)| !own(index));
    let others: Vec<Empire> = others.map(|(_, info)| Empire::of(info)).collect();
    let mut before = known.filter(|(index, _)| own(index));
    let renaming = Renaming {
        before: before
            .next()
            .map(|(_, info)| info.introduced())
            .unwrap_or_default(),
        now: named(given.line, sight.map, &others)?,
    };
    Ok(CommandDecision {
        said: vec![said(&renaming.now)],
        act: data_of(&renaming),
    })
}

/// Names are public: all are told.
fn rename(_: &Game, power: Power, act: &VariantData, _: Dice) -> CommandEffects {
    let Renaming { before, now } = act.stored();
    let called = PowerInfo::by_code(&now.code, &now.name);
    let line = format!("{before} is called {} from now on.", called.introduced());
    CommandEffects {
        told: vec![Notification {
            lines: vec![Sentence::of(line)],
            ..Notification::new(
                Audience::Everyone,
                Sentence::of(format!("Empire Named: {}", now.code)),
            )
        }],
        events: vec![Event::Renamed { power, called }],
        said: Vec::new(),
    }
}

/// Name and code: `Jedi Knights AS JED`, or as lists have it, `Jedi Knights (JED)`.
fn parted(words: &str) -> (String, Option<String>) {
    let words = words
        .trim_start_matches([':', '=', ' '])
        .trim_end_matches([';', ',', ' ']);
    let split: Vec<&str> = words.split_whitespace().collect();
    let (name, code) = match split.as_slice() {
        [name @ .., between, code] if !name.is_empty() && between.eq_ignore_ascii_case("as") => {
            (name.join(" "), Some(*code))
        }
        [name @ .., code] if !name.is_empty() && code.starts_with('(') && code.ends_with(')') => {
            (name.join(" "), Some(*code))
        }
        _ => (split.join(" "), None),
    };
    let signs = ['"', '(', ')', '.', ' '];
    (
        name.trim_end_matches('.')
            .trim_matches(['"', ' '])
            .to_owned(),
        code.map(|code| code.trim_matches(signs).to_owned()),
    )
}

fn check_name(map: &Map, others: &[Empire], name: &str) -> Result<(), Refusal> {
    let sound = |c: char| c.is_ascii_alphanumeric() || matches!(c, ' ' | '-' | '\'' | '.');
    let letters = name.chars().filter(char::is_ascii_alphabetic).count();
    if !(2..=30).contains(&name.chars().count()) || !name.chars().all(sound) || letters < 2 {
        return refuse(
            "The name of an empire is 2 to 30 letters A to Z, digits, blanks, hyphens, apostrophes and full stops, at \
             least two of them letters.",
        );
    }
    // Orders may say "the" before any name, so that a name's own would not be found.
    if name
        .get(..4)
        .is_some_and(|start| start.eq_ignore_ascii_case("the "))
    {
        return refuse("Leave out `The`: EMPIRE Borg, not EMPIRE The Borg.");
    }
    if is_numbered(name) {
        return refuse("Names of this kind are for players who choose none.");
    }
    free(map, others, name)
}

fn check_code(map: &Map, others: &[Empire], name: &str, code: &str) -> Result<String, Refusal> {
    if code.len() != 3 || !code.chars().all(|c| c.is_ascii_alphabetic()) {
        return refuse(format!(
            "The code of an empire is three letters, such as EMPIRE {name} AS {}.",
            made_up(map, others, name)
        ));
    }
    free(map, others, code)?;
    Ok(code.to_ascii_uppercase())
}

/// Refuses a name or code that means a province, that is a word of the judge, or that another empire has.
fn free(map: &Map, others: &[Empire], word: &str) -> Result<(), Refusal> {
    if RESERVED.iter().any(|known| key(known) == key(word)) {
        return refuse(format!(
            "{word} cannot be the name or code of an empire, since the judge reads it as another word."
        ));
    }
    if let Some(province) = named_place(map, word) {
        return refuse(format!(
            "{word} cannot be the name or code of an empire, since it means the province {}.",
            map.full_name(province.into())
        ));
    }
    if is_taken(others, word) {
        refuse(format!(
            "{word} is taken by another empire; choose another name or code."
        ))
    } else {
        Ok(())
    }
}

/// Whether orders and press could not tell the word from another empire's name or code.
fn is_taken(others: &[Empire], word: &str) -> bool {
    let word = key(word);
    others
        .iter()
        .any(|other| key(&other.name) == word || key(&other.code) == word)
}

/// A word as it is compared: its letters and digits in lower case. Where a name has hyphens, full stops,
/// blanks, or an apostrophe, those who write it may leave them out; and `Zorgon's` is of Zorgon.
fn key(word: &str) -> String {
    let word = word.trim();
    let owner = word
        .strip_suffix("'s")
        .or_else(|| word.strip_suffix("'S"))
        .unwrap_or(word);
    owner
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|c| c.to_ascii_lowercase())
        .collect()
}

/// Letters of a full name's beginning that are read as the whole name.
const SHORTEST_BEGINNING: usize = 4;

/// The province that is called so, alone or behind a kind of unit: `Munich`, `Liverp`, `A MUN`.
fn named_place(map: &Map, word: &str) -> Option<Province> {
    let behind_kind = word.split_once(' ').and_then(|(first, rest)| {
        let kind = map.kinds().iter().any(|kind| {
            first.eq_ignore_ascii_case(kind.kind.as_str()) || first.eq_ignore_ascii_case(&kind.name)
        });
        kind.then_some(rest)
    });
    let word = key(behind_kind.unwrap_or(word));
    let saint = word.strip_prefix("saint").map(|rest| format!("st{rest}"));
    let called = |name: &str| key(name) == word || Some(key(name)) == saint;
    let whole = map
        .provinces()
        .iter()
        .find(|info| called(&info.name) || called(info.code.as_str()))
        .map(|info| info.code)
        .or_else(|| {
            map.spellings()
                .find(|(spelling, _)| called(spelling))
                .map(|(_, province)| province)
        });
    let begun = || {
        let mut begun = map
            .provinces()
            .iter()
            .filter(|info| key(&info.name).starts_with(&word));
        match (begun.next(), begun.next()) {
            (Some(only), None) if word.len() >= SHORTEST_BEGINNING => Some(only.code),
            _ => None,
        }
    };
    whole.or_else(begun)
}

/// `Empire 7`
fn is_numbered(name: &str) -> bool {
    key(name)
        .strip_prefix("empire")
        .is_some_and(|number| number.chars().all(|c| c.is_ascii_digit()))
}

/// The first free code for a name: its letters 1 2 3, 1 2 k, 1 j k, then EAA, EAB and so on.
fn made_up(map: &Map, others: &[Empire], name: &str) -> String {
    let letters: Vec<u8> = name
        .bytes()
        .filter(u8::is_ascii_alphabetic)
        .map(|letter| letter.to_ascii_uppercase())
        .collect();
    let pairs = (1..letters.len()).flat_map(|j| (j + 1..letters.len()).map(move |k| (j, k)));
    let own =
        pairs.filter_map(|(j, k)| Some([*letters.first()?, *letters.get(j)?, *letters.get(k)?]));
    let rest = LETTERS
        .iter()
        .flat_map(|j| LETTERS.iter().map(move |k| [b'E', *j, *k]));
    own.chain(rest)
        .filter_map(Province::from_letters)
        .map(|letters| letters.to_string())
        .find(|code| free(map, others, code).is_ok())
        .unwrap_or_else(|| "EEE".to_owned())
}

/// The empires of a game that begins, with their players, in order of sign-on; in a gunboat game by lot, for whoever
/// knows when somebody signed on would know the empire.
pub(super) fn roster(game: &Game) -> Vec<(PowerInfo, SeatId)> {
    let mut seats: Vec<(SeatId, Option<Empire>)> = players(game).collect();
    if game.settings.gunboat {
        game.dice().shuffle("deal/order", &mut seats);
    }
    let wishes = seats.iter().map(|(_, empire)| empire.clone()).collect();
    complete(game.map(), wishes)
        .into_iter()
        .zip(seats)
        .map(|(info, (seat, _))| (info, seat))
        .collect()
}

/// Empires whose players chose no name.
pub(super) fn unnamed(map: &Map, players: usize) -> Vec<PowerInfo> {
    complete(map, vec![None; players])
}

/// Names and codes for all: `Empire 3` for the third if it chose none.
fn complete(map: &Map, wishes: Vec<Option<Empire>>) -> Vec<PowerInfo> {
    let mut taken: Vec<Empire> = wishes.iter().flatten().cloned().collect();
    let mut infos = Vec::new();
    for (index, wish) in wishes.into_iter().enumerate() {
        let empire = wish.unwrap_or_else(|| {
            let name = format!("Empire {}", index + 1);
            let code = made_up(map, &taken, &name);
            let empire = Empire { name, code };
            taken.push(empire.clone());
            empire
        });
        infos.push(PowerInfo::by_code(&empire.code, &empire.name));
    }
    infos
}
