//! The addresses from which mail comes back. Three failures over at least two days mark an address; then its person's other
//! addresses are used, until a mail comes from there.
//!
//! A failure is matched by the token in the return path of the mail ([`tokens::of_return_path`]), whatever the report says, so
//! nobody can mark an address who has not received a mail there.

use std::collections::BTreeSet;

use jiff::{SignedDuration, Timestamp};

use crate::address_memos::AddressMemos;
use crate::memos::MemoChange;

/// How the names of their memos begin.
const PREFIX: &str = "returned ";
/// So many failures mark an address ...
const FAILURES: usize = 3;
/// ... if there is at least this time between the first and the last.
const SPAN: SignedDuration = SignedDuration::from_hours(48);
/// Failures before so long a time without any are forgotten.
const PAUSE: SignedDuration = SignedDuration::from_hours(24 * 30);
/// The most failures of an address that are kept: the first and the last ones.
const MOST: usize = 10;

/// An address that mail does not reach, for the keeper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreachedAddress {
    /// The address.
    pub address: String,
    /// When the first of the mails came back.
    pub since: Timestamp,
    /// How many are known to have come back.
    pub returned: usize,
}

impl UnreachedAddress {
    /// The address of a memo, if it is one that mail does not reach.
    pub fn of_memo(name: &str, content: &[u8]) -> Option<UnreachedAddress> {
        let address = name.strip_prefix(PREFIX)?;
        let failures: Vec<Timestamp> = serde_json::from_slice(content).ok()?;
        let since = failures.first().copied().filter(|_| marks(&failures))?;
        Some(UnreachedAddress {
            address: address.to_owned(),
            since,
            returned: failures.len(),
        })
    }
}

/// The addresses from which mail came back, each with the times of it.
#[derive(Debug)]
pub(crate) struct ReturnedMail {
    pub(crate) memos: AddressMemos<Vec<Timestamp>>,
}

impl Default for ReturnedMail {
    fn default() -> ReturnedMail {
        ReturnedMail {
            memos: AddressMemos::new(PREFIX),
        }
    }
}

/// What a mail or a report says of addresses.
#[derive(Debug, Default)]
pub(crate) struct ReturnNews {
    /// A mail to these came back.
    pub(crate) failed: BTreeSet<String>,
    /// A mail came from these.
    pub(crate) heard: BTreeSet<String>,
}

impl ReturnedMail {
    /// Whether mail does not reach an address, normalized.
    pub(crate) fn is_unreached(&self, address: &str) -> bool {
        self.memos
            .get(address)
            .is_some_and(|failures| marks(failures))
    }

    /// Since when mail does not reach an address, if it does not.
    pub(crate) fn unreached_since(&self, address: &str) -> Option<Timestamp> {
        let failures = self.memos.get(address).filter(|failures| marks(failures))?;
        failures.first().copied()
    }

    /// Whether one more failure now marks an address that was not marked.
    pub(crate) fn is_marked_by(&self, address: &str, now: Timestamp) -> bool {
        !self.is_unreached(address) && marks(&self.with(address, now))
    }

    /// What is to be stored.
    pub(crate) fn changes(&self, news: &ReturnNews, now: Timestamp) -> Vec<MemoChange> {
        let known = |address: &&String| self.memos.get(address).is_some();
        let forgotten = news.heard.iter().filter(known);
        let failed = news.failed.difference(&news.heard);
        forgotten
            .map(|address| self.memos.forgotten(address))
            .chain(failed.filter_map(|address| {
                let failures = self.with(address, now);
                self.memos.kept(address, &failures)
            }))
            .collect()
    }

    /// The failures of an address with one more now.
    fn with(&self, address: &str, now: Timestamp) -> Vec<Timestamp> {
        let mut failures = self.memos.get(address).cloned().unwrap_or_default();
        if failures
            .last()
            .is_some_and(|last| now.duration_since(*last) > PAUSE)
        {
            failures.clear();
        }
        if failures.len() >= MOST {
            failures.remove(1);
        }
        failures.push(now);
        failures
    }
}

fn marks(failures: &[Timestamp]) -> bool {
    let (Some(first), Some(last)) = (failures.first(), failures.last()) else {
        return false;
    };
    failures.len() >= FAILURES && last.duration_since(*first) >= SPAN
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEN: &str = "ben@ex.org";

    fn at(hour: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + hour * 3_600).unwrap()
    }

    fn learn(known: &mut ReturnedMail, news: &ReturnNews, hour: i64) {
        for change in known.changes(news, at(hour)) {
            known
                .memos
                .absorb(&change.name, change.content.as_deref())
                .unwrap();
        }
    }

    fn fail(known: &mut ReturnedMail, hour: i64) -> bool {
        let marked = known.is_marked_by(BEN, at(hour));
        let failed = BTreeSet::from([BEN.to_owned()]);
        let news = ReturnNews {
            failed,
            ..ReturnNews::default()
        };
        learn(known, &news, hour);
        marked
    }

    #[test]
    fn three_failures_over_two_days_mark_an_address_once() {
        let mut known = ReturnedMail::default();
        for hour in [0, 1, 2, 47] {
            assert!(!fail(&mut known, hour), "{hour}");
        }
        assert!(!known.is_unreached(BEN));
        assert!(fail(&mut known, 48));
        assert!(known.is_unreached(BEN));
        assert!(!fail(&mut known, 49), "it is marked already");
        for hour in 50..80 {
            fail(&mut known, hour);
        }
        assert_eq!(known.memos.all()[BEN].len(), MOST);
        assert_eq!(known.memos.all()[BEN][0], at(0));
    }

    #[test]
    fn one_mail_from_there_clears_it_and_old_failures_are_forgotten() {
        let mut known = ReturnedMail::default();
        for hour in [0, 24, 48] {
            fail(&mut known, hour);
        }
        let heard = ReturnNews {
            heard: BTreeSet::from([BEN.to_owned()]),
            ..ReturnNews::default()
        };
        learn(&mut known, &heard, 49);
        assert!(!known.is_unreached(BEN) && known.memos.all().is_empty());
        assert_eq!(known.changes(&heard, at(50)), []);
        fail(&mut known, 60);
        fail(&mut known, 61);
        assert!(!fail(&mut known, 62 + 24 * 30));
    }

    #[test]
    fn the_keeper_reads_marked_addresses_from_memos() {
        let memo = |hours: &[i64]| {
            let times: Vec<Timestamp> = hours.iter().map(|hour| at(*hour)).collect();
            UnreachedAddress::of_memo("returned ben@ex.org", &serde_json::to_vec(&times).unwrap())
        };
        assert_eq!(memo(&[0, 1, 2]), None);
        let unreached = memo(&[0, 1, 48]).unwrap();
        assert_eq!((unreached.address.as_str(), unreached.returned), (BEN, 3));
        assert_eq!(UnreachedAddress::of_memo("proven ben@ex.org", b"[]"), None);
    }
}
