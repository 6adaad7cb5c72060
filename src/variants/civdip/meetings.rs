//! Contact and sight (rules page, sections 4 and 5): who meets whom when a phase is over, and which units a bounce shows.

use std::collections::BTreeSet;

use super::state::{CivDipState, Glimpses, Meeting};
use super::{CONTACT, GLIMPSE, ORDERS};
use dipjudge_game::planted::{Leak, planted};
use dipjudge_game::{Game, Horizon, Outcome, Phase, Played, Variant, horizon};
use dipjudge_rules::adjudicator::Mark;
use dipjudge_rules::map::{Map, Power, Province, ProvinceSet};
use dipjudge_rules::orders::Action;
use dipjudge_rules::position::{Unit, UnitId};
use dipjudge_rules::sorted_map::SortedMap;

/// What a civilization has in sight: what its units and centers reach, and the units that a bounce has shown.
pub(super) fn in_sight(game: &Game, variant: &dyn Variant, power: Power) -> Horizon {
    let glimpses = glimpses(game);
    let own = glimpses
        .iter()
        .filter(|(reader, _)| *reader == power || planted(Leak::Glimpse));
    Horizon {
        glimpsed: own.map(|(_, unit)| *unit).collect(),
        moves_alone: ORDERS.is(game, "moves"),
        ..horizon::fog(game, variant, power)
    }
}

/// The units that bounces of the last movement phase have shown, each with who sees it. Right after the moves, when nothing
/// else has been reckoned up yet, they follow from what came of the orders.
fn glimpses(game: &Game) -> BTreeSet<(Power, UnitId)> {
    let state = CivDipState::known(game);
    let kept = &state.glimpses;
    match &game.last {
        Some(played) if played.phase == Phase::Movement && played.number != kept.of => {
            shown(game, played)
        }
        _ => kept.seen.clone(),
    }
}

fn shown(game: &Game, played: &Played) -> BTreeSet<(Power, UnitId)> {
    if GLIMPSE.is(game, "off") {
        return BTreeSet::new();
    }
    let pairs = bounces(game.map(), played).into_iter();
    pairs
        .flat_map(|(one, other)| [(one.power, other.id), (other.power, one.id)])
        .collect()
}

/// Pairs of units of two civilizations that failed to enter a province which both starting provinces touch; the way an army
/// took is no matter.
fn bounces(map: &Map, played: &Played) -> Vec<(Unit, Unit)> {
    let tried = |told: &Outcome| match &told.action {
        Some(Action::Move { to, .. }) if told.marks.contains(&Mark::Bounce) => {
            let near = map.neighbors(told.unit.at.province).contains(&to.province);
            near.then_some((to.province, told.unit))
        }
        _ => None,
    };
    let tried: Vec<(Province, Unit)> = played.outcomes.iter().filter_map(tried).collect();
    let mut pairs = Vec::new();
    for (index, (to, one)) in tried.iter().enumerate() {
        let later = tried.iter().skip(index + 1);
        let same = later.filter(|(other_to, other)| other_to == to && other.power != one.power);
        pairs.extend(same.map(|(_, other)| (*one, *other)));
    }
    pairs
}

/// Updates contacts and seen units at the end of a phase; contacts may also lapse.
pub(super) fn after(game: &Game, played: &Played, state: &mut CivDipState) {
    let now = (played.turn, played.phase.clone());
    if played.phase == Phase::Movement {
        state.glimpses = Glimpses {
            of: played.number,
            seen: shown(game, played),
        };
        for (one, other) in bounces(game.map(), played) {
            state.meet(one.power, other.power, now.clone(), Meeting::OnBoard);
        }
    } else {
        forget(game, played, &mut state.glimpses);
    }
    for (one, other) in side_by_side(game) {
        state.meet(one, other, now.clone(), Meeting::OnBoard);
    }
    if played.phase == Phase::Movement {
        lapse(game, state);
    }
}

/// Removes units that have retreated or are gone from the seen units.
fn forget(game: &Game, played: &Played, glimpses: &mut Glimpses) {
    let retreated: BTreeSet<UnitId> = played.outcomes.iter().map(|told| told.unit.id).collect();
    let stands = |id: &UnitId| game.position.units.iter().any(|unit| unit.id == *id);
    glimpses
        .seen
        .retain(|(_, unit)| stands(unit) && !retreated.contains(unit));
}

/// Ends, in games with lapsing contacts, those that nobody introduced and nothing has renewed since the previous moves.
fn lapse(game: &Game, state: &mut CivDipState) {
    if CONTACT.is(game, "lapsing") {
        state
            .met
            .retain(|contact| contact.introduced || contact.renewed);
    }
    for contact in &mut state.met {
        contact.renewed = false;
    }
}

/// Pairs that meet because a unit of one stands in or next to the province of a unit or center of the other.
pub(super) fn side_by_side(game: &Game) -> BTreeSet<(Power, Power)> {
    let position = &game.position;
    let dislodged = position.dislodged.iter().map(|one| &one.unit);
    let units = position.units.iter().chain(dislodged);
    let units = units
        .map(|unit| (unit.at.province, unit.power))
        .filter(|(_, power)| *power != Power::NEUTRAL);
    let owners = position.owners.iter().map(|(at, owner)| (*at, *owner));
    let map = game.map();
    // By power: where it has something, and what its units stand in or next to.
    let mut theirs: SortedMap<Power, ProvinceSet> = SortedMap::new();
    let mut near: SortedMap<Power, ProvinceSet> = SortedMap::new();
    for (at, power) in units.clone().chain(owners) {
        if let Some(number) = map.number(at) {
            theirs.get_or_default(power).add(number);
        }
    }
    for (at, power) in units {
        if let Some(number) = map.number(at) {
            let near = near.get_or_default(power);
            near.add(number);
            *near = near.union(map.neighbors_of_number(number));
        }
    }
    let mut pairs = BTreeSet::new();
    for (power, near) in &near {
        for (other, theirs) in &theirs {
            if power != other && !near.intersection(*theirs).is_empty() {
                pairs.insert((*power.min(other), *power.max(other)));
            }
        }
    }
    pairs
}

/// Makes two civilizations meet where one has taken a center from the other in the count of Fall.
pub(super) fn conquests(game: &Game, state: &mut CivDipState, played: &Played) {
    let mut years = game.years.iter().rev();
    let (Some(now), Some(before)) = (years.next(), years.next()) else {
        return;
    };
    let now_is = (played.turn, played.phase.clone());
    for (center, owner) in &now.owners {
        match before.owners.get(center) {
            Some(loser) if loser != owner => {
                state.meet(*owner, *loser, now_is.clone(), Meeting::OnBoard);
            }
            _ => {}
        }
    }
}
