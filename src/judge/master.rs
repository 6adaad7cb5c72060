//! What a master may do to a game (`judge-workflow.md` 2.4, 2.7).

use jiff::Timestamp;

use super::errand::{Errand, Recipient};
use super::processing;
use super::sign_on::{Acting, Refused, refuse};
use super::starting;
use crate::game::{
    Course, Ending, Event, Game, Leave, Role, SeatChange, SeatId, State, Times, asks, clock,
    mail_token, phases, project,
};
use crate::mails::outbound;
use crate::map::Power;
use crate::variants;

type Said = Result<Vec<String>, Refused>;

/// The game in hand, for a command that needs one.
pub(super) fn game_of<'e>(errand: &'e Errand) -> Result<&'e Game, Refused> {
    errand
        .game()
        .ok_or_else(|| Refused("Sign on to a game first.".to_owned()))
}

/// Who may use a master's commands: masters, and in an unmoderated game any player.
pub(super) fn may_rule(game: &Game, acting: Acting) -> bool {
    let role = game.seat(acting.seat).map(|seat| seat.role);
    role == Some(Role::Master) || (!game.settings.moderated && role == Some(Role::Player))
}

/// Refuses what is for masters alone.
pub(super) fn only_master(errand: &Errand, acting: Acting, what: &str) -> Result<(), Refused> {
    let game = game_of(errand)?;
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
pub(super) fn who_as(errand: &Errand, to: Recipient, acting: Acting) -> Option<String> {
    let game = errand.game()?;
    let role = match (game.seat(acting.seat)?.role, acting.power) {
        (Role::Master, _) => "Master",
        (Role::Observer, _) => "Observer",
        (Role::Player, Some(power)) => game.power_name(power),
        (Role::Player, None) => "a player",
    };
    Some(format!(
        "{} as {role}",
        errand.address_for(to, acting.seat)?
    ))
}

/// PROCESS, with the phase if one was named (as files write it). The results follow the reply.
pub(super) fn process(errand: &mut Errand, acting: Acting, phase: Option<&str>) -> Said {
    only_master(errand, acting, "PROCESS")?;
    let game = game_of(errand)?;
    if game.state != State::Running {
        return refuse(format!(
            "Game '{}' is not running, so there is nothing to process.",
            game.name
        ));
    }
    if let Some(named) = phase.filter(|named| *named != game.file_token()) {
        return refuse(format!(
            "PROCESS {named} was ignored, since '{}' is in {}.",
            game.name,
            mail_token(game.turn, &game.phase)
        ));
    }
    let said = format!("The orders of '{}' will be processed now.", game.name);
    errand.process_after_reply = true;
    Ok(vec![said])
}

/// PREDICT: the phase adjudicated as if now, for the master alone; nothing happens.
pub(super) fn predict(errand: &Errand, acting: Acting) -> Result<String, Refused> {
    only_master(errand, acting, "PREDICT")?;
    let Some(course) = errand
        .course
        .as_ref()
        .filter(|course| course.game.state == State::Running)
    else {
        return refuse("The game is not running, so there is nothing to predict.");
    };
    if course.game.settings.blind_master {
        return refuse("Orders are sealed from the Master in this game.");
    }
    let mut future = Course::of(&course.game, course.variant, errand.now);
    let sealed = course.variant.seal(&mut future.game);
    phases::run(&mut future);
    let reader = errand.reader(Recipient {
        seat: acting.seat,
        power: None,
    });
    let (Some(played), Some(reader)) = (&future.game.last, reader) else {
        return refuse("Nothing would happen.");
    };
    let report = project::phase_report(&course.game, &future.game, course.variant, played, &reader);
    let text = outbound::phase_section(&errand.judge.templates, &course.game.name, &report)
        .map_err(|error| Refused(error.to_string()))?;
    let sealed = sealed.map(|why| format!("\n\n{}", outbound::wrap_text(&why)));
    Ok(format!(
        "Confidential: what would happen with the orders as they stand.{}\n\n{text}",
        sealed.unwrap_or_default()
    ))
}

/// ROLLBACK to before a turn was processed; the last if none is named.
pub(super) fn rollback(
    errand: &mut Errand,
    acting: Acting,
    number: Option<u32>,
    phase: Option<&str>,
) -> Said {
    only_master(errand, acting, "ROLLBACK")?;
    let game = game_of(errand)?;
    let left = game.token();
    let past = match (number, phase) {
        (Some(number), _) => game.past.iter().find(|past| past.number == number),
        (None, Some(phase)) => game
            .past
            .iter()
            .rev()
            .find(|past| crate::game::token(past.turn, &past.phase) == phase),
        (None, None) => game.past.last(),
    };
    let Some(past) = past else {
        return refuse(match (number, phase) {
            (Some(number), _) => format!(
                "There is no turn {number} of '{}' to go back to.",
                game.name
            ),
            (None, Some(phase)) => format!(
                "The phase {phase} of '{}' has not been processed.",
                game.name
            ),
            (None, None) => format!("No turn of '{}' has been processed yet.", game.name),
        });
    };
    let (number, to) = (past.number, mail_token(past.turn, &past.phase));
    let name = game_of(errand)?.name.clone();
    errand.tell_others(Some(acting.seat), &format!("Rollback to {to}"), |errand, recipient| {
        let who = who_as(errand, recipient, acting)?;
        Some(vec![format!(
            "{who} has rolled game '{name}' back from {left} to {to}, before turn {number:03} was processed.  The orders of then stand, and each power must confirm or change them."
        )])
    });
    errand.emit(Event::RolledBack { number });
    let Some(course) = &errand.course else {
        return refuse("Sign on to a game first.");
    };
    let (game, variant) = (&course.game, course.variant);
    let times = match game.timing.times {
        Some(times) if times.deadline > errand.now => {
            // The deadline stays, but grace may be another phase's, which had none or brought its own.
            let bare = asks::asks(game, variant).without_grace;
            let fits = bare == (times.grace == times.deadline);
            let grace = clock::grace_after(game, variant, times.deadline, errand.now);
            (!fits).then_some(Times { grace, ..times })
        }
        // A deadline that has passed would be late at once: it is set anew.
        _ => Some(clock::times_from(game, variant, errand.now, false)),
    };
    if let Some(times) = times {
        errand.emit(Event::Timed { times });
    }
    Ok(vec![format!(
        "Game '{name}' is back in {to}, before turn {number:03} was processed."
    )])
}

/// PAUSE.
pub(super) fn pause(errand: &mut Errand, acting: Acting) -> Said {
    only_master(errand, acting, "PAUSE")?;
    let game = game_of(errand)?;
    let name = game.name.clone();
    match game.state {
        State::Paused => return refuse(format!("Game '{name}' is paused already.")),
        State::Running => {}
        _ => {
            return refuse(format!(
                "Game '{name}' is not running, so it cannot be paused."
            ));
        }
    }
    errand.emit(Event::Paused);
    errand.tell_others(Some(acting.seat), "Game Paused", |errand, to| {
        Some(vec![format!(
            "{} has paused game '{name}'.  No orders are taken and nothing is processed until it is resumed.",
            who_as(errand, to, acting)?
        )])
    });
    Ok(vec![format!("Game '{name}' is now paused.")])
}

/// RESUME: a paused, finished or terminated game goes on.
pub(super) fn resume(errand: &mut Errand, acting: Acting) -> Said {
    let game = game_of(errand)?;
    let name = game.name.clone();
    let any = game.settings.resume_any.unwrap_or(!game.settings.moderated);
    let player = game
        .seat(acting.seat)
        .is_some_and(|seat| seat.role == Role::Player);
    if !(any && player) {
        only_master(errand, acting, "RESUME")?;
    }
    let game = game_of(errand)?;
    if game.state == State::Running {
        return refuse(format!("Game '{name}' is running already."));
    }
    if !game.begun() {
        return refuse(format!(
            "Game '{name}' has not begun, so it cannot be resumed."
        ));
    }
    let told = game.over();
    errand.emit(Event::Resumed);
    if told {
        let seed = crate::game::Seed::new(errand.ids.seed());
        errand.emit(Event::Reseeded { seed });
    }
    let times = errand
        .course
        .as_ref()
        .map(|course| clock::times_from(&course.game, course.variant, errand.now, false));
    if let Some(times) = times {
        errand.emit(Event::Timed { times });
    }
    errand.tell_others(Some(acting.seat), "Game Resumed", |errand, to| {
        let deadline = errand
            .game()?
            .timing
            .times
            .zip(errand.reader(to))
            .map(|(times, r)| r.moment(times.deadline))?;
        Some(vec![format!(
            "{} has resumed game '{name}'.  The deadline is {deadline}.",
            who_as(errand, to, acting)?
        )])
    });
    Ok(vec![format!("Game '{name}' has been resumed.")])
}

/// TERMINATE.
pub(super) fn terminate(errand: &mut Errand, acting: Acting) -> Said {
    let game = game_of(errand)?;
    if !may_rule(game, acting) {
        only_master(errand, acting, "TERMINATE")?;
    }
    let game = game_of(errand)?;
    let name = game.name.clone();
    if game.over() {
        return refuse(format!("Game '{name}' is over already."));
    }
    errand.emit(Event::Ended {
        ending: Ending::Terminated,
    });
    errand.send_notices();
    processing::tell_ending(errand, &Ending::Terminated);
    Ok(vec![format!("Game '{name}' has been terminated.")])
}

/// EJECT: a power's leader, an observer, or a master, by power or by address.
pub(super) fn eject(errand: &mut Errand, acting: Acting, whom: &str) -> Said {
    only_master(errand, acting, "EJECT")?;
    let game = game_of(errand)?;
    let whom = whom.trim();
    if whom.is_empty() {
        return refuse("Say whom to eject: EJECT power, or EJECT address.");
    }
    let power = game.all_powers().find(|power| {
        game.power(*power).is_some_and(|info| {
            info.name.eq_ignore_ascii_case(whom)
                || info
                    .letter
                    .is_some_and(|l| whom.eq_ignore_ascii_case(&l.to_string()))
        })
    });
    let seats: Vec<SeatId> = match power {
        Some(power) => game
            .holder(power)
            .filter(|seat| !seat.left)
            .map(|seat| seat.id)
            .into_iter()
            .collect(),
        None => {
            let named =
                |seat: &&crate::game::Seat| !seat.left && seat.address.eq_ignore_ascii_case(whom);
            game.seats
                .iter()
                .filter(named)
                .map(|seat| seat.id)
                .collect()
        }
    };
    match seats.as_slice() {
        [] => refuse(format!("Nobody in '{}' is called '{whom}'.", game.name)),
        [seat] => leave(errand, acting, *seat, Leave::Ejected),
        _ => refuse(format!("'{whom}' fits several persons; name the address.")),
    }
}

/// Somebody leaves: his powers become free, all but he are told; who is ejected is told too.
pub(super) fn leave(errand: &mut Errand, acting: Acting, seat: SeatId, how: Leave) -> Said {
    let game = game_of(errand)?;
    let name = game.name.clone();
    let Some(role) = game.seat(seat).map(|seat| seat.role) else {
        return refuse("Nobody sits there.");
    };
    let powers: Vec<Power> = game.led_by(seat);
    let titles: Vec<String> = match role {
        Role::Observer => vec!["Observer".to_owned()],
        Role::Master => vec!["Master".to_owned()],
        Role::Player if powers.is_empty() => vec!["a player".to_owned()],
        Role::Player => powers
            .iter()
            .map(|power| game.power_name(*power).to_owned())
            .collect(),
    };
    let title = titles.join(", ");
    let begun = game.begun();
    for power in &powers {
        errand.emit(Event::Vacated { power: *power, how });
    }
    if how == Leave::Resigned && begun && role == Role::Player {
        super::due::points(errand, &powers, 0, super::registry::Why::Resigned);
    }
    let tail = format!("Resignation: {title}");
    let word = match how {
        Leave::Resigned => "has resigned from",
        Leave::Ejected => "has been ejected from",
    };
    let told = if how == Leave::Resigned {
        Some(seat)
    } else {
        Some(acting.seat)
    };
    errand.tell_others(told, &tail, |errand, to| {
        // Where the board is hidden, who leads a power is the master's business.
        let secret = errand.hides() && begun && role == Role::Player;
        if secret && !errand.is_master(to) && to.seat != seat {
            return None;
        }
        let who = errand.address_for(to, seat)?;
        Some(vec![format!("{who} {word} game '{name}' as {title}.")])
    });
    // The notices and the reply still reach the seat; then it is closed.
    errand.close_seats_after.push(seat);
    Ok(vec![match how {
        Leave::Resigned => format!("You have resigned from game '{name}' as {title}."),
        Leave::Ejected => format!("{title} has been ejected from game '{name}'."),
    }])
}

/// PROMOTE: an observer becomes a master too.
pub(super) fn promote(errand: &mut Errand, acting: Acting, address: &str) -> Said {
    only_master(errand, acting, "PROMOTE")?;
    let game = game_of(errand)?;
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
    errand.emit(Event::SeatChanged {
        seat,
        change: SeatChange::Role(Role::Master),
    });
    errand.tell_others(
        Some(acting.seat),
        &format!("Promotion of {address}"),
        |_, _| Some(vec![format!("{address} is now a Master of game '{name}'.")]),
    );
    Ok(vec![format!("{address} is now a Master of '{name}'.")])
}

/// FORCE BEGIN: starts with vacant powers for the missing players.
pub(super) fn force_begin(errand: &mut Errand, acting: Acting) -> Said {
    only_master(errand, acting, "FORCE BEGIN")?;
    let game = game_of(errand)?;
    if game.begun() || game.over() {
        return refuse(format!("Game '{}' has begun already.", game.name));
    }
    let players = crate::variants::of(&game.variant).players(game.map());
    let least = *players.start();
    // Where the number is fixed, powers may stay vacant.
    if players.start() < players.end() && game.seated(Role::Player).count() < least {
        return refuse(format!(
            "Game '{}' needs at least {least} players to begin.",
            game.name
        ));
    }
    let name = game.name.clone();
    errand.tell_others(Some(acting.seat), "Forced Begin", |errand, to| {
        Some(vec![format!(
            "{} has begun game '{name}' with the players that are there.",
            who_as(errand, to, acting)?
        )])
    });
    errand.send_notices();
    starting::begin(errand);
    Ok(vec![format!("Game '{name}' has begun.")])
}

/// UNSTART: back to forming, in the first turn only.
pub(super) fn unstart(errand: &mut Errand, acting: Acting) -> Said {
    only_master(errand, acting, "UNSTART")?;
    let game = game_of(errand)?;
    if !game.begun() || game.number > 0 || game.over() {
        return refuse(format!(
            "UNSTART is possible only in the first turn of '{}'.",
            game.name
        ));
    }
    let name = game.name.clone();
    errand.emit(Event::Set {
        name: "manual_start".into(),
        value: true.into(),
    });
    errand.emit(Event::Unstarted);
    errand.tell_others(Some(acting.seat), "Unstart", |errand, to| {
        Some(vec![format!(
            "{} has taken back the start of game '{name}'.",
            who_as(errand, to, acting)?
        )])
    });
    Ok(vec![format!(
        "Game '{name}' is forming again.  Send SET AUTO START to begin it."
    )])
}

/// Which of the three times of a phase SET moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Which {
    /// The deadline.
    Deadline,
    /// The end of grace.
    Grace,
    /// The earliest processing.
    Start,
}

