//! Why orders are illegal.

use dipjudge_rules::adjudicator::plain::{PlainMovement, PlainUnit};
use dipjudge_rules::calendar::PhaseKind;
use dipjudge_rules::map::{Power, Travel, UnitKind};
use dipjudge_rules::orders::{Overlay, legal};
use dipjudge_rules::position::{Unit, UnitId};

use super::read::{PlainLine, RefusedOrder};
use super::tokens::Tokens;
use crate::by_engine::{self, RefusedText};
use crate::order_text::package_syntax;

/// An order that is refused, with a sentence that says why.
pub(super) struct Refusal<'a> {
    pub(super) power: u8,
    pub(super) text: &'a [u8],
    pub(super) sentence: String,
}

/// The refusals as they are listed; `None` if one of these orders is not refused elsewhere. `text` is the line.
pub(super) fn refusals<'a>(
    tokens: &Tokens,
    text: &[u8],
    line: &PlainLine<'a>,
    movement: &PlainMovement<'_>,
) -> Option<Vec<Refusal<'a>>> {
    if line.refused.is_empty() {
        Some(Vec::new())
    } else if line.is_for_engine {
        engines(tokens, text, line, movement)
    } else {
        by_rules(tokens, line, movement)
    }
}

/// Those of the engine, in the order of the orders.
fn engines<'a>(
    tokens: &Tokens,
    text: &[u8],
    line: &PlainLine<'a>,
    movement: &PlainMovement<'_>,
) -> Option<Vec<Refusal<'a>>> {
    let refused_text = |order: &RefusedOrder<'a>| {
        let power = movement.unit(order.unit).power;
        Some(RefusedText {
            power: str::from_utf8(tokens.powers.get(usize::from(power))?.key).ok()?,
            text: str::from_utf8(order.text).ok()?,
        })
    };
    let refused: Vec<RefusedText<'_>> = line
        .refused
        .iter()
        .map(refused_text)
        .collect::<Option<_>>()?;
    let sentences = by_engine::refusals(text, &refused)?;
    let refusal = |(order, sentence): (&RefusedOrder<'a>, String)| Refusal {
        power: movement.unit(order.unit).power,
        text: order.text,
        sentence,
    };
    Some(line.refused.iter().zip(sentences).map(refusal).collect())
}

/// Those of the general rules, in the order of the units.
fn by_rules<'a>(
    tokens: &Tokens,
    line: &PlainLine<'a>,
    movement: &PlainMovement<'_>,
) -> Option<Vec<Refusal<'a>>> {
    let mut refused = line.refused.clone();
    refused.sort_unstable_by_key(|order| order.unit);
    let map = tokens.map;
    let units: Vec<Unit> = (0..)
        .zip(movement.units())
        .map(|(id, unit)| on_map(tokens, UnitId(id), unit))
        .collect();
    let refusal = |order: &RefusedOrder<'a>| {
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
    refused.iter().map(refusal).collect()
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
