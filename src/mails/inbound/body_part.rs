//! Finds the part of a mail that is its text: the first one, as plain text if there is any.

use super::body_line::TextExtent;
use super::html;
use super::note::Note;
use super::part_tree::Part;
use super::raw_line::{RawLine, fixed, flowed};
use super::unusable::Reason;

/// The text of a mail, and notes about the parts that are not read.
pub(super) struct BodyText {
    /// Decoded, in its own form (HTML stays HTML): the same for two copies of a mail.
    pub(super) decoded: String,
    pub(super) lines: Vec<RawLine>,
    pub(super) notes: Vec<Note>,
    /// The last line of a cut text, whose end is missing, is not among the lines.
    pub(super) extent: TextExtent,
}

/// The two forms of one text.
#[derive(Clone, Copy, Default)]
struct Forms<'p, 'a> {
    plain: Option<&'p Part<'a>>,
    html: Option<&'p Part<'a>>,
}

/// Where a part stands in its mail.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    Root,
    Inner,
}

/// Finds the text of a mail. `cut_at`: the available bytes of a message that was cut off.
pub(super) fn find(root: &Part<'_>, cut_at: Option<&[u8]>) -> Result<BodyText, Reason> {
    let extent_of = |part: &Part<'_>| match cut_at {
        Some(message) if part.reaches_end_of(message) => TextExtent::Cut,
        _ => TextExtent::Whole,
    };
    let leaves = root.leaves();
    let forms = first_text(root, Level::Root);
    let mut notes = left_aside(&leaves, forms);
    let plain = forms
        .plain
        .map(|part| (part, part.text()))
        .filter(|(_, text)| !text.trim().is_empty());
    if let Some((part, decoded)) = plain {
        let extent = extent_of(part);
        let whole_lines = match extent {
            TextExtent::Whole => &decoded,
            TextExtent::Cut => decoded.rsplit_once('\n').map_or("", |(lines, _)| lines),
        };
        let lines = if part.media.is_flowed() {
            flowed(whole_lines, part.media.del_sp())
        } else {
            fixed(whole_lines)
        };
        return Ok(BodyText {
            decoded,
            lines,
            notes,
            extent,
        });
    }
    if let Some(part) = forms.html {
        let decoded = part.text();
        let mut lines = html::lines(&decoded);
        let extent = extent_of(part);
        if extent == TextExtent::Cut {
            lines.pop();
        }
        if lines.iter().any(|line| !line.text.trim().is_empty()) {
            notes.insert(0, Note::HtmlUsed);
            return Ok(BodyText {
                decoded,
                lines,
                notes,
                extent,
            });
        }
    }
    if is_encrypted(root) {
        return Err(Reason::Encrypted);
    }
    let attached = leaves
        .iter()
        .filter(|leaf| leaf.attached && leaf.media.is_plain_text());
    let attached = attached
        .filter(|leaf| extent_of(leaf) == TextExtent::Whole)
        .map(|leaf| leaf.text())
        .find(|text| !text.trim().is_empty());
    if let Some(decoded) = attached {
        // One of the attachments is read as the text.
        notes.retain_mut(|note| match note {
            Note::AttachmentsDropped(count) => {
                *count = count.saturating_sub(1);
                *count > 0
            }
            _ => true,
        });
        notes.insert(0, Note::AttachmentRead);
        return Ok(BodyText {
            lines: fixed(&decoded),
            decoded,
            notes,
            extent: TextExtent::Whole,
        });
    }
    if leaves.iter().any(|leaf| is_winmail(leaf)) {
        return Err(Reason::Winmail);
    }
    notes.insert(0, Note::NoText);
    Ok(BodyText {
        decoded: String::new(),
        lines: Vec::new(),
        notes,
        extent: TextExtent::Whole,
    })
}

