//! The end of a game by the votes of its players.

use crate::clock::processing;
use crate::work::GameWork;
use dipjudge_game::{Ending, Event, State};

/// Whether TERMINATE is a vote in the game in hand. The end reveals all that was hidden, and in an unmoderated game the
/// players decide on it together, whether there is a master or not.
pub(crate) fn ends_by_vote(work: &GameWork) -> bool {
    let game = work.game();
    game.begun() && !game.over() && !game.settings.moderated && work.secrecy().any()
}

/// Handles the loss of a power's leader: if all remaining leaders have voted for the end, the game ends. If the game
/// needs a leader for the power, its vacancy blocks a draw.
pub(crate) fn one_leader_less(work: &mut GameWork) {
    if ends_by_vote(work) && work.variant_game().terminated_by_votes() {
        end_by_vote(work, Ending::Terminated);
        return;
    }
    let running = work.game().state == State::Running;
    if running {
        let passed = work.variant_game().ending_by_votes();
        if let Some(ending) = passed {
            end_by_vote(work, ending);
        }
    }
}

/// Ends the game at once, in any phase, and tells everybody.
pub(crate) fn end_by_vote(work: &mut GameWork, ending: Ending) {
    work.emit(Event::Ended {
        ending: ending.clone(),
    });
    work.send_notices();
    processing::tell_ending(work, &ending);
}
