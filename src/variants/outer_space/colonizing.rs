//! COL: a unit that stands still and colonizes its own province or one that it could move to by itself.

use super::state::is_land;
use crate::data_of;
use dipjudge_game::project::Sight;
use dipjudge_game::{Refusal, refuse};
use dipjudge_rules::map::{Location, Province, UnitKind};
use dipjudge_rules::orders::{Action, Illegal, Overlay, VariantOrder, legal, within_reach};
use dipjudge_rules::position::Unit;

/// The order, or why it cannot be given.
pub(super) fn order(sight: &Sight, unit: &Unit, province: Province) -> Result<Action, Refusal> {
    let map = sight.map;
    let name = map.full_name(Location::from(province));
    if !is_land(map, province) {
        return refuse("Only land provinces are colonized.");
    }
    let near =
        province == unit.at.province || within_reach(map, &Overlay::default(), unit, province);
    if !near {
        let kind = map
            .kind(unit.kind)
            .map_or_else(|| unit.kind.to_string(), |info| info.name.to_lowercase());
        let party = format!("The {kind} in {}", map.full_name(unit.at));
        return refuse(if by_convoy(sight, unit, province) {
            format!(
                "{party} could move to {name} by convoy only; colonizing reaches neighbouring provinces."
            )
        } else {
            format!("{party} could not move to {name}, so it cannot colonize it.")
        });
    }
    Ok(Action::Special(VariantOrder(
        format!("COLONIZE {name}"),
        data_of(&province),
    )))
}

/// The province that an order would colonize.
pub(super) fn target(action: &Action) -> Option<Province> {
    match action {
        Action::Special(VariantOrder(_, data)) => data.stored(),
        _ => None,
    }
}

/// Whether some convoy, if only there were fleets, could carry the unit there.
fn by_convoy(sight: &Sight, unit: &Unit, to: Province) -> bool {
    let convoyed = Action::Move {
        to: to.into(),
        by: dipjudge_rules::orders::Passage::Convoy,
    };
    let possible: Result<(), Illegal> =
        legal(sight.map, &Overlay::default(), unit, &convoyed, None);
    unit.kind == UnitKind::ARMY && possible.is_ok()
}
