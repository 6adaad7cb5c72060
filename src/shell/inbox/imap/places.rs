//! Where the mailboxes of the config are on this server.
//!
//! Some servers keep all mailboxes of a user below `INBOX.` or another prefix and refuse any other name. They tell the prefix
//! when asked for their namespaces (RFC 2342).

use imap::Session;

use super::names::{encode, quote};
use super::transport::{Transport, TransportControl};
use super::{ANSWER_OVERHEAD, ImapSettings, client_error};
use crate::inbox::InboxError;

/// The names of the three mailboxes on the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Places {
    /// Where mail arrives.
    pub(super) mailbox: String,
    /// Where handled messages go.
    pub(super) done: String,
    /// Where messages set aside go.
    pub(super) rejected: String,
}

impl Places {
    /// The names of the config, behind the server's prefix where they need it.
    pub(super) fn find(
        session: &mut Session<Transport>,
        control: &TransportControl,
        settings: &ImapSettings,
        has_namespaces: bool,
    ) -> Result<Places, InboxError> {
        let prefix = if has_namespaces {
            prefix(session, control)?
        } else {
            String::new()
        };
        let mut place = |name: &str| -> Result<String, InboxError> {
            let below = below(&prefix, name);
            // What is there under its own name has been used so far, so it stays in use.
            if below == name || is_there(session, control, name)? {
                Ok(name.to_owned())
            } else {
                Ok(below)
            }
        };
        Ok(Places {
            mailbox: place(&settings.mailbox)?,
            done: place(&settings.done)?,
            rejected: place(&settings.rejected)?,
        })
    }
}

/// Whether there is a mailbox of this name.
pub(super) fn is_there(
    session: &mut Session<Transport>,
    control: &TransportControl,
    name: &str,
) -> Result<bool, InboxError> {
    control.expect(ANSWER_OVERHEAD);
    match session.run(format!("STATUS {} (MESSAGES)", quote(&encode(name)))) {
        Ok(_) => Ok(true),
        Err(imap::Error::No(_)) => Ok(false),
        Err(other) => Err(client_error("STATUS", other)),
    }
}

/// The prefix of the user's own mailboxes; empty where the server names none.
fn prefix(
    session: &mut Session<Transport>,
    control: &TransportControl,
) -> Result<String, InboxError> {
    control.expect_response(b"NAMESPACE", ANSWER_OVERHEAD);
    match session.run("NAMESPACE") {
        Ok(_) => Ok(personal(&String::from_utf8_lossy(&control.caught())).unwrap_or_default()),
        Err(imap::Error::No(_) | imap::Error::Bad(_)) => Ok(String::new()),
        Err(other) => Err(client_error("NAMESPACE", other)),
    }
}

/// The prefix of the first personal namespace in an answer such as `* NAMESPACE (("INBOX." ".")) NIL NIL`.
fn personal(reply: &str) -> Option<String> {
    const WORD: &str = "* NAMESPACE ";
    let line = reply.lines().find(|line| {
        line.get(..WORD.len())
            .is_some_and(|word| word.eq_ignore_ascii_case(WORD))
    })?;
    let quoted = line.get(WORD.len()..)?.strip_prefix("((\"")?;
    let mut prefix = String::new();
    let mut letters = quoted.chars();
    loop {
        match letters.next()? {
            '"' => return Some(prefix),
            '\\' => prefix.push(letters.next()?),
            letter => prefix.push(letter),
        }
    }
}

/// A name behind the prefix, if it is not there already. The inbox itself stands outside all namespaces.
fn below(prefix: &str, name: &str) -> String {
    let there = name
        .get(..prefix.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(prefix));
    if there || name.eq_ignore_ascii_case("INBOX") {
        name.to_owned()
    } else {
        format!("{prefix}{name}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_prefix_is_that_of_the_users_own_mailboxes() {
        for (reply, prefix) in [
            (
                "* NAMESPACE ((\"INBOX.\" \".\")) NIL ((\"#shared.\" \".\"))\r\n",
                Some("INBOX."),
            ),
            ("* NAMESPACE ((\"\" \"/\")) NIL NIL\r\n", Some("")),
            (
                "* OK x\r\n* namespace ((\"a\\\"b/\" \"/\")(\"#x\" NIL)) NIL NIL\r\n",
                Some("a\"b/"),
            ),
            ("* NAMESPACE NIL NIL NIL\r\n", None),
            ("* NAMESPACE ((\"INBOX", None),
            ("", None),
        ] {
            assert_eq!(personal(reply).as_deref(), prefix, "{reply}");
        }
    }

    #[test]
    fn a_name_gets_the_prefix_once() {
        assert_eq!(below("INBOX.", "Processed"), "INBOX.Processed");
        assert_eq!(below("INBOX.", "INBOX.Processed"), "INBOX.Processed");
        assert_eq!(below("INBOX.", "inbox.Processed"), "inbox.Processed");
        assert_eq!(below("INBOX.", "INBOX"), "INBOX");
        assert_eq!(
            below("INBOX.", "Erledigt & geprüft"),
            "INBOX.Erledigt & geprüft"
        );
        assert_eq!(below("", "Processed"), "Processed");
    }
}
