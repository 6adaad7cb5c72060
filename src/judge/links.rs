//! Who has asked that two addresses belong to one person (I AM ALSO): kept beside the logs until both addresses have answered.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::address_memos::AddressMemos;
use crate::memos::MemoChange;
use crate::tokens;
use dipjudge_game::{PersonId, Seed};

/// How the names of their memos begin.
const PREFIX: &str = "also ";
/// How long a request can be answered.
const OPEN: SignedDuration = SignedDuration::from_hours(7 * 24);
/// The most requests of one person: older ones give way.
const MOST_OF_ONE: usize = 3;
/// The most requests of all.
const MOST: usize = 2_000;

/// That a person reads a further address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LinkRequest {
    pub person: PersonId,
    /// The address of the person that asked.
    pub old: String,
    /// The further address.
    pub new: String,
    /// Whether the old address has answered.
    pub agreed: bool,
    pub at: Timestamp,
}

/// Which of the two addresses an answer comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LinkEnd {
    Old,
    New,
}

impl LinkRequest {
    /// The token that stands in the mail to one of the two addresses, and nowhere else.
    pub(crate) fn token(&self, secret: &Seed, end: LinkEnd) -> String {
        let (to, other) = match end {
            LinkEnd::Old => (&self.old, &self.new),
            LinkEnd::New => (&self.new, &self.old),
        };
        let second = self.at.as_second();
        tokens::of_link(secret, to, other, &format!("{end:?} {second}"))
    }

    /// The name of its memo, behind the prefix.
    fn name(&self) -> String {
        format!("{} {}", self.person.0, self.new)
    }

    fn is_old(&self, now: Timestamp) -> bool {
        now.duration_since(self.at) > OPEN
    }
}

/// The requests that are open.
#[derive(Debug)]
pub(crate) struct LinkRequests {
    pub(crate) memos: AddressMemos<LinkRequest>,
}

impl Default for LinkRequests {
    fn default() -> LinkRequests {
        LinkRequests {
            memos: AddressMemos::new(PREFIX),
        }
    }
}

/// What becomes of a request.
#[derive(Clone, Debug)]
pub(crate) enum LinkChange {
    Asked(LinkRequest),
    Agreed(LinkRequest),
    Ended(LinkRequest),
}

impl LinkRequests {
    /// The request of which this is a token, and the address that it was sent to.
    pub(crate) fn of_token(
        &self,
        secret: &Seed,
        token: &str,
        now: Timestamp,
    ) -> Option<(LinkRequest, LinkEnd)> {
        let open = self.memos.all().values().filter(|one| !one.is_old(now));
        let mut ends = open.flat_map(|one| [(one, LinkEnd::Old), (one, LinkEnd::New)]);
        let (request, end) =
            ends.find(|(one, end)| tokens::same(&one.token(secret, *end), token))?;
        Some((request.clone(), end))
    }

    /// What is to be stored, and what is forgotten for it.
    pub(crate) fn changes(&self, changed: &[LinkChange], now: Timestamp) -> Vec<MemoChange> {
        let mut changes = Vec::new();
        for change in changed {
            match change {
                LinkChange::Asked(request) => {
                    changes.extend(self.gone_for(request, now));
                    changes.extend(self.memos.kept(&request.name(), request));
                }
                LinkChange::Agreed(request) => {
                    let agreed = LinkRequest {
                        agreed: true,
                        ..request.clone()
                    };
                    changes.extend(self.memos.kept(&request.name(), &agreed));
                }
                LinkChange::Ended(request) => changes.push(self.memos.forgotten(&request.name())),
            }
        }
        changes
    }

    /// What gives way to a new request: old ones, those of its person beyond a few, and the oldest where there are very many.
    fn gone_for(&self, new: &LinkRequest, now: Timestamp) -> Vec<MemoChange> {
        let others = self.memos.all().iter();
        let mut others: Vec<(&String, &LinkRequest)> =
            others.filter(|(name, _)| **name != new.name()).collect();
        others.sort_unstable_by_key(|(_, one)| std::cmp::Reverse(one.at));
        let (mut of_one, mut of_all) = (1, 1);
        let gone = others.into_iter().filter(|(_, one)| {
            of_one += usize::from(one.person == new.person);
            of_all += 1;
            let beyond = one.person == new.person && of_one > MOST_OF_ONE;
            one.is_old(now) || beyond || of_all > MOST
        });
        gone.map(|(name, _)| self.memos.forgotten(name)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(hour: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + hour * 3_600).unwrap()
    }

    fn ask(known: &mut LinkRequests, person: u32, new: &str, hour: i64) -> LinkRequest {
        let request = LinkRequest {
            person: PersonId(person),
            old: "anna@ex.org".to_owned(),
            new: new.to_owned(),
            agreed: false,
            at: at(hour),
        };
        let changes = known.changes(&[LinkChange::Asked(request.clone())], at(hour));
        for MemoChange { name, content } in changes {
            known.memos.absorb(&name, content.as_deref()).unwrap();
        }
        request
    }

    #[test]
    fn a_request_is_known_by_two_tokens_for_a_week() {
        let secret = Seed::new([1; 32]);
        let mut known = LinkRequests::default();
        let request = ask(&mut known, 1, "anna@work.example", 0);
        let old = request.token(&secret, LinkEnd::Old);
        let new = request.token(&secret, LinkEnd::New);
        assert_ne!(old, new);
        let found = |token: &str, hour| known.of_token(&secret, token, at(hour)).map(|it| it.1);
        assert_eq!(found(&old, 1), Some(LinkEnd::Old));
        assert_eq!(found(&new.to_uppercase(), 7 * 24), Some(LinkEnd::New));
        assert_eq!(found(&new, 7 * 24 + 1), None);
    }

    #[test]
    fn a_person_has_three_requests_at_most() {
        let mut known = LinkRequests::default();
        ask(&mut known, 2, "ben@work.example", 0);
        for hour in 0..9 {
            ask(&mut known, 1, &format!("anna@{hour}.example"), hour);
        }
        assert_eq!(known.memos.all().len(), MOST_OF_ONE + 1);
        ask(&mut known, 3, "cleo@work.example", 8 * 24);
        assert_eq!(known.memos.all().len(), 1);
    }
}
