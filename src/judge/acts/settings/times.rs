//! When phases end: the times of the current phase, the clocks that determine those of later phases, and how long a
//! player may be away (`judge-workflow.md` 4.1, 4.5).

use super::table::{SetAct, Setting};
use crate::acts::table::Proof;
use dipjudge_game::Days;
use dipjudge_grammar::{Line, Text};
use jiff::Timestamp;
use jiff::civil::Time;

use super::change::{CHANGED, by, setting};
use crate::work::acting::{ActOutcome, Acting, Refusal, refuse, say};
use crate::work::{GameWork, Recipient};
use dipjudge_commands::date_meaning::{Sense, resolve};
use dipjudge_commands::date_words::DateWords;
use dipjudge_game::planted::{Leak, planted};
use dipjudge_game::{Event, Game, PhaseClock, SettingChange, State, Times, VariantGame};
use dipjudge_rules::calendar::PhaseKind;
use dipjudge_variants as variants;

pub(super) const SETTINGS: &[Setting] = &[
    Setting {
        rules: &["deadline", "grace", "start"],
        examples: &["DEADLINE 1 May", "GRACE 1 May", "START 1 May"],
        called: "SET DEADLINE, SET GRACE and SET START",
        is_fixed_at_sign_up: false,
        proof: Proof::Home,
        act: SetAct::Line(|work, acting, line| {
            let which = match line.rule.as_str() {
                "deadline" => ClockOf::Deadline,
                "grace" => ClockOf::Grace,
                _ => ClockOf::Start,
            };
            let words = line.words().unwrap_or_default();
            let counted = if words.trim_start().starts_with('+') {
                CountedFrom::ItsTime
            } else {
                CountedFrom::Now
            };
            match DateWords::parse(words) {
                Some(date) => set(work, acting, which, &date, counted),
                None => refuse("Write a date, such as SET DEADLINE 1 May 18:00."),
            }
        }),
        help: "SET DEADLINE date
    Move the deadline.  SET GRACE date, SET START date likewise.  +3 days
    counts from the deadline as it is.",
        ..Setting::GAME
    },
    Setting {
        rules: &["sign-up"],
        examples: &["SIGNUP 1 May"],
        called: "SET SIGNUP",
        before_start: true,
        act: SetAct::Line(
            |work, acting, line| match line.words().and_then(DateWords::parse) {
                Some(date) => sign_up(work, acting, &date),
                None => refuse("Write a date, such as SET SIGNUP 1 May 18:00."),
            },
        ),
        help: "SET SIGNUP date
    Where a game begins when sign-up closes: when that is, two weeks after it
    was made if you name no date.  All settings are fixed from then on.",
        ..Setting::GAME
    },
    Setting {
        rules: &["timing"],
        examples: &["MOVE NEXT 48 CLOCK 1200 DAYS -MTWTF-"],
        called: "SET MOVE, SET RETREAT and SET ADJUST",
        act: SetAct::Line(|work, acting, line| clock(work, acting, phase_of(line), &keys(line))),
        help: "SET MOVE CLOCK n MIN n NEXT n GRACE n DELAY n DAYS smtwtfs
    The timing of movement phases; SET RETREAT and SET ADJUST for the others.
    Deadlines fall at CLOCK (minutes after midnight, 1410 = 23:30; -1 = any),
    NEXT hours after the last phase was processed. The rest are hours too.
    DAYS: seven signs from Sunday; capital = yes, small = afternoon only,
    - = no.",
        ..Setting::GAME
    },
    Setting {
        rules: &["max-absence"],
        examples: &["MAX ABSENCE 20"],
        act: SetAct::Line(|work, acting, line| {
            max_absence(work, acting, line.number().unwrap_or_default())
        }),
        help: "SET MAX ABSENCE days
    The longest absence, 0 to 31.",
        ..Setting::GAME
    },
];

