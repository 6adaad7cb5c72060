//! Submits what was submitted for a phase again, as far as possible.

use std::collections::BTreeMap;

use super::LeftOut;
use crate::project::Sight;
use crate::{Effect, Event, GameEdit, Orders, Past, Phase, Submitted, Variant, VariantGame};
use dipjudge_rules::adjudicator::{self, Adjustment};
use dipjudge_rules::map::Power;
use dipjudge_rules::orders::{Action, legal, legal_retreat};
use dipjudge_rules::position::{Position, Unit};

/// Submits what was submitted for the phase in hand again, as far as possible.
pub(super) fn put_down(edit: &mut GameEdit, recorded: &Past, left_out: &mut Vec<LeftOut>) {
    for power in edit.game.all_powers() {
        let lasting = recorded.submissions.get(&power);
        put_lasting(edit, power, lasting.unwrap_or(&Submitted::default()));
    }
    for (power, orders) in &recorded.orders {
        put_orders(edit, *power, orders, recorded, left_out);
    }
}

/// Restores a power's lasting submissions.
fn put_lasting(edit: &mut GameEdit, power: Power, lasting: &Submitted) {
    let submitted = |name: &str, data| Event::Submitted {
        power,
        name: name.to_owned(),
        data,
        lasting: true,
    };
    let now = edit.game.standing(power).submissions.clone();
    for name in now.slots().filter(|name| lasting.get(name).is_none()) {
        edit.emit(submitted(name, None));
    }
    for name in lasting.slots() {
        let was = lasting.get(name);
        if was != now.get(name) {
            edit.emit(submitted(name, was.cloned()));
        }
    }
}

fn put_orders(
    edit: &mut GameEdit,
    power: Power,
    orders: &Orders,
    recorded: &Past,
    left_out: &mut Vec<LeftOut>,
) {
    let sight = edit.variant_game().sight_of(power);
    let missed = |unit: Option<Unit>| LeftOut {
        power,
        turn: recorded.turn,
        phase: recorded.phase.clone(),
        unit,
    };
    for (id, action) in &orders.units {
        let Some(unit) = recorded.position.unit(*id) else {
            continue;
        };
        let now = same_unit(&edit.game.position, unit);
        match now.filter(|now| can_be_told(&sight, edit.variant, now, action)) {
            Some(now) => edit.emit(Event::Ordered {
                power,
                unit: now.id,
                action: action.clone(),
                named: orders.named.get(id).copied(),
            }),
            None => left_out.push(missed(Some(*unit))),
        }
    }
    for (id, to) in &orders.lent {
        let unit = recorded.position.unit(*id);
        let now = unit.and_then(|unit| same_unit(&edit.game.position, unit));
        match (now, unit) {
            (Some(now), _) => edit.emit(Event::Lent {
                power,
                unit: now.id,
                to: Some(*to),
            }),
            (None, unit) => left_out.push(missed(unit.copied())),
        }
    }
    let kept = adjustments_that_stand(edit.variant_game(), &sight, &orders.winter);
    left_out.extend((kept.len()..orders.winter.len()).map(|_| missed(None)));
    if !kept.is_empty() {
        let orders = kept;
        edit.emit(Event::Adjusting { power, orders });
    }
    for name in orders.submissions.slots() {
        edit.emit(Event::Submitted {
            power,
            name: name.to_owned(),
            data: orders.submissions.get(name).cloned(),
            lasting: false,
        });
    }
}

/// The unit that corresponds to a former one: the same unit, or a similar one that is new there.
fn same_unit(position: &Position, unit: &Unit) -> Option<Unit> {
    if position.unit(unit.id) == Some(unit) {
        return Some(*unit);
    }
    let like =
        |other: &Unit| (other.power, other.kind, other.at) == (unit.power, unit.kind, unit.at);
    position
        .units_of(unit.power)
        .find(|other| like(other))
        .copied()
}

/// Whether a unit can be given its former order now.
fn can_be_told(sight: &Sight, variant: &dyn Variant, unit: &Unit, action: &Action) -> bool {
    let legal = match sight.phase {
        Phase::Retreats => {
            let mut away = sight.position.dislodged.iter();
            legal_retreat(unit, away.find(|one| one.unit.id == unit.id), action)
        }
        _ => {
            // Where the board is partly hidden, an order is checked against the map and the power's own unit only.
            let units = sight.position.units.as_slice();
            let units = sight.horizon.is_none().then_some(units);
            legal(sight.map, &sight.overlay, unit, action, units)
        }
    };
    let effect = Effect::Order(unit.id, action.clone());
    legal.is_ok() && variant.reconsider(effect, sight).is_ok()
}

/// The builds and removals that are still possible.
fn adjustments_that_stand(now: VariantGame<'_>, sight: &Sight, orders: &[Action]) -> Vec<Action> {
    if now.game.phase != Phase::Adjustments || orders.is_empty() {
        return Vec::new();
    }
    let allowances = now.allowances();
    let all = BTreeMap::from([(sight.power, orders.to_vec())]);
    let adjusted = adjudicator::adjustments(now.game.map(), &now.game.position, &allowances, &all);
    let refused: Vec<usize> = adjusted
        .adjustments
        .into_iter()
        .filter(|(power, _)| *power == sight.power)
        .filter_map(|(_, what)| match what {
            Adjustment::Refused(index, _) => Some(index),
            _ => None,
        })
        .collect();
    // The variant checks orders that only it understands.
    let stands = |index: usize, order: &Action| {
        matches!(order, Action::Special(_)) || !refused.contains(&index)
    };
    let kept = orders.iter().enumerate();
    let kept: Vec<Action> = kept
        .filter(|(index, order)| stands(*index, order))
        .map(|(_, order)| order.clone())
        .collect();
    match now.variant.reconsider(Effect::Adjust(kept.clone()), sight) {
        Ok(_) => kept,
        Err(_) => Vec::new(),
    }
}
