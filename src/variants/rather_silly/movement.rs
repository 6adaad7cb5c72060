//! Step 1: the order sheet is rewritten pass by pass, then everything moves (3.4).

use std::collections::{BTreeMap, BTreeSet};

use super::board::{Board, Draws, TwinRule};
use super::distraction;
use super::finished_sheet::FinishedSheet;
use super::news::{News, PrivateNews};
use super::orders::{Sheet, Source, TardisOrder, UnitOrder};
use super::rules::Rules;
use super::state::SeasonRecord;
use super::submissions::{Jest, SubmissionsByPower};
use super::{
    DOCTOR, JESTER, MONSTERS, bigotry, birds, combat, is_conventional, is_idle_army, monsters,
    siamese, tardis,
};
use dipjudge_rules::adjudicator::{self, Resolution};
use dipjudge_rules::map::{Location, Province, ProvinceSet, UnitKind};
use dipjudge_rules::orders::{Action, Passage, needed_in_chain};
use dipjudge_rules::position::{Position, Unit, UnitId};

/// Passes 1.1 to 1.6.
pub(super) fn write_orders(
    board: &Board<'_>,
    rules: &Rules,
    everybody: &SubmissionsByPower,
    draws: Draws<'_>,
) -> FinishedSheet {
    let mut sheet = Sheet::default();
    for (id, order) in everybody.values().flat_map(|all| &all.orders) {
        sheet.write(*id, order.clone(), Source::Owner, None);
    }
    let doctor = everybody.get(&DOCTOR);
    let mut tardis = doctor.map(|all| all.tardis).unwrap_or_default();
    let doctor_spoke = tardis != TardisOrder::None;
    let mut tardis_by_jester = false;
    for jest in everybody.get(&JESTER).iter().flat_map(|all| &all.jests) {
        match jest {
            Jest::Unit(id, order) => sheet.write(*id, order.clone(), Source::Jester, None),
            Jest::Tardis(order) => (tardis, tardis_by_jester) = (*order, true),
        }
    }
    let distractions = distraction::distract(board, rules, &mut sheet, draws);
    bigotry::provoke(board, rules, &mut sheet, draws);
    siamese::hold_together(board, &mut sheet);
    let hunts = monsters::order(board, &mut sheet, draws);
    FinishedSheet {
        sheet,
        tardis,
        tardis_by_jester,
        doctor_is_overruled: tardis_by_jester && doctor_spoke,
        distractions,
        hunts,
    }
}

/// What a season's movement came to.
pub(super) struct MovementResult {
    pub orders: FinishedSheet,
    pub resolution: Resolution,
}

/// All of step 1.
pub(super) fn move_all(
    board: &mut Board<'_>,
    rules: &Rules,
    everybody: &SubmissionsByPower,
    draws: Draws<'_>,
) -> MovementResult {
    board.state.season = SeasonRecord {
        start: board.units().copied().collect(),
        ..SeasonRecord::default()
    };
    let orders = write_orders(board, rules, everybody, draws);
    tell_orders(board, &orders);
    let lifts = birds::lifts(board, &orders.sheet);
    let carried: Vec<UnitId> = lifts.iter().map(|lift| lift.army).collect();
    let sheet = combat::sheet(board, rules, &orders.sheet, &carried);
    let resolution = adjudicator::checked_movement(board.map, &board.position, &sheet);
    let holders = tardis::holders(board, &orders.sheet);
    carry_out(board, &orders, &resolution, &lifts);
    tardis::travel(board, rules, &orders, &holders, draws);
    send_females_away(board, &orders.distractions.in_force);
    board.check_pairs(TwinRule::MustTouch);
    MovementResult { orders, resolution }
}

/// Tells all what units do that somebody else than their owner has them do, and whoever ordered something else what it was.
fn tell_orders(board: &mut Board<'_>, orders: &FinishedSheet) {
    for unit in board.position.units.clone() {
        let all = orders.sheet.all(unit.id);
        let Some((last, before)) = all.split_last() else {
            continue;
        };
        if !matches!(last.source, Source::Owner | Source::Judge) {
            let because = last.because.and_then(|id| board.unit(id)).copied();
            board.tell(News::Changed {
                unit,
                by: last.source,
                because,
                order: last.order.clone(),
            });
        }
        for replaced in before {
            let author = match replaced.source {
                Source::Owner => unit.power,
                Source::Jester => JESTER,
                _ => continue,
            };
            let order = replaced.order.clone();
            board.tell_alone(author, PrivateNews::Replaced { unit, order });
        }
    }
    if orders.doctor_is_overruled {
        board.tell_alone(DOCTOR, PrivateNews::Overruled);
    }
    for (female, why) in &orders.distractions.vain {
        board.tell(News::NoDistraction(*female, *why));
    }
    for hunt in &orders.hunts {
        board.tell(hunt.clone());
    }
}

/// Everything moves, and what it came to is noted for later steps.
fn carry_out(
    board: &mut Board<'_>,
    orders: &FinishedSheet,
    resolution: &Resolution,
    lifts: &[birds::Lift],
) {
    let before = board.position.clone();
    board.position = resolution.apply(&before);
    walk(board, orders, resolution);
    let season = &mut board.state.season;
    for stand_off in &resolution.stand_offs {
        let units = stand_off.contenders.clone();
        season.register.insert(stand_off.province, units);
    }
    birds::fly(board, &orders.sheet, lifts);
    note(board, orders, &before);
}

