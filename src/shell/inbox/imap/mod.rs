//! An IMAP mailbox as the inbox.
//!
//! Everything in the mailbox that is not marked as deleted waits to be handled; what is handled is moved away. The other way, to remember
//! UIDVALIDITY and the last UID, loses mail when that memory is wrong: a message whose UID is lower than one already seen (restored,
//! re-uploaded, or made visible late by a server with several writers) would never be looked at. This way there is nothing to
//! be wrong, and a changed UIDVALIDITY means nothing but that handles from before are void. Where a server can neither MOVE nor expunge
//! single messages, a keyword marks what is handled.

mod connect;
mod names;
mod transport;

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::time::Duration;

use jiff::Timestamp;

use super::{Fetched, Handle, Inbox, InboxError, Look, Stopper, header_of};
use crate::shell::config;
use crate::shell::secret::Secret;
use crate::shell::tls::Tls;
use connect::{Live, connect, make_mailbox};

/// Marks a message as handled where it cannot be moved.
const KEYWORD: &str = "$DipjudgeHandled";
/// What one look takes at most, in messages and in bytes.
const MOST_MAILS: usize = 200;
const MOST_BYTES: u64 = 32 << 20;
/// What one FETCH asks for at most.
const GROUP_MAILS: usize = 50;
const GROUP_BYTES: u64 = 4 << 20;
/// So much of an oversize message is fetched, for its header.
const OVERSIZE_BYTES: u64 = 64 * 1024;
/// Bytes around each message in an answer, and around the answer; generous.
const ANSWER_OVERHEAD: u64 = 64 * 1024;
const MAIL_OVERHEAD: u64 = 4 * 1024;
/// A message whose FETCH went wrong so often, though fetched alone, is left where it is.
const TRIES: u8 = 5;
/// It is tried again after so many looks.
const SKIPPED_LOOKS: u8 = 50;
/// After so many IDLEs gone wrong in a row, we poll.
const IDLE_TRIES: u8 = 3;

/// How long to wait for what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// For a connection to be made.
    pub connect: Duration,
    /// For the server to say something; ten times as long for a whole answer.
    pub answer: Duration,
    /// For one IDLE. Servers end them after 30 minutes, address translators forget them much sooner.
    pub idle: Duration,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience {
            connect: Duration::from_secs(20),
            answer: Duration::from_secs(60),
            idle: Duration::from_secs(4 * 60),
        }
    }
}

/// Where the mailbox is and how to get in.
#[derive(Debug, Clone)]
pub struct ImapSettings {
    /// The server's name, which its certificate must bear.
    pub host: String,
    /// Usually 993, or 143 with STARTTLS.
    pub port: u16,
    /// Protection of the connection.
    pub tls: Tls,
    /// A private certificate authority's file (PEM), beside the system's.
    pub ca_file: Option<PathBuf>,
    /// Login name.
    pub user: String,
    /// Password or token.
    pub secret: Secret,
    /// The mailbox in which mail arrives.
    pub mailbox: String,
    /// Where handled messages go.
    pub done: String,
    /// Where messages set aside for the keeper go.
    pub rejected: String,
    /// How often to look when the server has no IDLE.
    pub poll: Duration,
    /// Of a message larger than this only the header is fetched.
    pub max_bytes: u64,
    /// Time limits.
    pub patience: Patience,
}

impl ImapSettings {
    /// As the config has it, with the usual time limits. `max_bytes` is the limit for a message.
    pub fn of(config: &config::Imap, trust: &config::Trust, max_bytes: u64) -> ImapSettings {
        ImapSettings {
            host: config.server.host.clone(),
            port: config.server.port,
            tls: config.server.tls.into(),
            ca_file: trust.ca_file.clone(),
            user: config.login.user.clone(),
            secret: (&config.login.secret).into(),
            mailbox: config.mailbox.clone(),
            done: config.done.clone(),
            rejected: config.rejected.clone(),
            poll: config.poll,
            max_bytes,
            patience: Patience::default(),
        }
    }
}

/// What `fetch-check` tells of a mailbox that could be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImapReport {
    /// Messages that wait.
    pub waiting: usize,
    /// All messages in it.
    pub messages: u32,
    /// Whether the server tells of new mail by itself.
    pub idle: bool,
    /// Whether handled messages can be moved away.
    pub moves: bool,
    /// Whether, if they cannot be moved away, they can at least be marked with a keyword.
    pub keyword: bool,
}

/// An IMAP mailbox from which mail is taken. It connects when it is first used, and again when the connection broke.
pub struct ImapInbox {
    settings: ImapSettings,
    stopper: Stopper,
    live: Option<Live>,
    /// Shown by the last look, or put away without leaving the mailbox: a wait is for what is not among them.
    known: BTreeSet<(u32, u32)>,
    /// Handled, but neither moved nor marked: not to be shown again by this process.
    stuck: BTreeSet<(u32, u32)>,
    /// How often a message's FETCH went wrong.
    trouble: BTreeMap<(u32, u32), u8>,
    idle_faults: u8,
}

