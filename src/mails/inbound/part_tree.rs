//! The tree of a multipart message, as far as the judge reads it.
//!
//! The parser of the library nests as deep as the message does, so that a hostile message can exhaust the stack. Here depth
//! and number of parts are bounded before a part is read, forwarded messages are never opened, and only parts that are read
//! are decoded.

use mail_parser::HeaderValue;
use mail_parser::parsers::MessageStream;

use super::decode::{Encoding, text_of};
use super::fields::Fields;
use super::limits::Limits;
use super::raw_line::DelSp;

/// Longer descriptions of a part are cut.
const MAX_DESCRIPTION: usize = 4 << 10;

/// A part with its children, if it is a multipart.
#[derive(Debug)]
pub(super) struct Part<'a> {
    pub(super) media: Media,
    pub(super) encoding: Encoding,
    /// Marked as an attachment, or with a file name.
    pub(super) attached: bool,
    pub(super) file_name: Option<String>,
    pub(super) body: &'a [u8],
    pub(super) children: Vec<Part<'a>>,
}

/// The media type of a part (RFC 2045 5), in lower case.
#[derive(Clone, Debug, Default)]
pub(super) struct Media {
    pub(super) kind: String,
    pub(super) subtype: String,
    parameters: Vec<(String, String)>,
}

/// Why a tree was not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TreeError {
    TooManyParts,
    TooDeep,
}

impl Media {
    pub(super) fn read(value: &[u8]) -> Self {
        let mut value = value
            .get(..MAX_DESCRIPTION)
            .unwrap_or(value)
            .trim_ascii()
            .to_vec();
        value.extend_from_slice(b"\r\n");
        let HeaderValue::ContentType(parsed) = MessageStream::new(&value).parse_content_type()
        else {
            return Media::default();
        };
        let parameters = parsed.attributes().unwrap_or_default().iter();
        Media {
            kind: parsed.ctype().trim().to_ascii_lowercase(),
            subtype: parsed
                .subtype()
                .unwrap_or_default()
                .trim()
                .to_ascii_lowercase(),
            parameters: parameters
                .map(|one| (one.name.to_ascii_lowercase(), one.value.to_string()))
                .collect(),
        }
    }

    fn new(kind: &str, subtype: &str) -> Self {
        Media {
            kind: kind.to_owned(),
            subtype: subtype.to_owned(),
            parameters: Vec::new(),
        }
    }

    fn plain_text() -> Self {
        Media::new("text", "plain")
    }

    pub(super) fn is(&self, kind: &str, subtype: &str) -> bool {
        self.kind == kind && self.subtype == subtype
    }

    pub(super) fn parameter(&self, name: &str) -> Option<&str> {
        self.parameters
            .iter()
            .find(|(have, _)| have == name)
            .map(|(_, value)| value.as_str())
    }

    fn parameter_is(&self, name: &str, value: &str) -> bool {
        self.parameter(name)
            .is_some_and(|have| have.trim().eq_ignore_ascii_case(value))
    }

    /// Whether it is what a delivery status notification says to programs (RFC 3464, RFC 6533), under its own name or one
    /// that a gateway has given it: `xdelivery-status`.
    pub(super) fn is_delivery_status(&self) -> bool {
        self.kind == "message" && self.subtype.ends_with("delivery-status")
    }

    pub(super) fn is_plain_text(&self) -> bool {
        self.kind == "text" && matches!(self.subtype.as_str(), "plain" | "" | "markdown")
    }

    /// Whether lines that end with a blank continue in the next (RFC 3676).
    pub(super) fn is_flowed(&self) -> bool {
        self.parameter_is("format", "flowed")
    }

    pub(super) fn del_sp(&self) -> DelSp {
        if self.parameter_is("delsp", "yes") {
            DelSp::Yes
        } else {
            DelSp::No
        }
    }
}

impl<'a> Part<'a> {
    /// Reads the tree under one header block and body.
    pub(super) fn read(
        fields: &Fields<'_>,
        body: &'a [u8],
        limits: &Limits,
    ) -> Result<Self, TreeError> {
        let mut left = limits.parts;
        Part::descend(fields, body, limits.depth, &mut left, &Media::plain_text())
    }

    fn descend(
        fields: &Fields<'_>,
        body: &'a [u8],
        depth: usize,
        left: &mut usize,
        default: &Media,
    ) -> Result<Self, TreeError> {
        *left = left.checked_sub(1).ok_or(TreeError::TooManyParts)?;
        let media = match fields.first("content-type").map(Media::read) {
            Some(media) if !media.kind.is_empty() => media,
            _ => default.clone(),
        };
        let disposition = fields
            .first("content-disposition")
            .map(Media::read)
            .unwrap_or_default();
        let file_name = disposition
            .parameter("filename")
            .or(media.parameter("name"))
            .map(str::to_owned);
        let mut part = Part {
            encoding: Encoding::named(
                &fields
                    .plain("content-transfer-encoding")
                    .unwrap_or_default(),
            ),
            attached: disposition.kind == "attachment" || file_name.is_some(),
            file_name,
            media,
            body,
            children: Vec::new(),
        };
        if part.media.kind != "multipart" {
            return Ok(part);
        }
        let sections = match part.media.parameter("boundary") {
            Some(boundary) if !boundary.is_empty() => sections(body, boundary.as_bytes(), *left),
            _ => Vec::new(),
        };
        if sections.is_empty() {
            // A multipart without parts is broken; its body is most likely text.
            part.media = Media::plain_text();
            return Ok(part);
        }
        let below = depth.checked_sub(1).ok_or(TreeError::TooDeep)?;
        // RFC 2046 5.1.5.
        let default = match part.media.subtype.as_str() {
            "digest" => Media::new("message", "rfc822"),
            _ => Media::plain_text(),
        };
        for section in sections {
            let (fields, body) = Fields::split(section);
            part.children
                .push(Part::descend(&fields, body, below, left, &default)?);
        }
        Ok(part)
    }

