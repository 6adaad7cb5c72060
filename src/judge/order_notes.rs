//! What a power's orders, taken together, leave its leader to be told (`judge-workflow.md` 3.9, last row). None of it is an
//! error. It is looked at once all lines of a mail are read, since the order that fits may stand in a later line.

use std::collections::BTreeMap;

use crate::game::Phase;
use crate::game::project::Sight;
use crate::map::{Location, Province, UnitKind};
use crate::orders::{Action, Passage, arrival};
use crate::position::Unit;

/// Sentences on the standing orders of whoever has this sight.
pub(super) fn notes(sight: &Sight) -> Vec<String> {
    if sight.phase != Phase::Movement {
        return Vec::new();
    }
    let mut notes: Vec<String> = ordered(sight)
        .filter_map(|(unit, action)| note(sight, unit, action))
        .collect();
    let mut bound: BTreeMap<Province, usize> = BTreeMap::new();
    for (_, action) in ordered(sight) {
        if let Action::Move { to, .. } = action {
            *bound.entry(to.province).or_default() += 1;
        }
    }
    let crowded = bound.into_iter().filter(|(_, count)| *count > 1);
    notes.extend(crowded.map(|(province, _)| {
        let name = name(sight, province);
        format!("More than one of your units is ordered to {name}; they bounce unless one has more support.")
    }));
    notes
}

fn ordered(sight: &Sight) -> impl Iterator<Item = (&Unit, &Action)> {
    let action = |unit: &'_ Unit| sight.orders.units.get(&unit.id);
    sight
        .position
        .units
        .iter()
        .filter_map(move |unit| Some((unit, action(unit)?)))
}

fn note(sight: &Sight, unit: &Unit, action: &Action) -> Option<String> {
    let who = || {
        let kind = sight
            .map
            .kind(unit.kind)
            .map_or_else(|| unit.kind.to_string(), |info| info.name.to_lowercase());
        format!("{kind} in {}", sight.map.full_name(unit.at))
    };
    match action {
        Action::Move { to, by } if unit.kind == UnitKind::ARMY => {
            let by_land =
                *by == Passage::Auto && arrival(sight.map, &sight.overlay, unit, *to).is_ok();
            let convoy = Action::Convoy {
                from: unit.at.province,
                to: to.province,
            };
            match (by_land, ordered(sight).any(|(_, action)| *action == convoy)) {
                (false, false) => Some(format!(
                    "No convoy of yours is ordered from {} to {}; the move needs one.",
                    name(sight, unit.at.province),
                    name(sight, to.province)
                )),
                (true, true) => Some(format!(
                    "The {} goes by sea, since your own fleet is ordered to convoy it.",
                    who()
                )),
                _ => None,
            }
        }
        Action::SupportMove { from, to } => match own_order(sight, *from)? {
            Action::Move { to: goal, .. } if goal.province == to.province => None,
            _ => Some(format!(
                "The {} supports a move from {} to {}, but your unit there is ordered otherwise.",
                who(),
                name(sight, *from),
                name(sight, to.province)
            )),
        },
        Action::SupportHold { at } => {
            matches!(own_order(sight, *at)?, Action::Move { .. }).then(|| {
                format!(
                    "The {} supports your unit in {} to stay, but that is ordered to move.",
                    who(),
                    name(sight, *at)
                )
            })
        }
        _ => None,
    }
}

/// What one's own unit in a province is told, if anything.
fn own_order(sight: &Sight, province: Province) -> Option<&Action> {
    let unit = sight
        .position
        .standing(province)
        .filter(|unit| unit.power == sight.power)?;
    sight.orders.units.get(&unit.id)
}

fn name(sight: &Sight, province: Province) -> String {
    sight.map.full_name(Location::from(province))
}
