//! An IMAP mailbox as the inbox.
//!
//! Everything in the mailbox that is not marked as deleted waits to be handled; what is handled is moved away. The other way, to remember
//! UIDVALIDITY and the last UID, loses mail when that memory is wrong: a message whose UID is lower than one already seen (restored,
//! re-uploaded, or made visible late by a server with several writers) would never be looked at. This way there is nothing to
//! be wrong, and a changed UIDVALIDITY means nothing but that handles from before are void. Where a server can neither MOVE nor expunge
//! single messages, a keyword marks what is handled.

mod connect;
mod fetch;
mod marks;
mod names;
mod put_away;
mod recall;
mod settings;
mod transport;

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

pub use settings::{ImapReport, ImapSettings, ImapTimeouts};

use super::claim::{self, Claim};
use super::{Fetched, Handle, Inbox, InboxError, Look, RecallAction, Recalled, Stopper};
use connect::{Connection, MessageId, connect};
use dipjudge_store::StoreId;
use fetch::fetch;
use marks::Marks;
use put_away::HandledAs;

/// Marks a message as handled where it cannot be moved.
const KEYWORD: &str = "$DipjudgeHandled";
/// What one look takes at most, in messages and in bytes.
const MOST_MAILS: usize = 200;
const MOST_BYTES: u64 = 32 << 20;
/// How many messages one FETCH asks for at most.
const GROUP_MAILS: usize = 50;
/// Bytes in an answer beside what was asked for; generous.
const ANSWER_OVERHEAD: u64 = 64 * 1024;
/// A message whose FETCH went wrong so often, though fetched alone, is left where it is.
const TRIES: u8 = 5;
/// It is tried again after so many looks.
const SKIPPED_LOOKS: u8 = 50;
/// After so many IDLEs gone wrong in a row, we poll.
const IDLE_TRIES: u8 = 3;

/// An IMAP mailbox from which mail is taken. It connects when it is first used, and again when the connection broke.
pub struct ImapInbox {
    settings: ImapSettings,
    stopper: Stopper,
    claim: Option<Claim>,
    live: Option<Connection>,
    /// Shown by the last look, or put away without leaving the mailbox: a wait is for what is not among them.
    known: BTreeSet<MessageId>,
    /// Handled, but neither moved nor marked: not to be shown again by this process.
    stuck: BTreeSet<MessageId>,
    /// How often a message's FETCH went wrong.
    trouble: BTreeMap<MessageId, u8>,
    idle_faults: u8,
}

impl ImapInbox {
    /// An inbox with these settings; nothing is connected yet.
    pub fn new(settings: ImapSettings) -> ImapInbox {
        ImapInbox {
            settings,
            stopper: Stopper::new(),
            claim: None,
            live: None,
            known: BTreeSet::new(),
            stuck: BTreeSet::new(),
            trouble: BTreeMap::new(),
            idle_faults: 0,
        }
    }

    /// Takes mail only where that is this store's to do. Without it nobody asks whose the mailbox is.
    #[must_use]
    pub fn on_behalf_of(mut self, claim: Claim) -> ImapInbox {
        self.claim = Some(claim);
        self
    }

    /// Connects, logs in, opens the mailbox, makes the target mailboxes, and says what the server can do.
    pub fn check(&mut self) -> Result<ImapReport, InboxError> {
        self.with_live("the check", |inbox, live| {
            let waiting = inbox.search(live)?.len();
            Ok(ImapReport {
                waiting,
                messages: live.exists,
                idle: live.idle,
                moves: live.moves || live.uidplus,
                keyword: live.keyword,
            })
        })
    }

