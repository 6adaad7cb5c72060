//! Beaming as movement: who reaches what, how much room there is, and whose armies need no order.

use std::collections::BTreeMap;

use super::state::{OuterSpaceState, OuterSpaceView, WRITTEN, is_aboard, is_land};
use super::{BERTHS, ORBIT, OVERBOOKED};
use dipjudge_game::project::Sight;
use dipjudge_game::{Access, Ask, Game, ORDERS, Phase, Requirements, Slots, SubmissionKind};
use dipjudge_rules::map::{Location, Power, UnitKind};
use dipjudge_rules::orders::{Action, OrderSheet, Overlay, VariantData};
use dipjudge_rules::position::{Unit, UnitId};

/// Armies aboard reach every land province that is not jammed for them; armies on land reach their spacecraft.
pub(super) fn overlay(game: &Game) -> Overlay {
    let mut overlay = Overlay::default();
    let map = game.map();
    let lands: Vec<Location> = map
        .provinces()
        .iter()
        .filter(|info| is_land(map, info.code))
        .map(|info| info.code.into())
        .collect();
    let state = OuterSpaceState::known(game);
    let mut open: BTreeMap<Power, Vec<Location>> = BTreeMap::new();
    let armies = game
        .position
        .units
        .iter()
        .filter(|unit| unit.kind == UnitKind::ARMY);
    for unit in armies {
        let places = if is_aboard(unit) {
            let open = open.entry(unit.power).or_insert_with(|| {
                let jammed = |place: &&Location| state.jams(unit.power, place.province);
                lands
                    .iter()
                    .filter(|place| !jammed(place))
                    .copied()
                    .collect()
            });
            open.clone()
        } else {
            vec![ORBIT.into()]
        };
        overlay.reach.insert(unit.id, places);
    }
    overlay
}

/// The variant's own orders, and in which order armies were told to beam up: like all orders.
pub(super) const OWN_ORDERS: SubmissionKind = SubmissionKind {
    name: "beaming",
    slots: Slots::Named(WRITTEN),
    lines: &["colonize", "beam-up"],
    ..ORDERS
};

/// Limits each spacecraft to three armies; where the game says so, those listed first get the room.
pub(super) fn amend_orders(game: &Game, sheet: &mut OrderSheet, access: &Access<'_>) {
    let berths = u32::try_from(BERTHS).unwrap_or(u32::MAX);
    for power in game.all_powers() {
        sheet.room.insert((ORBIT, power), berths);
    }
    if OVERBOOKED.is(game, "listed") {
        sheet.first_come = true;
        let written: Vec<UnitId> = game
            .all_powers()
            .flat_map(|power| written(game.submissions(power, access).get(WRITTEN).copied()))
            .collect();
        // What was not written to be taken aboard keeps its place before all that was.
        sheet.orders.sort_by_key(|order| {
            let place = written.iter().position(|unit| *unit == order.unit);
            place.map_or(0, |place| place + 1)
        });
    }
}

/// The armies that a power has ordered aboard, in the order in which it wrote that.
pub(super) fn written(submission: Option<&VariantData>) -> Vec<UnitId> {
    submission.map(VariantData::stored).unwrap_or_default()
}

/// Armies aboard need no order, but an empire without other units is waited for until it has sent something.
pub(super) fn amend_requirements(game: &Game, requirements: &mut Requirements) {
    if game.phase != Phase::Movement {
        return;
    }
    requirements.idle.extend(
        game.position
            .units
            .iter()
            .filter(|unit| is_aboard(unit))
            .map(|unit| unit.id),
    );
    let silent = |power: &Power| {
        let orders = &game.standing(*power).orders;
        let on_the_map = game
            .position
            .units
            .iter()
            .any(|unit| unit.power == *power && !is_aboard(unit));
        !on_the_map && orders.units.is_empty() && orders.lent.is_empty()
    };
    requirements.wanting.extend(
        requirements
            .due
            .iter()
            .filter(|(power, ask)| **ask == Ask::Move && silent(power))
            .map(|(power, _)| *power),
    );
}

/// A warning to a power whose orders may need more room than its spacecraft has.
pub(super) fn notes(sight: &Sight) -> Option<String> {
    if sight.phase != Phase::Movement {
        return None;
    }
    let own = |unit: &&Unit| unit.power == sight.power;
    let aboard = sight
        .position
        .units
        .iter()
        .filter(own)
        .filter(|unit| is_aboard(unit))
        .count();
    let (mut up, mut down) = (0, 0);
    for unit in sight.position.units.iter().filter(own) {
        if let Some(Action::Move { to, .. }) = sight.orders.units.get(&unit.id) {
            up += usize::from(to.province == ORBIT);
            down += usize::from(is_aboard(unit));
        }
    }
    let needed = (aboard + up).saturating_sub(BERTHS);
    if needed == 0 {
        return None;
    }
    let ordered = match up {
        1 => "one army is ordered to beam up".to_owned(),
        up => format!("{up} armies are ordered to beam up"),
    };
    let room = match BERTHS.saturating_sub(aboard) {
        0 => "no room".to_owned(),
        1 => "room for one army".to_owned(),
        free => format!("room for {free} armies"),
    };
    let otherwise = match (up, OuterSpaceView::seen(sight).listed) {
        (1, _) => "otherwise it stays where it is",
        (_, true) => {
            "otherwise as many as fit are taken aboard, in the order in which you wrote them"
        }
        (_, false) => "otherwise all of them stay where they are",
    };
    let most = match needed {
        1 => "one of your armies beams down successfully".to_owned(),
        needed => format!("{needed} of your armies beam down successfully"),
    };
    let so_far = match down {
        0 => "  None is ordered to beam down so far.",
        down if down < needed => "  Too few are ordered to beam down so far.",
        _ => "",
    };
    Some(format!(
        "Warning: {ordered}, and your spacecraft has {room} unless {most}; {otherwise}.{so_far}"
    ))
}
