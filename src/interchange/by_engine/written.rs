//! The answer as a line of JSON, with the variant's own keys.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use dipjudge_game::{Ending, Game, Phase, State, Variant, VariantGame};
use dipjudge_rules::adjudicator::{self, Marks};
use dipjudge_rules::map::{Map as GameMap, Power, ProvinceSet};
use dipjudge_rules::position::{Position, Unit, UnitId};
use dipjudge_view::Viewer;

use super::sees::View;
use crate::board::{Owners, PowerKeys};
use crate::output::OrderError;
use crate::output::{self, Legend};

/// The answer on one position.
pub(super) struct EngineAnswer<'a> {
    pub(super) id: Option<&'a str>,
    pub(super) before: &'a Game,
    pub(super) after: &'a Game,
    pub(super) variant: &'a dyn Variant,
    pub(super) results: Vec<(Unit, Marks)>,
    /// Units in the order of the orders.
    pub(super) ordered: &'a [UnitId],
    pub(super) errors: &'a [OrderError],
    pub(super) draws: BTreeMap<String, u64>,
    /// Whether the answer contains `next`.
    pub(super) next: bool,
}

/// Writes the answer, or the part of it that the view shows.
pub(super) fn write(out: &mut Vec<u8>, answer: &EngineAnswer<'_>, view: &View) {
    let EngineAnswer { before, after, .. } = answer;
    let legend = Legend {
        map: before.map(),
        keys: PowerKeys::in_game(before, answer.variant.card()),
    };
    let sees = view.power();
    output::head(out, answer.id, before.phase_name(answer.variant), sees);
    let mut results = view.results(answer.results.clone());
    results.retain(|(unit, _)| answer.variant.is_saved_as_unit(unit));
    let results = keyed(legend.map, &results, answer.ordered);
    output::results(out, results.iter(), |out, key| {
        output::unit_text(out, &key.unit);
        if let Some(number) = key.number {
            output::append(out, format_args!("#{number}"));
        }
    });
    out.push(b',');
    output::errors(out, &legend, answer.errors, sees);
    out.push(b',');
    let steps = VariantGame::new(before, answer.variant).own_steps(after, sees.map(Viewer::Power));
    output::key(out, "events");
    out.push(b'[');
    output::list(out, steps.iter(), |out, step| {
        out.extend_from_slice(step.as_str().as_bytes());
    });
    out.push(b']');
    if answer.next {
        out.push(b',');
        next(out, &legend, answer, view);
    }
    out.push(b',');
    output::key(out, "winner");
    match winners(after).as_slice() {
        [] => out.extend_from_slice(b"null"),
        winners => {
            let keys: Vec<&str> = winners.iter().map(|one| legend.keys.key(*one)).collect();
            output::text(out, &keys.join(" "));
        }
    }
    output::tail(out, sees);
}

/// The key of a unit's results: `A PAR`, or `A ORB#1`, `A ORB#2` if there are several.
struct UnitKey {
    unit: Unit,
    number: Option<usize>,
}

/// The keys. Like units are numbered in the order of the orders and then of the position; those of all powers are counted
/// together, since one object has all keys.
fn keyed(map: &GameMap, results: &[(Unit, Marks)], ordered: &[UnitId]) -> Vec<(UnitKey, Marks)> {
    // Like units stand in one province, and most provinces have one unit at most.
    let mut once = ProvinceSet::EMPTY;
    let mut several = ProvinceSet::EMPTY;
    for number in results
        .iter()
        .filter_map(|(unit, _)| map.number(unit.at.province))
    {
        if once.has(number) {
            several.add(number);
        }
        once.add(number);
    }
    let stands_alone = |unit: &Unit| {
        let number = map.number(unit.at.province);
        number.is_some_and(|number| !several.has(number))
    };
    let rank = |unit: &Unit| {
        let place = ordered.iter().position(|id| *id == unit.id);
        place.unwrap_or(usize::MAX)
    };
    let number = |index: usize, unit: &Unit| {
        if stands_alone(unit) {
            return None;
        }
        let is_like = |other: &Unit| other.kind == unit.kind && other.at == unit.at;
        let like = || {
            let units = results.iter().enumerate();
            units.filter(|(_, (other, _))| is_like(other))
        };
        like().nth(1)?;
        let own = (rank(unit), index);
        let before = like().filter(|(index, (other, _))| (rank(other), *index) < own);
        Some(before.count() + 1)
    };
    let units = results.iter().enumerate();
    units
        .map(|(index, (unit, marks))| {
            let number = number(index, unit);
            (
                UnitKey {
                    unit: *unit,
                    number,
                },
                *marks,
            )
        })
        .collect()
}

fn next(out: &mut Vec<u8>, legend: &Legend<'_>, answer: &EngineAnswer<'_>, view: &View) {
    let after = answer.after;
    output::key(out, "next");
    out.push(b'{');
    output::key(out, "name");
    if after.over() {
        out.extend_from_slice(b"null")
    } else {
        output::text(out, &after.phase_name(answer.variant).to_string())
    }
    out.push(b',');
    output::key(out, "state");
    out.push(b'{');
    let mut position: Position = view.position(&after.position);
    position
        .units
        .retain(|unit| answer.variant.is_saved_as_unit(unit));
    let owners = Owners::on(legend.map, &position.owners);
    output::board(out, legend, &position, &owners);
    let own: Map<String, Value> =
        VariantGame::new(after, answer.variant).own_state(view.power().map(Viewer::Power));
    if after.phase == Phase::Adjustments && !after.over() {
        out.push(b',');
        let mut builds = builds(after, answer.variant);
        builds.retain(|(power, _)| view.sees_affairs_of(*power));
        output::builds(out, legend, &builds);
    }
    for (key, value) in &own {
        out.push(b',');
        output::text(out, key);
        out.push(b':');
        json(out, value);
    }
    out.push(b'}');
    // Draws derive from the seed, which is secret before the end.
    if view.power().is_none() || after.over() {
        out.push(b',');
        output::key(out, "draws");
        let draws: Value = answer
            .draws
            .iter()
            .map(|(stream, drawn)| (stream.clone(), Value::from(*drawn)))
            .collect();
        json(out, &draws);
    }
    out.push(b'}');
}

/// Builds that can be used (all that are due, where unused ones are kept), or removals as a negative count, of each power that
/// has any.
fn builds(game: &Game, variant: &dyn Variant) -> Vec<(Power, i32)> {
    let allowances = VariantGame::new(game, variant).allowances();
    let count = |power: Power| {
        let counts = allowances.counts(power);
        match allowances.of(power) {
            Some(allowance) if allowance.saves_builds => (power, allowance.change),
            _ => (power, adjudicator::change(counts.builds, counts.removals)),
        }
    };
    let all = game.all_powers().map(count);
    all.filter(|(_, change)| *change != 0).collect()
}

fn winners(game: &Game) -> Vec<Power> {
    match &game.state {
        State::Over(Ending::Won(winners)) => winners.clone(),
        State::Over(Ending::Conceded(winner)) => vec![*winner],
        _ => Vec::new(),
    }
}

/// Appends a value as JSON. Writing to memory cannot fail, and every value has a JSON form.
fn json(out: &mut Vec<u8>, value: &Value) {
    let _ = serde_json::to_writer(out, value);
}
