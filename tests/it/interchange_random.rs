//! Whole games played at random, and each of their phases once more through the `adjudicate` filter: a line that holds a
//! phase as it stood, with its orders as texts, is answered with the phase that followed.

use std::collections::BTreeMap;

use crate::random_play::{Step, Table, play};
use dipjudge::game::{
    BuildSites, Ending, Event, Game, Phase, Played, SettingChange, State, Variant, VariantGame,
};
use dipjudge::interchange::{Options, adjudicate};
use dipjudge::map::{Power, Province};
use dipjudge::orders::{Action, NewUnit};
use dipjudge::position::{Position, Unit};
use dipjudge::variants;
use dipjudge::view::Viewer;
use serde_json::{Map, Value, json};

/// Plays games of a variant, and each phase of them twice; how many phases that were.
fn replayed(table: &Table, games: u64) -> usize {
    let mut phases = 0;
    for seed in 0..games {
        play(table, seed, &mut |step| {
            phases += 1;
            let line = line(table, step.before);
            let answer = answered(&line);
            assert_eq!(
                told(&answer),
                expected(table.variant, step),
                "seed {seed}: {line}"
            );
            assert_eq!(answer["errors"], json!([]), "seed {seed}: {line}");
            compare_results(&answer, step, &line);
        });
    }
    phases
}

fn answered(line: &Value) -> Value {
    let mut out = Vec::new();
    adjudicate(line.to_string().as_bytes(), &Options::default(), &mut out);
    serde_json::from_slice(&out).unwrap()
}

/// The phase in hand as a line of the filter.
fn line(table: &Table, game: &Game) -> Value {
    let mut settings = Map::new();
    for change in &table.settings {
        let written = json!(change);
        match (written["name"].as_str().unwrap(), &written["value"]) {
            ("own", Value::Object(own)) => settings.extend(own.clone()),
            (name, value) => drop(settings.insert(name.to_owned(), value.clone())),
        }
    }
    let mut retreats: BTreeMap<String, BTreeMap<String, Vec<String>>> = BTreeMap::new();
    for dislodged in &game.position.dislodged {
        let options = dislodged.options.iter().map(ToString::to_string).collect();
        let of_power = retreats.entry(key(game, dislodged.unit.power)).or_default();
        of_power.insert(named(&dislodged.unit), options);
    }
    let mut state = VariantGame::new(game, table.variant).own_state(None);
    state.insert("units".to_owned(), units(table.variant, game));
    state.insert("centers".to_owned(), centers(game));
    state.insert("retreats".to_owned(), json!(retreats));
    let orders: BTreeMap<String, Vec<String>> = game
        .all_powers()
        .map(|power| (key(game, power), orders(table.variant, game, power)))
        .collect();
    json!({
        "variant": table.variant.card().name, "name": game.phase_name(table.variant), "seed": game.seed.to_hex(),
        "settings": settings, "state": state, "orders": orders
    })
}

/// The orders of a power as it could send them again.
fn orders(variant: &dyn Variant, game: &Game, power: Power) -> Vec<String> {
    let standing = game.standing(power);
    let units = standing.orders.units.iter().filter_map(|(id, action)| {
        let unit = game.position.unit(*id)?;
        // Whose unit of a shared province is meant.
        let meant = standing.orders.meant(*id).map(|whose| key(game, whose));
        Some(order(&game.position, unit, action, meant.as_deref()))
    });
    let winter = standing.orders.winter.iter().map(|action| match action {
        Action::Build(NewUnit { kind, at }) => format!("{kind} {at} B"),
        Action::Remove { at } => format!("{} D", helped(&game.position, *at, None)),
        other => other.order_text(
            dipjudge::map::UnitKind::ARMY,
            Province::literal(b"XXX").into(),
        ),
    });
    let own = VariantGame::new(game, variant)
        .seen_by(Viewer::Power(power))
        .submitted_by(power);
    // What is only a remark stands in brackets.
    let own = own.into_iter().filter(|line| !line.starts_with('('));
    units.chain(winter).chain(own).collect()
}

fn order(position: &Position, unit: &Unit, action: &Action, meant: Option<&str>) -> String {
    let own = named(unit);
    let helped = |at: Province| helped(position, at, meant);
    match action {
        Action::SupportHold { at } => format!("{own} S {}", helped(*at)),
        Action::SupportMove { from, to } => format!("{own} S {} - {to}", helped(*from)),
        Action::Convoy { from, to } => format!("{own} C {} - {to}", helped(*from)),
        action => action.order_text(unit.kind, unit.at),
    }
}

fn helped(position: &Position, at: Province, whose: Option<&str>) -> String {
    let unit = position.standing(at).map_or_else(|| at.to_string(), named);
    match whose {
        Some(whose) => format!("{whose} {unit}"),
        None => unit,
    }
}

fn named(unit: &Unit) -> String {
    format!("{} {}", unit.kind, unit.at)
}

fn key(game: &Game, power: Power) -> String {
    game.key(power).to_owned()
}

fn units(variant: &dyn Variant, game: &Game) -> Value {
    let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let standing = game.position.units.iter();
    for unit in standing.filter(|unit| variant.is_saved_as_unit(unit)) {
        all.entry(key(game, unit.power))
            .or_default()
            .push(named(unit));
    }
    for dislodged in &game.position.dislodged {
        let unit = &dislodged.unit;
        all.entry(key(game, unit.power))
            .or_default()
            .push(format!("*{}", named(unit)));
    }
    all.values_mut().for_each(|units| units.sort());
    json!(all)
}

fn centers(game: &Game) -> Value {
    let mut all: BTreeMap<String, Vec<Province>> = BTreeMap::new();
    for (center, owner) in &game.position.owners {
        all.entry(key(game, *owner)).or_default().push(*center);
    }
    json!(all)
}

