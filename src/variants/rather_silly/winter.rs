//! Step 9: centers change hands, units are removed and built (3.5) [9] [11] [12] [18]; and what is built for free (step 10).

use std::collections::BTreeSet;

use super::board::Board;
use super::conditions::Conditional;
use super::names::Flavor;
use super::news::{Loss, News, PrivateNews};
use super::rules::Rules;
use super::sites::{can_build, needs_center, objection_to_pair};
use super::state::{Borg, Tardis, WHOLE};
use super::submissions::{AdjustmentOrder, Build, SubmissionsByPower};
use super::tardis::doctor_wins;
use super::{BIRDS, DOCTOR, DOM, FEMALE, JESTER, MASTERMIND, MONSTERS, conditions};
use dipjudge_rules::map::{Location, Power, Province, Travel, UnitKind};
use dipjudge_rules::position::{Unit, UnitId};

/// Updates the owner of each center (9.1).
pub(super) fn count(board: &mut Board<'_>, rules: &Rules) {
    let centers: Vec<Province> = board.map.centers().to_vec();
    for center in centers {
        let owner = board.position.owners.get(&center).copied();
        let owner = match (board.state.borg == Borg::At(center), board.solid(center)) {
            (true, _) => None,
            (false, Some(unit)) if unit.power == MONSTERS => None,
            (false, Some(unit)) => Some(unit.power),
            (false, None) => alone_in(board, rules, center).or(owner),
        };
        let before = match owner {
            Some(owner) => board.position.owners.insert(center, owner),
            None => board.position.owners.remove(&center),
        };
        if before != owner {
            board.tell(News::Owned {
                center,
                before,
                now: owner,
            });
        }
    }
    board.state.doctors_centers = board.position.centers_of(DOCTOR).count() as u32;
}

/// The one seat that has a FEMALE or DIRTY OLD MAN ARMY or the TARDIS there.
fn alone_in(board: &Board<'_>, rules: &Rules, center: Province) -> Option<Power> {
    let takes = |kind: UnitKind| (kind == FEMALE || kind == DOM) && !rules.idle_take_nothing;
    let units = board.in_space(center).filter(|unit| takes(unit.kind));
    let mut seats: BTreeSet<Power> = units.map(|unit| unit.power).collect();
    if board.state.tardis == Tardis::At(center) {
        seats.insert(DOCTOR);
    }
    if seats.len() == 1 {
        seats.pop_first()
    } else {
        None
    }
}

/// How many centers are available for a seat's units (9.2).
fn capacity(board: &Board<'_>, seat: Power) -> usize {
    let centers = board.position.centers_of(seat).count();
    let lost = board.state.lost_souls.get(&seat).copied().unwrap_or(0);
    centers.saturating_sub(lost as usize)
}

/// How many centers a seat's units need: one each, none for free units, and one for a SIAMESE pair.
fn need(board: &Board<'_>, seat: Power) -> usize {
    let own = |unit: &&Unit| unit.power == seat && needs_center(unit.kind);
    let units: Vec<&Unit> = board.units().filter(own).collect();
    let traits = |unit: &Unit| board.traits(unit.id);
    let single = units
        .iter()
        .filter(|unit| !traits(unit).free && !traits(unit).siamese);
    let pair = units.iter().any(|unit| traits(unit).siamese);
    single.count() + usize::from(pair)
}

/// Builds that are due to a seat, or removals as a negative number: what its ordinary units need and may need.
pub(super) fn due(board: &Board<'_>, seat: Power) -> i32 {
    let signed = |count: usize| i32::try_from(count).unwrap_or(i32::MAX);
    signed(capacity(board, seat)) - signed(need(board, seat))
}

/// Removes and builds for every seat (9.3 to 9.6).
pub(super) fn adjust(board: &mut Board<'_>, rules: &Rules, everybody: &SubmissionsByPower) {
    let seats: BTreeSet<Power> = all_seats(board, everybody);
    let before = board.clone();
    for seat in seats {
        let lines: Vec<AdjustmentOrder> = everybody
            .get(&seat)
            .into_iter()
            .flat_map(|all| &all.adjusting)
            .filter(|line| conditions::holds(&before, seat, line.condition.as_ref()))
            .map(|line| line.then)
            .collect();
        remove(board, seat, &lines);
        disband_idle(board, seat, &lines);
        for line in &lines {
            if let AdjustmentOrder::Build(build) = line
                && !built(board, rules, seat, build)
            {
                let said = format!("{} could not be built.", written(board, build));
                board.tell_alone(seat, PrivateNews::Failed(said));
            }
        }
    }
}

/// What was to be built, in words.
fn written(board: &Board<'_>, build: &Build) -> String {
    let names = Flavor::on(board.map).names();
    let unit =
        |kind: UnitKind, at: Location| format!("{} {}", names.code(kind), board.map.full_name(at));
    match *build {
        Build::Unit(kind, at) => unit(kind, at),
        Build::Pair((kind, at), (other, there)) => {
            format!("{} with {}", unit(kind, at), unit(other, there))
        }
    }
}

