//! A deadline as an entry for its reader's calendar (RFC 5545, RFC 5546).
//!
//! It is a `REQUEST` from the judge to this reader only. Calendars import a published entry (`PUBLISH`) once: Outlook opens
//! it as a file and Gmail offers to add it, but neither moves an entry that it added before. A request with the same `UID`
//! and a higher `SEQUENCE` moves the entry in all of them. Nobody is asked to answer: the reader is listed as having
//! accepted, and of a calendar's answer only words are read that somebody typed into it.
//!
//! There is one entry for the whole game, since one for each phase would leave old entries. `CANCEL` removes it; when
//! another deadline follows, the entry returns under the same id, so that a calendar that did not understand the one
//! understands the other. All times are in UTC, so that no time zone has to be described.

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use super::attachments::CalendarPart;
use super::heading::subject;
use dipjudge_view::Heading;

/// The length of the entry, which begins at the deadline: some calendars hardly show entries without a length.
const LENGTH: SignedDuration = SignedDuration::from_mins(15);
/// Octets in a line before it is folded (RFC 5545 3.1).
const LINE: usize = 75;

/// What a calendar is to do with an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CalendarMethod {
    /// Add it, or move it.
    Request,
    /// Remove it.
    Cancel,
}

/// An entry, to be added or removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CalendarEntry<'a> {
    /// Its id, the same for as long as the reader has it: `…@judge.example.org`.
    pub id: &'a str,
    /// How often it was sent before.
    pub sequence: u32,
    /// The date of the mail that it is sent with.
    pub written: Timestamp,
    /// The phase whose deadline it is.
    pub phase: &'a str,
    /// The deadline.
    pub at: Timestamp,
    /// Hours before it at which the calendar gives an alarm; 0 for none.
    pub alarm: u32,
    /// What the calendar is to do.
    pub method: CalendarMethod,
    /// The judge's code.
    pub judge_name: &'a str,
    /// The judge's address.
    pub judge_address: &'a str,
    /// The reader's address.
    pub reader: &'a str,
}

/// The entry as a part of a mail with this heading.
pub fn calendar_entry(heading: &Heading, entry: &CalendarEntry) -> CalendarPart {
    let (method, status) = match entry.method {
        CalendarMethod::Cancel => ("CANCEL", "CANCELLED"),
        CalendarMethod::Request => ("REQUEST", "CONFIRMED"),
    };
    let of_phase = Heading {
        phase: entry.phase.to_owned(),
        ..heading.clone()
    };
    let title = escaped(&subject(&of_phase, "deadline"));
    let told = format!(
        "The deadline of {} in the game '{}'.  SET CALENDAR OFF takes this entry out.",
        entry.phase, heading.game
    );
    let mut lines = FoldedLines::default();
    lines.put("BEGIN:VCALENDAR");
    lines.put("VERSION:2.0");
    lines.put("PRODID:-//dipjudge//deadlines//EN");
    lines.put("CALSCALE:GREGORIAN");
    lines.put(&format!("METHOD:{method}"));
    lines.put("BEGIN:VEVENT");
    lines.put(&format!("UID:{}", escaped(entry.id)));
    lines.put(&format!("DTSTAMP:{}", utc(entry.written)));
    lines.put(&format!("SEQUENCE:{}", entry.sequence));
    lines.put(&format!("DTSTART:{}", utc(entry.at)));
    let end = entry.at.checked_add(LENGTH).unwrap_or(entry.at);
    lines.put(&format!("DTEND:{}", utc(end)));
    lines.put(&format!("SUMMARY:{title}"));
    lines.put(&format!("DESCRIPTION:{}", escaped(&told)));
    lines.put(&format!("STATUS:{status}"));
    // Nobody is busy at a deadline.
    lines.put("TRANSP:TRANSPARENT");
    lines.put(&format!(
        "ORGANIZER;CN={}:mailto:{}",
        quoted(&format!("{} judge", entry.judge_name)),
        entry.judge_address
    ));
    lines.put(&format!(
        "ATTENDEE;CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED;RSVP=FALSE:mailto:{}",
        entry.reader
    ));
    if entry.alarm > 0 && entry.method == CalendarMethod::Request {
        lines.put("BEGIN:VALARM");
        lines.put("ACTION:DISPLAY");
        lines.put(&format!("DESCRIPTION:{title}"));
        lines.put(&format!("TRIGGER:-PT{}H", entry.alarm));
        lines.put("END:VALARM");
    }
    lines.put("END:VEVENT");
    lines.put("END:VCALENDAR");
    CalendarPart {
        method,
        object: lines.text,
    }
}

fn utc(at: Timestamp) -> String {
    let utc = at.to_zoned_datetime(TimeZone::UTC);
    utc.strftime("%Y%m%dT%H%M%SZ").to_string()
}

