//! Mails that are not read, and what becomes of them.

use std::fmt;

use thiserror::Error;

use super::InboundMail;
use super::address::BadAddress;

/// A mail that is not read.
///
/// [`fmt::Display`] is for the keeper's log and never quotes the mail.
#[derive(Debug)]
pub struct Unusable {
    /// What keeps it from being read.
    pub reason: Reason,
    /// What its header says, with no lines, where it has one sound sender: whom to answer, whether that is allowed
    /// ([`InboundMail::may_answer`]), what to key it with. `None` if it has not.
    pub mail: Option<Box<InboundMail>>,
}

/// Why a mail is not read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Reason {
    /// No byte, or no header field.
    #[error("message without header fields")]
    Empty,
    /// More bytes than allowed, and no text at its beginning.
    #[error("message of more than {limit} bytes")]
    TooLarge {
        /// The most that is read.
        limit: usize,
    },
    /// No `From`, or nobody in it.
    #[error("message without a sender")]
    NoSender,
    /// A `From` that names several mailboxes.
    #[error("message with several senders")]
    SeveralSenders,
    /// An address in `From` that the judge does not write to.
    #[error("message from an address that is not taken: {0}")]
    BadSender(BadAddress),
    /// A field twice that may stand once only (RFC 5322 3.6).
    #[error("message with two {0} fields")]
    Repeated(&'static str),
    /// It has passed through too many hosts.
    #[error("message with {0} received fields")]
    Circling(usize),
    /// Too many parts.
    #[error("message of more than {limit} parts")]
    TooManyParts {
        /// The most that is read.
        limit: usize,
    },
    /// Parts in parts, too deep.
    #[error("message nested deeper than {limit}")]
    TooDeep {
        /// The most that is read.
        limit: usize,
    },
    /// PGP or S/MIME ciphertext, or signed so that its text cannot be seen.
    #[error("encrypted message")]
    Encrypted,
    /// Outlook's `winmail.dat` and no text beside it.
    #[error("message in Outlook's own format")]
    Winmail,
}

/// What to do with a mail that is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Treatment {
    /// Keep it for the keeper to look at; nobody is answered, since who wrote is in doubt or it circles.
    SetAside,
    /// Answer with [`Reason::sentence`], if [`InboundMail::may_answer`] allows it.
    Answer,
}

impl Reason {
    /// What to do.
    pub fn treatment(&self) -> Treatment {
        match self.sentence() {
            Some(_) => Treatment::Answer,
            None => Treatment::SetAside,
        }
    }

    /// What the sender is told, in whole sentences; `None` for mails that are set aside without an answer.
    pub fn sentence(&self) -> Option<String> {
        match self {
            Reason::TooLarge { limit } => Some(format!(
                "Your mail was not read: it is larger than the {} kB this judge takes, \
                 and no text stands at its beginning. \
                 Please send plain text without attachments.",
                limit / 1024
            )),
            Reason::TooManyParts { .. } | Reason::TooDeep { .. } => Some(
                "Your mail was not read: it is made of too many parts. \
                 Please send plain text without attachments."
                    .to_owned(),
            ),
            Reason::Encrypted => Some(
                "Your mail was not read: it is encrypted, and this judge has no key. \
                 Please send plain text."
                    .to_owned(),
            ),
            Reason::Winmail => Some(
                "Your mail was not read: it came in a format of Outlook (winmail.dat) \
                 that only Outlook reads. Please send plain text."
                    .to_owned(),
            ),
            _ => None,
        }
    }
}

impl Unusable {
    /// What to do; nothing is answered to a mail without a sound sender.
    pub fn treatment(&self) -> Treatment {
        match self.mail {
            Some(_) => self.reason.treatment(),
            None => Treatment::SetAside,
        }
    }
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.reason.fmt(f)
    }
}

impl std::error::Error for Unusable {}
