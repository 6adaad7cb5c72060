//! A second check of a power's orders, after the whole mail has been read: orders that do not match any other order of
//! the same power. The results are notes, not errors (`judge-workflow.md` 3.5, 3.9).

use std::collections::BTreeMap;

use dipjudge_game::Phase;
use dipjudge_game::project::Sight;
use dipjudge_rules::map::{Location, Province};
use dipjudge_rules::orders::{Action, Passage, arrival, fights, is_joined};
use dipjudge_rules::position::Unit;

/// Notes about the power's current movement orders.
pub(crate) fn notes(sight: &Sight) -> Vec<String> {
    if sight.phase != Phase::Movement {
        return Vec::new();
    }
    let own: Vec<(&Unit, &Action)> = sight
        .position
        .units
        .iter()
        .filter(|unit| unit.power == sight.power)
        .filter_map(|unit| {
            sight
                .orders
                .units
                .get(&unit.id)
                .map(|action| (unit, action))
        })
        .collect();
    let mut notes: Vec<String> = own
        .iter()
        .filter_map(|(unit, action)| without_convoy(sight, &own, unit, action))
        .collect();
    notes.extend(
        own.iter()
            .filter_map(|(unit, action)| unmatched(sight, &own, unit, action)),
    );
    notes.extend(
        own.iter()
            .filter_map(|(_, action)| own_target(sight, &own, action)),
    );
    notes.extend(to_one_place(sight, &own));
    notes
}

fn name(sight: &Sight, province: Province) -> String {
    sight.map.full_name(Location::from(province))
}

pub(crate) fn party(sight: &Sight, unit: &Unit) -> String {
    let kind = sight
        .map
        .kind(unit.kind)
        .map_or_else(|| unit.kind.to_string(), |info| info.name.clone());
    format!("{kind} {}", sight.map.full_name(unit.at))
}

fn is_shared(sight: &Sight, province: Province) -> bool {
    sight.map.info(province).is_some_and(|info| info.shared)
}

/// A move by sea that no fleet of the same power convoys.
fn without_convoy(
    sight: &Sight,
    own: &[(&Unit, &Action)],
    unit: &Unit,
    action: &Action,
) -> Option<String> {
    let Action::Move { to, by } = action else {
        return None;
    };
    let by_land = arrival(sight.map, &sight.overlay, unit, *to).is_ok();
    let convoyed = own.iter().any(|(_, other)| {
        **other
            == Action::Convoy {
                from: unit.at.province,
                to: to.province,
            }
    });
    match (by_land && *by == Passage::Auto, convoyed) {
        (false, false) => Some(format!(
            "{} has no convoy to {} from your own fleets. It will move only if someone else convoys it.",
            party(sight, unit),
            name(sight, to.province)
        )),
        (false, true) if !joins(sight, own, unit.at.province, to.province) => Some(format!(
            "Your own fleets do not join the whole way of {} to {}. It will move only if someone else's close the gap.",
            party(sight, unit),
            name(sight, to.province)
        )),
        (true, true) => Some(format!(
            "{} will go by sea, because your own fleet convoys it.",
            party(sight, unit)
        )),
        _ => None,
    }
}

/// Whether own fleets that are ordered to convoy make a whole way between two provinces.
fn joins(sight: &Sight, own: &[(&Unit, &Action)], from: Province, to: Province) -> bool {
    let convoys = |action: &Action| *action == Action::Convoy { from, to };
    let fleets = own.iter().filter(|(_, action)| convoys(action));
    let seas = fleets.filter_map(|(fleet, _)| sight.map.number(fleet.at.province));
    is_joined(sight.map, &sight.overlay, from, to, seas.collect())
}

/// A support or convoy of an own unit whose order differs.
fn unmatched(
    sight: &Sight,
    own: &[(&Unit, &Action)],
    unit: &Unit,
    action: &Action,
) -> Option<String> {
    let (from, to) = match action {
        Action::SupportHold { at } => (*at, None),
        Action::SupportMove { from, to } => (*from, Some(to.province)),
        Action::Convoy { from, to } => (*from, Some(*to)),
        _ => return None,
    };
    let mut others = own
        .iter()
        .filter(|(other, _)| other.at.province == from)
        .map(|(_, other)| match other {
            Action::Move { to, .. } => Some(to.province),
            _ => None,
        })
        .peekable();
    others.peek()?;
    // In a shared province the order may mean any unit; there is no note about another power's.
    let foreign = is_shared(sight, from) && sight.orders.meant(unit.id).is_some();
    (!foreign && !others.any(|goes| goes == to)).then(|| {
        format!(
            "Check this: {} supports or convoys something your unit in {} is not ordered to do.",
            party(sight, unit),
            name(sight, from)
        )
    })
}

/// A support of an attack on an own unit that is not ordered to leave: it counts for nothing.
fn own_target(sight: &Sight, own: &[(&Unit, &Action)], action: &Action) -> Option<String> {
    let Action::SupportMove { to, .. } = action else {
        return None;
    };
    let leaves = |unit: &Unit| {
        own.iter().any(|(other, action)| {
            let goes =
                matches!(action, Action::Move { to: goal, .. } if goal.province != to.province);
            other.id == unit.id && goes
        })
    };
    let mut units = sight.position.units.iter();
    let stays = units.any(|unit| {
        unit.power == sight.power
            && unit.at.province == to.province
            && fights(sight.map, unit.kind)
            && !leaves(unit)
    });
    stays.then(|| {
        format!(
            "You have a unit in {} yourself. Unless it leaves, the attack fails: support never dislodges your own unit.",
            name(sight, to.province)
        )
    })
}

/// Own units with orders to the same province.
fn to_one_place(sight: &Sight, own: &[(&Unit, &Action)]) -> Vec<String> {
    let mut going: BTreeMap<Province, usize> = BTreeMap::new();
    for (_, action) in own {
        if let Action::Move { to, .. } = action {
            // In a shared province only room counts, and the variant gives notes about that.
            if !is_shared(sight, to.province) {
                *going.entry(to.province).or_default() += 1;
            }
        }
    }
    going
        .into_iter()
        .filter(|(_, count)| *count > 1)
        .map(|(province, count)| {
            format!(
                "{count} of your units move to {}: they will bounce unless one has more support.",
                name(sight, province)
            )
        })
        .collect()
}
