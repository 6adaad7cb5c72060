//! Games of the standard variant played at random: what holds of every one of them.

use crate::random_play::{Table, play, some_are_refused};
use dipjudge::game::{Ending, SettingChange, State};
use dipjudge::variants;

#[test]
fn random_games_of_the_standard_variant_come_to_their_end() {
    let table = Table {
        variant: variants::named("standard").unwrap(),
        players: None,
        // So few that a game is won before the orders run out.
        settings: vec![SettingChange::Centers(Some(7))],
        lines: &|_, _, _| Vec::new(),
        longest: 60,
    };
    let (mut won, mut refused, mut taken) = (0, 0, 0);
    for seed in 0..200 {
        let finished = play(&table, seed, &mut |step| {
            // Without events of a variant's own, only adjudications and changes of owners touch the board.
            assert!(step.after.data().is_empty());
        });
        if let State::Over(Ending::Won(winners)) = &finished.game.state {
            assert_eq!(winners.len(), 1);
            assert!(finished.game.center_count(winners[0]) >= 7);
            won += 1;
        }
        finished.tell();
        refused += finished.refused.len();
        taken += finished.taken;
    }
    assert!(won > 10, "{won} of the games were won");
    some_are_refused(refused, taken);
}
