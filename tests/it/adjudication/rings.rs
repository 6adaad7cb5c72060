//! Rings: where exactly one outcome is consistent it is that one, whatever waits for whatever. Small boards full of chains,
//! circles, twins and convoys, each compared with [`Trial`].

use super::by_trial::{Decided, Refused, Trial};
use super::tangles::board;
use dipjudge::adjudicator::{Resolution, movement};
use dipjudge::map::Map;

/// Boards with more decisions than this are not tried.
const MOST_DECISIONS: usize = 11;

/// What the boards of a run were like.
#[derive(Debug, Default)]
struct Met {
    /// One consistent outcome.
    one: usize,
    /// One, on a board with a circle of moves.
    one_with_circle: usize,
    /// One, on a board with help without an order.
    one_with_help: usize,
    /// No consistent outcome.
    none: usize,
    /// Several.
    several: usize,
    /// An army that a paradox kept from going.
    paradox: usize,
}

/// Whether one of these outcomes is what the resolution tells, and no circle of moves fails in it that succeeds in another.
fn is_one_of(
    trial: &Trial<'_>,
    found: &[Decided],
    refused: &Refused,
    resolution: &Resolution,
) -> bool {
    let circles = trial.circles();
    let turns = |decided: &Decided| {
        circles
            .iter()
            .filter(|&&mover| decided.moved[mover])
            .count()
    };
    let most = found.iter().map(turns).max();
    let told = found
        .iter()
        .find(|decided| trial.difference(decided, refused, resolution).is_none());
    told.is_some_and(|told| Some(turns(told)) == most)
}

/// Where there is not one outcome alone: paradoxical convoys do not stand and help in a ring may be cut, and everything
/// else follows from the rest.
fn goes_by_the_rules(
    trial: &Trial<'_>,
    found: &[Decided],
    resolution: &Resolution,
) -> Result<(), String> {
    let convoys = trial.paradoxes(resolution);
    for &mover in &convoys {
        let stands = |decided: &Decided| trial.stands(decided, &Refused::default(), mover);
        let agreed = found.iter().all(stands) || !found.iter().any(stands);
        if !found.is_empty() && agreed {
            return Err(format!("the convoy of unit {mover} is in no paradox"));
        }
    }
    for cut in 0..1_u32 << trial.helps() {
        let refused = Refused {
            convoys: convoys.clone(),
            helps: (0..trial.helps())
                .filter(|help| cut >> help & 1 == 1)
                .collect(),
        };
        if is_one_of(trial, &trial.consistent(&refused), &refused, resolution) {
            return Ok(());
        }
    }
    Err("the outcome follows from no rule".to_owned())
}

fn compare(seed: u64, met: &mut Met) -> Result<(), String> {
    let map = Map::standard();
    let (position, sheet) = board(map, seed);
    let trial = Trial::new(map, &position, &sheet);
    if trial.decisions() > MOST_DECISIONS {
        return Ok(());
    }
    let resolution = movement(map, &position, &sheet);
    let nothing = Refused::default();
    let found = trial.consistent(&nothing);
    met.paradox += trial.paradoxes(&resolution).len();
    let judged = match found.as_slice() {
        [only] => {
            met.one += 1;
            met.one_with_circle += usize::from(!trial.circles().is_empty());
            met.one_with_help += usize::from(trial.helps() > 0);
            match trial.difference(only, &nothing, &resolution) {
                None => Ok(()),
                Some(difference) => Err(format!("only one outcome is consistent: {difference}")),
            }
        }
        [] => {
            met.none += 1;
            goes_by_the_rules(&trial, &found, &resolution)
        }
        _ => {
            met.several += 1;
            goes_by_the_rules(&trial, &found, &resolution)
        }
    };
    judged.map_err(|why| {
        format!(
            "board {seed}: {why}\n{:?}\n{sheet:?}\n{:?}",
            position.units, resolution.outcomes
        )
    })
}

#[test]
fn rings_come_out_as_the_only_consistent_outcome() {
    let mut met = Met::default();
    let mut wrong = Vec::new();
    for seed in 1..=boards() {
        wrong.extend(compare(seed, &mut met).err());
    }
    let first = wrong.first().cloned().unwrap_or_default();
    assert!(
        wrong.is_empty(),
        "{} boards, {met:?}, the first: {first}",
        wrong.len()
    );
    println!("{met:?}");
    let hundredths = usize::try_from(boards()).unwrap() / 100;
    assert!(
        met.one_with_circle > 10 * hundredths && met.one_with_help > 10 * hundredths,
        "{met:?}"
    );
    assert!(
        met.none > 0 && met.several > hundredths && met.paradox > hundredths / 2,
        "{met:?}"
    );
}

/// How many boards are tried; more where the environment asks for them.
fn boards() -> u64 {
    let asked = std::env::var("BOARDS").ok();
    asked.and_then(|count| count.parse().ok()).unwrap_or(6000)
}
