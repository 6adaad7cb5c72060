//! How games are won: by having the most of something if that is enough, or as the last power left.

use super::{Ending, Game, Tally};
use dipjudge_rules::map::Power;

/// What follows if several powers have the most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tie {
    /// All of them win.
    Shared,
    /// Nobody has won yet.
    PlayOn,
}

/// How many of something each power has.
pub fn counts(game: &Game, tally: Tally) -> Vec<(Power, usize)> {
    let count = |power: Power| match tally {
        Tally::Centers => game.center_count(power),
        Tally::Units => game.unit_count(power),
    };
    game.all_powers()
        .map(|power| (power, count(power)))
        .collect()
}

/// Won by the power with the most, if it has enough. If several are level, `tie` decides.
pub fn most(counts: &[(Power, usize)], enough: u32, tie: Tie) -> Option<Ending> {
    let most = counts.iter().map(|(_, count)| *count).max()?;
    let leaders: Vec<Power> = counts
        .iter()
        .filter(|(_, count)| *count == most)
        .map(|(power, _)| *power)
        .collect();
    let won = most >= enough as usize && (leaders.len() == 1 || tie == Tie::Shared);
    won.then_some(Ending::Won(leaders))
}

/// Won by the last power in play.
pub fn last(in_play: &[Power]) -> Option<Ending> {
    match in_play {
        [last] => Some(Ending::Won(vec![*last])),
        _ => None,
    }
}
