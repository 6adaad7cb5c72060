//! Orders for a phase to come, held against the map alone: where units will stand then nobody knows.

use super::{Fault, movement, name};
use crate::order_words::{OrderWords, Verb};
use crate::shared_province::is_shared;
use dipjudge_game::project::Sight;
use dipjudge_rules::map::{Coast, Location, Province, UnitKind};
use dipjudge_rules::orders::Overlay;
use dipjudge_rules::position::{Position, Unit, UnitId};
use std::collections::BTreeSet;
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
    let is_plain = sight.overlay == Overlay::default() && named.number.is_none();
    if !is_plain || is_shared(sight.map, province) {
        return Ok(());
    }
    let kinds = match named.kind {
        Some(kind) => vec![kind],
        None => vec![UnitKind::ARMY, UnitKind::FLEET],
    };
    let mut refused = None;
    let mut supposed = sight.clone();
    supposed.horizon = Some(BTreeSet::new());
    for kind in kinds {
        for at in places(sight, kind, province, named.place.coast) {
            supposed.position = Arc::new(Position {
                units: vec![Unit {
                    id: UnitId(u32::MAX),
                    power: sight.power,
                    kind,
                    at,
                }],
                dislodged: Vec::new(),
                owners: sight.position.owners.clone(),
            });
            match movement::read(&supposed, words, &mut Vec::new()) {
                Ok(_) => return Ok(()),
                Err(Fault::Said(why)) => refused.get_or_insert(why),
                Err(Fault::Illegal(illegal)) => {
                    refused.get_or_insert(illegal.sentence(sight.map, &sight.powers))
                }
            };
        }
    }
    Err(refused
        .unwrap_or_else(|| format!("No such unit can stand in {}.", name(sight.map, province))))
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
