//! The TARDIS (1.8, 1.12) [15].

use super::board::{Board, Draws, Loss};
use super::orders::{Sheet, TardisOrder, Told};
use super::rules::Rules;
use super::state::Tardis;
use super::{DOCTOR, MONSTERS};
use crate::map::Province;
use crate::position::UnitId;

/// Those who hold the TARDIS, at the start of the season.
pub(super) fn holders(board: &Board<'_>, sheet: &Sheet) -> Vec<UnitId> {
    let Tardis::At(here) = board.state.tardis else {
        return Vec::new();
    };
    let units = board.position.units.iter();
    units
        .filter(|unit| unit.power != MONSTERS && unit.at.province == here)
        .filter(|unit| *sheet.told(unit.id) == Told::HoldTardis)
        .map(|unit| unit.id)
        .collect()
}

/// How it came to where it is.
enum Came {
    /// It was there.
    Not,
    Carried,
    Materialized,
}

/// Step 1.12. All units have moved.
pub(super) fn travel(
    board: &mut Board<'_>,
    rules: &Rules,
    sheet: &Sheet,
    order: TardisOrder,
    holders: &[UnitId],
    draws: Draws<'_>,
) {
    let from = board.state.tardis;
    if from == Tardis::None {
        return;
    }
    if !holders.is_empty() {
        let freed = holders.iter().all(|id| board.must_retreat(*id));
        let leaves = !matches!(order, TardisOrder::None | TardisOrder::Stay);
        if freed && leaves {
            board.state.tardis = Tardis::Hyperspace;
        }
        return;
    }
    let came = match order {
        TardisOrder::None | TardisOrder::Stay => Came::Not,
        TardisOrder::ToHyperspace => {
            board.state.tardis = Tardis::Hyperspace;
            Came::Not
        }
        TardisOrder::With(carrier) => carried(board, sheet, carrier),
        TardisOrder::To(_) if rules.two_legs && from != Tardis::Hyperspace => Came::Not,
        TardisOrder::To(place) => {
            board.state.tardis = Tardis::At(landing(board, place, draws));
            Came::Materialized
        }
    };
    let Tardis::At(here) = board.state.tardis else {
        return;
    };
    if !matches!(came, Came::Not) {
        destroy_monsters(board, here);
    }
    if matches!(came, Came::Materialized) {
        exorcise(board, here);
    }
}

/// Where it lands: half of the time elsewhere.
fn landing(board: &Board<'_>, ordered: Province, draws: Draws<'_>) -> Province {
    let lands = draws.one("tardis", &["ok", "bad"], |word| (*word).to_owned());
    if lands == Some("ok") {
        return ordered;
    }
    let ground = board.ground();
    let others = ground.standard_spaces().filter(|place| *place != ordered);
    draws.space("tardis-space", others).unwrap_or(ordered)
}

/// Goes where a unit goes that is ordered to carry it.
fn carried(board: &mut Board<'_>, sheet: &Sheet, carrier: UnitId) -> Came {
    let Tardis::At(from) = board.state.tardis else {
        return Came::Not;
    };
    let start = board
        .state
        .season
        .start
        .iter()
        .find(|unit| unit.id == carrier);
    let both =
        sheet.told(carrier).carries_tardis() && start.is_some_and(|unit| unit.at.province == from);
    let Some(now) = board.unit(carrier).filter(|_| both) else {
        return Came::Not;
    };
    let to = now.at.province;
    board.state.tardis = Tardis::At(to);
    match to == from {
        true => Came::Not,
        false => Came::Carried,
    }
}

/// A point for each group of monsters there.
fn destroy_monsters(board: &mut Board<'_>, here: Province) {
    let groups = board.in_space(here).filter(|unit| unit.power == MONSTERS);
    let groups: Vec<UnitId> = groups.map(|unit| unit.id).collect();
    for id in groups {
        board.take_off(id, Loss::Destroyed);
        board.state.points += 1;
    }
}

/// Souls that are sold come back, a point for each.
fn exorcise(board: &mut Board<'_>, here: Province) {
    let sold = board
        .in_space(here)
        .filter(|unit| board.traits(unit.id).soul > 0);
    let sold: Vec<UnitId> = sold.map(|unit| unit.id).collect();
    for id in sold {
        board.alter(id, |traits| traits.soul = 0);
        board.state.points += 1;
    }
}

/// Whether the DOCTOR has so many points that he wins; his centers are those of the last Winter.
pub(super) fn doctor_wins(board: &Board<'_>, rules: &Rules) -> bool {
    let seated = !board.state.out.contains(&DOCTOR) && board.state.tardis != Tardis::None;
    seated && board.state.points + board.state.doctors_centers >= rules.doctor_points
}
