//! The addresses that have proven that their readers get what is sent there: by a token that went to nowhere else, by the word of a
//! trusted host, or by a seat's password from the seat's address. To all others the judge sends little (README, Decided 40), since
//! anybody can write any address as the sender of a mail.

use std::collections::BTreeSet;

use jiff::{SignedDuration, Timestamp};

use crate::address_memos::AddressMemos;
use crate::memos::MemoChange;

/// How the names of their memos begin.
const PREFIX: &str = "proven ";
/// How long a proof counts after the last one.
const KNOWN: SignedDuration = SignedDuration::from_hours(24 * 400);
/// A proof that is younger is not stored anew.
const FRESH: SignedDuration = SignedDuration::from_hours(24 * 30);
/// The most addresses that are kept: those that were proven longest ago give way.
const MOST: usize = 500_000;

/// The proven addresses, each with the time of its last proof.
#[derive(Debug)]
pub(crate) struct ProvenAddresses {
    pub(crate) memos: AddressMemos<Timestamp>,
}

impl Default for ProvenAddresses {
    fn default() -> ProvenAddresses {
        ProvenAddresses {
            memos: AddressMemos::new(PREFIX),
        }
    }
}

impl ProvenAddresses {
    /// Whether an address, normalized, is proven.
    pub(crate) fn holds(&self, address: &str, now: Timestamp) -> bool {
        let last = self.memos.get(address);
        last.is_some_and(|last| now.duration_since(*last) < KNOWN)
    }

    /// What is to be stored for addresses that have just been proven, and what is forgotten for it.
    pub(crate) fn changes(&self, proven: &BTreeSet<String>, now: Timestamp) -> Vec<MemoChange> {
        let is_due = |address: &&String| {
            let last = self.memos.get(address);
            last.is_none_or(|last| now.duration_since(*last) >= FRESH)
        };
        let due: Vec<&String> = proven.iter().filter(is_due).collect();
        let surplus = (self.memos.all().len() + due.len()).saturating_sub(MOST);
        let mut changes: Vec<MemoChange> = due
            .iter()
            .filter_map(|address| self.memos.kept(address, &now))
            .collect();
        if surplus > 0 {
            let all = self.memos.all().iter();
            let mut oldest: Vec<(&Timestamp, &String)> =
                all.map(|(address, at)| (at, address)).collect();
            oldest.sort_unstable();
            let gone = oldest.into_iter().take(surplus.max(MOST / 100));
            changes.extend(gone.map(|(_, address)| self.memos.forgotten(address)));
        }
        changes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(day: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + day * 86_400).unwrap()
    }

    fn prove(known: &mut ProvenAddresses, address: &str, day: i64) -> usize {
        let changes = known.changes(&BTreeSet::from([address.to_owned()]), at(day));
        for change in &changes {
            known
                .memos
                .absorb(&change.name, change.content.as_deref())
                .unwrap();
        }
        changes.len()
    }

    #[test]
    fn a_proof_lasts_and_is_stored_once_a_month() {
        let mut known = ProvenAddresses::default();
        assert!(!known.holds("ben@ex.org", at(0)));
        assert_eq!(prove(&mut known, "ben@ex.org", 0), 1);
        assert_eq!(prove(&mut known, "ben@ex.org", 29), 0);
        assert_eq!(prove(&mut known, "ben@ex.org", 30), 1);
        assert!(known.holds("ben@ex.org", at(429)));
        assert!(!known.holds("ben@ex.org", at(430)));
        assert!(!known.holds("cleo@ex.org", at(30)));
    }
}
