//! Who may do what a master does, and how notices name him who did it.

use crate::game::{Game, Role};
use crate::judge::work::acting::{Acting, Refused, refuse};
use crate::judge::work::{GameWork, Recipient};

/// Who may use a master's commands: masters, and in an unmoderated game any player.
pub(crate) fn may_rule(game: &Game, acting: Acting) -> bool {
    let role = game.seat(acting.seat).map(|seat| seat.role);
    role == Some(Role::Master) || (!game.settings.moderated && role == Some(Role::Player))
}

/// Refuses what is for masters alone.
pub(crate) fn only_master(work: &GameWork, acting: Acting, what: &str) -> Result<(), Refused> {
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
    Some(format!("{} as {role}", work.address_for(to, acting.seat)?))
}
