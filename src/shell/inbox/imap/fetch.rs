//! Fetches messages, with limits on the size of the answers.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::connect::Connection;
use super::{ANSWER_OVERHEAD, client_error, set_of};
use crate::inbox::{FetchedMessage, Handle, InboxError, beginning, truncate_to_beginning};

/// The most bytes that one FETCH asks for.
const GROUP_BYTES: u64 = 4 << 20;
/// An upper bound for the bytes around each message in an answer.
const MAIL_OVERHEAD: u64 = 4 * 1024;

/// What is known of a message before its bytes are fetched.
#[derive(Clone, Copy)]
struct Stamp {
    size: u64,
    arrived: Timestamp,
}

/// Fetches a few messages: first their sizes and dates, then their bytes up to the limit.
pub(super) fn fetch(
    live: &mut Connection,
    uids: &[u32],
    max_bytes: u64,
) -> Result<Vec<FetchedMessage>, InboxError> {
    live.control
        .expect(ANSWER_OVERHEAD + uids.len() as u64 * MAIL_OVERHEAD);
    let stamps = live
        .session
        .uid_fetch(set_of(uids), "(UID INTERNALDATE RFC822.SIZE)")
        .map_err(|e| client_error("FETCH", e))?;
    let mut small = Vec::new();
    let mut known = BTreeMap::new();
    // Entries without a UID are notices of changed flags, which nobody asked for.
    for (uid, stamp) in stamps
        .iter()
        .filter_map(|stamp| Some((stamp.uid?, stamp)))
        .filter(|(uid, _)| uids.contains(uid))
    {
        let Some(size) = stamp.size else { continue };
        // Without a date that can be read the message arrives now.
        let arrived = stamp
            .internal_date()
            .and_then(|date| Timestamp::from_second(date.timestamp()).ok());
        let stamp = Stamp {
            size: u64::from(size),
            arrived: arrived.unwrap_or_else(Timestamp::now),
        };
        known.insert(uid, stamp);
    }
    let mut bodies = BTreeMap::new();
    let mut pending = 0;
    for (uid, Stamp { size, .. }) in &known {
        if *size > max_bytes {
            let most = beginning(max_bytes);
            bodies.extend(fetch_bodies(live, &[*uid], most, most)?);
            continue;
        }
        if pending + size > GROUP_BYTES && !small.is_empty() {
            bodies.extend(fetch_bodies(live, &small, max_bytes + 1, pending)?);
            small.clear();
            pending = 0;
        }
        small.push(*uid);
        pending += size;
    }
    bodies.extend(fetch_bodies(live, &small, max_bytes + 1, pending)?);
    let mails = uids.iter().filter_map(|uid| {
        let Stamp { size, arrived } = *known.get(uid)?;
        let mut bytes = bodies.remove(uid)?;
        let oversize = size > max_bytes || bytes.len() as u64 > max_bytes;
        if oversize {
            truncate_to_beginning(&mut bytes, max_bytes);
        }
        Some(FetchedMessage {
            handle: Handle::Imap {
                validity: live.validity,
                uid: *uid,
            },
            bytes,
            arrived,
            oversize,
        })
    });
    Ok(mails.collect())
}

/// The first `most` bytes of each message. `total` is their expected sum; an answer of more than twice as many is refused.
fn fetch_bodies(
    live: &mut Connection,
    uids: &[u32],
    most: u64,
    total: u64,
) -> Result<BTreeMap<u32, Vec<u8>>, InboxError> {
    if uids.is_empty() {
        return Ok(BTreeMap::new());
    }
    // Sizes that servers announce may be wrong, for example because of line ends.
    live.control
        .expect(ANSWER_OVERHEAD + 2 * total + uids.len() as u64 * MAIL_OVERHEAD);
    // PEEK, so that the message is not marked as read; and a partial fetch, so that a wrong size does no harm.
    let query = format!("(UID BODY.PEEK[]<0.{most}>)");
    let answer = live
        .session
        .uid_fetch(set_of(uids), query)
        .map_err(|e| client_error("FETCH", e))?;
    // Without a body the message is gone meanwhile.
    Ok(answer
        .iter()
        .filter_map(|fetch| Some((fetch.uid?, fetch.body()?.to_vec())))
        .collect())
}
