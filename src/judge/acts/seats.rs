//! Changes of seats by a master, and departures: PROMOTE, EJECT, DUMMY, REVIVE, RESIGN.

use crate::clock::dedication;
use crate::clock::ending;
use crate::people::joining::hides_who_joined;
use crate::people::offering;
use crate::people::stand_by;
use crate::people::take_over;
use crate::registry::{DedicationReason, Right};
use crate::work::acting::{ActOutcome, Acting, Refusal, refuse, say};
use crate::work::authority::may_rule;
use crate::work::or_logged::OrLogged;
use crate::work::{GameWork, Recipient};
use dipjudge_commands::power_list::read_power;
use dipjudge_commands::power_list_error::PowerListError;
use dipjudge_game::{Event, Leave, Offered, Role, Seat, SeatChange, SeatId, State};
use dipjudge_mails::inbound::Address;
use dipjudge_mails::outbound;
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
            let named = |seat: &&Seat| {
                !seat.left
                    && (seat.address.eq_ignore_ascii_case(whom)
                        || work.registry.is_first_name(&seat.address, whom))
            };
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
    let stays_ruled = stays_ruled_without(work, seat);
    if !stays_ruled {
        waits_for_a_master(work)?;
    }
    let game = work.game();
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
        let forming = hides_who_joined(work, to);
        let secret =
            (begun && work.hides() || work.secrecy().existence || forming) && role == Role::Player;
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
        Leave::Resigned if powers.is_empty() => {
            format!("You have resigned as {title} in '{name}'.")
        }
        Leave::Resigned => format!(
            "You have resigned as {title} in '{name}'. Your power is now free for another player."
        ),
        Leave::Ejected => format!("{title} has been ejected from game '{name}'."),
    }])
}

/// Whether somebody can set, process and end the game once a person has left it.
fn stays_ruled_without(work: &GameWork, leaving: SeatId) -> bool {
    let game = work.game();
    let ruler = |seat: &Seat| seat.role == Role::Master && !seat.left;
    if game.over() || !game.seat(leaving).is_some_and(ruler) {
        return true;
    }
    let rules = |seat: &&Seat| {
        let acting = Acting {
            seat: seat.id,
            power: None,
            from_home: true,
            by_token: false,
        };
        seat.id != leaving && !seat.left && (ruler(seat) || may_rule(game, acting))
    };
    game.seats.iter().any(|seat| rules(&seat))
}

/// The only master of a game leaves. It is paused until a successor who has been asked accepts, or the keeper acts; where nobody
/// has been asked, the master stays.
fn waits_for_a_master(work: &mut GameWork) -> Result<(), Refusal> {
    let game = work.game();
    let asked = game
        .offers
        .iter()
        .any(|offer| offer.what == Offered::Master);
    if asked {
        let name = game.name.clone();
        if game.state == State::Running {
            work.emit(Event::Paused);
        }
        work.tell_others(None, "Game Paused", |work, _| {
            Some(vec![format!(
                "'{}' has no Master now, and stands still. It goes on when the successor who was asked has accepted, or when the keeper of this judge has found another.",
                work.game().name
            )])
        });
        tell_keeper_of_departure(work, &name);
        return Ok(());
    }
    let game = work.game();
    let others = if game.settings.moderated {
        " SET UNMODERATED leaves its settings to the players of a game that does not hide who plays."
    } else {
        ""
    };
    refuse(format!(
        "You are the only master of '{}', and nobody else could run it. PROMOTE address makes an observer master at once, and asks anybody else who does not play; after that you can leave, and the game is paused until he or she has accepted.{others} TERMINATE ends the game.",
        game.name
    ))
}

fn tell_keeper_of_departure(work: &mut GameWork, name: &str) {
    let lines = vec![
        format!(
            "The only master of game '{name}' has left it. A successor was asked, and the game is paused until he has accepted."
        ),
        format!(
            "If he does not, find another: `dipjudge act {name}` with PROMOTE and an address asks one, and RESUME goes on."
        ),
    ];
    let settings = work.judge.settings();
    let (judge, keeper) = (settings.name.clone(), settings.keeper.clone());
    let subject = "A game has no master";
    if let Some(text) =
        outbound::keeper_notice(&work.judge.templates, &judge, subject, lines).or_logged()
    {
        work.send_to_keeper(&keeper, text);
    }
}

