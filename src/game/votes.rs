//! Draws and concessions (`judge-workflow.md` 1.4).

use std::collections::BTreeSet;

use super::{Ending, Game, Vote};
use crate::map::Power;

/// The ending that the votes have brought about, if they have. An abandoned survivor blocks it; a master may vote
/// for it.
pub fn passed(game: &Game) -> Option<Ending> {
    let survivors = game.survivors();
    if survivors.is_empty() {
        return None;
    }
    if let Some(ending) = conceded(game, &survivors) {
        return Some(ending);
    }
    if game.settings.dias {
        drawn_by_all(game, survivors)
    } else {
        drawn_by_lists(game, &survivors)
    }
}

fn drawn_by_all(game: &Game, survivors: Vec<Power>) -> Option<Ending> {
    survivors
        .iter()
        .all(|power| game.standing(*power).vote == Some(Vote::All))
        .then_some(Ending::Drawn(survivors))
}

/// Everybody but the one who is conceded to has voted for him.
fn conceded(game: &Game, survivors: &[Power]) -> Option<Ending> {
    let winner = survivors
        .iter()
        .find_map(|power| match game.standing(*power).vote {
            Some(Vote::Concede(winner)) => Some(winner),
            _ => None,
        })?;
    let agreed = |power: &Power| {
        *power == winner || game.standing(*power).vote == Some(Vote::Concede(winner))
    };
    (survivors.contains(&winner) && survivors.iter().all(agreed))
        .then_some(Ending::Conceded(winner))
}

/// The largest set of survivors that every survivor approves. A list approves its subsets: with the voter in the list
/// only those that hold the voter; without, also those with the voter added.
fn drawn_by_lists(game: &Game, survivors: &[Power]) -> Option<Ending> {
    let mut sets: Vec<Vec<Power>> = (1u32..1 << survivors.len().min(20))
        .map(|bits| {
            survivors
                .iter()
                .enumerate()
                .filter(|(n, _)| bits >> n & 1 == 1)
                .map(|(_, power)| *power)
                .collect()
        })
        .collect();
    sets.sort_by_key(|set| std::cmp::Reverse(set.len()));
    let set = sets
        .into_iter()
        .find(|set| survivors.iter().all(|power| approves(game, *power, set)))?;
    Some(match set.as_slice() {
        [winner] => Ending::Conceded(*winner),
        _ => Ending::Drawn(set),
    })
}

fn approves(game: &Game, voter: Power, set: &[Power]) -> bool {
    let Some(Vote::Among(list)) = game.standing(voter).vote else {
        return false;
    };
    let listed: BTreeSet<Power> = list.iter().copied().chain([voter]).collect();
    set.iter().all(|power| listed.contains(power))
        && (!list.contains(&voter) || set.contains(&voter))
}
