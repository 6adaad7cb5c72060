//! What the one adjudicator is told of a season (1.9), and whose supports count.

use super::board::Board;
use super::orders::{Sheet, UnitOrder};
use super::rules::Rules;
use super::{is_conventional, is_idle_army, siamese, underpass};
use dipjudge_rules::map::Province;
use dipjudge_rules::orders::{Action, Order, OrderSheet, Overlay, Strength, legal};
use dipjudge_rules::position::{Unit, UnitId};

/// The LINK, the UNDERPASS and the twins' ferries, for the adjudicator.
pub(super) fn overlay(board: &Board<'_>) -> Overlay {
    let ground = board.ground();
    let mut overlay = ground.overlay();
    for unit in &board.position.units {
        let below = ground.by_underpass(unit.kind, unit.at.province);
        if !below.is_empty() {
            overlay.reach.insert(unit.id, below);
        }
    }
    overlay.ferries = siamese::ferries(board);
    overlay
}

/// The sheet for the adjudicator; carried armies take no part.
pub(super) fn sheet(
    board: &Board<'_>,
    rules: &Rules,
    sheet: &Sheet,
    carried: &[UnitId],
) -> OrderSheet {
    let units = &board.position.units;
    let orders = units.iter().map(|unit| Order {
        unit: unit.id,
        action: action(sheet.order(unit.id), unit),
    });
    let strengths = units
        .iter()
        .map(|unit| (unit.id, Strength::of(board.strength(unit))));
    let mut common = OrderSheet {
        orders: orders.collect(),
        strengths: strengths
            .filter(|(_, strength)| *strength != Strength::default())
            .collect(),
        overlay: overlay(board),
        assists: siamese::assists(board, sheet),
        withdrawn: carried.iter().copied().collect(),
        ..OrderSheet::default()
    };
    for unit in units {
        if underpass::voids_order(board, rules, sheet, unit) {
            let why = "others use the UNDERPASS".to_owned();
            common.voided.insert(unit.id, why);
        }
    }
    common
}

fn action(order: &UnitOrder, unit: &Unit) -> Action {
    if is_idle_army(unit.kind) {
        Action::Hold
    } else {
        order.action()
    }
}

/// The strengths of all who are ordered, legally, to support a unit's move to a space.
pub(super) fn support_ordered(
    board: &Board<'_>,
    rules: &Rules,
    sheet: &Sheet,
    mover: &Unit,
    to: Province,
) -> u32 {
    let overlay = overlay(board);
    let supports = |unit: &&Unit| match sheet.order(unit.id) {
        UnitOrder::Common(action @ Action::SupportMove { from, to: end }) => {
            *from == mover.at.province
                && end.province == to
                && is_conventional(unit.kind)
                && legal(
                    board.map,
                    &overlay,
                    unit,
                    action,
                    Some(&board.position.units),
                )
                .is_ok()
                && !underpass::voids_order(board, rules, sheet, unit)
        }
        _ => false,
    };
    let supporters = board.position.units.iter().filter(supports);
    supporters.map(|unit| board.strength(unit)).sum()
}
