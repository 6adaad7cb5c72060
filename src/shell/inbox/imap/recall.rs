//! Finds a message that was set aside on the server.

use super::connect::{Connection, select};
use super::fetch::fetch;
use super::put_away::{Carried, carry, expunge};
use super::{ANSWER_OVERHEAD, GROUP_MAILS, ImapSettings, client_error, names, set_of};
use crate::inbox::{FetchedMessage, Handle, InboxError, RecallAction, Recalled};

/// Looks among the rejected messages, newest first, and does `action` with the wanted one. Afterwards another mailbox than
/// the inbox is selected.
pub(super) fn recall(
    live: &mut Connection,
    settings: &ImapSettings,
    wanted: &dyn Fn(&FetchedMessage) -> bool,
    action: RecallAction,
) -> Result<Recalled, InboxError> {
    let places = live.places.clone();
    select(live, &places.rejected)?;
    live.control
        .expect(ANSWER_OVERHEAD + 16 * u64::from(live.exists) + (8 << 20));
    let mut uids: Vec<u32> = live
        .session
        .uid_search("UNDELETED")
        .map_err(|error| client_error("SEARCH", error))?
        .into_iter()
        .collect();
    uids.sort_unstable();
    for group in uids.rchunks(GROUP_MAILS) {
        let mails = fetch(live, group, settings.max_bytes)?;
        let found = mails.into_iter().find(|mail| wanted(mail));
        let Some(Handle::Imap { uid, .. }) = found.map(|mail| mail.handle) else {
            continue;
        };
        let set = set_of(&[uid]);
        let carried = match action {
            RecallAction::PutBack => carry(live, &set, &names::encode(&places.mailbox))?,
            RecallAction::Remove => Carried::CopiedOnly,
        };
        // If the server cannot remove single messages, the copy here stays, marked as deleted.
        if carried == Carried::CopiedOnly {
            expunge(live, &set)?;
        }
        return Ok(Recalled::Found);
    }
    Ok(Recalled::Missing)
}
