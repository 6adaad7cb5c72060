//! A script's mails as real messages: the forms in which mail programs send the same text.

use jiff::fmt::rfc2822;
use jiff::tz::TimeZone;

use super::script::{Mail, Person, Shape};
use dipjudge_view::markup::escaped;

/// The mail that a mail answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnsweredMail {
    /// The address for answers.
    pub reply_to: String,
    /// Its `Message-ID`, with the angle brackets.
    pub message_id: String,
    /// Its subject.
    pub subject: String,
}

/// The message, with CRLF line ends.
///
/// `game` makes the `Message-ID` unique among the games of one judge; `answered` is used only if the mail is an answer.
pub fn message(
    mail: &Mail,
    game: &str,
    writer: &Person,
    judge: &str,
    answered: Option<&AnsweredMail>,
) -> Vec<u8> {
    let date = rfc2822::to_string(&mail.at.to_zoned_datetime(TimeZone::UTC)).unwrap_or_default();
    let domain = writer
        .address
        .rsplit_once('@')
        .map_or("localhost", |(_, domain)| domain);
    let answered = if mail.answering { answered } else { None };
    let mut head = vec![
        format!("From: {} <{}>", phrase(&writer.full_name), writer.address),
        format!(
            "To: {}",
            answered.map_or(judge, |answered| &answered.reply_to)
        ),
        format!("Date: {date}"),
        format!("Message-ID: <{game}-{}@{domain}>", mail.number),
    ];
    match answered {
        Some(answered) => {
            head.push(format!("Subject: Re: {}", answered.subject));
            head.push(format!("In-Reply-To: {}", answered.message_id));
            head.push(format!("References: {}", answered.message_id));
        }
        None => head.push(format!("Subject: {}", mail.subject)),
    }
    head.push("MIME-Version: 1.0".to_owned());
    let mut bytes = Vec::new();
    for line in head {
        bytes.extend_from_slice(line.as_bytes());
        bytes.extend_from_slice(b"\r\n");
    }
    let boundary = format!("=_{game}_{}", mail.number);
    bytes.extend_from_slice(&content(mail.shape, &mail.text, &boundary));
    bytes
}

/// The header fields that describe the content, an empty line, and the content.
fn content(shape: Shape, text: &str, boundary: &str) -> Vec<u8> {
    let part = |kind: &str, encoding: &str, body: String| {
        format!("Content-Type: {kind}\r\nContent-Transfer-Encoding: {encoding}\r\n\r\n{body}")
            .into_bytes()
    };
    match shape {
        Shape::Plain => part("text/plain; charset=utf-8", "8bit", crlf(text)),
        Shape::Flowed => part(
            "text/plain; charset=utf-8; format=flowed",
            "8bit",
            crlf(text),
        ),
        Shape::QuotedPrintable => part(
            "text/plain; charset=utf-8",
            "quoted-printable",
            quoted_printable(text),
        ),
        Shape::Windows1252 => {
            let mut bytes = part("text/plain; charset=windows-1252", "8bit", String::new());
            bytes.extend(crlf(text).chars().map(windows_1252));
            bytes
        }
        Shape::Html => part(
            "text/html; charset=utf-8",
            "quoted-printable",
            quoted_printable(&html(text)),
        ),
        Shape::Alternative | Shape::AlternativeBase64 => {
            let (encoding, encode): (&str, fn(&str) -> String) = if shape == Shape::Alternative {
                ("quoted-printable", quoted_printable)
            } else {
                ("base64", |text| base64(crlf(text).as_bytes()))
            };
            let mut bytes =
                format!("Content-Type: multipart/alternative; boundary=\"{boundary}\"\r\n\r\n")
                    .into_bytes();
            for (kind, body) in [
                ("text/plain; charset=\"UTF-8\"", encode(text)),
                ("text/html; charset=\"UTF-8\"", encode(&html(text))),
            ] {
                bytes.extend_from_slice(format!("--{boundary}\r\n").as_bytes());
                bytes.extend_from_slice(&part(kind, encoding, body));
                bytes.extend_from_slice(b"\r\n");
            }
            bytes.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
            bytes
        }
    }
}

fn crlf(text: &str) -> String {
    text.replace('\n', "\r\n")
}

/// A name for a `From`: as it is, or an encoded word where it has more than ASCII.
fn phrase(name: &str) -> String {
    if name.is_ascii() {
        name.to_owned()
    } else {
        format!("=?utf-8?B?{}?=", base64(name.as_bytes()).trim_end())
    }
}

