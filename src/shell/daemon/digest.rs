//! The digest of a day for the keeper: what is ordinary and needs him only if it goes on.

use jiff::{SignedDuration, Timestamp};

use super::backups::Backups;
use super::set_aside::SetAsideMessage;
use dipjudge_judge::UnreachedAddress;
use dipjudge_store::{Store, StoreError};

/// How often there may be one.
pub(super) const EVERY: SignedDuration = SignedDuration::from_hours(24);
/// The most addresses that are named.
const MOST_NAMED: usize = 20;

/// What happened since then; empty if there is nothing to tell.
///
/// # Errors
/// If the store cannot be read.
pub(super) fn lines(
    store: &Store,
    backups: &Backups,
    since: Timestamp,
) -> Result<Vec<String>, StoreError> {
    let mut lines = Vec::new();
    let aside: Vec<SetAsideMessage> = SetAsideMessage::all(store)?
        .into_iter()
        .filter(|aside| aside.at >= since)
        .collect();
    let numbers = aside.iter().map(|aside| aside.number);
    if let (Some(first), Some(last)) = (numbers.clone().min(), numbers.max()) {
        lines.push(match aside.len() {
            1 => format!("One message was set aside: number {first}. dipjudge set-aside lists it."),
            count => format!(
                "{count} messages were set aside: numbers {first} to {last}. dipjudge set-aside lists them."
            ),
        });
    }
    let failed = store.failed()?.into_iter();
    let mut given_up: Vec<String> = failed
        .filter(|failed| failed.at >= since)
        .map(|failed| failed.mail.to)
        .collect();
    let count = given_up.len();
    given_up.sort();
    given_up.dedup();
    if count > 0 {
        lines.push(format!(
            "{count} mails were given up, to {}. dipjudge outbox lists them, and keeps them for a month.",
            named(&given_up)
        ));
    }
    let mut unreached: Vec<String> = store
        .memos()?
        .iter()
        .filter_map(|(name, content)| UnreachedAddress::of_memo(name, content))
        .map(|unreached| unreached.address)
        .collect();
    unreached.sort();
    if !unreached.is_empty() {
        lines.push(format!(
            "Mail comes back from {}. dipjudge status says since when.",
            named(&unreached)
        ));
    }
    if let Some(why) = &backups.why {
        lines.push(format!(
            "The daily copy of the store has failed {} times since the last good one: {why}.",
            backups.failures
        ));
    }
    Ok(lines)
}

fn named(addresses: &[String]) -> String {
    let shown: Vec<&str> = addresses
        .iter()
        .take(MOST_NAMED)
        .map(String::as_str)
        .collect();
    match addresses.len().saturating_sub(MOST_NAMED) {
        0 => shown.join(", "),
        more => format!("{} and {more} others", shown.join(", ")),
    }
}
