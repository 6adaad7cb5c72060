//! Orders for a phase to come, held against the map alone: where units will stand then nobody knows.

use super::{Fault, movement, name};
use crate::order_words::{OrderWords, PlaceWords, UnitWords, Verb};
use crate::shared_province::is_shared;
use dipjudge_game::project::Sight;
use dipjudge_game::{Effect, Orders, Phase};
use dipjudge_rules::map::{Coast, Location, Province, UnitKind};
use dipjudge_rules::position::{Position, Unit, UnitId};
use dipjudge_rules::sorted_map::SortedMap;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Checks whether a movement order can be given to such a unit of the sender, wherever all others stand.
///
/// Where something is laid over the map this turn, what can be reached later is not known, so nothing is refused.
///
/// # Errors
/// Why it cannot be given, in a sentence.
pub fn could_be_given(sight: &Sight, words: &OrderWords) -> Result<(), String> {
    let moves = matches!(
        words.verb,
        Verb::Move { .. }
            | Verb::SupportHold { .. }
            | Verb::SupportMove { .. }
            | Verb::Convoy { .. }
    );
    let Some(named) = words.unit.as_ref().filter(|_| moves) else {
        return Ok(());
    };
    let province = named.place.province;
    let is_plain = sight.overlay.is_empty() && named.number.is_none();
    if !is_plain || is_shared(sight.map, province) {
        return Ok(());
    }
    let mut refused = None;
    for (kind, at) in standings(sight, named) {
        let supposed = supposing(sight, vec![own(sight, UnitId(u32::MAX), kind, at)]);
        match movement::read(&supposed, words, &mut Vec::new()) {
            Ok(_) => return Ok(()),
            Err(Fault::Said(why)) => refused.get_or_insert(why),
            Err(Fault::Illegal(illegal)) => {
                refused.get_or_insert(illegal.sentence(sight.map, &sight.powers))
            }
        };
    }
    Err(refused
        .unwrap_or_else(|| format!("No such unit can stand in {}.", name(sight.map, province))))
}

/// The board as the sender's movement orders for a phase to come suppose it: the units that they name and no others, with these
/// orders. Of several orders for one province the last counts, as it will then.
///
/// `None` where it cannot be said what they suppose: something is laid over the map this turn, or several units can stand in one
/// province.
pub fn as_supposed(sight: &Sight, orders: &[OrderWords]) -> Option<Sight> {
    if !sight.overlay.is_empty() {
        return None;
    }
    let mut last: BTreeMap<Province, &OrderWords> = BTreeMap::new();
    for words in orders {
        let province = words.unit.as_ref().map(|unit| unit.place.province);
        if let Some(province) = province {
            if is_shared(sight.map, province) {
                return None;
            }
            last.insert(province, words);
        }
    }
    let mut units = Vec::new();
    let mut given = SortedMap::new();
    for (id, words) in (0..).map(UnitId).zip(last.into_values()) {
        let Some(named) = &words.unit else { continue };
        let ordered = standings(sight, named).into_iter().find_map(|(kind, at)| {
            let unit = own(sight, id, kind, at);
            let supposed = supposing(sight, vec![unit]);
            match movement::read(&supposed, words, &mut Vec::new())
                .ok()?
                .effect
            {
                Effect::Order(_, action) => Some((unit, action)),
                _ => None,
            }
        });
        if let Some((unit, action)) = ordered {
            given.insert(unit.id, action);
            units.push(unit);
        }
    }
    let mut supposed = supposing(sight, units);
    supposed.phase = Phase::Movement;
    supposed.orders = Orders {
        units: given,
        ..Orders::default()
    };
    Some(supposed)
}

/// A unit of the sender.
fn own(sight: &Sight, id: UnitId, kind: UnitKind, at: Location) -> Unit {
    Unit {
        id,
        power: sight.power,
        kind,
        at,
    }
}

/// What the sender sees, with these units on the board, and wherever all others stand.
fn supposing(sight: &Sight, units: Vec<Unit>) -> Sight {
    let mut supposed = sight.clone();
    supposed.horizon = Some(BTreeSet::new());
    supposed.position = Arc::new(Position {
        units,
        dislodged: Vec::new(),
        owners: sight.position.owners.clone(),
    });
    supposed
}

/// As what and where a unit can stand that is named so.
fn standings(sight: &Sight, named: &UnitWords) -> Vec<(UnitKind, Location)> {
    let kinds = match named.kind {
        Some(kind) => vec![kind],
        None => vec![UnitKind::ARMY, UnitKind::FLEET],
    };
    let PlaceWords {
        province, coast, ..
    } = named.place;
    let of_kind = |kind: UnitKind| {
        let at = places(sight, kind, province, coast).into_iter();
        at.map(move |at| (kind, at))
    };
    kinds.into_iter().flat_map(of_kind).collect()
}

/// Where in a province a unit of a kind can stand; on the coast that is named, if one is.
fn places(
    sight: &Sight,
    kind: UnitKind,
    province: Province,
    coast: Option<Coast>,
) -> Vec<Location> {
    let stations = sight.map.stations(sight.map.travel(kind), province);
    let on_coast = |at: &Location| coast.is_none() || at.coast.is_none() || at.coast == coast;
    stations.into_iter().filter(on_coast).collect()
}
