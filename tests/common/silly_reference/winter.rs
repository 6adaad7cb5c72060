//! Step 9: centers change hands, removals, builds, victory.

use std::collections::BTreeSet;

use dipjudge::map::{Map, Power, Terrain};
use serde_json::Value;

use super::board::{Board, Unit};
use super::conditions::holds;
use super::{DOCTOR, JESTER, MASTERMIND, MONSTERS, SOOTHSAYER, Turn, conventional, solid, ways};

/// Who owns which center (9.1).
pub(super) fn count(board: &mut Board, turn: &Turn) {
    let idle_take = turn.is("noncombat-capture", "yes");
    for center in board.map.centers() {
        let center = center.to_string();
        let there: Vec<&Unit> = board
            .units
            .iter()
            .filter(|unit| unit.space() == center)
            .collect();
        let owner = if board.borg.as_ref() == Some(&center) {
            None
        } else if let Some(unit) = there.iter().find(|unit| solid(unit)) {
            Some(unit.owner).filter(|owner| *owner != MONSTERS)
        } else {
            let idle = there
                .iter()
                .filter(|unit| idle_take && matches!(unit.kind.as_str(), "FA" | "DOM"));
            let mut seats: BTreeSet<u8> = idle.map(|unit| unit.owner).collect();
            if board.tardis.as_ref() == Some(&center) {
                seats.insert(DOCTOR);
            }
            match seats.len() {
                1 => seats.first().copied(),
                _ => board.owners.get(&center).copied(),
            }
        };
        match owner {
            Some(owner) => board.owners.insert(center, owner),
            None => board.owners.remove(&center),
        };
    }
    board.doctors_centers = centers(board, DOCTOR).len() as u32;
}

pub(super) fn centers(board: &Board, seat: u8) -> BTreeSet<String> {
    let own = board.owners.iter().filter(|(_, owner)| **owner == seat);
    own.map(|(center, _)| center.clone()).collect()
}

/// Whether a unit counts when its owner's units are held against his centers.
fn counts(unit: &Unit, turn: &Turn) -> bool {
    let merged_free = turn.is("soothsayer-supply", "free") && unit.n > 1;
    matches!(unit.kind.as_str(), "A" | "F" | "B") && !unit.free && !merged_free
}

fn need(board: &Board, seat: u8, turn: &Turn) -> usize {
    let own = board.units.iter().filter(|unit| unit.owner == seat);
    let own: Vec<&Unit> = own.filter(|unit| counts(unit, turn)).collect();
    let pair = own.iter().any(|unit| unit.siamese);
    own.iter().filter(|unit| !unit.siamese).count() + usize::from(pair)
}

fn capacity(board: &Board, seat: u8) -> usize {
    let lost = board.lost.get(&seat).copied().unwrap_or(0) as usize;
    centers(board, seat).len().saturating_sub(lost)
}

/// The rest of the step but for the victory test.
pub(super) fn adjust(board: &mut Board, turn: &Turn) {
    let before = board.clone();
    for (seat, said) in &turn.said {
        let lines = said.adjusting.iter();
        let lines = lines.filter(|(condition, _)| holds(&before, *seat, condition));
        let lines: Vec<&Value> = lines.map(|(_, then)| then).collect();
        remove(board, *seat, &lines, turn);
        for line in &lines {
            build(board, *seat, &line["Build"], turn);
        }
    }
}

fn take_off(board: &mut Board, unit: &Unit) {
    let gone = |other: &Unit| {
        other.id == unit.id || (unit.siamese && other.siamese && other.owner == unit.owner)
    };
    board.units.retain(|other| !gone(other));
}

/// Removals (9.3, 9.4).
fn remove(board: &mut Board, seat: u8, lines: &[&Value], turn: &Turn) {
    for line in lines {
        let Some(id) = line["Remove"].as_u64() else {
            continue;
        };
        let unit = board.unit(id as u32).filter(|unit| unit.owner == seat);
        let Some(unit) = unit.cloned() else {
            continue;
        };
        let surplus = need(board, seat, turn) > capacity(board, seat);
        let idle = matches!(unit.kind.as_str(), "FA" | "DOM");
        if idle || (surplus && counts(&unit, turn)) {
            take_off(board, &unit);
        }
    }
    let own = centers(board, seat);
    while need(board, seat, turn) > capacity(board, seat) {
        let units = board.units.iter();
        let units = units.filter(|unit| unit.owner == seat && counts(unit, turn));
        let last = units.min_by_key(|unit| {
            let far = std::cmp::Reverse(ways::distance(board.map, unit, &own));
            let kind = ["B", "F", "A"].iter().position(|kind| unit.kind == *kind);
            (far, kind, unit.space().to_owned())
        });
        let last = last.unwrap().clone();
        take_off(board, &last);
    }
    for kind in ["FA", "DOM"] {
        let most = own.len() / 5;
        let mut idle: Vec<(String, u32)> = board
            .units
            .iter()
            .filter(|unit| unit.owner == seat && unit.kind == kind)
            .map(|unit| (unit.at.clone(), unit.id))
            .collect();
        idle.sort();
        let surplus = idle.len().saturating_sub(most);
        let gone: Vec<u32> = idle[..surplus].iter().map(|(_, id)| *id).collect();
        board.units.retain(|unit| !gone.contains(&unit.id));
    }
}

