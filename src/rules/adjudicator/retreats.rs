//! A retreat phase.

use super::outcome::{Mark, Marks, Outcome, Reason, Resolution};
use crate::map::{Location, Map};
use crate::orders::{Action, Order, legal_retreat};
use crate::position::{Dislodged, Position};

/// Adjudicates a retreat phase: units that retreat to one place all disband, as does whoever has no legal order. There is
/// exactly one outcome for each dislodged unit, in the order of `position.dislodged`; the last order for a unit counts.
#[must_use]
pub fn retreats(map: &Map, position: &Position, orders: &[Order]) -> Resolution {
    let wanted: Vec<Result<Option<Location>, Reason>> = position
        .dislodged
        .iter()
        .map(|dislodged| wanted(dislodged, orders))
        .collect();
    let goes_to = |index: usize| {
        wanted
            .get(index)
            .and_then(|wanted| wanted.as_ref().ok())
            .copied()
            .flatten()
    };
    let outcomes = position
        .dislodged
        .iter()
        .enumerate()
        .map(|(index, dislodged)| {
            let mut outcome = Outcome {
                unit: dislodged.unit.id,
                marks: Marks::NONE,
                moved: None,
                reason: None,
                dislodged_by: None,
            };
            let Some(to) = goes_to(index) else {
                outcome.marks.add(Mark::Disband);
                if let Some(Err(reason)) = wanted.get(index) {
                    if matches!(reason, Reason::Illegal(_)) {
                        outcome.marks.add(Mark::Void);
                    }
                    outcome.reason = Some(reason.clone());
                }
                return outcome;
            };
            let shared = map.info(to.province).is_some_and(|info| info.shared);
            let meets = (0..wanted.len())
                .filter(|&other| other != index && !shared)
                .find(|&other| goes_to(other).is_some_and(|other| other.province == to.province));
            match meets.and_then(|other| position.dislodged.get(other)) {
                None => outcome.moved = Some(to),
                Some(other) => {
                    outcome.marks.add(Mark::Bounce);
                    outcome.marks.add(Mark::Disband);
                    outcome.reason = Some(Reason::RetreatsMet {
                        with: (&other.unit).into(),
                    });
                }
            }
            outcome
        });
    let outcomes = outcomes.collect();
    Resolution {
        outcomes,
        ..Resolution::default()
    }
}

/// Where the unit wants to go; nothing if it disbands.
fn wanted(dislodged: &Dislodged, orders: &[Order]) -> Result<Option<Location>, Reason> {
    let unit = &dislodged.unit;
    let Some(order) = orders.iter().rev().find(|order| order.unit == unit.id) else {
        return Err(Reason::NoRetreat);
    };
    legal_retreat(unit, Some(dislodged), &order.action).map_err(Reason::Illegal)?;
    let Action::Retreat { to } = &order.action else {
        return Ok(None);
    };
    let fits = |option: &&Location| {
        option.province == to.province
            && (to.coast.is_none() || option.coast.is_none() || option.coast == to.coast)
    };
    Ok(dislodged.options.iter().find(fits).copied())
}