/// SET DEADLINE, SET GRACE, SET START.
pub(super) fn set_time(errand: &mut Errand, acting: Acting, which: Which, at: Timestamp) -> Said {
    let game = game_of(errand)?;
    let name = game.name.clone();
    let Some(old) = game.timing.times.filter(|_| !game.over()) else {
        return refuse(format!("Game '{name}' has no deadline to set."));
    };
    if at < errand.now {
        return refuse("That time is in the past.");
    }
    let variant = variants::of(&game.variant);
    let grace = clock::grace_after(game, variant, at, errand.now);
    let times = match which {
        // A later deadline pulls grace along; an earlier one leaves it alone.
        Which::Deadline => Times {
            deadline: at,
            grace,
            adjusted: false,
            ..old
        },
        Which::Grace if at < old.deadline => {
            return refuse("Grace cannot end before the deadline.");
        }
        Which::Grace if asks::asks(game, variant).without_grace => {
            return refuse("Nobody can be late in this phase, so it has no grace.");
        }
        Which::Grace => Times { grace: at, ..old },
        Which::Start if at > old.deadline => Times {
            start: at,
            deadline: at,
            grace,
            adjusted: false,
        },
        Which::Start => Times { start: at, ..old },
    };
    errand.emit(Event::Timed { times });
    let tail_of = |errand: &Errand, to: Recipient| {
        let reader = errand.reader(to)?;
        Some(match which {
            Which::Deadline => format!("Deadline Adjustment to: {}", reader.moment(times.deadline)),
            Which::Grace => format!("Grace Adjustment to: {}", reader.moment(times.grace)),
            Which::Start => "Parameter Change".to_owned(),
        })
    };
    let what = match which {
        Which::Deadline => "deadline",
        Which::Grace => "grace period",
        Which::Start => "start",
    };
    let shown = match which {
        Which::Deadline => times.deadline,
        Which::Grace => times.grace,
        Which::Start => times.start,
    };
    errand.tell_each(Some(acting.seat), tail_of, |errand, to| {
        let mut lines = vec![format!(
            "{} in '{name}' set the {what} to {}.",
            who_as(errand, to, acting)?,
            errand.reader(to)?.moment(shown)
        )];
        lines.extend(parameter_lines(errand, to));
        Some(lines)
    });
    let own = errand.reader(Recipient {
        seat: acting.seat,
        power: acting.power,
    });
    let said = own.map(|reader| format!("The {what} of '{name}' is now {}.", reader.moment(shown)));
    Ok(said.into_iter().collect())
}

/// The block of parameters, as LIST shows it: repeated whenever the timing changes.
pub(super) fn parameter_lines(errand: &Errand, to: Recipient) -> Vec<String> {
    let Some((course, reader)) = errand.course.as_ref().zip(errand.reader(to)) else {
        return Vec::new();
    };
    let parameters = project::parameters(&course.game, course.variant, &reader);
    crate::mails::outbound::parameter_block(&errand.judge.templates, &parameters)
        .map(|block| block.lines().map(str::to_owned).collect())
        .unwrap_or_default()
}

/// After a change that may have made the set of orders complete or incomplete.
pub(super) fn settle(errand: &mut Errand) {
    if let Some(course) = &mut errand.course {
        phases::settle(course);
    }
}
