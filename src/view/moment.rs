//! Points and lengths of time as mails write them.

use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use serde::{Serialize, Serializer};

/// The time rounded down to a minute. No reader is shown seconds, since they would disclose how long the judge worked
/// (`visibility.md` 1, P6). Times before the first whole minute that a [`Timestamp`] can hold are returned as they are.
pub fn whole_minute(at: Timestamp) -> Timestamp {
    Timestamp::from_second(at.as_second().div_euclid(60) * 60).unwrap_or(at)
}

/// A point in time together with the zone in which its reader wants to see it.
/// Written `Mon Dec 07 2026 23:30:00 +0000` (`judge-workflow.md` 0).
#[derive(Clone, Debug, PartialEq)]
pub struct Moment {
    at: Timestamp,
    zone: TimeZone,
}

impl Moment {
    /// The moment `at`, to be shown in `zone`.
    pub fn new(at: Timestamp, zone: &TimeZone) -> Moment {
        Moment {
            at,
            zone: zone.clone(),
        }
    }

    /// The point in time itself.
    pub fn at(&self) -> Timestamp {
        self.at
    }

    /// The text without the zone, as in HISTORY and SUMMARY: `Tue Dec  1 22:06:00 2026`.
    pub fn plain(&self) -> String {
        self.at
            .to_zoned_datetime(self.zone.clone())
            .strftime("%a %b %e %H:%M:%S %Y")
            .to_string()
    }
}

impl std::fmt::Display for Moment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{}",
            self.at
                .to_zoned_datetime(self.zone.clone())
                .strftime("%a %b %d %Y %H:%M:%S %z")
        )
    }
}

impl Serialize for Moment {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A length of time in whole seconds, written `6 days, 14 hours, 30 minutes, and 0 seconds` (`judge-workflow.md` 0).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span(i64);

impl Span {
    /// The time from one point to another; 0 if the second is earlier.
    pub fn between(from: Timestamp, to: Timestamp) -> Span {
        Span(
            SignedDuration::from_secs(to.as_second() - from.as_second())
                .as_secs()
                .max(0),
        )
    }
}

impl Span {
    /// The length in its largest unit, for a sentence: `6 days`, `14 hours`, `30 minutes`. A day and more, but less than two,
    /// are told in hours.
    pub fn roughly(self) -> String {
        let count = |n: i64, unit: &str| format!("{n} {unit}{}", if n == 1 { "" } else { "s" });
        match self.0 {
            172_800.. => count(self.0 / 86_400, "day"),
            3_600.. => count(self.0 / 3_600, "hour"),
            _ => count(self.0 / 60, "minute"),
        }
    }
}

impl std::fmt::Display for Span {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let count = |n: i64, unit: &str| format!("{n} {unit}{}", if n == 1 { "" } else { "s" });
        let (days, hours, minutes, seconds) = (
            self.0 / 86_400,
            self.0 / 3_600 % 24,
            self.0 / 60 % 60,
            self.0 % 60,
        );
        let mut parts = Vec::new();
        if days > 0 {
            parts.push(count(days, "day"));
        }
        if days > 0 || hours > 0 {
            parts.push(count(hours, "hour"));
        }
        if days > 0 || hours > 0 || minutes > 0 {
            parts.push(count(minutes, "minute"));
        }
        if parts.is_empty() {
            return f.write_str(&count(seconds, "second"));
        }
        write!(f, "{}, and {}", parts.join(", "), count(seconds, "second"))
    }
}

impl Serialize for Span {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_minute_is_the_one_that_has_begun() {
        for (at, minute) in [
            ("2026-12-19T05:54:00Z", "2026-12-19T05:54:00Z"),
            ("2026-12-19T05:54:00.001Z", "2026-12-19T05:54:00Z"),
            ("2026-12-19T05:54:59.5Z", "2026-12-19T05:54:00Z"),
            ("2026-12-19T05:55:00Z", "2026-12-19T05:55:00Z"),
        ] {
            let at: Timestamp = at.parse().unwrap();
            assert_eq!(whole_minute(at).to_string(), minute, "{at}");
        }
    }

    #[test]
    fn moments_and_spans_read_as_the_old_judge_wrote_them() {
        let from: Timestamp = "2026-12-01T09:00:00Z".parse().unwrap();
        let to: Timestamp = "2026-12-07T23:30:00Z".parse().unwrap();
        assert_eq!(
            Moment::new(to, &TimeZone::UTC).to_string(),
            "Mon Dec 07 2026 23:30:00 +0000"
        );
        assert_eq!(
            Moment::new(from, &TimeZone::UTC).plain(),
            "Tue Dec  1 09:00:00 2026"
        );
        assert_eq!(
            Span::between(from, to).to_string(),
            "6 days, 14 hours, 30 minutes, and 0 seconds"
        );
        assert_eq!(Span::between(to, from).to_string(), "0 seconds");
    }
}
