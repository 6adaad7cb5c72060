//! Vacant powers: taken over by a newcomer, or taken back by the former leader (`judge-workflow.md` 4.7).

use crate::people::admission::{check_entry, check_once_a_leader};
use crate::people::guessing;
use crate::people::passwords;
use crate::people::registering::registered;
use crate::people::seating::sit;
use crate::registry::RegistryEvent;
use crate::work::acting::{Acting, Refusal, invalid, refuse};
use crate::work::{GameWork, MailClass, Recipient};
use dipjudge_game::clock::PhaseStart;
use dipjudge_game::{Event, LeaderNeed, Role, Seat, SeatChange, SeatId, Times, VariantGame};
use dipjudge_rules::map::Power;
use dipjudge_view::Viewer;

/// Gives a vacant power to a newcomer, or back to its former leader (`judge-workflow.md` 4.7). If the board is hidden,
/// so is which powers are vacant: a person who may not have the power reads the same as for a power that has a leader.
pub(crate) fn take_over(
    work: &mut GameWork,
    from: &str,
    power: Power,
    word: &str,
) -> Result<Acting, Refusal> {
    match taken(work, from, power, word) {
        Err(_) if work.hides() => Err(guessing::refused_at(work, power)),
        result => result,
    }
}

fn taken(work: &mut GameWork, from: &str, power: Power, word: &str) -> Result<Acting, Refusal> {
    let person = registered(work, from)?.clone();
    let game = work.game().clone();
    let stranger = VariantGame::new(&game, work.variant())
        .seen_by(Viewer::Stranger)
        .labels();
    if game.over() {
        return refuse(format!("Game '{}' is over.", game.name));
    }
    let need = VariantGame::new(&game, work.variant()).need_of(power);
    if need == LeaderNeed::Closed {
        return refuse(format!(
            "There is no {} in game '{}'.",
            stranger.name(power),
            game.name
        ));
    }
    if !work.variant().in_play(&game, power) {
        return refuse(format!(
            "{} has been eliminated from '{}'.",
            stranger.name(power),
            game.name
        ));
    }
    if !passwords::allowed(word) {
        return refuse("Choose a password without blanks and put it after the game's name.");
    }
    let other = game.all_powers().find(|other| {
        *other != power
            && !game.standing(*other).vacant()
            && game
                .holder(*other)
                .is_some_and(|seat| seat.person == person.id)
    });
    if let Some(other) = other {
        return refuse(format!(
            "You play {} in '{}' already.",
            stranger.name(other),
            game.name
        ));
    }
    check_once_a_leader(&game, &person, power)?;
    let standing = game.standing(power);
    let holder = game.holder(power).cloned();
    let returning = holder
        .as_ref()
        .filter(|seat| seat.person == person.id && !seat.left);
    if let Some(seat) = returning {
        let acting = Acting {
            seat: seat.id,
            power: Some(power),
            from_home: true,
            by_token: false,
        };
        take_back(
            work,
            acting,
            power,
            standing.disorder && game.settings.nmr,
            word,
        )?;
        return Ok(acting);
    }
    check_entry(&game, &person)?;
    // An observer who takes over a power gives up his observer's seat and keeps his settings for mails.
    let chairs = game
        .seats
        .iter()
        .filter(|seat| !seat.left && seat.person == person.id && seat.role == Role::Observer);
    let chairs: Vec<SeatId> = chairs.map(|seat| seat.id).collect();
    for seat in &chairs {
        work.emit(Event::SeatChanged {
            seat: *seat,
            change: SeatChange::Left,
        });
    }
    let acting = Acting {
        power: Some(power),
        ..sit(work, &person, from, word, Role::Player)?
    };
    if let Some(before) = chairs.first() {
        work.emit(Event::SeatChanged {
            seat: acting.seat,
            change: SeatChange::Follows(*before),
        });
    }
    work.emit(Event::Taken {
        power,
        seat: acting.seat,
    });
    work.emit(Event::Waits { power, on: true });
    work.register(RegistryEvent::Joined {
        people: vec![person.id],
        at_start: false,
    });
    let done = match (need, &holder) {
        // The power had no leader before.
        (LeaderNeed::Optional, None) => "has come in as".to_owned(),
        _ => format!("has taken over the {}", standing_word(standing)),
    };
    announce(work, acting, power, "New Player Signon", &done);
    work.send_notices();
    // A person who has left has already received the last mail of the game.
    let displaced = |seat: &Seat| !seat.left && game.led_by(seat.id).len() == 1;
    if let Some(old) = holder.filter(displaced) {
        dismiss(work, old.id, power);
    }
    Ok(acting)
}

/// Tells the former leader that another person leads the power now, and closes his seat.
pub(crate) fn dismiss(work: &mut GameWork, old: SeatId, power: Power) {
    let to = Recipient::new(old, Some(power));
    work.ends_entry(old);
    let game = work.game();
    let led = VariantGame::new(game, work.variant())
        .seen_by(Viewer::Power(power))
        .labels();
    let taken = format!(
        "Another player has taken over {} in game '{}'. You are out of the game.",
        led.name(power),
        game.name
    );
    let subject = format!("Diplomacy notice: {}", game.name);
    let notice = vec![
        taken,
        "You will get no more mail from it. Thank you for playing.".to_owned(),
    ];
    if let Some(mut text) = work.notice(to, "Notice", notice) {
        text.subject = subject;
        work.send(to, text, MailClass::Notice);
    }
    work.emit(Event::SeatChanged {
        seat: old,
        change: SeatChange::Left,
    });
}

fn standing_word(standing: &dipjudge_game::Standing) -> &'static str {
    if standing.resigned && !standing.abandoned {
        "vacant"
    } else {
        "abandoned"
    }
}

