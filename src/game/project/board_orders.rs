//! Orders for a picture, with their results, to the extent of the reader's report.

use std::collections::{BTreeMap, BTreeSet};

use super::actions::mark_of;
use super::board_words::Words;
use super::sight::Visibility;
use crate::{Game, Outcome, Played};
use dipjudge_rules::map::{Location, Map, Province};
use dipjudge_rules::orders::{Action, Passage};
use dipjudge_rules::position::{Position, Unit};
use dipjudge_view::{DrawnLocations, Mark, OrderFate, OrderOnBoard};

/// An order of a reader's report, with its marks.
pub(super) struct ToldOrder {
    pub(super) unit: Unit,
    pub(super) action: Option<Action>,
    pub(super) marks: Vec<Mark>,
}

impl ToldOrder {
    /// All of an outcome.
    pub(super) fn whole(outcome: &Outcome) -> ToldOrder {
        let marks = outcome.marks.iter().copied();
        ToldOrder {
            unit: outcome.unit,
            action: outcome.action.clone(),
            marks: marks.map(mark_of).collect(),
        }
    }

    fn has(&self, mark: Mark) -> bool {
        self.marks.contains(&mark)
    }

    /// Whether the order failed. A dislodgement is not counted, since the unit itself shows it.
    fn failed(&self) -> bool {
        let of_unit = |mark: &Mark| matches!(mark, Mark::Dislodged | Mark::Destroyed);
        self.marks.iter().any(|mark| !of_unit(mark))
    }
}

/// What the reader knows of the places that orders name.
pub(super) struct KnownPlaces<'g> {
    /// The game when the phase was adjudicated.
    pub(super) before: &'g Game,
    /// As it stands now.
    pub(super) now: &'g Game,
    /// What the reader saw at that time.
    pub(super) then: Visibility,
    /// What the reader calls the powers.
    pub(super) words: &'g Words,
}

impl KnownPlaces<'_> {
    /// The place of the unit in a province, with its coast if the reader saw it there.
    fn seen_in(&self, province: Province) -> Location {
        let standing = self.before.position.standing(province);
        standing
            .filter(|unit| self.then.sees(unit))
            .map_or(Location::from(province), |unit| unit.at)
    }

    /// The target of a move, with the coast on which its unit stands now if it arrived.
    fn arrived(&self, unit: &Unit, to: Location) -> Location {
        let now = self.now.position.unit(unit.id);
        let arrived = now.filter(|now| now.power == unit.power && now.at.province == to.province);
        arrived.map_or(to, |now| now.at)
    }
}

/// All orders of a phase.
pub(super) fn whole_orders(played: &Played) -> Vec<ToldOrder> {
    played.outcomes.iter().map(ToldOrder::whole).collect()
}

/// The orders to draw. A unit that holds or does nothing has none.
pub(super) fn drawn(known: &KnownPlaces, told: &[ToldOrder]) -> Vec<OrderOnBoard> {
    let ways: BTreeMap<(Province, Province), Vec<Province>> = told
        .iter()
        .filter_map(|order| match &order.action {
            Some(Action::Move { to, by }) => {
                let pair = (order.unit.at.province, to.province);
                Some((pair, way(known.before.map(), told, pair, by)))
            }
            _ => None,
        })
        .collect();
    told.iter()
        .filter_map(|order| {
            Some(OrderOnBoard {
                whose: known.words.whose(order.unit.power),
                from: order.unit.at,
                action: action(known, told, &ways, order)?,
                fate: if order.failed() {
                    OrderFate::Failed
                } else {
                    OrderFate::Succeeded
                },
            })
        })
        .collect()
}

