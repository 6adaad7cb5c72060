//! The smallest change of orders that would have altered the result of an order: of one order, else of two; of the asker's own
//! units first. The search is bounded, so that no question costs much.

use std::collections::BTreeSet;

use super::Naming;
use super::bearing::{bearing_on, places_of};
use super::trial::Trial;
use crate::{Outcome, Phase, Played};
use dipjudge_rules::map::{Location, Power, Province, Travel};
use dipjudge_rules::orders::{Action, Passage, legal};
use dipjudge_rules::position::Unit;
use dipjudge_view::{OrderLine, SmallestChange};

/// The largest number of adjudications that a search makes.
const MOST_TRIED: usize = 600;

/// An order in place of the one that a unit has.
#[derive(Clone, Debug, PartialEq)]
struct OtherOrder {
    unit: Unit,
    action: Action,
}

/// Searches for the smallest change that alters what came of an order in a trial.
pub(super) fn smallest_change(
    trial: &Trial<'_>,
    naming: Naming<'_>,
    asked: &Outcome,
    own: Power,
) -> SmallestChange {
    let Some(played) = trial.resolve() else {
        return SmallestChange::NotFound;
    };
    let mut search = TurningPoint {
        trial: trial.clone(),
        asked,
        succeeded: asked.marks.is_empty(),
        left: MOST_TRIED,
    };
    let (mine, theirs): (Vec<OtherOrder>, Vec<OtherOrder>) = others(trial, asked, &played)
        .into_iter()
        .partition(|other| other.unit.power == own);
    let found = search
        .one(&mine)
        .or_else(|| search.one(&theirs))
        .or_else(|| search.two(&mine, &mine))
        .or_else(|| search.two(&mine, &theirs))
        .or_else(|| search.two(&theirs, &theirs));
    match found {
        None => SmallestChange::NotFound,
        Some(orders) => {
            SmallestChange::Orders(orders.iter().map(|order| line(naming, order)).collect())
        }
    }
}

fn line(naming: Naming<'_>, order: &OtherOrder) -> OrderLine {
    OrderLine {
        unit: naming.seen_unit(&order.unit),
        ordered: naming.seen_action(&order.unit, Some(&order.action)),
        marks: Vec::new(),
        reason: None,
        warning: None,
    }
}

/// A search in progress.
struct TurningPoint<'t, 'v> {
    trial: Trial<'v>,
    asked: &'t Outcome,
    /// Whether the order succeeded.
    succeeded: bool,
    /// The number of adjudications that may still be made.
    left: usize,
}

impl TurningPoint<'_, '_> {
    fn one(&mut self, orders: &[OtherOrder]) -> Option<Vec<OtherOrder>> {
        let found = orders
            .iter()
            .find(|order| self.alters(std::slice::from_ref(*order)))?;
        Some(vec![found.clone()])
    }

    fn two(&mut self, some: &[OtherOrder], others: &[OtherOrder]) -> Option<Vec<OtherOrder>> {
        for (number, one) in some.iter().enumerate() {
            // Each pair of one list is tried once.
            let begin = if std::ptr::eq(some, others) {
                number + 1
            } else {
                0
            };
            for other in others.iter().skip(begin) {
                if self.left == 0 {
                    return None;
                }
                let pair = [one.clone(), other.clone()];
                if one.unit.id != other.unit.id && self.alters(&pair) {
                    return Some(pair.to_vec());
                }
            }
        }
        None
    }

    /// Whether the order would have come out otherwise with these orders.
    fn alters(&mut self, orders: &[OtherOrder]) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        let mut trial = self.trial.clone();
        for order in orders {
            trial.replace_order(&order.unit, order.action.clone());
        }
        let Some(played) = trial.resolve() else {
            return false;
        };
        let mut outcomes = played.outcomes.iter();
        let outcome = outcomes.find(|outcome| outcome.unit.id == self.asked.unit.id);
        outcome.is_some_and(|outcome| outcome.marks.is_empty() != self.succeeded)
    }
}

/// The orders that other units could have had and that bear on the one that is asked after.
fn others(trial: &Trial<'_>, asked: &Outcome, played: &Played) -> Vec<OtherOrder> {
    let mut found = Vec::new();
    if played.phase == Phase::Retreats {
        for dislodged in &trial.game().position.dislodged {
            let retreats = dislodged
                .options
                .iter()
                .map(|to| Action::Retreat { to: *to })
                .chain([Action::Disband]);
            add(&mut found, asked, played, &dislodged.unit, retreats);
        }
        return found;
    }
    let mut places: BTreeSet<Province> = places_of(asked);
    let bearing = bearing_on(asked, &played.outcomes);
    places.extend(bearing.iter().map(|outcome| outcome.unit.at.province));
    let destination = asked.action.as_ref().and_then(Action::destination);
    for unit in &trial.game().position.units {
        if unit.power == Power::NEUTRAL {
            continue;
        }
        let map = trial.game().map();
        let reach = map.reach(map.travel(unit.kind), unit.at).iter();
        let moves = reach
            .filter(|to| places.contains(&to.province))
            .map(|to| Action::Move {
                to: *to,
                by: Passage::Auto,
            });
        let from = asked.unit.at.province;
        let mut helps = vec![Action::Hold];
        helps.extend(places.iter().map(|at| Action::SupportHold { at: *at }));
        if let (Some(Action::Move { .. }), Some(to)) = (&asked.action, destination) {
            helps.push(Action::SupportMove {
                from,
                to: Location::from(to),
            });
            if map.travel(unit.kind) == Travel::Sea {
                helps.push(Action::Convoy { from, to });
            }
        }
        add(
            &mut found,
            asked,
            played,
            unit,
            helps.into_iter().chain(moves),
        );
    }
    // Whoever stands in the way could have gone anywhere.
    if let (Some(Action::Move { .. }), Some(to)) = (&asked.action, destination)
        && let Some(holder) = trial.game().position.standing(to)
        && holder.power != Power::NEUTRAL
    {
        let map = trial.game().map();
        let reach = map.reach(map.travel(holder.kind), holder.at).iter();
        let leaves = reach.filter(|goal| !places.contains(&goal.province));
        let leaves = leaves.map(|to| Action::Move {
            to: *to,
            by: Passage::Auto,
        });
        add(&mut found, asked, played, holder, leaves);
    }
    let units = &trial.game().position.units;
    let overlay = trial.variant().overlay(trial.game());
    let map = trial.game().map();
    found.retain(|other| legal(map, &overlay, &other.unit, &other.action, Some(units)).is_ok());
    found
}

fn add(
    found: &mut Vec<OtherOrder>,
    asked: &Outcome,
    played: &Played,
    unit: &Unit,
    actions: impl Iterator<Item = Action>,
) {
    if unit.id == asked.unit.id {
        return;
    }
    let mut outcomes = played.outcomes.iter();
    let given = outcomes.find(|outcome| outcome.unit.id == unit.id);
    let given = given.and_then(|outcome| outcome.action.clone());
    let given = given.unwrap_or(Action::Hold);
    let changed = actions.filter(|action| *action != given);
    found.extend(changed.map(|action| OtherOrder {
        unit: *unit,
        action,
    }));
}
