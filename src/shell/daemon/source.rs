//! A place from which the processor takes mail: an inbox in its own hands, or one on a thread of its own.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::inbox::{Handle, Inbox, InboxError, Look};

/// The name of the inbox that the config names.
pub const INBOX: &str = "inbox";
/// The name of the folder into which `deliver` writes.
pub const SPOOL: &str = "spool";

/// Why a place of mail cannot be used now.
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

/// What the processor does with a place of mail.
pub trait Mailbox {
    /// Looks at what waits.
    fn look(&mut self) -> Result<Look, MailboxError>;
    /// These are handled.
    fn done(&mut self, handles: &[Handle]) -> Result<(), MailboxError>;
    /// This one is set aside for the keeper.
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

/// A place of mail, and what of it is handled but not yet put away.
pub struct Source {
    /// [`INBOX`] or [`SPOOL`]: under this name its last complete look is remembered.
    pub name: &'static str,
    mailbox: Box<dyn Mailbox>,
    rejected: String,
    handled: Vec<Handle>,
    told: BTreeSet<String>,
}

impl Source {
    /// This place under this name. `rejected` says to the keeper where its messages go that are set aside.
    pub fn new(name: &'static str, mailbox: Box<dyn Mailbox>, rejected: String) -> Source {
        Source {
            name,
            mailbox,
            rejected,
            handled: Vec::new(),
            told: BTreeSet::new(),
        }
    }

    /// Where its messages go that are set aside.
    pub fn rejected(&self) -> &str {
        &self.rejected
    }

    /// Looks at what waits. What the server cannot show is logged, once.
    ///
    /// # Errors
    /// Why it cannot be reached.
    pub fn look(&mut self) -> Result<Look, MailboxError> {
        let look = self.mailbox.look()?;
        for sentence in &look.unreadable {
            if self.told.insert(sentence.clone()) {
                tracing::error!(source = self.name, "{sentence}");
            }
        }
        Ok(look)
    }

    /// A message is handled, and may be put away at the next occasion: should the program die before, the store knows it.
    pub fn handled(&mut self, handle: Handle) {
        self.handled.push(handle);
    }

    /// Puts away what is handled. A failure is logged: the messages come again, and the store knows them.
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
