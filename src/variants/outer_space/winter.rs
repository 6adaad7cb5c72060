//! Winter: builds where an empire owns a vacant colony of its own, and which units go if nobody says.

use std::cmp::Reverse;

use super::place_names;
use super::state::{OuterSpaceState, OuterSpaceView, is_aboard};
use dipjudge_game::Game;
use dipjudge_game::project::Sight;
use dipjudge_rules::adjudicator::Allowances;
use dipjudge_rules::map::{Map, Power, Province, UnitKind};
use dipjudge_rules::position::{Position, UnitId};
use dipjudge_view::and_list;

/// Sites are vacant centers that are owned and colonized; nothing is built in orbit.
pub(super) fn amend_allowances(game: &Game, allowances: &mut Allowances) {
    let state = OuterSpaceState::known(game);
    for (power, allowance) in &mut allowances.powers {
        allowance.sites = game
            .position
            .centers_of(*power)
            .filter(|center| state.colonies.get(center) == Some(power))
            .filter(|center| game.position.standing(*center).is_none())
            .collect();
        if allowance.change < 0 {
            allowance.removal_order = Some(forfeit(game.map(), &game.position, *power));
        }
    }
}

/// The units of a power in the order in which they are lost: those aboard, then by falling distance from the nearest
/// owned center, fleets before armies, by the codes of their provinces.
fn forfeit(map: &Map, position: &Position, power: Power) -> Vec<UnitId> {
    let distance = map.distances(position.centers_of(power));
    let mut units: Vec<_> = position.units_of(power).collect();
    units.sort_by_key(|unit| {
        let far = distance.to(unit.at.province).unwrap_or(u32::MAX);
        (
            !is_aboard(unit),
            Reverse(far),
            unit.kind != UnitKind::FLEET,
            unit.at.province,
            unit.id,
        )
    });
    units.iter().map(|unit| unit.id).collect()
}

/// Why nothing can be built in a province, and where something can.
pub(super) fn no_site(sight: &Sight, at: Province) -> String {
    let name = place_names::in_sentence(sight.map, at);
    let state = OuterSpaceView::seen(sight).state;
    let mut missing = Vec::new();
    let center = sight.map.info(at).is_some_and(|info| info.center);
    if !center {
        missing.push("it is no supply center");
    }
    if center && sight.position.owners.get(&at) != Some(&sight.power) {
        missing.push("you do not own it");
    }
    if center && state.colonies.get(&at) != Some(&sight.power) {
        missing.push("it is not your colony");
    }
    if center && sight.position.standing(at).is_some() {
        missing.push("it is not vacant");
    }
    if missing.is_empty() {
        missing.push("it is no place to build in");
    }
    let why = and_list(missing);
    let sites = if sight.sites.is_empty() {
        "You can build nowhere.".to_owned()
    } else {
        format!(
            "You can build in {}.",
            place_names::names(sight.map, sight.sites.iter().copied())
        )
    };
    format!("Nothing can be built in {name}: {why}.  {sites}")
}

/// Why a power that owns more centers than it has units builds nothing.
pub(super) fn no_builds(sight: &Sight) -> Option<String> {
    let centers = sight.position.centers_of(sight.power).count();
    let units = sight.position.units_of(sight.power).count();
    (centers > units && sight.sites.is_empty()).then(|| {
        "You have builds but nowhere to build: you need a vacant center that you own and have colonized.".to_owned()
    })
}
