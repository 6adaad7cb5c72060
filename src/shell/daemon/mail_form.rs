//! A mail without its picture, or with its plain text alone, for a server that refuses the mail for its size or content.
//! The plain text of our mails says everything; a page without its picture shows the alternative text.

use std::borrow::Cow;

use dipjudge_store::MailForm;

/// The mail in the form in which it is to be sent.
pub(super) fn in_form(mail: &[u8], form: MailForm) -> Cow<'_, [u8]> {
    let less = match form {
        MailForm::Whole => None,
        MailForm::WithoutPicture => without_pictures(mail),
        MailForm::TextAlone => text_alone(mail),
    };
    less.map_or(Cow::Borrowed(mail), Cow::Owned)
}

/// The next smaller form of a mail, if it has one.
pub(super) fn smaller(mail: &[u8], form: MailForm) -> Option<MailForm> {
    if form == MailForm::Whole && without_pictures(mail).is_some() {
        return Some(MailForm::WithoutPicture);
    }
    if form != MailForm::TextAlone && text_alone(mail).is_some() {
        return Some(MailForm::TextAlone);
    }
    None
}

/// The bytes that the picture of a mail takes; `None` if it has none.
pub(super) fn picture_bytes(mail: &[u8]) -> Option<u64> {
    let without = without_pictures(mail)?;
    u64::try_from(mail.len().saturating_sub(without.len())).ok()
}

/// The mail with its plain text alone; `None` if it has no parts.
fn text_alone(mail: &[u8]) -> Option<Vec<u8>> {
    let (header, _) = split(mail)?;
    let fields = fields(header);
    let marks = marks(mail, &token(&fields)?);
    let (begin, end) = marks
        .iter()
        .zip(marks.iter().skip(1))
        .find(|(begin, _)| is_of_kind(mail, **begin, "text/plain"))?;
    // The part begins after the line of its delimiter.
    let line = find(mail, b"\r\n", begin + 2)? + 2;
    let part = mail.get(line..*end)?;
    let mut text: Vec<u8> = Vec::with_capacity(mail.len());
    let of_the_body = |field: &&Vec<u8>| {
        let names = ["content-type", "content-transfer-encoding"];
        names.iter().any(|name| is_named(field, name))
    };
    for field in fields.iter().filter(|field| !of_the_body(field)) {
        text.extend_from_slice(field);
    }
    text.extend_from_slice(part);
    Some(text)
}

/// The random letters at the end of all boundaries of a mail.
fn token(fields: &[Vec<u8>]) -> Option<String> {
    let kind = fields
        .iter()
        .find(|field| is_named(field, "content-type"))?;
    let boundary = boundary(kind)?;
    let token = boundary.get(1..).filter(|token| token.len() >= 16)?;
    Some(token.to_owned())
}

/// The mail without its image; `None` if it has none.
///
/// All boundaries of a mail end with the same random letters, which no author of its text knew, so a text that looks like a
/// delimiter is not taken for one.
fn without_pictures(mail: &[u8]) -> Option<Vec<u8>> {
    let (header, _) = split(mail)?;
    let marks = marks(mail, &token(&fields(header))?);
    let (begin, end) = marks
        .iter()
        .zip(marks.iter().skip(1))
        .find(|(begin, _)| is_of_kind(mail, **begin, "image/"))?;
    Some([mail.get(..*begin)?, mail.get(*end..)?].concat())
}

/// The offset of each delimiter, including the line end before it.
fn marks(mail: &[u8], token: &str) -> Vec<usize> {
    let mut marks = Vec::new();
    let mut from = 0;
    while let Some(at) = find(mail, b"\r\n--", from) {
        let name = mail.get(at + 5..).unwrap_or_default();
        if name.starts_with(token.as_bytes()) {
            marks.push(at);
        }
        from = at + 2;
    }
    marks
}

/// Whether this delimiter starts a part of this kind; the last delimiter starts none.
fn is_of_kind(mail: &[u8], mark: usize, kind: &str) -> bool {
    let part = mail.get(mark + 2..).unwrap_or_default();
    let line = part.split(|byte| *byte == b'\r').next();
    if line.is_some_and(|line| line.ends_with(b"--")) {
        return false;
    }
    let fields = split(part).map(|(header, _)| fields(header));
    fields.unwrap_or_default().iter().any(|field| {
        is_named(field, "content-type")
            && String::from_utf8_lossy(field)
                .to_ascii_lowercase()
                .contains(kind)
    })
}

/// Splits a message or part into header and body.
fn split(mail: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = find(mail, b"\r\n\r\n", 0)?;
    Some((mail.get(..end + 2)?, mail.get(end + 4..)?))
}

/// The fields of a header, each with its continuation lines and its line end.
fn fields(header: &[u8]) -> Vec<Vec<u8>> {
    let mut fields: Vec<Vec<u8>> = Vec::new();
    for line in header.split_inclusive(|byte| *byte == b'\n') {
        match fields.last_mut() {
            Some(field) if line.starts_with(b" ") || line.starts_with(b"\t") => {
                field.extend_from_slice(line)
            }
            _ => fields.push(line.to_vec()),
        }
    }
    fields
}

