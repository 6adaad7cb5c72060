//! Which mail goes next: the outbox in memory, without the texts.
//!
//! Per recipient a line of mails in the order in which they were written. A mail that was tried and must wait holds up
//! those behind it, so that nobody reads the answer before the question; one that is only meant for later does not.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;

/// What the order depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// The recipient's address.
    pub(super) to: String,
    /// 0 first.
    pub(super) rank: u8,
    /// Not before.
    pub(super) due: Timestamp,
    /// It was tried at least once.
    pub(super) tried: bool,
}

/// All mails that wait, by their number.
#[derive(Debug, Default)]
pub(super) struct Queue {
    entries: BTreeMap<u64, Entry>,
    lines: BTreeMap<String, BTreeSet<u64>>,
}

/// Two spellings of one mailbox stand in one line.
fn line_of(to: &str) -> String {
    to.to_ascii_lowercase()
}

impl Queue {
    /// Adds a mail, or changes the one with this number.
    pub(super) fn put(&mut self, id: u64, entry: Entry) {
        self.remove(id);
        self.lines.entry(line_of(&entry.to)).or_default().insert(id);
        self.entries.insert(id, entry);
    }

    /// Takes a mail out.
    pub(super) fn remove(&mut self, id: u64) {
        if let Some(entry) = self.entries.remove(&id) {
            let line = line_of(&entry.to);
            if let Some(ids) = self.lines.get_mut(&line) {
                ids.remove(&id);
                if ids.is_empty() {
                    self.lines.remove(&line);
                }
            }
        }
    }

    /// How many wait.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The mails of one line in the order of their numbers.
    fn line<'a>(&'a self, ids: &'a BTreeSet<u64>) -> impl Iterator<Item = (u64, &'a Entry)> {
        ids.iter()
            .filter_map(|id| self.entries.get(id).map(|entry| (*id, entry)))
    }

    /// At most `n` mails that may go at `now`, at most one for each recipient, the most urgent first. A mail is as urgent
    /// as the most urgent one that waits behind it in its line.
    pub(super) fn heads(&self, now: Timestamp, n: usize) -> Vec<u64> {
        let mut heads = Vec::new();
        for ids in self.lines.values() {
            let head = self
                .line(ids)
                .find(|(_, entry)| entry.tried || entry.due <= now)
                .filter(|(_, entry)| entry.due <= now);
            let Some((id, _)) = head else { continue };
            let urgency = self
                .line(ids)
                .filter(|(_, entry)| entry.due <= now)
                .map(|(_, entry)| entry.rank)
                .min();
            heads.push((urgency, id));
        }
        heads.sort_unstable();
        heads.into_iter().take(n).map(|(_, id)| id).collect()
    }

    /// The first time at which [`Queue::heads`] has something; `None` if nothing waits.
    pub(super) fn next_due(&self) -> Option<Timestamp> {
        self.lines
            .values()
            .filter_map(|ids| {
                let mut first = None;
                for (_, entry) in self.line(ids) {
                    first = Some(first.map_or(entry.due, |due: Timestamp| due.min(entry.due)));
                    if entry.tried {
                        break;
                    }
                }
                first
            })
            .min()
    }

    /// The mails that were tried and wait beyond `now`, and whose recipient `which` picks.
    pub(super) fn in_retry(&self, now: Timestamp, which: &dyn Fn(&str) -> bool) -> Vec<u64> {
        self.entries
            .iter()
            .filter(|(_, entry)| entry.tried && entry.due > now && which(&entry.to))
            .map(|(id, _)| *id)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    fn entry(to: &str, rank: u8, due: i64, tried: bool) -> Entry {
        Entry {
            to: to.to_owned(),
            rank,
            due: at(due),
            tried,
        }
    }

    fn queue(entries: &[(u64, Entry)]) -> Queue {
        let mut queue = Queue::default();
        for (id, entry) in entries {
            queue.put(*id, entry.clone());
        }
        queue
    }

    #[test]
    fn a_mail_waits_for_an_earlier_one_in_retry_to_the_same_recipient() {
        let queue = queue(&[
            (1, entry("anna@x", 2, 100, true)),
            (2, entry("Anna@X", 0, 0, false)),
            (3, entry("bert@x", 1, 0, false)),
        ]);
        assert_eq!(queue.heads(at(50), 9), [3]);
        assert_eq!(
            queue.heads(at(100), 9),
            [1, 3],
            "and then carries the urgency of what it holds up"
        );
        assert_eq!(queue.next_due(), Some(at(0)));
    }

    #[test]
    fn a_mail_meant_for_later_holds_nobody_up() {
        let queue = queue(&[
            (1, entry("anna@x", 3, 100, false)),
            (2, entry("anna@x", 1, 0, false)),
        ]);
        assert_eq!(queue.heads(at(50), 9), [2]);
        assert_eq!(queue.next_due(), Some(at(0)));
    }

    #[test]
    fn results_go_before_reminders_and_older_before_newer() {
        let queue = queue(&[
            (1, entry("a@x", 3, 0, false)),
            (2, entry("b@x", 0, 0, false)),
            (3, entry("c@x", 0, 0, false)),
            (4, entry("d@x", 1, 0, false)),
        ]);
        assert_eq!(queue.heads(at(0), 3), [2, 3, 4]);
        assert_eq!(queue.heads(at(0), 9), [2, 3, 4, 1]);
    }

    #[test]
    fn the_next_time_is_that_of_the_mail_in_retry_not_of_those_behind_it() {
        let mut queue = queue(&[
            (1, entry("a@x", 1, 500, true)),
            (2, entry("a@x", 1, 10, false)),
        ]);
        assert_eq!(queue.next_due(), Some(at(500)));
        assert_eq!(queue.in_retry(at(20), &|to| to.ends_with("@x")), [1]);
        assert_eq!(
            queue.in_retry(at(20), &|to| to.ends_with("@y")),
            [] as [u64; 0]
        );
        queue.remove(1);
        assert_eq!(queue.next_due(), Some(at(10)));
        queue.remove(2);
        assert_eq!((queue.next_due(), queue.len()), (None, 0));
    }
}
