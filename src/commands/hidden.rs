//! What is said of an order where the board is partly hidden (CivDip 7): it is checked against the map and the sender's own
//! units; what is in sight is noted; what is out of sight is neither checked nor commented, whether it is there or not.

use std::collections::BTreeSet;

use super::consider::{Fault, name, party, said};
use crate::order_words::UnitWords;
use dipjudge_game::project::Sight;
use dipjudge_rules::map::{Map, Province, Travel, UnitKind};
use dipjudge_rules::orders::{is_joined, within_reach};
use dipjudge_rules::position::{Dislodged, Unit, UnitId};

/// Whether a unit is the sender's to order.
pub(super) fn own(sight: &Sight, unit: &Unit) -> bool {
    unit.power == sight.power || sight.borrowed.contains(&unit.id)
}

/// One text for a province that is empty, unseen, or holds another's unit.
pub(super) fn no_unit(sight: &Sight, province: Province) -> String {
    format!("You have no unit in {}.", name(sight.map, province))
}

/// What the sender sees where the unit shall be that he helps. A note: the order stands.
pub(super) fn note(
    sight: &Sight,
    horizon: &BTreeSet<Province>,
    named: &UnitWords,
) -> Option<String> {
    let province = named.place.province;
    let place = name(sight.map, province);
    let Some(unit) = sight.position.standing(province) else {
        return horizon
            .contains(&province)
            .then(|| format!("You see no unit in {place}."));
    };
    let kind = named.kind.is_none_or(|kind| kind == unit.kind);
    let nation = named.nation.is_none_or(|nation| nation == unit.power);
    if kind && nation {
        return None;
    }
    let foreign = sight
        .powers
        .get(usize::from(unit.power.0))
        .map(|info| format!("{} ", info.adjective))
        .unwrap_or_default();
    let adjective = if nation { "" } else { &foreign };
    let seen = format!("{adjective}{}", kind_name(sight.map, unit.kind));
    let vowel = seen.to_lowercase().starts_with(['a', 'e', 'i', 'o', 'u']);
    let article = if vowel { "an" } else { "a" };
    Some(format!("You see {article} {seen} in {place}."))
}

/// Whether some unit of the kind that is named (any, if none is) could make a supported move on the map; the supporter's
/// own sea carries nobody (DATC 6.D.31).
pub(super) fn could_go(
    sight: &Sight,
    supporter: &Unit,
    named: &UnitWords,
    to: Province,
) -> Result<(), Fault> {
    let map = sight.map;
    let from = named.place.province;
    let mut seas = map.seas();
    for province in [supporter.at.province, to] {
        if let Some(number) = map.number(province) {
            seas.remove(number);
        }
    }
    let goes = |kind: UnitKind| {
        let travel = map.travel(kind);
        let near = map.stations(travel, from).into_iter().any(|at| {
            let unit = Unit {
                id: UnitId(u32::MAX),
                power: supporter.power,
                kind,
                at,
            };
            within_reach(map, &sight.overlay, &unit, to)
        });
        let by_sea = || {
            let lands = map.can_stand(Travel::Land, to.into());
            let stands = !map.stations(travel, from).is_empty();
            travel != Travel::Sea
                && stands
                && lands
                && is_joined(map, &sight.overlay, from, to, seas)
        };
        from != to && (near || by_sea())
    };
    let possible = match named.kind {
        Some(kind) => goes(kind),
        None => [UnitKind::ARMY, UnitKind::FLEET].into_iter().any(goes),
    };
    if possible {
        return Ok(());
    }
    let who = named
        .kind
        .map_or_else(|| "unit".to_owned(), |kind| kind_name(map, kind));
    let article = if who.starts_with(['a', 'e', 'i', 'o']) {
        "An"
    } else {
        "A"
    };
    said(format!(
        "{article} {who} cannot go from {} to {}.",
        name(map, from),
        name(map, to)
    ))
}

/// The retreats that were told, for one that is not among them.
pub(super) fn open_to(sight: &Sight, unit: &Unit, dislodged: Option<&Dislodged>) -> String {
    let places: Vec<String> = dislodged
        .map_or(&[][..], |dislodged| dislodged.options.as_slice())
        .iter()
        .map(|place| sight.map.full_name(*place))
        .collect();
    format!("Open to the {}: {}.", party(sight, unit), places.join(", "))
}

fn kind_name(map: &Map, kind: UnitKind) -> String {
    map.kind(kind)
        .map_or_else(|| kind.to_string(), |info| info.name.to_lowercase())
}
