//! The parts of a mail besides its text, and how they are combined (RFC 2046, RFC 2387, RFC 6047).
//!
//! ```text
//! text alone                text/plain
//! with HTML                 multipart/alternative( text/plain, text/html )
//! and a picture             multipart/alternative( text/plain, multipart/related( text/html, image/png ) )
//! a picture without HTML    multipart/mixed( text/plain, image/png )
//! and a calendar entry      multipart/mixed( the message without it, text/calendar )
//! ```
//!
//! The plainest alternative comes first: mail programs show the last one that they understand. A calendar entry is not an
//! alternative to the text, since a mail program that shows entries would show it instead of the text; calendars find it
//! among the parts of a mixed message too. Boundaries and ids are made of random bits that are different for each reader.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use lettre::message::header::{
    ContentDisposition, ContentId, ContentTransferEncoding, ContentType,
};
use lettre::message::{Body, MultiPart, MultiPartKind, SinglePart};
use sha2::{Digest, Sha256};

use super::Text;
use super::document::HtmlPicture;
use super::letter_error::LetterError;

/// The parts of a mail besides its text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// Whether the text is also sent as HTML.
    pub html: bool,
    /// The map.
    pub picture: Option<Picture>,
    /// An entry for the reader's calendar.
    pub calendar: Option<CalendarPart>,
}

impl Parts {
    /// A picture and nothing else.
    pub fn of_picture(picture: Option<Picture>) -> Parts {
        Parts {
            picture,
            ..Parts::default()
        }
    }

    /// Whether the mail is text only.
    pub fn is_empty(&self) -> bool {
        !self.html && self.picture.is_none() && self.calendar.is_none()
    }
}

/// As many bytes count for an encoded image: few have more.
pub const PICTURE_BYTES: usize = 200_000;

/// An encoded image: drawn and encoded once for all readers with the same view. It may still be drawn while the mails with it are
/// written; whoever needs its bytes waits for them.
#[derive(Clone, Debug)]
pub struct Image(Arc<OnceLock<EncodedImage>>);

#[derive(Debug)]
struct EncodedImage {
    /// Base64, in lines.
    bytes: Arc<[u8]>,
    /// Their SHA-256, by which the store identifies them.
    sha256: [u8; 32],
}

impl EncodedImage {
    fn of(bytes: Vec<u8>) -> EncodedImage {
        let body = Body::new_with_encoding(bytes, ContentTransferEncoding::Base64)
            .map_or_else(|bytes| bytes, Body::into_vec);
        EncodedImage {
            sha256: Sha256::digest(&body).into(),
            bytes: body.into(),
        }
    }
}

impl Image {
    /// A PNG.
    pub fn png(bytes: Vec<u8>) -> Image {
        Image(Arc::new(OnceLock::from(EncodedImage::of(bytes))))
    }

    /// An image that is still to be drawn, and the place where its drawer puts it.
    pub fn to_be_drawn() -> (Image, UndrawnImage) {
        let place = Arc::new(OnceLock::new());
        (Image(place.clone()), UndrawnImage(place))
    }

    /// The bytes that go into a message.
    pub fn encoded(&self) -> &Arc<[u8]> {
        &self.0.wait().bytes
    }

    /// The SHA-256 of the encoded bytes.
    pub fn sha256(&self) -> [u8; 32] {
        self.0.wait().sha256
    }

    /// Whether both are the same image in memory, which is known before it is drawn.
    pub fn is_same(&self, other: &Image) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl PartialEq for Image {
    fn eq(&self, other: &Image) -> bool {
        self.is_same(other) || self.sha256() == other.sha256()
    }
}

impl Eq for Image {}

/// Where the drawer of an [`Image`] puts it. If it is dropped before, the image is empty, so that nobody waits for ever.
#[derive(Debug)]
pub struct UndrawnImage(Arc<OnceLock<EncodedImage>>);

impl UndrawnImage {
    /// Gives the image, a PNG, to all who wait for it.
    pub fn drawn(self, png: Vec<u8>) {
        self.0.get_or_init(|| EncodedImage::of(png));
    }
}

impl Drop for UndrawnImage {
    fn drop(&mut self) {
        self.0.get_or_init(|| EncodedImage::of(Vec::new()));
    }
}

/// A map sent with a report, drawn from what the reader may see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// The image.
    pub image: Image,
    /// Its width on the page, in pixels of a page; the image may have more, for fine screens.
    pub width: u32,
    /// Its height on the page.
    pub height: u32,
    /// The alternative text: `Map of kaiser, S1901M`.
    pub alt: String,
}

