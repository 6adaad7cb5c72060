//! What each person in a game sets for himself.

use super::table::{SetAct, Setting};
use super::{address, preference};
use crate::acts::table::{Page, Proof};
use crate::acts::{absence, votes};
use crate::people::passwords;
use crate::people::registering::check_zone;
use crate::work::GameWork;
use crate::work::acting::{ActOutcome, Acting, refuse, say};
use dipjudge_commands::date_words::DateWords;
use dipjudge_game::{Event, Role, SeatChange, State, VariantGame};
use dipjudge_grammar::Line;

pub(super) const SETTINGS: &[Setting] = &[
    Setting {
        rules: &["wait", "no-wait"],
        examples: &["WAIT", "NOWAIT"],
        act: SetAct::Line(|work, acting, line| wait(work, acting, line.rule == "wait")),
        help: "SET WAIT
    Hold this phase open until its deadline. SET NOWAIT when you are done.",
        ..Setting::OWN
    },
    Setting {
        rules: &["preference"],
        examples: &["PREFERENCE E[FG]R"],
        act: SetAct::Line(|work, acting, line| {
            preference::set(
                work,
                acting,
                line.text_of("preference-list").unwrap_or_default(),
            )
        }),
        help: "SET PREFERENCE list
    The powers you would like, best first; brackets for equals: E[FG]R.",
        ..Setting::OWN
    },
    Setting {
        rules: &["draw", "no-draw"],
        examples: &["DRAW", "NO DRAW"],
        act: SetAct::Line(|work, acting, line| match line.rule.as_str() {
            "draw" => votes::draw(work, acting, line.text_of("voted")),
            _ => votes::withdraw(work, acting),
        }),
        help: "SET DRAW
    Vote for a draw; SET NO DRAW takes it back.  GET DRAWS tells more.",
        ..Setting::OWN
    },
    Setting {
        rules: &["concede", "no-concede"],
        examples: &["CONCEDE England", "NO CONCEDE"],
        act: SetAct::Line(|work, acting, line| match line.rule.as_str() {
            "concede" => votes::concede(work, acting, line.text_of("voted")),
            _ => votes::withdraw(work, acting),
        }),
        help: "SET CONCEDE power
    Give the game to the largest power; SET NO CONCEDE takes it back.",
        ..Setting::OWN
    },
    Setting {
        rules: &["password"],
        examples: &["PASSWORD word"],
        proof: Proof::Home,
        redirects: true,
        act: SetAct::Line(|work, acting, line| {
            password(work, acting, line.text_of("new-password"))
        }),
        help: "SET PASSWORD word
    A new password: up to 40 characters without blanks.",
        ..Setting::OWN
    },
    Setting {
        rules: &["token"],
        examples: &["TOKEN NEW"],
        proof: Proof::Home,
        redirects: true,
        act: SetAct::Line(|work, acting, _| new_token(work, acting)),
        help: "SET TOKEN NEW
    Earlier mails of this game can no longer be answered for you, whoever
    has them: send it when one has come into other hands.",
        ..Setting::OWN
    },
    Setting {
        rules: &["address"],
        examples: &["ADDRESS anna@example.org"],
        proof: Proof::HomeAndAnswer,
        redirects: true,
        act: SetAct::Line(|work, acting, line| {
            let from = work.answered.from.clone();
            address::set(work, acting, &from, line.text_of("addresses"))
        }),
        help: "SET ADDRESS [address]
    Where your mail goes.  A mail to the new address must be answered.",
        ..Setting::OWN
    },
    Setting {
        rules: &["absence", "no-absence"],
        examples: &["ABSENCE 1 May TO 3 May", "NO ABSENCE 1 May"],
        act: SetAct::Line(absent),
        help: "SET ABSENCE date [TO date]
    You are away: no new deadline falls on these days. The current one
    does not move. SET NO ABSENCE date cancels it.",
        ..Setting::OWN
    },
    Setting {
        rules: &["remind"],
        examples: &["REMIND 24"],
        act: SetAct::Line(|work, acting, line| {
            remind(work, acting, line.number().unwrap_or_default())
        }),
        help: "SET REMIND hours
    How long before a deadline you are reminded; 0 for never.",
        ..Setting::OWN
    },
    Setting {
        rules: &["zone", "no-zone"],
        examples: &["ZONE Europe/Berlin", "NOZONE"],
        act: SetAct::Line(|work, acting, line| zone(work, acting, line.words())),
        help: "SET ZONE zone
    Dates in your own time: SET ZONE Europe/Berlin.  SET NOZONE ends it.",
        ..Setting::OWN
    },
    Setting {
        rules: &["all-press", "normal-press"],
        examples: &["ALL PRESS", "NORMAL PRESS"],
        act: SetAct::Line(|work, acting, line| all_press(work, acting, line.rule == "all-press")),
        help: "SET ALL PRESS
    For masters, and for observers where SET WATCH ALL PRESS lets them: copies
    of all letters from now on.  SET NORMAL PRESS ends it.",
        page: Page::MasterSettings,
        ..Setting::OWN
    },
    Setting {
        rules: &["no-broadcast", "broadcast"],
        examples: &["NO BROADCAST", "BROADCAST"],
        act: SetAct::Line(|work, acting, line| broadcasts(work, acting, line.rule == "broadcast")),
        help: "SET NO BROADCAST
    For masters and observers: no more press to all. SET BROADCAST brings it
    again.",
        page: Page::MasterSettings,
        ..Setting::OWN
    },
];

