//! Orders of movement phases.

use super::units::{ordered_unit, other_unit, party};
use super::{Fault, OrderEffects, name, said};
use crate::hidden;
use crate::order_words::{OrderWords, PlaceWords, Verb};
use crate::shared_province::{self, is_shared};
use dipjudge_game::project::Sight;
use dipjudge_game::{Effect, Submission};
use dipjudge_rules::map::{Coast, Location, Travel, UnitKind};
use dipjudge_rules::orders::{Action, Illegal, Passage, arrival, legal};
use dipjudge_rules::position::Unit;

/// What a line orders.
pub(super) fn read(
    sight: &Sight,
    words: &OrderWords,
    notes: &mut Vec<String>,
) -> Result<OrderEffects, Fault> {
    let Some(named) = &words.unit else {
        return said("No builds are due in this phase, so there is nothing to waive.");
    };
    let (unit, ended) = ordered_unit(sight, named, notes)?;
    let helped = match &words.verb {
        Verb::SupportHold { unit } | Verb::SupportMove { unit, .. } | Verb::Convoy { unit, .. } => {
            Some(unit).filter(|unit| is_shared(sight.map, unit.place.province))
        }
        _ => None,
    };
    let meant = match helped {
        Some(helped) => Some(shared_province::with_meant_only(sight, helped)?),
        None => None,
    };
    // Where the board is partly hidden, an order is checked against the map and the own unit alone.
    let units = match sight.horizon {
        None => Some(meant.as_deref().unwrap_or(&sight.position.units)),
        Some(_) => None,
    };
    let check = |action: Action| -> Result<OrderEffects, Fault> {
        legal(sight.map, &sight.overlay, &unit, &action, units)?;
        let mut aside: Vec<Effect> = ended.iter().map(|other| Effect::Withdraw(*other)).collect();
        if let Some(helped) = helped {
            let whose =
                Some(shared_province::meant(sight, helped)).filter(|whose| *whose != unit.power);
            aside.push(Effect::Submission(Submission::meaning(unit.id, whose)));
        }
        Ok(OrderEffects {
            effect: Effect::Order(unit.id, action),
            aside,
        })
    };
    match &words.verb {
        Verb::Hold => check(Action::Hold),
        Verb::Move { route, via } => go(sight, &unit, route, *via, notes).and_then(check),
        Verb::SupportHold { unit: other } => {
            other_unit(sight, other, notes)?;
            check(Action::SupportHold {
                at: other.place.province,
            })
        }
        Verb::SupportMove { unit: other, to } => {
            other_unit(sight, other, notes)?;
            let action = Action::SupportMove {
                from: other.place.province,
                to: to.province.into(),
            };
            if sight.horizon.is_some() {
                hidden::could_go(sight, &unit, other, to.province)?;
            }
            check(action)
        }
        Verb::Convoy { unit: other, to } => {
            other_unit(sight, other, notes)?;
            let walks = |kind: UnitKind| sight.map.travel(kind) == Travel::Land;
            if other.kind.is_some_and(|kind| !walks(kind)) {
                return said("Only armies can be convoyed.");
            }
            check(Action::Convoy {
                from: other.place.province,
                to: to.province,
            })
        }
        Verb::Proxy { to } if sight.proxy && *to == sight.power => {
            said("A unit cannot be lent to its own power.")
        }
        Verb::Proxy { to } if sight.proxy => Ok(Effect::Lend(unit.id, *to).into()),
        Verb::Proxy { .. } => said("This game does not allow proxy orders."),
        Verb::Disband => said("This game does not allow disband orders in movement phases."),
        Verb::Retreat { .. } => said(format!(
            "The {} was not dislodged, so it does not retreat. To move it, write A Par - Bur.",
            party(sight, &unit)
        )),
        Verb::Build | Verb::Remove | Verb::Maintain | Verb::Adjust | Verb::Waive(_) => said(
            "Builds and removals are for Winter. To send one ahead, put a line PHASE Winter 1901 before it.",
        ),
        Verb::HoldAll | Verb::Own(_) => said("This line is not an order of this variant."),
    }
}

fn go(
    sight: &Sight,
    unit: &Unit,
    route: &[PlaceWords],
    via: bool,
    notes: &mut Vec<String>,
) -> Result<Action, Fault> {
    let Some((last, seas)) = route.split_last() else {
        return said("A move needs a destination.");
    };
    let to = destination(sight, unit, last, notes)?;
    let by = if !seas.is_empty() {
        Passage::Route(seas.iter().map(|sea| sea.province).collect())
    } else if via {
        Passage::Convoy
    } else {
        Passage::Auto
    };
    Ok(Action::Move { to, by })
}

/// Where a unit goes, its coast settled: an army's is dropped; a fleet that has two within reach and named none gets
/// the first (`judge-workflow.md` 3.4).
fn destination(
    sight: &Sight,
    unit: &Unit,
    to: &PlaceWords,
    notes: &mut Vec<String>,
) -> Result<Location, Fault> {
    let wanted = Location {
        province: to.province,
        coast: to.coast,
    };
    if unit.kind == UnitKind::ARMY {
        if to.coast.is_some() {
            notes.push(format!(
                "Armies have no coast; yours moves to {}.",
                name(sight.map, to.province)
            ));
        }
        return Ok(Location::from(to.province));
    }
    match arrival(sight.map, &sight.overlay, unit, wanted) {
        Ok(location) => Ok(location),
        Err(Illegal::CoastNeeded(..)) if !sight.strict_coasts => {
            let within = sight.map.reach(sight.map.travel(unit.kind), unit.at).iter();
            let coasts: Vec<Location> = within
                .filter(|place| place.province == to.province)
                .copied()
                .collect();
            let first = [Coast::North, Coast::South, Coast::East, Coast::West]
                .into_iter()
                .find_map(|coast| coasts.iter().find(|place| place.coast == Some(coast)));
            let Some(first) = first else {
                return Err(Illegal::CannotReach(unit.into(), wanted).into());
            };
            notes.push(format!(
                "You did not name a coast, so I took {}. If you want the other one, send the order again with its coast.",
                sight.map.full_name(*first)
            ));
            Ok(*first)
        }
        // Not adjacent: the check of the whole order says what is wrong.
        Err(Illegal::CannotReach(..)) => Ok(wanted),
        Err(illegal) => Err(illegal.into()),
    }
}
