//! The addresses that have proven that their readers get what is sent there: by a token that went to nowhere else, by the word of a
//! trusted host, or by a seat's password from the seat's address. To all others the judge sends little (README, Decided 40), since
//! anybody can write any address as the sender of a mail.

use std::collections::{BTreeMap, BTreeSet};

use jiff::{SignedDuration, Timestamp};

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
#[derive(Debug, Default)]
pub(crate) struct ProvenAddresses {
    all: BTreeMap<String, Timestamp>,
}

impl ProvenAddresses {
    /// Whether an address, normalized, is proven.
    pub(crate) fn holds(&self, address: &str, now: Timestamp) -> bool {
        let last = self.all.get(address);
        last.is_some_and(|last| now.duration_since(*last) < KNOWN)
    }

    /// What is to be stored for addresses that have just been proven, and what is forgotten for it.
    pub(crate) fn changes(&self, proven: &BTreeSet<String>, now: Timestamp) -> Vec<MemoChange> {
        let is_due = |address: &&String| {
            let last = self.all.get(*address);
            last.is_none_or(|last| now.duration_since(*last) >= FRESH)
        };
        let due: Vec<&String> = proven.iter().filter(is_due).collect();
        let surplus = (self.all.len() + due.len()).saturating_sub(MOST);
        let memo = |address: &str, content| MemoChange {
            name: format!("{PREFIX}{address}"),
            content,
        };
        let mut changes: Vec<MemoChange> = due
            .iter()
            // A time can always be written.
            .filter_map(|address| Some(memo(address, Some(serde_json::to_vec(&now).ok()?))))
            .collect();
        if surplus > 0 {
            let mut oldest: Vec<(&Timestamp, &String)> =
                self.all.iter().map(|(address, at)| (at, address)).collect();
            oldest.sort_unstable();
            let gone = oldest.into_iter().take(surplus.max(MOST / 100));
            changes.extend(gone.map(|(_, address)| memo(address, None)));
        }
        changes
    }

    /// Whether what is kept under a name is of this kind.
    pub(crate) fn is_one(name: &str) -> bool {
        name.starts_with(PREFIX)
    }

    /// Takes in what was kept under a name, or forgets it.
    ///
    /// # Errors
    /// If no version of this program wrote it.
    pub(crate) fn absorb(
        &mut self,
        name: &str,
        json: Option<&[u8]>,
    ) -> Result<(), serde_json::Error> {
        let address = name.strip_prefix(PREFIX).unwrap_or(name);
        match json {
            Some(json) => {
                let at = serde_json::from_slice(json)?;
                self.all.insert(address.to_owned(), at);
            }
            None => _ = self.all.remove(address),
        }
        Ok(())
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
