//! Which unit a line means, and whether the sender may order it.

use super::{Fault, name, said};
use crate::hidden;
use crate::order_words::UnitWords;
use crate::shared_province::{self, NoUnitLeft, is_shared};
use dipjudge_game::project::Sight;
use dipjudge_rules::map::Power;
use dipjudge_rules::orders::{Illegal, fights};
use dipjudge_rules::position::{Unit, UnitId};

/// The unit that an order is for, and others of its shared province whose orders of earlier mails end.
pub(super) fn ordered_unit(
    sight: &Sight,
    named: &UnitWords,
    notes: &mut Vec<String>,
) -> Result<(Unit, Vec<UnitId>), Fault> {
    let province = named.place.province;
    if is_shared(sight.map, province) {
        return shared_province::next(sight, named)
            .map_err(|reason| no_unit_left(sight, named, reason));
    }
    let found = meant(sight, sight.position.units.iter(), named);
    own_unit(sight, named, found, notes).map(|unit| (unit, Vec::new()))
}

/// The unit of a province that words mean, where units of kinds that share their place stand there too: of the kind and the
/// nation that are named, and rather the sender's own.
pub(super) fn meant<'s>(
    sight: &Sight,
    units: impl Iterator<Item = &'s Unit>,
    named: &UnitWords,
) -> Option<&'s Unit> {
    let mut there = units.filter(|unit| unit.at.province == named.place.province);
    let first = there.next()?;
    let Some(second) = there.next() else {
        return Some(first);
    };
    let there = [first, second].into_iter().chain(there);
    there.min_by_key(|unit| {
        let other_kind = named.kind.is_some_and(|kind| kind != unit.kind);
        let other_nation = named.nation.is_some_and(|nation| nation != unit.power);
        let foreign = unit.power != sight.power && !sight.borrowed.contains(&unit.id);
        (
            other_kind,
            other_nation,
            foreign,
            !has_number(sight, unit, named),
        )
    })
}

/// Whether a unit is the one of several like ones that is named, if one is.
fn has_number(sight: &Sight, unit: &Unit, named: &UnitWords) -> bool {
    let own = || sight.position.number_among_like(unit).unwrap_or(1);
    named.number.is_none_or(|number| number == own())
}

/// The unit that was found must be the one of several that is named.
fn right_number(sight: &Sight, unit: &Unit, named: &UnitWords) -> Result<(), Fault> {
    match named.number {
        Some(number) if !has_number(sight, unit, named) => said(format!(
            "There is no {} that is number {number}.",
            party(sight, unit)
        )),
        _ => Ok(()),
    }
}

pub(super) fn no_unit_left(sight: &Sight, named: &UnitWords, reason: NoUnitLeft) -> Fault {
    match reason {
        NoUnitLeft::NoneThere(illegal) => illegal.into(),
        NoUnitLeft::AllOrdered(count) => Fault::Said(format!(
            "You have only {count} {} in {}, and the lines above order {}.",
            several(sight, named, count),
            name(sight.map, named.place.province),
            if count == 1 { "it" } else { "all of them" }
        )),
    }
}

/// `armies`, where an order named the kind.
fn several(sight: &Sight, named: &UnitWords, count: usize) -> String {
    let info = named.kind.and_then(|kind| sight.map.kind(kind));
    let one = info.map_or_else(|| "unit".to_owned(), |info| info.name.to_lowercase());
    match one.strip_suffix('y') {
        _ if count == 1 => one,
        Some(stem) => format!("{stem}ies"),
        None => format!("{one}s"),
    }
}

/// The unit that an order names, if it is there and the sender's to order.
pub(super) fn own_unit(
    sight: &Sight,
    named: &UnitWords,
    found: Option<&Unit>,
    notes: &mut Vec<String>,
) -> Result<Unit, Fault> {
    let province = named.place.province;
    if sight.horizon.is_some() && !found.is_some_and(|unit| hidden::own(sight, unit)) {
        return said(hidden::no_unit(sight, province));
    }
    let Some(unit) = found else {
        return Err(Illegal::NothingThere(named.kind, province).into());
    };
    if unit.power == Power::NEUTRAL {
        return said(format!(
            "The {} is neutral and takes no orders.",
            party(sight, unit)
        ));
    }
    if unit.power != sight.power && !sight.borrowed.contains(&unit.id) {
        return Err(Illegal::NotYours(unit.into(), sight.power).into());
    }
    if let Some(kind) = named.kind.filter(|kind| *kind != unit.kind) {
        return Err(Illegal::WrongKind(unit.into(), kind).into());
    }
    if let Some(nation) = named.nation.filter(|nation| *nation != unit.power) {
        return Err(Illegal::NotYours(unit.into(), nation).into());
    }
    right_number(sight, unit, named)?;
    if named.place.coast.is_some() && named.place.coast != unit.at.coast {
        notes.push(format!(
            "The {} is ordered, whatever coast was named.",
            party(sight, unit)
        ));
    }
    Ok(*unit)
}

/// The unit that is to be helped, if one is in sight: the right kind, the right nation.
pub(super) fn other_unit(
    sight: &Sight,
    named: &UnitWords,
    notes: &mut Vec<String>,
) -> Result<(), Fault> {
    if is_shared(sight.map, named.place.province) {
        // Which of those in there is meant was settled before.
        return Ok(());
    }
    if let Some(horizon) = &sight.horizon {
        notes.extend(hidden::note(sight, horizon, named));
        return Ok(());
    }
    let Some(unit) = helped(sight, named) else {
        return Ok(());
    };
    if let Some(kind) = named.kind.filter(|kind| *kind != unit.kind) {
        return Err(Illegal::WrongKind(unit.into(), kind).into());
    }
    if let Some(nation) = named.nation.filter(|nation| *nation != unit.power) {
        return Err(Illegal::NotYours(unit.into(), nation).into());
    }
    right_number(sight, unit, named)
}

/// The unit that is to be helped: rather one that fights, where no kind is named.
fn helped<'s>(sight: &'s Sight, named: &UnitWords) -> Option<&'s Unit> {
    let units = || sight.position.units.iter();
    let fighting = units().filter(|unit| fights(sight.map, unit.kind));
    match named.kind {
        Some(_) => meant(sight, units(), named),
        None => meant(sight, fighting, named).or(meant(sight, units(), named)),
    }
}

/// `army in Paris`
pub(crate) fn party(sight: &Sight, unit: &Unit) -> String {
    let kind = sight
        .map
        .kind(unit.kind)
        .map_or_else(|| unit.kind.to_string(), |info| info.name.to_lowercase());
    format!("{kind} in {}", sight.map.full_name(unit.at))
}