enum Shelf {
    Done,
    Rejected,
}

impl ImapInbox {
    /// An inbox with these settings; nothing is connected yet.
    pub fn new(settings: ImapSettings) -> ImapInbox {
        ImapInbox {
            settings,
            stopper: Stopper::new(),
            live: None,
            known: BTreeSet::new(),
            stuck: BTreeSet::new(),
            trouble: BTreeMap::new(),
            idle_faults: 0,
        }
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
        act: impl FnOnce(&mut ImapInbox, &mut Live) -> Result<T, InboxError>,
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
                Ok(_) | Err(InboxError::Refused { .. } | InboxError::Mailbox { .. })
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
    fn search(&self, live: &mut Live) -> Result<Vec<u32>, InboxError> {
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
            .filter(|uid| !self.stuck.contains(&(live.validity, *uid)))
            .collect())
    }

    fn look_live(&mut self, live: &mut Live) -> Result<Look, InboxError> {
        let validity = live.validity;
        let mut look = Look {
            complete: true,
            ..Look::default()
        };
        let all = self.search(live)?;
        self.trouble
            .retain(|(v, uid), _| *v == validity && all.binary_search(uid).is_ok());
        self.known.clear();
        let mut wanted = Vec::new();
        for uid in all {
            let tries = self.trouble.get_mut(&(validity, uid));
            if let Some(tries) = tries.filter(|tries| **tries >= TRIES) {
                // Now and then it gets another chance.
                *tries = if *tries >= TRIES + SKIPPED_LOOKS {
                    TRIES - 1
                } else {
                    *tries + 1
                };
                self.known.insert((validity, uid));
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
            let alone = |uid: &u32| self.trouble.contains_key(&(validity, *uid));
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
                    let tries = self.trouble.entry((validity, *uid)).or_default();
                    *tries += u8::from(group.len() == 1);
                }
            }
            for mail in fetched? {
                total += mail.bytes.len() as u64;
                look.mails.push(mail);
            }
            for uid in group {
                self.trouble.remove(&(validity, *uid));
                self.known.insert((validity, *uid));
            }
        }
        Ok(look)
    }

    fn idle(&mut self, live: &mut Live, at_most: Duration) -> Result<(), InboxError> {
        // Once more, since a server need not repeat in IDLE what it told in the middle of another command's reply.
        let validity = live.validity;
        for _ in 0..3 {
            live.session.take_all_unsolicited().for_each(drop);
            if self
                .search(live)?
                .into_iter()
                .any(|uid| !self.known.contains(&(validity, uid)))
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
    fn put_away(&mut self, handles: &[Handle], shelf: &Shelf) -> Result<(), InboxError> {
        if handles.is_empty() {
            return Ok(());
        }
        let target = match shelf {
            Shelf::Done => self.settings.done.clone(),
            Shelf::Rejected => self.settings.rejected.clone(),
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
                let outcome = put_away_group(live, &set_of(group), &target, shelf);
                if let Err(InboxError::Refused { .. } | InboxError::Mailbox { .. }) = outcome {
                    inbox
                        .stuck
                        .extend(group.iter().map(|uid| (live.validity, *uid)));
                }
                outcome?;
            }
            Ok(())
        })
    }
}

/// Fetches a few messages: first their sizes and dates, then their bytes, as far as they are wanted.
fn fetch(live: &mut Live, uids: &[u32], max_bytes: u64) -> Result<Vec<Fetched>, InboxError> {
    live.control
        .expect(ANSWER_OVERHEAD + uids.len() as u64 * MAIL_OVERHEAD);
    let stamps = live
        .session
        .uid_fetch(set_of(uids), "(UID INTERNALDATE RFC822.SIZE)")
        .map_err(|e| told("FETCH", e))?;
    let mut small = Vec::new();
    let mut known = BTreeMap::new();
    // Entries without a UID are notices of changed flags, which belong to no question.
    for (uid, stamp) in stamps
        .iter()
        .filter_map(|stamp| Some((stamp.uid?, stamp)))
        .filter(|(uid, _)| uids.contains(uid))
    {
        let Some(size) = stamp.size else { continue };
        // A date that cannot be read is as good as none: then it arrives now.
        let arrived = stamp
            .internal_date()
            .and_then(|date| Timestamp::from_second(date.timestamp()).ok());
        known.insert(
            uid,
            (u64::from(size), arrived.unwrap_or_else(Timestamp::now)),
        );
    }
    let mut bodies = BTreeMap::new();
    let mut pending = 0;
    for (uid, (size, _)) in &known {
        if *size > max_bytes {
            bodies.extend(fetch_bodies(live, &[*uid], OVERSIZE_BYTES, OVERSIZE_BYTES)?);
            continue;
        }
        if pending + size > GROUP_BYTES && !small.is_empty() {
            bodies.extend(fetch_bodies(live, &small, max_bytes + 1, pending)?);
            small.clear();
            pending = 0;
        }
        small.push(*uid);
        pending += size;
    }
    bodies.extend(fetch_bodies(live, &small, max_bytes + 1, pending)?);
    let mails = uids.iter().filter_map(|uid| {
        let (size, arrived) = *known.get(uid)?;
        let mut bytes = bodies.remove(uid)?;
        let oversize = size > max_bytes || bytes.len() as u64 > max_bytes;
        if oversize {
            bytes.truncate(header_of(&bytes).len());
        }
        Some(Fetched {
            handle: Handle::Imap {
                validity: live.validity,
                uid: *uid,
            },
            bytes,
            arrived,
            oversize,
        })
    });
    Ok(mails.collect())
}

