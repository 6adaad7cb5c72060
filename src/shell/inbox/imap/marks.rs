//! The mark of a store on an IMAP server: an empty mailbox beside the mailbox of the handled messages.

use super::connect::{Connection, mailbox_error};
use super::names::{encode, quote};
use super::{ANSWER_OVERHEAD, ImapSettings, client_error};
use crate::inbox::InboxError;
use crate::inbox::claim::{MarkedPlace, pattern};

/// A mailbox in the answer to LIST.
struct ListedMailbox {
    name: String,
    /// What separates the parts of its name.
    delimiter: Option<String>,
}

/// The marks beside the mailboxes of a connection; the settings name them for the keeper.
pub(super) struct Marks<'a> {
    live: &'a mut Connection,
    settings: &'a ImapSettings,
}

impl<'a> Marks<'a> {
    pub(super) fn new(live: &'a mut Connection, settings: &'a ImapSettings) -> Marks<'a> {
        Marks { live, settings }
    }

    /// The prefix of the names of mailboxes beside that of the handled messages, such as `INBOX.`.
    fn prefix(&mut self) -> Result<String, InboxError> {
        let done = encode(&self.live.places.done);
        let listed = self.list(&done)?;
        let Some(delimiter) = listed.into_iter().find_map(|mailbox| mailbox.delimiter) else {
            return Ok(String::new());
        };
        match done.rsplit_once(&delimiter) {
            Some((above, _)) => Ok(format!("{above}{delimiter}")),
            None => Ok(String::new()),
        }
    }

    /// The mailboxes whose names fit a pattern.
    fn list(&mut self, pattern: &str) -> Result<Vec<ListedMailbox>, InboxError> {
        self.live.control.expect(ANSWER_OVERHEAD);
        let names = self
            .live
            .session
            .list(Some(""), Some(&quote(pattern)))
            .map_err(|error| client_error("LIST", error))?;
        Ok(names
            .iter()
            .map(|name| ListedMailbox {
                name: name.name().to_owned(),
                delimiter: name.delimiter().map(str::to_owned),
            })
            .collect())
    }
}

impl MarkedPlace for Marks<'_> {
    fn place(&self) -> String {
        format!(
            "the mailbox {} of {} at {}",
            self.settings.mailbox, self.settings.user, self.settings.host
        )
    }

    fn marks(&mut self) -> Result<Vec<String>, InboxError> {
        let prefix = self.prefix()?;
        let found = self.list(&format!("{prefix}{}", pattern()))?;
        Ok(found
            .into_iter()
            .filter_map(|mailbox| Some(mailbox.name.strip_prefix(&prefix)?.to_owned()))
            .collect())
    }

    fn put(&mut self, mark: &str) -> Result<(), InboxError> {
        let name = self.prefix()? + mark;
        self.live.control.expect(ANSWER_OVERHEAD);
        self.live
            .session
            .create(&name)
            .map_err(|error| mailbox_error(&name, "CREATE", error))
    }

    fn remove(&mut self, mark: &str) -> Result<(), InboxError> {
        let name = self.prefix()? + mark;
        self.live.control.expect(ANSWER_OVERHEAD);
        self.live
            .session
            .delete(&name)
            .map_err(|error| mailbox_error(&name, "DELETE", error))
    }
}
