//! What everybody at a table sets for himself.

use crate::commands::set_item::Secret;
use crate::game::{Event, Role, SeatChange, State, requirements};
use crate::judge::people::passwords;
use crate::judge::people::registering::check_zone;
use crate::judge::work::Work;
use crate::judge::work::acting::{Acting, Said, refuse};
use crate::judge::work::authority::game_of;

/// SET WAIT, SET NOWAIT.
pub(super) fn wait(work: &mut Work, acting: Acting, on: bool) -> Said {
    let Some(edit) = &work.edit else {
        return refuse("Sign on to a game first.");
    };
    let game = &edit.game;
    if game.state != State::Running {
        return refuse("The game is not running, so there is nothing to wait for.");
    }
    let Some(power) = acting.power.filter(|power| game.survives(*power)) else {
        return refuse("Only players can WAIT.");
    };
    let due = requirements::of(game, edit.variant)
        .due
        .contains_key(&power);
    if on && game.settings.strict_wait && !due {
        return refuse("In this game only powers that have something due can WAIT.");
    }
    work.emit(Event::Waits { power, on });
    Ok(vec![
        if on {
            "'Wait' status set."
        } else {
            "'Wait' status cleared."
        }
        .to_owned(),
    ])
}

/// SET PASSWORD. The reply never shows it.
pub(super) fn password(work: &mut Work, acting: Acting, word: Option<&Secret>) -> Said {
    let Some(word) = word.map(|secret| &secret.0) else {
        return refuse("SET PASSWORD needs a word: SET PASSWORD word.");
    };
    if !passwords::allowed(word) {
        return refuse(
            "A password is 1 to 40 visible characters without blanks: SET PASSWORD word.",
        );
    }
    let salt = work.ids.id();
    let Some(hash) = passwords::hash(word, salt) else {
        return refuse("The password could not be set.");
    };
    work.emit(Event::SeatChanged {
        seat: acting.seat,
        change: SeatChange::Password(hash),
    });
    Ok(vec!["Your password has been changed.".to_owned()])
}

/// SET ZONE, SET NOZONE: in which zone this reader wants dates.
pub(super) fn zone(work: &mut Work, acting: Acting, zone: Option<&str>) -> Said {
    zone.map_or(Ok(()), check_zone)?;
    work.emit(Event::SeatChanged {
        seat: acting.seat,
        change: SeatChange::Zone(zone.map(str::to_owned)),
    });
    Ok(vec![match zone {
        Some(name) => format!("Dates are now shown to you in the zone {name}."),
        None => "Dates are now shown to you in the game's own zone.".to_owned(),
    }])
}

/// SET REMIND hours.
pub(super) fn remind(work: &mut Work, acting: Acting, hours: i64) -> Said {
    let Some(hours) = u32::try_from(hours).ok().filter(|hours| *hours <= 240) else {
        return refuse("SET REMIND takes hours from 0 (never) to 240.");
    };
    work.emit(Event::SeatChanged {
        seat: acting.seat,
        change: SeatChange::Remind(hours),
    });
    Ok(vec![match hours {
        0 => "You will not be reminded of deadlines.".to_owned(),
        hours => format!(
            "You will be reminded {hours} hours before a deadline if your orders are not complete."
        ),
    }])
}

/// SET ALL PRESS, SET NORMAL PRESS.
pub(super) fn all_press(work: &mut Work, acting: Acting, on: bool) -> Said {
    let game = game_of(work)?;
    let role = game.seat(acting.seat).map(|seat| seat.role);
    match role {
        Some(Role::Master) => {}
        Some(Role::Observer) if game.settings.watch_all_press => {}
        Some(Role::Observer) => return refuse("Observers see no partial press in this game."),
        _ => return refuse("Only the Master can use SET ALL PRESS."),
    }
    work.emit(Event::SeatChanged {
        seat: acting.seat,
        change: SeatChange::AllPress(on),
    });
    Ok(vec![
        if on {
            "You get copies of all press."
        } else {
            "You get the press that is addressed to you."
        }
        .to_owned(),
    ])
}
