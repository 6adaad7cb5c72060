//! Dates as players write them.

use dipjudge_grammar::{Terms, Text};
use dipjudge_rules::calendar::PhaseName;
use jiff::civil::{Time, Weekday};
use std::fmt;

/// A day, a time or both, before it is known which year or zone is meant: see [`resolve`](super::date_meaning::resolve).
#[derive(Clone, PartialEq, Eq, Default)]
pub struct DateWords {
    /// Day of the month.
    pub day: Option<i8>,
    /// Month, from 1.
    pub month: Option<i8>,
    /// Year.
    pub year: Option<i16>,
    /// Day of the week.
    pub weekday: Option<Weekday>,
    /// Time of the day.
    pub time: Option<Time>,
    /// Zone of that time, if one was named.
    pub zone: Option<Zone>,
    /// From now on: whole days and minutes, as of `+2d`, `tomorrow`, `+12h`.
    pub ahead: Option<Ahead>,
}

/// A stretch of time from now on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ahead {
    /// Days of the calendar: `today`, `tomorrow`, `+2d`.
    Days(i32),
    /// Minutes: `+12h`.
    Minutes(i32),
}

/// A zone that was named with a date.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Zone {
    /// Hours and minutes east of Greenwich, in minutes.
    Offset(i32),
    /// A name of the time zone database, `Europe/Berlin`.
    Named(String),
}

impl DateWords {
    /// Reads the date that begins at a position of the text; gives the position after it.
    pub fn read(text: &Text<'_>, at: usize) -> Option<(usize, Self)> {
        let mut words = Self::default();
        let mut end = None;
        let mut here = text.skip_blanks(at);
        while let Some(after) = words.part(text, here) {
            end = Some(after);
            here = text.skip_blanks(after);
            // "Thu, 3 Dec": a comma within a date, but not one that ends it.
            if text.byte(here) == b',' {
                here = text.skip_blanks(here + 1);
            }
        }
        end.map(|end| (end, words))
    }

    /// Reads a whole text.
    pub fn parse(words: &str) -> Option<Self> {
        let text = Text::new(words);
        let (end, date) = Self::read(&text, 0)?;
        (text.skip_blanks(end) == text.len()).then_some(date)
    }

    /// Reads one part, if it is one that has not come yet.
    fn part(&mut self, text: &Text<'_>, at: usize) -> Option<usize> {
        self.whole_day(text, at)
            .or_else(|| self.holiday(text, at))
            .or_else(|| self.clock(text, at))
            .or_else(|| self.named_zone(text, at))
            .or_else(|| self.stretch(text, at))
            .or_else(|| self.number(text, at))
            .or_else(|| self.day_with_article(text, at))
            .or_else(|| self.word(text, at))
    }

    fn has_day(&self) -> bool {
        self.day.is_some() || self.month.is_some() || self.ahead.is_some()
    }

    /// `2026-12-08`, with `T` the time may follow at once; `8.12.2026`.
    fn whole_day(&mut self, text: &Text<'_>, at: usize) -> Option<usize> {
        if self.has_day() || self.year.is_some() {
            return None;
        }
        let (first, mut here) = digits(text, at)?;
        let sign = text.byte(here);
        let (second, after) = digits(text, here + 1)?;
        if !matches!(sign, b'-' | b'.') || text.byte(after) != sign {
            return None;
        }
        let (third, end) = digits(text, after + 1)?;
        here = end;
        let (year, day) = match (sign, end - after - 1) {
            (b'-', 1..=2) if first > 99 => (first, third),
            (b'.', 4) => (third, first),
            _ => return None,
        };
        if text.byte(here) == b't' && text.byte(here + 1).is_ascii_digit() {
            here = self.clock(text, here + 1)?;
        } else if text.in_word(here) {
            return None;
        }
        self.day = Some(i8::try_from(day).ok()?);
        self.month = Some(i8::try_from(second).ok()?);
        self.year = Some(i16::try_from(year).ok()?);
        Some(here)
    }