/// The first `most` bytes of each message. `total` is what they should come to; an answer of more than double that is refused.
fn fetch_bodies(
    live: &mut Live,
    uids: &[u32],
    most: u64,
    total: u64,
) -> Result<BTreeMap<u32, Vec<u8>>, InboxError> {
    if uids.is_empty() {
        return Ok(BTreeMap::new());
    }
    // Servers disagree with themselves on sizes, by line ends for example.
    live.control
        .expect(ANSWER_OVERHEAD + 2 * total + uids.len() as u64 * MAIL_OVERHEAD);
    // PEEK, so that the message is not marked as read; and a part only, so that a wrong size does no harm.
    let query = format!("(UID BODY.PEEK[]<0.{most}>)");
    let answer = live
        .session
        .uid_fetch(set_of(uids), query)
        .map_err(|e| told("FETCH", e))?;
    // No body: the message is gone meanwhile.
    Ok(answer
        .iter()
        .filter_map(|fetch| Some((fetch.uid?, fetch.body()?.to_vec())))
        .collect())
}

fn put_away_group(
    live: &mut Live,
    set: &str,
    target: &str,
    shelf: &Shelf,
) -> Result<(), InboxError> {
    let wire = names::encode(target);
    if let Shelf::Done = shelf {
        // What stands in "done" is read. Not worth failing for.
        match store(live, set, "+FLAGS.SILENT (\\Seen)") {
            Ok(()) | Err(InboxError::Refused { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    let moved = carry(live, set, &wire).or_else(|error| match error {
        // The target may have been removed since the start.
        InboxError::Refused { .. } => {
            live.control.expect(ANSWER_OVERHEAD);
            make_mailbox(&mut live.session, target)?;
            carry(live, set, &wire)
        }
        error => Err(error),
    });
    match moved {
        Ok(true) => Ok(()),
        Ok(false) => mark(live, set),
        Err(refusal @ (InboxError::Refused { .. } | InboxError::Mailbox { .. })) => {
            // It stays, but it must not come again at every look.
            mark(live, set)?;
            Err(refusal)
        }
        Err(error) => Err(error),
    }
}

/// Moves, or copies and removes: true. Only copies, since the server cannot remove single messages: false.
/// Never a plain EXPUNGE: it would remove what others have marked.
fn carry(live: &mut Live, set: &str, wire: &str) -> Result<bool, InboxError> {
    live.control.expect(ANSWER_OVERHEAD);
    if live.moves {
        live.session
            .uid_mv(set, wire)
            .map_err(|e| told("MOVE", e))?;
        return Ok(true);
    }
    live.session
        .uid_copy(set, wire)
        .map_err(|e| told("COPY", e))?;
    if live.uidplus {
        store(live, set, "+FLAGS.SILENT (\\Deleted)")?;
        live.control.expect(ANSWER_OVERHEAD);
        live.session
            .uid_expunge(set)
            .map_err(|e| told("EXPUNGE", e))?;
    }
    Ok(live.uidplus)
}

/// Marks messages as handled: by our keyword; where there are no keywords, as deleted, which removes nothing by itself.
fn mark(live: &mut Live, set: &str) -> Result<(), InboxError> {
    let flags = if live.keyword {
        format!("+FLAGS.SILENT (\\Seen {KEYWORD})")
    } else {
        "+FLAGS.SILENT (\\Seen \\Deleted)".to_owned()
    };
    store(live, set, &flags)
}

fn store(live: &mut Live, set: &str, flags: &str) -> Result<(), InboxError> {
    live.control.expect(ANSWER_OVERHEAD);
    live.session
        .uid_store(set, flags)
        .map(drop)
        .map_err(|e| told("STORE", e))
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
        self.put_away(std::slice::from_ref(handle), &Shelf::Done)
    }

    fn reject(&mut self, handle: &Handle) -> Result<(), InboxError> {
        self.put_away(std::slice::from_ref(handle), &Shelf::Rejected)
    }

    fn done_all(&mut self, handles: &[Handle]) -> Result<(), InboxError> {
        self.put_away(handles, &Shelf::Done)
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
