//! From a transcript's mail to the bytes of a message, and from the judge's bytes to what a reader sees.

use std::fmt::Write as _;

use dipjudge::judge::{Incoming, Outgoing};
use dipjudge::mails::outbound::split_next_step;
use jiff::{Timestamp, tz::TimeZone};
use mail_parser::{MessageParser, MessagePart, MimeHeaders};

use super::script::{Mail, bare};
use super::stage::JUDGE;

/// A mail of the judge as its reader sees it.
#[derive(Clone, Debug)]
pub(crate) struct Letter {
    pub to: String,
    pub subject: String,
    pub body: String,
    /// What its reader may do next: the end of the text, which is not part of `body`.
    pub next: String,
    pub message_id: String,
    pub reply_to: Option<String>,
    /// The whole header.
    pub header: String,
    /// The whole message, as it goes.
    pub whole: String,
    /// What its parts are that are no multiparts.
    pub parts: Vec<String>,
    /// Its picture.
    pub picture: Option<Vec<u8>>,
    /// What stands for its picture where pictures are not shown.
    pub alt: String,
    /// The lines of its entry for a calendar, unfolded.
    pub calendar: Vec<String>,
}

impl Letter {
    pub(crate) fn read(outgoing: &Outgoing) -> Result<Letter, String> {
        let bytes = outgoing.letter.bytes();
        let message = MessageParser::default()
            .parse(&bytes[..])
            .ok_or("a mail that nobody can read")?;
        let text = String::from_utf8_lossy(&bytes);
        let header = text.split("\r\n\r\n").next().unwrap_or_default().to_owned();
        let first = |list: Option<&mail_parser::Address>| {
            list.and_then(|list| list.first())
                .and_then(|one| one.address())
                .map(str::to_owned)
        };
        let to = first(message.to()).ok_or("a mail to nobody")?;
        if to != outgoing.to
            || message.to().map_or(0, |to| to.iter().count()) != 1
            || message.cc().is_some()
        {
            return Err(format!(
                "a mail goes to {} but is addressed to {to}",
                outgoing.to
            ));
        }
        let kind = |part: &MessagePart| {
            let kind = part.content_type()?;
            Some(format!(
                "{}/{}",
                kind.ctype(),
                kind.subtype().unwrap_or_default()
            ))
        };
        let mut parts: Vec<String> = message.parts.iter().filter_map(kind).collect();
        parts.retain(|kind| !kind.starts_with("multipart/"));
        let is_picture = |part: &&MessagePart| kind(part).as_deref() == Some("image/png");
        let picture = message.parts.iter().find(is_picture);
        let picture = picture.map(|part| part.contents().to_vec());
        let html = message.body_html(0).unwrap_or_default();
        let alt = html
            .split_once(" alt=\"")
            .and_then(|(_, behind)| behind.split_once('"'));
        let alt = alt.map_or_else(String::new, |(alt, _)| alt.to_owned());
        let is_calendar = |part: &&MessagePart| kind(part).as_deref() == Some("text/calendar");
        let calendar = message.parts.iter().find(is_calendar);
        let calendar = calendar
            .and_then(|part| part.text_contents())
            .unwrap_or_default();
        let calendar = calendar.replace("\r\n ", "");
        let text_part = message.body_text(0).unwrap_or_default();
        let text_part = text_part.replace("\r\n", "\n");
        let (body, next) = split_next_step(&text_part);
        Ok(Letter {
            next: next.to_owned(),
            parts,
            picture,
            alt,
            calendar: calendar.lines().map(str::to_owned).collect(),
            to,
            subject: message.subject().unwrap_or_default().to_owned(),
            body: bare(body).to_owned(),
            message_id: format!("<{}>", message.message_id().unwrap_or_default()),
            reply_to: first(message.reply_to()),
            header,
            whole: text.into_owned(),
        })
    }
}

