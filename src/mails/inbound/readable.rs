//! A message as the keeper may read it: decoded text, with passwords replaced.

use super::address::Address;
use super::clean::{clean_header_text, clean_original, lines_of};
use super::fields::Fields;
use super::html;
use super::limits::{Limits, cut};
use super::part_tree::Part;
use super::raw_line::RawLine;
use super::{redact, without_mbox_line};

/// The fields that are shown, with their names.
const SHOWN: [(&str, &str); 5] = [
    ("from", "From"),
    ("to", "To"),
    ("date", "Date"),
    ("subject", "Subject"),
    ("message-id", "Message-ID"),
];
/// How far the parts of a message are followed that has too many for the judge.
const WIDE: Limits = Limits {
    bytes: usize::MAX,
    parts: 2_000,
    depth: 60,
    text_bytes: 64 << 10,
    lines: usize::MAX,
    line_characters: usize::MAX,
    received: usize::MAX,
};
/// Above the beginning of a message whose parts cannot be told apart.
const TANGLED: &str = "[it has too many parts; this is its beginning as it came]\n";
/// Appended to a text that was cut.
const CUT: &str = "[the rest is left out]\n";

/// The readable content of any message, even a broken one: a few header fields, its texts, and the types of other parts.
/// Passwords are replaced as by [`redact`], in the decoded text, so that no encoding hides one. The length is bounded by
/// `text_bytes` of the limits.
///
/// ```
/// use dipjudge_mails::inbound::{Limits, readable};
/// let message = b"From: anna@example.org\nContent-Transfer-Encoding: base64\n\nU0lHTk9OIEVrYWlzZXIgc2VjcmV0Cg==\n";
/// assert_eq!(readable(message, &Limits::default(), |_| false), "From: anna@example.org\n\nSIGNON Ekaiser ****\n");
/// ```
pub fn readable(bytes: &[u8], limits: &Limits, known: impl Fn(&str) -> bool) -> String {
    let message = without_mbox_line(bytes);
    let (fields, body) = Fields::split(message.get(..limits.bytes).unwrap_or(message));
    let mut text = String::new();
    for (name, shown) in SHOWN {
        if let Some(value) = fields.decoded(name).or_else(|| fields.plain(name)) {
            text.push_str(&format!("{shown}: {}\n", clean_header_text(&value)));
        }
    }
    text.push('\n');
    match Part::read(&fields, body, limits) {
        Ok(root) => root.leaves().iter().for_each(|leaf| show(leaf, &mut text)),
        // What is too much for a mail to the judge may still be looked at, as far as it goes.
        Err(_) => match Part::read(&fields, body, &WIDE) {
            Ok(root) => root.leaves().iter().for_each(|leaf| show(leaf, &mut text)),
            Err(_) => {
                text.push_str(TANGLED);
                let beginning = body.get(..limits.text_bytes).unwrap_or(body);
                push_lines(&mut text, lines_of(&String::from_utf8_lossy(beginning)));
            }
        },
    }
    if text.len() > limits.text_bytes {
        cut(&mut text, limits.text_bytes);
        // A cut line could lack the word that marks a password.
        text.truncate(text.rfind('\n').map_or(0, |at| at + 1));
        text.push_str(CUT);
    }
    redact(&text, known)
}

/// All addresses in `From`, even if the field is malformed: the possible senders of a message.
pub fn senders(bytes: &[u8]) -> Vec<Address> {
    let (fields, _) = Fields::split(without_mbox_line(bytes));
    fields.addresses("from")
}

fn show(leaf: &Part<'_>, text: &mut String) {
    let plain = leaf.media.is_plain_text();
    if !plain && !leaf.media.is("text", "html") {
        let (kind, subtype) = (&leaf.media.kind, &leaf.media.subtype);
        let kind = clean_header_text(&format!("{kind}/{subtype}"));
        text.push_str(&format!("[{kind}, {} bytes]\n", leaf.body.len()));
        return;
    }
    let decoded = leaf.text();
    let lines: Vec<String> = if plain {
        lines_of(&decoded).into_iter().map(str::to_owned).collect()
    } else {
        let lines = html::lines(&decoded);
        lines.iter().map(RawLine::quoted_text).collect()
    };
    push_lines(text, lines.iter().map(String::as_str));
    let end = text.trim_end_matches('\n').len();
    text.truncate(end);
    text.push('\n');
}

fn push_lines<'a>(text: &mut String, lines: impl IntoIterator<Item = &'a str>) {
    for line in lines {
        text.push_str(clean_original(line).trim_end());
        text.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(message: &str) -> String {
        readable(message.as_bytes(), &Limits::default(), |word| {
            word == "blackthorn"
        })
    }

    #[test]
    fn a_password_is_struck_out_wherever_it_stands_and_however_it_is_packed() {
        let text = shown(
            "From: =?utf-8?q?SIGNON_Ekaiser_hazel?= <anna@example.org>\nSubject: SIGNON Ekaiser hazel\n\
             Content-Type: multipart/alternative; boundary=x\n\n--x\nContent-Transfer-Encoding: quoted-printable\n\n\
             SIGN=4FN Ekaiser ha=\nzel\nA Par-Bur\n--x\nContent-Type: text/html\n\n<div>SIGNON Ekaiser hazel</div>\n\
             it was blackthorn\n--x\nContent-Type: image/png\nContent-Transfer-Encoding: base64\n\naGF6ZWw=\n--x--\n",
        );
        assert!(
            !text.contains("hazel") && !text.contains("blackthorn"),
            "{text}"
        );
        assert!(!text.contains("aGF6ZWw"), "{text}");
        assert!(
            text.contains("A Par-Bur") && text.contains("[image/png, 8 bytes]"),
            "{text}"
        );
    }

    #[test]
    fn nothing_and_nonsense_can_be_shown() {
        assert_eq!(shown(""), "\n");
        let nested = |depth| -> String {
            let begin = (0..depth)
                .map(|n| format!("Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n"));
            begin.collect()
        };
        let inner = "Content-Type: text/plain\n\nSIGNON Ekaiser hazel\nA Par-Bur\n";
        let text = shown(&format!("{}{inner}", nested(50)));
        assert!(
            text.contains("A Par-Bur") && !text.contains("hazel"),
            "{text}"
        );
        let text = shown(&format!("{}{inner}", nested(500)));
        assert!(text.contains("as it came"), "{text}");
        assert!(!text.contains("hazel"), "{text}");
    }

    #[test]
    fn a_long_text_is_cut_at_a_line() {
        let limits = Limits {
            text_bytes: 30,
            ..Limits::default()
        };
        let text = readable(b"A: b\n\nshort\nSIGNON Ekaiser hazelnut\n", &limits, |_| {
            false
        });
        assert_eq!(text, format!("\nshort\n{CUT}"));
    }
}