fn html(text: &str) -> String {
    let lines: Vec<String> = escaped(text)
        .lines()
        .map(|line| {
            if line.is_empty() {
                "<div><br></div>".to_owned()
            } else {
                format!("<div>{line}</div>")
            }
        })
        .collect();
    format!(
        "<html><body dir=\"ltr\">{}</body></html>\n",
        lines.join("\n")
    )
}

/// RFC 2045, 6.7: lines of at most 76 characters.
fn quoted_printable(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let mut width = 0;
        let bytes = line.as_bytes();
        for (at, &byte) in bytes.iter().enumerate() {
            let last = at + 1 == bytes.len();
            let plain = matches!(byte, b'!'..=b'<' | b'>'..=b'~')
                || (matches!(byte, b' ' | b'\t') && !last);
            let encoded = if plain {
                char::from(byte).to_string()
            } else {
                format!("={byte:02X}")
            };
            if width + encoded.len() > 75 {
                out.push_str("=\r\n");
                width = 0;
            }
            width += encoded.len();
            out.push_str(&encoded);
        }
        out.push_str("\r\n");
    }
    out
}

/// RFC 2045, 6.8: lines of 76 characters.
fn base64(bytes: &[u8]) -> String {
    const SIGNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for (row, line) in bytes.chunks(57).enumerate() {
        if row > 0 {
            out.push_str("\r\n");
        }
        for group in line.chunks(3) {
            let value = group
                .iter()
                .fold(0u32, |value, byte| (value << 8) | u32::from(*byte))
                << (8 * (3 - group.len()));
            for place in 0..4 {
                let sign = (value >> (18 - 6 * place)) & 0x3f;
                out.push(if place > group.len() {
                    '='
                } else {
                    char::from(SIGNS[sign as usize])
                });
            }
        }
    }
    out.push_str("\r\n");
    out
}

/// A character as a byte of Windows-1252; a question mark if it has none.
fn windows_1252(sign: char) -> u8 {
    match sign {
        '€' => 0x80,
        '‘' => 0x91,
        '’' => 0x92,
        '“' => 0x93,
        '”' => 0x94,
        '–' => 0x96,
        '—' => 0x97,
        _ => u8::try_from(u32::from(sign)).unwrap_or(b'?'),
    }
}

#[cfg(test)]
mod tests {
    use mail_parser::MessageParser;

    use super::super::script::{Script, ScriptContext};
    use super::*;

    #[test]
    fn every_shape_carries_the_same_text() {
        let text = "A Bud → Rum – now\n\n-- \nZoë = “Z”\n".repeat(4);
        for shape in [
            "plain",
            "flowed",
            "quoted-printable",
            "windows-1252",
            "alternative",
            "alternative in base64",
        ] {
            let source = format!(
                "== people\nzoe  Zoë Q  a spare\n== 2026-11-30 09:00, zoe writes, {shape}\nSubject: hello\n\n{text}"
            );
            let stage = ScriptContext {
                judge: "judge@ex.org".to_owned(),
                domain: "ex.org".to_owned(),
                weeks: 0,
            };
            let script = Script::read(&source, &stage).unwrap();
            let mail = script.mails().next().unwrap();
            let bytes = message(mail, "g", &script.people[0], &stage.judge, None);
            let parsed = MessageParser::default().parse(&bytes).unwrap();
            assert_eq!(
                parsed
                    .from()
                    .and_then(|from| from.first())
                    .and_then(|from| from.name()),
                Some("Zoë Q")
            );
            let body = parsed.body_text(0).unwrap().replace("\r\n", "\n");
            let expected = if shape == "windows-1252" {
                text.replace('→', "?")
            } else {
                text.clone()
            };
            assert_eq!(body.trim_end(), expected.trim_end(), "{shape}");
            assert!(
                bytes
                    .split(|b| *b == b'\n')
                    .all(|line| line.len() <= 998 && line.last().is_none_or(|b| *b == b'\r'))
            );
        }
    }

    #[test]
    fn html_keeps_lines_apart_and_escapes() {
        assert_eq!(
            html("a<b\n\nc\n"),
            "<html><body dir=\"ltr\"><div>a&lt;b</div>\n<div><br></div>\n<div>c</div></body></html>\n"
        );
    }
}
