//! Puts handled messages away, by the best means that the server has.

use super::connect::{Connection, make_mailbox};
use super::{ANSWER_OVERHEAD, HANDLED_KEYWORD, client_error, names};
use crate::inbox::InboxError;

/// Where a handled message goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HandledAs {
    /// To the mailbox for handled messages, marked as read.
    Done,
    /// To the mailbox for rejected messages, unread, for the keeper.
    Rejected,
}

/// What became of messages that were to be moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Carried {
    /// They are in the other mailbox only.
    Moved,
    /// They are in both mailboxes, since the server does not remove single messages.
    CopiedOnly,
}

/// Puts a few messages away. If the target refuses them, they stay, marked as handled, and the refusal is returned.
pub(super) fn put_away(
    live: &mut Connection,
    set: &str,
    target: &str,
    handled_as: HandledAs,
) -> Result<(), InboxError> {
    if handled_as == HandledAs::Done {
        // Messages in "done" are marked as read. A refusal of that is no failure.
        match store(live, set, "+FLAGS.SILENT (\\Seen)") {
            Ok(()) | Err(InboxError::Refused { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    let wire = names::encode(target);
    let there = put(live, set, &wire).or_else(|error| match error {
        // The target may have been removed since the start.
        InboxError::Refused { .. } => {
            make_mailbox(&mut live.session, &live.control, target)?;
            put(live, set, &wire)
        }
        error => Err(error),
    });
    match there.and_then(|()| leave(live, set)) {
        Ok(Carried::Moved) => Ok(()),
        Ok(Carried::CopiedOnly) => mark(live, set),
        Err(refusal @ (InboxError::Refused { .. } | InboxError::Mailbox { .. })) => {
            // The messages stay, but they must not be found again at every look.
            mark(live, set)?;
            Err(refusal)
        }
        Err(error) => Err(error),
    }
}

/// Moves messages to another mailbox, or copies and removes them.
pub(super) fn carry(live: &mut Connection, set: &str, wire: &str) -> Result<Carried, InboxError> {
    put(live, set, wire)?;
    leave(live, set)
}

/// Puts messages into another mailbox: by MOVE if the server supports it, else by COPY.
fn put(live: &mut Connection, set: &str, wire: &str) -> Result<(), InboxError> {
    live.control.expect(ANSWER_OVERHEAD);
    if live.moves {
        return live
            .session
            .uid_mv(set, wire)
            .map_err(|e| client_error("MOVE", e));
    }
    live.session
        .uid_copy(set, wire)
        .map_err(|e| client_error("COPY", e))
}

/// Removes messages that were put into another mailbox, if MOVE has not done so. Never by a plain EXPUNGE, which would
/// remove what others have marked.
fn leave(live: &mut Connection, set: &str) -> Result<Carried, InboxError> {
    if live.moves {
        return Ok(Carried::Moved);
    }
    if !live.uidplus {
        return Ok(Carried::CopiedOnly);
    }
    match expunge(live, set) {
        Ok(()) => Ok(Carried::Moved),
        // The copy exists already; another attempt would make a second copy.
        Err(InboxError::Refused { what, why }) => {
            tracing::warn!(what, why, "the server does not remove handled messages");
            Ok(Carried::CopiedOnly)
        }
        Err(error) => Err(error),
    }
}

/// Removes messages; if the server cannot remove single ones, they are marked as deleted.
pub(super) fn expunge(live: &mut Connection, set: &str) -> Result<(), InboxError> {
    store(live, set, "+FLAGS.SILENT (\\Deleted)")?;
    if live.uidplus {
        live.control.expect(ANSWER_OVERHEAD);
        live.session
            .uid_expunge(set)
            .map_err(|e| client_error("EXPUNGE", e))?;
    }
    Ok(())
}

/// Marks messages as handled: by the keyword, or without keywords as deleted, which alone removes nothing.
fn mark(live: &mut Connection, set: &str) -> Result<(), InboxError> {
    let flags = if live.keyword {
        format!("+FLAGS.SILENT (\\Seen {HANDLED_KEYWORD})")
    } else {
        "+FLAGS.SILENT (\\Seen \\Deleted)".to_owned()
    };
    store(live, set, &flags)
}

fn store(live: &mut Connection, set: &str, flags: &str) -> Result<(), InboxError> {
    live.control.expect(ANSWER_OVERHEAD);
    live.session
        .uid_store(set, flags)
        .map(drop)
        .map_err(|e| client_error("STORE", e))
}