    /// `Christmas Eve`.
    fn holiday(&mut self, text: &Text<'_>, at: usize) -> Option<usize> {
        if self.has_day() {
            return None;
        }
        let stands = |name: &str| {
            let end = at + name.len();
            text.folded(at..end) == name && !text.in_word(end)
        };
        let (name, day, month) = HOLIDAYS.iter().find(|(name, _, _)| stands(name))?;
        self.day = Some(*day);
        self.month = Some(*month);
        Some(at + name.len())
    }

    /// `23:30`, `23:30:00`, `11:30 pm`, `6pm`.
    fn clock(&mut self, text: &Text<'_>, at: usize) -> Option<usize> {
        if self.time.is_some() {
            return None;
        }
        let (mut hour, mut here) = digits(text, at)?;
        let (mut minute, mut second) = (0, 0);
        let colon = text.byte(here) == b':';
        if colon {
            (minute, here) = digits(text, here + 1)?;
            if text.byte(here) == b':' {
                (second, here) = digits(text, here + 1)?;
            }
        }
        let half = text.skip_spaces(here);
        let afternoon = match text.folded(half..half + 2) {
            "pm" if !text.in_word(half + 2) => Some(true),
            "am" if !text.in_word(half + 2) => Some(false),
            _ => None,
        };
        if let Some(afternoon) = afternoon {
            if !(1..=12).contains(&hour) {
                return None;
            }
            hour = hour % 12 + if afternoon { 12 } else { 0 };
            here = half + 2;
        } else if !colon {
            return None;
        }
        // 24:00 is the end of a day; what a deadline means by it is one minute less.
        if (hour, minute, second) == (24, 0, 0) {
            (hour, minute) = (23, 59);
        }
        let part = |number: i32| i8::try_from(number).ok();
        self.time = Some(Time::new(part(hour)?, part(minute)?, part(second)?, 0).ok()?);
        let ends = !text.in_word(here) || (text.byte(here) == b'z' && !text.in_word(here + 1));
        ends.then_some(here)
    }

