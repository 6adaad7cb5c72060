//! The form in which a reader receives mails, and the game's entry in the reader's calendar.

use super::table::{SetAct, Setting};
use crate::work::GameWork;
use crate::work::acting::{ActOutcome, Acting, say};
use dipjudge_game::{Event, SeatChange};

pub(super) const SETTINGS: &[Setting] = &[
    Setting {
        rules: &["html-on", "html-off"],
        examples: &["HTML ON", "HTML OFF"],
        act: SetAct::Line(|work, acting, line| html(work, acting, line.rule == "html-on")),
        help: "SET HTML ON|OFF
    Your mails in this game as pages too (ON, as at first), or as plain text
    alone.  With OFF a map comes as a file beside the text.",
        ..Setting::OWN
    },
    Setting {
        rules: &["pictures-on", "pictures-near", "pictures-off"],
        examples: &["MAP ON", "MAP NEAR", "PICTURES OFF"],
        act: SetAct::Line(|work, acting, line| pictures(work, acting, &line.rule)),
        help: "SET MAP ON|NEAR|OFF
    With results and other reports of the board in this game a map of what
    you see, and with the answer to your orders a map of them (ON, as at
    first), or none (also SET PICTURES).  NEAR, for a phone: only the part
    around your own units and centers, with names that are read on a narrow
    screen.  MAP then sends the whole.",
        ..Setting::OWN
    },
    Setting {
        rules: &["calendar-on", "calendar-off"],
        examples: &["CALENDAR ON", "CALENDAR OFF"],
        act: SetAct::Line(|work, acting, line| calendar(work, acting, line.rule == "calendar-on")),
        help: "SET CALENDAR ON|OFF
    An entry for the deadline in your own calendar, which moves with it, with
    an alarm as SET REMIND says; OFF, as at first, takes it out again.",
        ..Setting::OWN
    },
];

fn html(work: &mut GameWork, acting: Acting, on: bool) -> ActOutcome {
    change(
        work,
        acting,
        SeatChange::Html(on),
        if on {
            "Your mails in this game come as pages too, beside the plain text."
        } else {
            "Your mails in this game come as plain text alone."
        },
    )
}

fn pictures(work: &mut GameWork, acting: Acting, rule: &str) -> ActOutcome {
    let (wanted, said) = match rule {
        "pictures-on" => (
            SeatChange::Pictures(true),
            "Your reports in this game, and the answers to your orders, come with a map.",
        ),
        "pictures-near" => (
            SeatChange::NearPictures,
            "Your reports in this game, and the answers to your orders, come with a map of the part around your own units \
             and centers.  MAP sends the whole.",
        ),
        _ => (
            SeatChange::Pictures(false),
            "Your reports in this game, and the answers to your orders, come without a map.",
        ),
    };
    change(work, acting, wanted, said)
}

fn calendar(work: &mut GameWork, acting: Acting, on: bool) -> ActOutcome {
    change(
        work,
        acting,
        SeatChange::Calendar(on),
        if on {
            "The deadline comes as an entry for your calendar, and moves there too."
        } else {
            "The deadline is no longer kept in your calendar."
        },
    )
}

fn change(work: &mut GameWork, acting: Acting, change: SeatChange, said: &str) -> ActOutcome {
    let seat = acting.seat;
    work.emit(Event::SeatChanged { seat, change });
    say(vec![said.to_owned()])
}