/// The first text in a part, in both forms if it is an alternative. Empty texts are skipped: some programs put one first.
fn first_text<'p, 'a>(part: &'p Part<'a>, level: Level) -> Forms<'p, 'a> {
    if part.children.is_empty() {
        // An attached text is a file even if it is displayed inline, unless it is the whole mail.
        if part.attached && level == Level::Inner {
            return Forms::default();
        }
        let plain = part.media.is_plain_text();
        let html = !plain && part.media.is("text", "html");
        return Forms {
            plain: plain.then_some(part),
            html: html.then_some(part),
        };
    }
    let alternative = part.media.subtype == "alternative";
    let mut found = Forms::default();
    for child in &part.children {
        let forms = first_text(child, Level::Inner);
        if alternative {
            found.plain = found.plain.or(forms.plain);
            found.html = found.html.or(forms.html);
        } else if has_words(forms) {
            return forms;
        } else {
            // An empty text is used if there is no other.
            found.plain = found.plain.or(forms.plain);
            found.html = found.html.or(forms.html);
        }
    }
    found
}

fn has_words(forms: Forms<'_, '_>) -> bool {
    forms
        .plain
        .is_some_and(|part| !part.text().trim().is_empty())
        || forms.html.is_some_and(|part| {
            html::lines(&part.text())
                .iter()
                .any(|line| !line.text.trim().is_empty())
        })
}

/// What the sender should know about the parts that are not read.
fn left_aside(leaves: &[&Part<'_>], forms: Forms<'_, '_>) -> Vec<Note> {
    let is_read = |leaf: &Part<'_>| {
        [forms.plain, forms.html]
            .into_iter()
            .flatten()
            .any(|part| std::ptr::eq(part, leaf))
    };
    let (mut attachments, mut texts, mut forwards) = (0, 0, 0);
    for leaf in leaves.iter().filter(|leaf| !is_read(leaf)) {
        let kind = leaf.media.kind.as_str();
        let text = leaf.media.is_plain_text() || leaf.media.is("text", "html");
        match kind {
            // Signatures are for programs.
            _ if leaf.media.subtype.ends_with("-signature") => {}
            "message" if !leaf.attached || leaf.media.subtype == "rfc822" => forwards += 1,
            "multipart" => {}
            _ if text && !leaf.attached => texts += usize::from(!leaf.text().trim().is_empty()),
            // Inline pictures are decoration.
            "image" if !leaf.attached => {}
            _ => attachments += 1,
        }
    }
    // Further texts may come in both forms; one note is enough.
    let mut notes = Vec::new();
    if attachments > 0 {
        notes.push(Note::AttachmentsDropped(attachments));
    }
    if texts > 0 {
        notes.push(Note::FurtherTextDropped);
    }
    if forwards > 0 {
        notes.push(Note::ForwardNotRead);
    }
    notes
}

/// Whether it is PGP/MIME (RFC 3156) or S/MIME (RFC 8551), or signed such that the signature encloses the text.
fn is_encrypted(root: &Part<'_>) -> bool {
    let opaque = |part: &&Part<'_>| {
        part.media.kind == "application"
            && matches!(
                part.media.subtype.as_str(),
                "pkcs7-mime" | "x-pkcs7-mime" | "pgp-encrypted" | "octet-stream"
            )
            && (part.media.subtype != "octet-stream"
                || part.file_name.as_deref().is_some_and(|name| {
                    name.ends_with(".p7m") || name.ends_with(".asc") || name.ends_with(".pgp")
                }))
    };
    root.media.is("multipart", "encrypted") || root.leaves().iter().any(opaque)
}

