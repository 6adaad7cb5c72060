//! Reads mails: turns the bytes of a message into the words that its sender meant.
//!
//! [`read`] is pure and bounded: any bytes give an [`InboundMail`] or an [`Unusable`], in time linear in their number.
//! Who the sender is to the judge and whether a line is a command is decided elsewhere; the forms of mails and what mail
//! programs do to them are handled here.

mod abuse_report;
mod address;
mod answering;
mod attribution;
mod authentication;
mod body_line;
mod body_part;
mod calendar;
mod clean;
mod css;
mod decode;
mod failure_text;
mod failure_words;
mod fields;
mod html;
mod html_elements;
mod html_visibility;
mod kind;
mod limits;
mod machine_address;
mod note;
mod part_tree;
mod quotation_words;
mod quote;
mod raw_line;
mod readable;
mod redact;
mod report;
mod token;
mod unusable;
mod word_table;

pub use abuse_report::AbuseReport;
pub use address::{Address, BadAddress};
pub use answering::NoAnswer;
pub use authentication::{Authentication, Proof};
pub use body_line::{BodyLine, LineFault};
pub use calendar::{CalendarAnswer, CalendarWords};
pub use clean::{clean_header_text, clean_line};
pub use kind::MailKind;
pub use limits::Limits;
pub use note::Note;
pub use quote::LinePart;
pub use readable::{readable, senders};
pub use redact::{redact, redact_quoted, secrets};
pub use report::{DsnAction, DsnRecipient, DsnReport, Status};
pub use unusable::{Reason, Treatment, Unusable};

use jiff::Timestamp;
use sha2::{Digest, Sha256};

use answering::Marks;
use body_line::TextExtent;
use fields::{Fields, MailboxError};
use part_tree::{Part, TreeError};

/// The longest subject that is kept, in characters; there may be a token at its end.
const MAX_SUBJECT: usize = 300;

/// The most message ids that an answer refers to: the oldest, which names the thread, and the newest.
const MAX_REFERENCES: usize = 20;

/// A message, read.
#[derive(Clone, Debug)]
pub struct InboundMail {
    /// The sender: the only mailbox in `From`. For a bounce without one a placeholder at the host `invalid`.
    pub from: Address,
    /// Where the sender wants answers, if that is another mailbox. Use [`InboundMail::answer_to`] to answer.
    pub reply_to: Option<Address>,
    /// The Message-ID, in angle brackets; `None` if there is no well-formed one. It is a claim of the sender's, so it is
    /// combined with his address as a key ([`InboundMail::message_key`]).
    pub message_id: Option<String>,
    /// The message it answers, in angle brackets.
    pub in_reply_to: Option<String>,
    /// The thread, oldest first, each in angle brackets.
    pub references: Vec<String>,
    /// Decoded, one line, no controls.
    pub subject: String,
    /// The date that the sender claims; only for display.
    pub date: Option<Timestamp>,
    /// `To` and `Cc`.
    pub to: Vec<Address>,
    /// The addresses that it was delivered to: of the envelope, `Envelope-To`, `Delivered-To`, `X-Original-To`.
    pub delivered_to: Vec<Address>,
    /// The text, without trailing empty lines. Empty for mails of machines, except answers of calendars.
    pub lines: Vec<BodyLine>,
    /// Whether a person or which kind of program wrote it.
    pub kind: MailKind,
    /// What hosts on the way say about the sender.
    pub authentication: Authentication,
    /// What the sender should be told.
    pub notes: Vec<Note>,
    /// SHA-256 over envelope sender, `From`, subject and decoded text: equal for two copies of one mail, even if their ids,
    /// dates and routes differ.
    pub content_key: [u8; 32],
    /// The size of the message as it came; of one that is too large, that of its beginning.
    pub bytes: usize,
    marks: Marks,
}

/// What is known about a message from its delivery.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Envelope<'a> {
    /// The sender by SMTP; `Some("")` is the null path. `None`: the topmost `Return-Path` counts.
    pub from: Option<&'a str>,
    /// The recipient by SMTP, with its token if it has one.
    pub to: Option<&'a str>,
    /// Only the beginning was fetched, because the message is too large.
    pub oversize: bool,
}

