//! SET ABSENCE: days on which no later deadline falls (`judge-workflow.md` 4.5). Masters are notified of each absence,
//! with the command that revokes or approves it; others are not.

use jiff::SignedDuration;
use jiff::Timestamp;
use jiff::civil::Time;

use crate::work::acting::{ActOutcome, Acting, Refusal, not_signed_on, refuse, say};
use crate::work::{GameWork, Recipient};
use dipjudge_commands::date_meaning::{Sense, resolve};
use dipjudge_commands::date_words::DateWords;
use dipjudge_game::planted::{Leak, planted};
use dipjudge_game::{Absence, Event, Role, SeatChange, SeatId};

/// The largest number of absences that one player may have noted at the same time.
const MOST: usize = 3;

/// An absence may have begun so long ago when it is noted.
const LONGEST_BEGUN: SignedDuration = SignedDuration::from_hours(31 * 24);

/// SET ABSENCE d1 [TO d2].
pub(crate) fn set(
    work: &mut GameWork,
    acting: Acting,
    from: &DateWords,
    to: Option<&DateWords>,
) -> ActOutcome {
    let (role, own) = {
        let game = work.game();
        let seat = game.seat(acting.seat).ok_or_else(not_signed_on)?;
        (seat.role, seat.absences.clone())
    };
    if role == Role::Observer {
        return refuse("Observers have no absences: no deadline waits for them.");
    }
    if !work.variant_game().pace().moved_by_absence {
        return refuse("In this game no deadline waits for anybody, so no absence is noted.");
    }
    let begin = first_day(work, acting, from)?;
    let mut end = day(
        work,
        acting,
        to.unwrap_or(from),
        Time::constant(23, 59, 0, 0),
    )?;
    // "Saturday TO Wednesday": the Wednesday after that Saturday.
    if end <= begin && to.is_some_and(is_weekday_alone) {
        let week = SignedDuration::from_hours(7 * 24);
        end = end.checked_add(week).unwrap_or(end);
    }
    if end <= begin {
        return refuse("An absence ends after it begins: SET ABSENCE 20 Dec TO 24 Dec.");
    }
    if end < work.now {
        return refuse("That absence is over already.");
    }
    if own.iter().filter(|absence| absence.to >= work.now).count() >= MOST {
        return refuse(format!(
            "Up to {MOST} absences are kept at once; SET NO ABSENCE and a date cancels one."
        ));
    }
    let others = work
        .game()
        .seats
        .iter()
        .filter(|_| planted(Leak::AbsenceOverlap));
    let mut noted = others.flat_map(|seat| &seat.absences).chain(&own);
    if noted.any(|absence| absence.from <= end && begin <= absence.to) {
        return refuse("That absence overlaps one that is noted already.");
    }
    let absence = Absence {
        from: begin,
        to: end,
    };
    let most = work.game().settings.max_absence;
    let days = (end.as_second() - begin.as_second()) / 86_400 + 1;
    // A master who acts for the player approves an absence that is too long.
    if role != Role::Master && !work.open.acts_as_power && days > i64::from(most) {
        tell_masters(work, acting, News::TooLong, absence);
        return refuse(format!(
            "That is longer than the {most} days this game allows, so I passed it to the master, who can approve it."
        ));
    }
    work.emit(Event::SeatChanged {
        seat: acting.seat,
        change: SeatChange::Absent(absence),
    });
    tell_masters(work, acting, News::Noted, absence);
    let mut said = vec![format!(
        "Absence noted from {} to {}.",
        shown(work, acting, begin),
        shown(work, acting, end)
    )];
    if to.is_none() {
        said.push("You gave one date, so I took that one day.".to_owned());
    }
    said.push(
        "No new deadline will fall in that time. The current deadline does not move: send orders for it before you go."
            .to_owned(),
    );
    if role == Role::Player && !work.open.acts_as_power && plays_elsewhere(work, acting) {
        said.push("In your other games the deadlines stay as they are: send the line in an answer to a mail of each.".to_owned());
    }
    say(said)
}

/// Whether the person of a seat has one in another game that goes on.
fn plays_elsewhere(work: &GameWork, acting: Acting) -> bool {
    let game = work.game();
    let Some(own) = game.seat(acting.seat) else {
        return false;
    };
    let mut others = work.judge.games();
    others.any(|other| {
        let mut seats = other.seats.iter().filter(|seat| !seat.left);
        other.name != game.name && !other.over() && seats.any(|seat| seat.address == own.address)
    })
}

fn is_weekday_alone(date: &DateWords) -> bool {
    date.weekday.is_some() && date.day.is_none() && date.month.is_none()
}

/// SET NO ABSENCE d: cancels the absence that covers the date.
pub(crate) fn cancel(work: &mut GameWork, acting: Acting, date: Option<&DateWords>) -> ActOutcome {
    let Some(date) = date else {
        return refuse("Say which absence: SET NO ABSENCE and a date in it.");
    };
    let at = day(work, acting, date, Time::constant(12, 0, 0, 0))?;
    let own = work
        .game()
        .seats
        .iter()
        .filter(|seat| seat.id == acting.seat || planted(Leak::AbsenceFound));
    let own: Vec<Absence> = own.flat_map(|seat| seat.absences.clone()).collect();
    let Some(absence) = own
        .into_iter()
        .find(|absence| absence.from <= at && at <= absence.to)
    else {
        return refuse("No absence of yours covers that date.");
    };
    work.emit(Event::SeatChanged {
        seat: acting.seat,
        change: SeatChange::Present(at),
    });
    tell_masters(work, acting, News::Cancelled, absence);
    say(vec!["That absence is cancelled.".to_owned()])
}

