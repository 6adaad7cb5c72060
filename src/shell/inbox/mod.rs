//! Where mail comes from: an IMAP mailbox, a Maildir, or one message on standard input.
//!
//! An inbox blocks, so it runs on a thread of its own; a [`Stopper`] wakes it from other threads.

pub mod backoff;
mod claim;
pub mod imap;
pub mod maildir;
pub mod pipe;
mod stopper;

use std::ffi::OsString;
use std::time::Duration;

use jiff::Timestamp;

pub use backoff::Backoff;
pub use claim::{Claim, ForeignInbox};
pub use stopper::Stopper;

use super::maildir::MaildirError;
use super::secret::SecretError;
use super::tls::TlsError;
use dipjudge_store::StoreId;

/// The place of a message in its inbox, valid until it is put away.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Handle {
    /// A file in `new`.
    Maildir(OsString),
    /// A message of an IMAP mailbox. Under another UIDVALIDITY the UID names some other message, or none (RFC 3501 2.3.1.1).
    Imap {
        /// The mailbox's UIDVALIDITY.
        validity: u32,
        /// The message's UID.
        uid: u32,
    },
}

/// A message that was read from an inbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FetchedMessage {
    /// Its place.
    pub handle: Handle,
    /// The whole message, or the beginning of an oversize one.
    pub bytes: Vec<u8>,
    /// The time stamped by the server: INTERNALDATE, or the time of the file. The sender cannot set it, but it may differ
    /// from the clock of the judge, so the caller bounds it.
    pub arrived: Timestamp,
    /// Whether it was larger than the limit.
    pub oversize: bool,
}

/// The result of one look into an inbox.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Look {
    /// The messages that wait, in the order of the inbox. A message is returned at every look until it is put away.
    pub mails: Vec<FetchedMessage>,
    /// Whether these are all. If not, put them away and look again; a look uses a bounded amount of memory.
    pub complete: bool,
    /// Messages that the server cannot show, each as a sentence for the keeper.
    pub unreadable: Vec<String>,
}

/// Why an inbox could not be used.
#[derive(Debug, thiserror::Error)]
pub enum InboxError {
    /// The server cannot be reached.
    #[error("cannot reach {server}: {why}")]
    Unreachable {
        /// Host and port.
        server: String,
        /// What the system said.
        why: String,
    },
    /// The certificate is wrong, or the server does not speak TLS.
    #[error("no protected connection to {server}: {why}")]
    Handshake {
        /// Host and port.
        server: String,
        /// What is wrong with it.
        why: String,
    },
    /// TLS cannot be set up.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// There is no password or token.
    #[error(transparent)]
    Secret(#[from] SecretError),
    /// The server refuses the login.
    #[error("{server} refuses the login of {user}: {why}")]
    Login {
        /// Host and port.
        server: String,
        /// The user.
        user: String,
        /// The server's words.
        why: String,
    },
    /// A mailbox is missing, cannot be made or may not be changed.
    #[error("cannot use the mailbox {name}: {why}")]
    Mailbox {
        /// Its name in the config.
        name: String,
        /// The server's words.
        why: String,
    },
    /// The server refused a command. The connection can still be used.
    #[error("the server refused {what}: {why}")]
    Refused {
        /// What was asked.
        what: &'static str,
        /// The server's words.
        why: String,
    },
    /// The connection broke, or the server does not answer.
    #[error("the connection broke during {what}: {why}")]
    Lost {
        /// What was being done.
        what: &'static str,
        /// What the system said.
        why: String,
    },
    /// The answer of the server is invalid.
    #[error("the server's answer to {what} makes no sense: {why}")]
    Nonsense {
        /// What was asked.
        what: &'static str,
        /// What is wrong with it.
        why: String,
    },
    /// The inbox belongs to another store.
    #[error(
        "{place} belongs to the judge with the store {store}, so it is left alone; if that store is lost for good, type once: dipjudge run --take-inbox"
    )]
    Foreign {
        /// The Maildir or mailbox.
        place: String,
        /// The id of that store.
        store: String,
    },
    /// A Maildir could not be read or written.
    #[error(transparent)]
    Maildir(#[from] MaildirError),
}

impl InboxError {
    /// Whether only the keeper can remove the cause, so that it is tried again slowly. Other failures mostly pass.
    pub fn needs_keeper(&self) -> bool {
        match self {
            InboxError::Tls(_)
            | InboxError::Secret(_)
            | InboxError::Login { .. }
            | InboxError::Foreign { .. }
            | InboxError::Mailbox { .. } => true,
            InboxError::Handshake { .. } | InboxError::Maildir(_) => true,
            InboxError::Unreachable { .. } | InboxError::Refused { .. } => false,
            InboxError::Lost { .. } | InboxError::Nonsense { .. } => false,
        }
    }
}

/// What to do with a message that was set aside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecallAction {
    /// It goes back to where it arrived.
    PutBack,
    /// It is removed for good.
    Remove,
}

/// Whether a message was found among those set aside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recalled {
    /// It was there, and the action is done.
    Found,
    /// It is no longer there.
    Missing,
}

/// A place where mail arrives.
///
/// Everything in it waits to be handled, and what is handled is moved away. So an inbox has no state of its own: after a
/// crash or a restart the messages that are there are to be handled, and the store knows which were seen, so that no
/// message counts twice.
pub trait Inbox: Send {
    /// Returns what waits. If the result is complete, it has everything that arrived before the call.
    fn look(&mut self) -> Result<Look, InboxError>;

    /// Waits until there may be new mail, at most this long. Returns at once if stopped or woken.
    fn wait(&mut self, at_most: Duration) -> Result<(), InboxError>;

    /// Puts away a handled message, marked as read.
    fn done(&mut self, handle: &Handle) -> Result<(), InboxError>;

    /// Sets a message aside for the keeper.
    fn reject(&mut self, handle: &Handle) -> Result<(), InboxError>;

    /// Looks among the messages set aside for one, and does this with it.
    fn recall(
        &mut self,
        wanted: &dyn Fn(&FetchedMessage) -> bool,
        action: RecallAction,
    ) -> Result<Recalled, InboxError>;

    /// Messages that were handled or set aside and arrived at this time or later, also some earlier ones. Changes nothing.
    fn put_away_since(&mut self, since: Timestamp) -> Result<Vec<FetchedMessage>, InboxError>;

    /// The stores whose marks are in the inbox; none if no judge has taken mail from it yet. Changes nothing.
    fn owners(&mut self) -> Result<Vec<StoreId>, InboxError>;

    /// As [`Inbox::done`] for many messages, with as few commands as the server allows.
    fn done_all(&mut self, handles: &[Handle]) -> Result<(), InboxError> {
        handles.iter().try_for_each(|handle| self.done(handle))
    }

    /// What ends a [`Inbox::wait`] from another thread.
    fn stopper(&self) -> Stopper;
}

/// The most bytes of an oversize message that are read: enough for its header and the first text.
const BEGINNING: u64 = 256 * 1024;

/// How many bytes of an oversize message are read if messages may have `max_bytes`.
pub(crate) fn beginning(max_bytes: u64) -> u64 {
    max_bytes.min(BEGINNING)
}

/// Cuts an oversize message to its beginning.
pub(crate) fn truncate_to_beginning(bytes: &mut Vec<u8>, max_bytes: u64) {
    bytes.truncate(usize::try_from(beginning(max_bytes)).unwrap_or(usize::MAX));
}
