//! Where nobody beams, movement is the standard game's.

use dipjudge::adjudicator;
use dipjudge::game::{Event, phases};
use dipjudge::map::{Map, Power, UnitKind};
use dipjudge::orders::OrderSheet;
use dipjudge::position::{Position, Unit};

use super::table::{Table, province};
use crate::adjudication::shared_province;

#[test]
fn without_beaming_movement_is_that_of_the_standard_game() {
    let standard = Map::standard();
    let orbit = province("ORB");
    let mut dislodged = 0;
    for seed in 0..3000 {
        let (position, sheet) = shared_province::board(standard, seed, 14);
        let plain = adjudicator::movement(standard, &position, &sheet);

        // The same with spacecraft above, and armies in them.
        let mut table = Table::of(&["JED", "ZOR", "KLA"], &[]);
        let mut above = Position {
            owners: position.owners.clone(),
            ..position.clone()
        };
        for power in [Power(0), Power(1), Power(2)] {
            for _ in 0..seed % 4 {
                let unit = Unit {
                    id: above.free_id(),
                    power,
                    kind: UnitKind::ARMY,
                    at: orbit.into(),
                };
                above.units.push(unit);
            }
        }
        table.edit.emit(Event::Board {
            position: above.clone(),
        });
        let (game, variant) = (table.game(), table.variant());
        let mut with_ships = OrderSheet {
            overlay: variant.overlay(game),
            ..shared_province::shuffled(&sheet, seed)
        };
        phases::amend_orders(&table.edit, &mut with_ships);
        let spaced = adjudicator::movement(game.map(), &above, &with_ships);

        assert_eq!(spaced.stand_offs, plain.stand_offs, "{seed}");
        assert_eq!(spaced.routes, plain.routes, "{seed}");
        for outcome in &plain.outcomes {
            let other = spaced.outcome(outcome.unit).unwrap();
            assert_eq!(
                (other.marks, other.moved),
                (outcome.marks, outcome.moved),
                "{seed}"
            );
            assert_eq!(other.dislodged_by, outcome.dislodged_by, "{seed}");
        }
        assert_eq!(spaced.dislodged.len(), plain.dislodged.len(), "{seed}");
        for (there, here) in spaced.dislodged.iter().zip(&plain.dislodged) {
            let options: Vec<_> = there
                .options
                .iter()
                .filter(|place| place.province != orbit)
                .copied()
                .collect();
            assert_eq!((there.unit, &options), (here.unit, &here.options), "{seed}");
        }
        dislodged += plain.dislodged.len();
    }
    assert!(dislodged > 400, "{dislodged}");
}