/// A message as it comes in: plain text from the address of record, unless the transcript says otherwise.
pub(crate) fn incoming(
    mail: &Mail,
    at: Timestamp,
    number: u32,
    answered: Option<&Letter>,
) -> Result<Incoming, String> {
    let host = mail
        .from
        .rsplit_once('@')
        .map_or("ex.org", |(_, host)| host);
    let date = at
        .to_zoned_datetime(TimeZone::UTC)
        .strftime("%a, %d %b %Y %H:%M:%S +0000")
        .to_string();
    let mut fields = vec![
        ("From".to_owned(), mail.from.clone()),
        ("To".to_owned(), JUDGE.to_owned()),
        ("Date".to_owned(), date),
        (
            "Message-ID".to_owned(),
            format!("<{number}.transcript@{host}>"),
        ),
    ];
    if mail.answering.is_some() {
        let letter = answered.ok_or("there is no mail that could be answered")?;
        set(
            &mut fields,
            "To",
            letter.reply_to.as_deref().unwrap_or(JUDGE),
        );
        set(&mut fields, "In-Reply-To", &letter.message_id);
        set(&mut fields, "References", &letter.message_id);
        set(&mut fields, "Subject", &format!("Re: {}", letter.subject));
    }
    if let Some(subject) = &mail.subject {
        set(&mut fields, "Subject", subject);
    }
    set(&mut fields, "MIME-Version", "1.0");
    set(&mut fields, "Content-Type", "text/plain; charset=utf-8");
    set(&mut fields, "Content-Transfer-Encoding", "8bit");
    for (name, value) in &mail.fields {
        set(&mut fields, name, value);
    }
    let mut message = String::new();
    for (name, value) in &fields {
        write!(message, "{name}: {value}\r\n").map_err(|error| error.to_string())?;
    }
    write!(
        message,
        "\r\n{}\r\n",
        bare(&mail.body).replace('\n', "\r\n")
    )
    .map_err(|error| error.to_string())?;
    let to = fields
        .iter()
        .find(|(name, _)| name == "To")
        .map(|(_, to)| to.clone());
    Ok(Incoming {
        bytes: message.into_bytes(),
        arrived: at,
        envelope_from: Some(mail.from.clone()),
        envelope_to: to,
        oversize: false,
        signed: None,
    })
}

fn set(fields: &mut Vec<(String, String)>, name: &str, value: &str) {
    match fields
        .iter_mut()
        .find(|(known, _)| known.eq_ignore_ascii_case(name))
    {
        Some((_, old)) => *old = value.to_owned(),
        None => fields.push((name.to_owned(), value.to_owned())),
    }
}

/// The passwords in a mail: what stands third in a line that signs on, or behind `Jedi Knights@space`.
pub(crate) fn words(body: &str) -> Vec<String> {
    let verbs = ["signon", "create", "observe", "watch"];
    let word = |line: &str| {
        let line = line.to_lowercase().replacen("sign on", "signon", 1);
        let parts: Vec<&str> = line.split_whitespace().collect();
        verbs.contains(parts.first()?).then_some(())?;
        let seat = parts.iter().position(|part| part.contains('@'));
        let word = parts.get(seat.map_or(2, |seat| seat + 1))?;
        Some((*word).to_owned())
    };
    body.lines().filter_map(word).collect()
}

/// The ids in the header of a message: its own, and those that it refers to.
pub(crate) fn ids(message: &str) -> impl Iterator<Item = String> {
    let header = message.split("\r\n\r\n").next().unwrap_or_default();
    let unfolded = header.replace("\r\n ", " ").replace("\r\n\t", " ");
    let fields: Vec<String> = unfolded
        .lines()
        .filter(|line| {
            ["message-id:", "in-reply-to:", "references:"]
                .iter()
                .any(|name| line.to_lowercase().starts_with(name))
        })
        .flat_map(|line| line.split_whitespace().skip(1))
        .map(str::to_owned)
        .collect();
    fields.into_iter()
}
