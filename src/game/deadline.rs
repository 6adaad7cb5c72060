//! Computes the next deadline (`judge-workflow.md` 4.2). Pure: the time is an argument.

use jiff::{SignedDuration, Timestamp, ToSpan, ZonedDateTime, civil::Time, tz::TimeZone};
use serde::{Deserialize, Serialize};

use super::settings::{DayRule, PhaseClock};

/// The three times of a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Times {
    /// The deadline for orders; orders that arrive in this very second are in time.
    pub deadline: Timestamp,
    /// End of grace.
    pub grace: Timestamp,
    /// The earliest time of processing.
    pub start: Timestamp,
    /// Whether the deadline was moved because of an absence.
    pub adjusted: bool,
}

/// A stretch of time in which no deadline may fall, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Absence {
    /// The first moment of it.
    pub from: Timestamp,
    /// The last moment of it.
    pub to: Timestamp,
}

/// A duration of this many minutes.
pub fn minutes(n: u32) -> SignedDuration {
    SignedDuration::from_mins(i64::from(n))
}

/// The inputs of the computation.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// The clock of the phase that begins.
    pub clock: &'a PhaseClock,
    /// The zone in which its times of day are meant.
    pub zone: &'a TimeZone,
    /// The moment from which the times are counted.
    pub now: Timestamp,
    /// The previous deadline; the new one is never earlier.
    pub old: Option<Timestamp>,
    /// The previous end of grace; the new one is never earlier.
    pub old_grace: Option<Timestamp>,
    /// Doubles the length, for the first phase of a game with press.
    pub doubled: bool,
    /// Whether grace ends exactly, even on a forbidden day.
    pub strict_grace: bool,
    /// Absences of players and masters.
    pub absences: &'a [Absence],
}

/// The times of a phase that begins now.
pub fn times(request: &Request) -> Times {
    let Request {
        clock, zone, now, ..
    } = *request;
    let length = minutes(clock.next) * if request.doubled { 2 } else { 1 };
    let earliest = now + length;
    let mut deadline = earliest.max(request.old.unwrap_or(earliest));
    let mut adjusted = false;
    // Each round moves the deadline later. There are finitely many absences, and each week holds an allowed day.
    for _ in 0..=request.absences.len() + 16 {
        let before = deadline;
        deadline = allowed(clock, zone, deadline, TimeOfDay::OfClock);
        if let Some(absence) = request
            .absences
            .iter()
            .find(|a| a.from <= deadline && deadline <= a.to)
        {
            deadline = absence.to + SignedDuration::from_secs(1);
            adjusted = true;
        }
        if deadline == before {
            break;
        }
    }
    Times {
        deadline,
        grace: grace(request, deadline),
        start: now + minutes(clock.min),
        adjusted,
    }
}

/// The end of grace after a deadline.
pub fn grace(request: &Request, deadline: Timestamp) -> Timestamp {
    let end = deadline + minutes(request.clock.grace);
    let end = if request.strict_grace {
        end
    } else {
        allowed(request.clock, request.zone, end, TimeOfDay::Any)
    };
    end.max(request.old_grace.unwrap_or(end))
}

/// Which times of day are allowed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TimeOfDay {
    /// The one that the clock sets, if it sets one.
    OfClock,
    Any,
}

/// The first moment at or after `at` that the days allow and that has the time of day.
fn allowed(clock: &PhaseClock, zone: &TimeZone, at: Timestamp, time: TimeOfDay) -> Timestamp {
    let mut local = at.to_zoned_datetime(zone.clone());
    for _ in 0..16 {
        if time == TimeOfDay::OfClock {
            local = next_time_of_day(clock, local);
        }
        let day = local.weekday().to_sunday_zero_offset() as usize;
        match clock.days.rule(day) {
            DayRule::Allowed => break,
            DayRule::Afternoon if local.time() >= Time::constant(12, 0, 0, 0) => break,
            DayRule::Afternoon => local = at_time(&local, Time::constant(12, 0, 0, 0)),
            DayRule::Forbidden => local = next_midnight(&local),
        }
    }
    local.timestamp()
}

fn next_time_of_day(clock: &PhaseClock, local: ZonedDateTime) -> ZonedDateTime {
    let Some(minute) = clock.clock else {
        return local;
    };
    let time = Time::midnight().wrapping_add(i64::from(minute).minutes());
    let today = at_time(&local, time);
    if today >= local {
        today
    } else {
        at_time(&next_midnight(&local), time)
    }
}

