//! The lines that an empire may send in a movement phase, ready to be sent.

use super::state::{is_aboard, is_land};
use super::{BERTHS, OuterSpace};
use dipjudge_game::Phase;
use dipjudge_game::project::ToldGame;
use dipjudge_rules::map::{Power, UnitKind, UnitKindInfo};
use dipjudge_rules::position::Unit;
use dipjudge_view::OfferedLine;

/// Beaming down, colonizing and beaming up, each for the first unit that can.
pub(super) fn lines(game: &ToldGame<'_>, power: Power) -> Vec<OfferedLine> {
    if *game.phase() != Phase::Movement {
        return Vec::new();
    }
    let map = game.map();
    let state = game.state(&OuterSpace);
    let position = game.position();
    let own = || position.units.iter().filter(|unit| unit.power == power);
    let aboard = own().filter(|unit| is_aboard(unit)).count();
    let is_ordered = |unit: &Unit| game.is_ordered(unit);
    let name = |unit: &Unit| {
        let kind = map.kind(unit.kind).map_or(unit.kind, UnitKindInfo::code);
        format!("{kind} {}", unit.at.province.titled())
    };
    let mut lines = Vec::new();
    let landing = map.centers().iter().find(|center| {
        !state.jams(power, **center) && !own().any(|unit| unit.at.province == **center)
    });
    let in_orbit = own().find(|unit| is_aboard(unit));
    if let (Some(unit), Some(to)) = (in_orbit, landing) {
        lines.push(OfferedLine {
            line: format!("{} - {}", name(unit), to.titled()),
            does: "Beams an army down to a land province that is no colony of another empire. Each army aboard may, once in a movement phase; without an order it stays aboard.".to_owned(),
            is_spent: own().filter(|unit| is_aboard(unit)).all(is_ordered),
        });
    }
    let colonizer = own().find(|unit| {
        let at = unit.at.province;
        is_land(map, at) && state.colonies.get(&at) != Some(&power)
    });
    if let Some(unit) = colonizer {
        lines.push(OfferedLine {
            line: format!("{} COL", name(unit)),
            does: "Makes the province in which the unit stands your colony at the end of the turn. Each unit may, in place of a move; without it the province stays as it is.".to_owned(),
            is_spent: is_ordered(unit),
        });
    }
    let riser = own().find(|unit| unit.kind == UnitKind::ARMY && !is_aboard(unit));
    if let Some(unit) = riser.filter(|_| aboard < BERTHS) {
        lines.push(OfferedLine {
            line: format!("{} UP", name(unit)),
            does: format!("Takes the army aboard, which holds {BERTHS}. Each army may, in place of a move; if more come up than there is room for, none does."),
            is_spent: is_ordered(unit),
        });
    }
    lines
}
