//! Where mail goes: an SMTP server or a Maildir. Each mail has one recipient.

pub mod maildir;
pub mod pace;
pub mod picture_allowance;
pub mod reply;
pub mod schedule;
pub mod smtp;

use std::pin::Pin;

pub use maildir::MaildirOutbox;
pub use pace::Pace;
pub use picture_allowance::PictureAllowance;
pub use reply::Refusal;
pub use schedule::next_attempt;
pub use smtp::{SmtpOutbox, SmtpSettings, SmtpTimeouts};

use super::secret::SecretError;
use super::tls::TlsError;

/// A mail in the outbox. Every attempt sends the same bytes, so that a mail sent twice has one Message-ID.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outgoing {
    /// The envelope sender, where bounces go; empty for the null path.
    pub envelope_from: String,
    /// The only recipient.
    pub to: String,
    /// The whole message, header and body.
    pub bytes: Vec<u8>,
}

/// The outcome of one attempt. Every `why` is for the keeper: the words of the server or the system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SendOutcome {
    /// The server accepted the mail.
    Delivered,
    /// To be tried again later ([`next_attempt`]); given up after four days.
    Later {
        /// What happened.
        why: String,
        /// Whether the server wants all mail to be sent more slowly ([`Pace::slow`]).
        slow_all: bool,
    },
    /// The server cannot be reached, broke the connection, or accepts nothing at the moment. The mail counts as not tried.
    Away {
        /// What happened.
        why: String,
        /// As in [`SendOutcome::Later`].
        slow_all: bool,
    },
    /// The recipient is refused, as by a bounce.
    Refused {
        /// What the server said.
        why: String,
        /// The refusal for comparison with others; `None` if the server was not asked.
        refusal: Option<Refusal>,
    },
    /// Refused permanently before the text, because of the judge rather than the recipient: to be tried again later.
    PutOff {
        /// What the server said.
        why: String,
        /// The refusal for comparison with others.
        refusal: Refusal,
    },
    /// The server refuses the content or size of this mail: it may accept it without its picture, or as text alone. Other
    /// mails are still sent, or one player's press could silence the judge.
    Unwanted {
        /// What the server said.
        why: String,
        /// The refusal for comparison with others.
        refusal: Refusal,
    },
    /// The configuration is wrong: the queue stops, the keeper is told, and every mail is kept.
    Stop {
        /// What is wrong.
        why: String,
    },
}

/// The future of an attempt.
pub type Sending<'a> = Pin<Box<dyn Future<Output = SendOutcome> + Send + 'a>>;

/// A way to send mail. Its futures run inside a tokio runtime with timers and I/O; several may run at once.
pub trait Outbox: Send + Sync {
    /// How many mails it can send in parallel.
    fn at_once(&self) -> usize;

    /// Tries once to send a mail.
    fn send<'a>(&'a self, mail: &'a Outgoing) -> Sending<'a>;

    /// Closes the connections. Mail may be sent afterwards, over new connections.
    fn close<'a>(&'a self) -> Pin<Box<dyn Future<Output = ()> + Send + 'a>>;
}

/// Why an outbox cannot be set up.
#[derive(Debug, thiserror::Error)]
pub enum OutboxError {
    /// TLS cannot be set up.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// There is no password or token.
    #[error(transparent)]
    Secret(#[from] SecretError),
    /// The Maildir cannot be made.
    #[error(transparent)]
    Maildir(#[from] super::maildir::MaildirError),
    /// A user without a password, or a password without a user.
    #[error("the outbox needs either both a user and a password or neither")]
    HalfLogin,
}
