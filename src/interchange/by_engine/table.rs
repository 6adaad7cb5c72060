//! The game that a line describes, in the phase that is to be adjudicated.

use std::collections::BTreeSet;

use jiff::Timestamp;

use dipjudge_game::{
    DataError, Dice, Event, Game, GameEdit, Nobody, Phase, Variant, apply, unreadable,
};
use dipjudge_rules::map::Map;

use super::further::Further;
use super::{calendar, settings};
use crate::board::{PowerKeys, position};
use crate::input::{Input, State};

/// The seed if none is given: 32 zero bytes.
const NO_SEED: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// Creates the game; the error is a sentence.
pub(super) fn set_up(
    variant: &dyn Variant,
    input: &Input<'_>,
    further: &Further<'_>,
) -> Result<Game, DataError> {
    let map_name = input
        .map
        .as_ref()
        .map_or(variant.card().map, |map| map.as_str());
    let map = Map::with_places(map_name, variant.card().places)
        .ok_or_else(|| format!("No map is called `{map_name}`."))?;
    let seed = super::seed(input.seed.as_ref().map_or(NO_SEED, |seed| seed.as_str()))?;
    let name = input.name.as_ref().ok_or("The object has no `name`.")?;
    let (turn, phases) = calendar::read(variant, name.as_str())?;
    let state = input.state.as_ref().ok_or("The object has no `state`.")?;
    let settings = settings::settings_of_line(variant, &further.settings)?;
    let powers = variant.powers_named(map, &|| keys(variant, input, state), &settings);
    if powers.len() > usize::from(u8::MAX) {
        return unreadable(format!("{} powers are too many.", powers.len()));
    }
    let phase = phases.last().cloned().unwrap_or(Phase::Movement);
    let keys = PowerKeys::of(&powers, variant.card());
    let (mut position, owners) = position(map, &keys, &name.as_str(), phase.phase_kind(), state)?;
    position.owners = owners.iter(map).collect();
    let data = variant.first_state(&powers, &position, &settings, Dice::new(&seed));
    let created = Event::Created {
        name: "line".to_owned(),
        variant: variant.card().name.to_owned(),
        map: map_name.to_owned(),
        places: variant.places(&settings),
        seed,
    };
    let at = Timestamp::UNIX_EPOCH;
    let game = apply::create(&created, at).map_err(|error| format!("{error}."))?;
    let mut edit = GameEdit::of_own(game, variant, at);
    edit.game.settings = settings;
    apply::deal(&mut edit.game, powers.into(), &[]);
    edit.emit(Event::Begun {
        turn,
        phase,
        position,
        data,
    });
    for event in variant.read_state(&further.own, &edit.game)? {
        edit.emit(event);
    }
    calendar::choose(&mut edit, &phases);
    Ok(edit.game)
}

/// The powers that the line names, each once, in alphabetical order.
fn keys(variant: &dyn Variant, input: &Input<'_>, state: &State<'_>) -> Vec<String> {
    let sections = [&state.units, &state.centers, &input.orders];
    let named = sections
        .into_iter()
        .flatten()
        .flat_map(|section| &section.keys);
    let retreating = state.retreats.iter().flat_map(|retreats| &retreats.0);
    let keys: BTreeSet<&str> = named
        .chain(retreating.map(|(key, _)| key))
        .map(|key| key.as_str())
        .filter(|key| *key != Nobody::KEY && *key != variant.card().nobody.key)
        .collect();
    keys.into_iter().map(str::to_owned).collect()
}
