//! Steps 7 and 8: retreats, and the monsters that arrive.

use std::collections::{BTreeMap, BTreeSet};

use dipjudge::map::{Terrain, Travel};

use super::board::{Board, Unit};
use super::conditions::first;
use super::{DOCTOR, MONSTERS, Turn, solid, ways};

/// Where a unit may retreat to, with coasts.
pub(super) fn choices(board: &Board, unit: &Unit) -> BTreeSet<String> {
    if unit.kind == "B" {
        return flights(board, unit);
    }
    let attacker = board.attackers.get(&unit.id);
    let mut all = ways::reach(board, unit);
    all.retain(|at| Some(ways::space_of(at)) != attacker.map(String::as_str));
    if unit.kind != "FA" {
        all.retain(|at| {
            let space = ways::space_of(at);
            !ways::occupied(board, space) && !board.register.contains_key(space)
        });
    }
    let mut others = board.units.iter();
    let twin = others.find(|other| {
        unit.siamese && other.siamese && other.owner == unit.owner && other.id != unit.id
    });
    if let Some(twin) = twin.filter(|twin| !twin.away) {
        let near = ways::near(board, twin.space());
        all.retain(|at| near.contains(ways::space_of(at)));
    }
    all
}

/// All spaces within three steps in the air where BIRDS may end.
fn flights(board: &Board, unit: &Unit) -> BTreeSet<String> {
    let mut all = BTreeSet::from([unit.at.clone()]);
    for _ in 0..3 {
        let next = all.iter().flat_map(|at| ways::air(board, unit.owner, at));
        let next: Vec<String> = next.collect();
        all.extend(next);
    }
    all.retain(|at| !board.shooed.contains(at));
    all
}

/// Step 7.
pub(super) fn retreat(board: &mut Board, turn: &Turn) {
    let away = board.units.iter().filter(|unit| unit.away);
    let mut to: BTreeMap<u32, String> = BTreeMap::new();
    for unit in away.clone() {
        let open = choices(board, unit);
        let chosen = match unit.owner {
            MONSTERS => loneliest(board, unit, &open, turn),
            owner => {
                let said = turn.said_by(owner);
                let lines = said.retreats.iter().filter(|line| line.0 == unit.id);
                let lines = lines.map(|(_, condition, to)| (condition, to));
                let told = first(board, owner, lines).cloned().flatten();
                told.and_then(|told| meant(&told, &open))
            }
        };
        to.extend(chosen.map(|at| (unit.id, at)));
    }
    let mut met = BTreeSet::new();
    for (id, at) in &to {
        let others = to.iter().filter(|(other, there)| {
            *other != id
                && ways::space_of(there) == ways::space_of(at)
                && solid(board.unit(**other).unwrap())
        });
        if solid(board.unit(*id).unwrap()) && others.count() > 0 {
            met.insert(*id);
        }
    }
    let stays = |unit: &&Unit| to.contains_key(&unit.id) && !met.contains(&unit.id);
    let lost: BTreeSet<u32> = away
        .filter(|unit| !stays(unit))
        .map(|unit| unit.id)
        .collect();
    board.destroy(&lost);
    for unit in board.units.iter_mut().filter(|unit| unit.away) {
        unit.away = false;
        unit.at = to[&unit.id].clone();
    }
    board.check_pairs(true);
}

/// The choice that is meant: a coast need not be named where one alone is open.
fn meant(told: &str, open: &BTreeSet<String>) -> Option<String> {
    if open.contains(told) {
        return Some(told.to_owned());
    }
    let coasts = open.iter().filter(|at| ways::space_of(at) == told);
    let coasts: Vec<&String> = coasts.collect();
    match coasts.as_slice() {
        [only] => Some((*only).clone()),
        _ => None,
    }
}

/// Where monsters retreat to: to a center if they can, else where fewest are around.
fn loneliest(board: &Board, group: &Unit, open: &BTreeSet<String>, turn: &Turn) -> Option<String> {
    let feared = board.units.iter().filter(|unit| unit.id != group.id);
    let feared: Vec<&str> = feared.map(Unit::space).collect();
    let spaces: BTreeSet<&str> = open.iter().map(|at| ways::space_of(at)).collect();
    let all_rings = ways::Rings::on(board);
    let weighed = spaces.into_iter().map(|space| {
        let rings = all_rings.around(space, &feared);
        let center = board.map.centers().contains(&space.parse().unwrap());
        ((!center, rings[1..].to_vec()), space.to_owned())
    });
    let weighed: Vec<((bool, Vec<usize>), String)> = weighed.collect();
    let least = weighed.iter().map(|(weight, _)| padded(weight)).min()?;
    let equal = weighed.iter().filter(|(weight, _)| padded(weight) == least);
    let label = format!("monster-retreat:{}", group.space());
    let space = turn.draw(&label, equal.map(|(_, space)| space.clone()).collect())?;
    // The first coast, where there are two.
    open.iter().find(|at| ways::space_of(at) == space).cloned()
}

/// With as many rings as there can be, so that those beyond the last are empty.
fn padded((far, rings): &(bool, Vec<usize>)) -> (bool, Vec<usize>) {
    let mut rings = rings.clone();
    rings.resize(80, 0);
    (*far, rings)
}

/// Step 8.
pub(super) fn arrive(board: &mut Board, turn: &Turn) {
    let mut all = ways::spaces(board.map);
    all.retain(|space| {
        let right = match ways::terrain(board.map, space) {
            Terrain::Sea => turn.spring,
            Terrain::Inland => !turn.spring,
            _ => true,
        };
        let there = [&board.borg, &board.tardis];
        right && board.ids_in(space).is_empty() && !there.contains(&&Some(space.clone()))
    });
    let (label, kind) = match turn.spring {
        true => ("sea-monsters", "SEA"),
        false => ("space-monsters", "SPACE"),
    };
    let Some(space) = turn.draw(label, all) else {
        return;
    };
    let places = board.map.stations(Travel::Sea, space.parse().unwrap());
    let at = match turn.spring && places.len() > 1 {
        true => {
            let coasts = places.iter().map(ToString::to_string).collect();
            turn.draw("sea-monsters-coast", coasts).unwrap()
        }
        false => space,
    };
    board.make(MONSTERS, kind, at);
}

/// The test of step 8.
pub(super) fn test_victory(board: &mut Board, turn: &Turn) {
    if turn.spring && board.points + board.doctors_centers >= turn.number("doctor-points") {
        board.winners.insert(DOCTOR);
    }
}
