//! Where mail comes from: an IMAP mailbox, a Maildir, or one message on standard input.
//!
//! An inbox blocks. It lives on a thread of its own, which a [`Stopper`] can wake from outside.

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
pub use claim::Claim;
pub use stopper::Stopper;

use super::maildir::MaildirError;
use super::secret::SecretError;
use super::tls::TlsError;
use dipjudge_store::StoreId;

/// A message's place in its inbox, good until it is put away.
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

/// A message as it was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetched {
    /// Its place.
    pub handle: Handle,
    /// The whole message; of an oversize one, its beginning.
    pub bytes: Vec<u8>,
    /// When its server stamped it: INTERNALDATE, or the file's time. Strangers' clocks have no part in it, but ours may differ
    /// from it, so the caller bounds it from both sides.
    pub arrived: Timestamp,
    /// Whether it was larger than the limit.
    pub oversize: bool,
}

/// What one look into an inbox found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Look {
    /// What waits to be handled, in the order of arrival in the inbox. A message comes back at every look until it is put away.
    pub mails: Vec<Fetched>,
    /// Whether that is all. If not, put these away and look again: a look takes a bounded amount of memory.
    pub complete: bool,
    /// Messages that the server could not be made to show, for the keeper: each is one whole sentence.
    pub unreadable: Vec<String>,
}

/// Why an inbox could not be used.
#[derive(Debug, thiserror::Error)]
pub enum InboxError {
    /// The name, the network or the server's port.
    #[error("cannot reach {server}: {why}")]
    Unreachable {
        /// Host and port.
        server: String,
        /// What the system said.
        why: String,
    },
    /// The server is not who it says, or does not speak TLS.
    #[error("no protected connection to {server}: {why}")]
    Handshake {
        /// Host and port.
        server: String,
        /// What is wrong with it.
        why: String,
    },
    /// TLS cannot even be tried.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// No password or token.
    #[error(transparent)]
    Secret(#[from] SecretError),
    /// The server knows no such user, or not with this password.
    #[error("{server} refuses the login of {user}: {why}")]
    Login {
        /// Host and port.
        server: String,
        /// Who wanted in.
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
    /// The server refused something that it should have done. The connection is still good.
    #[error("the server refused {what}: {why}")]
    Refused {
        /// What was asked.
        what: &'static str,
        /// The server's words.
        why: String,
    },
    /// The connection is gone, or the server fell silent.
    #[error("the connection broke during {what}: {why}")]
    Lost {
        /// What was being done.
        what: &'static str,
        /// What the system said.
        why: String,
    },
    /// The server said what no server should.
    #[error("the server's answer to {what} makes no sense: {why}")]
    Nonsense {
        /// What was asked.
        what: &'static str,
        /// In what way.
        why: String,
    },
    /// It bears the id of another store.
    #[error(
        "{place} belongs to the judge with the store {store}, so it is left alone; if that store is lost for good, type once: dipjudge run --take-inbox"
    )]
    Foreign {
        /// The Maildir or mailbox.
        place: String,
        /// Whose it is.
        store: String,
    },
    /// A Maildir could not be read or written.
    #[error(transparent)]
    Maildir(#[from] MaildirError),
}

impl InboxError {
    /// Whether only the keeper can cure it: to be told once and tried again slowly. All else passes by itself, mostly.
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

/// What becomes of a message that was set aside.
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
/// Everything in it waits to be handled, and what is handled is moved away. So an inbox needs no memory of its own: after a crash, a
/// restart, or a mailbox made anew, what lies there is what is to be done, and the judge's own table of seen messages keeps a
/// message from counting twice.
pub trait Inbox: Send {
    /// Looks at everything that waits. What arrived before the call is in it, if it is complete.
    fn look(&mut self) -> Result<Look, InboxError>;

    /// Waits until there may be something new, at most so long. Returns at once when stopped or woken.
    fn wait(&mut self, at_most: Duration) -> Result<(), InboxError>;

    /// A message is handled: away with it, and marked as read.
    fn done(&mut self, handle: &Handle) -> Result<(), InboxError>;

    /// A message is set aside for the keeper.
    fn reject(&mut self, handle: &Handle) -> Result<(), InboxError>;

    /// Looks among the messages set aside for one, and does this with it.
    fn recall(
        &mut self,
        wanted: &dyn Fn(&Fetched) -> bool,
        action: RecallAction,
    ) -> Result<Recalled, InboxError>;

    /// The stores whose marks it bears; none if nobody has taken mail from it yet. Changes nothing.
    fn bearers(&mut self) -> Result<Vec<StoreId>, InboxError>;

    /// As [`Inbox::done`] for many, with as few questions to the server as it allows.
    fn done_all(&mut self, handles: &[Handle]) -> Result<(), InboxError> {
        handles.iter().try_for_each(|handle| self.done(handle))
    }

    /// What ends a [`Inbox::wait`] from another thread.
    fn stopper(&self) -> Stopper;
}

/// So much of an oversize message is taken: its header and its first text, however it is packed.
const BEGINNING: u64 = 256 * 1024;

/// How much of an oversize message is taken where messages may have so many bytes.
pub(crate) fn beginning(max_bytes: u64) -> u64 {
    max_bytes.min(BEGINNING)
}

/// Cuts an oversize message to its beginning.
pub(crate) fn cut_to_beginning(bytes: &mut Vec<u8>, max_bytes: u64) {
    bytes.truncate(usize::try_from(beginning(max_bytes)).unwrap_or(usize::MAX));
}
