//! Steps 2 to 6: merging, souls, BORG and LLAMAS.

use std::collections::{BTreeMap, BTreeSet};

use dipjudge::map::Terrain;

use super::board::{Board, Unit};
use super::conditions::{first, holds};
use super::{MONSTERS, SOOTHSAYER, Turn, conventional, ways};

/// Of units that the reference makes; the program never comes so far.
const MADE: u32 = 1_000_000;

impl Board {
    /// A unit that is new, plain in all but what is given.
    pub(super) fn make(&mut self, owner: u8, kind: &str, at: String) -> &mut Unit {
        let made = self.units.iter().filter(|unit| unit.id >= MADE).count() as u32;
        self.units.push(Unit::new(MADE + made, owner, kind, at));
        self.units.last_mut().unwrap()
    }

    /// Destroys units: of each that has sold its soul the soul is lost (3.6).
    pub(super) fn destroy(&mut self, ids: &BTreeSet<u32>) {
        let gone = self.units.iter().filter(|unit| ids.contains(&unit.id));
        for unit in gone.filter(|unit| unit.soul > 0) {
            *self.lost.entry(unit.owner).or_default() += 1;
            self.lost_until.push((unit.owner, unit.soul));
        }
        self.units.retain(|unit| !ids.contains(&unit.id));
        self.destroyed.extend(ids);
    }

    /// The pairs check (3.6), of single twins, and of twins that stand apart where that counts.
    pub(super) fn check_pairs(&mut self, apart: bool) {
        let mut twins: BTreeMap<u8, Vec<&Unit>> = BTreeMap::new();
        for unit in self.units.iter().filter(|unit| unit.siamese) {
            twins.entry(unit.owner).or_default().push(unit);
        }
        let mut parted = BTreeSet::new();
        for pair in twins.values() {
            let lives = match pair.as_slice() {
                [one, other] => {
                    !apart
                        || one.away
                        || other.away
                        || ways::near(self, one.space()).contains(other.space())
                }
                _ => false,
            };
            if !lives {
                parted.extend(pair.iter().map(|unit| unit.id));
            }
        }
        self.destroy(&parted);
    }

    pub(super) fn ids_in(&self, space: &str) -> BTreeSet<u32> {
        let there = self.units.iter().filter(|unit| unit.space() == space);
        there.map(|unit| unit.id).collect()
    }
}

/// Step 2.
pub(super) fn merge(board: &mut Board, turn: &Turn) {
    let predictions = turn.said_by(SOOTHSAYER).predictions.clone();
    let most = 2 + usize::from(board.bonus.contains(&SOOTHSAYER));
    assert!(predictions.len() <= most, "{predictions:?}");
    let mut taken = BTreeSet::new();
    let mut made = Vec::new();
    for (space, wanted) in predictions {
        if board.merged.contains(&space) {
            continue;
        }
        let Some(failed) = board.register.get(&space) else {
            continue;
        };
        let fighters = failed.iter().filter_map(|id| board.unit(*id));
        let fighters: Vec<&Unit> = fighters
            .filter(|unit| unit.owner != MONSTERS && conventional(unit))
            .collect();
        if fighters.len() < 2 {
            continue;
        }
        let walkers = board.walked.iter().filter(|(_, at)| **at == space);
        let walkers = walkers.filter_map(|(id, _)| board.unit(*id));
        let involved: Vec<&Unit> = fighters.into_iter().chain(walkers).collect();
        let sum = |fleets: bool| {
            let some = involved.iter().filter(|unit| (unit.kind == "F") == fleets);
            some.map(|unit| unit.n).sum::<u32>()
        };
        let terrain = ways::terrain(board.map, &space);
        let fleet = match (terrain, sum(true).cmp(&sum(false))) {
            (Terrain::Sea, _) => true,
            (Terrain::Inland, _) => false,
            (_, std::cmp::Ordering::Equal) => wanted.as_deref() == Some("F"),
            (_, order) => order.is_gt(),
        };
        let mut coasts: BTreeMap<String, u32> = BTreeMap::new();
        for unit in involved.iter().filter(|unit| unit.kind == "F") {
            let coast = board.coasts.get(&unit.id).filter(|at| at.contains('/'));
            if let Some(coast) = coast {
                *coasts.entry(coast.clone()).or_default() += unit.n;
            }
        }
        let best = coasts.values().max();
        let coast = coasts.iter().find(|(_, n)| Some(*n) == best);
        let at = match coast {
            Some((coast, _)) if fleet => coast.clone(),
            _ => space.clone(),
        };
        made.push((
            if fleet { "F" } else { "A" },
            at,
            involved.iter().map(|unit| unit.n).sum::<u32>(),
        ));
        taken.extend(involved.iter().map(|unit| unit.id));
        board.merged.insert(space);
    }
    board.units.retain(|unit| !taken.contains(&unit.id));
    for (kind, at, n) in made {
        let free = turn.is("soothsayer-supply", "free");
        let unit = board.make(SOOTHSAYER, kind, at);
        (unit.n, unit.free) = (n, free);
    }
    board.check_pairs(false);
}

