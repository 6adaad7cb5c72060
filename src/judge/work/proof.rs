//! How much may be sent to an address that has proven nothing (README, Decided 40). Anybody can write any address as the sender of
//! a mail, and would otherwise have the judge send many bytes to somebody who never asked for them.

use crate::rates::{ALL_UNPROVEN, CountKind, claimed, domain_of};
use crate::work::Work;

impl Work<'_> {
    /// Notes that whoever reads this address gets what is sent there.
    pub(crate) fn prove(&mut self, address: &str) {
        self.proven.insert(address.to_owned());
    }

    /// Whether an address has proven nothing, where the keeper limits what such an address is sent.
    pub(crate) fn is_unproven(&self, address: &str) -> bool {
        self.judge.settings.limits.unproven_reply_bytes > 0
            && !self.proven.contains(address)
            && !self.judge.proven.holds(address, self.now)
    }

    /// The most bytes that an answer to an address may have; `None` for any number.
    pub(crate) fn most_bytes_to(&self, address: &str) -> Option<u64> {
        if !self.is_unproven(address) {
            return None;
        }
        let limits = &self.judge.settings.limits;
        let left = accounts(address).map(|account| {
            let received = self.counted(CountKind::UnprovenReceived, &account);
            let answered = self.counted(CountKind::UnprovenAnswered, &account);
            let most = received.saturating_mul(limits.unproven_reply_times);
            most.saturating_add(limits.unproven_reply_bytes)
                .saturating_sub(answered)
        });
        left.into_iter().min()
    }

    /// The most bytes that an answer outside every game may have: the first one has fewer.
    pub(crate) fn most_bytes_to_stranger(&self, address: &str) -> Option<u64> {
        let most = self.most_bytes_to(address)?;
        let first = self.counted(CountKind::UnprovenAnswered, &claimed(address)) == 0;
        Some(if first {
            most.min(self.judge.settings.limits.unproven_reply_bytes)
        } else {
            most
        })
    }

    /// Counts the bytes of the mail in hand, if the address that is answered has proven nothing.
    pub(crate) fn count_unproven_mail(&mut self, bytes: u64) {
        let address = self.answered.to.clone();
        if self.is_unproven(&address) {
            self.count(CountKind::Mail, ALL_UNPROVEN, 1);
            for account in accounts(&address) {
                self.count(CountKind::UnprovenReceived, account, bytes);
            }
        }
    }

    /// Counts the bytes of an answer to an address that has proven nothing.
    pub(crate) fn count_unproven_answer(&mut self, address: &str, bytes: u64) {
        for account in accounts(address) {
            self.count(CountKind::UnprovenAnswered, account, bytes);
        }
    }
}

/// The accounts that limit what an unproven address is sent.
fn accounts(address: &str) -> [String; 3] {
    [
        claimed(address),
        domain_of(address),
        ALL_UNPROVEN.to_owned(),
    ]
}