/// Whether a seat may build a unit there (9.5): `at` with the coast.
fn site(board: &Board, seat: u8, kind: &str, at: &str) -> bool {
    let space = ways::space_of(at);
    let map = board.map;
    let owned = board.owners.get(space) == Some(&seat);
    let home = || {
        let homes = map.homes(Power(seat));
        homes.iter().any(|home| home.as_str() == space)
    };
    let site = match seat {
        JESTER => false,
        MASTERMIND => ways::island(space),
        DOCTOR | SOOTHSAYER => owned,
        _ => owned && home(),
    };
    let full = board
        .units
        .iter()
        .any(|unit| unit.space() == space && solid(unit));
    site && board.borg.as_deref() != Some(space)
        && stands(map, kind, at)
        && !(matches!(kind, "A" | "F") && full)
}

fn stands(map: &Map, kind: &str, at: &str) -> bool {
    match kind {
        "F" => ways::fleet_places(map, ways::space_of(at)).contains(&at.to_owned()),
        "B" => !at.contains('/'),
        _ => !at.contains('/') && ways::terrain(map, at) != Terrain::Sea,
    }
}

/// Puts a unit down that was built, and counts fleets (9.6).
fn put(board: &mut Board, seat: u8, kind: &str, at: &str) -> u32 {
    let mut gay = false;
    if kind == "F" {
        let fleets = board.fleets.entry(seat).or_default();
        *fleets += 1;
        gay = fleets.is_multiple_of(5);
    }
    let unit = board.make(seat, kind, at.to_owned());
    unit.gay = gay;
    unit.id
}

fn build(board: &mut Board, seat: u8, what: &Value, turn: &Turn) {
    let room = need(board, seat, turn) < capacity(board, seat);
    let ordinary = !(seat == MASTERMIND && turn.is("mastermind-builds", "free"));
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    if let Some(unit) = what["Unit"].as_array() {
        let (kind, at) = (text(&unit[0]), text(&unit[1]));
        let allowed = match kind.as_str() {
            "A" | "F" | "B" => room && ordinary,
            "FA" | "DOM" => {
                let alike = board.units.iter();
                let alike = alike.filter(|unit| unit.owner == seat && unit.kind == kind);
                ordinary && alike.count() < centers(board, seat).len() / 5
            }
            _ => false,
        };
        if allowed && site(board, seat, &kind, &at) {
            put(board, seat, &kind, &at);
        }
    }
    if let Some(pair) = what["Pair"].as_array() {
        let twin = |at: usize| (text(&pair[at][0]), text(&pair[at][1]));
        let ((one, here), (other, there)) = (twin(0), twin(1));
        let near = ways::near_without_link(board.map, ways::space_of(&here));
        let allowed = room
            && ordinary
            && !board.paired.contains(&seat)
            && near.contains(ways::space_of(&there));
        let sites = [(&one, &here), (&other, &there)];
        let fits = |(kind, at): &(&String, &String)| {
            matches!(kind.as_str(), "A" | "F") && site(board, seat, kind, at)
        };
        if allowed && sites.iter().all(fits) {
            for (kind, at) in sites {
                let id = put(board, seat, kind, at);
                let mut units = board.units.iter_mut();
                units.find(|unit| unit.id == id).unwrap().siamese = true;
            }
            board.paired.insert(seat);
        }
    }
}

/// The first free unit of a seat that can be built (step 10).
pub(super) fn build_free(board: &mut Board, before: &Board, seat: u8, turn: &Turn) -> bool {
    for (condition, then) in &turn.said_by(seat).free_builds {
        let (kind, at) = (then[0].as_str().unwrap(), then[1].as_str().unwrap());
        let fits = matches!(kind, "A" | "F" | "B") && site(board, seat, kind, at);
        if fits && holds(before, seat, condition) {
            let id = put(board, seat, kind, at);
            let mut units = board.units.iter_mut();
            units.find(|unit| unit.id == id).unwrap().free = true;
            return true;
        }
    }
    false
}

/// The test of 9.7.
pub(super) fn test_victory(board: &mut Board, turn: &Turn) {
    let enough = turn.number("victory-centres") as usize;
    for seat in turn.said.keys() {
        if centers(board, *seat).len() >= enough {
            board.winners.insert(*seat);
        }
    }
    if board.points + board.doctors_centers >= turn.number("doctor-points") {
        board.winners.insert(DOCTOR);
    }
    let late = turn.year >= turn.number("jester-year");
    if board.winners.is_empty() && late && turn.seated.contains(&JESTER) {
        board.winners.insert(JESTER);
    }
}

/// The Powers that are out once step 10 of Winter is done.
pub(super) fn count_out(board: &mut Board) {
    for seat in 0..JESTER {
        let stands = board.units.iter().any(|unit| unit.owner == seat);
        if !stands && centers(board, seat).is_empty() {
            board.out.insert(seat);
            board.accounts.remove(&seat);
            board.herds.remove(&seat);
        }
    }
}

/// Whether a unit can be what it is, where it is: held of all units at all times.
pub(super) fn can_be(map: &Map, unit: &Unit) -> bool {
    match unit.kind.as_str() {
        "SEA" => stands(map, "F", &unit.at),
        kind => stands(map, kind, &unit.at) && (unit.n == 1 || conventional(unit)),
    }
}
