//! Reads the messages that were put away.

use jiff::{SignedDuration, Timestamp};

use super::connect::{Connection, select};
use super::fetch::fetch;
use super::places::is_there;
use super::{ANSWER_OVERHEAD, GROUP_MAILS, HANDLED_KEYWORD, ImapSettings, client_error};
use crate::inbox::{FetchedMessage, InboxError};

/// The messages that were handled or set aside and arrived at this time or later. Afterwards another mailbox than the inbox is
/// selected.
pub(super) fn put_away_since(
    live: &mut Connection,
    settings: &ImapSettings,
    since: Timestamp,
) -> Result<Vec<FetchedMessage>, InboxError> {
    let places = live.places.clone();
    let mut found = Vec::new();
    // A server that can neither move nor expunge single messages keeps handled ones in the inbox, with a keyword.
    for (place, which) in [
        (&places.done, "".to_owned()),
        (&places.rejected, "".to_owned()),
        (&places.mailbox, format!("KEYWORD {HANDLED_KEYWORD} ")),
    ] {
        if !is_there(&mut live.session, &live.control, place)? {
            continue;
        }
        select(live, place)?;
        live.control
            .expect(ANSWER_OVERHEAD + 16 * u64::from(live.exists) + (8 << 20));
        let mut uids: Vec<u32> = live
            .session
            .uid_search(format!("{which}{}", query(since)))
            .map_err(|error| client_error("SEARCH", error))?
            .into_iter()
            .collect();
        uids.sort_unstable();
        for group in uids.chunks(GROUP_MAILS) {
            found.extend(fetch(live, group, settings.max_bytes)?);
        }
    }
    Ok(found)
}

/// SINCE compares days, without their zone.
fn query(since: Timestamp) -> String {
    let day_before = since.checked_sub(SignedDuration::from_hours(24));
    match day_before {
        Ok(day) if day > Timestamp::UNIX_EPOCH => {
            format!("UNDELETED SINCE {}", day.strftime("%-d-%b-%Y"))
        }
        _ => "UNDELETED".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_written_as_the_rfc_wants_them() {
        let since = "2026-03-02T10:00:00Z".parse().unwrap();
        assert_eq!(query(since), "UNDELETED SINCE 1-Mar-2026");
        assert_eq!(query(Timestamp::MIN), "UNDELETED");
    }
}
