//! Step 5: BORG moves to the space with most units and eats them [2].

use std::collections::BTreeSet;

use super::board::{Board, Draws, HalfYear, TwinRule};
use super::news::{Loss, News};
use super::rings::{self, Better, Compared, Round};
use super::rules::Rules;
use super::state::Borg;
use dipjudge_rules::map::Province;
use dipjudge_rules::position::UnitId;

/// Places or moves BORG, who destroys everything in his space.
pub(super) fn eat(board: &mut Board<'_>, rules: &Rules, draws: Draws<'_>) {
    let (from, compared) = match board.state.borg {
        Borg::Never => return,
        Borg::Due if !has_come(rules, draws.season) => return,
        Borg::Due => (None, appears(board)),
        Borg::At(here) => (Some(here), goes(board, here)),
    };
    let Some(place) = draws.space("borg", compared.best) else {
        return;
    };
    board.state.borg = Borg::At(place);
    board.tell(News::Borg {
        from,
        to: place,
        rounds: compared.rounds,
    });
    let meal: Vec<UnitId> = board.in_space(place).map(|unit| unit.id).collect();
    board.state.season.eaten.extend(&meal);
    for id in meal {
        board.take_off(id, Loss::Eaten);
    }
    board.check_pairs(TwinRule::MayBeApart);
}

/// Whether the season has come in which BORG appears.
fn has_come(rules: &Rules, season: &str) -> bool {
    let start = rules.borg_start.as_deref().and_then(year_and_half);
    match (start, year_and_half(season)) {
        (Some(start), Some(now)) => start <= now,
        _ => false,
    }
}

/// The year and the half of it that `S1903` or `F1903` stands for.
fn year_and_half(season: &str) -> Option<(u16, HalfYear)> {
    let (half, year) = match season.split_at_checked(1)? {
        ("S", year) => (HalfYear::Spring, year),
        ("F", year) => (HalfYear::Autumn, year),
        _ => return None,
    };
    Some((year.parse().ok()?, half))
}

/// The spaces with the most units around, ring by ring from `first` on.
fn best(board: &Board<'_>, spaces: &[Province], meals: &[Province], first: usize) -> Compared {
    let ground = board.ground();
    let spaces: BTreeSet<Province> = spaces.iter().copied().collect();
    let ranked = |space: Province| {
        let rings = ground.rings(space, meals);
        (space, rings.into_iter().skip(first).collect())
    };
    let spaces = spaces.into_iter().map(ranked).collect();
    rings::compare(spaces, first, Better::More)
}

/// Where he is seen first: at the unit with the most neighbors (R10).
fn appears(board: &Board<'_>) -> Compared {
    let meals = board.players_units();
    best(board, &meals, &meals, 1)
}

/// Where he goes: he stays where he is fed unless there is a larger meal next door (R9).
fn goes(board: &Board<'_>, here: Province) -> Compared {
    let meals = board.players_units();
    let meal = |place: Province| meals.iter().filter(|at| **at == place).count();
    let near: Vec<Province> = board.ground().near(here).into_iter().collect();
    let counts: Vec<(Province, usize)> = std::iter::once(here)
        .chain(near.iter().copied())
        .map(|place| (place, meal(place)))
        .collect();
    let larger = counts.iter().any(|(_, count)| *count > meal(here));
    if meal(here) > 0 && !larger {
        return Compared {
            best: vec![here],
            rounds: vec![Round { ring: 0, counts }],
        };
    }
    best(board, &near, &meals, 0)
}
