//! The header fields of a message or of one of its parts, in their order.

use jiff::Timestamp;
use mail_parser::parsers::MessageStream;
use mail_parser::{Address as Parsed, HeaderValue};

use super::address::{Address, BadAddress};

/// Longer fields are cut before they are parsed, since some parsers are quadratic in the length of a field.
const MAX_FIELD: usize = 16 << 10;

/// Fields that RFC 5322 3.6 allows once and that the judge uses. If one is repeated, two programs may read different mails.
const ONCE: [&str; 6] = ["from", "date", "subject", "message-id", "to", "reply-to"];

/// The most addresses of one field, and the most message ids.
const MAX_COUNT: usize = 200;

/// One header block. The values are still raw: folded, encoded.
#[derive(Debug)]
pub(super) struct Fields<'a> {
    list: Vec<Field<'a>>,
}

#[derive(Debug)]
struct Field<'a> {
    /// In lower case.
    name: String,
    /// What follows the colon.
    value: &'a [u8],
}

impl<'a> Field<'a> {
    /// The value, cut to a sane length.
    fn bounded_value(&self) -> &'a [u8] {
        self.value.get(..MAX_FIELD).unwrap_or(self.value)
    }
}

impl<'a> Fields<'a> {
    /// Splits a message (or part) into its header fields and its body. Lines that are not fields are skipped, as by every
    /// mail program.
    pub(super) fn split(message: &'a [u8]) -> (Self, &'a [u8]) {
        let mut list: Vec<Field<'a>> = Vec::new();
        // The name of the current field and where its value begins; `None` while a line without a name is skipped.
        let mut open: Option<(String, usize)> = None;
        let mut at = 0;
        let mut body = message.len();
        for line in message.split_inclusive(|byte| *byte == b'\n') {
            let start = at;
            at += line.len();
            let continues = matches!(line.first(), Some(b' ' | b'\t')) && start > 0;
            if continues {
                continue;
            }
            if let Some((name, from)) = open.take() {
                let value = message.get(from..start).unwrap_or_default();
                list.push(Field { name, value });
            }
            if matches!(line, b"\n" | b"\r\n" | b"\r") {
                body = at;
                break;
            }
            open = field_name(line).map(|(name, length)| (name, start + length));
        }
        if let Some((name, from)) = open {
            let value = message.get(from..).unwrap_or_default();
            list.push(Field { name, value });
        }
        (Fields { list }, message.get(body..).unwrap_or_default())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The fields of that name (given in lower case), top first.
    fn named<'s>(&'s self, name: &'s str) -> impl Iterator<Item = &'s Field<'a>> {
        self.list.iter().filter(move |field| field.name == name)
    }

