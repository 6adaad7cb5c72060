//! Step 5: BORG goes to where there is most to eat [2].

use super::board::{Board, Draws, Loss};
use super::rules::Rules;
use super::state::Borg;
use crate::map::Province;
use crate::position::UnitId;

/// He appears, stays or goes, and eats everything in his space.
pub(super) fn eat(board: &mut Board<'_>, rules: &Rules, draws: Draws<'_>) {
    let place = match board.state.borg {
        Borg::Never => return,
        Borg::Due if !has_come(rules, draws.season) => return,
        Borg::Due => appears(board, draws),
        Borg::At(here) => goes(board, here, draws),
    };
    let Some(place) = place else {
        return;
    };
    board.state.borg = Borg::At(place);
    let meal: Vec<UnitId> = board.in_space(place).map(|unit| unit.id).collect();
    board.state.season.eaten.extend(&meal);
    for id in meal {
        board.take_off(id, Loss::Destroyed);
    }
    board.check_pairs(false);
}

/// Whether the season of his first step has come.
fn has_come(rules: &Rules, season: &str) -> bool {
    let start = rules.borg_start.as_deref();
    start.is_some_and(|start| season_number(start) <= season_number(season))
}

/// `S1903` in an order of seasons.
fn season_number(season: &str) -> (u32, bool) {
    let fall = season.starts_with('F');
    let year = season.get(1..).and_then(|year| year.parse().ok());
    (year.unwrap_or(0), fall)
}

/// The spaces with the most units around, ring by ring from `first` on; of equals one is drawn.
fn best(
    board: &Board<'_>,
    spaces: &[Province],
    meals: &[Province],
    first: usize,
    draws: Draws<'_>,
) -> Option<Province> {
    let ground = board.ground();
    let rank = |space: &Province| {
        let rings = ground.rings(*space, meals);
        rings.into_iter().skip(first).collect::<Vec<_>>()
    };
    let most = spaces.iter().map(rank).max()?;
    let best = spaces.iter().filter(|space| rank(space) == most);
    draws.space("borg", best.copied())
}

/// Where he is seen first: at the unit with the most neighbors (R10).
fn appears(board: &Board<'_>, draws: Draws<'_>) -> Option<Province> {
    let meals = board.players_units();
    best(board, &meals, &meals, 1, draws)
}

/// Where he goes: he stays where he is fed unless there is a larger meal next door (R9).
fn goes(board: &Board<'_>, here: Province, draws: Draws<'_>) -> Option<Province> {
    let meals = board.players_units();
    let meal = |place: Province| meals.iter().filter(|at| **at == place).count();
    let near: Vec<Province> = board.ground().near(here).into_iter().collect();
    let most = near.iter().map(|place| meal(*place)).max().unwrap_or(0);
    if meal(here) > 0 && most <= meal(here) {
        return Some(here);
    }
    best(board, &near, &meals, 0, draws)
}
