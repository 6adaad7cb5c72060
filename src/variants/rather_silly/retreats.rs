//! Step 7: retreats [17].

use std::collections::BTreeMap;

use super::board::{Board, Draws, TwinRule};
use super::monsters::MonsterChoice;
use super::names::Flavor;
use super::news::{Loss, News, PrivateNews};
use super::submissions::RetreatChoice;
use super::{BIRDS, FEMALE, MASTERMIND, MONSTERS, birds, is_island, is_solid, monsters};
use dipjudge_rules::map::Location;
use dipjudge_rules::position::{Dislodged, UnitId};

/// Where a unit that must retreat can go.
pub(super) fn options(board: &Board<'_>, one: &Dislodged) -> Vec<Location> {
    let unit = &one.unit;
    if unit.kind == BIRDS {
        let refuges = birds::refuges(board, unit).into_iter();
        return refuges.map(Location::from).collect();
    }
    let ground = board.ground();
    let twin = board.twin(unit).filter(|twin| !board.must_retreat(twin.id));
    let mut options = board.reach(unit);
    options.retain(|to| {
        let place = to.province;
        let open = unit.kind == FEMALE
            || (!board.is_occupied(place) && !board.state.season.register.contains_key(&place));
        let together = twin.is_none_or(|twin| ground.touch(twin.at.province, place));
        let islander = unit.power == MASTERMIND || !is_island(place);
        open && together && islander && one.attacker != Some(place)
    });
    options
}

/// Notes for all where they can go.
pub(super) fn note_options(board: &mut Board<'_>) {
    let all: Vec<Vec<Location>> = board
        .position
        .dislodged
        .iter()
        .map(|one| options(board, one))
        .collect();
    for (one, options) in board.position.dislodged.iter_mut().zip(all) {
        one.options = options;
    }
}

/// Who must retreat does, or is destroyed. Where each can go was noted behind the moves.
pub(super) fn retreat(
    board: &mut Board<'_>,
    ordered: &BTreeMap<UnitId, RetreatChoice>,
    draws: Draws<'_>,
) {
    let leaving = board.position.dislodged.clone();
    let mut goals: Vec<(&Dislodged, Option<Location>)> = Vec::new();
    for one in &leaving {
        let to = match (one.unit.power, ordered.get(&one.unit.id)) {
            (MONSTERS, _) => flee(board, one, draws),
            (_, Some(RetreatChoice::To(to))) => {
                let fits = fitting(&one.options, *to);
                if fits.is_none() {
                    let names = Flavor::on(board.map).names();
                    let kind = names.code(one.unit.kind);
                    let [from, to] = [one.unit.at, *to].map(|at| board.map.full_name(at));
                    let said = format!("{kind} {from} cannot retreat to {to}.");
                    board.tell_alone(one.unit.power, PrivateNews::Failed(said));
                }
                fits
            }
            _ => None,
        };
        goals.push((one, to));
    }
    let met = |place: Location| {
        let same = goals.iter().filter(|(one, to)| {
            is_solid(one.unit.kind) && to.is_some_and(|to| to.province == place.province)
        });
        same.count() > 1
    };
    let ends: Vec<(UnitId, Result<Location, Loss>)> = goals
        .iter()
        .map(|(one, to)| {
            let end = match to {
                Some(to) if is_solid(one.unit.kind) && met(*to) => Err(Loss::Met),
                Some(to) => Ok(*to),
                None if ordered.get(&one.unit.id) == Some(&RetreatChoice::Disband) => {
                    Err(Loss::Disbanded)
                }
                None if one.options.is_empty() => Err(Loss::Cornered),
                None => Err(Loss::Neglected),
            };
            (one.unit.id, end)
        })
        .collect();
    for (id, end) in ends {
        match end {
            Err(how) => board.take_off(id, how),
            Ok(to) => come_back(board, id, to),
        }
    }
    board.check_pairs(TwinRule::MustTouch);
}

/// Where dislodged monsters go.
fn flee(board: &mut Board<'_>, one: &Dislodged, draws: Draws<'_>) -> Option<Location> {
    let MonsterChoice { to, rounds } = monsters::retreat(board, &one.unit, &one.options, draws);
    let to = to?;
    board.tell(News::Fled {
        group: one.unit,
        to: to.province,
        rounds,
    });
    Some(to)
}

/// The option that is meant: a coast may be left out where only one can be reached.
pub(super) fn fitting(options: &[Location], to: Location) -> Option<Location> {
    let mut there = options
        .iter()
        .filter(|option| option.province == to.province);
    if let Some(exact) = there.clone().find(|option| option.coast == to.coast) {
        return Some(*exact);
    }
    let first = there.next()?;
    match (to.coast, first.coast, there.next()) {
        (_, None, _) | (None, _, None) => Some(*first),
        _ => None,
    }
}

fn come_back(board: &mut Board<'_>, id: UnitId, at: Location) {
    let away = &mut board.position.dislodged;
    let Some(index) = away.iter().position(|one| one.unit.id == id) else {
        return;
    };
    let mut unit = away.remove(index).unit;
    unit.at = at;
    board.position.units.push(unit);
    board.position.units.sort_by_key(|unit| unit.id);
}