    /// The raw values of all fields of that name, top first, each cut to a sane length.
    pub(super) fn all<'s>(&'s self, name: &'s str) -> impl Iterator<Item = &'a [u8]> + 's {
        self.named(name).map(Field::bounded_value)
    }

    /// The topmost field of that name: lower ones were added earlier, perhaps by the sender.
    pub(super) fn first(&self, name: &str) -> Option<&'a [u8]> {
        self.named(name).next().map(Field::bounded_value)
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.named(name).next().is_some()
    }

    pub(super) fn count(&self, name: &str) -> usize {
        self.named(name).count()
    }

    /// The first field that is repeated although it may occur only once.
    pub(super) fn repeated(&self) -> Option<&'static str> {
        ONCE.into_iter().find(|name| self.count(name) > 1)
    }

    /// A field as plain text: unfolded, undecoded, trimmed.
    pub(super) fn plain(&self, name: &str) -> Option<String> {
        self.first(name).map(unfold)
    }

    /// A field with its encoded words decoded (RFC 2047).
    pub(super) fn decoded(&self, name: &str) -> Option<String> {
        let value = self.first(name)?;
        match MessageStream::new(&with_line_end(value)).parse_unstructured() {
            HeaderValue::Text(text) => Some(text.into_owned()),
            _ => None,
        }
    }

    /// The usable addresses of all fields of that name.
    pub(super) fn addresses(&self, name: &str) -> Vec<Address> {
        let mut found = Vec::new();
        for value in self.all(name) {
            let value = with_line_end(value);
            if let HeaderValue::Address(list) = MessageStream::new(&value).parse_address() {
                found.extend(list.iter().filter_map(usable_address));
            }
            if found.len() >= MAX_COUNT {
                break;
            }
        }
        found.truncate(MAX_COUNT);
        found
    }

    /// The one mailbox of a field that must have exactly one.
    pub(super) fn one_mailbox(&self, name: &str) -> Result<Address, MailboxError> {
        let Some(value) = self.first(name) else {
            return Err(MailboxError::None);
        };
        let value = with_line_end(value);
        let HeaderValue::Address(Parsed::List(list)) = MessageStream::new(&value).parse_address()
        else {
            return Err(MailboxError::None);
        };
        let mut with_address = list.iter().filter(|one| one.address.is_some());
        let one = with_address.next().ok_or(MailboxError::None)?;
        if with_address.next().is_some() {
            return Err(MailboxError::Several);
        }
        let text = one.address.as_deref().unwrap_or_default();
        let address = Address::parse(text).map_err(MailboxError::Bad)?;
        // An address in an encoded word, broken by a comment or next to a second pair of brackets may be read differently
        // here and by the host that proves it.
        let raw = String::from_utf8_lossy(&value);
        let brackets = outside_quotes(&raw, '<');
        if !raw.contains(text)
            || brackets > 1
            || (brackets == 1 && !raw.contains(&format!("<{}>", text.trim())))
        {
            return Err(MailboxError::Bad(BadAddress::Malformed));
        }
        Ok(match one.name.as_deref() {
            Some(name) => address.with_name(name),
            None => address,
        })
    }

    /// The well-formed message ids of a field, each in angle brackets.
    pub(super) fn ids(&self, name: &str) -> Vec<String> {
        let Some(value) = self.first(name) else {
            return Vec::new();
        };
        let text = unfold(value);
        let mut ids = Vec::new();
        for piece in text.split('<').skip(1) {
            if let Some((inner, _)) = piece.split_once('>')
                && is_sound_id(inner)
            {
                ids.push(format!("<{inner}>"));
            }
        }
        // The newest are last. The first one names the thread, but answers need the last.
        let surplus = ids.len().saturating_sub(MAX_COUNT);
        ids.split_off(surplus)
    }

    /// The date that the sender claims.
    pub(super) fn date(&self) -> Option<Timestamp> {
        let value = with_line_end(self.first("date")?);
        match MessageStream::new(&value).parse_date() {
            HeaderValue::DateTime(date) if date.is_valid() => {
                Timestamp::from_second(date.to_timestamp()).ok()
            }
            _ => None,
        }
    }
}

/// Why a field does not name one mailbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MailboxError {
    None,
    Several,
    Bad(BadAddress),
}

/// The name of the field that a line begins, in lower case, and the length up to and including the colon.
fn field_name(line: &[u8]) -> Option<(String, usize)> {
    let colon = line.iter().position(|byte| *byte == b':')?;
    let name = line.get(..colon)?.trim_ascii_end();
    let well_formed =
        !name.is_empty() && name.len() <= 100 && name.iter().all(|byte| byte.is_ascii_graphic());
    let name = String::from_utf8(name.to_ascii_lowercase()).ok()?;
    well_formed.then_some((name, colon + 1))
}

/// Appends the line end that the parsers of fields need.
fn with_line_end(value: &[u8]) -> Vec<u8> {
    let mut value = value.trim_ascii().to_vec();
    value.extend_from_slice(b"\r\n");
    value
}

/// Joins a folded value to one line; invalid bytes become U+FFFD.
pub(super) fn unfold(value: &[u8]) -> String {
    let text = String::from_utf8_lossy(value);
    let joined: String = text
        .chars()
        .filter(|c| !matches!(c, '\r' | '\n' | '\0'))
        .collect();
    joined.trim().to_owned()
}

fn usable_address(parsed: &mail_parser::Addr<'_>) -> Option<Address> {
    let address = Address::parse(parsed.address.as_deref()?).ok()?;
    Some(match parsed.name.as_deref() {
        Some(name) => address.with_name(name),
        None => address,
    })
}

