//! SIAMESE pairs: orders that could part them (1.5), and the support that each gives the other [12].

use super::board::Board;
use super::orders::{Sheet, Source, UnitOrder};
use super::underpass;
use dipjudge_rules::map::Province;
use dipjudge_rules::orders::{Assist, Ferry};
use dipjudge_rules::position::Unit;

/// The pairs on the board.
pub(super) fn pairs<'b>(board: &'b Board<'_>) -> Vec<(&'b Unit, &'b Unit)> {
    let units = board.position.units.iter();
    let pairs = units.filter_map(|unit| Some((unit, board.twin(unit)?)));
    pairs.filter(|(one, twin)| one.id < twin.id).collect()
}

/// Whether a pair stays together whatever comes of its orders.
pub(super) fn stays_together(board: &Board<'_>, sheet: &Sheet, one: &Unit, twin: &Unit) -> bool {
    let ground = board.ground();
    let ends = |unit: &Unit| -> Vec<Province> {
        let to = sheet.order(unit.id).destination();
        std::iter::once(unit.at.province).chain(to).collect()
    };
    let twins = ends(twin);
    ends(one).iter().all(|here| {
        let apart = |there: &&Province| *here != **there && !ground.touch(*here, **there);
        !twins.iter().any(|there| apart(&there))
    })
}

/// Pairs that could be parted hold.
pub(super) fn hold_together(board: &Board<'_>, sheet: &mut Sheet) {
    for (one, twin) in pairs(board) {
        let distracted = |unit: &Unit| sheet.source(unit.id) == Source::Distracted;
        if distracted(one) || distracted(twin) || stays_together(board, sheet, one, twin) {
            continue;
        }
        sheet.write(one.id, UnitOrder::HOLD, Source::Siamese, Some(twin.id));
        sheet.write(twin.id, UnitOrder::HOLD, Source::Siamese, Some(one.id));
    }
}

/// The support that nobody ordered: to a move as far as its end touches the supporter, else to a hold; none through the
/// UNDERPASS that others use. A twin that gives an ordered support too withstands one attack more.
pub(super) fn assists(board: &Board<'_>, sheet: &Sheet) -> Vec<Assist> {
    let ground = board.ground();
    let mut assists = Vec::new();
    for (one, twin) in pairs(board) {
        for (by, of) in [(one, twin), (twin, one)] {
            let to = sheet.order(of.id).destination();
            if to.is_some_and(|to| !ground.touch(by.at.province, to)) {
                continue;
            }
            let toward = to.unwrap_or(of.at.province);
            if underpass::voids(board, sheet, by, toward, None) {
                continue;
            }
            let orders_support = sheet.order(by.id).supports_in().is_some();
            assists.push(Assist {
                by: by.id,
                of: of.id,
                cut_at: if orders_support { 2 } else { 1 },
            });
        }
    }
    assists
}

/// Twins may convoy each other through their own spaces to those that touch them, the UNDERPASS included (R71, 2.1).
pub(super) fn ferries(board: &Board<'_>) -> Vec<Ferry> {
    let ground = board.ground();
    let both = |(one, twin): (&Unit, &Unit)| {
        [(one, twin), (twin, one)].map(|(by, passenger)| Ferry {
            by: by.id,
            passenger: passenger.id,
            to: ground.near(by.at.province).into_iter().collect(),
        })
    };
    pairs(board).into_iter().flat_map(both).collect()
}
