//! A mail of the judge as it lies in somebody's mailbox.

use std::sync::OnceLock;

use dipjudge::mails::outbound::{split_at_headline, split_next_step};
use jiff::Timestamp;
use mail_parser::{HeaderValue, MessageParser};
use regex::Regex;

/// A mail as its reader has it.
#[derive(Clone, Debug)]
pub struct Received {
    pub to: Vec<String>,
    pub from: String,
    pub subject: String,
    pub date: Timestamp,
    pub message_id: String,
    pub in_reply_to: Option<String>,
    pub reply_to: Option<String>,
    /// Header fields in order, unfolded.
    pub fields: Vec<(String, String)>,
    /// The text, with LF line ends.
    pub body: String,
    /// Parts beside the text.
    pub attachments: usize,
}

impl Received {
    pub fn read(bytes: &[u8]) -> Received {
        let mail = MessageParser::default()
            .parse(bytes)
            .unwrap_or_else(|| panic!("no message: {}", String::from_utf8_lossy(bytes)));
        let addresses = |value: Option<&mail_parser::Address>| -> Vec<String> {
            value
                .map(|list| {
                    list.iter()
                        .filter_map(|one| one.address())
                        .map(str::to_owned)
                        .collect()
                })
                .unwrap_or_default()
        };
        let id = |value: &HeaderValue| value.as_text().map(|id| format!("<{id}>"));
        let mut fields = Vec::new();
        let head = bytes
            .split(|byte| *byte == b'\n')
            .take_while(|line| !line.is_empty() && *line != b"\r");
        for line in head {
            let line = String::from_utf8_lossy(line).trim_end().to_owned();
            match (line.starts_with([' ', '\t']), fields.last_mut()) {
                (true, Some((_, value))) => {
                    let value: &mut String = value;
                    value.push(' ');
                    value.push_str(line.trim_start());
                }
                _ => {
                    let (name, value) = line.split_once(':').unwrap_or((&line, ""));
                    fields.push((name.to_owned(), value.trim().to_owned()));
                }
            }
        }
        Received {
            to: addresses(mail.to()),
            from: addresses(mail.from()).concat(),
            subject: mail.subject().unwrap_or_default().to_owned(),
            date: Timestamp::from_second(mail.date().map_or(0, |date| date.to_timestamp()))
                .unwrap(),
            message_id: mail
                .message_id()
                .map(|id| format!("<{id}>"))
                .unwrap_or_default(),
            in_reply_to: id(mail.in_reply_to()),
            reply_to: addresses(mail.reply_to()).first().cloned(),
            fields,
            body: mail.body_text(0).unwrap_or_default().replace("\r\n", "\n"),
            attachments: mail.attachments().count(),
        }
    }

    /// A header field, if it is there exactly once.
    pub fn field(&self, name: &str) -> Option<&str> {
        let mut found = self
            .fields
            .iter()
            .filter(|(field, _)| field.eq_ignore_ascii_case(name));
        match (found.next(), found.next()) {
            (Some((_, value)), None) => Some(value),
            _ => None,
        }
    }

    /// Who got it, by name.
    pub fn reader(&self) -> &str {
        self.to
            .first()
            .and_then(|to| to.split('@').next())
            .unwrap_or_default()
    }

    /// Subject and text without dates, times left and tokens: the same in two plays of one script.
    pub fn normalised(&self) -> (String, String) {
        (normalised(&self.subject), normalised(&self.body))
    }
}

/// What all readers of results read alike in an open game: without what changed for the reader, and what he may do next.
pub fn what_all_read(body: &str) -> &str {
    split_at_headline(split_next_step(body).0).1
}

/// Replaces what depends on the time or on chance.
pub fn normalised(text: &str) -> String {
    static PATTERNS: OnceLock<Vec<(Regex, &str)>> = OnceLock::new();
    let patterns = PATTERNS.get_or_init(|| {
        [
            // `Mon Dec 07 2026 23:30:00 +0000`, perhaps broken between two lines
            (r"(Mon|Tue|Wed|Thu|Fri|Sat|Sun)\s+(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\s+\d+\s+\d{4}\s+\d\d:\d\d:\d\d\s+[+-]\d{4}", "<date>"),
            (r"(Mon|Tue|Wed|Thu|Fri|Sat|Sun) (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [ \d]?\d \d\d:\d\d:\d\d \d{4}( \(\d+\))?", "<date>"),
            (r"\b\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?", "<date>"),
            (r"\d+ days?, \d+ hours?, \d+ minutes?,? and \d+ seconds?", "<time>"),
            (r"\(\d+\s+(days?|hours?|minutes?)\s+left\)", "<time>"),
            (r"judge\+[A-Za-z0-9]+@", "judge+<token>@"),
            (r"\b[0-9a-f]{64}\b", "<seed>"),
        ]
        .map(|(pattern, with)| (Regex::new(pattern).unwrap(), with))
        .into()
    });
    let replaced = patterns
        .iter()
        .fold(text.to_owned(), |text, (pattern, with)| {
            pattern.replace_all(&text, *with).into_owned()
        });
    // A date may have been too long for its line in one play and not in the other.
    replaced
        .lines()
        .map(str::trim_end)
        .collect::<Vec<_>>()
        .join("\n")
}
