//! Whether a server refuses recipients, or the judge: the same refusal for recipients of several domains in a row concerns
//! the judge, whatever its code.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::outbox::Refusal;
use dipjudge_store::{RetryMode, Store, StoreError};

/// After the same refusal for this many domains it concerns the judge.
const DOMAINS: usize = 3;
/// The most mails that are remembered, in case a server refuses everything for days.
const MOST: usize = 1000;
/// The key of the refusals in the store.
const KEY: &str = "outbox-refusals";

/// One refusal, and the mails that got it since a mail was last accepted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Refusals {
    said: String,
    mails: Vec<RefusedMail>,
    /// Mails that got the same refusal before another one was accepted, and are tried once more; and whether the keeper was
    /// told that they are given up.
    loose: BTreeMap<u64, bool>,
}

/// A mail that was refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct RefusedMail {
    pub(super) id: u64,
    /// The address that the server refused.
    pub(super) to: String,
    /// The answer of the server.
    pub(super) why: String,
    /// What was refused.
    pub(super) about: RefusalSubject,
    /// Whether the keeper was told that it is given up.
    pub(super) told: bool,
}

/// What a refusal concerns by its code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum RefusalSubject {
    /// The recipient: the mail is given up.
    Recipient,
    /// The judge: the mail is tried again later.
    Us,
    /// The content or size of the mail: it is given up.
    Text,
}

impl RefusalSubject {
    /// Whether later mails to the same recipient wait for one that was refused for this. A refused text holds up nothing,
    /// or one player's press could silence the judge.
    pub(super) fn wait(self) -> RetryMode {
        match self {
            RefusalSubject::Recipient | RefusalSubject::Us => RetryMode::HoldsLaterMails,
            RefusalSubject::Text => RetryMode::LetsLaterMailsPass,
        }
    }
}

/// The domain of an address.
pub(super) fn domain(to: &str) -> String {
    to.rsplit_once('@')
        .map_or(to, |(_, domain)| domain)
        .to_ascii_lowercase()
}

impl Refusals {
    /// Reads them from the store.
    pub(super) fn read(store: &Store) -> Result<Refusals, StoreError> {
        Ok(super::read_note(store, KEY)?.unwrap_or_default())
    }

    /// The entry for the store.
    pub(super) fn entry(&self) -> Result<(String, Vec<u8>), serde_json::Error> {
        Ok((KEY.to_owned(), serde_json::to_vec(self)?))
    }

    /// Adds a refusal. If its words differ from those before, it begins a new list.
    pub(super) fn add(&mut self, refusal: &Refusal, mail: RefusedMail) {
        if self.said != refusal.words() {
            self.said = refusal.words().to_owned();
            self.mails.clear();
        }
        if let Some(known) = self.mails.iter_mut().find(|known| known.id == mail.id) {
            *known = mail;
        } else if self.mails.len() < MOST {
            self.mails.push(mail);
        }
    }

    /// Notes that the keeper is told that this mail is given up.
    pub(super) fn tell(&mut self, id: u64) {
        self.mails
            .iter_mut()
            .filter(|mail| mail.id == id)
            .for_each(|mail| mail.told = true);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.mails.is_empty()
    }

    /// Whether they concern the judge. Mails that were refused before, while the server accepted others, do not count.
    pub(super) fn agree(&self) -> bool {
        let witnesses = self
            .mails
            .iter()
            .filter(|mail| !self.loose.contains_key(&mail.id));
        let domains: BTreeSet<String> = witnesses.map(|mail| domain(&mail.to)).collect();
        domains.len() >= DOMAINS
    }

    /// The domains that got this refusal.
    pub(super) fn domains(&self) -> BTreeSet<String> {
        self.mails.iter().map(|mail| domain(&mail.to)).collect()
    }

    /// The mails, if their text was refused: another text may be accepted.
    pub(super) fn unwanted(&self) -> Option<BTreeSet<u64>> {
        let of_text = self
            .mails
            .last()
            .is_some_and(|mail| mail.about == RefusalSubject::Text);
        of_text.then(|| self.mails.iter().map(|mail| mail.id).collect())
    }

    pub(super) fn among(domains: &BTreeSet<String>, to: &str) -> bool {
        domains.contains(&domain(to))
    }

    /// A mail was accepted, so the list is cleared. Returns true if the refusals agreed; then their mails are tried once
    /// more.
    pub(super) fn broken_off(&mut self) -> bool {
        let agreed = self.agree();
        self.said.clear();
        for mail in std::mem::take(&mut self.mails) {
            if agreed {
                self.loose.insert(mail.id, mail.told);
            }
        }
        while self.loose.len() > MOST {
            self.loose.pop_first();
        }
        agreed
    }

    /// Whether the keeper was told that this mail is given up, if it is one that is tried once more.
    pub(super) fn told(&self, id: u64) -> bool {
        self.loose.get(&id).is_some_and(|told| *told)
    }

    /// Forgets mails that are delivered. Returns whether any was known.
    pub(super) fn settle(&mut self, ids: &BTreeSet<u64>) -> bool {
        let before = self.loose.len();
        self.loose.retain(|id, _| !ids.contains(id));
        self.loose.len() != before
    }

    pub(super) fn mails(&self) -> &[RefusedMail] {
        &self.mails
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outbox::SendOutcome;
    use crate::outbox::reply::{SmtpStage, interpret_refusal};

    fn refused(refusals: &mut Refusals, id: u64, to: &str, text: &str) {
        let sent = interpret_refusal(SmtpStage::Recipient, 550, text, to, "judge@judge.test");
        let SendOutcome::Refused {
            why,
            refusal: Some(refusal),
        } = sent
        else {
            panic!("{sent:?}")
        };
        let mail = RefusedMail {
            id,
            to: to.to_owned(),
            why,
            about: RefusalSubject::Recipient,
            told: false,
        };
        refusals.add(&refusal, mail);
    }

    #[test]
    fn the_same_for_three_domains_is_about_us() {
        let mut refusals = Refusals::default();
        refused(&mut refusals, 1, "anna@one.test", "go away");
        refused(&mut refusals, 2, "ben@one.test", "go away");
        refused(&mut refusals, 3, "cleo@two.test", "go away");
        assert!(!refusals.agree());
        refused(&mut refusals, 4, "dirk@three.test", "go away");
        assert!(refusals.agree());
        refused(&mut refusals, 5, "emma@four.test", "something else");
        assert!(!refusals.agree(), "other words begin anew");
    }

    #[test]
    fn who_was_refused_while_others_were_not_is_no_witness_again() {
        let mut refusals = Refusals::default();
        let three = |refusals: &mut Refusals| {
            for (id, to) in [(1, "a@one.test"), (2, "b@two.test"), (3, "c@three.test")] {
                refused(refusals, id, to, "unknown");
            }
        };
        three(&mut refusals);
        assert!(refusals.broken_off());
        three(&mut refusals);
        assert!(!refusals.agree());
        for (id, to) in [(4, "d@four.test"), (5, "e@five.test"), (6, "f@six.test")] {
            refused(&mut refusals, id, to, "unknown");
        }
        assert!(refusals.agree(), "but the server may refuse all later on");
    }
}