/// One value of `SET MOVE …`.
#[derive(Debug, Clone, PartialEq)]
enum Timing {
    /// `CLOCK`: minute of the day, -1 for none. `23:30` is parsed as 1410.
    Clock(i64),
    /// `MIN`: hours.
    Min(f64),
    /// `NEXT`: hours.
    Next(f64),
    /// `GRACE`: hours.
    Grace(f64),
    /// `DELAY`: hours.
    Delay(f64),
    Days(Days),
    /// A value that cannot be read.
    Bad {
        /// The key as it was written.
        key: String,
        value: String,
    },
}

/// The kind of phase whose clock a line sets.
fn phase_of(line: &Line) -> PhaseKind {
    if line.has("timing-move") {
        PhaseKind::Movement
    } else if line.has("timing-retreat") {
        PhaseKind::Retreats
    } else {
        PhaseKind::Adjustments
    }
}

/// The keys of a line with their values, in order.
fn keys(line: &Line) -> Vec<Timing> {
    let keys = line.parts.iter().filter(|part| part.rule == "timing-key");
    keys.map(|part| {
        let key = part.parts.first();
        let kind = key.and_then(|key| key.parts.first());
        let kind = kind.map_or("timing-days", |kind| kind.rule.as_str());
        let value = part.text_of("timing-value").unwrap_or_default();
        timing(kind, value).unwrap_or_else(|| Timing::Bad {
            key: key.map_or_else(String::new, |key| key.text.clone()),
            value: value.to_owned(),
        })
    })
    .collect()
}

fn timing(kind: &str, value: &str) -> Option<Timing> {
    let hours = || value.parse::<f64>().ok().filter(|hours| hours.is_finite());
    Some(match kind {
        "clock" => Timing::Clock(match value.split_once(':') {
            None => value.parse().ok()?,
            Some((hours, minutes)) => {
                let (hours, minutes): (u8, u8) = (hours.parse().ok()?, minutes.parse().ok()?);
                if hours > 23 || minutes > 59 {
                    return None;
                }
                i64::from(hours) * 60 + i64::from(minutes)
            }
        }),
        "minimum" => Timing::Min(hours()?),
        "next" => Timing::Next(hours()?),
        "grace-hours" => Timing::Grace(hours()?),
        "delay" => Timing::Delay(hours()?),
        _ => Timing::Days(days(value)?),
    })
}

/// Seven characters, Sunday to Saturday: the day's letter or `-`. A mail program may have replaced `-` with a longer
/// dash.
fn days(value: &str) -> Option<Days> {
    let text = Text::new(value);
    let written: Vec<char> = text.whole().chars().collect();
    let signs = text.rest(0).iter().zip(&written);
    let signs = signs.map(|(folded, sign)| if *folded == b'-' { '-' } else { *sign });
    let days = Days::try_from(signs.collect::<String>()).ok()?;
    (text.len() == written.len()).then_some(days)
}

/// The time of day for a date without one, if the phase's clock has none either.
const LATE_EVENING: u16 = 23 * 60 + 30;

/// Which of the three times of a phase the command moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ClockOf {
    Deadline,
    Grace,
    /// The earliest time of processing.
    Start,
}

impl ClockOf {
    fn name(self) -> &'static str {
        match self {
            ClockOf::Deadline => "deadline",
            ClockOf::Grace => "grace period",
            ClockOf::Start => "start",
        }
    }

    fn of(self, times: Times) -> Timestamp {
        match self {
            ClockOf::Deadline => times.deadline,
            ClockOf::Grace => times.grace,
            ClockOf::Start => times.start,
        }
    }
}

/// From when on `+3 days` counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CountedFrom {
    Now,
    /// The time that is moved.
    ItsTime,
}

