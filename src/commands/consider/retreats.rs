//! Orders of retreat phases.

use super::units::{meant, ordered_unit, own_unit};
use super::{Fault, said};
use crate::hidden;
use crate::order_words::{OrderWords, PlaceWords, Verb};
use crate::shared_province::is_shared;
use dipjudge_game::Effect;
use dipjudge_game::project::Sight;
use dipjudge_rules::map::Location;
use dipjudge_rules::orders::{Action, Illegal, legal_retreat};
use dipjudge_rules::position::Dislodged;

/// What a line orders.
pub(super) fn read(
    sight: &Sight,
    words: &OrderWords,
    notes: &mut Vec<String>,
) -> Result<Effect, Fault> {
    let Some(named) = &words.unit else {
        return said("This is a retreat phase; builds come in Winter.");
    };
    let province = named.place.province;
    if is_shared(sight.map, province) {
        let (unit, _) = ordered_unit(sight, named, notes)?;
        return Err(Illegal::NotDislodged((&unit).into()).into());
    }
    let seen = |one: &&Dislodged| sight.horizon.is_none() || hidden::own(sight, &one.unit);
    let must_retreat = sight.position.dislodged.iter().filter(seen);
    let found = meant(sight, must_retreat.map(|one| &one.unit), named)
        .or_else(|| meant(sight, sight.position.units.iter(), named));
    let mut dislodged = sight.position.dislodged.iter();
    let dislodged = dislodged.find(|one| found.is_some_and(|unit| unit.id == one.unit.id));
    let unit = own_unit(sight, named, found, notes)?;
    let action = match &words.verb {
        Verb::Retreat { to } => retreat_to(dislodged, to),
        Verb::Move { route, .. } => match route.as_slice() {
            [to] => retreat_to(dislodged, to),
            _ => return said("Units retreat one province, never by convoy."),
        },
        Verb::Disband | Verb::Remove => Action::Disband,
        _ => return said("A dislodged unit can only retreat (A Bur - Gas) or disband (A Bur D)."),
    };
    match legal_retreat(&unit, dislodged, &action) {
        Err(Illegal::CannotRetreat(..)) if sight.horizon.is_some() => {
            return said(hidden::open_to(sight, &unit, dislodged));
        }
        done => done?,
    }
    Ok(Effect::Order(unit.id, action))
}

/// The retreat with the coast that the list of retreats has, where only one fits.
fn retreat_to(dislodged: Option<&Dislodged>, to: &PlaceWords) -> Action {
    let options = dislodged.map_or(&[][..], |dislodged| dislodged.options.as_slice());
    let fitting: Vec<&Location> = options
        .iter()
        .filter(|option| {
            option.province == to.province
                && (to.coast.is_none() || option.coast.is_none() || option.coast == to.coast)
        })
        .collect();
    match fitting.as_slice() {
        [only] => Action::Retreat { to: **only },
        _ => Action::Retreat {
            to: Location {
                province: to.province,
                coast: to.coast,
            },
        },
    }
}
