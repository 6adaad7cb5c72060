//! Where mail goes to: an SMTP server, or a Maildir. One mail, one recipient.

pub mod maildir;
pub mod pace;
pub mod reply;
pub mod schedule;
pub mod smtp;

use std::pin::Pin;

pub use maildir::MaildirOutbox;
pub use pace::Pace;
pub use reply::Refusal;
pub use schedule::next_attempt;
pub use smtp::{SmtpOutbox, SmtpSettings, SmtpTimeouts};

use super::secret::SecretError;
use super::tls::TlsError;

/// A mail as it stands in the outbox: the same bytes at every attempt, so that a mail sent twice has one Message-ID.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outgoing {
    /// Envelope sender, where bounces go; empty for the null path, which nobody answers.
    pub envelope_from: String,
    /// The only recipient.
    pub to: String,
    /// The whole message, header and body.
    pub bytes: Vec<u8>,
}

/// What became of one attempt. Every `why` is for the keeper: the server's words, or the system's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sent {
    /// The server has taken it: remove the row.
    Delivered,
    /// Try again later ([`next_attempt`]); given up after four days as if refused.
    Later {
        /// What happened.
        why: String,
        /// Whether the server wants us to be slower with everything, not only with this mail ([`Pace::slow`]).
        slow_all: bool,
    },
    /// The server cannot be reached, broke the connection, or takes nothing from anybody at the moment. That says nothing about
    /// this mail, which is as if it had not been tried.
    Away {
        /// What happened.
        why: String,
        /// As in [`Sent::Later`].
        slow_all: bool,
    },
    /// This recipient is not to be had: as a bounce.
    Refused {
        /// What the server said.
        why: String,
        /// The same as it can be compared with others; none where the server was not asked.
        refusal: Option<Refusal>,
    },
    /// Refused for good before the text, for what the server holds against us rather than against the recipient: try again later
    /// all the same.
    PutOff {
        /// What the server said.
        why: String,
        /// The same as it can be compared with others.
        refusal: Refusal,
    },
    /// The server will not have this mail, for its content or its size: it may have it without its picture, or as text alone. Not a
    /// stop by itself, or one player's press could silence the judge.
    Unwanted {
        /// What the server said.
        why: String,
        /// The same as it can be compared with others.
        refusal: Refusal,
    },
    /// Something is wrong with our configuration: stop the queue, tell the keeper, keep every row.
    Stop {
        /// What is wrong.
        why: String,
    },
}

/// A send under way.
pub type Sending<'a> = Pin<Box<dyn Future<Output = Sent> + Send + 'a>>;

/// A way out. Its futures run inside a tokio runtime with timers and I/O; several may run at once.
pub trait Outbox: Send + Sync {
    /// How many mails it can send side by side.
    fn at_once(&self) -> usize;

    /// Tries once to send a mail.
    fn send<'a>(&'a self, mail: &'a Outgoing) -> Sending<'a>;

    /// Says goodbye to the server. Sending may go on afterwards, over new connections.
    fn close<'a>(&'a self) -> Pin<Box<dyn Future<Output = ()> + Send + 'a>>;
}

/// Why an outbox cannot even be set up.
#[derive(Debug, thiserror::Error)]
pub enum OutboxError {
    /// TLS.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// No password or token.
    #[error(transparent)]
    Secret(#[from] SecretError),
    /// A Maildir.
    #[error(transparent)]
    Maildir(#[from] super::maildir::MaildirError),
    /// A password without a name, or the other way round.
    #[error("the outbox needs either both a user and a password or neither")]
    HalfLogin,
}
