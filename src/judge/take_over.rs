//! Vacant powers: taken over by a newcomer, or taken back by who led them (`judge-workflow.md` 4.7).

use super::admission::{check_entry, check_once_a_leader};
use super::errand::{Errand, NOTICES, Recipient};
use super::joining::sit;
use super::registering::registered;
use super::registry::RegistryEvent;
use super::sign_on::{Acting, Refused, invalid, refuse};
use super::{guessing, passwords};
use crate::game::{Event, Role, Seat, SeatChange, clock};
use crate::mails::outbound;
use crate::map::Power;

/// A vacant power is taken over by a newcomer, or taken back by who led it (`judge-workflow.md` 4.7). Where the board is
/// hidden, so is which powers are vacant: whoever may not have one is told what he is told of a power that is led.
pub(super) fn take_over(
    errand: &mut Errand,
    from: &str,
    power: Power,
    word: &str,
) -> Result<Acting, Refused> {
    match taken(errand, from, power, word) {
        Err(_) if errand.hides() => Err(guessing::refused_at(errand, power)),
        result => result,
    }
}

fn taken(errand: &mut Errand, from: &str, power: Power, word: &str) -> Result<Acting, Refused> {
    let person = registered(errand, from)?.clone();
    let Some(game) = errand.game().cloned() else {
        return Err(invalid());
    };
    if game.over() {
        return refuse(format!("Game '{}' is over.", game.name));
    }
    if !game.survives(power) {
        return refuse(format!(
            "{} has been eliminated from '{}'.",
            game.power_name(power),
            game.name
        ));
    }
    if !passwords::allowed(word) {
        return refuse("A password of visible characters without blanks is needed.");
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
            game.power_name(other),
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
            errand,
            acting,
            power,
            standing.disorder && game.settings.nmr,
            word,
        )?;
        return Ok(acting);
    }
    check_entry(&game, &person)?;
    // An observer who takes over leaves his chair among the observers.
    for seat in game
        .seats
        .iter()
        .filter(|seat| !seat.left && seat.person == person.id && seat.role == Role::Observer)
    {
        errand.emit(Event::SeatChanged {
            seat: seat.id,
            change: SeatChange::Left,
        });
    }
    let acting = Acting {
        power: Some(power),
        ..sit(errand, &person, from, word, Role::Player)?
    };
    errand.emit(Event::Taken {
        power,
        seat: acting.seat,
    });
    errand.emit(Event::Waits { power, on: true });
    errand.register(RegistryEvent::Joined {
        people: vec![person.id],
        at_start: false,
    });
    let before = standing_word(&standing);
    announce(
        errand,
        acting,
        power,
        "New Player Signon",
        &format!("has taken over the {before}"),
    );
    errand.send_notices();
    // Who has left before has heard the last of the game.
    let displaced = |seat: &Seat| !seat.left && game.led_by(seat.id).len() == 1;
    if let Some(old) = holder.filter(displaced) {
        let notice = format!(
            "{} in game '{}' has been taken over.\nYou get no more mail of this game.",
            game.power_name(power),
            game.name
        );
        if let Some(heading) = errand.heading(Recipient {
            seat: old.id,
            power: None,
        }) && let Ok(mut text) =
            outbound::notice(&errand.judge.templates, &heading, "Notice", &[notice])
        {
            text.subject = format!("Diplomacy notice: {}", game.name);
            errand.send(
                Recipient {
                    seat: old.id,
                    power: None,
                },
                text,
                NOTICES,
            );
        }
        errand.emit(Event::SeatChanged {
            seat: old.id,
            change: SeatChange::Left,
        });
    }
    Ok(acting)
}

fn standing_word(standing: &crate::game::Standing) -> &'static str {
    if standing.resigned && !standing.abandoned {
        "vacant"
    } else {
        "abandoned"
    }
}

fn take_back(
    errand: &mut Errand,
    acting: Acting,
    power: Power,
    from_disorder: bool,
    word: &str,
) -> Result<(), Refused> {
    let salt = errand.ids.id();
    let password = passwords::hash(word, salt).ok_or_else(invalid)?;
    errand.emit(Event::SeatChanged {
        seat: acting.seat,
        change: SeatChange::Password(password),
    });
    errand.emit(Event::Taken {
        power,
        seat: acting.seat,
    });
    if from_disorder {
        let Some(name) = errand.game().map(|game| game.power_name(power).to_owned()) else {
            return Err(invalid());
        };
        let tail = format!("{name} is no longer in CD");
        errand.tell_others(Some(acting.seat), &tail, |errand, to| {
            if errand.hides() && !errand.is_master(to) {
                return None;
            }
            Some(vec![format!(
                "{name} in game '{}' is no longer in civil disorder.",
                errand.game()?.name
            )])
        });
    } else {
        announce(
            errand,
            acting,
            power,
            "Returning Player Signon",
            "has returned to",
        );
    }
    Ok(())
}

/// Tells everybody of a new or returning leader, and gives the game time where it stood still.
fn announce(errand: &mut Errand, acting: Acting, power: Power, tail: &str, done: &str) {
    let Some(course) = &errand.course else { return };
    let game = &course.game;
    let others_vacant = game
        .survivors()
        .iter()
        .any(|other| *other != power && game.standing(*other).vacant());
    let next = crate::game::deadline::minutes(game.clock(course.variant).next);
    let near = game
        .timing
        .times
        .is_some_and(|times| times.deadline < errand.now + next / 2);
    let times = (!others_vacant && near)
        .then(|| clock::times_from(game, course.variant, errand.now, false));
    if let Some(times) = times {
        errand.emit(Event::Timed { times });
    }
    let Some(letter) = errand.game().map(|game| game.power_letter(power)) else {
        return;
    };
    let quiet = errand.game().is_some_and(|game| game.settings.quiet);
    let name = errand
        .game()
        .map(|game| game.power_name(power).to_owned())
        .unwrap_or_default();
    // Who leads what may be hidden, or not be told; that the deadline moves is, without a reason, in one text for all.
    let silent = errand.hides() || quiet;
    let subject = |errand: &Errand, to: Recipient| {
        if !silent || errand.is_master(to) {
            return Some(format!("{tail}: {letter}"));
        }
        let deadline = errand.reader(to)?.moment(times?.deadline);
        Some(format!("Deadline Adjustment to: {deadline}"))
    };
    errand.tell_each(Some(acting.seat), subject, |errand, to| {
        let game = errand.game()?;
        let reader = errand.reader(to)?;
        let who = errand.address_for(to, acting.seat)?;
        let mut lines = vec![format!("{who} {done} {name} in game '{}'.", game.name)];
        if silent && !errand.is_master(to) {
            lines.clear();
        }
        if let Some(times) = times {
            lines.push(format!(
                "Deadline for '{}' advanced to {}.",
                game.name,
                reader.moment(times.deadline)
            ));
            lines.push(format!(
                "Grace period for '{}' advanced to {}.",
                game.name,
                reader.moment(times.grace)
            ));
        }
        Some(lines)
    });
}
