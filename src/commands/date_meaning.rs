//! Which moment a date means.

use super::date_words::{Ahead, DateWords, Zone};
use jiff::civil::{Date, Time};
use jiff::tz::{Offset, TimeZone, TimeZoneDatabase};
use jiff::{Timestamp, ToSpan, ZonedDateTime};
use thiserror::Error;

/// Which of the days that fit is meant, and which are refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sense {
    /// The next one; it must lie ahead. For deadlines.
    Ahead,
    /// The next one, today included whatever the time. For absences.
    FromToday,
    /// The last one. For history.
    Behind,
}

/// Why a date cannot be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum DateError {
    /// There is no such day.
    #[error("There is no such day in the calendar.")]
    NoSuchDay,
    /// The day of the week is not that of the date.
    #[error("That date falls on another day of the week.")]
    WrongWeekday,
    /// More than 120 days ahead without a year.
    #[error("That date is more than 120 days ahead: please send it with its year.")]
    YearNeeded,
    /// Over already.
    #[error("That date has passed already.")]
    Past,
    /// The zone is not in the database.
    #[error("That time zone is not known; please use a name such as Europe/Berlin or UTC.")]
    UnknownZone,
}

/// A date without its year may lie this far ahead.
const FARTHEST_WITHOUT_YEAR: i64 = 120;

/// The moment that is meant, with the given time of day if none was written, in the zone that was
/// written or else in the given one.
///
/// A weekday alone is the next such day, never today. A day without month is the next such day, a
/// month without day its last day, neither is today. Without a year the next occurrence is meant,
/// which must not be more than 120 days ahead.
///
/// # Errors
/// If there is no such day, or it is not one that the sense allows.
pub fn resolve(
    words: &DateWords,
    now: Timestamp,
    zone: &TimeZone,
    default_time: Time,
    sense: Sense,
) -> Result<Timestamp, DateError> {
    let zone = match &words.zone {
        None => zone.clone(),
        Some(Zone::Offset(minutes)) => {
            let offset = Offset::from_seconds(minutes * 60).map_err(|_| DateError::UnknownZone)?;
            TimeZone::fixed(offset)
        }
        Some(Zone::Named(name)) => TimeZoneDatabase::bundled()
            .get(name)
            .map_err(|_| DateError::UnknownZone)?,
    };
    let here = now.to_zoned_datetime(zone.clone());
    if let Some(ahead) = words.ahead {
        let moment = from_now(&here, ahead, words.time, default_time)?;
        return accepted(moment, &here, sense);
    }
    let time = words.time.unwrap_or(default_time);
    let days = candidates(words, &here, sense)?;
    let at = |day: Date| {
        let zoned = day.to_datetime(time).to_zoned_datetime(zone.clone());
        zoned
            .map(|zoned| zoned.timestamp())
            .map_err(|_| DateError::NoSuchDay)
    };
    let mut refusal = DateError::NoSuchDay;
    for day in days {
        match accepted(at(day)?, &here, sense) {
            Ok(moment) => return far_enough(words, day, moment, &here, sense),
            Err(error) => refusal = error,
        }
    }
    Err(refusal)
}

fn from_now(
    here: &ZonedDateTime,
    ahead: Ahead,
    time: Option<Time>,
    default_time: Time,
) -> Result<Timestamp, DateError> {
    // Counted from the whole minute: others read the date, and the second at which it was asked for is nobody's business.
    let here = here
        .with()
        .second(0)
        .subsec_nanosecond(0)
        .build()
        .map_err(|_| DateError::NoSuchDay)?;
    let zoned = match ahead {
        Ahead::Minutes(minutes) => here.checked_add(i64::from(minutes).minutes()),
        Ahead::Days(days) => here.checked_add(i64::from(days).days()),
    };
    let zoned = zoned.map_err(|_| DateError::NoSuchDay)?;
    // "+2d" keeps the time; "today" and "tomorrow" are days, and take the usual one.
    let time = match ahead {
        Ahead::Days(0 | 1) => Some(time.unwrap_or(default_time)),
        _ => time,
    };
    match time {
        None => Ok(zoned.timestamp()),
        Some(time) => {
            let zoned = zoned
                .date()
                .to_datetime(time)
                .to_zoned_datetime(zoned.time_zone().clone());
            zoned
                .map(|zoned| zoned.timestamp())
                .map_err(|_| DateError::NoSuchDay)
        }
    }
}

