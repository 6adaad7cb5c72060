//! Who may do what a master does, and how notices name that person.

use crate::work::acting::{Acting, Refusal, refuse};
use crate::work::{GameWork, Recipient};
use dipjudge_game::{Game, Role, SeatId, VariantGame};
use dipjudge_variants as variants;

/// Whether a person may use a master's commands: masters may, and all players of an unmoderated game.
pub(crate) fn may_rule(game: &Game, acting: Acting) -> bool {
    match game.seat(acting.seat).map(|seat| seat.role) {
        Some(Role::Master) => true,
        Some(Role::Player) => !game.settings.moderated && players_rule(game, acting.seat),
        _ => false,
    }
}

/// The seat of the creator of a game.
pub(crate) const CREATOR: SeatId = SeatId(1);

/// Whether a player may do what masters do, in an unmoderated game. In games that hide which powers exist, no player
/// may once the game has begun, since the action would show that the player exists. In games that begin at a date, only
/// the creator may, and only until the game begins.
fn players_rule(game: &Game, seat: SeatId) -> bool {
    let variant = variants::of(&game.variant);
    let of_creator = VariantGame::new(game, variant).begins_at_a_date();
    let existence = VariantGame::new(game, variant).secrecy().existence;
    let has_master = game.seated(Role::Master).next().is_some();
    if game.begun() {
        !existence && !of_creator
    } else {
        !of_creator || (seat == CREATOR && !has_master)
    }
}

/// Refuses senders other than masters and, in an unmoderated game, players.
pub(crate) fn only_ruler(work: &GameWork, acting: Acting, what: &str) -> Result<(), Refusal> {
    if may_rule(work.game(), acting) {
        Ok(())
    } else {
        only_master(work, acting, what)
    }
}

/// Refuses senders other than masters.
pub(crate) fn only_master(work: &GameWork, acting: Acting, what: &str) -> Result<(), Refusal> {
    let game = work.game();
    if game
        .seat(acting.seat)
        .is_some_and(|seat| seat.role == Role::Master)
    {
        return Ok(());
    }
    let what = capitalized(what);
    refuse(format!(
        "{what} is for the master of '{}'. To ask for it: PRESS TO M.",
        game.name
    ))
}

/// The words at the beginning of a sentence.
fn capitalized(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next();
    first.map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

/// `<who> as Master`: the name of the acting person in a notice, as far as one reader may know.
pub(crate) fn who_as(work: &GameWork, to: Recipient, acting: Acting) -> Option<String> {
    let game = work.game();
    let labels = work.labels(to);
    let role = match (game.seat(acting.seat)?.role, acting.power) {
        (Role::Master, _) => "Master",
        (Role::Observer, _) => "Observer",
        (Role::Player, Some(power)) => labels.name(power),
        (Role::Player, None) => "a player",
    };
    Some(format!(
        "{} as {role}",
        work.introduced_to(to, acting.seat)?
    ))
}