/// Reads a message without an envelope of its own. See [`read_delivered`].
///
/// # Errors
/// As [`read_delivered`].
///
/// ```
/// use dipjudge_mails::inbound::{Limits, read};
/// let mail = read(b"From: Anna <anna@example.org>\r\n\r\nSIGNON Ifriday ipw\r\n> old words\r\n", &Limits::default()).unwrap();
/// assert_eq!(mail.own_lines().map(|line| line.text.as_str()).collect::<Vec<_>>(), ["SIGNON Ifriday ipw"]);
/// ```
pub fn read(bytes: &[u8], limits: &Limits) -> Result<InboundMail, Unusable> {
    read_delivered(bytes, &Envelope::default(), limits)
}

/// Reads a message with its envelope. Line ends may be CRLF or LF; a leading mbox line is skipped.
///
/// # Errors
/// [`Unusable`] if the sender is in doubt, or the mail is too large, has too many parts, runs in circles or is encrypted.
pub fn read_delivered(
    bytes: &[u8],
    envelope: &Envelope<'_>,
    limits: &Limits,
) -> Result<InboundMail, Unusable> {
    let message = without_mbox_line(bytes);
    let too_large = envelope.oversize || bytes.len() > limits.bytes;
    // No more than the allowed bytes of an oversized message are read.
    let looked_at = message.get(..limits.bytes).unwrap_or(message);
    let (fields, body) = Fields::split(looked_at);
    if fields.is_empty() {
        return Err(Unusable {
            reason: Reason::Empty,
            mail: None,
        });
    }
    let mut mail = match letterhead(&fields, envelope, limits) {
        Ok(mail) => mail,
        Err(reason) => return Err(Unusable { reason, mail: None }),
    };
    mail.bytes = bytes.len();
    let refuse = |reason, mail| {
        Err(Unusable {
            reason,
            mail: Some(Box::new(mail)),
        })
    };
    let root = match Part::read(&fields, body, limits) {
        Ok(root) => root,
        Err(error) => {
            mail.content_key = content_key(&mail, envelope, &String::from_utf8_lossy(body));
            return match error {
                // A mail of a program is never answered, and a bounce counts without its parts.
                _ if mail.kind.is_from_a_machine() => Ok(mail),
                TreeError::TooManyParts => refuse(
                    Reason::TooManyParts {
                        limit: limits.parts,
                    },
                    mail,
                ),
                TreeError::TooDeep => refuse(
                    Reason::TooDeep {
                        limit: limits.depth,
                    },
                    mail,
                ),
            };
        }
    };
    mail.kind = kind::with_parts(&mail, &root, limits);
    // A part that ends where a large message was cut off may be incomplete.
    let cut_at = too_large.then_some(looked_at);
    let mut found = body_part::find(&root, cut_at);
    // Programs mark what a person has clicked and typed as automatic.
    let by_calendar = matches!(
        mail.kind,
        MailKind::Ordinary | MailKind::AutoSubmitted { .. }
    );
    if by_calendar && let Some(answer) = calendar::answer(&root) {
        let mut words = CalendarWords::SenderOrCalendar;
        if !answer.comment.is_empty() {
            words = CalendarWords::Comment;
            if let Ok(found) = &mut found {
                found.lines = raw_line::fixed(&answer.comment);
                found.decoded = answer.comment;
                found.extent = TextExtent::Whole;
            }
        }
        mail.kind = MailKind::CalendarAnswer(CalendarAnswer {
            entry: answer.entry,
            words,
        });
    }
    let decoded = found.as_ref().map_or_else(
        |_| String::from_utf8_lossy(body),
        |found| found.decoded.as_str().into(),
    );
    mail.content_key = content_key(&mail, envelope, &decoded);
    if let (MailKind::CalendarAnswer(_), Ok(found)) = (&mail.kind, &mut found) {
        mail.lines = body_line::body(std::mem::take(&mut found.lines), found.extent, limits).lines;
    }
    if mail.kind.is_from_a_machine() {
        // A bounce may contain the whole mail that came back, with orders and password, which must not be read by mistake.
        return Ok(mail);
    }
    let found = match found {
        Ok(found) => found,
        Err(reason) => return refuse(reason, mail),
    };
    let body = body_line::body(found.lines, found.extent, limits);
    if body.encrypted {
        return refuse(Reason::Encrypted, mail);
    }
    let limit = limits.bytes;
    if too_large && body.lines.is_empty() {
        return refuse(Reason::TooLarge { limit }, mail);
    }
    mail.lines = body.lines;
    mail.notes = found.notes;
    if too_large {
        // The other parts were not seen completely, so they are not counted.
        mail.notes.retain(|note| !note.is_of_other_parts());
        mail.notes.push(Note::RestNotRead { limit });
    }
    if body.extent == TextExtent::Cut {
        let last = mail.lines.last().map_or(0, |line| line.number);
        mail.notes.push(Note::TextCut { last });
    }
    let unreadable = |line: &&BodyLine| line.fault == Some(LineFault::Unreadable);
    let unreadable: Vec<usize> = mail
        .own_lines()
        .filter(unreadable)
        .map(|line| line.number)
        .collect();
    if !unreadable.is_empty() {
        mail.notes.push(Note::Unreadable(unreadable));
    }
    Ok(mail)
}

