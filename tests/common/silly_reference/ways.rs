//! Who touches what (2.1), and rings (3.3).

use std::collections::{BTreeMap, BTreeSet};

use dipjudge::map::{Location, Map, Terrain, Travel};

use super::board::{Board, Unit};
use super::{MASTERMIND, solid};

/// What lies on the UNDERPASS; of these, the pairs that touch on the surface too are of no interest.
const UNDERPASS: [&str; 5] = ["BUR", "MAR", "MUN", "PIE", "TYR"];
const ISLANDS: [&str; 2] = ["COR", "ICE"];

pub fn island(space: &str) -> bool {
    ISLANDS.contains(&space)
}

/// The space of a place that may name a coast.
pub fn space_of(at: &str) -> &str {
    at.split('/').next().unwrap()
}

pub fn terrain(map: &Map, space: &str) -> Terrain {
    map.info(space.parse().unwrap()).unwrap().terrain
}

/// All spaces but the two islands.
pub fn spaces(map: &Map) -> Vec<String> {
    let all = map.provinces().iter().map(|info| info.code.to_string());
    all.filter(|space| !island(space)).collect()
}

/// The places in a space where a fleet can be: its coasts, if it has more than one.
pub(super) fn fleet_places(map: &Map, space: &str) -> Vec<String> {
    let places = map.stations(Travel::Sea, space.parse().unwrap());
    places.iter().map(ToString::to_string).collect()
}

/// The spaces that touch this one on the surface, for armies or fleets.
fn surface(map: &Map, space: &str) -> BTreeSet<String> {
    let near = map.neighbors(space.parse().unwrap()).iter();
    near.map(ToString::to_string).collect()
}

fn below(space: &str) -> BTreeSet<String> {
    if !UNDERPASS.contains(&space) {
        return BTreeSet::new();
    }
    let others = UNDERPASS.iter().filter(|other| **other != space);
    others.map(|other| (*other).to_owned()).collect()
}

fn beyond(board: &Board, space: &str) -> Option<String> {
    let (one, other) = board.link.as_ref()?;
    match space {
        _ if space == one => Some(other.clone()),
        _ if space == other => Some(one.clone()),
        _ => None,
    }
}

/// Whether the way from one space to another is through the UNDERPASS: they touch neither on the surface nor by the LINK.
pub(super) fn is_underpass(board: &Board, from: &str, to: &str) -> bool {
    let above = surface(board.map, from).contains(to) || beyond(board, from).as_deref() == Some(to);
    below(from).contains(to) && !above
}

/// The spaces that a convoy can go to from this one: those that touch it on the surface or by the LINK.
pub fn afloat(board: &Board, space: &str) -> BTreeSet<String> {
    let mut all = surface(board.map, space);
    all.extend(beyond(board, space));
    all
}

/// `near(p)`.
pub fn near(board: &Board, space: &str) -> BTreeSet<String> {
    let mut all = surface(board.map, space);
    all.extend(below(space));
    all.extend(beyond(board, space));
    all
}

/// `near(p)` but for the LINK.
pub(super) fn near_without_link(map: &Map, space: &str) -> BTreeSet<String> {
    let mut all = surface(map, space);
    all.extend(below(space));
    all
}

/// `air(p)` for the BIRDS of a seat.
pub(super) fn air(board: &Board, owner: u8, space: &str) -> BTreeSet<String> {
    let mut all = surface(board.map, space);
    all.extend(beyond(board, space));
    all.retain(|space| owner == MASTERMIND || !island(space));
    all
}

/// `reach(u)`, for a fleet with the coasts.
pub fn reach(board: &Board, unit: &Unit) -> BTreeSet<String> {
    let map = board.map;
    let fleet = matches!(unit.kind.as_str(), "F" | "SEA");
    let travel = if fleet { Travel::Sea } else { Travel::Land };
    let from: Location = unit.at.parse().unwrap();
    let mut all: BTreeSet<String> = map
        .reach(travel, from)
        .iter()
        .map(ToString::to_string)
        .collect();
    if matches!(unit.kind.as_str(), "A" | "FA" | "DOM") {
        all.extend(below(unit.space()));
    }
    if let Some(space) = beyond(board, unit.space()) {
        match fleet {
            true => all.extend(fleet_places(map, &space)),
            false if terrain(map, &space) == Terrain::Sea => {}
            false => {
                all.insert(space);
            }
        }
    }
    all.retain(|at| unit.owner == MASTERMIND || !island(space_of(at)));
    all
}

/// `near` of all spaces, to count rings by.
pub(super) struct Rings(BTreeMap<String, BTreeSet<String>>);

impl Rings {
    pub(super) fn on(board: &Board) -> Rings {
        let all = board.map.provinces().iter();
        let all = all.map(|info| info.code.to_string());
        Rings(
            all.map(|space| (space.clone(), near(board, &space)))
                .collect(),
        )
    }

    /// How many of the spaces stand in each ring of a space, from ring 0.
    pub(super) fn around(&self, space: &str, stand: &[&str]) -> Vec<usize> {
        let mut rings = Vec::new();
        let mut edge = BTreeSet::from([space]);
        let mut seen = edge.clone();
        while !edge.is_empty() {
            rings.push(stand.iter().filter(|at| edge.contains(**at)).count());
            let next = edge.iter().flat_map(|space| &self.0[*space]);
            let next = next.map(String::as_str);
            let next: BTreeSet<&str> = next.filter(|space| !seen.contains(space)).collect();
            seen.extend(&next);
            edge = next;
        }
        rings
    }
}

/// How far each space is from the nearest of these places: for a fleet by its own ways, for all others over land and sea.
pub(super) fn distance(map: &Map, unit: &Unit, centers: &BTreeSet<String>) -> usize {
    let fleet = unit.kind == "F";
    let mut edge = BTreeSet::from([unit.at.clone()]);
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for steps in 0.. {
        if edge.iter().any(|at| centers.contains(space_of(at))) {
            return steps;
        }
        if edge.is_empty() {
            return usize::MAX;
        }
        seen.extend(edge.iter().map(|at| (at.clone(), steps)));
        let next = edge.iter().flat_map(|at| match fleet {
            true => {
                let from: Location = at.parse().unwrap();
                let to = map.reach(Travel::Sea, from).iter();
                to.map(ToString::to_string).collect()
            }
            false => surface(map, at),
        });
        edge = next.filter(|at| !seen.contains_key(at)).collect();
    }
    unreachable!("the map has an end")
}

/// Whether something solid stands there and need not retreat.
pub(super) fn occupied(board: &Board, space: &str) -> bool {
    let mut there = board.units.iter().filter(|unit| unit.space() == space);
    there.any(|unit| solid(unit) && !unit.away)
}
