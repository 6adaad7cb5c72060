//! Why orders are illegal.

use dipjudge_rules::adjudicator::plain::{PlainMovement, PlainUnit};
use dipjudge_rules::calendar::PhaseKind;
use dipjudge_rules::map::{Power, Travel, UnitKind};
use dipjudge_rules::orders::{Overlay, legal};
use dipjudge_rules::position::{Unit, UnitId};

use super::read::PlainLine;
use super::tokens::Tokens;
use crate::order_text::package_syntax;

/// An order that is refused, with a sentence that says why.
pub(super) struct Refusal<'a> {
    pub(super) power: u8,
    pub(super) text: &'a [u8],
    pub(super) sentence: String,
}

/// The refusals in the order of the units; `None` if the general rules do not refuse one of these orders.
pub(super) fn refusals<'a>(
    tokens: &Tokens,
    line: &PlainLine<'a>,
    movement: &PlainMovement<'_>,
) -> Option<Vec<Refusal<'a>>> {
    let mut refused: Vec<_> = line.refused.iter().collect();
    if refused.is_empty() {
        return Some(Vec::new());
    }
    refused.sort_unstable_by_key(|order| order.unit);
    let map = tokens.map;
    let units: Vec<Unit> = (0..)
        .zip(movement.units())
        .map(|(id, unit)| on_map(tokens, UnitId(id), unit))
        .collect();
    let refusal = |order: &super::read::RefusedOrder<'a>| {
        let text = std::str::from_utf8(order.text).ok()?;
        let spoken = package_syntax(text, PhaseKind::Movement, map)?;
        let unit = units.get(usize::from(order.unit))?;
        let overlay = Overlay::default();
        let illegal = legal(map, &overlay, unit, &spoken.action, Some(&units)).err()?;
        Some(Refusal {
            power: unit.power.0,
            text: order.text,
            sentence: illegal.sentence(map, map.powers()),
        })
    };
    refused.into_iter().map(refusal).collect()
}

fn on_map(tokens: &Tokens, id: UnitId, unit: &PlainUnit) -> Unit {
    let kind = match unit.travel {
        Travel::Sea => UnitKind::FLEET,
        _ => UnitKind::ARMY,
    };
    Unit {
        id,
        power: Power(unit.power),
        kind,
        at: tokens.stations.places()[usize::from(unit.station)],
    }
}