/// The number of times that a character occurs outside quoted strings and comments.
fn outside_quotes(text: &str, sign: char) -> usize {
    let (mut quoted, mut escaped, mut depth, mut count) = (false, false, 0_usize, 0);
    for c in text.chars() {
        if escaped {
            escaped = false;
            continue;
        }
        match c {
            '\\' if quoted || depth > 0 => escaped = true,
            '"' if depth == 0 => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth = depth.saturating_sub(1),
            other if other == sign && !quoted && depth == 0 => count += 1,
            _ => {}
        }
    }
    count
}

/// Whether the inside of a message id can be written into a field: printable ASCII without `<`.
fn is_sound_id(inner: &str) -> bool {
    (1..=250).contains(&inner.len())
        && inner
            .bytes()
            .all(|byte| byte.is_ascii_graphic() && byte != b'<')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(text: &str) -> Fields<'_> {
        Fields::split(text.as_bytes()).0
    }

    #[test]
    fn folded_fields_garbage_and_body_are_told_apart() {
        let (fields, body) = Fields::split(b"Subject: one\r\n two\r\nno field\r\n more\r\nX-Empty:\r\nFrom : a@b.org\r\n\r\nFrom: body");
        assert_eq!(fields.plain("subject").unwrap(), "one two");
        assert_eq!(fields.plain("x-empty").unwrap(), "");
        assert_eq!(fields.plain("from").unwrap(), "a@b.org");
        assert_eq!(fields.count("from"), 1);
        assert_eq!(body, b"From: body");
    }

    #[test]
    fn only_one_plain_mailbox_is_a_sender() {
        let from = |value: &str| {
            fields(&format!("From: {value}\r\n\r\n"))
                .one_mailbox("from")
                .map(|a| a.to_string())
        };
        let ben = Ok("ben@example.org".to_owned());
        assert_eq!(from("ben@example.org"), ben);
        assert_eq!(from("Ben <ben@example.org>"), ben);
        assert_eq!(from("\"Smith, Ben <x>\" <ben@example.org>"), ben);
        assert_eq!(from("=?utf-8?Q?B=C3=A9n?= <ben@example.org>"), ben);
        assert_eq!(from("ben@example.org (Ben)"), ben);
        assert_eq!(from("victim@example.net <ben@example.org>"), ben);
        assert_eq!(
            from("ben@example.org, eve@example.net"),
            Err(MailboxError::Several)
        );
        assert_eq!(from("Ben"), Err(MailboxError::None));
        assert!(from("<ben@example.org> <eve@example.net>").is_err());
        assert!(from("=?utf-8?Q?ben=40example.org?=").is_err());
        assert!(from("Team: ben@example.org, eve@example.net;").is_err());
        assert!(from("").is_err());
    }

    #[test]
    fn ids_keep_their_brackets_and_only_sound_ones_stay() {
        let ids = |value: &str| fields(&format!("References: {value}\r\n\r\n")).ids("references");
        assert_eq!(ids("<a@b>\r\n\t<c@d>"), ["<a@b>", "<c@d>"]);
        assert_eq!(ids("Your mail of Monday <a@b> and <b c@d> <>"), ["<a@b>"]);
        assert_eq!(ids("a@b"), Vec::<String>::new());
        assert_eq!(ids(&format!("<{}>", "x".repeat(300))), Vec::<String>::new());
    }

    #[test]
    fn dates_are_read_or_absent() {
        let date = |value: &str| {
            fields(&format!("Date: {value}\r\n\r\n"))
                .date()
                .map(|at| at.to_string())
        };
        assert_eq!(
            date("Mon, 02 Mar 2026 19:00:00 +0100").as_deref(),
            Some("2026-03-02T18:00:00Z")
        );
        assert_eq!(date("yesterday"), None);
        assert_eq!(date("99 Foo 99999 77:77:77 +9999"), None);
    }

    #[test]
    fn repeated_fields_are_named() {
        assert_eq!(
            fields("From: a@b.org\r\nFROM: c@d.org\r\n\r\n").repeated(),
            Some("from")
        );
        assert_eq!(
            fields("From: a@b.org\r\nReceived: x\r\nReceived: y\r\n\r\n").repeated(),
            None
        );
    }
}
