//! The variant's keys of a `state` object in the saved-game format:
//!
//! | key | value |
//! | --- | --- |
//! | `names` | power → what it is called |
//! | `homes` | power → its homes in the order in which they became so, lost ones too |
//! | `contacts` | power → the powers that it has met |
//!
//! A power reads its own homes and contacts, and the names of those whom it knows.

use serde_json::{Map as Object, Value};

use super::CivDip;
use super::state::{CivDipState, Meeting};
use dipjudge_game::project::ToldGame;
use dipjudge_game::{DataError, Event, Game, by_power, unreadable};
use dipjudge_rules::map::{Power, Province};
use dipjudge_view::Viewer;

/// Reads the keys.
pub(super) fn read(keys: &Object<String, Value>, game: &Game) -> Result<Vec<Event>, DataError> {
    let mut state = CivDipState::of(game);
    let powers = game.all_powers().count();
    state.names.resize(powers, String::new());
    state.homes.resize(powers, Vec::new());
    for (power, name) in by_power::read::<String>(keys, "names", game)? {
        if let Some(own) = power.index().and_then(|index| state.names.get_mut(index)) {
            *own = name;
        }
    }
    for (power, homes) in by_power::read::<Vec<Province>>(keys, "homes", game)? {
        if let Some(home) = homes
            .iter()
            .find(|home| !game.map().centers().contains(home))
        {
            return unreadable(format!("`homes`: {home} is no supply center."));
        }
        if let Some(own) = power.index().and_then(|index| state.homes.get_mut(index)) {
            *own = homes;
        }
    }
    let since = (game.turn, game.phase.clone());
    for (one, others) in by_power::read::<Vec<String>>(keys, "contacts", game)? {
        for key in others {
            let other = game.power_of_key(&key).filter(|other| *other != one);
            let other = other.ok_or_else(|| {
                format!("`contacts` names `{key}`, which is no other power of this game.")
            })?;
            state.meet(one, other, since.clone(), Meeting::OnBoard);
        }
    }
    Ok(vec![state.kept()])
}

/// Writes the keys, as far as their reader may know them.
pub(super) fn write(game: &ToldGame<'_>) -> Object<String, Value> {
    let state = game.state(&CivDip);
    // A reader calls powers by his labels; whoever holds the whole position, by their keys.
    let name = |power: Power| match game.reader() {
        Some(_) => game.name(power),
        None => state.name(power),
    };
    let told: Vec<Power> = match game.reader() {
        Some(Viewer::Power(own)) => vec![own],
        Some(Viewer::Observer | Viewer::Stranger) => Vec::new(),
        Some(Viewer::Master) | None => game.known_powers(),
    };
    let names: Object<String, Value> = game
        .labelled()
        .into_iter()
        .map(|power| (game.key(power), name(power).into()))
        .collect();
    let homes: Object<String, Value> = told
        .iter()
        .map(|power| {
            let homes = state.homes(*power).iter();
            (game.key(*power), homes.map(Province::as_str).collect())
        })
        .collect();
    let met = |power: &Power| -> Value {
        let met = state.contacts(*power).into_iter();
        let mut met: Vec<String> = met.map(|(other, _)| game.key(other)).collect();
        met.sort();
        met.into()
    };
    let contacts: Object<String, Value> = told
        .iter()
        .map(|power| (game.key(*power), met(power)))
        .collect();
    [("names", names), ("homes", homes), ("contacts", contacts)]
        .map(|(key, value)| (key.to_owned(), Value::Object(value)))
        .into_iter()
        .collect()
}
