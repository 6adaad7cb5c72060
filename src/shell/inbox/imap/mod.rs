//! An IMAP mailbox as the inbox.
//!
//! Everything in the mailbox that is not marked as deleted waits to be handled; what is handled is moved away. The
//! alternative, to remember UIDVALIDITY and the last UID, loses mail: a message with a UID lower than one already seen
//! (restored, re-uploaded, or made visible late by a server with several writers) would never be read. Here a changed
//! UIDVALIDITY only makes earlier handles void. If a server can neither MOVE nor expunge single messages, a keyword marks
//! what is handled.

mod connect;
mod fetch;
mod marks;
mod names;
mod places;
mod put_away;
mod put_away_since;
mod recall;
mod settings;
mod transport;

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use jiff::Timestamp;

pub use settings::{ImapReport, ImapSettings, ImapTimeouts};

use super::claim::{self, Claim};
use super::{FetchedMessage, Handle, Inbox, InboxError, Look, RecallAction, Recalled, Stopper};
use connect::{Connection, MessageId, connect};
use dipjudge_store::StoreId;
use fetch::fetch;
use marks::Marks;
use put_away::HandledAs;

/// The keyword of a handled message that cannot be moved.
const HANDLED_KEYWORD: &str = "$DipjudgeHandled";
/// The most messages and bytes that one look returns.
const MOST_MAILS: usize = 200;
const MOST_BYTES: u64 = 32 << 20;
/// The most messages that one FETCH asks for.
const GROUP_MAILS: usize = 50;
/// An upper bound for the bytes in an answer beside what was asked for.
const ANSWER_OVERHEAD: u64 = 64 * 1024;
/// After this many failed fetches, alone, a message is skipped.
const MAX_FAILURES: u8 = 5;
/// After this many looks it is tried again.
const SKIPPED_LOOKS: u8 = 50;
/// After this many failed IDLEs in a row the mailbox is polled.
const MAX_IDLE_FAILURES: u8 = 3;

