//! The lines that an empire may send in a movement phase, ready to be sent.

use super::BERTHS;
use super::state::{OuterSpaceState, is_aboard, is_land};
use dipjudge_game::{Game, Phase};
use dipjudge_rules::map::{Power, UnitKind, UnitKindInfo};
use dipjudge_rules::position::Unit;
use dipjudge_view::OfferedLine;

/// Beaming down, colonizing and beaming up, each for the first unit that can.
pub(super) fn lines(game: &Game, power: Power) -> Vec<OfferedLine> {
    if game.phase != Phase::Movement {
        return Vec::new();
    }
    let map = game.map();
    let state = OuterSpaceState::of(game);
    let own = || {
        game.position
            .units
            .iter()
            .filter(|unit| unit.power == power)
    };
    let aboard = own().filter(|unit| is_aboard(unit)).count();
    let is_ordered = |unit: &Unit| game.standing(power).orders.units.contains_key(&unit.id);
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
            does: format!("Takes the army aboard, which holds {BERTHS}. Each army may, in place of a move; if more come up than there is room for, not all do."),
            is_spent: is_ordered(unit),
        });
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::super::OuterSpace;
    use super::*;
    use dipjudge_game::{GameEdit, Seed, apply};

    #[test]
    fn nothing_is_offered_before_the_game_begins() {
        let created = super::super::CARD.created("space", Seed::new([0; 32]));
        let now = "2026-11-30T10:30:00Z".parse().unwrap();
        let game = apply::create(&created, now).unwrap();
        let edit = GameEdit::of(&game, &OuterSpace, now);
        assert!(lines(&edit.game, Power(0)).is_empty());
    }
}