/// SET DEADLINE, SET GRACE, SET START.
fn set(
    work: &mut GameWork,
    acting: Acting,
    which: ClockOf,
    date: &DateWords,
    counted: CountedFrom,
) -> ActOutcome {
    let game = work.game();
    let name = game.name.clone();
    let old = match game.timing.times {
        Some(old) if !game.over() => old,
        _ => return refuse(format!("Game '{name}' has no deadline to set.")),
    };
    let at = match counted {
        CountedFrom::Now => moment(game, acting, date, work.now)?,
        CountedFrom::ItsTime => {
            let zone = game.zone_of(game.seat(acting.seat));
            let before = which.of(old);
            let time = before.to_zoned_datetime(zone.clone()).time();
            resolve(date, before, &zone, time, Sense::FromToday)
                .map_err(|error| Refusal::from(error.to_string()))?
        }
    };
    if at < work.now {
        return refuse("That time is in the past.");
    }
    let times = moved(game, old, which, at, work.now)?;
    work.emit(Event::Timed { times });
    let shown = which.of(times);
    let subject = |work: &GameWork, to: Recipient| {
        let reader = work.reader(to);
        Some(match which {
            ClockOf::Deadline => format!("Deadline Adjustment to: {}", reader.moment(shown)),
            ClockOf::Grace => format!("Grace Adjustment to: {}", reader.moment(shown)),
            ClockOf::Start => CHANGED.to_owned(),
        })
    };
    work.tell_each_of_timing(Some(acting.seat), subject, |work, to| {
        let reader = if planted(Leak::SetterZone) {
            work.reader(acting.recipient())
        } else {
            work.reader(to)
        };
        let shown = reader.moment(shown);
        let done = format!("set the {} to {shown}", which.name());
        Some(vec![by(work, to, acting, &done)?])
    });
    let shown = work.reader(acting.recipient()).moment(shown);
    say(vec![format!(
        "The {} of '{name}' is now {shown}.",
        which.name()
    )])
}

/// SET SIGNUP: the time at which a game that begins at a date stops accepting players.
fn sign_up(work: &mut GameWork, acting: Acting, date: &DateWords) -> ActOutcome {
    let game = work.game();
    let at = moment(game, acting, date, work.now)?;
    let name = game.name.clone();
    if !VariantGame::new(game, work.variant()).begins_at_a_date() {
        return refuse(format!(
            "Game '{name}' begins when all players are there, so no date closes its sign-up."
        ));
    }
    if game.state != State::Forming {
        return refuse(format!("Sign-up for '{name}' is over."));
    }
    work.emit(Event::Set(SettingChange::SignUp(Some(at))));
    let subject = |work: &GameWork, to: Recipient| {
        let shown = work.reader(to).moment(at);
        Some(format!("Sign-up Adjustment to: {shown}"))
    };
    work.tell_each(Some(acting.seat), subject, |work, to| {
        let shown = work.reader(to).moment(at);
        let done = format!("set the end of sign-up to {shown}");
        Some(vec![by(work, to, acting, &done)?])
    });
    let shown = work.reader(acting.recipient()).moment(at);
    say(vec![format!("Sign-up for '{name}' now closes {shown}.")])
}

/// A date in the sender's time zone; without a time of day, the clock of the current phase applies.
pub(in crate::acts) fn moment(
    game: &Game,
    acting: Acting,
    date: &DateWords,
    now: Timestamp,
) -> Result<Timestamp, Refusal> {
    let zone = game.zone_of(game.seat(acting.seat));
    let clock = game.clock(variants::of(&game.variant)).clock;
    let minute = clock.unwrap_or(LATE_EVENING);
    let time = Time::new((minute / 60) as i8, (minute % 60) as i8, 0, 0).unwrap_or_default();
    resolve(date, now, &zone, time, Sense::Ahead).map_err(|error| Refusal::from(error.to_string()))
}

