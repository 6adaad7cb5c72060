//! Whom an unlisted game answers. One that is being played, or has been, is to those who are not in it a name that does not
//! exist; while it forms, and where a power is to be had in it, it answers whoever knows the name (`visibility.md` 7).

use super::admission::is_named;
use super::errand::Errand;
use super::sign_on::Refused;
use crate::game::{Game, State, horizon};
use crate::variants;

/// Whether a sender may learn that there is this game.
pub(super) fn answers(errand: &Errand, game: &Game, from: &str) -> bool {
    game.settings.list
        || matches!(game.state, State::Forming | State::Ready)
        || sits(errand, game, from)
        || has_opening(game)
}

/// Whether a sender may be told anything when he asks to watch: whom the master let in is, an opening is nothing to watch.
pub(super) fn answers_watchers(errand: &Errand, game: &Game, from: &str) -> bool {
    let let_in = || {
        let person = errand.registry.by_address(from);
        person.is_some_and(|person| is_named(person, &game.settings.allow))
    };
    game.settings.list
        || matches!(game.state, State::Forming | State::Ready)
        || sits(errand, game, from)
        || let_in()
}

/// Whether a sender has a place in a game.
pub(super) fn sits(errand: &Errand, game: &Game, from: &str) -> bool {
    let person = errand.registry.by_address(from).map(|person| person.id);
    let mut seats = game.seats.iter().filter(|seat| !seat.left);
    seats.any(|seat| Some(seat.person) == person)
}

/// Whether everybody may know that a power is to be had. Where the board is hidden nobody may: who asks learns it by
/// leading the power, or not at all.
fn has_opening(game: &Game) -> bool {
    let hidden = horizon::hides(game, variants::of(&game.variant));
    let mut survivors = game.survivors().into_iter();
    !game.over() && !hidden && survivors.any(|power| game.standing(power).vacant())
}

/// What is said of a name, at a sign-on, that no game has.
pub(super) fn no_game_to_play(name: &str) -> Refused {
    Refused(format!(
        "There is no game '{name}' on this judge.  Send LIST for the games there are, or CREATE ?{name} password to make it."
    ))
}

/// What is said of it to who would watch.
pub(super) fn no_game_to_watch(name: &str) -> Refused {
    Refused(format!("There is no game '{name}' on this judge."))
}