/// An entry for a calendar, as a part of a mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CalendarPart {
    /// What the reader's calendar is to do: `REQUEST` or `CANCEL`.
    pub method: &'static str,
    /// The object itself.
    pub object: String,
}

/// A message as it is sent and stored: bytes with CRLF line ends. Bytes shared with messages to other readers are kept
/// apart, so that they are in memory and on the disk only once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Letter {
    /// The message without the shared bytes.
    pub own: Vec<u8>,
    /// The shared bytes and their position.
    pub shared: Option<Shared>,
}

/// Bytes that several messages have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shared {
    /// The offset in `own` at which they are inserted.
    pub at: usize,
    /// The shared bytes.
    pub image: Image,
}

impl Letter {
    /// The whole message.
    pub fn bytes(&self) -> Cow<'_, [u8]> {
        match &self.shared {
            None => Cow::Borrowed(&self.own),
            Some(shared) => Cow::Owned(joined(&self.own, shared.at, shared.image.encoded())),
        }
    }

    /// As many bytes as the whole message counts. A picture, which need not be drawn yet, counts [`PICTURE_BYTES`].
    pub fn counted_bytes(&self) -> usize {
        self.own.len() + self.shared.as_ref().map_or(0, |_| PICTURE_BYTES)
    }
}

impl From<Vec<u8>> for Letter {
    fn from(own: Vec<u8>) -> Letter {
        Letter { own, shared: None }
    }
}

/// Inserts the shared bytes of a message.
pub fn joined(own: &[u8], at: usize, shared: &[u8]) -> Vec<u8> {
    let (before, behind) = own.split_at(at.min(own.len()));
    [before, shared, behind].concat()
}

/// Combines the parts of a mail that is more than its text. `token` is made of random letters and digits.
pub(super) fn body(
    text: &Text,
    parts: &Parts,
    token: &str,
    host: &str,
) -> Result<MultiPart, LetterError> {
    let id = format!("{token}@{host}");
    let Parts {
        html,
        picture,
        calendar,
    } = parts;
    let image = picture.as_ref().map(|_| image(&id, token)).transpose()?;
    let plain = single(ContentType::TEXT_PLAIN, &text.body());
    let calendar = calendar.as_ref().map(calendar_part).transpose()?;
    let part = |kind: MultiPartKind, letter: char| {
        MultiPart::builder()
            .kind(kind)
            .boundary(format!("{letter}{token}"))
    };
    let shown = picture.as_ref().map(|picture| HtmlPicture {
        source: format!("cid:{id}"),
        alt: picture.alt.clone(),
        width: picture.width,
        height: picture.height,
    });
    let page = html.then(|| text.html(shown.as_ref())).flatten();
    let page = page.map(|page| single(ContentType::TEXT_HTML, &page));
    let mixed = || part(MultiPartKind::Mixed, 'm');
    let Some(page) = page else {
        let attached = [image, calendar].into_iter().flatten();
        return Ok(attached.fold(mixed().singlepart(plain), MultiPart::singlepart));
    };
    let words = part(MultiPartKind::Alternative, 'a').singlepart(plain);
    let words = match image {
        Some(image) => {
            let related = part(MultiPartKind::Related, 'r').singlepart(page);
            words.multipart(related.singlepart(image))
        }
        None => words.singlepart(page),
    };
    Ok(match calendar {
        Some(calendar) => mixed().multipart(words).singlepart(calendar),
        None => words,
    })
}

/// Replaces the placeholder in a message by its picture.
pub(super) fn with_picture(built: Vec<u8>, picture: Option<&Picture>, token: &str) -> Letter {
    let place = placeholder(token);
    let at = picture.and_then(|picture| Some((picture, last(&built, &place)?)));
    let Some((picture, at)) = at else {
        return Letter::from(built);
    };
    let mut own = built;
    own.drain(at..at + place.len());
    let image = picture.image.clone();
    Letter {
        own,
        shared: Some(Shared { at, image }),
    }
}

