//! Putting handled messages away, by the best means that the server has.

use super::connect::{Connection, make_mailbox};
use super::{ANSWER_OVERHEAD, KEYWORD, names, told};
use crate::inbox::InboxError;

/// Where a message goes that is handled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HandledAs {
    /// Done, and read.
    Done,
    /// Set aside for the keeper, who is to see it unread.
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

/// Puts a few messages away. When the target refuses them they stay, marked as handled, and the refusal is the outcome.
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
            live.control.expect(ANSWER_OVERHEAD);
            make_mailbox(&mut live.session, target)?;
            put(live, set, &wire)
        }
        error => Err(error),
    });
    match there.and_then(|()| leave(live, set)) {
        Ok(Carried::Moved) => Ok(()),
        Ok(Carried::CopiedOnly) => mark(live, set),
        Err(refusal @ (InboxError::Refused { .. } | InboxError::Mailbox { .. })) => {
            // It stays, but it must not come again at every look.
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

/// The one command that brings messages into another mailbox: MOVE where the server knows it, else COPY.
fn put(live: &mut Connection, set: &str, wire: &str) -> Result<(), InboxError> {
    live.control.expect(ANSWER_OVERHEAD);
    if live.moves {
        return live.session.uid_mv(set, wire).map_err(|e| told("MOVE", e));
    }
    live.session
        .uid_copy(set, wire)
        .map_err(|e| told("COPY", e))
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
        // The copy is made already: to try all of it again would make another one.
        Err(InboxError::Refused { what, why }) => {
            tracing::warn!(what, why, "the server does not remove handled messages");
            Ok(Carried::CopiedOnly)
        }
        Err(error) => Err(error),
    }
}

/// Removes messages; where the server cannot remove single ones, they are marked as deleted.
pub(super) fn expunge(live: &mut Connection, set: &str) -> Result<(), InboxError> {
    store(live, set, "+FLAGS.SILENT (\\Deleted)")?;
    if live.uidplus {
        live.control.expect(ANSWER_OVERHEAD);
        live.session
            .uid_expunge(set)
            .map_err(|e| told("EXPUNGE", e))?;
    }
    Ok(())
}

/// Marks messages as handled: by our keyword; where there are no keywords, as deleted, which removes nothing by itself.
fn mark(live: &mut Connection, set: &str) -> Result<(), InboxError> {
    let flags = if live.keyword {
        format!("+FLAGS.SILENT (\\Seen {KEYWORD})")
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
        .map_err(|e| told("STORE", e))
}