fn starts_with(field: &[u8], start: &str) -> bool {
    field
        .get(..start.len())
        .is_some_and(|head| head.eq_ignore_ascii_case(start.as_bytes()))
}

fn is_named(field: &[u8], name: &str) -> bool {
    starts_with(field, &format!("{name}:"))
}

/// The boundary in a multipart `Content-Type`.
fn boundary(field: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(field);
    let (_, value) = text.split_once(':')?;
    if !value
        .trim_start()
        .to_ascii_lowercase()
        .starts_with("multipart/")
    {
        return None;
    }
    let at = text.to_ascii_lowercase().find("boundary=")? + "boundary=".len();
    let value = text.get(at..)?;
    let value = match value.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next()?,
        None => value.split([';', ' ', '\r', '\n', '\t']).next()?,
    };
    (!value.is_empty()).then(|| value.to_owned())
}

fn find(text: &[u8], what: &[u8], from: usize) -> Option<usize> {
    text.get(from..)?
        .windows(what.len())
        .position(|window| window == what)
        .map(|at| at + from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dipjudge_mails::outbound::{CalendarPart, Image, Parts, Picture, Stamp, Text, letter};
    use mail_parser::MimeHeaders;

    fn stamp() -> Stamp {
        Stamp {
            judge_name: "USXX".into(),
            judge_address: "judge@example.org".into(),
            to: "anna@example.org".into(),
            to_name: None,
            reply_to: None,
            message_id: "<x@example.org>".into(),
            in_reply_to: None,
            references: Vec::new(),
            date: jiff::Timestamp::UNIX_EPOCH,
            list_id: None,
            answer: false,
        }
    }

    fn read(mail: &[u8]) -> (Option<String>, Vec<String>) {
        let message = mail_parser::MessageParser::new().parse(mail).unwrap();
        let kinds = message.parts.iter().map(|part| {
            let kind = part.content_type().unwrap();
            format!("{}/{}", kind.ctype(), kind.subtype().unwrap())
        });
        (message.message_id().map(str::to_owned), kinds.collect())
    }

    #[test]
    fn without_its_map_a_report_is_the_same_mail() {
        let text = Text::new(
            "Results",
            "France: Army Paris -> Gascony.  (*bounce*)\r\n--r0\r\nContent-Type: image/png\n",
        );
        let picture = Picture {
            image: Image::png(vec![7; 5000]),
            width: 9,
            height: 7,
            alt: "Map".into(),
        };
        let calendar = CalendarPart {
            method: "REQUEST",
            object: "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n".into(),
        };
        for (html, calendar) in [
            (false, None),
            (true, None),
            (false, Some(calendar.clone())),
            (true, Some(calendar)),
        ] {
            let written = |picture: Option<Picture>| {
                let parts = Parts {
                    html,
                    picture,
                    calendar: calendar.clone(),
                };
                let letter = letter(&text, &parts, &stamp(), "0123456789abcdef").unwrap();
                letter.bytes().into_owned()
            };
            let reduced = without_pictures(&written(Some(picture.clone()))).unwrap();
            assert!(reduced.len() < 6000);
            let (id, kinds) = read(&reduced);
            let mut bare = read(&written(None)).1;
            let kept: Vec<String> = kinds
                .into_iter()
                .filter(|kind| *kind != "multipart/related" && *kind != "multipart/mixed")
                .collect();
            bare.retain(|kind| kind != "multipart/mixed");
            assert_eq!(kept, bare);
            assert_eq!(id.as_deref(), Some("x@example.org"));
            assert_eq!(without_pictures(&reduced), None);
            assert_eq!(without_pictures(&written(None)), None);
            let whole = written(Some(picture.clone()));
            let alone = text_alone(&whole).unwrap();
            let (id, kinds) = read(&alone);
            assert_eq!(id.as_deref(), Some("x@example.org"));
            assert_eq!(kinds, ["text/plain"]);
            let words = |mail: &[u8]| {
                let message = mail_parser::MessageParser::new().parse(mail).unwrap();
                let text = message.body_text(0).unwrap().trim_end().to_owned();
                (text, message.subject().map(str::to_owned))
            };
            assert_eq!(words(&alone), words(&whole));
            assert!(words(&alone).0.contains("Content-Type: image/png"));
            assert_eq!(text_alone(&alone), None);
            assert_eq!(
                smaller(&whole, MailForm::Whole),
                Some(MailForm::WithoutPicture)
            );
            assert_eq!(
                smaller(&whole, MailForm::WithoutPicture),
                Some(MailForm::TextAlone)
            );
            assert_eq!(smaller(&whole, MailForm::TextAlone), None);
            assert_eq!(in_form(&whole, MailForm::TextAlone), alone);
        }
    }

    #[test]
    fn what_is_no_such_mail_is_left_alone() {
        for mail in [
            "",
            "A: b\r\n\r\nx",
            "Content-Type: multipart/mixed; boundary=x\r\n\r\n--y\r\n",
            "Content-Type: multipart/mixed; boundary=\r\n\r\n--\r\n",
        ] {
            assert_eq!(without_pictures(mail.as_bytes()), None, "{mail}");
        }
    }
}