/// Stands for the image while the message is built. Nobody else knows the token.
fn placeholder(token: &str) -> Vec<u8> {
    format!("place {token}").into_bytes()
}

fn last(text: &[u8], what: &[u8]) -> Option<usize> {
    text.windows(what.len()).rposition(|window| window == what)
}

fn single(kind: ContentType, text: &str) -> SinglePart {
    SinglePart::builder()
        .header(kind)
        .body(quoted_printable(text))
}

/// The encoding is always the same: one chosen by content would reveal something about the content.
pub(super) fn quoted_printable(text: &str) -> Body {
    Body::new_with_encoding(text.to_owned(), ContentTransferEncoding::QuotedPrintable)
        .unwrap_or_else(|bytes| Body::new(String::from_utf8_lossy(&bytes).into_owned()))
}

fn image(id: &str, token: &str) -> Result<SinglePart, LetterError> {
    let encoded = Body::dangerous_pre_encoded(placeholder(token), ContentTransferEncoding::Base64);
    Ok(SinglePart::builder()
        .header(media_type("image/png")?)
        .header(ContentDisposition::inline_with_name("map.png"))
        .header(ContentId::from(format!("<{id}>")))
        .body(encoded))
}

fn calendar_part(entry: &CalendarPart) -> Result<SinglePart, LetterError> {
    // Outlook shows the object as an attachment unless the part names the method too.
    let kind = media_type(&format!(
        "text/calendar; charset=utf-8; method={}",
        entry.method
    ))?;
    Ok(single(kind, &entry.object))
}