fn accepted(moment: Timestamp, here: &ZonedDateTime, sense: Sense) -> Result<Timestamp, DateError> {
    let sound = match sense {
        Sense::Ahead => moment > here.timestamp(),
        Sense::FromToday => here
            .start_of_day()
            .is_ok_and(|start| moment >= start.timestamp()),
        Sense::Behind => moment <= here.timestamp(),
    };
    if sound {
        Ok(moment)
    } else {
        Err(DateError::Past)
    }
}

fn far_enough(
    words: &DateWords,
    day: Date,
    moment: Timestamp,
    here: &ZonedDateTime,
    sense: Sense,
) -> Result<Timestamp, DateError> {
    let days = here
        .date()
        .until(day)
        .map_or(0, |span| i64::from(span.get_days()));
    if sense != Sense::Behind && words.year.is_none() && days > FARTHEST_WITHOUT_YEAR {
        return Err(DateError::YearNeeded);
    }
    Ok(moment)
}

/// The days that fit, the likeliest first.
fn candidates(
    words: &DateWords,
    here: &ZonedDateTime,
    sense: Sense,
) -> Result<Vec<Date>, DateError> {
    let today = here.date();
    let direction = if sense == Sense::Behind { -1 } else { 1 };
    let days = match (words.day, words.month, words.year) {
        (None, None, None) => match words.weekday {
            None => vec![today],
            Some(weekday) => {
                let day = today.nth_weekday(direction, weekday);
                return Ok(vec![day.map_err(|_| DateError::NoSuchDay)?]);
            }
        },
        (day, Some(month), Some(year)) => day_of(year, month, day).into_iter().collect(),
        (day, Some(month), None) => {
            // A 29th of February may be eight years away.
            let years = (0..9)
                .filter_map(|years: i16| today.year().checked_add(direction_of(direction) * years));
            years.filter_map(|year| day_of(year, month, day)).collect()
        }
        (Some(day), None, None) => (0..3)
            .filter_map(|months: i64| {
                let first = today.first_of_month();
                let month = first
                    .checked_add((months * i64::from(direction)).months())
                    .ok()?;
                day_of(month.year(), month.month(), Some(day))
            })
            .collect(),
        // A year without a month says too little.
        (_, None, Some(_)) => Vec::new(),
    };
    if days.is_empty() {
        return Err(DateError::NoSuchDay);
    }
    let Some(weekday) = words.weekday else {
        return Ok(days);
    };
    let fitting: Vec<Date> = days
        .into_iter()
        .filter(|day| day.weekday() == weekday)
        .collect();
    if fitting.is_empty() {
        Err(DateError::WrongWeekday)
    } else {
        Ok(fitting)
    }
}

fn direction_of(direction: i32) -> i16 {
    if direction < 0 { -1 } else { 1 }
}