fn take_back(
    work: &mut GameWork,
    acting: Acting,
    power: Power,
    from_disorder: bool,
    word: &str,
) -> Result<(), Refusal> {
    let salt = work.ids.id();
    let password = passwords::hash(word, salt).ok_or_else(invalid)?;
    work.emit(Event::SeatChanged {
        seat: acting.seat,
        change: SeatChange::Password(password),
    });
    returned(work, acting, power, from_disorder);
    Ok(())
}

/// The former leader of a power leads it again.
fn returned(work: &mut GameWork, acting: Acting, power: Power, from_disorder: bool) {
    work.emit(Event::Taken {
        power,
        seat: acting.seat,
    });
    if from_disorder {
        let tail = |work: &GameWork, to: Recipient| {
            Some(format!(
                "{} is no longer in CD",
                work.labels(to).name(power)
            ))
        };
        work.tell_each(Some(acting.seat), tail, |work, to| {
            if work.hides() && !work.is_master(to) {
                return None;
            }
            Some(vec![format!(
                "{} in game '{}' is no longer in civil disorder.",
                work.labels(to).name(power),
                work.game().name
            )])
        });
    } else {
        announce(
            work,
            acting,
            power,
            "Returning Player Signon",
            "has returned to",
        );
    }
}

/// REVIVE: a master gives a vacant power back to whoever led it last, as if he had signed on again.
pub(crate) fn revive(work: &mut GameWork, power: Power) -> Result<(), Refusal> {
    let game = work.game().clone();
    let Some(seat) = game.holder(power).cloned() else {
        return refuse("Nobody has led that power, so there is nobody to bring back.");
    };
    let elsewhere =
        |other: &&Seat| other.id != seat.id && other.person == seat.person && !other.left;
    if game.seats.iter().any(|other| elsewhere(&other)) {
        return refuse(format!(
            "Whoever led it has another place in '{}' now.",
            game.name
        ));
    }
    if let Some(person) = work.registry.person(seat.person) {
        check_once_a_leader(&game, person, power)?;
    }
    if seat.left {
        work.emit(Event::SeatChanged {
            seat: seat.id,
            change: SeatChange::Back,
        });
    }
    let acting = Acting {
        seat: seat.id,
        power: Some(power),
        from_home: true,
        by_token: false,
    };
    let standing = game.standing(power);
    let from_disorder = standing.disorder && game.settings.nmr;
    returned(work, acting, power, from_disorder);
    work.send_notices();
    let to = acting.recipient();
    let labels = work.labels(to);
    let told = format!(
        "The Master of '{}' has given {} back to you. Your address and your password are those of before.",
        game.name,
        labels.name(power)
    );
    if let Some(text) = work.notice(to, "Returning Player Signon", told) {
        work.send(to, text, MailClass::Notice);
    }
    Ok(())
}

/// Tells everybody of a new or returning leader, and extends the deadline if the game was waiting for one.
fn announce(work: &mut GameWork, acting: Acting, power: Power, tail: &str, done: &str) {
    let edit = &work.open.edit;
    let game = &edit.game;
    let others_vacant = VariantGame::new(game, edit.variant)
        .powers_taking_part()
        .iter()
        .any(|other| *other != power && game.standing(*other).vacant());
    let next = dipjudge_game::deadline::minutes(game.clock(edit.variant).next);
    let near = game
        .timing
        .times
        .is_some_and(|times| times.deadline < work.now + next / 2);
    // If the game goes on without a leader for the power, it was not waiting for one.
    let gives_time = VariantGame::new(game, edit.variant)
        .pace()
        .moved_by_takeover
        && VariantGame::new(game, edit.variant).need_of(power) == LeaderNeed::Required;
    let times = (gives_time && !others_vacant && near)
        .then(|| VariantGame::new(game, edit.variant).times_from(work.now, PhaseStart::Later));
    if let Some(times) = times {
        work.emit(Event::Timed { times });
    }
    let change = LeaderChange {
        acting,
        power,
        times,
    };
    tell_of_leader(work, change, tail, done);
}

/// That a power has another leader.
#[derive(Clone, Copy)]
pub(crate) struct LeaderChange {
    /// The new leader.
    pub acting: Acting,
    pub power: Power,
    /// The deadline that follows from it, if it moves.
    pub times: Option<Times>,
}

/// Tells everybody of a new or returning leader.
pub(crate) fn tell_of_leader(work: &mut GameWork, change: LeaderChange, tail: &str, done: &str) {
    let LeaderChange {
        acting,
        power,
        times,
    } = change;
    let quiet = work.game().settings.is_quiet();
    // The leader may be hidden, or not announced. A new deadline is then announced without a reason, in the same text
    // for all.
    let silent = work.hides() || quiet;
    let subject = |work: &GameWork, to: Recipient| {
        if !silent || work.is_master(to) {
            return Some(format!("{tail}: {}", work.labels(to).letter(power)));
        }
        let deadline = work.reader(to).moment(times?.deadline);
        Some(format!("Deadline Adjustment to: {deadline}"))
    };
    work.tell_each(Some(acting.seat), subject, |work, to| {
        let game = work.game();
        let reader = work.reader(to);
        let who = work.introduced_to(to, acting.seat)?;
        let labels = work.labels(to);
        let name = labels.name(power);
        let mut lines = vec![format!("{who} {done} {name} in game '{}'.", game.name)];
        if silent && !work.is_master(to) {
            lines.clear();
        }
        if let Some(times) = times {
            lines.push(format!(
                "The deadline of '{}' is now {}.",
                game.name,
                reader.moment(times.deadline)
            ));
            lines.push(format!(
                "Grace in '{}' now ends {}.",
                game.name,
                reader.moment(times.grace)
            ));
        }
        Some(lines)
    });
}
