//! Builds the bytes of a message from a text and the facts of its sending (`visibility.md` 5, `dependencies.md` 3, 11).
//!
//! The result depends on the text and the stamp only: charset and transfer encoding are fixed, no clock is read, no id is
//! drawn, there is one recipient and nothing names another.

use std::time::{Duration, UNIX_EPOCH};

use jiff::Timestamp;
use lettre::message::header::{ContentType, HeaderName, HeaderValue, MIME_VERSION_1_0};
use lettre::message::{Mailbox, Message, MessageBuilder};

use super::Text;
use super::attachments::{self, Letter, Parts, quoted_printable};
use super::letter_error::LetterError;
use crate::inbound::clean_header_text;

/// Characters of a whole subject: the judge's prefix and what a sender wrote.
const MAX_SUBJECT: usize = 160;
/// The most message ids in `References`.
const MAX_REFERENCES: usize = 20;

/// The facts of one sending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// The judge's code, for the sender's name: `USXX judge`.
    pub judge_name: String,
    /// The judge's address.
    pub judge_address: String,
    /// The one recipient.
    pub to: String,
    /// The recipient's name, if it is to be shown.
    pub to_name: Option<String>,
    /// Where answers go: `judge+TOKEN@…`.
    pub reply_to: Option<String>,
    /// The id of this mail, with or without angle brackets: random, and the same when the mail is sent again.
    pub message_id: String,
    /// The id of the mail answered. It must be one that this reader sent or got.
    pub in_reply_to: Option<String>,
    /// Earlier ids of the thread, the oldest first; the newest 20 are used.
    pub references: Vec<String>,
    /// The date that the reader may see (`visibility.md` 5), not the time of writing.
    pub date: Timestamp,
    /// `kaiser.judge.example.org`, without angle brackets.
    pub list_id: Option<String>,
    /// Whether this answers a mail (`auto-replied`) or not (`auto-generated`).
    pub answer: bool,
}

impl Stamp {
    /// The stamp of a mail that belongs to no game and answers none.
    pub fn plain(
        judge_name: &str,
        judge_address: &str,
        to: &str,
        message_id: String,
        date: Timestamp,
    ) -> Stamp {
        Stamp {
            judge_name: judge_name.to_owned(),
            judge_address: judge_address.to_owned(),
            to: to.to_owned(),
            to_name: None,
            reply_to: None,
            message_id,
            in_reply_to: None,
            references: Vec::new(),
            date,
            list_id: None,
            answer: false,
        }
    }
}

/// The message as it is sent and stored. `token`, 128 random bits as letters and digits, names its parts; it is ignored for a
/// mail that is text only.
pub fn letter(
    text: &Text,
    parts: &Parts,
    stamp: &Stamp,
    token: &str,
) -> Result<Letter, LetterError> {
    let head = head(text, stamp)?.header(MIME_VERSION_1_0);
    if parts.is_empty() {
        let message = head
            .header(ContentType::TEXT_PLAIN)
            .body(quoted_printable(&text.body()))
            .map_err(|source| LetterError::Build { source })?;
        return Ok(Letter::from(message.formatted()));
    }
    let sound = (16..=64).contains(&token.len());
    if !sound || !token.chars().all(|c| c.is_ascii_alphanumeric()) {
        return Err(LetterError::Token);
    }
    let host = stamp
        .judge_address
        .rsplit_once('@')
        .map_or("judge", |(_, host)| host);
    let message = head
        .multipart(attachments::body(text, parts, token, host)?)
        .map_err(|source| LetterError::Build { source })?;
    let built = message.formatted();
    Ok(attachments::with_picture(
        built,
        parts.picture.as_ref(),
        token,
    ))
}