    /// Does something with the connection, made if there is none, and keeps it only if it is still good afterwards.
    ///
    /// The IMAP client is an alpha that asserts here and there what a server should never say. Such a panic ends the connection, not the judge.
    fn with_live<T>(
        &mut self,
        what: &'static str,
        act: impl FnOnce(&mut ImapInbox, &mut Connection) -> Result<T, InboxError>,
    ) -> Result<T, InboxError> {
        let taken = self.live.take();
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            let mut live = match taken {
                Some(live) => live,
                None => connect(&self.settings, &self.stopper)?,
            };
            let outcome = act(self, &mut live);
            if matches!(
                outcome,
                Ok(_)
                    | Err(InboxError::Refused { .. }
                        | InboxError::Mailbox { .. }
                        | InboxError::Foreign { .. })
            ) {
                self.live = Some(live);
            }
            outcome
        }));
        outcome.unwrap_or_else(|_| {
            Err(InboxError::Nonsense {
                what,
                why: "the IMAP client gave up on it".to_owned(),
            })
        })
    }

    /// The UIDs of all messages that wait, in order.
    fn search(&self, live: &mut Connection) -> Result<Vec<u32>, InboxError> {
        let query = if live.keyword {
            format!("UNDELETED UNKEYWORD {KEYWORD}")
        } else {
            "UNDELETED".to_owned()
        };
        live.control
            .expect(ANSWER_OVERHEAD + 16 * u64::from(live.exists) + (8 << 20));
        let found = live
            .session
            .uid_search(query)
            .map_err(|e| told("SEARCH", e))?;
        let sorted: BTreeSet<u32> = found.into_iter().collect();
        Ok(sorted
            .into_iter()
            .filter(|uid| !self.stuck.contains(&live.message_id(*uid)))
            .collect())
    }

    fn look_live(&mut self, live: &mut Connection) -> Result<Look, InboxError> {
        if let Some(claim) = &mut self.claim {
            claim::settle(&mut Marks::new(live, &self.settings), claim)?;
        }
        let mut look = Look {
            complete: true,
            ..Look::default()
        };
        let all = self.search(live)?;
        self.trouble
            .retain(|id, _| id.validity == live.validity && all.binary_search(&id.uid).is_ok());
        self.known.clear();
        let mut wanted = Vec::new();
        for uid in all {
            let id = live.message_id(uid);
            let tries = self.trouble.get_mut(&id);
            if let Some(tries) = tries.filter(|tries| **tries >= TRIES) {
                // Now and then it gets another chance.
                *tries = if *tries >= TRIES + SKIPPED_LOOKS {
                    TRIES - 1
                } else {
                    *tries + 1
                };
                self.known.insert(id);
                look.unreadable.push(format!(
                    "The server cannot show message {uid} of the mailbox {}.",
                    self.settings.mailbox
                ));
            } else if wanted.len() < MOST_MAILS {
                wanted.push(uid);
            } else {
                look.complete = false;
                break;
            }
        }
        let (mut rest, mut total) = (wanted.as_slice(), 0);
        while !rest.is_empty() {
            if total >= MOST_BYTES {
                look.complete = false;
                break;
            }
            // Messages with a history are asked for one by one, so that none takes others down with it.
            let alone = |uid: &u32| self.trouble.contains_key(&live.message_id(*uid));
            let count = match rest.first() {
                Some(first) if alone(first) => 1,
                _ => rest
                    .iter()
                    .take(GROUP_MAILS)
                    .take_while(|uid| !alone(uid))
                    .count(),
            };
            let (group, later) = rest.split_at(count);
            rest = later;
            let fetched = fetch(live, group, self.settings.max_bytes);
            if let Err(InboxError::Nonsense { .. } | InboxError::Lost { .. }) = fetched {
                for uid in group {
                    let tries = self.trouble.entry(live.message_id(*uid)).or_default();
                    *tries += u8::from(group.len() == 1);
                }
            }
            for mail in fetched? {
                total += mail.bytes.len() as u64;
                look.mails.push(mail);
            }
            for uid in group {
                let id = live.message_id(*uid);
                self.trouble.remove(&id);
                self.known.insert(id);
            }
        }
        Ok(look)
    }

    fn idle(&mut self, live: &mut Connection, at_most: Duration) -> Result<(), InboxError> {
        // Once more, since a server need not repeat in IDLE what it told in the middle of another command's reply.
        for _ in 0..3 {
            live.session.take_all_unsolicited().for_each(drop);
            if self
                .search(live)?
                .into_iter()
                .any(|uid| !self.known.contains(&live.message_id(uid)))
            {
                return Ok(());
            }
            if live.session.take_all_unsolicited().next().is_none() {
                break;
            }
        }
        live.control.expect_idle(at_most);
        let outcome = live
            .session
            .run("IDLE")
            .map(drop)
            .map_err(|e| told("IDLE", e));
        match &outcome {
            Ok(()) => self.idle_faults = 0,
            // The server that closes the connection (it restarts, perhaps) has no trouble with IDLE.
            Err(InboxError::Lost { why, .. }) if why.contains(CLOSED) => {}
            Err(_) => self.idle_faults = self.idle_faults.saturating_add(1),
        }
        outcome
    }

    /// Moves messages away, by the best means that the server has.
    fn put_away(&mut self, handles: &[Handle], handled_as: HandledAs) -> Result<(), InboxError> {
        if handles.is_empty() {
            return Ok(());
        }
        let target = match handled_as {
            HandledAs::Done => self.settings.done.clone(),
            HandledAs::Rejected => self.settings.rejected.clone(),
        };
        self.with_live("putting away", |inbox, live| {
            // Handles of another validity name other messages by now. What they named is looked at again.
            let uids: BTreeSet<u32> = handles
                .iter()
                .filter_map(|handle| match handle {
                    Handle::Imap { validity, uid } if *validity == live.validity => Some(*uid),
                    _ => None,
                })
                .collect();
            let uids: Vec<u32> = uids.into_iter().collect();
            for group in uids.chunks(100) {
                let outcome = put_away::put_away(live, &set_of(group), &target, handled_as);
                if let Err(InboxError::Refused { .. } | InboxError::Mailbox { .. }) = outcome {
                    inbox
                        .stuck
                        .extend(group.iter().map(|uid| live.message_id(*uid)));
                }
                outcome?;
            }
            Ok(())
        })
    }
}