fn all_seats(board: &Board<'_>, everybody: &SubmissionsByPower) -> BTreeSet<Power> {
    let owners = board.units().map(|unit| unit.power);
    let mut seats: BTreeSet<Power> = owners.chain(everybody.keys().copied()).collect();
    seats.remove(&MONSTERS);
    seats
}

/// Removes the units that a seat has too many: first those that it names, then those farthest from home (9.3).
fn remove(board: &mut Board<'_>, seat: Power, lines: &[AdjustmentOrder]) {
    for line in lines {
        if let AdjustmentOrder::Remove(id) = line
            && need(board, seat) > capacity(board, seat)
            && board
                .unit(*id)
                .is_some_and(|unit| can_be_removed(board, unit, seat))
        {
            remove_with_twin(board, *id, Loss::Removed);
        }
    }
    while need(board, seat) > capacity(board, seat) {
        let Some(id) = farthest(board, seat) else {
            return;
        };
        remove_with_twin(board, id, Loss::Defaulted);
    }
}

fn can_be_removed(board: &Board<'_>, unit: &Unit, seat: Power) -> bool {
    unit.power == seat && needs_center(unit.kind) && !board.traits(unit.id).free
}

fn remove_with_twin(board: &mut Board<'_>, id: UnitId, how: Loss) {
    let twin = board
        .unit(id)
        .and_then(|unit| board.twin(unit))
        .map(|twin| twin.id);
    board.take_off(id, how);
    if let Some(twin) = twin {
        board.take_off(twin, Loss::WithTwin);
    }
}

/// The unit that goes if nobody says which: the farthest from a center of its owner's, BIRDS before fleets before armies.
fn farthest(board: &Board<'_>, seat: Power) -> Option<UnitId> {
    let rank = |unit: &Unit| match unit.kind {
        BIRDS => 0,
        UnitKind::FLEET => 1,
        _ => 2,
    };
    let units = board
        .units()
        .filter(|unit| can_be_removed(board, unit, seat));
    let first = units.min_by_key(|unit| {
        let far = distance(board, seat, unit).unwrap_or(usize::MAX);
        (
            std::cmp::Reverse(far),
            rank(unit),
            unit.at.province,
            unit.id,
        )
    });
    first.map(|unit| unit.id)
}

/// Steps to the nearest center that its owner has: armies and BIRDS over land and sea, fleets as they sail.
fn distance(board: &Board<'_>, seat: Power, unit: &Unit) -> Option<usize> {
    let centers: BTreeSet<Province> = board.position.centers_of(seat).collect();
    let travel = match unit.kind {
        UnitKind::FLEET => Travel::Sea,
        _ => Travel::Both,
    };
    let start = match travel {
        Travel::Sea => unit.at,
        _ => unit.at.province.into(),
    };
    let mut reached = BTreeSet::from([start]);
    let mut edge = vec![start];
    for steps in 0.. {
        if edge.iter().any(|at| centers.contains(&at.province)) {
            return Some(steps);
        }
        let further = edge.iter().flat_map(|at| board.map.reach(travel, *at));
        let next: BTreeSet<Location> = further
            .filter(|at| !reached.contains(at))
            .copied()
            .collect();
        if next.is_empty() {
            return None;
        }
        reached.extend(&next);
        edge = next.into_iter().collect();
    }
    None
}

/// How many FEMALE, and how many DIRTY OLD MAN armies a seat may have: one for every five centers.
fn idle_cap(board: &Board<'_>, seat: Power) -> usize {
    board.position.centers_of(seat).count() / 5
}

fn of_kind(board: &Board<'_>, seat: Power, kind: UnitKind) -> Vec<Unit> {
    let own = |unit: &&Unit| unit.power == seat && unit.kind == kind;
    board.units().filter(own).copied().collect()
}

/// Removes FEMALE and DIRTY OLD MAN armies: those that are named, then those that are too many (9.4).
fn disband_idle(board: &mut Board<'_>, seat: Power, lines: &[AdjustmentOrder]) {
    for kind in [FEMALE, DOM] {
        for unit in of_kind(board, seat, kind) {
            if lines.contains(&AdjustmentOrder::Remove(unit.id)) {
                board.take_off(unit.id, Loss::Removed);
            }
        }
        let mut left = of_kind(board, seat, kind);
        left.sort_by_key(|unit| (unit.at.province, unit.id));
        let surplus = left.len().saturating_sub(idle_cap(board, seat));
        for unit in left.iter().take(surplus) {
            board.take_off(unit.id, Loss::Defaulted);
        }
    }
}

/// How many more armies of this kind, FEMALE or DIRTY OLD MAN, a seat may have.
pub(super) fn idle_open(board: &Board<'_>, seat: Power, kind: UnitKind) -> usize {
    idle_cap(board, seat).saturating_sub(of_kind(board, seat, kind).len())
}

