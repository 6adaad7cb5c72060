//! How a person gets a seat in a game.

use crate::people::passwords;
use crate::registry::Person;
use crate::work::GameWork;
use crate::work::acting::{Acting, Refusal, invalid};
use dipjudge_game::{Event, Role, SeatChange, SeatId};

pub(crate) fn sit(
    work: &mut GameWork,
    person: &Person,
    from: &str,
    word: &str,
    role: Role,
) -> Result<Acting, Refusal> {
    let seat = next_seat(work);
    let salt = work.ids.id();
    let password = passwords::hash(word, salt).ok_or_else(invalid)?;
    let address = person
        .addresses
        .first()
        .map_or_else(|| from.to_owned(), Clone::clone);
    work.emit(Event::Seated {
        seat,
        person: person.id,
        address,
        role,
        password,
    });
    if let Some(zone) = &person.zone {
        work.emit(Event::SeatChanged {
            seat,
            change: SeatChange::Zone(Some(zone.clone())),
        });
    }
    if role == Role::Player && work.variant_game().shows_addresses() {
        work.emit(Event::SeatChanged {
            seat,
            change: SeatChange::Name(person.name.clone()),
        });
    }
    Ok(Acting {
        seat,
        power: None,
        from_home: true,
        by_token: false,
    })
}

fn next_seat(work: &GameWork) -> SeatId {
    SeatId(work.game().seats.len() as u32 + 1)
}
