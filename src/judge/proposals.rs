//! What the judge has proposed to somebody who may answer YES (README, Decided 36). A proposal stands under the id of the mail
//! that made it, beside the logs: it is in no log, no export and no backup, and nobody reads it but the judge.

use std::collections::{BTreeMap, BTreeSet};

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::mail_memos::{MailMemos, OfMail};
use crate::memos::MemoChange;
use dipjudge_game::SeatId;
use dipjudge_rules::map::Power;

/// How long a proposal can be taken.
const OPEN: SignedDuration = SignedDuration::from_hours(7 * 24);
/// The most that one owner has: older ones give way.
const MOST_OF_ONE: usize = 8;

/// Who may take a proposal.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Owner {
    /// Whoever sits there, as the leader of that power.
    Seat {
        game: String,
        seat: SeatId,
        power: Option<Power>,
    },
    /// Whoever writes from that address, in no game.
    Address(String),
}

/// What has become of a proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ProposalState {
    /// Nothing yet.
    Open,
    /// It was taken as sent.
    Taken,
    /// Its owner answered NO.
    Dropped,
    /// Its owner has sent other lines about the same.
    Replaced,
}

/// Lines that somebody may have meant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Proposal {
    /// Who may take it.
    pub owner: Owner,
    /// The lines as they would be sent; never a password. None: that the owner's orders count as they stand, with an error flag set.
    pub lines: Vec<String>,
    /// The rules of its commands, and [`ORDERS`] with the unit's place for orders: what its owner changes by another line about it.
    pub about: BTreeSet<String>,
    /// When it was made.
    pub at: Timestamp,
    /// The phase of the game at that time: `S1901M`. It goes with the phase.
    pub phase: Option<String>,
    /// What has become of it.
    pub state: ProposalState,
}

/// What orders are called among the things that a proposal is about.
pub(crate) const ORDERS: &str = "orders";
/// What the error flag is called among them.
pub(crate) const FLAG: &str = "error flag";

impl Proposal {
    /// Whether it can still be taken, as far as the time is concerned.
    pub(crate) fn is_open(&self, now: Timestamp) -> bool {
        self.state == ProposalState::Open && !self.is_old(now)
    }

    /// Whether something that its owner has done since is about the same: the same unit, the same setting, or all orders.
    pub(crate) fn is_about_any_of(&self, done: &BTreeSet<String>) -> bool {
        let all_orders = done.contains(ORDERS);
        let is_order = |about: &String| about.starts_with(ORDERS);
        self.about
            .iter()
            .any(|about| done.contains(about) || (all_orders && is_order(about)))
    }

    /// Whether it has become too old to be taken.
    pub(crate) fn is_old(&self, now: Timestamp) -> bool {
        now.duration_since(self.at) > OPEN
    }
}

impl OfMail for Proposal {
    const PREFIX: &'static str = "proposal ";

    fn at(&self) -> Timestamp {
        self.at
    }
}

/// The proposals, by the ids of the mails that made them. It is known for some days what became of one, so that a late YES is told.
#[derive(Debug, Default)]
pub(crate) struct Proposals {
    all: MailMemos<Proposal>,
    /// The ids of each owner's.
    owned: BTreeMap<Owner, BTreeSet<String>>,
}

impl Proposals {
    /// The proposal that a mail made.
    pub(crate) fn of_mail(&self, id: &str) -> Option<&Proposal> {
        self.all.of_mail(id)
    }

    /// Those of an owner, with the ids of their mails, open or not.
    fn of_owner(&self, owner: &Owner) -> impl Iterator<Item = (&str, &Proposal)> {
        let ids = self.owned.get(owner).into_iter().flatten();
        ids.filter_map(|id| Some((id.as_str(), self.all.of_mail(id)?)))
    }

    /// Whether anything is known that was proposed to an owner.
    pub(crate) fn any_of(&self, owner: &Owner) -> bool {
        self.of_owner(owner).next().is_some()
    }

