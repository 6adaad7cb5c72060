//! Whether a power's orders are accepted at the moment.

use dipjudge_game::{Game, State, Variant};
use dipjudge_rules::map::Power;

/// The text for an eliminated power in games that hide which powers exist.
pub(crate) fn fallen(game: &Game, variant: &dyn Variant, power: Power) -> Option<String> {
    let goes_on = game.begun() && !game.over();
    let told = goes_on && variant.hides_existence(game) && !variant.in_play(game, power);
    told.then(|| {
        "Your power is eliminated, so you can send nothing until the game is over.".to_owned()
    })
}

/// Why no orders at all are accepted at the moment; `None` if they are.
pub(crate) fn closed(game: &Game, variant: &dyn Variant, power: Power) -> Option<String> {
    if let Some(why) = fallen(game, variant, power) {
        return Some(why);
    }
    match game.state {
        State::Running if game.settings.approval && !game.standing(power).approved => Some(
            "The master has not yet approved you to send orders. PRESS TO M to ask.".to_owned(),
        ),
        State::Running => None,
        State::Paused => {
            Some("The game is paused; orders are not taken until the master resumes it.".to_owned())
        }
        State::Halted { .. } => {
            Some("The game stands still for now, so no orders are taken.".to_owned())
        }
        State::Over(_) => Some("The game is over, so no orders are taken.".to_owned()),
        State::Forming | State::Ready => {
            Some("The game has not started, so there is nothing to order yet.".to_owned())
        }
    }
}