/// When an absence begins. It may have begun some days ago: `SET ABSENCE 20 Dec TO 27 Dec` on the 21st.
fn first_day(work: &GameWork, acting: Acting, date: &DateWords) -> Result<Timestamp, Refusal> {
    let game = work.game();
    let zone = game.zone_of(game.seat(acting.seat));
    let begun = resolve(date, work.now, &zone, Time::midnight(), Sense::Behind).ok();
    let begun = begun.filter(|begun| work.now.duration_since(*begun) <= LONGEST_BEGUN);
    let ahead = day(work, acting, date, Time::midnight());
    match begun {
        Some(begun) if ahead.is_err() => Ok(begun),
        _ => ahead,
    }
}

fn day(
    work: &GameWork,
    acting: Acting,
    date: &DateWords,
    time: Time,
) -> Result<Timestamp, Refusal> {
    let game = work.game();
    let zone = game.zone_of(game.seat(acting.seat));
    resolve(date, work.now, &zone, time, Sense::FromToday)
        .map_err(|error| Refusal::from(error.to_string()))
}

fn shown(work: &GameWork, acting: Acting, at: Timestamp) -> String {
    work.reader(acting.recipient()).moment(at).to_string()
}

/// What the masters are told of an absence.
#[derive(Clone, Copy)]
enum News {
    Noted,
    TooLong,
    Cancelled,
}

impl News {
    /// The end of the notice's subject.
    fn subject(self) -> &'static str {
        match self {
            Self::Noted => "Absence Notice",
            Self::TooLong => "Oversized Absence Request",
            Self::Cancelled => "Absence Cancellation",
        }
    }

    /// What the player does.
    fn verb(self) -> &'static str {
        match self {
            Self::Noted => "will be absent",
            Self::TooLong => "asks for an absence that is too long",
            Self::Cancelled => "has cancelled the absence",
        }
    }
}

/// Notifies the masters, with the lines to paste: those that revoke an absence that was noted, or approve one that was
/// not.
fn tell_masters(work: &mut GameWork, acting: Acting, news: News, absence: Absence) {
    work.tell_others(None, news.subject(), |work, to| {
        let told = work.is_master(to) || planted(Leak::Absence);
        if !told {
            return None;
        }
        let game = work.game();
        let reader = work.reader(to);
        let labels = work.labels(to);
        let who = acting.power.map_or("A player", |power| labels.name(power));
        let (from, until) = (reader.moment(absence.from), reader.moment(absence.to));
        let date = |at: Timestamp| {
            at.to_zoned_datetime(reader.zone.clone())
                .strftime("%d %b %Y")
                .to_string()
        };
        let mut lines = vec![format!(
            "{who} in game '{}' {}: {from} to {until}.",
            game.name,
            news.verb()
        )];
        let answer = match news {
            News::Noted => Some((
                "To revoke it send these lines:",
                format!("SET NO ABSENCE {}", date(absence.from)),
            )),
            News::TooLong => Some((
                "To approve it send these lines:",
                format!("SET ABSENCE {} TO {}", date(absence.from), date(absence.to)),
            )),
            News::Cancelled => None,
        };
        if let Some((power, (purpose, line))) = acting.power.zip(answer) {
            lines.push(purpose.to_owned());
            lines.push(format!("BECOME {}", labels.letter(power)));
            lines.push(line);
        }
        Some(lines)
    });
}

/// The absences that stand at the head of a reply: his own; for masters those of all. One that was noted by this mail stands
/// in the answer to its line.
pub(crate) fn noted(work: &GameWork, to: Recipient) -> Vec<String> {
    let game = work.game();
    let master = work.is_master(to);
    let seats = game
        .seats
        .iter()
        .filter(|seat| !seat.left && (master || seat.id == to.seat));
    let labels = work.labels(to);
    let reader = work.reader(to);
    let new = |seat: SeatId, absence: &Absence| {
        work.open.edit.events.contains(&Event::SeatChanged {
            seat,
            change: SeatChange::Absent(*absence),
        })
    };
    let mut noted = Vec::new();
    for seat in seats {
        let own = seat.id == to.seat;
        let led = game.led_by(seat.id);
        let who = match led.first() {
            _ if own => "You are",
            Some(power) => &format!("{} is", labels.name(*power)),
            None if seat.role == Role::Master => "Another master is",
            None => "A player without a power is",
        };
        let coming = seat
            .absences
            .iter()
            .filter(|absence| absence.to >= work.now && !new(seat.id, absence));
        noted.extend(coming.map(|absence| {
            let (from, until) = (reader.moment(absence.from), reader.moment(absence.to));
            format!("{who} absent from {from} to {until}.")
        }));
    }
    noted
}
