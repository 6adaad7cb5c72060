//! Games played at random that begin on an empty board: what holds of every one of them.

use crate::random_play::{Step, Table, play, some_are_refused};
use dipjudge::adjudicator::may_build;
use dipjudge::game::{Adjustment, Ending, Phase, SettingChange, State, VariantGame};
use dipjudge::map::UnitKind;
use dipjudge::variants;

/// Plays some games; how many are won, and how many lines were refused and taken.
fn games(name: &str, settings: Vec<SettingChange>, count: u64) -> (usize, usize, usize) {
    let table = Table {
        variant: variants::named(name).unwrap(),
        players: None,
        settings,
        lines: &|_, _, numbers| match numbers.once_in(40) {
            true => vec!["WAIVE".to_owned()],
            false => Vec::new(),
        },
        longest: 40,
    };
    let (mut won, mut refused, mut taken) = (0, 0, 0);
    for seed in 0..count {
        let mut phases = 0;
        let finished = play(&table, seed, &mut |step| {
            phases += 1;
            match phases {
                1 => opened(&table, step),
                _ => assert!(!VariantGame::new(step.before, table.variant).is_opening_winter()),
            }
            builds_are_allowed(&table, step);
        });
        if let State::Over(Ending::Won(winners)) = &finished.game.state {
            assert_eq!(winners.len(), 1);
            won += 1;
        }
        finished.tell();
        refused += finished.refused.len();
        taken += finished.taken;
    }
    (won, refused, taken)
}

/// The first phase: from an empty board to a unit in every home center.
fn opened(table: &Table, step: &Step) {
    let (before, after) = (step.before, step.after);
    assert!(VariantGame::new(before, table.variant).is_opening_winter());
    assert_eq!(before.phase_name(table.variant).to_string(), "W1900A");
    assert!(before.position.units.is_empty());
    assert!(
        VariantGame::new(before, table.variant)
            .requirements()
            .without_grace
    );
    assert_eq!(after.phase_name(table.variant).to_string(), "S1901M");
    for power in after.all_powers() {
        let homes = after.map().homes(power);
        assert!(!homes.is_empty());
        for home in homes {
            let unit = after.position.standing(*home).unwrap();
            assert_eq!(unit.power, power);
            let silent = before.standing(power).orders.winter.is_empty();
            let usual = after
                .map()
                .start()
                .iter()
                .find(|unit| unit.at.province == *home);
            let usual = usual.map_or((UnitKind::ARMY, (*home).into()), |unit| {
                (unit.kind, unit.at)
            });
            assert!(!silent || (unit.kind, unit.at) == usual, "{unit:?}");
        }
        assert_eq!(after.unit_count(power), homes.len());
    }
}

/// Every build stands where its power could build.
fn builds_are_allowed(table: &Table, step: &Step) {
    let played = step.after.last.as_ref().unwrap();
    if played.phase != Phase::Adjustments {
        return;
    }
    let allowances = VariantGame::new(step.before, table.variant).allowances();
    for adjusted in &played.adjusted {
        if let Adjustment::Built(unit) = &adjusted.what {
            let allowance = allowances.of(adjusted.power).unwrap();
            let (map, position) = (step.before.map(), &step.before.position);
            may_build(map, position, allowance, adjusted.power, unit.kind, unit.at).unwrap();
            assert_eq!(position.owners.get(&unit.at.province), Some(&unit.power));
        }
    }
}

#[test]
fn random_games_of_winter_1900_come_to_their_end() {
    let settings = vec![SettingChange::Centers(Some(7))];
    let (won, refused, taken) = games("winter-1900", settings, 60);
    some_are_refused(refused, taken);
    assert!(won > 3, "{won} of the games were won");
}

#[test]
fn random_games_on_a_blank_board_come_to_their_end() {
    let settings = vec![
        SettingChange::BlankBoard(true),
        SettingChange::Centers(Some(7)),
    ];
    let (won, refused, taken) = games("standard", settings, 20);
    some_are_refused(refused, taken);
    assert!(won > 0, "{won} of the games were won");
}

#[test]
fn random_games_of_chaos_come_to_their_end() {
    let settings = vec![SettingChange::Centers(Some(4))];
    let (won, refused, taken) = games("chaos", settings, 20);
    // Most have one unit, and as many lines of nonsense as anybody.
    assert!(refused > 100 && taken > 1000, "{refused}, {taken}");
    assert!(won > 3, "{won} of the games were won");
}
