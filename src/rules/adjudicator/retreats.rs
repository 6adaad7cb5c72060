//! A retreat phase.

use super::outcome::{Mark, Outcome, Reason, Resolution};
use crate::map::{Location, Map};
use crate::orders::{Action, Order, legal_retreat};
use crate::position::{Dislodged, Position};

/// What a dislodged unit tries to do.
enum Attempt {
    Retreat(Location),
    /// Disbands: as ordered, or for this reason.
    Disband(Option<Reason>),
}

/// Adjudicates a retreat phase. Units that retreat to the same province all disband, and so does a unit without a legal
/// order. There is exactly one outcome for each dislodged unit, in the order of `position.dislodged`. If a unit has several
/// orders, the last one counts.
#[must_use]
pub fn retreats(map: &Map, position: &Position, orders: &[Order]) -> Resolution {
    let attempts: Vec<Attempt> = position
        .dislodged
        .iter()
        .map(|dislodged| attempt(dislodged, orders))
        .collect();
    let outcomes = position
        .dislodged
        .iter()
        .zip(&attempts)
        .enumerate()
        .map(|(index, (dislodged, attempt))| {
            let mut outcome = Outcome::unmarked(dislodged.unit.id);
            match attempt {
                Attempt::Disband(reason) => {
                    outcome.marks.add(Mark::Disband);
                    if matches!(reason, Some(Reason::Illegal(_))) {
                        outcome.marks.add(Mark::Void);
                    }
                    outcome.reason = reason.clone();
                }
                Attempt::Retreat(to) => match first_rival(map, &attempts, index, *to) {
                    None => outcome.moved = Some(*to),
                    Some(rival) => {
                        outcome.marks.add(Mark::Bounce);
                        outcome.marks.add(Mark::Disband);
                        outcome.reason = Some(Reason::RetreatsMet {
                            with: (&position.dislodged[rival].unit).into(),
                        });
                    }
                },
            }
            outcome
        })
        .collect();
    Resolution {
        outcomes,
        ..Resolution::default()
    }
}

/// The index of the first other unit that retreats to the same province; none if the province is shared.
fn first_rival(map: &Map, attempts: &[Attempt], index: usize, to: Location) -> Option<usize> {
    if map.info(to.province).is_some_and(|info| info.shared) {
        return None;
    }
    attempts.iter().enumerate().position(|(other, attempt)| {
        let meets = matches!(attempt, Attempt::Retreat(place) if place.province == to.province);
        meets && other != index
    })
}

fn attempt(dislodged: &Dislodged, orders: &[Order]) -> Attempt {
    let unit = &dislodged.unit;
    let Some(order) = orders.iter().rev().find(|order| order.unit == unit.id) else {
        return Attempt::Disband(Some(Reason::NoRetreat));
    };
    if let Err(illegal) = legal_retreat(unit, Some(dislodged), &order.action) {
        return Attempt::Disband(Some(Reason::Illegal(illegal)));
    }
    let Action::Retreat { to } = &order.action else {
        return Attempt::Disband(None);
    };
    let fits = |option: &&Location| {
        option.province == to.province
            && (to.coast.is_none() || option.coast.is_none() || option.coast == to.coast)
    };
    match dislodged.options.iter().find(fits) {
        Some(option) => Attempt::Retreat(*option),
        None => Attempt::Disband(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::{Power, UnitKind};
    use crate::notation;
    use crate::position::{Unit, UnitId};

    fn place(words: &str) -> Location {
        notation::place(Map::standard(), words).unwrap()
    }

    /// Where a fleet that was dislodged in Norway goes if it may retreat there, and is ordered so.
    fn retreat(options: &[&str], to: &str) -> Option<Location> {
        let unit = Unit {
            id: UnitId(0),
            power: Power(1),
            kind: UnitKind::FLEET,
            at: place("NWY"),
        };
        let dislodged = Dislodged {
            unit,
            attacker: None,
            options: options.iter().map(|option| place(option)).collect(),
        };
        let position = Position {
            dislodged: vec![dislodged],
            ..Position::default()
        };
        let order = Order {
            unit: unit.id,
            action: Action::Retreat { to: place(to) },
        };
        retreats(Map::standard(), &position, &[order]).outcomes[0].moved
    }

    #[test]
    fn a_retreat_need_not_name_the_coast_that_is_open() {
        let options = ["NWG", "STP/NC"];
        assert_eq!(retreat(&options, "STP/NC"), Some(place("STP/NC")));
        assert_eq!(retreat(&options, "STP"), Some(place("STP/NC")));
        assert_eq!(retreat(&options, "STP/SC"), None);
        assert_eq!(retreat(&options, "SKA"), None);
    }
}