/// That day, or the month's last one.
fn day_of(year: i16, month: i8, day: Option<i8>) -> Option<Date> {
    match day {
        Some(day) => Date::new(year, month, day).ok(),
        None => Date::new(year, month, 1).ok().map(Date::last_of_month),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Wednesday 2 December 2026, 12:00 UTC.
    fn now() -> Timestamp {
        "2026-12-02T12:00:00Z".parse().unwrap()
    }

    fn ahead(words: &str) -> Result<String, DateError> {
        let date = DateWords::parse(words).unwrap_or_else(|| panic!("{words} is not read"));
        let at = resolve(
            &date,
            now(),
            &TimeZone::UTC,
            Time::constant(23, 30, 0, 0),
            Sense::Ahead,
        )?;
        Ok(at.strftime("%F %H:%M").to_string())
    }

    #[test]
    fn days_and_times_come_in_any_order() {
        for (words, moment) in [
            ("3 Dec", "2026-12-03 23:30"),
            ("Dec 3 18:00", "2026-12-03 18:00"),
            ("18:00 3rd December 2026", "2026-12-03 18:00"),
            ("Thu, 3 Dec 2026 18:00", "2026-12-03 18:00"),
            ("Thu Dec 03 2026 23:30:00 +0000", "2026-12-03 23:30"),
            ("Wednesday", "2026-12-09 23:30"),
            ("thu 10:00", "2026-12-03 10:00"),
            ("2", "2026-12-02 23:30"),
            ("2 11:00", "2027-01-02 11:00"),
            ("Feb", "2027-02-28 23:30"),
            ("18:00", "2026-12-02 18:00"),
            ("6pm", "2026-12-02 18:00"),
            ("12:30 am tomorrow", "2026-12-03 00:30"),
            ("Jan 15", "2027-01-15 23:30"),
            ("Jan 15 2028", "2028-01-15 23:30"),
            ("2026-12-08 23:30", "2026-12-08 23:30"),
            ("2026-12-08T20:00Z", "2026-12-08 20:00"),
            ("8.12.2026", "2026-12-08 23:30"),
            ("+2d", "2026-12-04 12:00"),
            ("+2d 20:00", "2026-12-04 20:00"),
            ("+36h", "2026-12-04 00:00"),
            ("tomorrow", "2026-12-03 23:30"),
            ("3 Dec 20:00 +0100", "2026-12-03 19:00"),
            ("3 Dec 20:00 CET", "2026-12-03 19:00"),
            ("3 Dec 20:00 America/New_York", "2026-12-04 01:00"),
        ] {
            assert_eq!(ahead(words).as_deref(), Ok(moment), "{words}");
            let date = DateWords::parse(words).unwrap();
            assert_eq!(DateWords::parse(&date.to_string()), Some(date), "{words}");
        }
    }

    #[test]
    fn what_is_counted_from_now_is_counted_from_the_whole_minute() {
        let date = DateWords::parse("+36h").unwrap();
        let at = "2026-12-02T12:00:47.5Z".parse().unwrap();
        let moment = resolve(&date, at, &TimeZone::UTC, Time::midnight(), Sense::Ahead);
        assert_eq!(moment.unwrap().to_string(), "2026-12-04T00:00:00Z");
    }

    #[test]
    fn what_cannot_be_meant_is_refused() {
        for (words, error) in [
            ("11:00", DateError::Past),
            ("today 11:00", DateError::Past),
            ("1 Dec 2026", DateError::Past),
            ("1 Dec", DateError::YearNeeded),
            ("Aug 1", DateError::YearNeeded),
            ("31 Apr 2027", DateError::NoSuchDay),
            ("Fri 3 Dec 2026", DateError::WrongWeekday),
            ("2027", DateError::NoSuchDay),
            ("3 Dec 20:00 Europe/Atlantis", DateError::UnknownZone),
        ] {
            assert_eq!(ahead(words), Err(error), "{words}");
        }
    }

    #[test]
    fn absences_may_begin_today_and_history_lies_behind() {
        let today = DateWords::parse("2 Dec").unwrap();
        let midnight = Time::midnight();
        let from = resolve(&today, now(), &TimeZone::UTC, midnight, Sense::FromToday);
        assert_eq!(from.unwrap().to_string(), "2026-12-02T00:00:00Z");
        let november = DateWords::parse("15 Nov").unwrap();
        let from = resolve(&november, now(), &TimeZone::UTC, midnight, Sense::Behind);
        assert_eq!(from.unwrap().to_string(), "2026-11-15T00:00:00Z");
        let monday = DateWords::parse("Mon").unwrap();
        let from = resolve(&monday, now(), &TimeZone::UTC, midnight, Sense::Behind);
        assert_eq!(from.unwrap().to_string(), "2026-11-30T00:00:00Z");
    }
}
