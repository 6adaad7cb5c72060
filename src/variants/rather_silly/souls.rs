//! Steps 3 and 4: souls run down, souls are sold [5].

use super::board::Board;
use super::is_conventional;
use super::news::News;
use super::rules::Rules;
use dipjudge_rules::map::Power;
use dipjudge_rules::position::UnitId;

/// Step 3: each unit with a sold soul has it a season less; where lost souls are charged for a time, so are they.
pub(super) fn run_down(board: &mut Board<'_>, rules: &Rules) {
    let lost = std::mem::take(&mut board.state.lost_until);
    for (power, seasons) in lost {
        match seasons.saturating_sub(1) {
            0 if rules.lost_for_a_time => {
                let lost = board.state.lost_souls.entry(power).or_default();
                *lost = lost.saturating_sub(1);
            }
            0 => {}
            left => board.state.lost_until.push((power, left)),
        }
    }
    let sold: Vec<UnitId> = board
        .units()
        .map(|unit| unit.id)
        .filter(|id| board.traits(*id).soul > 0)
        .collect();
    for id in sold {
        board.alter(id, |traits| traits.soul -= 1);
        let left = board.traits(id).soul;
        if let Some(unit) = board.unit(id).copied() {
            board.tell(News::RanDown(unit, left));
        }
    }
}

/// When a sale is looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SaleCheck {
    /// It is read: before its step souls run down, and the TARDIS may land where the unit is.
    Announced,
    /// Its step is played.
    Made,
}

/// Why a unit's soul cannot be sold.
pub(super) fn objection(
    board: &Board<'_>,
    rules: &Rules,
    seller: Power,
    id: UnitId,
    sale: SaleCheck,
) -> Option<String> {
    let names = rules.flavor.names();
    let Some(unit) = board.unit(id) else {
        return Some("The unit is gone.".to_owned());
    };
    let traits = board.traits(id);
    let said = if unit.power != seller {
        "It is not yours.".to_owned()
    } else if !is_conventional(unit.kind) {
        format!("A {} {}.", names.kind(unit.kind), names.no_soul)
    } else if traits.free {
        format!("A free unit {}.", names.no_soul)
    } else if traits.n > 1 {
        format!("A merged unit {}.", names.no_soul)
    } else if traits.soul > 0 && sale == SaleCheck::Made {
        format!("It {} already.", names.has_sold)
    } else if rules.soul_once && traits.sold {
        format!("A unit {} once in its life.", names.sells)
    } else {
        return None;
    };
    Some(said)
}

/// Step 4: a soul is sold.
pub(super) fn sell(board: &mut Board<'_>, rules: &Rules, id: UnitId) {
    board.alter(id, |traits| {
        traits.soul = 2;
        traits.sold = rules.soul_once;
    });
    if let Some(unit) = board.unit(id).copied() {
        board.tell(News::Sold(unit));
    }
}
