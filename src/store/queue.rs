//! Which mail is sent next: the outbox in memory, without the texts.
//!
//! Mails to one recipient are sent in the order in which they were written, and so are the mails of one game: nobody reads
//! an answer before the question. A mail that was tried and must wait blocks later mails to the same recipient, but not
//! those of the same game. A mail that is not due yet, or stepped aside because the server refused its text, blocks none.
//! The two orders cannot block each other for ever: both follow the numbers, so of the mails that may be sent the one with
//! the lowest number is first in both.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;

/// The properties of a mail that its place in the order depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// The recipient's address.
    pub(super) to: String,
    /// Its game.
    pub(super) game: Option<String>,
    /// Lower ranks are sent first.
    pub(super) rank: u8,
    /// It is not sent before this time.
    pub(super) due: Timestamp,
    /// It was tried at least once.
    pub(super) tried: bool,
    /// Until it is due again, later mails to its recipient wait for it.
    pub(super) blocks_later: bool,
}

/// Mails that are being sent, and others to be left out, when asking for the next ones.
#[derive(Clone, Copy, Default)]
pub struct QueueFilter<'a> {
    /// Mails being sent: no other mail to their recipients or of their games is sent meanwhile.
    pub under_way: Option<&'a BTreeSet<u64>>,
    /// Mails whose result is known but not reported yet: treated as sent.
    pub gone: Option<&'a BTreeSet<u64>>,
    /// Mails that are treated as if they were waiting for a retry.
    pub aside: Option<&'a BTreeSet<u64>>,
    /// The recipients that may be sent to; all if `None`. Mails to others are treated as if they were waiting for a retry.
    pub only: Option<&'a dyn Fn(&str) -> bool>,
}

/// All mails that wait, by their number.
#[derive(Debug, Default)]
pub(super) struct Queue {
    entries: BTreeMap<u64, QueuedEntry>,
    recipients: NameNumbers,
    games: NameNumbers,
}

/// A mail with the numbers of its recipient and game.
#[derive(Debug)]
struct QueuedEntry {
    entry: Entry,
    recipient: usize,
    game: Option<usize>,
}

/// Assigns small numbers to names while they are in use.
#[derive(Debug, Default)]
struct NameNumbers {
    known: BTreeMap<String, NameUse>,
    free: Vec<usize>,
    next: usize,
}

#[derive(Debug)]
struct NameUse {
    number: usize,
    users: usize,
}

impl NameNumbers {
    fn take(&mut self, name: &str) -> usize {
        if let Some(known) = self.known.get_mut(name) {
            known.users += 1;
            return known.number;
        }
        let number = self.free.pop().unwrap_or_else(|| {
            self.next += 1;
            self.next - 1
        });
        self.known
            .insert(name.to_owned(), NameUse { number, users: 1 });
        number
    }

    fn leave(&mut self, name: &str) {
        if let Some(known) = self.known.get_mut(name) {
            known.users -= 1;
            if known.users == 0 {
                self.free.push(known.number);
                self.known.remove(name);
            }
        }
    }
}

/// Whether more mails to a recipient may be sent.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RecipientState {
    Free,
    /// An earlier mail is sent first.
    Waits,
    /// An earlier mail waits for a retry.
    PutOff,
}

/// The same for two spellings of a mailbox.
fn recipient_key(to: &str) -> String {
    to.to_ascii_lowercase()
}

fn holds(set: Option<&BTreeSet<u64>>, id: u64) -> bool {
    set.is_some_and(|set| set.contains(&id))
}

impl Queue {
    /// Adds a mail, or changes the one with this number.
    pub(super) fn put(&mut self, id: u64, entry: Entry) {
        self.remove(id);
        let recipient = self.recipients.take(&recipient_key(&entry.to));
        let game = entry.game.as_deref().map(|game| self.games.take(game));
        let queued = QueuedEntry {
            entry,
            recipient,
            game,
        };
        self.entries.insert(id, queued);
    }

    /// Takes a mail out.
    pub(super) fn remove(&mut self, id: u64) {
        if let Some(QueuedEntry { entry, .. }) = self.entries.remove(&id) {
            self.recipients.leave(&recipient_key(&entry.to));
            if let Some(game) = &entry.game {
                self.games.leave(game);
            }
        }
    }

