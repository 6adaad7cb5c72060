//! What a sender is told about how his mail was read.

use std::fmt;

/// Something about a mail that its sender may not have meant. [`fmt::Display`] writes a whole sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// This many attachments were not read.
    AttachmentsDropped(usize),
    /// A second text (for example below a picture) was not read.
    FurtherTextDropped,
    /// A forwarded message was not read.
    ForwardNotRead,
    /// There was no plain text, so the HTML was read.
    HtmlUsed,
    /// There was no text in the mail, so an attached text file was read.
    AttachmentRead,
    /// The mail has no text.
    NoText,
    /// The message is larger than the limit: nothing after its first text was read.
    RestNotRead {
        /// The limit in bytes.
        limit: usize,
    },
    /// Text beyond the limits was not read.
    TextCut {
        /// The number of the last line that was read.
        last: usize,
    },
    /// These lines (by number) contain characters that could not be decoded.
    Unreadable(Vec<usize>),
}

impl Note {
    /// Whether it is about parts of the mail other than its text.
    pub(super) fn is_of_other_parts(&self) -> bool {
        matches!(
            self,
            Note::AttachmentsDropped(_) | Note::FurtherTextDropped | Note::ForwardNotRead
        )
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::AttachmentsDropped(1) => f.write_str("The attachment of your mail was not read."),
            Note::AttachmentsDropped(count) => {
                write!(f, "The {count} attachments of your mail were not read.")
            }
            Note::FurtherTextDropped => f.write_str(
                "Only the first text of your mail was read. Please put everything above pictures and attachments.",
            ),
            Note::ForwardNotRead => f.write_str("The forwarded message in your mail was not read."),
            Note::HtmlUsed => f.write_str(
                "Your mail was HTML only. I read it as plain text; please check the orders below.",
            ),
            Note::AttachmentRead => {
                f.write_str("Your mail itself was empty, so the attached text file was read.")
            }
            Note::NoText => f.write_str("Your mail holds no text."),
            Note::RestNotRead { limit } => write!(
                f,
                "Your mail is larger than {} kB. Its first text was read; \
                 what stands behind it, such as pictures, was not.",
                limit / 1024
            ),
            Note::TextCut { last } => write!(
                f,
                "Your mail is longer than this judge reads. Its end, behind line {last}, was not read."
            ),
            Note::Unreadable(lines) => {
                write!(
                    f,
                    "{} could not be read: damaged on the way, or in an unknown character set. Please send those \
                     lines again as plain text.",
                    listed(lines)
                )
            }
        }
    }
}

/// `Signs of line 4`, `Signs of lines 4 and 7`; a long list is summarized.
fn listed(lines: &[usize]) -> String {
    match lines {
        [one] => format!("Signs of line {one}"),
        [first, .., last] if lines.len() > 8 => {
            format!("Signs of {} lines between {first} and {last}", lines.len())
        }
        [many @ .., last] => {
            let many: Vec<String> = many.iter().map(usize::to_string).collect();
            format!("Signs of lines {} and {last}", many.join(", "))
        }
        [] => "Signs of some lines".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_sentences() {
        let said = |lines: Vec<usize>| Note::Unreadable(lines).to_string();
        assert!(said(vec![4]).starts_with("Signs of line 4 could not be read: "));
        assert!(said(vec![4, 5, 9]).starts_with("Signs of lines 4, 5 and 9 could"));
        assert!(said((1..100).collect()).starts_with("Signs of 99 lines between 1 and 99 could"));
        assert_eq!(
            Note::AttachmentsDropped(2).to_string(),
            "The 2 attachments of your mail were not read."
        );
    }
}
