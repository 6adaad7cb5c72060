//! The variant's keys of a `state` object in the saved-game format:
//!
//! | key | value |
//! | --- | --- |
//! | `names` | power → what it is called |
//! | `homes` | power → its homes in the order in which they became so, lost ones too |
//! | `contacts` | power → the powers that it has met |
//!
//! A power reads its own homes and contacts, and the names of those whom it knows.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map as Object, Value, json};

use super::CivDip;
use super::state::CivDipState;
use dipjudge_game::by_power;
use dipjudge_game::{Access, Event, Game, VariantGame};
use dipjudge_rules::map::{Power, Province};
use dipjudge_view::Viewer;

/// Reads the keys.
pub(super) fn read(keys: &Object<String, Value>, game: &Game) -> Result<Vec<Event>, String> {
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
            return Err(format!("`homes`: {home} is no supply center."));
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
            state.meet(one, other, since.clone(), false);
        }
    }
    Ok(vec![state.kept()])
}

/// Writes the keys, as far as their reader may know them.
pub(super) fn write(game: &Game, access: &Access<'_>) -> Object<String, Value> {
    let state = CivDipState::of(game);
    let viewer = access.reader();
    // A reader calls powers by his labels; whoever holds the whole position, by their keys.
    let labels = viewer.map(|viewer| VariantGame::new(game, &CivDip).seen_by(viewer).labels());
    let key = |power: Power| match &labels {
        Some(labels) => labels.key(power).to_owned(),
        None => by_power::key(game, power),
    };
    let known: BTreeSet<Power> = match &labels {
        Some(labels) => labels.known().collect(),
        None => game.all_powers().collect(),
    };
    let name = |power: Power| match &labels {
        Some(labels) => labels.name(power).to_owned(),
        None => state.name(power),
    };
    let whose = |power: &Power| match viewer {
        Some(Viewer::Power(own)) => *power == own,
        Some(Viewer::Observer | Viewer::Stranger) => false,
        Some(Viewer::Master) | None => true,
    };
    let told: Vec<Power> = game.all_powers().filter(whose).collect();
    let names: BTreeMap<String, String> = known
        .iter()
        .map(|power| (key(*power), name(*power)))
        .collect();
    let homes: BTreeMap<String, &[Province]> = told
        .iter()
        .map(|power| (key(*power), state.homes(*power)))
        .collect();
    let met = |power: &Power| -> Vec<String> {
        let met = state.contacts(*power).into_iter();
        let mut met: Vec<String> = met.map(|(other, _)| key(other)).collect();
        met.sort();
        met
    };
    let contacts: BTreeMap<String, Vec<String>> =
        told.iter().map(|power| (key(*power), met(power))).collect();
    [
        ("names", json!(names)),
        ("homes", json!(homes)),
        ("contacts", json!(contacts)),
    ]
    .map(|(key, value)| (key.to_owned(), value))
    .into_iter()
    .collect()
}
