//! The state of Life in the saved-game format: `births` (power: provinces) are the open births of a births phase,
//! `standing` (power: `A`, `F`) the standing lines, `choices` (power: province: `A`, `F`, `F/NC`) the one-shot lines. Among the units an
//! open birth does not stand; in what is read it may, as `NEW`.

use std::collections::BTreeMap;

use serde_json::{Map as Keys, Value, json};

use super::Life;
use super::generation::{self, Birth, Generation};
use super::wishes::{self, ANY, UNDECIDED, Wish};
use crate::data_of;
use dipjudge_game::project::ToldGame;
use dipjudge_game::{DataError, Event, Game, VariantGame, by_power, in_play, unreadable};
use dipjudge_rules::map::{Coast, Location, Power, Province, UnitKind};
use dipjudge_rules::position::{Position, Unit};
use dipjudge_view::Viewer;

/// What happened, for `events`: `death` and `birth` of the Life step behind the phase, `decided` for a birth that was open
/// before it. An open birth has no unit, but a `province`.
pub(super) fn steps(before: &ToldGame<'_>, after: &ToldGame<'_>) -> Vec<Value> {
    let Some(generation) = after.state(&Life) else {
        return Vec::new();
    };
    if after.number() <= before.number() {
        return Vec::new();
    }
    let key = |power: Power| after.key(power);
    let unit = |unit: &Unit| format!("{} {}", unit.kind, unit.at);
    let mut steps = Vec::new();
    if generation.after == after.number() {
        steps.extend(generation.deaths.iter().map(|death| {
            json!({
                "step": "death",
                "power": key(death.unit.power),
                "unit": unit(&death.unit),
                "neighbors": death.neighbors,
            })
        }));
        steps.extend(generation.births.iter().map(|birth| {
            let what = if birth.open() {
                ("province", birth.unit.at.to_string())
            } else {
                ("unit", unit(&birth.unit))
            };
            json!({
                "step": "birth",
                "power": key(birth.unit.power),
                what.0: what.1,
                "parents": birth.parents.iter().map(unit).collect::<Vec<_>>(),
            })
        }));
    }
    let decided = generation
        .births
        .iter()
        .filter(|birth| birth.decided == Some(after.number()));
    steps.extend(decided.map(|birth| {
        json!({
            "step": "decided",
            "power": key(birth.unit.power),
            "unit": unit(&birth.unit),
        })
    }));
    steps
}

/// Reads the keys; units stand already, open births among them or not.
pub(super) fn read(keys: &Keys<String, Value>, game: &Game) -> Result<Vec<Event>, DataError> {
    let mut events = Vec::new();
    let labels = VariantGame::new(game, &super::Life)
        .seen_by(Viewer::Master)
        .labels();
    if keys.contains_key("births") {
        events.extend(open_births(game, by_power::read(keys, "births", game)?)?);
    }
    for (power, value) in by_power::read::<String>(keys, "standing", game)? {
        let wish = wish(&value)
            .ok_or_else(|| format!("`standing` of {} has to be A or F.", labels.name(power)))?;
        events.push(submission(power, ANY, wish));
    }
    let choices: BTreeMap<Power, BTreeMap<String, String>> = by_power::read(keys, "choices", game)?;
    for (power, choices) in choices {
        for (name, value) in choices {
            let province = province(game, &name)?;
            let wish = wish(&value).ok_or_else(|| {
                format!("The choice for {province} has to be A, F or F with a coast, as F/NC.")
            })?;
            events.push(submission(power, province.as_str(), wish));
        }
    }
    Ok(events)
}

fn province(game: &Game, name: &str) -> Result<Province, DataError> {
    game.map()
        .find_province(name)
        .ok_or_else(|| format!("No province is called {name}.").into())
}

fn wish(text: &str) -> Option<Wish> {
    let (kind, coast) = match text.split_once('/') {
        Some((kind, coast)) => (kind, Some(coast.parse::<Coast>().ok()?)),
        None => (text, None),
    };
    let kind = match kind {
        "A" => UnitKind::ARMY,
        "F" => UnitKind::FLEET,
        _ => return None,
    };
    Some(Wish {
        kind: Some(kind),
        coast,
    })
}

fn submission(power: Power, name: &str, wish: Wish) -> Event {
    Event::Submitted {
        power,
        name: name.to_owned(),
        data: Some(data_of(&wish)),
        lasting: true,
    }
}

/// A births phase in hand: its open births on the board and in the variant's state.
fn open_births(
    game: &Game,
    by_power: BTreeMap<Power, Vec<String>>,
) -> Result<Vec<Event>, DataError> {
    let mut position: Position = game.position.clone();
    let mut births = Vec::new();
    for (power, provinces) in by_power {
        for province in provinces {
            let province = self::province(game, &province)?;
            let coastal = game
                .map()
                .info(province)
                .is_some_and(|info| wishes::by_nature(info.terrain).is_none());
            if !coastal {
                return unreadable(format!("A birth in {province} is never open."));
            }
            let unit = match position.standing(province) {
                Some(unit) if unit.kind == UNDECIDED && unit.power == power => *unit,
                Some(_) => {
                    return unreadable(format!("A unit stands in {province} already."));
                }
                None => {
                    let unit = Unit {
                        id: position.free_id(),
                        power,
                        kind: UNDECIDED,
                        at: Location::from(province),
                    };
                    position.units.push(unit);
                    unit
                }
            };
            births.push(Birth {
                unit,
                parents: Vec::new(),
                drawn: Wish::default(),
                decided: None,
            });
        }
    }
    let generation = Generation {
        turn: game.turn,
        after: game.number,
        alive: in_play(game, &Life),
        deaths: Vec::new(),
        births,
    };
    Ok(vec![
        Event::Board { position },
        Event::Data {
            data: generation.kept(),
        },
    ])
}

/// Writes the keys: births that nobody has decided are public, lines as far as they are open (`rules.md`, B.2).
pub(super) fn write(game: &ToldGame<'_>) -> Keys<String, Value> {
    let mut keys = Keys::new();
    let key = |power: Power| (power != Power::NEUTRAL).then(|| game.key(power));
    let mut open: Keys<String, Value> = Keys::new();
    for birth in generation::open(game.state(&Life)) {
        if let Some(name) = key(birth.unit.power) {
            let list = open.entry(name).or_insert_with(|| json!([]));
            if let Value::Array(list) = list {
                list.push(json!(birth.unit.at.province.as_str()));
            }
        }
    }
    let (mut standing, mut choices) = (Keys::new(), Keys::new());
    for power in game.known_powers() {
        let submissions = game.lasting_submissions(power);
        let Some(name) = key(power) else { continue };
        if let Some(data) = submissions.get(ANY) {
            standing.insert(name.clone(), json!(Wish::of(data).to_string()));
        }
        let own: Keys<String, Value> = submissions
            .iter()
            .filter(|(name, _)| **name != ANY)
            .map(|(name, data)| ((*name).to_owned(), json!(Wish::of(data).to_string())))
            .collect();
        if !own.is_empty() {
            choices.insert(name, Value::Object(own));
        }
    }
    for (name, value) in [
        ("births", open),
        ("standing", standing),
        ("choices", choices),
    ] {
        if !value.is_empty() {
            keys.insert(name.to_owned(), Value::Object(value));
        }
    }
    keys
}
