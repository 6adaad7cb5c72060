//! The cases of the DATC (see `datc/README.md`) against the adjudicator itself: the crate's own notation, no other program.

use std::collections::{BTreeMap, BTreeSet};

use dipjudge_rules::adjudicator::{
    Adjustment, Allowances, Mark, Reason, Resolution, Sites, adjustments, movement, retreats,
};
use dipjudge_rules::calendar::{PhaseKind, PhaseName};
use dipjudge_rules::map::{Location, Map, Power};
use dipjudge_rules::notation::{self, WrittenOrder};
use dipjudge_rules::orders::{Action, Order, OrderSheet, legal};
use dipjudge_rules::position::{Dislodged, NamedUnit, Position, Unit, UnitId};
use serde_json::{Map as Object, Value};

const CASES: &str = include_str!("datc/datc.jsonl");

/// What came of a case, in the form in which the cases say what they expect.
#[derive(Default)]
struct Played {
    /// The marks of each unit that was there at the start, and `void` where its order was refused.
    results: BTreeMap<String, BTreeSet<String>>,
    dislodged: BTreeSet<String>,
    /// The board afterwards, by power; `*` before units that must retreat.
    units: BTreeMap<String, BTreeSet<String>>,
    /// Where the dislodged may retreat to, by power and unit; without those who have nowhere to go.
    retreats: BTreeMap<String, BTreeMap<String, BTreeSet<String>>>,
}