/// FEMALE and DIRTY OLD MAN armies always arrive, by convoy if it stands (1.10).
fn walk(board: &mut Board<'_>, orders: &FinishedSheet, resolution: &Resolution) {
    let walking: Vec<Unit> = board
        .position
        .units
        .iter()
        .filter(|unit| is_idle_army(unit.kind))
        .copied()
        .collect();
    for unit in walking {
        let Some((to, by)) = orders.sheet.order(unit.id).moves() else {
            continue;
        };
        let walks = board.reaches(&unit, to.province) && !goes_by_sea(board, orders, &unit, to, by);
        if walks || is_carried(resolution, &unit, to, by) {
            board.set_down(unit.id, to.province.into())
        } else {
            board.tell(News::NoConvoy(unit))
        }
    }
}

/// Whether a move that could be made on foot is ordered by convoy: the order says so, or a fleet of the same owner that could
/// have a part in it is ordered to convoy it (DATC 4.A.3). A twin on land convoys nobody but its twin.
fn goes_by_sea(
    board: &Board<'_>,
    orders: &FinishedSheet,
    army: &Unit,
    to: Location,
    by: &Passage,
) -> bool {
    let convoy = UnitOrder::Common(Action::Convoy {
        from: army.at.province,
        to: to.province,
    });
    match by {
        Passage::Land => false,
        Passage::Convoy | Passage::Route(_) => true,
        Passage::Auto => {
            let start = &board.state.season.start;
            let is_at_sea = |unit: &&Unit| {
                unit.kind == UnitKind::FLEET && board.ground().is_sea(unit.at.province)
            };
            let seas = start.iter().filter(is_at_sea);
            let seas: ProvinceSet = seas
                .filter_map(|unit| board.map.number(unit.at.province))
                .collect();
            let overlay = board.ground().overlay();
            let (from, to) = (army.at.province, to.province);
            let mut own = start.iter().filter(is_at_sea);
            own.any(|unit| {
                unit.power == army.power
                    && *orders.sheet.order(unit.id) == convoy
                    && needed_in_chain(board.map, &overlay, from, to, unit.at.province, seas)
            })
        }
    }
}

/// Whether the convoy of an army stands; where its order names the spaces, through these.
fn is_carried(resolution: &Resolution, army: &Unit, to: Location, by: &Passage) -> bool {
    let mut routes = resolution.routes.iter();
    routes.any(|route| {
        let through_named = match by {
            Passage::Route(spaces) => spaces.iter().all(|space| route.through.contains(space)),
            _ => true,
        };
        route.from == army.at.province && route.to == to.province && route.stands && through_named
    })
}

fn note(board: &mut Board<'_>, orders: &FinishedSheet, before: &Position) {
    let mut moves = Vec::new();
    for unit in &before.units {
        let order = orders.sheet.order(unit.id);
        let to: Option<Province> = match order {
            UnitOrder::Fly { route, .. } | UnitOrder::Ride { route, .. } => route.last().copied(),
            order => order.destination(),
        };
        let Some(to) = to else {
            continue;
        };
        let now = board.unit(unit.id).map(|unit| unit.at.province);
        let arrived = now == Some(to) && !board.must_retreat(unit.id);
        moves.push((unit, order.clone(), to, arrived));
    }
    let season = &mut board.state.season;
    for (unit, order, to, arrived) in moves {
        season.moves.insert(unit.id, to);
        if arrived {
            season.arrived.insert(unit.id);
        }
        if let Some(place) = order.goal()
            && season.register.contains_key(&to)
        {
            season.coasts.insert(unit.id, place);
            if is_idle_army(unit.kind) && arrived {
                season.walked.insert(unit.id, to);
            }
        }
    }
}

/// A FEMALE ARMY whose victim has come to her, or stayed with her, must leave (R61).
fn send_females_away(board: &mut Board<'_>, in_force: &BTreeMap<UnitId, UnitId>) {
    for (female, victim) in in_force {
        let Some(she) = board.unit(*female).copied() else {
            continue;
        };
        let at = she.at.province;
        let mut units = board.position.units.iter();
        let Some(he) = units.find(|unit| unit.id == *victim && unit.at.province == at) else {
            continue;
        };
        let he = *he;
        let start = board.state.season.start.iter();
        let came_from = start
            .filter(|unit| unit.id == *victim)
            .map(|unit| unit.at.province)
            .find(|from| *from != at);
        board.drive_out(*female, came_from);
        board.tell(News::MustLeave {
            female: she,
            victim: he,
        });
    }
}

/// Spaces in the register in which moves of at least two players' armies or fleets failed (R92): what can be foreseen.
pub(super) fn stand_offs(board: &Board<'_>) -> BTreeSet<Province> {
    let fought = |id: &UnitId| {
        let start = board.state.season.start.iter().find(|unit| unit.id == *id);
        start.is_some_and(|unit| unit.power != MONSTERS && is_conventional(unit.kind))
    };
    let register = board.state.season.register.iter();
    register
        .filter(|(_, units)| units.iter().filter(|id| fought(id)).count() >= 2)
        .map(|(place, _)| *place)
        .collect()
}
