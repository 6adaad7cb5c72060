//! Step 1 as it must come out for all that fights and walks; BIRDS with what they carry, and the TARDIS, are taken as they are told.

use std::collections::{BTreeMap, BTreeSet};

use dipjudge::game::Game;
use serde_json::Value;

use super::board::{Board, Unit};
use super::fight::{Fact, Fight};
use super::outcomes::{How, Outcome, outcome};
use super::told::{Does, Told, reached, twin};
use super::{Turn, ways};

/// What a season's movement was like.
#[derive(Clone, Copy, Debug, Default)]
pub struct Met {
    /// A twin moves to where somebody leaves, or from where somebody comes.
    pub twin_in_chain: bool,
    pub twin_in_circle: bool,
    pub twin_in_convoy: bool,
    /// Decisions waited for each other, and one outcome alone was consistent.
    pub only_one: bool,
    pub paradox: bool,
    pub circle: bool,
    /// The rules do not say how a ring comes out.
    pub silent: bool,
}

/// Where a unit is in the end: its place, whether it must retreat, and where it may not retreat to.
type End = (String, bool, Option<String>);

/// Computes a movement, and compares it with what the program has come to.
pub(super) fn movement(
    before: &Game,
    end: &Board,
    shown: &Board,
    step: &Value,
    turn: &Turn,
) -> Met {
    let start = Board::of(before);
    let told = Told::new(&start, before, turn);
    let fight = Fight::new(&start, &told, turn);
    let outcome = outcome(&fight);
    let mut computed = start.clone();
    let ends = ends(&start, &told, &fight, &outcome);
    for unit in &mut computed.units {
        if let Some((at, away, attacker)) = ends.get(&unit.id) {
            (unit.at, unit.away) = (at.clone(), *away);
            computed.attackers.remove(&unit.id);
            if let Some(attacker) = attacker {
                computed.attackers.insert(unit.id, attacker.clone());
            }
        }
    }
    let taken = taken(&told, &start, step);
    let explained = || explain(&start, &told, &outcome);
    // Twins that stand apart are lost; those of which one was taken otherwise are none of ours.
    for unit in start.units.iter().filter(|unit| unit.siamese) {
        let other = twin(&start, unit).unwrap();
        let (one, other) = (
            computed.unit(unit.id).unwrap(),
            computed.unit(other.id).unwrap(),
        );
        let near = ways::near(&computed, one.space()).contains(other.space());
        let lost = !near && !one.away && !other.away;
        assert_eq!(
            lost,
            shown.unit(unit.id).is_none(),
            "{}: {unit:?} and its twin\n{}",
            turn.season,
            explained()
        );
    }
    for unit in &computed.units {
        let Some(is) = shown.unit(unit.id).filter(|_| !taken.contains(&unit.id)) else {
            continue;
        };
        // Of units that were destroyed in later steps of the phase nothing is kept.
        let kept = end.unit(unit.id).is_some();
        let attacker = |board: &Board| board.attackers.get(&unit.id).filter(|_| kept).cloned();
        let is_end = (is.at.clone(), is.away, attacker(end));
        let should = (unit.at.clone(), unit.away, attacker(&computed));
        assert_eq!(
            is_end,
            should,
            "{}: {unit:?} (left: the program, right: by the rules)\n{}",
            turn.season,
            explained()
        );
    }
    let mut register = register(&fight, &outcome);
    // Where an army has been put down it is no longer empty.
    let landed = shown
        .units
        .iter()
        .filter(|unit| told.carried.contains(&unit.id));
    for army in landed.filter(|army| army.kind == "A") {
        register.remove(army.space());
    }
    assert_eq!(
        end.register,
        register,
        "{}: stand-offs (left: the program, right: by the rules)\n{}",
        turn.season,
        explained()
    );
    met(&start, &fight, &outcome)
}

/// The units that nothing is computed of: BIRDS, who is carried by them, and what the TARDIS destroyed.
fn taken(told: &Told, start: &Board, step: &Value) -> BTreeSet<u32> {
    let birds = start.units.iter().filter(|unit| unit.kind == "B");
    let mut all: BTreeSet<u32> = birds.map(|unit| unit.id).collect();
    all.extend(&told.carried);
    for lost in step["lost"].as_array().into_iter().flatten() {
        if lost["how"] == "banished" {
            all.insert(lost["unit"]["id"].as_u64().unwrap() as u32);
        }
    }
    all
}

fn is(fight: &Fight, outcome: &Outcome, fact: Fact) -> bool {
    fight.number(fact).is_some_and(|fact| outcome.so[fact])
}

