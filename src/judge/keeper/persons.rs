//! What the keeper changes for people: dedication, addresses, rights, tokens; and who is not heard any more.

use super::{KeeperRefusal, PersonChange, seat as place};
use crate::Judge;
use crate::acts::master;
use crate::acts::seats::leave;
use crate::receiving::receive::finish_game;
use crate::registry::{DedicationReason, Person, RegistryEvent, Right};
use crate::tokens;
use crate::work::game_work::OpenGame;
use crate::work::{GameWork, Work};
use dipjudge_game::{Event, Game, Leave, PersonId, Role, Seat, SeatChange, State};
use dipjudge_mails::inbound::Address;

/// Changes something for a person. Returns what is said of it, line by line.
pub(super) fn change(
    work: &mut Work,
    address: &str,
    change: &PersonChange,
) -> Result<Vec<String>, KeeperRefusal> {
    let person = registered(work, address)?.clone();
    let (id, name) = (person.id, person.name.clone());
    match change {
        PersonChange::Dedication(points) => {
            work.register(RegistryEvent::Dedication {
                person: id,
                points: *points,
                why: DedicationReason::Keeper,
                withheld_by: None,
            });
            let now = work
                .registry
                .person(id)
                .map_or(0, |person| person.dedication);
            said(format!(
                "The dedication of {name} changes by {points:+} to {now}."
            ))
        }
        PersonChange::Link(other) => {
            let other = free_address(work, other)?;
            work.register(RegistryEvent::Linked {
                person: id,
                address: other.clone(),
            });
            said(format!("{other} is an address of {name} too."))
        }
        PersonChange::Address(new) => move_to(work, &person, new),
        PersonChange::Deny(right) => {
            work.register(RegistryEvent::Denied {
                person: id,
                right: *right,
            });
            said(format!(
                "{name} may not {} any more.  Games that go on stay as they are.",
                what(*right)
            ))
        }
        PersonChange::Allow(right) => {
            work.register(RegistryEvent::Allowed {
                person: id,
                right: *right,
            });
            said(format!("{name} may {} again.", what(*right)))
        }
        PersonChange::EndTokens => Ok(end_tokens(work, &person)),
        PersonChange::Forget => forget(work, &person),
    }
}

fn said(sentence: String) -> Result<Vec<String>, KeeperRefusal> {
    Ok(vec![sentence])
}

fn what(right: Right) -> &'static str {
    match right {
        Right::Player => "join games",
        Right::Master => "run games",
    }
}

fn registered<'w>(work: &'w Work, address: &str) -> Result<&'w Person, KeeperRefusal> {
    let key = key_of(address)?;
    work.registry.by_address(&key).ok_or_else(|| {
        KeeperRefusal(format!(
            "nobody is registered with {key}; `dipjudge users` lists who is"
        ))
    })
}

fn key_of(address: &str) -> Result<String, KeeperRefusal> {
    let parsed = Address::parse(address.trim());
    let parsed = parsed.map_err(|_| KeeperRefusal(format!("{address} is no mail address")))?;
    Ok(parsed.key())
}

/// An address that may become somebody's.
fn free_address(work: &Work, address: &str) -> Result<String, KeeperRefusal> {
    let key = key_of(address)?;
    let own = Address::parse(&key).is_ok_and(|address| work.judge.settings.is_own(&address));
    if own {
        return Err(KeeperRefusal(format!("{key} is the judge's own address")));
    }
    match work.registry.by_address(&key) {
        Some(other) => Err(KeeperRefusal(format!(
            "{key} is an address of {} already (number {})",
            other.name, other.id.0
        ))),
        None => Ok(key),
    }
}

/// The seats of a person in games.
fn seats<'j>(work: &Work<'j>, id: PersonId) -> Vec<(&'j Game, &'j Seat)> {
    let games = work.judge.games();
    let seats = games.flat_map(move |game| {
        let own = game.seats.iter().filter(move |seat| seat.person == id);
        own.map(move |seat| (game, seat))
    });
    seats.collect()
}

/// Changes something at each of these seats.
fn change_seats(work: &mut Work, seats: &[(&Game, &Seat)], change: impl Fn(&Seat) -> SeatChange) {
    for (game, seat) in seats {
        let mut open = OpenGame::of(game, work.now);
        GameWork::new(work, &mut open).emit(Event::SeatChanged {
            seat: seat.id,
            change: change(seat),
        });
        work.close(open);
    }
}

fn move_to(work: &mut Work, person: &Person, new: &str) -> Result<Vec<String>, KeeperRefusal> {
    let to = free_address(work, new)?;
    let mut told = Vec::new();
    if let Some(from) = person.addresses.first().cloned() {
        work.register(RegistryEvent::Moved {
            person: person.id,
            from: from.clone(),
            to: to.clone(),
        });
        told.push(format!(
            "The mail of {} goes to {to} from now on, and {from} belongs to nobody now.",
            person.name
        ));
    }
    let seats: Vec<_> = seats(work, person.id)
        .into_iter()
        .filter(|(_, seat)| !seat.left)
        .collect();
    for (game, _) in &seats {
        told.push(format!("Changed in '{}'.", game.name));
    }
    change_seats(work, &seats, |_| SeatChange::Address(to.clone()));
    Ok(told)
}