/// DUMMY: takes a power from its leader and puts it into civil disorder.
pub(crate) fn dummy(work: &mut GameWork, acting: Acting, whom: &str) -> ActOutcome {
    let power = named(work, acting, whom)?;
    let game = work.game();
    if game.state != State::Running {
        return refuse(format!(
            "Game '{}' is not running, so nobody can be made a dummy.",
            game.name
        ));
    }
    if !game.settings.nmr {
        return refuse(
            "A dummy is for games that go on without orders: SET NMR first. Without it the game waits for another player; EJECT makes a power free for one.",
        );
    }
    let name = work.labels(acting.recipient()).name(power).to_owned();
    if !work.variant().in_play(game, power) {
        return refuse(format!("{name} has been eliminated."));
    }
    if game.standing(power).disorder {
        return refuse(format!("{name} is in civil disorder already."));
    }
    let leader = game
        .holder(power)
        .filter(|seat| !seat.left)
        .map(|seat| seat.id);
    if let Some(leader) = leader {
        leave(work, acting, leader, Leave::Ejected)?;
    }
    if work.game().over() {
        return say(vec![format!("{name} has no leader any more.")]);
    }
    work.emit(Event::Disorder { power, on: true });
    let tail = |work: &GameWork, to: Recipient| {
        Some(format!("Civil Disorder: {}", work.labels(to).letter(power)))
    };
    work.tell_each(Some(acting.seat), tail, |work, to| {
        // Who leads a power is hidden where the board is.
        if work.hides() && !work.is_master(to) {
            return None;
        }
        Some(vec![format!(
            "{} in game '{}' is in civil disorder: its units hold until somebody takes it over.",
            work.labels(to).name(power),
            work.game().name
        )])
    });
    say(vec![format!(
        "{name} is in civil disorder: its units hold until somebody takes it over, or REVIVE {name} brings its player back."
    )])
}

/// REVIVE: gives a power back to whoever led it last.
pub(crate) fn revive(work: &mut GameWork, acting: Acting, whom: &str) -> ActOutcome {
    let power = named(work, acting, whom)?;
    let game = work.game();
    if !game.begun() || game.over() {
        return refuse(format!("Game '{}' is not running.", game.name));
    }
    if stand_by::is_kept(work) {
        return refuse("In this game its stand-by list decides who leads a power.");
    }
    let name = work.labels(acting.recipient()).name(power).to_owned();
    if !work.variant().in_play(game, power) {
        return refuse(format!("{name} has been eliminated."));
    }
    if !game.standing(power).vacant() {
        return refuse(format!("{name} has a leader."));
    }
    take_over::revive(work, power)?;
    say(vec![format!(
        "{name} is led again by its last player, who is told."
    )])
}

/// The power that a master names.
fn named(work: &GameWork, acting: Acting, whom: &str) -> Result<Power, Refusal> {
    read_power(whom, work.roster(acting.recipient())).map_err(|error| {
        Refusal::from(match error {
            PowerListError::Ambiguous { .. } => error.to_string(),
            _ => format!("'{}' is not a power of this game.", whom.trim()),
        })
    })
}

/// PROMOTE of somebody who is no observer: he is asked by mail. The answer is the same whoever he is.
fn promote_by_mail(work: &mut GameWork, address: &str) -> ActOutcome {
    let Ok(address) = Address::parse(address) else {
        return refuse(format!(
            "'{address}' is not an address. PROMOTE address makes an observer a master, and asks anybody else by mail."
        ));
    };
    if work.judge.settings.is_own(&address) {
        return refuse("That is the address of this judge itself.");
    }
    let game = work.game();
    if game.over() {
        return refuse(format!("Game '{}' is over.", game.name));
    }
    let address = address.key();
    offering::offer(work, &address, Offered::Master);
    say(vec![format!(
        "I have written to {address}. If that person may and answers YES, he or she is a Master of '{}' too. Whoever plays in it never is.",
        work.game().name
    )])
}

/// PROMOTE: makes an observer a master as well.
pub(crate) fn promote(work: &mut GameWork, acting: Acting, address: &str) -> ActOutcome {
    let game = work.game();
    let found = game
        .seated(Role::Observer)
        .find(|seat| seat.address.eq_ignore_ascii_case(address.trim()));
    let Some(seat) = found.map(|seat| seat.id) else {
        return promote_by_mail(work, address.trim());
    };
    let (name, address) = (game.name.clone(), address.trim().to_owned());
    let person = game.seat(seat).map(|seat| seat.person);
    if let Some(person) = person.and_then(|person| work.registry.person(person))
        && person.denied.contains(&Right::Master)
    {
        return refuse(format!(
            "The keeper of this judge does not let {address} run games."
        ));
    }
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
