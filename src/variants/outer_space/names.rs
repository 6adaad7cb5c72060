//! Empires named by their players: a full name and a code of three letters.

use serde::{Deserialize, Serialize};

use crate::game::{Game, Joining, Role, SeatId};
use crate::grammar::Line;
use crate::map::{Map, PowerInfo, Province};
use crate::orders::VariantData;

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
];

/// Letters of names and codes that are made up.
const LETTERS: &[u8; 26] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// An empire as its player wants it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Empire {
    /// `Jedi Knights`
    pub name: String,
    /// `JED`
    pub code: String,
}

/// The empires named so far, in order of sign-on.
pub(super) fn chosen(game: &Game) -> Vec<Empire> {
    players(game).filter_map(|(_, empire)| empire).collect()
}

/// The players, in order of sign-on, with what they chose.
fn players(game: &Game) -> impl Iterator<Item = (SeatId, Option<Empire>)> + '_ {
    game.seated(Role::Player)
        .map(|seat| (seat.id, seat.brings.read().ok()))
}

/// `EMPIRE Jedi Knights AS JED` from a player at a forming table.
pub(super) fn read(line: &Line, game: &Game, seat: SeatId) -> Result<Joining, String> {
    let others: Vec<Empire> = players(game)
        .filter(|(other, _)| *other != seat)
        .filter_map(|(_, empire)| empire)
        .collect();
    let (name, code) = parted(line.words().unwrap_or_default());
    check_name(game.map(), &others, &name)?;
    let code = match code {
        Some(code) => check_code(game.map(), &others, &name, &code)?,
        None => made_up(game.map(), &others, &name),
    };
    let said = format!(
        "Your empire is {name}, {code} for short.  Another EMPIRE line changes it until the game begins."
    );
    let brings = VariantData::of(&Empire { name, code }).unwrap_or_default();
    Ok(Joining {
        brings,
        said: vec![said],
    })
}

/// Name and code: `Jedi Knights AS JED`.
fn parted(words: &str) -> (String, Option<String>) {
    let words: Vec<&str> = words.split_whitespace().collect();
    match words.as_slice() {
        [name @ .., between, code] if !name.is_empty() && between.eq_ignore_ascii_case("as") => {
            let code = code.trim_end_matches(['.', ';', ',']);
            (name.join(" "), Some(code.to_owned()))
        }
        _ => (
            words.join(" ").trim_end_matches([';', ',']).to_owned(),
            None,
        ),
    }
}

fn check_name(map: &Map, others: &[Empire], name: &str) -> Result<(), String> {
    let sound = |c: char| c.is_ascii_alphanumeric() || matches!(c, ' ' | '-' | '\'' | '.');
    let letters = name.chars().filter(char::is_ascii_alphabetic).count();
    if !(2..=30).contains(&name.chars().count()) || !name.chars().all(sound) || letters < 2 {
        return Err("The name of an empire is 2 to 30 letters A to Z, digits, blanks, hyphens, apostrophes and full stops, at least two of them letters.".to_owned());
    }
    // Orders may say "the" before any name, so that a name's own would not be found.
    if name
        .get(..4)
        .is_some_and(|start| start.eq_ignore_ascii_case("the "))
    {
        return Err("Leave out the article: names of empires begin without The.".to_owned());
    }
    if is_numbered(name) {
        return Err("Names of this kind are for players who choose none.".to_owned());
    }
    free(map, others, name)
}

fn check_code(map: &Map, others: &[Empire], name: &str, code: &str) -> Result<String, String> {
    if code.len() != 3 || !code.chars().all(|c| c.is_ascii_alphabetic()) {
        return Err(format!(
            "The code of an empire is three letters, such as EMPIRE {name} AS {}.",
            made_up(map, others, name)
        ));
    }
    free(map, others, code)?;
    Ok(code.to_ascii_uppercase())
}

/// Whether a name or code may be had: no province's, no word of the judge, nobody else's.
fn free(map: &Map, others: &[Empire], word: &str) -> Result<(), String> {
    if RESERVED
        .iter()
        .any(|known| known.eq_ignore_ascii_case(word))
    {
        return Err(format!(
            "{word} cannot be the name or code of an empire, since the judge reads it as another word."
        ));
    }
    if let Some(province) = named_place(map, word) {
        return Err(format!(
            "{word} cannot be the name or code of an empire, since it means the province {}.",
            map.full_name(province.into())
        ));
    }
    match is_taken(others, word) {
        true => Err(format!(
            "{word} is taken by another empire; choose another name or code."
        )),
        false => Ok(()),
    }
}

fn is_taken(others: &[Empire], word: &str) -> bool {
    others
        .iter()
        .any(|other| other.name.eq_ignore_ascii_case(word) || other.code.eq_ignore_ascii_case(word))
}

/// The province that is called so.
fn named_place(map: &Map, word: &str) -> Option<Province> {
    let plain = |text: &str| -> String {
        text.chars()
            .filter(char::is_ascii_alphanumeric)
            .map(|c| c.to_ascii_lowercase())
            .collect()
    };
    let word = plain(word);
    let by_name = map
        .provinces()
        .iter()
        .find(|info| plain(&info.name) == word || plain(info.code.as_str()) == word)
        .map(|info| info.code);
    by_name.or_else(|| {
        map.spellings()
            .into_iter()
            .find(|(spelling, _)| plain(spelling) == word)
            .map(|(_, province)| province)
    })
}

/// `Empire 7`
fn is_numbered(name: &str) -> bool {
    name.split_once(' ').is_some_and(|(empire, number)| {
        empire.eq_ignore_ascii_case("empire") && number.chars().all(|c| c.is_ascii_digit())
    })
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
        .find(|code| free(map, others, code).is_ok() && !code.eq_ignore_ascii_case(name))
        .unwrap_or_else(|| "EEE".to_owned())
}

/// The empires of a game that begins, with their players, in order of sign-on.
pub(super) fn roster(game: &Game) -> Vec<(PowerInfo, SeatId)> {
    let seats: Vec<(SeatId, Option<Empire>)> = players(game).collect();
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
