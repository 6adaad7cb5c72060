//! The TARDIS (1.8, 1.12) [15].

use super::board::{Board, Draws};
use super::finished_sheet::FinishedSheet;
use super::news::{Loss, News, TardisTravel};
use super::orders::{Sheet, TardisOrder, UnitOrder};
use super::rules::Rules;
use super::state::Tardis;
use super::{DOCTOR, MONSTERS};
use dipjudge_rules::map::Province;
use dipjudge_rules::position::{Unit, UnitId};

/// Those who hold the TARDIS, at the start of the season.
pub(super) fn holders(board: &Board<'_>, sheet: &Sheet) -> Vec<UnitId> {
    let Tardis::At(here) = board.state.tardis else {
        return Vec::new();
    };
    let units = board.position.units.iter();
    units
        .filter(|unit| unit.power != MONSTERS && unit.at.province == here)
        .filter(|unit| *sheet.order(unit.id) == UnitOrder::HoldTardis)
        .map(|unit| unit.id)
        .collect()
}

/// Step 1.12. All units have moved.
pub(super) fn travel(
    board: &mut Board<'_>,
    rules: &Rules,
    orders: &FinishedSheet,
    holders: &[UnitId],
    draws: Draws<'_>,
) {
    let from = board.state.tardis;
    if from == Tardis::None {
        return;
    }
    let Some(how) = goes(board, rules, orders, holders, draws) else {
        return;
    };
    board.tell(News::Travelled {
        from,
        to: board.state.tardis,
        how: how.clone(),
        by_jester: orders.tardis_by_jester,
    });
    let Tardis::At(here) = board.state.tardis else {
        return;
    };
    let before = board.state.points;
    match how {
        TardisTravel::Landed | TardisTravel::Astray(_) => {
            destroy_monsters(board, here);
            exorcise(board, here);
        }
        TardisTravel::Carried(_) => destroy_monsters(board, here),
        _ => {}
    }
    if board.state.points > before {
        board.tell(News::Points(board.state.points));
    }
}

/// Goes, if it was told to or is held; how.
fn goes(
    board: &mut Board<'_>,
    rules: &Rules,
    orders: &FinishedSheet,
    holders: &[UnitId],
    draws: Draws<'_>,
) -> Option<TardisTravel> {
    let order = orders.tardis;
    let leaves = !matches!(order, TardisOrder::None | TardisOrder::Stay);
    if !holders.is_empty() {
        let units = holders.iter().filter_map(|id| board.unit(*id)).copied();
        let units: Vec<Unit> = units.collect();
        let freed = holders.iter().all(|id| board.must_retreat(*id));
        if !freed || !leaves {
            return Some(TardisTravel::Held(units));
        }
        board.state.tardis = Tardis::Hyperspace;
        return Some(TardisTravel::Freed(units));
    }
    match order {
        TardisOrder::None | TardisOrder::Stay => None,
        TardisOrder::ToHyperspace => {
            board.state.tardis = Tardis::Hyperspace;
            Some(TardisTravel::Left)
        }
        TardisOrder::With(carrier) => carried(board, &orders.sheet, carrier),
        TardisOrder::To(place) if rules.two_legs && board.state.tardis != Tardis::Hyperspace => {
            Some(TardisTravel::NotFromSpace(place))
        }
        TardisOrder::To(ordered) => {
            let place = landing(board, ordered, draws);
            board.state.tardis = Tardis::At(place);
            Some(if place == ordered {
                TardisTravel::Landed
            } else {
                TardisTravel::Astray(ordered)
            })
        }
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
fn carried(board: &mut Board<'_>, sheet: &Sheet, carrier: UnitId) -> Option<TardisTravel> {
    let Tardis::At(from) = board.state.tardis else {
        return None;
    };
    let mut start = board.state.season.start.iter();
    let unit = *start.find(|unit| unit.id == carrier)?;
    let carries = sheet.order(carrier).carries_tardis() && unit.at.province == from;
    let to = match board.unit(carrier) {
        Some(now) if carries => now.at.province,
        _ => from,
    };
    board.state.tardis = Tardis::At(to);
    Some(if to == from {
        TardisTravel::NotCarried(unit)
    } else {
        TardisTravel::Carried(unit)
    })
}

/// A point for each group of monsters there.
fn destroy_monsters(board: &mut Board<'_>, here: Province) {
    let groups = board.in_space(here).filter(|unit| unit.power == MONSTERS);
    let groups: Vec<UnitId> = groups.map(|unit| unit.id).collect();
    for id in groups {
        board.take_off(id, Loss::Banished);
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
        if let Some(unit) = board.unit(id).copied() {
            board.tell(News::Exorcised(unit));
        }
    }
}

/// Whether the DOCTOR has so many points that he wins; his centers are those of the last Winter.
pub(super) fn doctor_wins(board: &Board<'_>, rules: &Rules) -> bool {
    let seated = !board.state.out.contains(&DOCTOR) && board.state.tardis != Tardis::None;
    seated && board.state.points + board.state.doctors_centers >= rules.doctor_points
}
