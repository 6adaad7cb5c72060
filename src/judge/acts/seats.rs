//! Changes of seats by a master, and departures: BECOME MASTER, PROMOTE, EJECT, RESIGN.

use crate::clock::dedication;
use crate::clock::ending;
use crate::people::stand_by;
use crate::registry::DedicationReason;
use crate::work::acting::{ActOutcome, Acting, refuse, say};
use crate::work::{GameWork, Recipient};
use dipjudge_commands::power_list::read_power;
use dipjudge_commands::power_list_error::PowerListError;
use dipjudge_game::{Event, Leave, Role, Seat, SeatChange, SeatId};
use dipjudge_rules::map::Power;

/// EJECT: removes a power's leader, an observer or a master, named by power or by address.
pub(crate) fn eject(work: &mut GameWork, acting: Acting, whom: &str) -> ActOutcome {
    let game = work.game();
    let whom = whom.trim();
    if whom.is_empty() {
        return refuse("Say whom to eject: EJECT power, or EJECT address.");
    }
    let seats: Vec<SeatId> = match read_power(whom, work.roster(acting.recipient())) {
        Ok(power) => game
            .holder(power)
            .filter(|seat| !seat.left)
            .map(|seat| seat.id)
            .into_iter()
            .collect(),
        Err(error @ PowerListError::Ambiguous { .. }) => return refuse(error.to_string()),
        Err(_) => {
            let named = |seat: &&Seat| !seat.left && seat.address.eq_ignore_ascii_case(whom);
            game.seats
                .iter()
                .filter(named)
                .map(|seat| seat.id)
                .collect()
        }
    };
    match seats.as_slice() {
        [] => refuse(format!("Nobody in '{}' is called '{whom}'.", game.name)),
        [seat] => leave(work, acting, *seat, Leave::Ejected),
        _ => refuse(format!("'{whom}' fits several persons; name the address.")),
    }
}

/// Removes a person from the game: his powers become vacant and all others are notified. A person who is ejected is
/// notified too.
pub(crate) fn leave(work: &mut GameWork, acting: Acting, seat: SeatId, how: Leave) -> ActOutcome {
    let game = work.game();
    let name = game.name.clone();
    let Some(role) = game.seat(seat).map(|seat| seat.role) else {
        return refuse("Nobody sits there.");
    };
    let powers: Vec<Power> = game.led_by(seat);
    let title_for = |work: &GameWork, to: Recipient| match role {
        Role::Observer => "Observer".to_owned(),
        Role::Master => "Master".to_owned(),
        Role::Player if powers.is_empty() => "a player".to_owned(),
        Role::Player => {
            let labels = work.labels(to);
            let titles: Vec<&str> = powers.iter().map(|power| labels.name(*power)).collect();
            titles.join(", ")
        }
    };
    let begun = game.begun();
    for power in &powers {
        work.emit(Event::Vacated { power: *power, how });
    }
    if how == Leave::Resigned && begun && role == Role::Player {
        dedication::points(work, &powers, 0, DedicationReason::Resigned);
    }
    let tail =
        |work: &GameWork, to: Recipient| Some(format!("Resignation: {}", title_for(work, to)));
    let word = match how {
        Leave::Resigned => "has resigned from",
        Leave::Ejected => "has been ejected from",
    };
    let told = if how == Leave::Resigned {
        Some(seat)
    } else {
        Some(acting.seat)
    };
    work.tell_each(told, tail, |work, to| {
        // If the board is hidden, only masters know who leads a power.
        let secret = (begun && work.hides() || work.secrecy().existence) && role == Role::Player;
        if secret && !work.is_master(to) && to.seat != seat {
            return None;
        }
        let who = work.introduced_to(to, seat)?;
        let title = title_for(work, to);
        Some(vec![format!("{who} {word} game '{name}' as {title}.")])
    });
    // The notices and the reply still go to the seat; then it is closed.
    work.ends_entry(seat);
    work.open.close_seats_after.push(seat);
    // Where there is a stand-by list, the next on it takes the power, so there need not be one leader fewer.
    if !powers.is_empty() && !stand_by::is_kept(work) {
        ending::one_leader_less(work);
    }
    let title = title_for(work, acting.recipient());
    say(vec![match how {
        Leave::Resigned => format!(
            "You have resigned as {title} in '{name}'. Your power is now free for another player."
        ),
        Leave::Ejected => format!("{title} has been ejected from game '{name}'."),
    }])
}

/// PROMOTE: makes an observer a master as well.
pub(crate) fn promote(work: &mut GameWork, acting: Acting, address: &str) -> ActOutcome {
    let game = work.game();
    let found = game
        .seated(Role::Observer)
        .find(|seat| seat.address.eq_ignore_ascii_case(address.trim()));
    let Some(seat) = found.map(|seat| seat.id) else {
        return refuse(format!(
            "No observer of '{}' has the address '{}'.",
            game.name,
            address.trim()
        ));
    };
    let (name, address) = (game.name.clone(), address.trim().to_owned());
    work.emit(Event::SeatChanged {
        seat,
        change: SeatChange::Role(Role::Master),
    });
    work.tell_each(
        Some(acting.seat),
        |work, to| Some(format!("Promotion of {}", work.person_for(to, seat)?)),
        |work, to| {
            let who = work.introduced_to(to, seat)?;
            Some(vec![format!("{who} is now a Master of game '{name}'.")])
        },
    );
    say(vec![format!("{address} is now a Master of '{name}'.")])
}
