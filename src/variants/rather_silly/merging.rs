//! Step 2: what the SOOTHSAYER has foreseen merges [16].

use std::collections::BTreeMap;

use super::board::{Board, TwinRule};
use super::movement::stand_offs;
use super::news::{Loss, News, PrivateNews};
use super::rules::Rules;
use super::submissions::Prediction;
use super::{MONSTERS, SOOTHSAYER, is_conventional};
use dipjudge_rules::map::{Location, Province, Terrain, UnitKind};
use dipjudge_rules::position::{Unit, UnitId};

/// All that comes true of what was foreseen.
pub(super) fn merge(board: &mut Board<'_>, rules: &Rules, predictions: &[Prediction]) {
    let true_ones = stand_offs(board);
    for prediction in predictions {
        let at = prediction.at;
        if !true_ones.contains(&at) {
            board.tell_alone(SOOTHSAYER, PrivateNews::NotForeseen(at));
        } else if board.state.season.merged.insert(at) {
            merge_in(board, rules, prediction);
        }
    }
    board.check_pairs(TwinRule::MayBeApart);
}

/// Those who were ordered there and failed, and the FEMALE and DIRTY OLD MAN armies that arrived (R94).
fn involved(board: &Board<'_>, place: Province) -> Vec<Unit> {
    let season = &board.state.season;
    let failed = season.register.get(&place);
    let failed = failed.into_iter().flatten();
    let walked = season.walked.iter().filter(|(_, to)| **to == place);
    let ids = failed.chain(walked.map(|(id, _)| id));
    ids.filter_map(|id| board.unit(*id))
        .filter(|unit| unit.power != MONSTERS)
        .copied()
        .collect()
}

fn merge_in(board: &mut Board<'_>, rules: &Rules, prediction: &Prediction) {
    let place = prediction.at;
    let involved = involved(board, place);
    let count = |unit: &Unit| board.traits(unit.id).n;
    let fleets = involved.iter().filter(|unit| unit.kind == UnitKind::FLEET);
    let fleets: u32 = fleets.map(count).sum();
    let all: u32 = involved.iter().map(count).sum();
    let armies = all - fleets;
    let kind = match board.ground().terrain(place) {
        Terrain::Sea => UnitKind::FLEET,
        Terrain::Inland => UnitKind::ARMY,
        _ if fleets > armies => UnitKind::FLEET,
        _ if armies > fleets => UnitKind::ARMY,
        _ => prediction.kind.unwrap_or(UnitKind::ARMY),
    };
    let at = if kind == UnitKind::FLEET {
        coast(board, place, &involved)
    } else {
        place.into()
    };
    let lost: Vec<UnitId> = involved.iter().map(|unit| unit.id).collect();
    for id in lost {
        board.take_off(id, Loss::Merged);
    }
    let merged = board.put(SOOTHSAYER, kind, at);
    board.alter(merged, |traits| {
        traits.n = all;
        traits.free = rules.merged_free;
    });
    if let Some(merged) = board.unit(merged).copied() {
        let units = involved;
        board.tell(News::Merged {
            merged,
            units,
            strength: all,
        });
    }
}

/// The coast to which most of the fleets were ordered; of equals the first.
fn coast(board: &Board<'_>, place: Province, involved: &[Unit]) -> Location {
    let mut wanted: BTreeMap<Location, u32> = BTreeMap::new();
    for unit in involved.iter().filter(|unit| is_conventional(unit.kind)) {
        let ordered = board.state.season.coasts.get(&unit.id);
        if let Some(at) = ordered.filter(|at| at.coast.is_some()) {
            *wanted.entry(*at).or_default() += board.traits(unit.id).n;
        }
    }
    let most = wanted.values().max().copied();
    let best = wanted.iter().find(|(_, n)| Some(**n) == most);
    let travel = board.map.travel(UnitKind::FLEET);
    let first = board.ground().first_station(travel, place);
    best.map(|(at, _)| *at).or(first).unwrap_or(place.into())
}