    /// `UTC`, `+0100`, `+01:00`, `CET`, `Europe/Berlin`; only behind a time.
    fn named_zone(&mut self, text: &Text<'_>, at: usize) -> Option<usize> {
        if self.zone.is_some() || self.time.is_none() {
            return None;
        }
        if matches!(text.byte(at), b'+' | b'-') {
            let (number, mut end) = digits(text, at + 1)?;
            let length = end - at - 1;
            let (hours, minutes) = if length <= 2 && text.byte(end) == b':' {
                let (minutes, after) = digits(text, end + 1)?;
                end = after;
                (number, minutes)
            } else if length == 4 {
                (number / 100, number % 100)
            } else if length == 2 && !text.in_word(end) {
                (number, 0)
            } else {
                return None;
            };
            if hours > 15 || minutes > 59 || text.in_word(end) {
                return None;
            }
            let sign = if text.byte(at) == b'-' { -1 } else { 1 };
            self.zone = Some(Zone::Offset(sign * (hours * 60 + minutes)));
            return Some(end);
        }
        let in_name =
            |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'_' | b'-');
        let length = text.rest(at).iter().take_while(in_name).count();
        let name = text.folded(at..at + length);
        let zone = match ABBREVIATIONS.iter().find(|(short, _)| *short == name) {
            Some((_, hours)) => Zone::Offset(hours * 60),
            None if name.contains('/') && length < 40 => Zone::Named(name.to_owned()),
            None => return None,
        };
        self.zone = Some(zone);
        Some(at + length)
    }

    /// `+2d`, `+12h`, `+30m`, `today`, `tomorrow`.
    fn stretch(&mut self, text: &Text<'_>, at: usize) -> Option<usize> {
        if self.has_day() || self.weekday.is_some() {
            return None;
        }
        let end = text.word_end(at + usize::from(text.byte(at) == b'+'));
        let (ahead, end) = match text.folded(at..end) {
            "today" => (Ahead::Days(0), end),
            "tomorrow" => (Ahead::Days(1), end),
            stretch if stretch.starts_with('+') => {
                let (number, unit) = digits(text, at + 1)?;
                let unit = text.skip_spaces(unit);
                let end = text.word_end(unit);
                let ahead = match text.folded(unit..end) {
                    "d" | "day" | "days" => Ahead::Days(number),
                    "h" | "hour" | "hours" => Ahead::Minutes(number.checked_mul(60)?),
                    "m" | "min" | "minutes" => Ahead::Minutes(number),
                    _ => return None,
                };
                (ahead, end)
            }
            _ => return None,
        };
        self.ahead = Some(ahead);
        Some(end)
    }

    /// A day of the month or a year.
    fn number(&mut self, text: &Text<'_>, at: usize) -> Option<usize> {
        let (number, mut end) = digits(text, at)?;
        let length = end - at;
        if length <= 2 && self.day.is_none() && self.ahead.is_none() {
            if matches!(text.folded(end..end + 2), "st" | "nd" | "rd" | "th") {
                end += 2;
            }
            self.day = Some(i8::try_from(number).ok()?);
            // "the 3rd of January"
            let of = text.skip_blanks(end);
            let month = text.skip_blanks(text.word_end(of));
            let names_month = || position(&MONTHS, text.folded(month..text.word_end(month)));
            if text.folded(of..text.word_end(of)) == "of" && names_month().is_some() {
                return Some(month);
            }
        } else if length == 4 && self.year.is_none() && self.ahead.is_none() {
            self.year = Some(i16::try_from(number).ok()?);
        } else {
            return None;
        }
        (!text.in_word(end) && text.byte(end) != b':').then_some(end)
    }

    /// `the 10th`.
    fn day_with_article(&mut self, text: &Text<'_>, at: usize) -> Option<usize> {
        let end = text.word_end(at);
        if text.folded(at..end) != "the" {
            return None;
        }
        let day = text.skip_blanks(end);
        let (_, suffix) = digits(text, day)?;
        let is_ordinal = text.word_end(suffix) == suffix + 2;
        is_ordinal.then(|| self.number(text, day)).flatten()
    }

    /// A month or a day of the week, by three letters or more.
    fn word(&mut self, text: &Text<'_>, at: usize) -> Option<usize> {
        let end = text.word_end(at);
        let word = text.folded(at..end);
        if word.len() < 3 || self.ahead.is_some() {
            return None;
        }
        if let (None, Some(month)) = (self.month, position(&MONTHS, word)) {
            self.month = Some(month);
        } else if let (None, Some(day)) = (self.weekday, position(&WEEKDAYS, word)) {
            self.weekday = Some(Weekday::from_monday_one_offset(day).ok()?);
        } else {
            return None;
        }
        Some(end)
    }
}

