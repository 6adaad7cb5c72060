//! Units and centers, with a line for each power: `France: A PAR, F BRE`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::order::{Words, unexpected};
use super::{LineError, NotationError, each_line, place};
use crate::map::{Map, Power, Province, UnitKind};
use crate::orders::fights;
use crate::position::{NamedUnit, Position, Unit, UnitId};
use crate::sorted_map::SortedMap;

/// The name of [`Power::NEUTRAL`].
const NEUTRAL: &str = "Neutral";

/// Reads the units of a position, with a line for each power: `France: A PAR, F SPA/NC`. The ids of the units are their numbers
/// in the text, from 0. The power [`Power::NEUTRAL`] is called `Neutral`. The position has no owners of centers; see [`centers`].
///
/// # Errors
/// What is wrong with the first line that cannot be read, or that has a second unit in a province.
pub fn position(map: &Map, text: &str) -> Result<Position, LineError> {
    let mut position = Position::default();
    let mut next_id = 0;
    each_line(text, |line| {
        let PowerLine { power, list } = PowerLine::read(map, line)?;
        for item in items(list) {
            let NamedUnit { kind, at } = unit(map, item)?;
            if !may_share(map, kind, at.province) && is_taken(map, &position, at.province) {
                return Err(NotationError::Occupied(at.province));
            }
            position.units.push(Unit {
                id: UnitId(next_id),
                power,
                kind,
                at,
            });
            next_id += 1;
        }
        Ok(())
    })?;
    Ok(position)
}

/// Whether a unit of the kind may be in the province with others.
fn may_share(map: &Map, kind: UnitKind, province: Province) -> bool {
    !fights(map, kind) || map.info(province).is_some_and(|info| info.shared)
}

fn is_taken(map: &Map, position: &Position, province: Province) -> bool {
    position
        .units
        .iter()
        .any(|unit| unit.at.province == province && fights(map, unit.kind))
}

/// Writes the units of a position as [`position`] reads them, without dislodged units. Powers are in the order of the map, and
/// neutral units last. Powers that the map does not have are written as numbers, which cannot be read.
#[must_use]
pub fn write_position(map: &Map, position: &Position) -> String {
    let mut by_power: BTreeMap<Power, Vec<String>> = BTreeMap::new();
    for unit in &position.units {
        let units = by_power.entry(unit.power).or_default();
        units.push(NamedUnit::from(unit).to_string());
    }
    let mut text = String::new();
    for (power, units) in by_power {
        let units = units.join(", ");
        let named = power.index().and_then(|index| map.powers().get(index));
        // Writing to a String cannot fail.
        let _ = match named {
            Some(info) => writeln!(text, "{}: {units}", info.name),
            None if power == Power::NEUTRAL => writeln!(text, "{NEUTRAL}: {units}"),
            None => writeln!(text, "{}: {units}", power.0),
        };
    }
    text
}

/// Reads the owners of centers, with a line for each power: `France: PAR, BRE, MAR`.
///
/// # Errors
/// What is wrong with the first line that cannot be read.
pub fn centers(map: &Map, text: &str) -> Result<SortedMap<Province, Power>, LineError> {
    let mut owners = SortedMap::new();
    each_line(text, |line| {
        let PowerLine { power, list } = PowerLine::read(map, line)?;
        for item in items(list) {
            let center = place(map, item)?.province;
            if !map.info(center).is_some_and(|info| info.center) {
                return Err(NotationError::NoCenter(center));
            }
            owners.insert(center, power);
        }
        Ok(())
    })?;
    Ok(owners)
}

/// Reads a unit: `F STP/SC`.
///
/// # Errors
/// What is wrong with the text; [`NotationError::CannotStand`] if the unit cannot be there.
pub fn unit(map: &Map, text: &str) -> Result<NamedUnit, NotationError> {
    let mut words = Words {
        rest: text.as_bytes(),
    };
    let unit = words.unit(map)?;
    if let Some(word) = words.next() {
        return Err(unexpected(word));
    }
    if !map.can_stand(map.travel(unit.kind), unit.at) {
        return Err(NotationError::CannotStand(unit));
    }
    Ok(unit)
}

/// A line that says something about a power: `France: A PAR, F BRE`.
pub(super) struct PowerLine<'t> {
    pub(super) power: Power,
    /// The text after the colon.
    pub(super) list: &'t str,
}

impl<'t> PowerLine<'t> {
    pub(super) fn read(map: &Map, line: &'t str) -> Result<Self, NotationError> {
        let (name, list) = line
            .split_once(':')
            .ok_or(NotationError::Missing("a colon"))?;
        let name = name.trim();
        let mut known = (0u8..).map(Power).zip(map.powers());
        let found = known.find(|(_, info)| {
            info.name.eq_ignore_ascii_case(name) || info.key.eq_ignore_ascii_case(name)
        });
        let power = match found {
            Some((power, _)) => power,
            None if name.eq_ignore_ascii_case(NEUTRAL) => Power::NEUTRAL,
            None => return Err(NotationError::UnknownPower(name.to_owned())),
        };
        Ok(Self { power, list })
    }
}

/// The items of a list whose items are separated by commas.
pub(super) fn items(list: &str) -> impl Iterator<Item = &str> {
    list.split(',')
        .map(str::trim)
        .filter(|item| !item.is_empty())
}