fn absent(work: &mut GameWork, acting: Acting, line: &Line) -> ActOutcome {
    let date = |words: &str| DateWords::parse(words);
    if line.rule == "no-absence" {
        return absence::cancel(work, acting, line.words().and_then(date).as_ref());
    }
    let Some(from) = line.text_of("from").and_then(date) else {
        return refuse("SET ABSENCE needs a date: SET ABSENCE 1 May TO 3 May.");
    };
    let to = line.text_of("to").and_then(date);
    absence::set(work, acting, &from, to.as_ref())
}

/// SET WAIT, SET NOWAIT.
pub(super) fn wait(work: &mut GameWork, acting: Acting, on: bool) -> ActOutcome {
    let edit = &work.open.edit;
    let game = &edit.game;
    if game.state != State::Running {
        return refuse("The game is not running, so there is nothing to wait for.");
    }
    let Some(power) = acting
        .power
        .filter(|power| edit.variant.in_play(game, *power))
    else {
        return refuse("Only players can WAIT.");
    };
    let due = VariantGame::new(game, edit.variant)
        .requirements()
        .due
        .contains_key(&power);
    if on && game.settings.strict_wait && !due {
        return refuse("In this game you can WAIT only when you have something to order.");
    }
    work.emit(Event::Waits { power, on });
    say(vec![
        if on {
            "WAIT set: the phase waits for its deadline. SET NOWAIT when you are ready."
        } else {
            "WAIT cleared: the phase can be processed as soon as all orders are in."
        }
        .to_owned(),
    ])
}

/// SET PASSWORD. The reply never shows it.
pub(super) fn password(work: &mut GameWork, acting: Acting, word: Option<&str>) -> ActOutcome {
    let Some(word) = word else {
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
    end_token(work, acting);
    say(vec![format!(
        "Your password has been changed.  {TOKEN_ENDED}"
    )])
}

/// SET TOKEN NEW: whoever has a mail of this seat can no longer answer it in the seat's name.
fn new_token(work: &mut GameWork, acting: Acting) -> ActOutcome {
    end_token(work, acting);
    say(vec![TOKEN_ENDED.to_owned()])
}

/// What a person reads whose earlier reply addresses end.
const TOKEN_ENDED: &str =
    "Answer this mail or later ones from now on: answers to earlier mails no longer sign you on.";

/// Ends the reply addresses of all earlier mails to a seat; the answer to the mail in hand has the new one.
fn end_token(work: &mut GameWork, acting: Acting) {
    let Some(token) = work.game().seat(acting.seat).map(|seat| seat.token) else {
        return;
    };
    work.emit(Event::SeatChanged {
        seat: acting.seat,
        change: SeatChange::Token(token + 1),
    });
}

/// SET ZONE, SET NOZONE: the time zone of dates for this reader.
pub(super) fn zone(work: &mut GameWork, acting: Acting, zone: Option<&str>) -> ActOutcome {
    zone.map_or(Ok(()), check_zone)?;
    work.emit(Event::SeatChanged {
        seat: acting.seat,
        change: SeatChange::Zone(zone.map(str::to_owned)),
    });
    say(vec![match zone {
        Some(name) => format!("I will show you all times in {name}."),
        None => "Dates are now shown to you in the game's own zone.".to_owned(),
    }])
}

/// SET REMIND hours.
pub(super) fn remind(work: &mut GameWork, acting: Acting, hours: i64) -> ActOutcome {
    let Some(hours) = u32::try_from(hours).ok().filter(|hours| *hours <= 240) else {
        return refuse("SET REMIND takes hours from 0 (never) to 240.");
    };
    work.emit(Event::SeatChanged {
        seat: acting.seat,
        change: SeatChange::Remind(hours),
    });
    say(vec![match hours {
        0 => "You will not be reminded of deadlines.".to_owned(),
        hours => format!(
            "You will be reminded {hours} hours before a deadline if your orders are not complete."
        ),
    }])
}

/// SET ALL PRESS, SET NORMAL PRESS.
pub(super) fn all_press(work: &mut GameWork, acting: Acting, on: bool) -> ActOutcome {
    let game = work.game();
    let role = game.seat(acting.seat).map(|seat| seat.role);
    match role {
        Some(Role::Master) => {}
        Some(Role::Observer) if game.settings.watch_all_press => {}
        Some(Role::Observer) => return refuse("Observers see no partial press in this game."),
        _ if on => return refuse("Only the Master can use SET ALL PRESS."),
        _ => return refuse("You get the press that is addressed to you, as all players do."),
    }
    work.emit(Event::SeatChanged {
        seat: acting.seat,
        change: SeatChange::AllPress(on),
    });
    say(vec![
        if on {
            "You get copies of all press."
        } else {
            "You get the press that is addressed to you."
        }
        .to_owned(),
    ])
}

/// SET BROADCAST, SET NO BROADCAST.
fn broadcasts(work: &mut GameWork, acting: Acting, on: bool) -> ActOutcome {
    let role = work.game().seat(acting.seat).map(|seat| seat.role);
    if !matches!(role, Some(Role::Master | Role::Observer)) {
        return refuse(
            "Players get all broadcasts; only masters and observers can leave them out.",
        );
    }
    work.emit(Event::SeatChanged {
        seat: acting.seat,
        change: SeatChange::Broadcasts(on),
    });
    say(vec![
        if on {
            "You get press to all."
        } else {
            "You get no press to all any more; SET BROADCAST brings it again."
        }
        .to_owned(),
    ])
}