/// Reads the header of a message only. `None` if its sender is in doubt.
pub fn read_header(bytes: &[u8], limits: &Limits) -> Option<InboundMail> {
    let message = without_mbox_line(bytes);
    let (fields, _) = Fields::split(message.get(..limits.bytes).unwrap_or(message));
    letterhead(&fields, &Envelope::default(), limits).ok()
}

/// Everything that the header says.
fn letterhead(
    fields: &Fields<'_>,
    envelope: &Envelope<'_>,
    limits: &Limits,
) -> Result<InboundMail, Reason> {
    let received = fields.count("received");
    if received > limits.received {
        return Err(Reason::Circling(received));
    }
    let subject = clean::clean_to(&fields.decoded("subject").unwrap_or_default(), MAX_SUBJECT);
    let marks = Marks::read(fields, envelope.from, &subject);
    let from = fields.one_mailbox("from");
    // Old hosts put names that are not addresses into `From` of their bounces: `MAILER-DAEMON`.
    let by_machine = from.as_ref().map_or(true, machine_address::is_machine);
    let sender = kind::SenderMarks {
        null_path: marks.null_path,
        machine: by_machine,
    };
    let kind = kind::by_header(fields, sender);
    match fields.repeated() {
        Some("from") => return Err(Reason::SeveralSenders),
        // Nobody acts on what a program sends, so its notice counts however it is written.
        Some(other) if !kind.is_from_a_machine() => return Err(Reason::Repeated(other)),
        _ => {}
    }
    let from = match (from, kind.is_from_a_machine()) {
        (Ok(from), _) => from,
        (Err(_), true) => Address::of_a_machine(),
        (Err(MailboxError::None), _) => return Err(Reason::NoSender),
        (Err(MailboxError::Several), _) => return Err(Reason::SeveralSenders),
        (Err(MailboxError::Bad(why)), _) => return Err(Reason::BadSender(why)),
    };
    let mut ids = fields.ids("message-id");
    let mut to = fields.addresses("to");
    to.extend(fields.addresses("cc"));
    let mut delivered_to: Vec<Address> = envelope
        .to
        .and_then(|to| Address::parse(to.trim().trim_matches(['<', '>'])).ok())
        .into_iter()
        .collect();
    for name in ["envelope-to", "delivered-to", "x-original-to"] {
        for address in fields.addresses(name) {
            if !delivered_to.contains(&address) && delivered_to.len() < 50 {
                delivered_to.push(address);
            }
        }
    }
    Ok(InboundMail {
        reply_to: fields
            .one_mailbox("reply-to")
            .ok()
            .filter(|reply_to| *reply_to != from),
        message_id: if ids.len() == 1 { ids.pop() } else { None },
        in_reply_to: fields.ids("in-reply-to").into_iter().next(),
        references: fields.ids("references"),
        subject,
        date: fields.date(),
        to,
        delivered_to,
        lines: Vec::new(),
        kind,
        authentication: Authentication::read(fields),
        notes: Vec::new(),
        content_key: [0; 32],
        bytes: 0,
        marks,
        from,
    })
}

impl InboundMail {
    /// The lines to read commands and orders from: the sender's own, without quotations, signatures and empty lines. Lines
    /// with a [`LineFault`] are included, so that they can be quoted back.
    pub fn own_lines(&self) -> impl Iterator<Item = &BodyLine> {
        self.lines
            .iter()
            .filter(|line| line.part == LinePart::Own && !line.is_blank())
    }

    /// The id of the message that this one answers, as far as it says so.
    pub fn answered(&self) -> Option<&String> {
        self.in_reply_to.as_ref().or_else(|| self.references.last())
    }

    /// The sender by SMTP, if it is a usable address: where hosts send bounces.
    pub fn envelope_from(&self) -> Option<&Address> {
        self.marks.envelope_from.as_ref()
    }

