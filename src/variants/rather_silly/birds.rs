//! BIRDS: who is picked up (1.7), and where flights and passengers end (1.11) [8].

use std::collections::{BTreeMap, BTreeSet};

use super::board::Board;
use super::ground::Islands;
use super::news::{FailedLanding, Loss, News};
use super::orders::{Sheet, UnitOrder};
use super::{BIRDS, MONSTERS, is_solid};
use dipjudge_rules::map::{Province, UnitKind};
use dipjudge_rules::position::{Unit, UnitId};

/// A flock that has picked an army up, and their routes, the start included.
#[derive(Clone, Debug)]
pub(super) struct Lift {
    pub flock: UnitId,
    pub army: UnitId,
    flight: Vec<Province>,
    ride: Vec<Province>,
}

fn route(start: Province, further: &[Province]) -> Vec<Province> {
    std::iter::once(start)
        .chain(further.iter().copied())
        .collect()
}

/// Flocks and armies of one space that name each other: an army's own flock first, then by owner (1.7).
pub(super) fn lifts(board: &Board<'_>, sheet: &Sheet) -> Vec<Lift> {
    let mut lifts: Vec<Lift> = Vec::new();
    for army in &board.position.units {
        let UnitOrder::Ride { route: ride, flock } = sheet.order(army.id) else {
            continue;
        };
        let offers = board.position.units.iter().filter_map(|bird| {
            let named = flock.is_none_or(|flock| flock == bird.id);
            let here = bird.kind == BIRDS && bird.at.province == army.at.province;
            match sheet.order(bird.id) {
                UnitOrder::Fly {
                    route,
                    army: Some(id),
                    ..
                } if named && here && *id == army.id => Some((bird, route)),
                _ => None,
            }
        });
        let first = offers.min_by_key(|(bird, _)| (bird.power != army.power, bird.power, bird.id));
        if let Some((bird, flight)) = first {
            lifts.push(Lift {
                flock: bird.id,
                army: army.id,
                flight: route(bird.at.province, flight),
                ride: route(army.at.province, ride),
            });
        }
    }
    lifts
}

/// Where BIRDS may not end: around all who hold and Shoo, unless they were dislodged.
pub(super) fn shooed(board: &Board<'_>, sheet: &Sheet) -> BTreeSet<Province> {
    let ground = board.ground();
    let units = board.position.units.iter();
    let shooing =
        units.filter(|unit| unit.power != MONSTERS && *sheet.order(unit.id) == UnitOrder::Shoo);
    let mut zone = BTreeSet::new();
    for unit in shooing {
        zone.insert(unit.at.province);
        zone.extend(ground.above(unit.at.province));
    }
    zone
}

/// The last space of a route outside the zone, else its first.
fn stop(route: &[Province], zone: &BTreeSet<Province>) -> Option<Province> {
    let outside = route.iter().rev().find(|place| !zone.contains(place));
    outside.or(route.first()).copied()
}

/// An army that is put down on the way.
struct DroppedArmy {
    army: UnitId,
    at: Province,
    flock: UnitId,
    /// Where the BIRDS go if the army is lost, and if not.
    bereaved: Vec<Province>,
    together: Vec<Province>,
    why: FailedLanding,
}

/// Tells who was to be carried, or to carry, and is not: the other side did not agree.
fn tell_no_lift(board: &mut Board<'_>, sheet: &Sheet, lifts: &[Lift]) {
    let lifted = |id: UnitId| lifts.iter().any(|lift| lift.flock == id || lift.army == id);
    for unit in board.position.units.clone() {
        let wants = matches!(
            sheet.order(unit.id),
            UnitOrder::Ride { .. } | UnitOrder::Fly { army: Some(_), .. }
        );
        if wants && !lifted(unit.id) {
            board.tell(News::NoLift(unit));
        }
    }
}

