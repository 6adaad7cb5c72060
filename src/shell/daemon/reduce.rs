//! A mail without its picture, for a server that finds it too large. Our own mails tell everything in their text, which is the
//! first part of a mail that has several.

/// The same mail with nothing but its first part; `None` if it has only one.
pub(super) fn without_pictures(mail: &[u8]) -> Option<Vec<u8>> {
    let (header, body) = split(mail)?;
    let fields = fields(header);
    let kind = fields
        .iter()
        .find(|field| is_named(field, "content-type"))?;
    let mark = format!("--{}", boundary(kind)?);
    let first = find(body, mark.as_bytes(), 0)?;
    let begin = find(body, b"\n", first)? + 1;
    let end = find(
        body,
        format!("\n{mark}").as_bytes(),
        begin.saturating_sub(1),
    )?;
    let part = body.get(begin..end)?;
    let part = part.strip_suffix(b"\r").unwrap_or(part);
    let mut reduced: Vec<u8> = fields
        .iter()
        .filter(|field| !starts_with(field, "content-"))
        .flat_map(|field| field.iter().copied())
        .collect();
    reduced.extend_from_slice(part);
    if !reduced.ends_with(b"\n") {
        reduced.extend_from_slice(b"\r\n");
    }
    Some(reduced)
}

/// Header, and body after the empty line.
fn split(mail: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = find(mail, b"\r\n\r\n", 0)?;
    Some((mail.get(..end + 2)?, mail.get(end + 4..)?))
}

/// The fields of a header, each with the lines that continue it and its line end.
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

/// The boundary that a `Content-Type` of several parts names.
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
    use crate::mails::outbound::{Picture, Stamp, Text, letter, letter_with_map};

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

    #[test]
    fn without_its_map_a_report_is_the_same_mail() {
        let text = Text::new(
            "Results",
            "France: Army Paris -> Gascony.  (*bounce*)\nRégions = 3\n",
        );
        let picture = Picture {
            png: vec![7; 5000],
            width: 9,
            height: 7,
            shows: "Map".into(),
            token: "0a1b".into(),
        };
        let whole = letter_with_map(&text, &stamp(), &picture).unwrap();
        let reduced = without_pictures(&whole).unwrap();
        assert!(reduced.len() < 1500);
        let read = |mail: &[u8]| {
            let message = mail_parser::MessageParser::new().parse(mail).unwrap();
            (
                message.message_id().map(str::to_owned),
                message.body_text(0).unwrap().into_owned(),
                message.parts.len(),
            )
        };
        assert_eq!(read(&reduced), read(&letter(&text, &stamp()).unwrap()));
        assert_eq!(without_pictures(&reduced), None);
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
