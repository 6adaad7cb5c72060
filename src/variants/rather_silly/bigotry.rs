//! Gay fleets: whoever can attack one in port does (1.4) [11].

use super::board::{Board, Draws};
use super::combat;
use super::distraction::attack;
use super::is_conventional;
use super::orders::{Sheet, Source, UnitOrder};
use super::rules::Rules;
use dipjudge_rules::map::Province;
use dipjudge_rules::orders::Action;
use dipjudge_rules::position::Unit;

/// Writes the orders of those whom a gay fleet provokes.
pub(super) fn provoke(board: &Board<'_>, rules: &Rules, sheet: &mut Sheet, draws: Draws<'_>) {
    let ground = board.ground();
    let mut fleets: Vec<&Unit> = board
        .position
        .units
        .iter()
        .filter(|unit| board.traits(unit.id).gay && !ground.is_sea(unit.at.province))
        .collect();
    fleets.sort_by_key(|unit| unit.at.province);
    for fleet in fleets {
        provoked_by(board, rules, sheet, draws, fleet);
    }
}

fn provoked_by(
    board: &Board<'_>,
    rules: &Rules,
    sheet: &mut Sheet,
    draws: Draws<'_>,
    fleet: &Unit,
) {
    let port = fleet.at.province;
    let of_others = |unit: &&Unit| is_conventional(unit.kind) && unit.power != fleet.power;
    let others = || board.position.units.iter().filter(of_others);
    let provoked: Vec<Unit> = others()
        .filter(|unit| {
            let traits = board.traits(unit.id);
            let free = !matches!(sheet.source(unit.id), Source::Distracted | Source::Bigotry);
            !traits.gay && !traits.siamese && free && board.reaches(unit, port)
        })
        .copied()
        .collect();
    if provoked.is_empty() {
        return;
    }
    let coming: Vec<Unit> = others()
        .filter(|unit| sheet.order(unit.id).destination() == Some(port))
        .copied()
        .collect();
    let attacker = if coming.is_empty() {
        strongest(&provoked, port, draws, |unit| board.strength(unit))
    } else {
        strongest(&coming, port, draws, |unit| {
            board.strength(unit) + combat::support_ordered(board, rules, sheet, unit, port)
        })
    };
    let Some(attacker) = attacker else {
        return;
    };
    for unit in &provoked {
        let order = if unit.id == attacker.id {
            attack(board, unit, sheet.order(unit.id), port)
        } else {
            UnitOrder::Common(Action::SupportMove {
                from: attacker.at.province,
                to: port.into(),
            })
        };
        sheet.write(unit.id, order, Source::Bigotry, Some(fleet.id));
    }
}

/// The one for which a strength is greatest; of equals one is drawn.
fn strongest(
    units: &[Unit],
    port: Province,
    draws: Draws<'_>,
    strength: impl Fn(&Unit) -> u32,
) -> Option<Unit> {
    let most = units.iter().map(&strength).max()?;
    let best = || units.iter().filter(|unit| strength(unit) == most);
    let spaces = best().map(|unit| unit.at.province);
    let at = draws.space(&format!("bigot:{port}"), spaces)?;
    best().find(|unit| unit.at.province == at).copied()
}