fn action(
    known: &KnownPlaces,
    told: &[ToldOrder],
    ways: &BTreeMap<(Province, Province), Vec<Province>>,
    order: &ToldOrder,
) -> Option<Action<DrawnLocations>> {
    let way = |from: Province, to: Province| ways.get(&(from, to)).map_or(&[][..], Vec::as_slice);
    Some(match order.action.as_ref()? {
        Action::Move { to, .. } => {
            let over = way(order.unit.at.province, to.province).iter();
            Action::Move {
                to: known.arrived(&order.unit, *to),
                by: over.map(|sea| known.seen_in(*sea)).collect(),
            }
        }
        Action::SupportHold { at } => Action::SupportHold {
            at: known.seen_in(*at),
        },
        Action::SupportMove { from, to } => {
            // The arrow that it meets may lead to a coast that the support does not name.
            let goes = |other: &&ToldOrder| other.unit.at.province == *from;
            let moved = told
                .iter()
                .find(goes)
                .and_then(|other| match &other.action {
                    Some(Action::Move { to: there, .. }) if there.province == to.province => {
                        Some(known.arrived(&other.unit, *there))
                    }
                    _ => None,
                });
            Action::SupportMove {
                from: known.seen_in(*from),
                to: moved.unwrap_or(*to),
            }
        }
        Action::Convoy { from, to } => Action::Convoy {
            from: known.seen_in(*from),
            to: Location::from(*to),
        },
        Action::Retreat { to } => Action::Retreat {
            to: known.arrived(&order.unit, *to),
        },
        _ => return None,
    })
}

/// The seas of a convoyed move, among those whose fleets were ordered to convoy it; empty if the unit goes by land or the seas
/// do not connect.
pub(super) fn way(
    map: &Map,
    told: &[ToldOrder],
    (from, to): (Province, Province),
    by: &Passage,
) -> Vec<Province> {
    if let Passage::Route(seas) = by {
        return seas.clone();
    }
    let adjacent = map.neighbors(from).contains(&to);
    if *by == Passage::Land || (adjacent && *by != Passage::Convoy) {
        return Vec::new();
    }
    let convoys = |order: &&ToldOrder| matches!(&order.action, Some(Action::Convoy { from: a, to: b }) if (*a, *b) == (from, to));
    let fleets: BTreeSet<Province> = told
        .iter()
        .filter(convoys)
        .map(|order| order.unit.at.province)
        .collect();
    let mut ways: Vec<Vec<Province>> = vec![Vec::new()];
    let mut met: BTreeSet<Province> = BTreeSet::new();
    // Breadth first from the army, so the first route found is a shortest one.
    while let Some(next) = longer(map, &ways, from, &fleets, &mut met) {
        let arrives = |way: &&Vec<Province>| {
            let last = way.last();
            last.is_some_and(|last| map.neighbors(*last).contains(&to))
        };
        if let Some(found) = next.iter().find(arrives) {
            return found.clone();
        }
        ways = next;
    }
    Vec::new()
}

/// Extends each route by one fleet that was not reached before; `None` if there is none.
fn longer(
    map: &Map,
    ways: &[Vec<Province>],
    from: Province,
    fleets: &BTreeSet<Province>,
    met: &mut BTreeSet<Province>,
) -> Option<Vec<Vec<Province>>> {
    let mut next = Vec::new();
    for way in ways {
        let end = way.last().copied().unwrap_or(from);
        for sea in map.neighbors(end) {
            if fleets.contains(sea) && met.insert(*sea) {
                next.push(way.iter().copied().chain([*sea]).collect());
            }
        }
    }
    (!next.is_empty()).then_some(next)
}

/// Empty provinces that at least two units failed to enter.
pub(super) fn standoffs(told: &[ToldOrder], after: &Position) -> BTreeSet<Province> {
    let mut failed: BTreeMap<Province, usize> = BTreeMap::new();
    for order in told.iter().filter(|order| order.has(Mark::Bounce)) {
        if let Some(Action::Move { to, .. } | Action::Retreat { to }) = &order.action {
            *failed.entry(to.province).or_default() += 1;
        }
    }
    let is_empty = |province: Province| after.standing(province).is_none();
    failed
        .into_iter()
        .filter(|(province, count)| *count > 1 && is_empty(*province))
        .map(|(province, _)| province)
        .collect()
}
