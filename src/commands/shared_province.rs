//! Orders for and about units of a shared province: they have no names of their own, so an order means any of them.

use dipjudge_game::Effect;
use dipjudge_game::project::Sight;
use dipjudge_rules::map::{Map, Power, Province, UnitKind};
use dipjudge_rules::orders::{Action, Illegal};
use dipjudge_rules::position::{Unit, UnitId};

use super::order_words::{OrderWords, UnitWords, Verb};

/// Whether many units may stand in the province.
pub(super) fn is_shared(map: &Map, province: Province) -> bool {
    map.info(province).is_some_and(|info| info.shared)
}

/// Why no unit of a shared province can be given an order.
pub(super) enum NoUnitLeft {
    /// The sender has none of that sort there.
    NoneThere(Illegal),
    /// So many there are, and earlier lines of the mail order all of them.
    AllOrdered(usize),
}

/// The sender's unit in a shared province that an order is for, and the others, whose orders of earlier mails it ends: a
/// mail that orders units of a shared province orders them anew.
pub(super) fn next(sight: &Sight, named: &UnitWords) -> Result<(Unit, Vec<UnitId>), NoUnitLeft> {
    let own: Vec<&Unit> = shared_province(sight, named)?;
    let just_now = |unit: &&&Unit| sight.said.units.contains(&unit.id);
    let Some(unit) = own.iter().find(|unit| !just_now(unit)) else {
        return Err(NoUnitLeft::AllOrdered(own.len()));
    };
    let anew = !own.iter().any(|unit| just_now(&unit));
    let ended = own
        .iter()
        .map(|other| other.id)
        .filter(|id| anew && *id != unit.id && sight.orders.units.contains_key(id))
        .collect();
    Ok((**unit, ended))
}

/// The units of a shared province that the sender orders.
fn shared_province<'s>(sight: &'s Sight, named: &UnitWords) -> Result<Vec<&'s Unit>, NoUnitLeft> {
    let province = named.place.province;
    let own = |unit: &&Unit| {
        unit.at.province == province
            && (unit.power == sight.power || sight.borrowed.contains(&unit.id))
            && named.nation.is_none_or(|nation| nation == unit.power)
    };
    let there: Vec<&Unit> = sight.position.units.iter().filter(own).collect();
    let Some(first) = there.first() else {
        return Err(NoUnitLeft::NoneThere(Illegal::NothingThere(
            named.kind, province,
        )));
    };
    match named.kind {
        Some(kind) if there.iter().all(|unit| unit.kind != kind) => Err(NoUnitLeft::NoneThere(
            Illegal::WrongKind((*first).into(), kind),
        )),
        kind => Ok(there
            .into_iter()
            .filter(|unit| kind.is_none_or(|kind| kind == unit.kind))
            .collect()),
    }
}

/// Whose unit of a shared province is to be helped: the sender's own unless another is named.
pub(super) fn meant(sight: &Sight, named: &UnitWords) -> Power {
    named.nation.unwrap_or(sight.power)
}

/// The units in sight as an order sees them that helps somebody in a shared province: of that shared province only those that may be meant.
pub(super) fn with_meant_only(sight: &Sight, named: &UnitWords) -> Result<Vec<Unit>, Illegal> {
    let (province, whose) = (named.place.province, meant(sight, named));
    let fits = |kind: UnitKind| named.kind.is_none_or(|named| named == kind);
    let units: Vec<Unit> = sight
        .position
        .units
        .iter()
        .filter(|unit| unit.at.province != province || (unit.power == whose && fits(unit.kind)))
        .copied()
        .collect();
    if units.iter().any(|unit| unit.at.province == province) {
        Ok(units)
    } else {
        Err(Illegal::NothingThere(named.kind, province))
    }
}

/// Removals from a shared province with one more, as far as there are units. A mail that removes units of a shared province does so
/// anew; where no more are there, the earliest is named again.
pub(super) fn remove(
    sight: &Sight,
    named: &UnitWords,
    winter: &mut Vec<Action>,
) -> Result<(), NoUnitLeft> {
    let own = shared_province(sight, named)?;
    let action = Action::Remove {
        at: named.place.province,
    };
    if !own.iter().any(|unit| sight.said.units.contains(&unit.id)) {
        winter.retain(|other| *other != action);
    }
    if winter.iter().filter(|other| **other == action).count() >= own.len() {
        return Err(NoUnitLeft::AllOrdered(own.len()));
    }
    winter.push(action);
    Ok(())
}

/// The units that a line ordered, for the lines behind it. Removals name places: where one names a shared province, all
/// that the sender has there count.
pub(super) fn ordered(sight: &Sight, words: &OrderWords, effects: &[Effect]) -> Vec<UnitId> {
    let mut units: Vec<UnitId> = effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::Order(unit, _) | Effect::Lend(unit, _) => Some(*unit),
            _ => None,
        })
        .collect();
    let removes = matches!(words.verb, Verb::Remove | Verb::Disband | Verb::Adjust);
    if removes
        && let Some(named) = &words.unit
        && is_shared(sight.map, named.place.province)
    {
        let there =
            sight.position.units.iter().filter(|unit| {
                unit.at.province == named.place.province && unit.power == sight.power
            });
        units.extend(there.map(|unit| unit.id));
    }
    units
}
