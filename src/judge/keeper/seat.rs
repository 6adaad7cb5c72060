//! The keeper's place at a game: a master's, taken for as long as an act lasts. So what masters may do, and what is told of it, is
//! decided in one way.

use crate::people::passwords;
use crate::work::GameWork;
use crate::work::acting::Acting;
use dipjudge_game::{Event, PersonId, Role, SeatChange, SeatId};

/// Seats the keeper, at the place of before if there is one.
pub(super) fn take(work: &mut GameWork) -> Acting {
    let address = work.judge.settings.keeper.clone();
    let game = work.game();
    let before = game
        .seats
        .iter()
        .find(|seat| seat.person == PersonId::KEEPER)
        .cloned();
    let seat = match before {
        Some(before) => {
            let changes = [
                before.left.then_some(SeatChange::Back),
                (before.address != address).then_some(SeatChange::Address(address)),
            ];
            for change in changes.into_iter().flatten() {
                let seat = before.id;
                work.emit(Event::SeatChanged { seat, change });
            }
            before.id
        }
        None => {
            let seat = SeatId(game.seats.len() as u32 + 1);
            work.emit(Event::Seated {
                seat,
                person: PersonId::KEEPER,
                address,
                role: Role::Master,
                password: passwords::NOBODYS.to_owned(),
            });
            seat
        }
    };
    work.open.actor = Some(seat);
    Acting {
        seat,
        power: None,
        from_home: true,
        by_token: true,
    }
}

/// Frees the place again.
pub(super) fn leave(work: &mut GameWork, acting: Acting) {
    work.emit(Event::SeatChanged {
        seat: acting.seat,
        change: SeatChange::Left,
    });
}