/// All header fields except those that describe the body.
fn head(text: &Text, stamp: &Stamp) -> Result<MessageBuilder, LetterError> {
    let judge = mailbox(
        Some(&format!("{} judge", stamp.judge_name)),
        &stamp.judge_address,
    )?;
    let reader = mailbox(stamp.to_name.as_deref(), &stamp.to)?;
    // An earlier date than 1970 cannot be written, and without one the library would read its own clock.
    let seconds = u64::try_from(stamp.date.as_second()).unwrap_or(0);
    let mut message = Message::builder()
        .from(judge)
        .to(reader)
        .subject(one_line(&text.subject))
        .date(UNIX_EPOCH + Duration::from_secs(seconds))
        .message_id(Some(bracketed(&stamp.message_id)?));
    if let Some(address) = &stamp.reply_to {
        message = message.reply_to(mailbox(None, address)?);
    }
    if let Some(id) = &stamp.in_reply_to {
        message = message.in_reply_to(bracketed(id)?);
    }
    if !stamp.references.is_empty() {
        let from = stamp.references.len().saturating_sub(MAX_REFERENCES);
        let ids: Result<Vec<String>, _> = stamp
            .references
            .iter()
            .skip(from)
            .map(|id| bracketed(id))
            .collect();
        message = message.references(ids?.join(" "));
    }
    let submitted = if stamp.answer {
        "auto-replied"
    } else {
        "auto-generated"
    };
    message = message
        .raw_header(raw("Auto-Submitted", submitted))
        .raw_header(raw("Precedence", "bulk"))
        .raw_header(raw("X-Auto-Response-Suppress", "All"))
        .raw_header(raw("X-Loop", &one_line(&stamp.judge_address)));
    if let Some(list) = &stamp.list_id {
        let list: String = list
            .chars()
            .filter(|c| c.is_ascii_graphic() && !matches!(c, '<' | '>'))
            .collect();
        // Some mail programs send the mail of List-Unsubscribe by themselves. It only asks how one leaves a game, which changes
        // nothing, and needs no token.
        message = message
            .raw_header(raw("List-Id", &format!("<{list}>")))
            .raw_header(raw("List-Help", &asking(&stamp.judge_address, "HELP")))
            .raw_header(raw(
                "List-Unsubscribe",
                &asking(&stamp.judge_address, "HELP RESIGN"),
            ));
    }
    Ok(message)
}

/// The link of a mail to the judge with one line.
fn asking(judge_address: &str, line: &str) -> String {
    let line = line.replace(' ', "%20");
    let address = one_line(judge_address);
    format!("<mailto:{address}?subject={line}&body={line}>")
}

/// A subject on one line. Players' words in it were cleaned before they were put there.
fn one_line(text: &str) -> String {
    let spaced: String = text
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    let line = spaced.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars()
        .take(MAX_SUBJECT)
        .collect::<String>()
        .trim_end()
        .to_owned()
}

fn mailbox(name: Option<&str>, address: &str) -> Result<Mailbox, LetterError> {
    let parsed = address
        .parse::<lettre::Address>()
        .map_err(|source| LetterError::Address {
            address: address.to_owned(),
            source,
        })?;
    let name = name.map(clean_header_text).filter(|name| !name.is_empty());
    Ok(Mailbox::new(name, parsed))
}

fn bracketed(id: &str) -> Result<String, LetterError> {
    let bare = id.trim().trim_start_matches('<').trim_end_matches('>');
    let sound = !bare.is_empty()
        && bare.len() <= 250
        && bare
            .chars()
            .all(|c| c.is_ascii_graphic() && !matches!(c, '<' | '>' | '"' | '(' | ')' | '\\'));
    if !sound {
        return Err(LetterError::MessageId { id: id.to_owned() });
    }
    Ok(format!("<{bare}>"))
}

