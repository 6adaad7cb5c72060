//! The mails of a text, each with its subject.

use std::sync::OnceLock;

use regex::Regex;

use super::{NotKept, not_kept};
use crate::inbound::{self, Envelope, Limits};

/// A mail about a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct KeptMail {
    pub game: String,
    /// As in the subject: `S1901M`.
    pub phase: String,
    /// What stands behind it in the subject: `Results`.
    pub tail: String,
    pub lines: Vec<String>,
}

/// The most bytes of a line that is looked at.
const LONGEST: usize = 2_000;

/// Splits a text into its mails; what belongs to none that is about a game is left out.
pub(super) fn split(text: &[u8], most: usize) -> Result<Vec<KeptMail>, NotKept> {
    let mut mails = Vec::new();
    for message in messages(text) {
        match message {
            Message::Whole(bytes) => mails.extend(whole(bytes)),
            Message::Text(text) => of_text(text, &mut mails),
        }
        if mails.len() > most {
            return not_kept(format!("it has more than {most} mails"));
        }
    }
    Ok(mails)
}

enum Message<'t> {
    /// With its header and its encodings.
    Whole(&'t [u8]),
    /// What a reader sees.
    Text(&'t [u8]),
}

/// A mailbox file has a line `From ` before each message. Any other text is one.
fn messages(text: &[u8]) -> Vec<Message<'_>> {
    if !text.starts_with(b"From ") {
        return vec![Message::Text(text)];
    }
    let mut starts = vec![0];
    let inside = text.windows(7).enumerate();
    starts.extend(inside.filter_map(|(at, bytes)| (bytes == b"\n\nFrom ").then_some(at + 2)));
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let spans = starts.iter().zip(ends);
    spans
        .filter_map(|(start, end)| text.get(*start..end))
        .map(Message::Whole)
        .collect()
}

fn whole(bytes: &[u8]) -> Option<KeptMail> {
    let limits = Limits::default();
    let read = inbound::read_delivered(bytes, &Envelope::default(), &limits).ok()?;
    let mut mail = begin(&read.subject)?;
    let lines = read.lines.into_iter().map(|line| line.text);
    mail.lines
        .extend(lines.filter(|line| line.len() <= LONGEST));
    Some(mail)
}

fn of_text(text: &[u8], mails: &mut Vec<KeptMail>) {
    let text = String::from_utf8_lossy(text);
    for line in text.lines() {
        let line = line.trim_end();
        if line.len() > LONGEST {
            continue;
        }
        if let Some(mail) = line.strip_prefix("Subject:").and_then(begin) {
            mails.push(mail);
        } else if let Some(mail) = mails.last_mut() {
            mail.lines.push(line.to_owned());
        }
    }
}

/// A mail without its lines, by its subject.
fn begin(subject: &str) -> Option<KeptMail> {
    static PATTERN: OnceLock<Option<Regex>> = OnceLock::new();
    let pattern = PATTERN.get_or_init(|| {
        Regex::new(r"^\s*(?:\[[^\]]*\] *)?[A-Za-z]+:([A-Za-z][A-Za-z0-9]{0,30})\s-\s([A-Z]\d{4}[A-Z])[XP]* +(\S.*)$").ok()
    });
    let found = pattern.as_ref()?.captures(subject)?;
    let part = |at: usize| found.get(at).map_or("", |part| part.as_str()).trim();
    Some(KeptMail {
        game: part(1).to_owned(),
        phase: part(2).to_owned(),
        tail: part(3).to_owned(),
        lines: Vec::new(),
    })
}
