//! BECOME MASTER: a player becomes the master of a forming game.

use crate::people::admission::check_right;
use crate::registry::Right;
use crate::work::GameWork;
use crate::work::acting::{ActOutcome, refuse, say};
use crate::work::authority;
use dipjudge_game::{Event, Role, SeatChange, SeatId, SettingChange, State};

/// BECOME MASTER: the sole player of a forming game becomes its master.
pub(crate) fn become_master(work: &mut GameWork, seat: SeatId) -> ActOutcome {
    let game = work.game();
    let alone = game
        .seats
        .iter()
        .all(|other| other.left || other.id == seat);
    let player = game
        .seat(seat)
        .is_some_and(|seat| seat.role == Role::Player);
    if work.secrecy().existence {
        // Nobody may learn whether anybody else has signed on, so only the creator of the game may do it.
        let may = game.state == State::Forming && player && seat == authority::CREATOR;
        if !may {
            return refuse(
                "BECOME MASTER is for who made a game of this kind, while it is still forming.",
            );
        }
    } else if game.state != State::Forming || !player || !alone {
        return refuse("BECOME MASTER is for the sole player of a game that is still forming.");
    }
    let name = game.name.clone();
    let person = game.seat(seat).map(|seat| seat.person);
    if let Some(person) = person.and_then(|person| work.registry.person(person)) {
        check_right(person, Right::Master)?;
    }
    work.emit(Event::SeatChanged {
        seat,
        change: SeatChange::Role(Role::Master),
    });
    work.emit(Event::Set(SettingChange::Moderated(true)));
    say(vec![format!(
        "You are now the Master of game '{name}', and your place as a player is free."
    )])
}