    /// Whether an automatic answer may be sent (RFC 3834). Orders of a known sender may count even if not. `judge` is the
    /// judge's own address without a token.
    ///
    /// # Errors
    /// The first reason not to answer.
    pub fn may_answer(&self, judge: &Address) -> Result<(), NoAnswer> {
        self.marks.may_answer(&self.from, &self.kind, judge)
    }

    /// Where a stranger is answered: `Reply-To` only if it is in the domain of `From`, since otherwise anybody could make the
    /// judge write to third parties. Players are answered at their registered address.
    pub fn answer_to(&self) -> &Address {
        match &self.reply_to {
            Some(reply_to) if reply_to.domain() == self.from.domain() => reply_to,
            _ => &self.from,
        }
    }

    /// The token of the reply, in lower case: of `judge+TOKEN@` among the addresses that the mail was delivered to, then in
    /// `To` and `Cc`, then of `[#TOKEN]` in the subject. `judge` is the judge's own address.
    pub fn token(&self, judge: &Address) -> Option<String> {
        self.tokens(judge).into_iter().next()
    }

    /// All tokens in the order of [`InboundMail::token`]; several mean that mails of two games were mixed.
    pub fn tokens(&self, judge: &Address) -> Vec<String> {
        token::tokens(
            self.delivered_to.iter().chain(&self.to),
            &self.subject,
            judge,
        )
    }

    /// Whether the host that the configuration trusts has proven `From`; `None` trusts no host, and then a signature counts.
    pub fn proven(&self, authserv_id: Option<&str>) -> Proof {
        self.authentication.proven(authserv_id, &self.from)
    }

    /// The same mail, if a signature of its sender's domain was found valid.
    #[must_use]
    pub fn signed_by_its_domain(mut self) -> InboundMail {
        self.authentication = self.authentication.signed();
        self
    }

    /// SHA-256 over sender and Message-ID: equal for a message that came twice. `None` without a well-formed id.
    pub fn message_key(&self) -> Option<[u8; 32]> {
        let id = self.message_id.as_deref()?;
        Some(digest(&[
            b"message",
            self.from.key().as_bytes(),
            id.as_bytes(),
        ]))
    }

    /// The `References` of an answer (RFC 5322 3.6.4): those of this mail and its own id, at most 20, the first kept.
    pub fn answer_references(&self) -> Vec<String> {
        let mut thread = if self.references.is_empty() {
            self.in_reply_to.iter().cloned().collect()
        } else {
            self.references.clone()
        };
        thread.extend(
            self.message_id
                .iter()
                .filter(|id| !self.references.contains(id))
                .cloned(),
        );
        while thread.len() > MAX_REFERENCES {
            thread.remove(1);
        }
        thread
    }
}

/// Whether what a host has sealed about a mail (`ARC-Authentication-Results`) says that it is from this address.
pub fn sealed_results_prove(field: &str, from: &Address) -> bool {
    authentication::sealed_results_prove(field, from)
}

fn content_key(mail: &InboundMail, envelope: &Envelope<'_>, text: &str) -> [u8; 32] {
    let sender = match (&mail.marks.envelope_from, envelope.from) {
        (Some(sender), _) => sender.key(),
        (None, text) => text.unwrap_or_default().to_owned(),
    };
    // Copies that took different routes differ in line ends and trailing blanks only.
    let lines: Vec<&str> = clean::lines_of(text)
        .into_iter()
        .map(str::trim_end)
        .collect();
    let text = lines.join("\n");
    digest(&[
        b"content",
        sender.as_bytes(),
        mail.from.key().as_bytes(),
        mail.subject.as_bytes(),
        text.trim_end().as_bytes(),
    ])
}

/// SHA-256 over pieces, each preceded by its length, so that different lists of pieces give different input.
fn digest(pieces: &[&[u8]]) -> [u8; 32] {
    let mut hash = Sha256::new();
    for piece in pieces {
        hash.update((piece.len() as u64).to_be_bytes());
        hash.update(piece);
    }
    hash.finalize().into()
}

/// Removes the mbox line that pipes put first (`From ben@example.org Mon Mar  2 …`); it is not a header field.
pub fn without_mbox_line(bytes: &[u8]) -> &[u8] {
    if bytes.starts_with(b"From ") || bytes.starts_with(b">From ") {
        let end = bytes
            .iter()
            .position(|byte| *byte == b'\n')
            .map_or(bytes.len(), |at| at + 1);
        return bytes.get(end..).unwrap_or_default();
    }
    bytes
}