/// The times of the current phase with one of them moved.
fn moved(
    game: &Game,
    old: Times,
    which: ClockOf,
    at: Timestamp,
    now: Timestamp,
) -> Result<Times, Refusal> {
    let variant = variants::of(&game.variant);
    let grace = VariantGame::new(game, variant).grace_after(at, now);
    Ok(match which {
        // A later deadline moves the end of grace too; an earlier one does not.
        ClockOf::Deadline => Times {
            deadline: at,
            grace,
            adjusted: false,
            ..old
        },
        ClockOf::Grace if at < old.deadline => {
            return refuse("Grace cannot end before the deadline.");
        }
        ClockOf::Grace if VariantGame::new(game, variant).requirements().without_grace => {
            return refuse("Nobody can be late in this phase, so it has no grace.");
        }
        ClockOf::Grace => Times { grace: at, ..old },
        ClockOf::Start if at > old.deadline => Times {
            start: at,
            deadline: at,
            grace,
            adjusted: false,
        },
        ClockOf::Start => Times { start: at, ..old },
    })
}

/// SET MOVE, SET RETREAT, SET ADJUST: the clock of deadlines computed from now on.
fn clock(work: &mut GameWork, acting: Acting, phase: PhaseKind, keys: &[Timing]) -> ActOutcome {
    let settings = &work.game().settings;
    let (of, title, old): (fn(PhaseClock) -> SettingChange, &str, &PhaseClock) = match phase {
        PhaseKind::Movement => (SettingChange::Moves, "movement", &settings.moves),
        PhaseKind::Retreats | PhaseKind::Own(_) => {
            (SettingChange::Retreats, "retreat", &settings.retreats)
        }
        PhaseKind::Adjustments => (SettingChange::Adjusts, "adjustment", &settings.adjusts),
    };
    let mut clock = old.clone();
    for key in keys {
        change(&mut clock, key)?;
    }
    if clock == *old {
        return say(vec!["It is set that way already.".to_owned()]);
    }
    work.emit(Event::Set(of(clock)));
    let subject = |_: &GameWork, _| Some(CHANGED.to_owned());
    work.tell_each_of_timing(Some(acting.seat), subject, |work, to| {
        let done = format!("changed the {title} timing");
        Some(vec![by(work, to, acting, &done)?])
    });
    work.open.timing_changed = true;
    say(vec![format!(
        "The {title} timing is changed for deadlines computed from now on."
    )])
}

fn change(clock: &mut PhaseClock, key: &Timing) -> Result<(), Refusal> {
    match key {
        Timing::Clock(-1) => clock.clock = None,
        Timing::Clock(minute) => match u16::try_from(*minute) {
            Ok(minute) if minute < 1440 => clock.clock = Some(minute),
            _ => {
                return refuse(format!(
                    "CLOCK {minute} is not possible: write the minute of the day from 0 to 1439, or -1 for none."
                ));
            }
        },
        Timing::Min(hours) => clock.min = minutes("MIN", *hours, 0)?,
        Timing::Next(hours) => clock.next = minutes("NEXT", *hours, 1)?,
        Timing::Grace(hours) => clock.grace = minutes("GRACE", *hours, 0)?,
        Timing::Delay(hours) => clock.delay = minutes("DELAY", *hours, 0)?,
        Timing::Days(days) => clock.days = days.clone(),
        Timing::Bad { key, value } => {
            return refuse(format!(
                "{key} {value} cannot be read; nothing of this line was changed."
            ));
        }
    }
    Ok(())
}

/// Converts hours to whole minutes, at least `least`.
fn minutes(key: &str, hours: f64, least: u32) -> Result<u32, Refusal> {
    let minutes = (hours * 60.0).round();
    if !(f64::from(least)..=10_000.0 * 60.0).contains(&minutes) {
        return refuse(format!(
            "{key} {hours} is not possible: write hours, such as {key} 48."
        ));
    }
    Ok(minutes as u32)
}

fn max_absence(work: &mut GameWork, acting: Acting, days: i64) -> ActOutcome {
    let Some(days) = u32::try_from(days).ok().filter(|days| *days <= 31) else {
        return refuse("The longest absence is 0 to 31 days.");
    };
    let done = format!("set the longest absence to {days} days");
    setting(work, acting, SettingChange::MaxAbsence(days), &done)
}
