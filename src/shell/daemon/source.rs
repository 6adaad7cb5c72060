//! A source of mail for the processor: an inbox, or an inbox on a thread of its own.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::inbox::{Handle, Inbox, InboxError, Look};

/// The name of the inbox that the config names.
pub const INBOX: &str = "inbox";
/// The name of the folder into which `deliver` writes.
pub const SPOOL: &str = "spool";

/// Why an inbox cannot be used now.
#[derive(Debug, Clone, thiserror::Error)]
pub enum MailboxError {
    /// The inbox failed. While it is left alone, the same error answers every request.
    #[error(transparent)]
    Inbox(#[from] Arc<InboxError>),
    /// The daemon stops, so nobody waits for the answer.
    #[error("the judge stops")]
    Stopping,
    /// The thread of the inbox is gone.
    #[error("its thread has ended, which is a fault of the program")]
    ThreadEnded,
}

impl From<InboxError> for MailboxError {
    fn from(error: InboxError) -> MailboxError {
        MailboxError::Inbox(Arc::new(error))
    }
}

/// What the processor does with an inbox.
pub trait Mailbox {
    /// Looks at what waits.
    fn look(&mut self) -> Result<Look, MailboxError>;
    /// Puts away handled messages.
    fn done(&mut self, handles: &[Handle]) -> Result<(), MailboxError>;
    /// Sets a message aside for the keeper.
    fn reject(&mut self, handle: &Handle) -> Result<(), MailboxError>;
}

impl Mailbox for Box<dyn Inbox> {
    fn look(&mut self) -> Result<Look, MailboxError> {
        Ok(Inbox::look(self.as_mut())?)
    }

    fn done(&mut self, handles: &[Handle]) -> Result<(), MailboxError> {
        Ok(self.done_all(handles)?)
    }

    fn reject(&mut self, handle: &Handle) -> Result<(), MailboxError> {
        Ok(Inbox::reject(self.as_mut(), handle)?)
    }
}

/// An inbox, and its messages that are handled but not put away yet.
pub struct Source {
    /// [`INBOX`] or [`SPOOL`]; the last complete look is remembered under this name.
    pub name: &'static str,
    mailbox: Box<dyn Mailbox>,
    rejected: String,
    handled: Vec<Handle>,
    told: BTreeSet<String>,
}

impl Source {
    /// An inbox with this name. `rejected` tells the keeper where its messages are set aside.
    pub fn new(name: &'static str, mailbox: Box<dyn Mailbox>, rejected: String) -> Source {
        Source {
            name,
            mailbox,
            rejected,
            handled: Vec::new(),
            told: BTreeSet::new(),
        }
    }

    /// Where messages are set aside.
    pub fn rejected(&self) -> &str {
        &self.rejected
    }

    /// Looks at what waits. Messages that the server cannot show are logged once.
    ///
    /// # Errors
    /// If the inbox cannot be read.
    pub fn look(&mut self) -> Result<Look, MailboxError> {
        let look = self.mailbox.look()?;
        for sentence in &look.unreadable {
            if self.told.insert(sentence.clone()) {
                tracing::error!(source = self.name, "{sentence}");
            }
        }
        Ok(look)
    }

    /// Notes that a message is handled; it is put away later. If the program is killed before, the store knows that it was
    /// seen.
    pub fn handled(&mut self, handle: Handle) {
        self.handled.push(handle);
    }

    /// Puts away the handled messages. A failure is only logged: the messages are found again, and the store knows that
    /// they were seen.
    pub fn put_away(&mut self) {
        if self.handled.is_empty() {
            return;
        }
        if let Err(error) = self.mailbox.done(&self.handled) {
            let why = error.to_string();
            tracing::warn!(
                source = self.name,
                why,
                "handled messages cannot be put away yet"
            );
        }
        self.handled.clear();
    }

    /// Sets a message aside.
    pub fn reject(&mut self, handle: &Handle) {
        if let Err(error) = self.mailbox.reject(handle) {
            let why = error.to_string();
            tracing::warn!(
                source = self.name,
                why,
                "a message set aside cannot be moved yet"
            );
        }
    }
}