/// An IMAP mailbox from which mail is taken. It connects when it is first used, and again when the connection broke.
pub struct ImapInbox {
    settings: ImapSettings,
    stopper: Stopper,
    claim: Option<Claim>,
    live: Option<Connection>,
    /// Messages returned by the last look, or handled but still in the mailbox: a wait ends when there are others.
    known: BTreeSet<MessageId>,
    /// Messages that are handled, but neither moved nor marked: this process does not return them again.
    not_moved: BTreeSet<MessageId>,
    /// How often fetching a message has failed.
    fetch_failures: BTreeMap<MessageId, u8>,
    /// Messages that the server left out of the answer to a FETCH, though it had just named them.
    left_out: BTreeSet<MessageId>,
    idle_failures: u8,
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
            not_moved: BTreeSet::new(),
            fetch_failures: BTreeMap::new(),
            left_out: BTreeSet::new(),
            idle_failures: 0,
        }
    }

    /// Takes mail only if the mailbox belongs to this store. Without a claim that is not checked.
    #[must_use]
    pub fn on_behalf_of(mut self, claim: Claim) -> ImapInbox {
        self.claim = Some(claim);
        self
    }

    /// Connects, logs in, opens the mailbox, makes the target mailboxes, and says what the server can do.
    pub fn check(&mut self) -> Result<ImapReport, InboxError> {
        self.with_connection("the check", |inbox, live| {
            let waiting = inbox.search(live)?.len();
            Ok(ImapReport {
                waiting,
                messages: live.exists,
                idle: live.idle,
                moves: live.moves || live.uidplus,
                keyword: live.keyword,
                done: live.places.done.clone(),
                rejected: live.places.rejected.clone(),
            })
        })
    }

    /// Calls `act` with the connection, which is made if there is none, and keeps it only if it still works afterwards.
    ///
    /// The IMAP client is an alpha version that panics on some answers of servers. Such a panic ends the connection, not
    /// the judge.
    fn with_connection<T>(
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
            format!("UNDELETED UNKEYWORD {HANDLED_KEYWORD}")
        } else {
            "UNDELETED".to_owned()
        };
        live.control
            .expect(ANSWER_OVERHEAD + 16 * u64::from(live.exists) + (8 << 20));
        let found = live
            .session
            .uid_search(query)
            .map_err(|e| client_error("SEARCH", e))?;
        let sorted: BTreeSet<u32> = found.into_iter().collect();
        Ok(sorted
            .into_iter()
            .filter(|uid| !self.not_moved.contains(&live.message_id(*uid)))
            .collect())
    }

    fn look_with(&mut self, live: &mut Connection) -> Result<Look, InboxError> {
        if let Some(claim) = &mut self.claim {
            claim::settle(&mut Marks::new(live, &self.settings), claim)?;
        }
        let mut look = Look {
            complete: true,
            ..Look::default()
        };
        let all = self.search(live)?;
        let waits =
            |id: &MessageId| id.validity == live.validity && all.binary_search(&id.uid).is_ok();
        self.fetch_failures.retain(|id, _| waits(id));
        self.left_out.retain(waits);
        self.known.clear();
        let mut wanted = Vec::new();
        for uid in all {
            let id = live.message_id(uid);
            let tries = self.fetch_failures.get_mut(&id);
            if let Some(tries) = tries.filter(|tries| **tries >= MAX_FAILURES) {
                // Now and then it is tried again.
                *tries = if *tries >= MAX_FAILURES + SKIPPED_LOOKS {
                    MAX_FAILURES - 1
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
            // Messages with failures are fetched one by one, so that they do not affect others.
            let alone = |uid: &u32| self.fetch_failures.contains_key(&live.message_id(*uid));
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
                    let tries = self
                        .fetch_failures
                        .entry(live.message_id(*uid))
                        .or_default();
                    *tries += u8::from(group.len() == 1);
                }
            }
            let fetched = fetched?;
            for uid in group {
                let id = live.message_id(*uid);
                self.fetch_failures.remove(&id);
                self.known.insert(id);
                self.note_left_out(id, &fetched, &mut look);
            }
            for mail in fetched {
                total += mail.bytes.len() as u64;
                look.mails.push(mail);
            }
        }
        Ok(look)
    }

    /// Says of a message that is missing from an answer that it is. Somebody may have removed it meanwhile, so the first time is
    /// no fault.
    fn note_left_out(&mut self, id: MessageId, fetched: &[FetchedMessage], look: &mut Look) {
        let handle = Handle::Imap {
            validity: id.validity,
            uid: id.uid,
        };
        if fetched.iter().any(|mail| mail.handle == handle) {
            self.left_out.remove(&id);
        } else if self.left_out.insert(id) {
            let (message, mailbox) = (id.uid, &self.settings.mailbox);
            tracing::info!(
                message,
                mailbox,
                "the server left a message out of its answer; it is asked for again at the next look"
            );
        } else {
            look.unreadable.push(format!(
                "The server leaves message {} of the mailbox {} out of its answers.",
                id.uid, self.settings.mailbox
            ));
        }
    }

    fn idle(&mut self, live: &mut Connection, at_most: Duration) -> Result<(), InboxError> {
        // Searches before IDLE, since a server need not repeat in IDLE what it announced in the reply to another command.
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
            .map_err(|e| client_error("IDLE", e));
        match &outcome {
            Ok(()) => self.idle_failures = 0,
            // A server that closes the connection, perhaps to restart, still supports IDLE.
            Err(InboxError::Lost { why, .. }) if why.contains(CLOSED) => {}
            Err(_) => self.idle_failures = self.idle_failures.saturating_add(1),
        }
        outcome
    }

    /// Moves messages away, by the best means that the server has.
    fn put_away(&mut self, handles: &[Handle], handled_as: HandledAs) -> Result<(), InboxError> {
        if handles.is_empty() {
            return Ok(());
        }
        self.with_connection("putting away", |inbox, live| {
            let target = match handled_as {
                HandledAs::Done => live.places.done.clone(),
                HandledAs::Rejected => live.places.rejected.clone(),
            };
            // Handles of another UIDVALIDITY name other messages now. Their messages are found again.
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
                        .not_moved
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

/// The text in the error for a connection that the server closed.
const CLOSED: &str = "the server closed the connection";

/// An error of the client as ours. Its own text may contain texts of messages, which must not be logged.
fn client_error(what: &'static str, error: imap::Error) -> InboxError {
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
        // The client returns these for a line that it cannot parse.
        imap::Error::Bye(_) | imap::Error::Parse(_) => nonsense("it cannot be read"),
        _ => nonsense("it is not to be expected"),
    }
}

impl Inbox for ImapInbox {
    fn look(&mut self) -> Result<Look, InboxError> {
        self.with_connection("the look", ImapInbox::look_with)
    }

    fn wait(&mut self, at_most: Duration) -> Result<(), InboxError> {
        if self.stopper.is_stopped() {
            return Ok(());
        }
        let polled = self.idle_failures >= MAX_IDLE_FAILURES
            || self.live.as_ref().is_some_and(|live| !live.idle);
        if polled {
            self.stopper.rest(at_most.min(self.settings.poll));
            return Ok(());
        }
        let at_most = at_most.min(self.settings.timeouts.idle);
        self.with_connection("IDLE", |inbox, live| {
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
        wanted: &dyn Fn(&FetchedMessage) -> bool,
        action: RecallAction,
    ) -> Result<Recalled, InboxError> {
        let settings = self.settings.clone();
        let recalled = self.with_connection("looking among what was set aside", |inbox, live| {
            if let Some(claim) = &mut inbox.claim {
                claim::settle(&mut Marks::new(live, &settings), claim)?;
            }
            recall::recall(live, &settings, wanted, action)
        });
        // Another mailbox is selected now, so the connection is closed.
        self.live = None;
        recalled
    }

    fn put_away_since(&mut self, since: Timestamp) -> Result<Vec<FetchedMessage>, InboxError> {
        let settings = self.settings.clone();
        let found = self.with_connection("reading what was handled", |inbox, live| {
            if let Some(claim) = &mut inbox.claim {
                claim::settle(&mut Marks::new(live, &settings), claim)?;
            }
            put_away_since::put_away_since(live, &settings, since)
        });
        // Another mailbox is selected now, so the connection is closed.
        self.live = None;
        found
    }

    fn owners(&mut self) -> Result<Vec<StoreId>, InboxError> {
        self.with_connection("looking for marks", |inbox, live| {
            claim::owners(&mut Marks::new(live, &inbox.settings))
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
            // LOGOUT is only polite: the server also notices a closed connection.
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