/// Step 1.11: every flight and every passenger ends somewhere. The solid units have moved.
pub(super) fn fly(board: &mut Board<'_>, sheet: &Sheet, lifts: &[Lift]) {
    tell_no_lift(board, sheet, lifts);
    let zone = shooed(board, sheet);
    let mut landed: BTreeSet<Province> = BTreeSet::new();
    let mut landings: Vec<(&Lift, Province)> = Vec::new();
    let mut drops: Vec<DroppedArmy> = Vec::new();
    let mut aims: BTreeMap<Province, u32> = BTreeMap::new();
    for lift in lifts.iter().filter(|lift| lift.flight == lift.ride) {
        if let Some(end) = lift.ride.last() {
            *aims.entry(*end).or_default() += 1;
        }
    }
    for lift in lifts {
        let (Some(&start), Some(&end)) = (lift.ride.first(), lift.ride.last()) else {
            continue;
        };
        if lift.flight != lift.ride {
            let common = lift.flight.iter().zip(&lift.ride);
            let common = common.take_while(|(a, b)| a == b).map(|(a, _)| *a);
            drops.push(DroppedArmy {
                army: lift.army,
                at: common.last().unwrap_or(start),
                flock: lift.flock,
                bereaved: lift.flight.clone(),
                together: lift.flight.clone(),
                why: FailedLanding::Parted,
            });
            continue;
        }
        let stood_off = [
            (is_occupied(board, lifts, end), FailedLanding::Occupied),
            (
                board.state.season.register.contains_key(&end),
                FailedLanding::StandOff,
            ),
            (zone.contains(&end), FailedLanding::Shooed),
            (
                aims.get(&end).is_some_and(|aims| *aims > 1),
                FailedLanding::Another,
            ),
        ];
        let Some((_, why)) = stood_off.into_iter().find(|(is_so, _)| *is_so) else {
            landings.push((lift, end));
            continue;
        };
        let before = lift.ride.len().saturating_sub(2);
        drops.push(DroppedArmy {
            army: lift.army,
            at: lift.ride.get(before).copied().unwrap_or(start),
            flock: lift.flock,
            bereaved: lift.ride.clone(),
            together: lift.ride.iter().take(before + 1).copied().collect(),
            why,
        });
    }
    let mut flights: Vec<(UnitId, Vec<Province>)> = Vec::new();
    for (lift, end) in landings {
        // A flight that was not stood off ends outside the zone.
        flights.push((lift.flock, vec![end]));
        tell_carried(board, lift.army, lift.flock, end, None);
        if board.ground().is_sea(end) {
            board.take_off(lift.army, Loss::Drowned)
        } else {
            landed.insert(end);
            set_down(board, lift.army, end);
        }
    }
    let at_once = |at: Province| drops.iter().filter(|drop| drop.at == at).count();
    let lost: Vec<bool> = drops
        .iter()
        .map(|drop| {
            board.ground().is_sea(drop.at)
                || is_occupied(board, lifts, drop.at)
                || landed.contains(&drop.at)
                || at_once(drop.at) > 1
        })
        .collect();
    for (drop, lost) in drops.iter().zip(lost) {
        let way = if lost { &drop.bereaved } else { &drop.together };
        flights.push((drop.flock, way.clone()));
        tell_carried(board, drop.army, drop.flock, drop.at, Some(drop.why));
        if !lost {
            set_down(board, drop.army, drop.at);
        } else if board.ground().is_sea(drop.at) {
            board.take_off(drop.army, Loss::Drowned);
        } else {
            board.take_off(drop.army, Loss::Dropped);
        }
    }
    alone(board, sheet, lifts, &mut flights);
    for (id, way) in flights {
        if let (Some(end), Some(flock)) = (stop(&way, &zone), board.unit(id).copied()) {
            board.set_down(id, end.into());
            board.tell(News::Flew { flock, to: end });
        }
    }
    if !zone.is_empty() {
        board.tell(News::Shooed(zone.iter().copied().collect()));
    }
    for flock in flocks(board) {
        if zone.contains(&flock.at.province) {
            board.drive_out(flock.id, None);
            board.tell(News::Driven(flock));
        }
    }
    board.state.season.shooed = zone;
}

fn tell_carried(
    board: &mut Board<'_>,
    army: UnitId,
    flock: UnitId,
    at: Province,
    why: Option<FailedLanding>,
) {
    let units = board.unit(army).copied().zip(board.unit(flock).copied());
    if let Some((army, flock)) = units {
        board.tell(News::Carried {
            army,
            flock,
            at,
            why,
        });
    }
}

/// Whether a solid unit that is not carried stands there.
fn is_occupied(board: &Board<'_>, lifts: &[Lift], place: Province) -> bool {
    let carried = |unit: &Unit| lifts.iter().any(|lift| lift.army == unit.id);
    let mut units = board.position.units.iter();
    units.any(|unit| is_solid(unit.kind) && unit.at.province == place && !carried(unit))
}

/// The flights of flocks that carry nobody.
fn alone(
    board: &Board<'_>,
    sheet: &Sheet,
    lifts: &[Lift],
    flights: &mut Vec<(UnitId, Vec<Province>)>,
) {
    for unit in board
        .position
        .units
        .iter()
        .filter(|unit| unit.kind == BIRDS)
    {
        if lifts.iter().any(|lift| lift.flock == unit.id) {
            continue;
        }
        if let UnitOrder::Fly { route: way, .. } = sheet.order(unit.id) {
            flights.push((unit.id, route(unit.at.province, way)));
        }
    }
}

fn flocks(board: &Board<'_>) -> Vec<Unit> {
    let units = board.position.units.iter();
    units.filter(|unit| unit.kind == BIRDS).copied().collect()
}

fn set_down(board: &mut Board<'_>, army: UnitId, at: Province) {
    board.set_down(army, at.into());
    let kind = board.unit(army).map(|unit| unit.kind);
    if kind == Some(UnitKind::ARMY) {
        board.state.season.register.remove(&at);
    }
}

/// Where BIRDS that must retreat can go: within three steps, outside the zone.
pub(super) fn refuges(board: &Board<'_>, flock: &Unit) -> BTreeSet<Province> {
    let ground = board.ground();
    let start = flock.at.province;
    let islands = Islands::for_units_of(flock.power);
    let mut reached = BTreeSet::from([start]);
    for _ in 0..3 {
        let next: BTreeSet<Province> = reached
            .iter()
            .flat_map(|place| ground.air(*place, islands))
            .collect();
        reached.extend(next);
    }
    let zone = &board.state.season.shooed;
    reached.retain(|place| *place != start && !zone.contains(place));
    reached
}
