//! Which spaces and units the words of a line mean.

use super::Reader;
use crate::rather_silly::line_parts::{location, part, parts};
use crate::rather_silly::{BIRDS, MONSTERS};
use dipjudge_game::{Refusal, refuse};
use dipjudge_grammar::Line;
use dipjudge_rules::map::{Location, Power, Province, UnitKind};
use dipjudge_rules::position::Unit;

/// A unit as words name it.
#[derive(Clone, Copy)]
pub(super) struct Named {
    pub nation: Option<Power>,
    pub kind: Option<UnitKind>,
    pub at: Province,
    /// Which of several like ones, from one on.
    pub number: Option<usize>,
}

impl Reader<'_> {
    pub(super) fn province(&self, line: &Line) -> Result<Province, Refusal> {
        Ok(location(line)?.province)
    }

    pub(super) fn places(&self, line: &Line) -> Result<Vec<Location>, Refusal> {
        parts(line, "place").map(location).collect()
    }

    /// A space as a sentence calls it.
    pub(super) fn name(&self, place: Province) -> String {
        self.sight.map.full_name(place.into())
    }

    fn named(&self, line: &Line, kind: Option<UnitKind>) -> Result<Named, Refusal> {
        Ok(Named {
            nation: part(line, "nation").and_then(Line::power),
            kind,
            at: self.province(line)?,
            number: number(line),
        })
    }

    /// The unit that words mean.
    pub(super) fn unit(&self, line: &Line) -> Result<Unit, Refusal> {
        let unit = part(line, "unit").unwrap_or(line);
        let kind = part(unit, "kind").and_then(Line::kind);
        self.meant(self.named(unit, kind)?)
    }

    pub(super) fn flock(&self, flock: &Line) -> Result<Unit, Refusal> {
        self.meant(self.named(flock, Some(BIRDS))?)
    }

    /// Of the kind and the nation that are named, and rather the sender's own; where no number is named, the first of like ones.
    pub(super) fn meant(&self, named: Named) -> Result<Unit, Refusal> {
        let mut there: Vec<Unit> = self.board.in_space(named.at).copied().collect();
        there.retain(|unit| {
            named.nation.is_none_or(|nation| nation == unit.power)
                && named.kind.is_none_or(|kind| kind == unit.kind)
        });
        there.sort_by_key(|unit| (unit.power != self.sight.power, unit.id));
        let (Some(first), Some(last)) = (there.first().copied(), there.last()) else {
            return refuse(self.nobody(named));
        };
        let foreign = first.power != self.sight.power && first.power != MONSTERS;
        if foreign && there.iter().any(|unit| unit.power != first.power) {
            let adjective = |power: Power| {
                let info = power.index().and_then(|index| self.sight.powers.get(index));
                info.map_or("SEA", |info| info.adjective.as_str())
            };
            return refuse(format!(
                "In {} stand {} and {} units of that name: say whose is meant.",
                self.name(named.at),
                adjective(first.power),
                adjective(last.power)
            ));
        }
        let of_number = |unit: &&Unit| {
            let number = self.board.position.number_among_like(unit).unwrap_or(1);
            unit.power == first.power && named.number.is_none_or(|wanted| wanted == number)
        };
        let found = there.iter().find(of_number).copied();
        Ok(found.ok_or_else(|| self.nobody(named))?)
    }

    fn nobody(&self, named: Named) -> String {
        let kind = named.kind.map_or("unit", |kind| self.names().kind(kind));
        let number = named
            .number
            .map_or_else(String::new, |number| format!(" #{number}"));
        format!(
            "There is no such {kind}{number} in {}.",
            self.name(named.at)
        )
    }

    /// The sender's own unit.
    pub(super) fn own(&self, line: &Line) -> Result<Unit, Refusal> {
        let unit = self.unit(line)?;
        if unit.power == self.sight.power {
            Ok(unit)
        } else {
            refuse("That unit is not yours.")
        }
    }
}

/// The number that stands behind a unit.
pub(super) fn number(line: &Line) -> Option<usize> {
    let number = part(line, "unit-number")?.number();
    Some(
        number
            .and_then(|number| usize::try_from(number).ok())
            .unwrap_or(0),
    )
}