fn media_type(name: &str) -> Result<ContentType, LetterError> {
    ContentType::parse(name).map_err(|_| LetterError::MediaType)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outbound::{Stamp, letter};
    use mail_parser::{MessageParser, MimeHeaders, PartType};

    const TOKEN: &str = "c0ffee00c0ffee00c0ffee00c0ffee00";
    const PNG: [u8; 6] = [0x89, b'P', b'N', b'G', 0, 255];

    fn stamp() -> Stamp {
        let id = "0123456789abcdef0123456789abcdef@example.org".to_owned();
        let date = "2026-12-01T22:06:00Z".parse().unwrap();
        Stamp::plain("USXX", "judge@example.org", "anna@ex.org", id, date)
    }

    fn picture() -> Picture {
        Picture {
            image: Image::png(PNG.to_vec()),
            width: 640,
            height: 480,
            alt: "Map of \"kaiser\"".into(),
        }
    }

    fn calendar() -> CalendarPart {
        CalendarPart {
            method: "REQUEST",
            object: "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n".into(),
        }
    }

    fn written(parts: &Parts) -> Letter {
        let text = Text::new("Results", "Movement <results>\n");
        letter(&text, parts, &stamp(), TOKEN).unwrap()
    }

    /// The kinds of all parts, with a bracket around those that are in one.
    fn shape(letter: &Letter) -> String {
        let bytes = letter.bytes();
        let mail = MessageParser::default().parse(&bytes[..]).unwrap();
        fn told(mail: &mail_parser::Message<'_>, number: u32) -> String {
            let part = mail.part(number).unwrap();
            let kind = part.content_type().unwrap();
            let name = format!("{}/{}", kind.ctype(), kind.subtype().unwrap());
            match &part.body {
                PartType::Multipart(parts) => {
                    let parts: Vec<String> = parts.iter().map(|n| told(mail, *n)).collect();
                    format!("{name}({})", parts.join(" "))
                }
                _ => name,
            }
        }
        told(&mail, 0)
    }

    #[test]
    fn an_image_may_be_drawn_after_mails_with_it_are_written() {
        let (image, undrawn) = Image::to_be_drawn();
        let shared = image.clone();
        let drawer = std::thread::spawn(move || undrawn.drawn(vec![7; 100]));
        assert_eq!(shared, Image::png(vec![7; 100]));
        drawer.join().unwrap();
        assert!(image.is_same(&shared));
    }

    #[test]
    fn an_image_that_nobody_draws_is_empty() {
        let (image, undrawn) = Image::to_be_drawn();
        drop(undrawn);
        assert!(image.encoded().is_empty());
    }

    #[test]
    fn each_mail_has_the_shape_that_its_parts_want() {
        let shape = |has_html: bool, has_picture: bool, has_calendar: bool| {
            shape(&written(&Parts {
                html: has_html,
                picture: has_picture.then(picture),
                calendar: has_calendar.then(calendar),
            }))
        };
        assert_eq!(shape(false, false, false), "text/plain");
        assert_eq!(
            shape(true, false, false),
            "multipart/alternative(text/plain text/html)"
        );
        assert_eq!(
            shape(true, true, false),
            "multipart/alternative(text/plain multipart/related(text/html image/png))"
        );
        assert_eq!(
            shape(true, true, true),
            "multipart/mixed(multipart/alternative(text/plain multipart/related(text/html image/png)) text/calendar)"
        );
        assert_eq!(
            shape(true, false, true),
            "multipart/mixed(multipart/alternative(text/plain text/html) text/calendar)"
        );
        assert_eq!(
            shape(false, false, true),
            "multipart/mixed(text/plain text/calendar)"
        );
        assert_eq!(
            shape(false, true, false),
            "multipart/mixed(text/plain image/png)"
        );
        assert_eq!(
            shape(false, true, true),
            "multipart/mixed(text/plain image/png text/calendar)"
        );
    }

    #[test]
    fn every_part_reads_back_and_the_html_names_its_picture() {
        let parts = Parts {
            html: true,
            picture: Some(picture()),
            calendar: Some(calendar()),
        };
        let letter = written(&parts);
        assert_eq!(letter, written(&parts), "the same again");
        let bytes = letter.bytes();
        assert!(bytes.is_ascii());
        assert!(bytes.split(|b| *b == b'\n').all(|line| line.len() <= 998));
        let mail = MessageParser::default().parse(&bytes[..]).unwrap();
        assert_eq!(mail.body_text(0).unwrap().trim_end(), "Movement <results>");
        let html = mail.body_html(0).unwrap();
        let id = format!("{TOKEN}@example.org");
        assert!(html.contains("Movement &lt;results&gt;"), "{html}");
        assert!(html.contains(&format!("cid:{id}")), "{html}");
        assert!(html.contains("alt=\"Map of &quot;kaiser&quot;\""), "{html}");
        let of_kind = |kind: &str| {
            let mut parts = mail.parts.iter();
            parts
                .find(|part| {
                    part.content_type()
                        .is_some_and(|found| found.subtype() == Some(kind))
                })
                .unwrap()
        };
        let image = of_kind("png");
        assert_eq!(image.contents(), PNG);
        assert_eq!(image.content_id(), Some(id.as_str()));
        assert_eq!(image.attachment_name(), Some("map.png"));
        let entry = of_kind("calendar");
        let method = entry.content_type().unwrap().attribute("method");
        assert_eq!(method, Some("REQUEST"));
        assert!(
            entry
                .text_contents()
                .unwrap()
                .starts_with("BEGIN:VCALENDAR")
        );
    }

    #[test]
    fn letters_with_one_picture_have_its_bytes_once() {
        let image = Image::png(vec![7; 100_000]);
        let letters = ["anna@ex.org", "bert@ex.org"].map(|to| {
            let parts = Parts {
                html: true,
                picture: Some(Picture {
                    image: image.clone(),
                    ..picture()
                }),
                calendar: None,
            };
            let stamp = Stamp {
                to: to.to_owned(),
                ..stamp()
            };
            letter(&Text::new("Results", "x\n"), &parts, &stamp, TOKEN).unwrap()
        });
        let [one, other] = letters.map(|letter| {
            assert!(letter.own.len() < 3_000 && letter.bytes().len() > 133_000);
            letter.shared.unwrap().image
        });
        assert!(one.is_same(&other));
    }

    #[test]
    fn a_text_that_looks_like_a_part_is_a_text() {
        let body = format!("--a{TOKEN}x\n--m\nplace\nContent-Type: image/png\n");
        let text = Text::new("s", body.clone());
        let parts = Parts {
            picture: Some(picture()),
            ..Parts::default()
        };
        let letter = letter(&text, &parts, &stamp(), TOKEN).unwrap();
        let bytes = letter.bytes();
        let mail = MessageParser::default().parse(&bytes[..]).unwrap();
        assert_eq!(
            mail.body_text(0).unwrap().replace("\r\n", "\n").trim_end(),
            body.trim_end()
        );
    }
}