/// Whether a unit of this kind is to be built as things stand.
fn build_is_due(board: &Board<'_>, rules: &Rules, seat: Power, kind: UnitKind) -> bool {
    let fed = need(board, seat) < capacity(board, seat);
    let ordinary = fed && !(seat == MASTERMIND && rules.mastermind_free_only);
    match kind {
        FEMALE | DOM => idle_open(board, seat, kind) > 0,
        kind => needs_center(kind) && ordinary,
    }
}

/// Whether a unit can be removed as things stand: FEMALE and DIRTY OLD MAN armies always.
pub(super) fn removal_is_due(board: &Board<'_>, unit: &Unit) -> bool {
    let idle = unit.kind == FEMALE || unit.kind == DOM;
    let surplus = need(board, unit.power) > capacity(board, unit.power);
    idle || (surplus && can_be_removed(board, unit, unit.power))
}

fn put(board: &mut Board<'_>, seat: Power, kind: UnitKind, at: Location) -> UnitId {
    let id = board.put(seat, kind, at);
    if kind == UnitKind::FLEET {
        let built = board.state.fleets_built.entry(seat).or_default();
        *built += 1;
        let gay = built.is_multiple_of(5);
        board.alter(id, |traits| traits.gay = gay);
    }
    id
}

fn tell_built(board: &mut Board<'_>, id: UnitId) {
    if let Some(unit) = board.unit(id).copied() {
        board.tell(News::Built(unit));
    }
}

/// Carries a build out, if it can be.
fn built(board: &mut Board<'_>, rules: &Rules, seat: Power, build: &Build) -> bool {
    match *build {
        Build::Unit(kind, at) => {
            let due = build_is_due(board, rules, seat, kind);
            if !due || !can_build(board, seat, kind, at) {
                return false;
            }
            let id = put(board, seat, kind, at);
            tell_built(board, id);
            true
        }
        Build::Pair((kind, at), (other, there)) => {
            let names = rules.flavor.names();
            let fits = objection_to_pair(board, names, seat, (kind, at), (other, there)).is_none()
                && can_build(board, seat, kind, at)
                && can_build(board, seat, other, there);
            let due = build_is_due(board, rules, seat, kind);
            if !due || !fits {
                return false;
            }
            board.state.paired.insert(seat);
            for (kind, at) in [(kind, at), (other, there)] {
                let id = put(board, seat, kind, at);
                board.alter(id, |traits| traits.siamese = true);
                tell_built(board, id);
            }
            true
        }
    }
}

/// Each seat that has earned one builds its free unit (step 10): its first line that can be carried out, if one whole unit
/// stands on its account.
pub(super) fn build_free(board: &mut Board<'_>, everybody: &SubmissionsByPower) {
    let before = board.clone();
    for (seat, all) in everybody {
        let lines = all.free_builds.iter();
        let lines: Vec<&Conditional<(UnitKind, Location)>> = lines
            .filter(|line| conditions::holds(&before, *seat, line.condition.as_ref()))
            .collect();
        let mut done = false;
        for line in lines {
            let (kind, at) = line.then;
            let earned = board
                .state
                .accounts
                .get(seat)
                .is_some_and(|parts| *parts >= WHOLE);
            let legal = needs_center(kind) && can_build(board, *seat, kind, at);
            if done || !earned || !legal {
                let what = written(board, &Build::Unit(kind, at));
                let why = match (earned, done) {
                    (_, true) => "one free unit is built a season",
                    (false, _) => "no whole unit stands on your account",
                    _ => "it cannot be built there",
                };
                let said = format!("{what} was not built for free: {why}.");
                board.tell_alone(*seat, PrivateNews::Failed(said));
                continue;
            }
            let id = put(board, *seat, kind, at);
            board.alter(id, |traits| traits.free = true);
            *board.state.accounts.entry(*seat).or_default() -= WHOLE;
            done = true;
            if let Some(unit) = board.unit(id).copied() {
                board.tell(News::BuiltFree(unit));
            }
        }
    }
}

/// Who has won after the builds of a Winter: who has enough centers, and the DOCTOR by his points; nobody by the JESTER's year:
/// the JESTER [18].
pub(super) fn winners(
    board: &Board<'_>,
    rules: &Rules,
    year: u16,
    seats: &BTreeSet<Power>,
) -> BTreeSet<Power> {
    let owners: BTreeSet<Power> = board.position.owners.values().copied().collect();
    let mut winners: BTreeSet<Power> = owners
        .into_iter()
        .filter(|seat| board.position.centers_of(*seat).count() >= rules.victory_centers)
        .collect();
    if doctor_wins(board, rules) {
        winners.insert(DOCTOR);
    }
    if winners.is_empty() && seats.contains(&JESTER) && year >= rules.jester_year {
        winners.insert(JESTER);
    }
    winners
}

/// The powers that are left without units and centers: their herds and accounts are void (R100).
pub(super) fn count_out(board: &mut Board<'_>) {
    for seat in (0..JESTER.0).map(Power) {
        let units = board.units().any(|unit| unit.power == seat);
        if !units && board.position.centers_of(seat).next().is_none() {
            board.state.out.insert(seat);
            board.herds.remove(&seat);
            board.state.accounts.remove(&seat);
        }
    }
}