/// A value of the type TEXT (RFC 5545 3.3.11).
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\\' | ';' | ',' => escaped.extend(['\\', letter]),
            '\n' => escaped.push_str("\\n"),
            letter if letter.is_control() => {}
            letter => escaped.push(letter),
        }
    }
    escaped
}

/// The value of a parameter (RFC 5545 3.2), which cannot hold a quotation mark.
fn quoted(text: &str) -> String {
    let letters = text.chars().filter(|c| *c != '"' && !c.is_control());
    format!("\"{}\"", letters.collect::<String>())
}

/// Lines of an object, folded if they are too long.
#[derive(Default)]
struct FoldedLines {
    text: String,
}

impl FoldedLines {
    fn put(&mut self, line: &str) {
        let mut room = LINE;
        for letter in line.chars() {
            if letter.len_utf8() > room {
                self.text.push_str("\r\n ");
                room = LINE - 1;
            }
            self.text.push(letter);
            room -= letter.len_utf8();
        }
        self.text.push_str("\r\n");
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;
    use icalendar::{Calendar, CalendarComponent, Component};

    fn entry() -> CalendarEntry<'static> {
        CalendarEntry {
            id: "c0ffee@example.org",
            sequence: 4,
            written: "2026-12-01T10:30:00Z".parse().unwrap(),
            phase: "S1901M",
            at: "2026-12-07T23:30:00Z".parse().unwrap(),
            alarm: 8,
            method: CalendarMethod::Request,
            judge_name: "USXX",
            judge_address: "judge@example.org",
            reader: "anna.with.quite.a.long.name@department.of.an.example.org",
        }
    }

    fn read(part: &CalendarPart) -> Calendar {
        assert!(part.object.split("\r\n").all(|line| line.len() <= 75));
        assert!(part.object.ends_with("END:VCALENDAR\r\n"));
        let calendar: Calendar = part.object.parse().unwrap();
        assert_eq!(calendar.property_value("METHOD"), Some(part.method));
        assert_eq!(calendar.components.len(), 1);
        calendar
    }

    fn event(calendar: &Calendar) -> &icalendar::Event {
        match calendar.components.first() {
            Some(CalendarComponent::Event(event)) => event,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn an_entry_reads_back_as_it_was_meant() {
        let calendar = read(&calendar_entry(&samples::heading("S1901M"), &entry()));
        let event = event(&calendar);
        let value = |name: &str| event.property_value(name).unwrap_or_default();
        assert_eq!(event.get_uid(), Some("c0ffee@example.org"));
        assert_eq!(event.get_sequence(), Some(4));
        assert_eq!(event.get_summary(), Some("USXX:kaiser - S1901M deadline"));
        assert_eq!(value("DTSTART"), "20261207T233000Z");
        assert_eq!(value("DTEND"), "20261207T234500Z");
        assert_eq!(value("DTSTAMP"), "20261201T103000Z");
        assert_eq!(value("STATUS"), "CONFIRMED");
        assert_eq!(value("ORGANIZER"), "mailto:judge@example.org");
        let attendee = format!("mailto:{}", entry().reader);
        let attendees: Vec<&str> = event
            .multi_properties()
            .get("ATTENDEE")
            .into_iter()
            .flatten()
            .map(icalendar::Property::value)
            .collect();
        assert_eq!(attendees, [attendee]);
    }

    #[test]
    fn what_is_cancelled_gives_no_alarm() {
        let heading = samples::heading("S1901M");
        let gone = CalendarEntry {
            method: CalendarMethod::Cancel,
            ..entry()
        };
        let part = calendar_entry(&heading, &gone);
        let calendar = read(&part);
        assert_eq!(part.method, "CANCEL");
        let status = event(&calendar).property_value("STATUS");
        assert_eq!(status, Some("CANCELLED"));
        let alarm = |entry: &CalendarEntry| {
            let part = calendar_entry(&heading, entry);
            part.object.contains("TRIGGER:-PT8H")
        };
        assert!(alarm(&entry()) && !alarm(&gone));
        let silent = CalendarEntry {
            alarm: 0,
            ..entry()
        };
        assert!(!calendar_entry(&heading, &silent).object.contains("VALARM"));
    }

    #[test]
    fn long_lines_are_folded_between_letters() {
        let mut lines = FoldedLines::default();
        lines.put(&"ä".repeat(80));
        let text = lines.text;
        assert!(text.split("\r\n").all(|line| line.len() <= LINE), "{text}");
        assert_eq!(text.replace("\r\n ", ""), format!("{}\r\n", "ä".repeat(80)));
        assert_eq!(escaped("a;b,c\\d\ne\u{7}"), "a\\;b\\,c\\\\d\\ne");
    }
}