fn cases() -> Vec<Value> {
    let lines = CASES.lines().filter(|line| !line.is_empty());
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn object(value: &Value) -> Object<String, Value> {
    value.as_object().cloned().unwrap_or_default()
}

fn texts(value: &Value) -> impl Iterator<Item = &str> {
    value.as_array().into_iter().flatten().map(text)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

fn set(value: &Value) -> BTreeSet<String> {
    texts(value).map(str::to_owned).collect()
}

fn by_power(value: &Value) -> BTreeMap<String, BTreeSet<String>> {
    let lists = object(value).into_iter();
    let lists = lists.map(|(power, list)| (power, set(&list)));
    lists.filter(|(_, list)| !list.is_empty()).collect()
}

fn power(key: &str) -> Power {
    let mut powers = (0u8..).zip(Map::standard().powers());
    Power(powers.find(|(_, info)| info.key == key).unwrap().0)
}

fn key(power: Power) -> String {
    Map::standard().powers()[power.index().unwrap()].key.clone()
}

fn named(unit: &Unit) -> String {
    NamedUnit::from(unit).to_string()
}

/// The position of a case's `state`.
fn position(state: &Value) -> Position {
    let map = Map::standard();
    let mut position = Position::default();
    for (key, units) in object(&state["units"]) {
        for words in texts(&units) {
            let read = notation::unit(map, words.trim_start_matches('*')).unwrap();
            let unit = Unit {
                id: position.free_id(),
                power: power(&key),
                kind: read.kind,
                at: read.at,
            };
            if words.starts_with('*') {
                position.dislodged.push(Dislodged {
                    unit,
                    attacker: None,
                    options: Vec::new(),
                });
            } else {
                position.units.push(unit);
            }
        }
    }
    for (key, units) in object(&state["retreats"]) {
        for (words, places) in object(&units) {
            let mut dislodged = position.dislodged.iter_mut();
            let unit = dislodged
                .find(|one| one.unit.power == power(&key) && named(&one.unit) == words.as_str());
            let places = texts(&places).map(|to| notation::place(map, to).unwrap());
            unit.unwrap().options = places.collect();
        }
    }
    for (key, centers) in object(&state["centers"]) {
        for center in texts(&centers) {
            let center: Location = notation::place(map, center).unwrap();
            position.owners.insert(center.province, power(&key));
        }
    }
    position
}

fn play(case: &Value) -> Played {
    let phase: PhaseName = text(&case["name"]).parse().unwrap();
    let position = position(&case["state"]);
    match phase.kind {
        PhaseKind::Movement | PhaseKind::Retreats => by_units(case, phase.kind, &position),
        _ => by_powers(case, &position),
    }
}

/// A movement or retreat phase.
fn by_units(case: &Value, phase: PhaseKind, position: &Position) -> Played {
    let map = Map::standard();
    let mut played = Played::default();
    let mut orders: Vec<Order> = Vec::new();
    let mut refused: BTreeSet<UnitId> = BTreeSet::new();
    for (key, list) in object(&case["orders"]) {
        for words in texts(&list) {
            match order(phase, position, power(&key), words) {
                Ok(order) if is_later_and_illegal(&order, &orders, phase, position) => {}
                Ok(order) => orders.push(order),
                Err(unit) => refused.extend(unit),
            }
        }
    }
    let resolution = match phase {
        PhaseKind::Retreats => retreats(map, position, &orders),
        _ => movement(map, position, &OrderSheet::from(orders)),
    };
    for outcome in &resolution.outcomes {
        let unit = position.unit(outcome.unit).unwrap();
        let marks = played.results.entry(named(unit)).or_default();
        marks.extend(outcome.marks.iter().map(|mark| mark.code().to_owned()));
        if refused.contains(&outcome.unit) {
            marks.insert("void".to_owned());
        }
        if outcome.marks.has(Mark::Dislodged) {
            played.dislodged.insert(named(unit));
        }
        assert_reason(case, &resolution, outcome.unit);
    }
    let after = resolution.apply(position);
    for unit in &after.units {
        let units = played.units.entry(key(unit.power)).or_default();
        units.insert(named(unit));
    }
    for dislodged in &after.dislodged {
        // Who has nowhere to go leaves the board.
        if dislodged.options.is_empty() {
            continue;
        }
        let unit = &dislodged.unit;
        let units = played.units.entry(key(unit.power)).or_default();
        units.insert(format!("*{}", named(unit)));
        let options = dislodged.options.iter().map(Location::to_string);
        let retreats = played.retreats.entry(key(unit.power)).or_default();
        retreats.insert(named(unit), options.collect());
    }
    played
}

/// A failure has a reason, and a success has none.
fn assert_reason(case: &Value, resolution: &Resolution, unit: UnitId) {
    let outcome = resolution.outcome(unit).unwrap();
    let failed = outcome.marks.iter().any(|mark| mark != Mark::Dislodged);
    let dislodged = outcome.marks.has(Mark::Dislodged);
    assert_eq!(outcome.dislodged_by.is_some(), dislodged, "{}", case["id"]);
    let ordered_to_disband = outcome.marks.iter().eq([Mark::Disband])
        && !matches!(outcome.reason, Some(Reason::NoRetreat));
    if !ordered_to_disband {
        assert_eq!(outcome.reason.is_some(), failed, "{}", case["id"]);
    }
}

/// The order of a power for a unit of its own. The error is the unit that holds because its order was refused, if one does.
fn order(
    phase: PhaseKind,
    position: &Position,
    power: Power,
    words: &str,
) -> Result<Order, Option<UnitId>> {
    let order = WrittenOrder::read(Map::standard(), phase, words).map_err(|_| None)?;
    let helped = order.helped;
    let order = order.in_position(position).map_err(|_| None)?;
    let owner = position.unit(order.unit).unwrap().power;
    let wrong_kind = helped.is_some_and(|helped| {
        let stands = position.standing(helped.at.province);
        stands.is_some_and(|unit| unit.kind != helped.kind)
    });
    if owner != power {
        Err(None)
    } else if wrong_kind {
        Err(Some(order.unit))
    } else {
        Ok(order)
    }
}

/// A second order for a unit replaces the first only if it is legal (DATC 4.D.3).
fn is_later_and_illegal(
    order: &Order,
    earlier: &[Order],
    phase: PhaseKind,
    position: &Position,
) -> bool {
    let unit = position.unit(order.unit).unwrap();
    let overlay = Default::default();
    phase == PhaseKind::Movement
        && earlier.iter().any(|other| other.unit == order.unit)
        && legal(
            Map::standard(),
            &overlay,
            unit,
            &order.action,
            Some(&position.units),
        )
        .is_err()
}

/// An adjustment phase.
fn by_powers(case: &Value, position: &Position) -> Played {
    let map = Map::standard();
    let mut played = Played::default();
    let mut orders: BTreeMap<Power, Vec<Action>> = BTreeMap::new();
    for (key, list) in object(&case["orders"]) {
        for words in texts(&list) {
            let order = WrittenOrder::read(map, PhaseKind::Adjustments, words).unwrap();
            orders.entry(power(&key)).or_default().push(order.action);
        }
    }
    let allowances = Allowances::standard(map, position, map.powers().len(), Sites::Homes);
    let adjusted = adjustments(map, position, &allowances, &orders);
    for unit in &position.units {
        played.results.insert(named(unit), BTreeSet::new());
    }
    for (_, adjustment) in &adjusted.adjustments {
        if let Adjustment::Removed(unit) | Adjustment::Defaulted(unit) = adjustment {
            let marks = played.results.entry(named(unit)).or_default();
            marks.insert(Mark::Disband.code().to_owned());
        }
    }
    for unit in &adjusted.position.units {
        let units = played.units.entry(key(unit.power)).or_default();
        units.insert(named(unit));
    }
    played
}

/// What differs between what came of the case and what it expects; only what it speaks of is compared.
fn differences(expect: &Value, played: &Played) -> Vec<String> {
    let mut found = Vec::new();
    let state = &expect["next"]["state"];
    let units = by_power(&state["units"]);
    if !state["units"].is_null() && units != played.units {
        found.push(format!("units {:?}, not {units:?}", played.units));
    }
    let retreats: BTreeMap<_, _> = object(&state["retreats"])
        .into_iter()
        .map(|(power, units)| (power, by_power(&units)))
        .filter(|(_, units)| !units.is_empty())
        .collect();
    if !state["retreats"].is_null() && retreats != played.retreats {
        found.push(format!("retreats {:?}, not {retreats:?}", played.retreats));
    }
    let dislodged = set(&expect["dislodged"]);
    if !expect["dislodged"].is_null() && dislodged != played.dislodged {
        found.push(format!(
            "dislodged {:?}, not {dislodged:?}",
            played.dislodged
        ));
    }
    for (unit, codes) in object(&expect["results"]) {
        let codes = set(&codes);
        let Some(marks) = played.results.get(&unit) else {
            found.push(format!("no result of {unit}"));
            continue;
        };
        let met = |code: &String| code.split('|').any(|code| marks.contains(code));
        let fits = if codes.is_empty() {
            marks.is_empty()
        } else {
            codes.iter().all(met)
        };
        if !fits {
            found.push(format!("{unit} {marks:?}, not {codes:?}"));
        }
    }
    found
}

#[test]
fn every_case_comes_out_as_the_document_says() {
    let cases = cases();
    assert_eq!(cases.len(), 181);
    let mut failures = Vec::new();
    for case in &cases {
        for difference in differences(&case["expect"], &play(case)) {
            failures.push(format!("{}: {difference}", case["id"]));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn a_case_that_comes_out_wrong_is_noticed() {
    let cases = cases();
    let case = cases.iter().find(|case| case["id"] == "datc-6.A.11");
    let mut case = case.unwrap().clone();
    let played = play(&case);
    assert_eq!(differences(&case["expect"], &played), [""; 0]);
    case["expect"]["results"]["A VIE"] = Value::Array(vec![]);
    case["expect"]["next"]["state"]["units"]["AUSTRIA"] = serde_json::json!(["A TYR"]);
    case["expect"]["dislodged"] = serde_json::json!(["A VEN"]);
    assert_eq!(differences(&case["expect"], &played).len(), 3);
}
