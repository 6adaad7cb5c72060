//! Answers of calendars to entries that were sent to them (RFC 5546, RFC 6047).

use super::part_tree::Part;

/// A calendar's answer, and who wrote the lines of its mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CalendarAnswer {
    /// The id of the entry answered.
    pub entry: Option<String>,
    /// Who wrote the lines of the mail.
    pub words: CalendarWords,
}

/// Who wrote the lines of a mail that answers for a calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CalendarWords {
    /// Its sender, as the comment of his answer.
    Comment,
    /// Its sender, as the text of the mail; or the calendar: `Anna has accepted this invitation.`
    SenderOrCalendar,
}

/// An answer in the parts of a mail.
#[derive(Debug, Default)]
pub(super) struct ParsedReply {
    /// The id of the entry.
    pub(super) entry: Option<String>,
    /// The comment; empty if there is none.
    pub(super) comment: String,
}

/// The calendar's answer in a mail, if there is one. Some programs name the method only within the object.
pub(super) fn answer(root: &Part<'_>) -> Option<ParsedReply> {
    let objects = root
        .leaves()
        .into_iter()
        .filter(|part| part.media.is("text", "calendar") || part.media.is("application", "ics"));
    let answers: Vec<ParsedReply> = objects.filter_map(read).collect();
    let with_comment = |answer: &ParsedReply| !answer.comment.is_empty();
    let best = answers.iter().position(with_comment).unwrap_or_default();
    answers.into_iter().nth(best)
}

fn read(part: &Part<'_>) -> Option<ParsedReply> {
    let lines = unfolded(&part.text());
    let property = |name: &str| {
        let mut of_name = lines.iter().filter_map(|line| Property::read(line, name));
        of_name.find(|property| !property.value.trim().is_empty())
    };
    let method = match part.media.parameter("method") {
        Some(method) => method,
        None => property("METHOD")?.value,
    };
    let answers = ["reply", "counter", "refresh"];
    if !answers
        .iter()
        .any(|one| method.trim().eq_ignore_ascii_case(one))
    {
        return None;
    }
    let comment = match property("COMMENT") {
        Some(comment) => Some(comment.value),
        None => property("ATTENDEE")
            .and_then(|attendee| parameter(attendee.parameters, "X-RESPONSE-COMMENT")),
    };
    Some(ParsedReply {
        entry: property("UID").map(|uid| uid.value.trim().to_owned()),
        comment: unescaped(comment.unwrap_or_default()).trim().to_owned(),
    })
}

/// The lines of an object; a line that begins with a blank continues the one before it (RFC 5545 3.1).
fn unfolded(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        match (line.strip_prefix([' ', '\t']), lines.last_mut()) {
            (Some(rest), Some(last)) => last.push_str(rest),
            _ => lines.push(line.to_owned()),
        }
    }
    lines
}

/// A line `NAME;PARAMETERS:VALUE`.
struct Property<'l> {
    parameters: &'l str,
    value: &'l str,
}

impl<'l> Property<'l> {
    /// Reads a line if it is of this name. A colon within quotation marks does not end the parameters.
    fn read(line: &'l str, name: &str) -> Option<Self> {
        let head = line.get(..name.len())?;
        let rest = line.get(name.len()..)?;
        if !head.eq_ignore_ascii_case(name) || !rest.starts_with([';', ':']) {
            return None;
        }
        let colon = outside_quotes(rest, ':').next()?;
        Some(Property {
            parameters: rest.get(..colon)?,
            value: rest.get(colon + 1..)?,
        })
    }
}

/// The value of a parameter.
fn parameter<'l>(parameters: &'l str, name: &str) -> Option<&'l str> {
    let mut ends = outside_quotes(parameters, ';').chain([parameters.len()]);
    let mut from = ends.next()?;
    for to in ends {
        let one = parameters.get(from + 1..to)?;
        if let Some((found, value)) = one.split_once('=')
            && found.eq_ignore_ascii_case(name)
        {
            return Some(value.trim_matches('"'));
        }
        from = to;
    }
    None
}

/// The positions of a character outside quotation marks.
fn outside_quotes(text: &str, sign: char) -> impl Iterator<Item = usize> {
    let mut quoted = false;
    text.char_indices()
        .filter(move |(_, letter)| {
            quoted ^= *letter == '"';
            !quoted && *letter == sign
        })
        .map(|(at, _)| at)
}

/// Unescapes a value of the type TEXT (RFC 5545 3.3.11), and line breaks in parameters (RFC 6868).
fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        let escaped = matches!(letter, '\\' | '^');
        match letters.clone().next() {
            Some('n' | 'N') if escaped => {
                letters.next();
                plain.push('\n');
            }
            Some(next @ ('\\' | ';' | ',' | '^')) if escaped => {
                letters.next();
                plain.push(next);
            }
            _ => plain.push(letter),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inbound::fields::Fields;
    use crate::inbound::limits::Limits;

    fn read_as(kind: &str, object: &str) -> Option<(Option<String>, String)> {
        let text = format!("Content-Type: {kind}\n\n{object}");
        let (fields, body) = Fields::split(text.as_bytes());
        let root = Part::read(&fields, body, &Limits::default()).unwrap();
        answer(&root).map(|answer| (answer.entry, answer.comment))
    }

    #[test]
    fn answers_are_known_by_the_part_or_the_object() {
        let reply = "BEGIN:VCALENDAR\r\nMETHOD:REPLY\r\nUID:c0@x\r\nEND:VCALENDAR\r\n";
        let known = Some((Some("c0@x".to_owned()), String::new()));
        assert_eq!(read_as("text/calendar; method=REPLY", "UID:c0@x\n"), known);
        assert_eq!(read_as("text/calendar", reply), known);
        assert_eq!(read_as("application/ics", reply), known);
        assert_eq!(
            read_as("text/calendar; method=reply", ""),
            Some((None, String::new()))
        );
        let request = reply.replace("REPLY", "REQUEST");
        assert_eq!(read_as("text/calendar", &request), None);
        assert_eq!(read_as("text/calendar; method=REQUEST", reply), None);
        assert_eq!(read_as("text/plain", reply), None);
    }

    #[test]
    fn a_comment_is_read_wherever_programs_put_it() {
        let comment = |lines: &str| {
            let object = format!("BEGIN:VCALENDAR\r\nMETHOD:REPLY\r\n{lines}\r\nEND:VCALENDAR");
            read_as("text/calendar", &object).unwrap().1
        };
        assert_eq!(
            comment("COMMENT;LANGUAGE=en:A Par-Bur\\nF Bre-\r\n Mao\\, please"),
            "A Par-Bur\nF Bre-Mao, please"
        );
        assert_eq!(comment("COMMENT:\r\nCOMMENT:A Par H"), "A Par H");
        assert_eq!(
            comment(
                "ATTENDEE;CN=\"Example: Anna; x\";X-RESPONSE-COMMENT=\"A Par-Bur^nF Bre H\":mailto:a@x"
            ),
            "A Par-Bur\nF Bre H"
        );
        assert_eq!(comment("COMMENTS:A Par H"), "");
        assert_eq!(comment("COMMENT:back\\\\slash ^ \\"), "back\\slash ^ \\");
    }
}