    /// The open ones of an owner, with the ids of their mails.
    pub(crate) fn open_to(
        &self,
        owner: &Owner,
        now: Timestamp,
    ) -> impl Iterator<Item = (&str, &Proposal)> {
        self.of_owner(owner)
            .filter(move |(_, proposal)| proposal.is_open(now))
    }

    /// What is to be stored where these become so, by the ids of their mails; and what is forgotten for it.
    pub(crate) fn changes(
        &self,
        changed: &BTreeMap<String, Proposal>,
        now: Timestamp,
    ) -> Vec<MemoChange> {
        if changed.is_empty() {
            return Vec::new();
        }
        let outdated = self.all.outdated(changed.len(), now);
        let mut gone: BTreeSet<&String> = outdated.collect();
        for new in changed.values() {
            let ids = self.owned.get(&new.owner).into_iter().flatten();
            let mut ids: Vec<&String> = ids.filter(|id| !changed.contains_key(*id)).collect();
            ids.sort_unstable_by_key(|id| self.all.of_mail(id).map(|known| known.at));
            let surplus = (ids.len() + 1).saturating_sub(MOST_OF_ONE);
            gone.extend(ids.into_iter().take(surplus));
        }
        let gone = gone.into_iter().filter(|id| !changed.contains_key(*id));
        MailMemos::changes(changed, gone)
    }

    /// Whether what is kept under a name is a proposal.
    pub(crate) fn is_one(name: &str) -> bool {
        MailMemos::<Proposal>::is_one(name)
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
        let (id, before) = self.all.absorb(name, json)?;
        if let Some(before) = before
            && let Some(ids) = self.owned.get_mut(&before.owner)
        {
            ids.remove(&id);
            if ids.is_empty() {
                self.owned.remove(&before.owner);
            }
        }
        if let Some(now) = self.all.of_mail(&id) {
            let ids = self.owned.entry(now.owner.clone()).or_default();
            ids.insert(id);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(hour: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + hour * 3_600).unwrap()
    }

    fn of_address(address: &str, hour: i64) -> Proposal {
        Proposal {
            owner: Owner::Address(address.to_owned()),
            lines: vec!["LIST kaiser".to_owned()],
            about: BTreeSet::from(["list".to_owned()]),
            at: at(hour),
            phase: None,
            state: ProposalState::Open,
        }
    }

    fn add(proposals: &mut Proposals, id: &str, proposal: Proposal) {
        let now = proposal.at;
        let changed = BTreeMap::from([(id.to_owned(), proposal)]);
        for MemoChange { name, content } in proposals.changes(&changed, now) {
            proposals.absorb(&name, content.as_deref()).unwrap();
        }
    }

    #[test]
    fn a_proposal_is_open_for_seven_days_and_known_for_fourteen() {
        let mut proposals = Proposals::default();
        add(&mut proposals, "<a>", of_address("anna@ex.org", 0));
        let anna = Owner::Address("anna@ex.org".to_owned());
        let open = |proposals: &Proposals, hour| proposals.open_to(&anna, at(hour)).count();
        assert_eq!(open(&proposals, 7 * 24), 1);
        assert_eq!(open(&proposals, 7 * 24 + 1), 0);
        add(&mut proposals, "<b>", of_address("ben@ex.org", 14 * 24));
        assert!(proposals.of_mail("<a>").is_some());
        add(&mut proposals, "<c>", of_address("ben@ex.org", 14 * 24 + 1));
        assert!(proposals.of_mail("<a>").is_none());
    }

    #[test]
    fn an_owner_has_eight_at_most() {
        let mut proposals = Proposals::default();
        add(&mut proposals, "<other>", of_address("ben@ex.org", 0));
        for hour in 0..20 {
            let id = format!("<{hour}>");
            add(&mut proposals, &id, of_address("anna@ex.org", hour));
        }
        assert_eq!(
            proposals.owned.values().map(BTreeSet::len).sum::<usize>(),
            MOST_OF_ONE + 1
        );
        assert!(proposals.of_mail("<19>").is_some());
        assert!(proposals.of_mail("<other>").is_some());
    }
}