/// What of an answer is compared.
fn told(answer: &Value) -> Value {
    let mut state = answer["next"]["state"].clone();
    let retreats = state["retreats"].clone();
    for key in ["retreats", "builds"] {
        if let Some(state) = state.as_object_mut() {
            state.remove(key);
        }
    }
    if let Some(units) = state["units"].as_object_mut() {
        for units in units.values_mut() {
            units
                .as_array_mut()
                .unwrap()
                .sort_by_key(|unit| unit.to_string());
        }
    }
    json!({"error": answer["error"], "name": answer["next"]["name"], "state": state,
        "dislodged": retreats.as_object().is_some_and(|retreats| !retreats.is_empty()),
        "winner": answer["winner"]})
}

/// The same of what followed in the game.
fn expected(variant: &dyn Variant, step: &Step) -> Value {
    let after = step.after;
    let mut state = VariantGame::new(after, variant).own_state(None);
    state.insert("units".to_owned(), units(variant, after));
    state.insert("centers".to_owned(), centers(after));
    let winner = match &after.state {
        State::Over(Ending::Won(winners)) => {
            let keys: Vec<String> = winners.iter().map(|winner| key(after, *winner)).collect();
            json!(keys.join(" "))
        }
        _ => Value::Null,
    };
    let name = (!after.over()).then(|| after.phase_name(variant).to_string());
    json!({"error": null, "name": name, "state": state,
        "dislodged": !after.position.dislodged.is_empty(), "winner": winner})
}

/// Each unit of the phase has an entry, and those that have failed or left the board say so.
fn compare_results(answer: &Value, step: &Step, line: &Value) {
    let played: Option<&Played> = step.events.iter().find_map(|event| match event {
        Event::Played(played) => Some(&**played),
        _ => None,
    });
    let played = played.unwrap();
    let results = answer["results"].as_object().unwrap();
    if matches!(step.before.phase, Phase::Movement | Phase::Retreats) {
        assert_eq!(results.len(), played.outcomes.len(), "{line}");
    }
    for outcome in &played.outcomes {
        // Where several have the same name they are numbered.
        let Some(marks) = results.get(&named(&outcome.unit)) else {
            continue;
        };
        let has = |mark: &str| marks.as_array().unwrap().iter().any(|said| said == mark);
        let gone = played.position.unit(outcome.unit.id).is_none();
        assert_eq!(has("disband"), gone, "{} in {line}", named(&outcome.unit));
        for mark in &outcome.marks {
            assert!(has(mark.code()), "{} in {line}", named(&outcome.unit));
        }
    }
}

#[test]
fn the_standard_game() {
    let table = Table {
        variant: variants::named("standard").unwrap(),
        players: None,
        settings: vec![
            SettingChange::Centers(Some(8)),
            SettingChange::BuildSites(BuildSites::Any),
        ],
        lines: &|_, _, _| Vec::new(),
        longest: 30,
    };
    assert!(replayed(&table, 12) > 100);
}

#[test]
fn bridge() {
    let table = Table {
        variant: variants::named("bridge").unwrap(),
        players: None,
        settings: vec![SettingChange::Own(
            [("fort-strength".to_owned(), "times2".to_owned())].into(),
        )],
        lines: &|game, power, numbers| {
            let centers = game.position.centers_of(power).map(|at| at.to_string());
            let forts: Vec<String> = centers.take(numbers.below(4)).collect();
            match game.phase {
                Phase::Adjustments => vec![
                    format!("BID {}", game.center_count(power) + numbers.below(3)),
                    format!("FORTIFY {}", forts.join(" ")),
                ],
                _ => Vec::new(),
            }
        },
        longest: 24,
    };
    assert!(replayed(&table, 12) > 100);
}

#[test]
fn openings_on_an_empty_board() {
    let table = |name: &str, settings: Vec<SettingChange>| Table {
        variant: variants::named(name).unwrap(),
        players: None,
        settings,
        lines: &|_, _, _| Vec::new(),
        longest: 12,
    };
    let blank = vec![SettingChange::BlankBoard(true)];
    assert!(replayed(&table("standard", blank), 4) > 20);
    assert!(replayed(&table("winter-1900", Vec::new()), 4) > 20);
    assert!(replayed(&table("chaos", Vec::new()), 4) > 20);
}

#[test]
fn outer_space() {
    let table = Table {
        variant: variants::named("outer-space").unwrap(),
        players: Some(5),
        settings: Vec::new(),
        lines: &|game, power, numbers| {
            let mut lines = Vec::new();
            for unit in game.position.units_of(power) {
                let to = numbers.pick(game.map().centers()).unwrap();
                match unit.at.province.as_str() {
                    "ORB" => lines.push(format!("A ORB - {to}")),
                    _ if numbers.once_in(3) => {}
                    _ => lines.push(format!("{} COL", named(unit))),
                }
            }
            lines
        },
        longest: 24,
    };
    let phases = replayed(&table, 12);
    assert!(phases > 100, "{phases}");
}

#[test]
fn life() {
    let table = Table {
        variant: variants::named("life").unwrap(),
        players: None,
        settings: Vec::new(),
        lines: &|game, power, numbers| {
            let places = game.map().centers();
            let mut lines = vec!["BIRTH ANY ASK".to_owned()];
            for unit in game.position.units_of(power) {
                let kind = numbers.pick(&["A", "F"]).unwrap();
                lines.push(format!("BIRTH {} {kind}", unit.at.province));
            }
            lines.extend(numbers.pick(places).map(|at| format!("BIRTH {at} A")));
            lines
        },
        longest: 24,
    };
    let phases = replayed(&table, 40);
    assert!(phases > 100, "{phases}");
}