fn end_tokens(work: &mut Work, person: &Person) -> Vec<String> {
    let seats: Vec<_> = seats(work, person.id)
        .into_iter()
        .filter(|(_, seat)| !seat.left)
        .collect();
    change_seats(work, &seats, |seat| SeatChange::Token(seat.token + 1));
    vec![format!(
        "The reply addresses that {} has are valid no more (games: {}).  The next mail of each game brings a new one; until \
         then SIGNON with the password is the way.",
        person.name,
        seats.len()
    )]
}

fn forget(work: &mut Work, person: &Person) -> Result<Vec<String>, KeeperRefusal> {
    let mut told = Vec::new();
    for (game, seat) in seats(work, person.id) {
        told.extend(free_seat(work, game, seat)?);
    }
    let secret = work.registry.secret().cloned();
    let key = |address: &String| Some(tokens::of_forgotten(secret.as_ref()?, address));
    let keys: Vec<String> = person.addresses.iter().filter_map(key).collect();
    work.register(RegistryEvent::Forgotten {
        person: person.id,
        keys,
    });
    told.push(format!(
        "Number {} is forgotten: name, country and addresses are removed.  The number stays in the logs of games, and a keyed \
         hash of each address, so that the number comes back if the same address registers again.",
        person.id.0
    ));
    Ok(told)
}

/// Takes a person out of a game that is not over, and his address out of any game. A game without another master is paused, so
/// that nothing falls due in it until somebody runs it.
fn free_seat(work: &mut Work, game: &Game, seat: &Seat) -> Result<Vec<String>, KeeperRefusal> {
    let mut told = Vec::new();
    let mut open = OpenGame::of(game, work.now);
    let mut of_game = GameWork::new(work, &mut open);
    if !seat.left && !game.over() {
        let acting = place::take(&mut of_game);
        told.push(format!("'{}':", game.name));
        told.push(leave(&mut of_game, acting, seat.id, Leave::Ejected)?.text());
        let masters = of_game.game().seated(Role::Master);
        let other = |master: &&Seat| master.id != seat.id && master.id != acting.seat;
        let ruled = masters.filter(other).count() > 0 || !game.settings.moderated;
        if !ruled && game.state == State::Running {
            told.push(master::pause(&mut of_game, acting)?.text());
        }
        of_game.send_notices();
        finish_game(&mut of_game);
        place::leave(&mut of_game, acting);
    }
    of_game.emit(Event::SeatChanged {
        seat: seat.id,
        change: SeatChange::Address(forgotten_address(seat.person)),
    });
    work.close(open);
    Ok(told)
}

impl Judge {
    /// The keyed hash by which an address is known again whose owner was forgotten.
    pub fn forgotten_key(&self, address: &str) -> Option<String> {
        let secret = self.registry().secret()?;
        Some(tokens::of_forgotten(secret, address))
    }
}

/// What stands in place of the address of a forgotten person: no mail can be sent there.
pub fn forgotten_address(id: PersonId) -> String {
    format!("forgotten-{}@forgotten.invalid", id.0)
}

pub(super) fn block(work: &mut Work, address: &str) -> Result<Vec<String>, KeeperRefusal> {
    let key = blockable(work, address)?;
    let mut told = if work.registry.blocked().contains(&key) {
        vec![format!("{key} is blocked already.")]
    } else {
        work.register(RegistryEvent::Blocked {
            address: key.clone(),
        });
        vec![format!(
            "Mail from {key} is not read any more, and not answered."
        )]
    };
    if let Some(person) = work.registry.by_address(&key) {
        let seats = seats(work, person.id);
        let here = seats
            .iter()
            .filter(|(game, seat)| !seat.left && !game.over());
        told.extend(here.map(|(game, _)| {
            format!(
                "{} still has a place in '{}': `dipjudge act {}` with EJECT {key} frees it.",
                person.name, game.name, game.name
            )
        }));
    }
    Ok(told)
}

pub(super) fn unblock(work: &mut Work, address: &str) -> Result<Vec<String>, KeeperRefusal> {
    let key = blockable(work, address)?;
    if !work.registry.blocked().contains(&key) {
        return Err(KeeperRefusal(format!("{key} is not blocked")));
    }
    work.register(RegistryEvent::Unblocked {
        address: key.clone(),
    });
    said(format!("Mail from {key} is read again."))
}

/// An address or `@domain`, normalized. The keeper's own is refused.
fn blockable(work: &Work, address: &str) -> Result<String, KeeperRefusal> {
    let key = match address.trim().strip_prefix('@') {
        Some(domain) if !domain.is_empty() && !domain.contains(['@', ' ']) => {
            format!("@{}", domain.to_lowercase())
        }
        _ => key_of(address)?,
    };
    let keeper = Address::parse(&work.judge.settings.keeper).map(|keeper| keeper.key());
    if keeper.is_ok_and(|keeper| keeper == key || keeper.ends_with(&key)) {
        return Err(KeeperRefusal(format!("{key} is the keeper's own")));
    }
    Ok(key)
}
