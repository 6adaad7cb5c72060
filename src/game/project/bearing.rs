//! Which orders bear on another: those of units that begin or end where it does, and those that help or hinder it.

use std::collections::BTreeSet;

use crate::Outcome;
use dipjudge_rules::map::Province;
use dipjudge_rules::orders::Action;

/// The outcomes that bear on one of them.
pub(super) fn bearing_on<'o>(asked: &Outcome, all: &'o [Outcome]) -> Vec<&'o Outcome> {
    let places = places_of(asked);
    let helped = asked.action.as_ref().and_then(Action::helped).copied();
    let goal = asked.action.as_ref().and_then(Action::destination);
    let bears = |outcome: &&Outcome| {
        if outcome.unit.id == asked.unit.id {
            return false;
        }
        let ends = outcome.action.as_ref().and_then(Action::destination);
        let stands = Some(outcome.unit.at.province);
        match &outcome.action {
            Some(Action::SupportMove { to, .. }) => places.contains(&to.province),
            Some(Action::SupportHold { at }) => places.contains(at),
            Some(Action::Convoy { from, to }) => {
                *from == asked.unit.at.province && places.contains(to)
            }
            Some(Action::Move { .. } | Action::Retreat { .. }) => {
                // Whoever stands where it goes may have failed to leave.
                ends.is_some_and(|end| places.contains(&end)) || stands == helped || stands == goal
            }
            _ => stands == helped || stands == goal,
        }
    };
    all.iter().filter(bears).collect()
}

/// Where an order begins and ends.
pub(super) fn places_of(asked: &Outcome) -> BTreeSet<Province> {
    let mut places = BTreeSet::from([asked.unit.at.province]);
    if let Some(Action::Move { to, .. } | Action::Retreat { to }) = &asked.action {
        places.insert(to.province);
    }
    places
}
