//! Who may do what a master does, and how notices name him who did it.

use crate::work::acting::{Acting, Refusal, refuse};
use crate::work::{GameWork, Recipient};
use dipjudge_game::{Game, Role, SeatId, VariantGame};
use dipjudge_variants as variants;

/// Who may use a master's commands: masters, and in an unmoderated game any player.
pub(crate) fn may_rule(game: &Game, acting: Acting) -> bool {
    match game.seat(acting.seat).map(|seat| seat.role) {
        Some(Role::Master) => true,
        Some(Role::Player) => !game.settings.moderated && players_rule(game, acting.seat),
        _ => false,
    }
}

/// The seat of who made the game.
pub(crate) const CREATOR: SeatId = SeatId(1);

/// Whether a player may do what masters do, in a game that none moderates. Where it is hidden who exists, nobody's doing
/// shows once the game has begun; and before a date that closes sign-up only who made the game has a say in it.
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

/// Refuses what is for masters alone.
pub(crate) fn only_master(work: &GameWork, acting: Acting, what: &str) -> Result<(), Refusal> {
    let game = work.game();
    if game
        .seat(acting.seat)
        .is_some_and(|seat| seat.role == Role::Master)
    {
        return Ok(());
    }
    refuse(format!(
        "Only the Master of '{}' can use {what}.",
        game.name
    ))
}

/// `<who> as Master`: how a notice names who did it, as one reader may know.
pub(crate) fn who_as(work: &GameWork, to: Recipient, acting: Acting) -> Option<String> {
    let game = work.game();
    let labels = work.labels(to);
    let role = match (game.seat(acting.seat)?.role, acting.power) {
        (Role::Master, _) => "Master",
        (Role::Observer, _) => "Observer",
        (Role::Player, Some(power)) => labels.name(power),
        (Role::Player, None) => "a player",
    };
    Some(format!("{} as {role}", work.person_for(to, acting.seat)?))
}