/// The same day at `time`; a time that daylight saving skips moves forward.
fn at_time(local: &ZonedDateTime, time: Time) -> ZonedDateTime {
    local
        .date()
        .to_datetime(time)
        .to_zoned_datetime(local.time_zone().clone())
        .unwrap_or_else(|_| local.clone())
}

fn next_midnight(local: &ZonedDateTime) -> ZonedDateTime {
    let Ok(tomorrow) = local.date().tomorrow() else {
        return local.clone();
    };
    tomorrow
        .to_zoned_datetime(local.time_zone().clone())
        .unwrap_or_else(|_| local.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{Days, Settings};

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    /// A clock without a time of day that allows all days.
    fn hours_alone() -> PhaseClock {
        PhaseClock {
            clock: None,
            min: 0,
            next: 24 * 60,
            grace: 48 * 60,
            delay: 30,
            days: Days::try_from("SMTWTFS".to_owned()).unwrap(),
        }
    }

    fn request<'a>(
        clock: &'a PhaseClock,
        now: &str,
        old: Option<&str>,
        absences: &'a [Absence],
    ) -> Request<'a> {
        Request {
            clock,
            zone: const { &TimeZone::UTC },
            now: at(now),
            old: old.map(at),
            old_grace: None,
            doubled: false,
            strict_grace: false,
            absences,
        }
    }

    /// `judge-workflow.md` 4.8, first row.
    #[test]
    fn the_first_deadline_is_doubled_and_skips_the_weekend() {
        let settings = Settings::default();
        let mut first = request(&settings.moves, "2026-11-30T10:05:00Z", None, &[]);
        first.doubled = true;
        let times = times(&first);
        assert_eq!(times.deadline, at("2026-12-07T23:30:00Z"));
        assert_eq!(times.grace, at("2026-12-14T22:30:00Z"));
        assert_eq!(times.start, at("2026-11-30T22:05:00Z"));
    }

    /// 4.8: quick play keeps the old date.
    #[test]
    fn a_deadline_never_moves_back() {
        let settings = Settings::default();
        let next = times(&request(
            &settings.moves,
            "2026-12-01T12:30:00Z",
            Some("2026-12-07T23:30:00Z"),
            &[],
        ));
        assert_eq!(next.deadline, at("2026-12-07T23:30:00Z"));
    }

    /// 4.8, 16 December: a takeover, and England's absence of 20 to 24 December.
    #[test]
    fn an_absence_moves_a_deadline_on() {
        let settings = Settings::default();
        let absence = [Absence {
            from: at("2026-12-20T00:00:00Z"),
            to: at("2026-12-24T23:59:00Z"),
        }];
        let next = times(&request(
            &settings.moves,
            "2026-12-16T09:00:00Z",
            None,
            &absence,
        ));
        assert_eq!(next.deadline, at("2026-12-25T23:30:00Z"));
        assert_eq!(next.grace, at("2027-01-01T22:30:00Z"));
        assert!(next.adjusted);
    }

    /// 4.8, last paragraph: a game without CLOCK whose days are all allowed.
    #[test]
    fn without_a_clock_only_the_hours_count() {
        let clock = hours_alone();
        let mut first = request(&clock, "2027-01-04T09:00:00Z", None, &[]);
        first.doubled = true;
        assert_eq!(times(&first).deadline, at("2027-01-06T09:00:00Z"));
        assert_eq!(times(&first).grace, at("2027-01-08T09:00:00Z"));
    }

    #[test]
    fn a_small_letter_allows_the_afternoon_and_summer_time_is_by_date() {
        let settings = Settings::default();
        let zone = TimeZone::get("Europe/Berlin").unwrap();
        // A retreat due on Monday morning is moved to Monday noon, local time.
        let mut retreat = request(&settings.retreats, "2026-03-29T07:00:00Z", None, &[]);
        retreat.zone = &zone;
        assert_eq!(times(&retreat).deadline, at("2026-03-30T10:00:00Z"));
    }

    #[test]
    fn without_a_clock_the_deadline_is_the_second_after_an_absence() {
        let clock = hours_alone();
        let absences = [
            Absence {
                from: at("2027-01-05T00:00:00Z"),
                to: at("2027-01-06T12:00:00Z"),
            },
            Absence {
                from: at("2027-01-06T12:00:01Z"),
                to: at("2027-01-08T18:00:00Z"),
            },
        ];
        let request = request(&clock, "2027-01-04T09:00:00Z", None, &absences);
        assert_eq!(times(&request).deadline, at("2027-01-08T18:00:01Z"));
    }
}
