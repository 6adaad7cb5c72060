//! Supports through the UNDERPASS, ordered ones and those of twins: void while others use it [6].

use super::board::Board;
use super::orders::{Sheet, UnitOrder};
use super::rules::Rules;
use dipjudge_rules::map::Province;
use dipjudge_rules::orders::Action;
use dipjudge_rules::position::{Unit, UnitId};

/// Whether a unit's ordered support leads through the UNDERPASS while a unit of another owner is ordered to walk through it
/// (R37, R38).
pub(super) fn voids_order(
    board: &Board<'_>,
    rules: &Rules,
    sheet: &Sheet,
    supporter: &Unit,
) -> bool {
    let order = sheet.order(supporter.id);
    let Some(toward) = order.supports_in() else {
        return false;
    };
    let spared = match order {
        UnitOrder::Common(Action::SupportMove { from, .. }) if rules.only_unsupported_cut_below => {
            board.solid(*from).map(|unit| unit.id)
        }
        _ => None,
    };
    voids(board, sheet, supporter, toward, spared)
}

/// Whether a support from where a unit stands to a space is void: it leads through the UNDERPASS, and a unit of another owner
/// is ordered to walk through that, the spared one aside.
pub(super) fn voids(
    board: &Board<'_>,
    sheet: &Sheet,
    supporter: &Unit,
    toward: Province,
    spared: Option<UnitId>,
) -> bool {
    let ground = board.ground();
    if !ground.through_underpass(supporter.at.province, toward) {
        return false;
    }
    let others = board.position.units.iter();
    let mut others = others.filter(|unit| unit.power != supporter.power && Some(unit.id) != spared);
    others.any(|unit| {
        let to = sheet.order(unit.id).walks_to();
        to.is_some_and(|to| ground.through_underpass(unit.at.province, to))
    })
}
