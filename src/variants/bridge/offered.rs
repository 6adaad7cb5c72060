//! The lines that a power may send in Winter, ready to be sent.

use super::{BID_CAP, Bridge, MISSING_BID, OPENING, bids, forts};
use dipjudge_game::Phase;
use dipjudge_game::project::ToldGame;
use dipjudge_rules::map::Power;
use dipjudge_view::OfferedLine;

/// The bid, and the forts that are due.
pub(super) fn lines(game: &ToldGame<'_>, power: Power) -> Vec<OfferedLine> {
    if *game.phase() != Phase::Adjustments || game.turn() == OPENING {
        return Vec::new();
    }
    let sent = game.submissions(power);
    let position = game.position();
    let held = position.centers_of(power).count();
    let most = if BID_CAP.is(game, "double") {
        held * 2
    } else {
        game.map().centers().len()
    };
    let missing = if MISSING_BID.is(game, "penalty") {
        "Without a bid you count as one who bid wrong.".to_owned()
    } else {
        format!("Without a bid you have bid {held}.")
    };
    let mut lines = vec![OfferedLine {
        line: format!("BID {held}"),
        does: format!(
            "Says how many centers you will own after next Fall, from {held} to {most}. One bid each Winter; a later one comes in \
             place of it. {missing}"
        ),
        is_spent: sent.contains_key(bids::SUBMISSION),
    }];
    let state = game.state(&Bridge);
    let due = state.due(power).min(most);
    let mut open = position
        .centers_of(power)
        .filter(|center| !state.forts.contains_key(center));
    if let (1.., Some(first)) = (due, open.next()) {
        let forts = if due == 1 {
            "a fort".to_owned()
        } else {
            format!("{due} forts")
        };
        lines.push(OfferedLine {
            line: format!("FORTIFY {}", first.titled()),
            does: format!(
                "Builds {forts}, in the centers that you name, best first; a later line comes in place of it. What you do not \
                 build this Winter is lost."
            ),
            is_spent: sent.contains_key(forts::SUBMISSION),
        });
    }
    lines
}
