//! Messages from the server, never more of them than was asked for.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::connect::Connection;
use super::{ANSWER_OVERHEAD, set_of, told};
use crate::inbox::{Fetched, Handle, InboxError, beginning, cut_to_beginning};

/// What one FETCH asks for at most, in bytes.
const GROUP_BYTES: u64 = 4 << 20;
/// Bytes around each message in an answer; generous.
const MAIL_OVERHEAD: u64 = 4 * 1024;

/// What is known of a message before its bytes are fetched.
#[derive(Clone, Copy)]
struct Stamp {
    size: u64,
    arrived: Timestamp,
}

/// Fetches a few messages: first their sizes and dates, then their bytes, as far as they are wanted.
pub(super) fn fetch(
    live: &mut Connection,
    uids: &[u32],
    max_bytes: u64,
) -> Result<Vec<Fetched>, InboxError> {
    live.control
        .expect(ANSWER_OVERHEAD + uids.len() as u64 * MAIL_OVERHEAD);
    let stamps = live
        .session
        .uid_fetch(set_of(uids), "(UID INTERNALDATE RFC822.SIZE)")
        .map_err(|e| told("FETCH", e))?;
    let mut small = Vec::new();
    let mut known = BTreeMap::new();
    // Entries without a UID are notices of changed flags, which belong to no question.
    for (uid, stamp) in stamps
        .iter()
        .filter_map(|stamp| Some((stamp.uid?, stamp)))
        .filter(|(uid, _)| uids.contains(uid))
    {
        let Some(size) = stamp.size else { continue };
        // A date that cannot be read is as good as none: then it arrives now.
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
            cut_to_beginning(&mut bytes, max_bytes);
        }
        Some(Fetched {
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

/// The first `most` bytes of each message. `total` is what they should come to; an answer of more than double that is refused.
fn fetch_bodies(
    live: &mut Connection,
    uids: &[u32],
    most: u64,
    total: u64,
) -> Result<BTreeMap<u32, Vec<u8>>, InboxError> {
    if uids.is_empty() {
        return Ok(BTreeMap::new());
    }
    // Servers disagree with themselves on sizes, by line ends for example.
    live.control
        .expect(ANSWER_OVERHEAD + 2 * total + uids.len() as u64 * MAIL_OVERHEAD);
    // PEEK, so that the message is not marked as read; and a part only, so that a wrong size does no harm.
    let query = format!("(UID BODY.PEEK[]<0.{most}>)");
    let answer = live
        .session
        .uid_fetch(set_of(uids), query)
        .map_err(|e| told("FETCH", e))?;
    // No body: the message is gone meanwhile.
    Ok(answer
        .iter()
        .filter_map(|fetch| Some((fetch.uid?, fetch.body()?.to_vec())))
        .collect())
}
