//! What the judge keeps of its mails for some days, beside the logs: one memo a mail, named by the mail's id.

use std::collections::{BTreeMap, BTreeSet};

use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::memos::MemoChange;

/// How long it is known.
const KNOWN: SignedDuration = SignedDuration::from_hours(14 * 24);
/// The most mails of which something is known: the oldest give way.
const MOST: usize = 20_000;

/// Something that is kept of a mail.
pub(crate) trait OfMail: Serialize + DeserializeOwned {
    /// How the names of its memos begin.
    const PREFIX: &'static str;

    /// When the mail was sent.
    fn at(&self) -> Timestamp;
}

/// What is kept of the mails of some days.
#[derive(Debug)]
pub(crate) struct MailMemos<T> {
    /// By the id of the mail.
    all: BTreeMap<String, T>,
    /// All ids, the oldest first.
    by_time: BTreeSet<(Timestamp, String)>,
}

impl<T> Default for MailMemos<T> {
    fn default() -> Self {
        Self {
            all: BTreeMap::new(),
            by_time: BTreeSet::new(),
        }
    }
}

impl<T: OfMail> MailMemos<T> {
    /// What is kept of the mail with this id.
    pub(crate) fn of_mail(&self, id: &str) -> Option<&T> {
        self.all.get(id)
    }

    /// The ids of the mails of which nothing is to be known any more where so many others come.
    pub(crate) fn outdated(&self, others: usize, now: Timestamp) -> impl Iterator<Item = &String> {
        let surplus = (self.all.len() + others).saturating_sub(MOST);
        let mails = self.by_time.iter().enumerate();
        mails
            .take_while(move |(place, (at, _))| *place < surplus || now.duration_since(*at) > KNOWN)
            .map(|(_, (_, id))| id)
    }

    /// What is to be stored so that these are kept, and what of those others is forgotten.
    pub(crate) fn changes<'m>(
        kept: &BTreeMap<String, T>,
        gone: impl IntoIterator<Item = &'m String>,
    ) -> Vec<MemoChange> {
        let memo = |id: &str, content| MemoChange {
            name: format!("{}{id}", T::PREFIX),
            content,
        };
        let gone: Vec<MemoChange> = gone.into_iter().map(|id| memo(id, None)).collect();
        let kept = kept.iter().filter_map(|(id, one)| {
            // Text and numbers are always written.
            Some(memo(id, Some(serde_json::to_vec(one).ok()?)))
        });
        kept.chain(gone).collect()
    }

    /// Whether what is kept under a name is of this kind.
    pub(crate) fn is_one(name: &str) -> bool {
        name.starts_with(T::PREFIX)
    }

    /// Takes in what was kept under a name, or forgets it. Returns the id of the mail, and what was known of it before.
    ///
    /// # Errors
    /// If no version of this program wrote it.
    pub(crate) fn absorb(
        &mut self,
        name: &str,
        json: Option<&[u8]>,
    ) -> Result<(String, Option<T>), serde_json::Error> {
        let id = name.strip_prefix(T::PREFIX).unwrap_or(name).to_owned();
        let now: Option<T> = json.map(serde_json::from_slice).transpose()?;
        let before = self.all.remove(&id);
        if let Some(before) = &before {
            self.by_time.remove(&(before.at(), id.clone()));
        }
        if let Some(now) = now {
            self.by_time.insert((now.at(), id.clone()));
            self.all.insert(id.clone(), now);
        }
        Ok((id, before))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize)]
    struct Hour(i64);

    impl OfMail for Hour {
        const PREFIX: &'static str = "hour ";

        fn at(&self) -> Timestamp {
            hour(self.0)
        }
    }

    fn hour(hour: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + hour * 3_600).unwrap()
    }

    #[test]
    fn what_is_kept_of_a_mail_is_known_for_fourteen_days() {
        let mut known = MailMemos::<Hour>::default();
        for (id, at) in [("<a>", 0), ("<b>", 14 * 24), ("<c>", 14 * 24 + 1)] {
            let new = BTreeMap::from([(id.to_owned(), Hour(at))]);
            let gone: Vec<String> = known.outdated(1, hour(at)).cloned().collect();
            for MemoChange { name, content } in MailMemos::changes(&new, &gone) {
                assert!(MailMemos::<Hour>::is_one(&name));
                known.absorb(&name, content.as_deref()).unwrap();
            }
            assert_eq!(known.of_mail("<a>").is_some(), id != "<c>");
        }
        assert_eq!(known.all.len(), 2);
        assert_eq!(known.by_time.len(), 2);
    }
}