    /// The number of mails.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// At most `n` mails that may be sent at `now`, at most one for each recipient and game, the most urgent first. A mail is
    /// as urgent as the most urgent one that waits for it.
    pub(super) fn heads(&self, now: Timestamp, n: usize, hold: &QueueFilter<'_>) -> Vec<u64> {
        let urgencies = self.urgencies(now, hold).into_iter().rev();
        let mut recipients = vec![RecipientState::Free; self.recipients.next];
        let mut busy_games = vec![false; self.games.next];
        let mut heads = Vec::new();
        for ((id, placed), urgency) in self.entries.iter().zip(urgencies) {
            let QueuedEntry {
                entry,
                recipient,
                game,
            } = placed;
            if holds(hold.gone, *id) {
                continue;
            }
            let Some(recipient) = recipients.get_mut(*recipient) else {
                continue;
            };
            let mut no_game = false;
            let game_is_busy = match game {
                Some(game) => busy_games.get_mut(*game).unwrap_or(&mut no_game),
                None => &mut no_game,
            };
            if holds(hold.under_way, *id) {
                (*recipient, *game_is_busy) = (RecipientState::Waits, true);
                continue;
            }
            let excluded = hold.only.is_some_and(|only| !only(&entry.to));
            if entry.due > now || holds(hold.aside, *id) || excluded {
                if entry.blocks_later || entry.due <= now {
                    *recipient = RecipientState::PutOff;
                }
                continue;
            }
            match *recipient {
                RecipientState::PutOff => continue,
                RecipientState::Free if !*game_is_busy => heads.push((urgency, *id)),
                RecipientState::Free | RecipientState::Waits => {}
            }
            (*recipient, *game_is_busy) = (RecipientState::Waits, true);
        }
        heads.sort_unstable();
        heads.into_iter().take(n).map(|(_, id)| id).collect()
    }

    /// The urgency of each mail, the last one first: the lowest of its own rank and those of the mails that wait for it.
    fn urgencies(&self, now: Timestamp, hold: &QueueFilter<'_>) -> Vec<u8> {
        let mut by_recipient = vec![u8::MAX; self.recipients.next];
        let mut by_game = vec![u8::MAX; self.games.next];
        let mut urgencies = Vec::with_capacity(self.entries.len());
        for (id, queued) in self.entries.iter().rev() {
            let entry = &queued.entry;
            let mut urgency = u8::MAX;
            if entry.due <= now && !holds(hold.gone, *id) {
                let of_recipient = by_recipient.get_mut(queued.recipient);
                let of_game = queued.game.and_then(|game| by_game.get_mut(game));
                urgency = [of_recipient.as_deref(), of_game.as_deref()]
                    .into_iter()
                    .flatten()
                    .fold(entry.rank, |most, other| most.min(*other));
                for place in [of_recipient, of_game].into_iter().flatten() {
                    *place = urgency;
                }
            }
            urgencies.push(urgency);
        }
        urgencies
    }

    /// The first time at which [`Queue::heads`] has something; `None` if nothing waits.
    pub(super) fn next_due(&self) -> Option<Timestamp> {
        // Mails that wait for an earlier one do not count.
        let mut blocked = vec![false; self.recipients.next];
        let mut next = None;
        for queued in self.entries.values() {
            let entry = &queued.entry;
            if let Some(blocked) = blocked.get_mut(queued.recipient)
                && !*blocked
            {
                next = Some(next.map_or(entry.due, |due: Timestamp| due.min(entry.due)));
                *blocked = entry.blocks_later;
            }
        }
        next
    }