/// Step 3.
pub(super) fn run_souls_down(board: &mut Board, turn: &Turn) {
    for unit in &mut board.units {
        unit.soul = unit.soul.saturating_sub(1);
    }
    for (owner, left) in std::mem::take(&mut board.lost_until) {
        match left {
            0 | 1 if turn.is("lost-soul", "timer") => *board.lost.get_mut(&owner).unwrap() -= 1,
            0 | 1 => {}
            _ => board.lost_until.push((owner, left - 1)),
        }
    }
    board.lost.retain(|_, souls| *souls > 0);
}

/// Step 4.
pub(super) fn sell_souls(board: &mut Board, turn: &Turn) {
    let before = board.clone();
    for (seat, said) in &turn.said {
        for (id, condition) in &said.sales {
            if !holds(&before, *seat, condition) {
                continue;
            }
            let once = turn.is("soul-resale", "no");
            let mut units = board.units.iter_mut();
            let unit = units.find(|unit| unit.id == *id && unit.owner == *seat);
            let sells = |unit: &&mut Unit| {
                let whole = conventional(unit) && !unit.free && unit.n == 1;
                whole && unit.soul == 0 && !(once && unit.sold)
            };
            if let Some(unit) = unit.filter(sells) {
                unit.soul = 2;
                // It is noted only where it matters.
                unit.sold = once;
            }
        }
    }
}

/// The best of the spaces by their rings from one of them on; a draw among equals.
fn best(board: &Board, spaces: BTreeSet<String>, from: usize, turn: &Turn) -> Option<String> {
    let eaten = board.units.iter().filter(|unit| unit.owner != MONSTERS);
    let eaten: Vec<&str> = eaten.map(Unit::space).collect();
    let all_rings = ways::Rings::on(board);
    let ringed = spaces.into_iter().map(|space| {
        let mut rings = all_rings.around(&space, &eaten);
        rings.drain(..from);
        // Rings that are empty to the end are no rings.
        while rings.last() == Some(&0) {
            rings.pop();
        }
        (space, rings)
    });
    let ringed: Vec<(String, Vec<usize>)> = ringed.collect();
    let most = ringed.iter().map(|(_, rings)| rings.clone()).max()?;
    let equal = ringed.into_iter().filter(|(_, rings)| *rings == most);
    turn.draw("borg", equal.map(|(space, _)| space).collect())
}

/// Step 5.
pub(super) fn feed_borg(board: &mut Board, turn: &Turn) {
    let meal = |space: &str| {
        let there = board.units.iter().filter(|unit| unit.space() == space);
        there.filter(|unit| unit.owner != MONSTERS).count()
    };
    let to = match &board.borg {
        None if !turn.borg_has_started() => None,
        None => {
            let held = board.units.iter().filter(|unit| unit.owner != MONSTERS);
            let spaces = held.map(|unit| unit.space().to_owned()).collect();
            best(board, spaces, 1, turn)
        }
        Some(at) => {
            let near = ways::near(board, at);
            let here = meal(at);
            match here > 0 && near.iter().all(|space| meal(space) <= here) {
                true => Some(at.clone()),
                false => best(board, near, 0, turn),
            }
        }
    };
    board.borg = to;
    if let Some(at) = board.borg.clone() {
        let eaten = board.ids_in(&at);
        board.eaten.extend(&eaten);
        board.destroy(&eaten);
    }
    board.check_pairs(false);
}

/// Step 6.
pub(super) fn explode(board: &mut Board, turn: &Turn) {
    let before = board.clone();
    let mut fired = BTreeSet::new();
    for (seat, said) in &turn.said {
        let herds = before.herds.get(seat).cloned().unwrap_or_default();
        for space in herds {
            let lines = said.detonations.iter().filter(|line| line.0 == space);
            let lines = lines.map(|(_, condition)| (condition, &()));
            if first(&before, *seat, lines).is_some() {
                fired.insert((*seat, space));
            }
        }
    }
    let mut gone = BTreeSet::new();
    for (seat, space) in fired {
        gone.extend(board.ids_in(&space));
        let left = board.herds.get_mut(&seat).unwrap();
        left.remove(&space);
        board.exploded.insert(space);
    }
    board.herds.retain(|_, left| !left.is_empty());
    board.destroy(&gone);
    board.check_pairs(false);
}