/// Where all that fights and walks ends.
fn ends(start: &Board, told: &Told, fight: &Fight, outcome: &Outcome) -> BTreeMap<u32, End> {
    let mut ends = BTreeMap::new();
    for (number, fighter) in fight.fighters.iter().enumerate() {
        let unit = start.unit(fighter.id).unwrap();
        let moved = is(fight, outcome, Fact::Moves(number));
        let away = is(fight, outcome, Fact::Dislodged(number));
        let mut intruders = fighter.intruders.iter();
        let by = intruders.find(|by| is(fight, outcome, Fact::Moves(**by)));
        let walked = by.filter(|by| away && fight.fighters[**by].convoy.is_none());
        let attacker = walked.map(|by| fight.fighters[*by].space.clone());
        let at = match told.of(unit) {
            Does::Moves { to, .. } if moved => coast(start, unit, to),
            _ => unit.at.clone(),
        };
        ends.insert(fighter.id, (at, away, attacker));
    }
    let walkers = start.units.iter().filter(|unit| {
        matches!(unit.kind.as_str(), "FA" | "DOM") && !told.carried.contains(&unit.id)
    });
    for unit in walkers {
        let mut passages = fight.passages.iter();
        let passage = passages.position(|passage| passage.id == unit.id);
        let stands = |passage| is(fight, outcome, Fact::Convoy(passage));
        let at = match told.of(unit) {
            Does::Moves { to, .. } if passage.is_none_or(stands) => to.clone(),
            _ => unit.at.clone(),
        };
        ends.insert(unit.id, (at, false, None));
    }
    for (female, victim) in &told.distractions {
        let she = ends[female].0.clone();
        let Some((he, away, _)) = ends.get(victim) else {
            continue;
        };
        if ways::space_of(he) == she && !away {
            let from = start.unit(*victim).unwrap().space().to_owned();
            let from = Some(from).filter(|from| *from != she);
            ends.insert(*female, (she, true, from));
        }
    }
    ends
}

/// Where it arrives: a coast need not be named where one alone can be reached.
fn coast(start: &Board, unit: &Unit, to: &str) -> String {
    let reach = ways::reach(start, unit);
    if reach.contains(to) || !reached(start, unit, to) {
        return to.to_owned();
    }
    let mut there = reach.iter().filter(|at| ways::space_of(at) == to);
    there.next().unwrap().clone()
}

/// Spaces that are empty behind the moves, into which moves with a way failed (M12). Who is beaten by a unit that comes the
/// other way keeps nobody out of where that came from.
fn register(fight: &Fight, outcome: &Outcome) -> BTreeMap<String, BTreeSet<u32>> {
    let mut occupied = BTreeSet::new();
    for (number, fighter) in fight.fighters.iter().enumerate() {
        let moved = is(fight, outcome, Fact::Moves(number));
        occupied.extend(if moved {
            fighter.goal.clone()
        } else {
            Some(fighter.space.clone())
        });
    }
    let mut register: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
    for fighter in &fight.fighters {
        let has_way = fighter
            .convoy
            .is_none_or(|at| is(fight, outcome, Fact::Convoy(at)));
        let beaten = fighter
            .head_on
            .is_some_and(|other| is(fight, outcome, Fact::Moves(other)));
        if let Some(goal) = fighter
            .goal
            .as_ref()
            .filter(|goal| !occupied.contains(*goal))
            && has_way
            && !beaten
        {
            register.entry(goal.clone()).or_default().insert(fighter.id);
        }
    }
    register
}

fn met(start: &Board, fight: &Fight, outcome: &Outcome) -> Met {
    let is_twin = |number: usize| start.unit(fight.fighters[number].id).unwrap().siamese;
    let moves = |number: &usize| fight.fighters[*number].goal.is_some();
    let mut met = Met {
        only_one: outcome.how == How::OnlyOne,
        paradox: outcome.how == How::Paradox,
        circle: outcome.how == How::Circle,
        silent: outcome.how == How::Silent,
        ..Met::default()
    };
    for number in (0..fight.fighters.len()).filter(moves) {
        if let Some(circle) = fight.circle(number) {
            met.twin_in_circle |= circle.into_iter().any(is_twin);
        } else if let Some(next) = fight.fighters[number].occupant.filter(moves) {
            met.twin_in_chain |= is_twin(number) || is_twin(next);
        }
    }
    for passage in &fight.passages {
        let carried = start.unit(passage.id).unwrap().siamese;
        let carriers = passage.carriers.iter();
        met.twin_in_convoy |= !passage.carriers.is_empty() && carried;
        met.twin_in_convoy |= carriers.copied().any(is_twin);
    }
    met
}

/// What was to be computed, for a reader.
fn explain(start: &Board, told: &Told, outcome: &Outcome) -> String {
    let mut text = format!("{:?}\n", outcome.how);
    if let Some((one, other)) = &start.link {
        text.push_str(&format!("LINK {one}-{other}\n"));
    }
    for unit in &start.units {
        text.push_str(&format!("{} {unit:?} {:?}\n", unit.id, told.of(unit)));
    }
    text
}