    /// Whether the part ends where this message ends.
    pub(super) fn reaches_end_of(&self, message: &[u8]) -> bool {
        self.body.as_ptr_range().end == message.as_ptr_range().end
    }

    /// The decoded bytes.
    pub(super) fn bytes(&self) -> Vec<u8> {
        self.encoding.decode(self.body)
    }

    /// The text of a text part.
    pub(super) fn text(&self) -> String {
        text_of(&self.bytes(), self.media.parameter("charset"))
    }

    /// All parts that are not multiparts, in their order.
    pub(super) fn leaves(&self) -> Vec<&Part<'a>> {
        let mut leaves = Vec::new();
        let mut open = vec![self];
        while let Some(part) = open.pop() {
            if part.children.is_empty() {
                leaves.push(part);
            }
            open.extend(part.children.iter().rev());
        }
        leaves
    }
}

/// The sections between the boundary lines of a multipart body. At most one more than allowed is returned, so that the
/// caller notices that there are too many. If the last boundary is missing, the last section ends with the body.
fn sections<'a>(body: &'a [u8], boundary: &[u8], allowed: usize) -> Vec<&'a [u8]> {
    let mut found = Vec::new();
    let mut open: Option<usize> = None;
    let mut at = 0;
    for line in body.split_inclusive(|byte| *byte == b'\n') {
        let start = at;
        at += line.len();
        let Some(tail) = line
            .strip_prefix(b"--")
            .and_then(|rest| rest.strip_prefix(boundary))
        else {
            continue;
        };
        let last = match tail.trim_ascii() {
            b"" => false,
            [b'-', b'-', ..] => true,
            _ => continue,
        };
        if let Some(from) = open.replace(at) {
            // The line break before a boundary belongs to the boundary.
            let section = body.get(from..start).unwrap_or_default();
            let section = section.strip_suffix(b"\n").unwrap_or(section);
            found.push(section.strip_suffix(b"\r").unwrap_or(section));
        }
        if last || found.len() > allowed {
            return found;
        }
    }
    if let Some(from) = open
        && from < body.len()
    {
        found.push(body.get(from..).unwrap_or_default());
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(message: &str) -> Result<String, TreeError> {
        let (fields, body) = Fields::split(message.as_bytes());
        Part::read(&fields, body, &Limits::default()).map(|part| show(&part))
    }

    fn show(part: &Part<'_>) -> String {
        let inside: Vec<String> = part.children.iter().map(show).collect();
        if inside.is_empty() {
            format!("{}:{}", part.media.subtype, part.text().trim())
        } else {
            format!("{}({})", part.media.subtype, inside.join(" "))
        }
    }

    #[test]
    fn nested_multiparts_are_walked() {
        let message = "Content-Type: multipart/mixed; boundary=\"a b\"\r\n\r\npreamble\r\n--a b\r\n\
            Content-Type: multipart/alternative;\r\n boundary=c\r\n\r\n--c\r\n\r\none\r\n--c\r\nContent-Type: TEXT/HTML\r\n\r\n\
            two\r\n--c--\r\nepilogue\r\n--a b  \r\n\r\nthree\r\n--a b--\r\nepilogue";
        assert_eq!(
            tree(message).unwrap(),
            "mixed(alternative(plain:one html:two) plain:three)"
        );
    }

    #[test]
    fn broken_multiparts_keep_their_text() {
        assert_eq!(
            tree("Content-Type: multipart/mixed\n\nwords").unwrap(),
            "plain:words"
        );
        assert_eq!(
            tree("Content-Type: multipart/mixed; boundary=x\n\nwords").unwrap(),
            "plain:words"
        );
        assert_eq!(
            tree("Content-Type: multipart/mixed; boundary=x\n\n--x\n\nwords").unwrap(),
            "mixed(plain:words)"
        );
        assert_eq!(
            tree("Content-Type: multipart/mixed; boundary=x\n\n--x\nwords\n--x--").unwrap(),
            "mixed(plain:)"
        );
        assert_eq!(tree("Content-Type: text\n\nwords").unwrap(), ":words");
        assert_eq!(tree("Content-Type: ;;;\n\nwords").unwrap(), "plain:words");
    }

    #[test]
    fn a_forwarded_message_is_not_opened() {
        let message = "Content-Type: message/rfc822\n\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\norders\n--x--";
        let (fields, body) = Fields::split(message.as_bytes());
        assert!(
            Part::read(&fields, body, &Limits::default())
                .unwrap()
                .children
                .is_empty()
        );
    }

    #[test]
    fn wide_and_deep_trees_are_refused() {
        let wide = format!(
            "Content-Type: multipart/mixed; boundary=x\n\n{}",
            "--x\n\n\n".repeat(5_000)
        );
        assert_eq!(tree(&wide), Err(TreeError::TooManyParts));
        let mut deep = String::new();
        for level in 0..2_000 {
            deep.push_str(&format!(
                "Content-Type: multipart/mixed; boundary=x{level}x\n\n--x{level}x\n"
            ));
        }
        assert_eq!(tree(&deep), Err(TreeError::TooDeep));
    }
}
