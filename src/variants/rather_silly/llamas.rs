//! LLAMAS: where herds are put, and how they explode (step 6) [3].

use std::collections::BTreeSet;

use super::board::{Board, TwinRule};
use super::is_island;
use super::news::{Loss, News};
use super::rules::Rules;
use dipjudge_rules::map::{Power, Province};
use dipjudge_rules::position::UnitId;

/// How many herds a power has.
pub(super) const HERDS: usize = 3;

/// Why no herd can be put there.
pub(super) fn objection(
    board: &Board<'_>,
    placed: &BTreeSet<Province>,
    place: Province,
) -> Option<&'static str> {
    if board.ground().is_center(place) {
        Some("No herd can be put in a supply center.")
    } else if is_island(place) {
        Some("Iceland and Corfu are open to the MASTERMIND's units alone.")
    } else if placed.contains(&place) {
        Some("One of your herds is there already.")
    } else if placed.len() >= HERDS {
        Some("You have three herds.")
    } else {
        None
    }
}

/// All that explode do so together; each destroys every unit in its space.
pub(super) fn explode(board: &mut Board<'_>, rules: &Rules, herds: &BTreeSet<(Power, Province)>) {
    let mut spaces = BTreeSet::new();
    let mut herds: Vec<&(Power, Province)> = herds.iter().collect();
    if rules.herd_owner_hidden {
        // The order of their owners would tell whose they were.
        herds.sort_by_key(|(_, place)| *place);
    }
    for (power, place) in herds {
        let own = board.herds.entry(*power).or_default();
        if own.remove(place) {
            spaces.insert(*place);
            board.tell(News::Exploded {
                owner: (!rules.herd_owner_hidden).then_some(*power),
                at: *place,
            });
        }
    }
    let hit = board
        .units()
        .filter(|unit| spaces.contains(&unit.at.province));
    let hit: Vec<UnitId> = hit.map(|unit| unit.id).collect();
    for id in hit {
        board.take_off(id, Loss::Exploded);
    }
    board.state.season.exploded = spaces;
    board.check_pairs(TwinRule::MayBeApart);
}
