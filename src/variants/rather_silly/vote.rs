//! Step 11: which two spaces hyperspace links [7].

use std::collections::BTreeMap;

use super::board::{Board, Draws, TwinRule};
use super::news::News;
use super::rules::Rules;
use dipjudge_game::planted::{Leak, planted};
use dipjudge_rules::map::{Power, Province};

/// The pair with most votes is linked until the end of the next season; of equals one is drawn, and without a vote there
/// is no LINK.
pub(super) fn link(
    board: &mut Board<'_>,
    rules: &Rules,
    votes: &[(Power, Province, Province)],
    draws: Draws<'_>,
) {
    let mut counts: BTreeMap<(Province, Province), usize> = BTreeMap::new();
    for (_, a, b) in votes {
        *counts.entry((*a.min(b), *a.max(b))).or_default() += 1;
    }
    let most = counts.values().max().copied();
    let best = counts.iter().filter(|(_, votes)| Some(**votes) == most);
    let best: Vec<(Province, Province)> = best.map(|(pair, _)| *pair).collect();
    board.state.link = draws.one("link", &best, |(a, b)| format!("{a}-{b}"));
    board.tell(News::Linked {
        link: board.state.link,
        votes: if rules.open_votes || counts.len() == 1 && planted(Leak::Unanimous) {
            votes.to_vec()
        } else {
            Vec::new()
        },
    });
    board.check_pairs(TwinRule::MustTouch);
}
