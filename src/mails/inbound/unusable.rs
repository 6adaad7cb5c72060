//! Mails that are not read, and what is done with them.

use std::fmt;

use thiserror::Error;

use super::InboundMail;
use super::address::BadAddress;

/// A mail that is not read.
///
/// [`fmt::Display`] is for the keeper's log and never quotes the mail.
#[derive(Debug)]
pub struct Unusable {
    /// Why it is not read.
    pub reason: Reason,
    /// What its header says, without lines: whom to answer, whether that is allowed ([`InboundMail::may_answer`]), and its
    /// keys. `None` if it has no usable sender.
    pub mail: Option<Box<InboundMail>>,
}

/// Why a mail is not read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Reason {
    /// No bytes, or no header field.
    #[error("message without header fields")]
    Empty,
    /// More bytes than allowed, without a text at its beginning.
    #[error("message of more than {limit} bytes")]
    TooLarge {
        /// The most that is read.
        limit: usize,
    },
    /// No `From`, or nobody in it.
    #[error("message without a sender")]
    NoSender,
    /// Several mailboxes in `From`.
    #[error("message with several senders")]
    SeveralSenders,
    /// An address in `From` that the judge does not write to.
    #[error("message from an address that is not taken: {0}")]
    BadSender(BadAddress),
    /// A field twice that may occur only once (RFC 5322 3.6).
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
    /// Parts nested too deep.
    #[error("message nested deeper than {limit}")]
    TooDeep {
        /// The most that is read.
        limit: usize,
    },
    /// PGP or S/MIME ciphertext, or signed such that its text cannot be read.
    #[error("encrypted message")]
    Encrypted,
    /// Outlook's `winmail.dat` without a text.
    #[error("message in Outlook's own format")]
    Winmail,
}

/// What to do with a mail that is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Treatment {
    /// Keep it for the keeper. Nobody is answered, since the sender is in doubt or the mail runs in circles.
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

    /// What the sender is told, in whole sentences; `None` for mails that are set aside.
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
    /// What to do. A mail without a usable sender is not answered.
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