fn raw(name: &'static str, value: &str) -> HeaderValue {
    HeaderValue::new(HeaderName::new_from_ascii_str(name), value.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use mail_parser::MessageParser;
    use proptest::prelude::*;

    fn stamp() -> Stamp {
        Stamp {
            judge_name: "USXX".into(),
            judge_address: "judge@example.org".into(),
            to: "anna@ex.org".into(),
            to_name: Some("Anna Example".into()),
            reply_to: Some("judge+c0ffee@example.org".into()),
            message_id: "0123456789abcdef0123456789abcdef@example.org".into(),
            in_reply_to: Some("<his@ex.org>".into()),
            references: (0..30).map(|n| format!("ref{n}@ex.org")).collect(),
            date: "2026-12-01T22:06:00Z".parse().unwrap(),
            list_id: Some("kaiser.example.org".into()),
            answer: true,
        }
    }

    /// A letter of text alone, whose parts need no names.
    fn plain(text: &Text, stamp: &Stamp) -> Result<Vec<u8>, LetterError> {
        letter(text, &Parts::default(), stamp, "").map(|letter| letter.own)
    }

    fn written(body: &str) -> Vec<u8> {
        let text = Text::new("Re: USXX:kaiser - S1901M orders", body);
        plain(&text, &stamp()).unwrap()
    }

    #[test]
    fn a_letter_reads_back_as_it_was_written() {
        let body = ":: Judge: USXX  Game: Kaiser  Variant: Standard\n:: Deadline: S1901M not set  \n\nÖsterreich → \t.\n.\nFrom me\n";
        let bytes = written(body);
        let mail = MessageParser::default().parse(&bytes).unwrap();
        assert_eq!(mail.body_text(0).unwrap().replace("\r\n", "\n"), body);
        assert_eq!(mail.subject(), Some("Re: USXX:kaiser - S1901M orders"));
        assert_eq!(
            mail.from().unwrap().first().unwrap().name(),
            Some("USXX judge")
        );
        assert_eq!(mail.to().unwrap().iter().count(), 1);
        assert_eq!(mail.date().unwrap().to_rfc3339(), "2026-12-01T22:06:00Z");
        assert_eq!(
            mail.message_id(),
            Some("0123456789abcdef0123456789abcdef@example.org")
        );
        assert!(mail.cc().is_none() && mail.bcc().is_none());
        let references = mail.references().as_text_list().unwrap().to_vec();
        assert_eq!(references.len(), 20);
        assert_eq!(references.last().unwrap(), "ref29@ex.org");
    }

    #[test]
    fn the_headers_are_those_that_keep_machines_silent() {
        let text = String::from_utf8(written("hello\n")).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        for line in [
            "Auto-Submitted: auto-replied",
            "Precedence: bulk",
            "X-Auto-Response-Suppress: All",
            "X-Loop: judge@example.org",
            "List-Id: <kaiser.example.org>",
            "List-Help: <mailto:judge@example.org?subject=HELP&body=HELP>",
            "List-Unsubscribe: <mailto:judge@example.org?subject=HELP%20RESIGN&body=HELP%20RESIGN>",
            "MIME-Version: 1.0",
            "Content-Type: text/plain; charset=utf-8",
            "Content-Transfer-Encoding: quoted-printable",
            "In-Reply-To: <his@ex.org>",
            "Reply-To: judge+c0ffee@example.org",
        ] {
            assert!(head.lines().any(|l| l == line), "{line}\n{head}");
        }
        assert!(!head.contains("User-Agent") && !head.contains("X-Mailer"));
        assert_eq!(body, "hello\r\n");
        let news = plain(
            &Text::new("x", "y"),
            &Stamp {
                answer: false,
                ..stamp()
            },
        )
        .unwrap();
        assert!(
            String::from_utf8(news)
                .unwrap()
                .contains("Auto-Submitted: auto-generated\r\n")
        );
    }

    #[test]
    fn names_and_subjects_cannot_break_out_of_their_header() {
        let stamp = Stamp {
            to_name: Some("Anna\r\nBcc: all@ex.org\u{202e}".into()),
            ..stamp()
        };
        let bytes = plain(&Text::new("a\r\nCc: all@ex.org\r\n\r\nbody", "x"), &stamp).unwrap();
        let mail = MessageParser::default().parse(&bytes).unwrap();
        assert_eq!(mail.subject(), Some("a Cc: all@ex.org body"));
        assert!(mail.cc().is_none() && mail.bcc().is_none());
        assert_eq!(
            mail.to().unwrap().first().unwrap().address(),
            Some("anna@ex.org")
        );
    }

    #[test]
    fn bad_addresses_and_ids_are_errors() {
        let bad = |stamp: Stamp| plain(&Text::new("s", "b"), &stamp).is_err();
        assert!(bad(Stamp {
            to: "nobody".into(),
            ..stamp()
        }));
        assert!(bad(Stamp {
            to: "a@ex.org, b@ex.org".into(),
            ..stamp()
        }));
        assert!(bad(Stamp {
            to: "a@ex.org\r\nBcc: b@ex.org".into(),
            ..stamp()
        }));
        assert!(bad(Stamp {
            message_id: "a b@ex.org".into(),
            ..stamp()
        }));
        assert!(bad(Stamp {
            in_reply_to: Some("a\r\n@ex.org".into()),
            ..stamp()
        }));
    }

    #[test]
    fn a_date_before_1970_reads_no_clock() {
        let bytes = plain(
            &Text::new("s", "b"),
            &Stamp {
                date: Timestamp::MIN,
                ..stamp()
            },
        )
        .unwrap();
        assert!(
            String::from_utf8(bytes)
                .unwrap()
                .contains("Date: Thu, 01 Jan 1970 00:00:00 +0000")
        );
        assert!(
            plain(
                &Text::new("s", "b"),
                &Stamp {
                    date: Timestamp::MAX,
                    ..stamp()
                }
            )
            .is_ok()
        );
    }

    #[test]
    fn the_same_text_and_stamp_are_the_same_bytes() {
        assert_eq!(written("hello"), written("hello"));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]
        #[test]
        fn no_line_is_too_long_and_every_text_comes_back(body in "[ -~äöü→\n]{0,1500}", subject in "\\PC{0,300}") {
            let text = Text::new(subject, body);
            let bytes = plain(&text, &stamp()).unwrap();
            prop_assert!(bytes.split(|b| *b == b'\n').all(|line| line.len() <= 998));
            prop_assert!(bytes.iter().all(u8::is_ascii));
            let mail = MessageParser::default().parse(&bytes).unwrap();
            prop_assert_eq!(mail.body_text(0).unwrap().replace("\r\n", "\n"), text.body());
        }
    }
}