/// In a form that reads back as itself: `Thu 3 Dec 2026 23:30 +01:00`.
impl fmt::Display for DateWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |names: &[&'static str], from_one: i8| {
            let index = usize::try_from(from_one)
                .ok()
                .and_then(|one| one.checked_sub(1));
            let name = index
                .and_then(|index| names.get(index))
                .and_then(|name| name.get(..3));
            let mut name = name.unwrap_or_default().to_owned();
            if let Some(first) = name.get_mut(..1) {
                first.make_ascii_uppercase();
            }
            name
        };
        let mut words: Vec<String> = Vec::new();
        words.extend(
            self.weekday
                .map(|day| name(&WEEKDAYS, day.to_monday_one_offset())),
        );
        words.extend(self.day.map(|day| day.to_string()));
        words.extend(self.month.map(|month| name(&MONTHS, month)));
        words.extend(self.year.map(|year| format!("{year:04}")));
        words.extend(self.ahead.map(|ahead| match ahead {
            Ahead::Days(0) => "today".to_owned(),
            Ahead::Days(1) => "tomorrow".to_owned(),
            Ahead::Days(days) => format!("+{days}d"),
            Ahead::Minutes(minutes) => format!("+{minutes}m"),
        }));
        let time = self.time.map(|time| {
            let (hour, minute) = (time.hour(), time.minute());
            match time.second() {
                0 => format!("{hour:02}:{minute:02}"),
                second => format!("{hour:02}:{minute:02}:{second:02}"),
            }
        });
        words.extend(time);
        words.extend(self.zone.as_ref().map(|zone| match zone {
            Zone::Offset(0) => "UTC".to_owned(),
            Zone::Offset(minutes) => {
                let sign = if *minutes < 0 { '-' } else { '+' };
                format!("{sign}{:02}:{:02}", minutes.abs() / 60, minutes.abs() % 60)
            }
            Zone::Named(name) => name.clone(),
        }));
        f.write_str(&words.join(" "))
    }
}

impl fmt::Debug for DateWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// Days that are named and not numbered, with their days of the month and months.
const HOLIDAYS: [(&str, i8, i8); 7] = [
    ("christmas eve", 24, 12),
    ("christmas day", 25, 12),
    ("boxing day", 26, 12),
    ("new year's eve", 31, 12),
    ("new years eve", 31, 12),
    ("new year's day", 1, 1),
    ("new years day", 1, 1),
];

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

const WEEKDAYS: [&str; 7] = [
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
];

/// Abbreviations that mean one thing to those who use them, with hours east of Greenwich.
const ABBREVIATIONS: [(&str, i32); 19] = [
    ("utc", 0),
    ("gmt", 0),
    ("z", 0),
    ("wet", 0),
    ("bst", 1),
    ("west", 1),
    ("cet", 1),
    ("cest", 2),
    ("eet", 2),
    ("eest", 3),
    ("msk", 3),
    ("est", -5),
    ("edt", -4),
    ("cst", -6),
    ("cdt", -5),
    ("mst", -7),
    ("mdt", -6),
    ("pst", -8),
    ("pdt", -7),
];

/// Counted from 1, the name that the word begins or is.
fn position(names: &[&str], word: &str) -> Option<i8> {
    let index = names
        .iter()
        .position(|name| name.starts_with(word) || (*name == "september" && word == "sept"))?;
    i8::try_from(index + 1).ok()
}

/// Up to five digits that begin here, and the position after them.
fn digits(text: &Text<'_>, at: usize) -> Option<(i32, usize)> {
    let length = text
        .rest(at)
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    if !(1..=5).contains(&length) {
        return None;
    }
    Some((text.folded(at..at + length).parse().ok()?, at + length))
}

/// Dates and phases, the only terms that do not depend on a game.
pub(super) struct Calendar;

impl Terms for Calendar {
    fn date(&self, text: &Text<'_>, at: usize) -> Option<usize> {
        DateWords::read(text, at).map(|(end, _)| end)
    }

    fn phase(&self, text: &Text<'_>, at: usize) -> Option<usize> {
        PhaseName::end(text, at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_may_have_names() {
        for (words, date) in [
            ("Christmas Eve", "24 Dec"),
            ("new year's eve 18:00", "31 Dec 18:00"),
            ("3rd of January", "3 Jan"),
        ] {
            let read = DateWords::parse(words).map(|date| date.to_string());
            assert_eq!(read.as_deref(), Some(date), "{words}");
        }
    }

    #[test]
    fn other_words_are_no_date() {
        for words in [
            "",
            "soon",
            "3 Dec foo",
            "25:00",
            "13pm",
            "12/8",
            "99999999 Dec",
            "3 Dec 4 Dec",
        ] {
            assert_eq!(DateWords::parse(words), None, "{words}");
        }
    }
}