    /// The mails that wait for a retry after `now` and whose recipient `which` selects.
    pub(super) fn in_retry(&self, now: Timestamp, which: &dyn Fn(&str) -> bool) -> Vec<u64> {
        self.entries
            .iter()
            .map(|(id, placed)| (id, &placed.entry))
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
            game: None,
            rank,
            due: at(due),
            tried,
            blocks_later: tried,
        }
    }

    fn of(game: &str, entry: Entry) -> Entry {
        Entry {
            game: Some(game.to_owned()),
            ..entry
        }
    }

    fn heads(queue: &Queue, now: i64, n: usize) -> Vec<u64> {
        queue.heads(at(now), n, &QueueFilter::default())
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
        assert_eq!(heads(&queue, 50, 9), [3]);
        assert_eq!(
            heads(&queue, 100, 9),
            [1, 3],
            "and then carries the urgency of what it holds up"
        );
        assert_eq!(queue.next_due(), Some(at(0)));
    }

    #[test]
    fn a_mail_in_retry_that_steps_aside_holds_nobody_up() {
        let aside = Entry {
            blocks_later: false,
            ..entry("anna@x", 2, 100, true)
        };
        let queue = queue(&[(1, aside), (2, entry("anna@x", 2, 0, false))]);
        assert_eq!(heads(&queue, 50, 9), [2]);
        assert_eq!(queue.next_due(), Some(at(0)));
        assert_eq!(queue.in_retry(at(50), &|_| true), [1]);
    }

    #[test]
    fn a_mail_meant_for_later_holds_nobody_up() {
        let queue = queue(&[
            (1, entry("anna@x", 3, 100, false)),
            (2, entry("anna@x", 1, 0, false)),
        ]);
        assert_eq!(heads(&queue, 50, 9), [2]);
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
        assert_eq!(heads(&queue, 0, 3), [2, 3, 4]);
        assert_eq!(heads(&queue, 0, 9), [2, 3, 4, 1]);
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

    #[test]
    fn mails_of_one_game_go_one_after_another_and_games_side_by_side() {
        let queue = queue(&[
            (1, of("kaiser", entry("master@x", 2, 0, false))),
            (2, of("kaiser", entry("anna@x", 2, 0, false))),
            (3, of("friday", entry("anna@x", 2, 0, false))),
            (4, of("friday", entry("bert@x", 2, 0, false))),
            (5, entry("cleo@x", 2, 0, false)),
            (6, of("tokyo", entry("bert@x", 2, 0, false))),
        ]);
        // "friday" waits for Anna, who gets her mail of "kaiser" first.
        assert_eq!(heads(&queue, 0, 9), [1, 5]);
        let after = |under_way: &[u64], gone: &[u64]| {
            let (under_way, gone) = (under_way.iter().copied(), gone.iter().copied());
            let hold = QueueFilter {
                under_way: Some(&under_way.collect()),
                gone: Some(&gone.collect()),
                ..QueueFilter::default()
            };
            queue.heads(at(0), 9, &hold)
        };
        assert_eq!(after(&[1, 5], &[]), [] as [u64; 0]);
        assert_eq!(after(&[5], &[1]), [2]);
        assert_eq!(after(&[], &[1, 2, 5]), [3]);
        assert_eq!(after(&[], &[1, 2, 3, 5]), [4]);
        assert_eq!(after(&[], &[1, 2, 3, 4, 5]), [6]);
    }

    #[test]
    fn who_is_put_off_holds_up_nobody_else_in_the_game() {
        let queue = queue(&[
            (1, of("kaiser", entry("anna@x", 0, 500, true))),
            (2, of("kaiser", entry("bert@x", 0, 0, false))),
            (3, of("friday", entry("anna@x", 0, 0, false))),
            (4, of("friday", entry("cleo@x", 0, 0, false))),
        ]);
        assert_eq!(heads(&queue, 0, 9), [2, 4]);
        assert_eq!(heads(&queue, 500, 9), [1]);
        let aside = QueueFilter {
            aside: Some(&[2].into()),
            ..QueueFilter::default()
        };
        assert_eq!(queue.heads(at(0), 9, &aside), [4]);
        let only = QueueFilter {
            only: Some(&|to| to != "bert@x"),
            ..QueueFilter::default()
        };
        assert_eq!(queue.heads(at(0), 9, &only), [4]);
    }

    #[test]
    fn what_holds_up_something_urgent_is_urgent_through_lines_and_lanes() {
        let queue = queue(&[
            (1, entry("zoe@x", 1, 0, false)),
            (2, of("friday", entry("dirk@x", 3, 0, false))),
            (3, of("friday", entry("anna@x", 3, 0, false))),
            (4, of("kaiser", entry("anna@x", 0, 0, false))),
        ]);
        assert_eq!(heads(&queue, 0, 1), [2]);
    }

    #[test]
    fn something_may_go_as_long_as_anything_is_due() {
        // Lines and lanes crossed in every way that four mails of two games to two readers can be.
        for pattern in 0..256u64 {
            let mails = (0..4).map(|n| {
                let bits = pattern >> (2 * n);
                let game = if bits & 1 == 0 { "kaiser" } else { "friday" };
                let to = if bits & 2 == 0 { "anna@x" } else { "bert@x" };
                (n, of(game, entry(to, (n % 3) as u8, 0, false)))
            });
            let mut queue = queue(&mails.collect::<Vec<_>>());
            while queue.len() > 0 {
                let next = heads(&queue, 0, 1);
                assert_eq!(next.len(), 1, "pattern {pattern}");
                queue.remove(next[0]);
            }
            assert_eq!(queue.next_due(), None);
        }
    }
}