/// UIDs as a set, `4:6,9` (RFC 3501 9, sequence-set).
fn set_of(uids: &[u32]) -> String {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for uid in uids {
        match runs.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(*uid) => *last = *uid,
            _ => runs.push((*uid, *uid)),
        }
    }
    let words: Vec<String> = runs
        .iter()
        .map(|(first, last)| {
            if first == last {
                first.to_string()
            } else {
                format!("{first}:{last}")
            }
        })
        .collect();
    words.join(",")
}

/// In the reason of a connection that the server closed.
const CLOSED: &str = "the server closed the connection";

/// What the client says, in our words: messages' texts, which its own words may hold, have no place in a log.
fn told(what: &'static str, error: imap::Error) -> InboxError {
    let nonsense = |why: &str| InboxError::Nonsense {
        what,
        why: why.to_owned(),
    };
    match error {
        imap::Error::No(no) => InboxError::Refused {
            what,
            why: no.to_string(),
        },
        imap::Error::Bad(bad) => InboxError::Refused {
            what,
            why: bad.to_string(),
        },
        imap::Error::ConnectionLost => InboxError::Lost {
            what,
            why: CLOSED.to_owned(),
        },
        imap::Error::Io(e) if e.kind() == std::io::ErrorKind::InvalidData => {
            nonsense(&e.to_string())
        }
        imap::Error::Io(e)
            if matches!(
                e.kind(),
                std::io::ErrorKind::UnexpectedEof | std::io::ErrorKind::ConnectionReset
            ) =>
        {
            InboxError::Lost {
                what,
                why: format!("{CLOSED} ({})", e.kind()),
            }
        }
        imap::Error::Io(e) => InboxError::Lost {
            what,
            why: e.to_string(),
        },
        imap::Error::TagMismatch(_) => nonsense("it is the answer to something else"),
        // The client's word for a line that it cannot read.
        imap::Error::Bye(_) | imap::Error::Parse(_) => nonsense("it cannot be read"),
        _ => nonsense("it is not to be expected"),
    }
}

impl Inbox for ImapInbox {
    fn look(&mut self) -> Result<Look, InboxError> {
        self.with_live("the look", ImapInbox::look_live)
    }

    fn wait(&mut self, at_most: Duration) -> Result<(), InboxError> {
        if self.stopper.is_stopped() {
            return Ok(());
        }
        let polled =
            self.idle_faults >= IDLE_TRIES || self.live.as_ref().is_some_and(|live| !live.idle);
        if polled {
            self.stopper.rest(at_most.min(self.settings.poll));
            return Ok(());
        }
        let at_most = at_most.min(self.settings.patience.idle);
        self.with_live("IDLE", |inbox, live| {
            if live.idle {
                inbox.idle(live, at_most)
            } else {
                Ok(())
            }
        })
    }

    fn done(&mut self, handle: &Handle) -> Result<(), InboxError> {
        self.put_away(std::slice::from_ref(handle), HandledAs::Done)
    }

    fn reject(&mut self, handle: &Handle) -> Result<(), InboxError> {
        self.put_away(std::slice::from_ref(handle), HandledAs::Rejected)
    }

    fn done_all(&mut self, handles: &[Handle]) -> Result<(), InboxError> {
        self.put_away(handles, HandledAs::Done)
    }

    fn recall(
        &mut self,
        wanted: &dyn Fn(&Fetched) -> bool,
        action: RecallAction,
    ) -> Result<Recalled, InboxError> {
        let settings = self.settings.clone();
        let recalled = self.with_live("looking among what was set aside", |inbox, live| {
            if let Some(claim) = &mut inbox.claim {
                claim::settle(&mut Marks::new(live, &settings), claim)?;
            }
            recall::recall(live, &settings, wanted, action)
        });
        // Another mailbox is selected now.
        self.live = None;
        recalled
    }

    fn bearers(&mut self) -> Result<Vec<StoreId>, InboxError> {
        self.with_live("looking for marks", |inbox, live| {
            claim::bearers(&mut Marks::new(live, &inbox.settings))
        })
    }

    fn stopper(&self) -> Stopper {
        self.stopper.clone()
    }
}

impl Drop for ImapInbox {
    fn drop(&mut self) {
        if let Some(mut live) = self.live.take() {
            live.control.expect_end(Duration::from_secs(2));
            // The server notices a closed connection, too; a word is politer.
            let _ = catch_unwind(AssertUnwindSafe(|| live.session.logout()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_share_a_range() {
        assert_eq!(
            set_of(&[1, 2, 3, 5, 9, 10, u32::MAX]),
            "1:3,5,9:10,4294967295"
        );
        assert_eq!(set_of(&[]), "");
    }
}