fn is_winmail(leaf: &Part<'_>) -> bool {
    leaf.media.is("application", "ms-tnef")
        || leaf.media.is("application", "vnd.ms-tnef")
        || leaf
            .file_name
            .as_deref()
            .is_some_and(|name| name.eq_ignore_ascii_case("winmail.dat"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inbound::fields::Fields;
    use crate::inbound::limits::Limits;

    fn read(message: &str) -> Result<(String, Vec<Note>), Reason> {
        let (fields, body) = Fields::split(message.as_bytes());
        let root = Part::read(&fields, body, &Limits::default()).unwrap();
        find(&root, None).map(|found| {
            let lines: Vec<&str> = found.lines.iter().map(|line| line.text.as_str()).collect();
            (lines.join("/"), found.notes)
        })
    }

    fn mixed(parts: &[&str]) -> Result<(String, Vec<Note>), Reason> {
        read(&format!(
            "Content-Type: multipart/mixed; boundary=x\n\n--x\n{}\n--x--\n",
            parts.join("\n--x\n")
        ))
    }

    #[test]
    fn the_first_text_is_the_text() {
        assert_eq!(
            mixed(&["\nA Par H", "\nlist footer"]),
            Ok(("A Par H".to_owned(), vec![Note::FurtherTextDropped]))
        );
        assert_eq!(
            mixed(&["\n \n", "\nA Par H"]),
            Ok(("A Par H".to_owned(), vec![]))
        );
        assert_eq!(
            mixed(&["Content-Type: text/html\n\nA Par <b>H</b>", "\nlist footer"]),
            Ok((
                "A Par H".to_owned(),
                vec![Note::HtmlUsed, Note::FurtherTextDropped]
            ))
        );
    }

    #[test]
    fn plain_text_goes_before_html_unless_it_is_empty() {
        let alternative = |plain: &str| {
            read(&format!(
                "Content-Type: multipart/alternative; boundary=x\n\n--x\nContent-Type: text/html\n\nF Lon H\n--x\n\n{plain}\n--x--"
            ))
        };
        assert_eq!(alternative("A Par H"), Ok(("A Par H".to_owned(), vec![])));
        assert_eq!(
            alternative(" \n"),
            Ok(("F Lon H".to_owned(), vec![Note::HtmlUsed]))
        );
    }

    #[test]
    fn files_are_read_only_when_there_is_nothing_else() {
        let file = "Content-Type: text/plain; name=orders.txt\n\nF Lon H";
        assert_eq!(
            mixed(&[file, "\nA Par H"]),
            Ok(("A Par H".to_owned(), vec![Note::AttachmentsDropped(1)]))
        );
        assert_eq!(
            mixed(&["\n", file]),
            Ok(("F Lon H".to_owned(), vec![Note::AttachmentRead]))
        );
        assert_eq!(
            mixed(&["Content-Type: image/png; name=a.png\n\nx"]),
            Ok((
                String::new(),
                vec![Note::NoText, Note::AttachmentsDropped(1)]
            ))
        );
        assert_eq!(
            mixed(&[
                "\nA Par H",
                "Content-Type: message/rfc822\n\nSubject: x\n\nF Lon H"
            ]),
            Ok(("A Par H".to_owned(), vec![Note::ForwardNotRead]))
        );
    }

    #[test]
    fn what_cannot_be_read_is_answered() {
        let encrypted = "Content-Type: multipart/encrypted; boundary=x\n\n--x\nContent-Type: application/pgp-encrypted\n\nVersion: 1\n--x\n\
            Content-Type: application/octet-stream; name=encrypted.asc\n\nx\n--x--";
        assert_eq!(read(encrypted), Err(Reason::Encrypted));
        assert_eq!(
            read("Content-Type: application/pkcs7-mime; smime-type=enveloped-data\n\nMII"),
            Err(Reason::Encrypted)
        );
        assert_eq!(
            mixed(&[
                "\n",
                "Content-Type: application/ms-tnef; name=winmail.dat\n\nx"
            ]),
            Err(Reason::Winmail)
        );
        assert_eq!(
            mixed(&[
                "\nA Par H",
                "Content-Type: application/ms-tnef; name=winmail.dat\n\nx"
            ]),
            Ok(("A Par H".to_owned(), vec![Note::AttachmentsDropped(1)]))
        );
    }
}
