//! The results of the units in the phase, derived from the events of the engine.

use dipjudge_game::{Event, Game, Outcome, Phase, Played};
use dipjudge_rules::adjudicator::{Mark, Marks};
use dipjudge_rules::position::{Position, Unit};

use super::orders::ConsideredOrders;

/// Each unit of the phase as it stood at its start, with its marks; `events` are those of the phase's adjudication.
pub(super) fn results(
    before: &Game,
    events: &[Event],
    given: &ConsideredOrders,
) -> Vec<(Unit, Marks)> {
    let mut played: Option<&Played> = None;
    let mut position: &Position = &before.position;
    for event in events {
        match event {
            Event::Played(what) => (played, position) = (Some(&**what), &what.position),
            // The changes of the board by the variant's own step.
            Event::Board { position: own } => position = own,
            // Later events belong to other phases.
            Event::Opened { .. } | Event::Ended { .. } => break,
            _ => {}
        }
    }
    let outcomes = played.map_or(&[][..], |played| played.outcomes.as_slice());
    let units: Vec<(Unit, Marks)> = match before.phase {
        Phase::Movement | Phase::Retreats => outcomes
            .iter()
            .map(|outcome| (outcome.unit, marks(outcome, given)))
            .collect(),
        _ => {
            let dislodged = before.position.dislodged.iter().map(|one| &one.unit);
            let all = before.position.units.iter().chain(dislodged);
            all.map(|unit| (*unit, Marks::NONE)).collect()
        }
    };
    let gone = |unit: &Unit| position.unit(unit.id).is_none();
    units
        .into_iter()
        .map(|(unit, mut marks)| {
            if gone(&unit) {
                marks.add(Mark::Disband);
            }
            (unit, marks)
        })
        .collect()
}

fn marks(outcome: &Outcome, given: &ConsideredOrders) -> Marks {
    let mut marks = Marks::NONE;
    outcome.marks.iter().for_each(|mark| marks.add(*mark));
    let unit = outcome.unit.id;
    if given.refused.contains(&unit) && !given.ordered.contains(&unit) {
        marks.add(Mark::Void);
    }
    marks
}
