//! Sends what is in the outbox, the most urgent first, in order for each recipient and each game
//! (`dependencies.md` 11.7).

mod breaks;
mod learned_forms;
mod record;
mod refusals;

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tokio::sync::Semaphore;
use tokio::task::{JoinError, JoinSet};

use super::mail_form::{in_form, picture_bytes};
use super::notice::{Notices, NoticesSent};
use super::setup::ConfiguredOutbox;
use crate::clock::Clock;
use crate::outbox::{Outbox, Outgoing, Pace, PictureAllowance, SendOutcome};
use crate::random::SystemIds;
use breaks::Breaks;
use dipjudge_store::{MailForm, OutboxMail, QueueFilter, Store, StoreError};
use learned_forms::LearnedForms;
use refusals::Refusals;

/// The most mails being sent at a time, one for each recipient and for each game.
const MAX_UNDER_WAY: usize = 32;
/// The most mails whose delivery is stored in one transaction.
const MAX_COMMIT: usize = 16;
/// The longest time before a delivery is stored. A transaction is costly, but a delivery that is not stored is sent again
/// after a crash.
const MAX_COMMIT_DELAY: Duration = Duration::from_millis(30);
/// The threads of the sender.
const THREADS: usize = 4;
/// The longest sleep, so that a stop is noticed.
const MAX_SLEEP: Duration = Duration::from_millis(250);
/// The key under which the store holds why the queue is stopped.
const STOPPED_KEY: &str = "outbox-stopped";
/// The key under which the store holds why the server is away.
const AWAY_KEY: &str = "outbox-away";

/// Why and since when nothing is sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Halt {
    /// When it was noticed.
    pub at: Timestamp,
    /// What is wrong.
    pub why: String,
}

impl Halt {
    /// Why the queue is stopped: the server refuses the judge, and only the keeper can change that.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn stopped(store: &Store) -> Result<Option<Halt>, StoreError> {
        read_note(store, STOPPED_KEY)
    }

    /// Why the server cannot be reached.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn away(store: &Store) -> Result<Option<Halt>, StoreError> {
        read_note(store, AWAY_KEY)
    }
}

/// What the store remembers under a key; `None` if that is nothing, or cannot be read.
fn read_note<T: DeserializeOwned>(store: &Store, key: &str) -> Result<Option<T>, StoreError> {
    let note = store.meta(key)?;
    Ok(note.and_then(|bytes| serde_json::from_slice(&bytes).ok()))
}

/// Why the sender cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum SenderError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// What the store is to remember cannot be written as JSON.
    #[error("cannot write a note: {0}")]
    Note(#[from] serde_json::Error),
}

/// The outcome of a round.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct RoundOutcome {
    /// How many mails the server accepted.
    pub delivered: usize,
    /// How many mails are to be tried again.
    pub later: usize,
    /// How many mails were given up.
    pub given_up: usize,
    /// Why nothing is sent until the keeper acts.
    pub stopped: Option<String>,
    /// Why nothing is sent until the server can be reached.
    pub away: Option<String>,
}

/// Sends the mails in the outbox of the store.
pub struct OutboxSender {
    store: Arc<Store>,
    outbox: Arc<dyn Outbox>,
    clock: Clock,
    notices: Notices,
    notices_sent: NoticesSent,
    ids: SystemIds,
    pace: Option<Pace>,
    pictures: Option<PictureAllowance>,
    failed_in_row: u32,
    last_wake: Timestamp,
    stopped: Option<Halt>,
    away: Option<Halt>,
    refusals: Refusals,
    forms: LearnedForms,
    breaks: Breaks,
}

impl OutboxSender {
    /// A sender from this store through this outbox.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn new(
        store: Arc<Store>,
        outbox: ConfiguredOutbox,
        clock: Clock,
        notices: Notices,
    ) -> Result<OutboxSender, StoreError> {
        let ConfiguredOutbox {
            outbox,
            per_minute,
            pictures_per_hour,
        } = outbox;
        Ok(OutboxSender {
            stopped: Halt::stopped(&store)?,
            away: Halt::away(&store)?,
            refusals: Refusals::read(&store)?,
            forms: LearnedForms::read(&store)?,
            store,
            outbox,
            clock,
            notices,
            notices_sent: NoticesSent::default(),
            ids: SystemIds::new(),
            // The rate limit of the server counts real time.
            pace: per_minute.map(|rate| Pace::new(rate, Clock::System.now())),
            pictures: pictures_per_hour.map(PictureAllowance::of_megabytes),
            failed_in_row: 0,
            last_wake: Timestamp::MIN,
            breaks: Breaks::default(),
        })
    }

    /// Sends everything that is due. Ends early if `go_on` returns false, or at `end`; mails that are being sent are
    /// finished.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn round(
        &mut self,
        go_on: &dyn Fn() -> bool,
        end: Option<Instant>,
    ) -> Result<RoundOutcome, SenderError> {
        let mut outcome = RoundOutcome::default();
        let goes_on = |outcome: &RoundOutcome| {
            outcome.stopped.is_none()
                && outcome.away.is_none()
                && go_on()
                && end.is_none_or(|end| Instant::now() < end)
        };
        self.breaks.server_was_away();
        let at_once = self.outbox.at_once();
        // The whole queue is looked through for the next mails, so they are asked for when there is room for many.
        let few_under_way = at_once.clamp(MAX_UNDER_WAY / 2, MAX_UNDER_WAY - 1);
        let mut gate = Arc::new(Semaphore::new(at_once));
        let mut ready: VecDeque<OutboxMail> = VecDeque::new();
        let mut under_way: BTreeSet<u64> = BTreeSet::new();
        let mut taken: BTreeSet<u64> = BTreeSet::new();
        let mut written = Instant::now();
        let mut tasks: JoinSet<Attempt> = JoinSet::new();
        // If the refusals of an earlier round agree, one of the refused mails may be tried, or nothing would ever be sent
        // again.
        let mut may_try_refused = self.refusals.agree();
        loop {
            let agreed = self.refusals.agree();
            while let Some(attempt) = tasks.try_join_next() {
                self.finish_attempt(attempt, &mut under_way, &mut taken, &mut outcome)?;
            }
            if !agreed && self.refusals.agree() {
                ready.clear();
            }
            let mut wait = None;
            if goes_on(&outcome) {
                if gate.is_closed() {
                    gate = Arc::new(Semaphore::new(at_once));
                }
                if ready.is_empty() && under_way.len() <= few_under_way {
                    ready =
                        self.next_mails(&under_way, &taken, &mut may_try_refused, &mut outcome)?;
                }
                while let Some(mut row) = ready.pop_front() {
                    let pause = self.pause();
                    if !pause.is_zero() {
                        ready.push_front(row);
                        wait = Some(pause.min(MAX_SLEEP));
                        break;
                    }
                    row.form = self.forms.form_for(&row.to, row.form, self.clock.now());
                    self.limit_pictures(&mut row);
                    under_way.insert(row.id);
                    self.breaks.started(row.id);
                    tasks.spawn(send(self.outbox.clone(), gate.clone(), row));
                }
            } else {
                // Mails that are not being sent yet stay in the outbox.
                gate.close();
                ready.clear();
            }
            // Stored while the next mails are being sent. That some were accepted may have made others due.
            if taken.is_empty() {
                written = Instant::now();
            }
            let left = MAX_COMMIT_DELAY.saturating_sub(written.elapsed());
            let news = !taken.is_empty()
                && (tasks.is_empty()
                    || taken.len() >= MAX_COMMIT
                    || left.is_zero()
                    || self.is_in_trouble());
            if news {
                self.taken(&std::mem::take(&mut taken), &mut outcome)?;
            } else if !taken.is_empty() {
                wait = Some(wait.map_or(left, |wait: Duration| wait.min(left)));
            }
            let attempt = match (wait, tasks.is_empty()) {
                (Some(wait), true) => {
                    tokio::time::sleep(wait).await;
                    None
                }
                (Some(wait), false) => tokio::select! {
                    () = tokio::time::sleep(wait) => None,
                    attempt = tasks.join_next() => attempt,
                },
                (None, false) => tasks.join_next().await,
                (None, true) if news && goes_on(&outcome) => None,
                (None, true) => break,
            };
            if let Some(attempt) = attempt {
                self.finish_attempt(attempt, &mut under_way, &mut taken, &mut outcome)?;
            }
        }
        Ok(outcome)
    }

    /// Whether a delivery changes more than that the mail is gone.
    fn is_in_trouble(&self) -> bool {
        self.stopped.is_some() || self.away.is_some() || !self.refusals.is_empty()
    }

    /// The mails that may be sent now beside those being sent.
    fn next_mails(
        &mut self,
        under_way: &BTreeSet<u64>,
        gone: &BTreeSet<u64>,
        may_try_refused: &mut bool,
        outcome: &mut RoundOutcome,
    ) -> Result<VecDeque<OutboxMail>, SenderError> {
        let now = self.clock.now();
        let hold = QueueFilter {
            under_way: Some(under_way),
            gone: Some(gone),
            ..QueueFilter::default()
        };
        if self.refusals.agree() {
            return self.probe(now, &hold, may_try_refused, outcome);
        }
        let n = MAX_UNDER_WAY - under_way.len();
        let rows = self.store.due_beside(
            now,
            n,
            &QueueFilter {
                aside: Some(self.breaks.postponed()),
                ..hold
            },
        )?;
        if rows.is_empty() && under_way.is_empty() && self.breaks.release_postponed() {
            return Ok(self.store.due_beside(now, n, &hold)?.into());
        }
        Ok(rows.into())
    }

    /// The server has refused recipients of several domains with the same words. One mail to another domain, or with
    /// another text, shows whether it refuses everything.
    fn probe(
        &mut self,
        now: Timestamp,
        hold: &QueueFilter<'_>,
        may_try_refused: &mut bool,
        outcome: &mut RoundOutcome,
    ) -> Result<VecDeque<OutboxMail>, SenderError> {
        let busy = [hold.under_way, hold.gone];
        if busy.into_iter().flatten().any(|mails| !mails.is_empty()) {
            return Ok(VecDeque::new());
        }
        let refused = self.refusals.domains();
        let further = |to: &str| !Refusals::among(&refused, to);
        let only = QueueFilter {
            only: Some(&further),
            ..*hold
        };
        let mut rows = self.store.due_beside(now, 1, &only)?;
        if rows.is_empty()
            && let Some(unwanted) = self.refusals.unwanted()
        {
            let other = QueueFilter {
                gone: Some(&unwanted),
                ..*hold
            };
            rows = self.store.due_beside(now, 1, &other)?;
        }
        if rows.is_empty() && std::mem::take(may_try_refused) {
            rows = self.store.due_beside(now, 1, hold)?;
        }
        if rows.is_empty() {
            let last = self.refusals.mails().last();
            let why = self.reason_for_all(last.map_or("", |mail| &mail.why));
            self.stop(now, why, outcome)?;
        }
        Ok(rows.into())
    }

    /// Handles a finished attempt. Deliveries are stored together.
    fn finish_attempt(
        &mut self,
        attempt: Result<Attempt, JoinError>,
        under_way: &mut BTreeSet<u64>,
        taken: &mut BTreeSet<u64>,
        outcome: &mut RoundOutcome,
    ) -> Result<(), SenderError> {
        match attempt {
            Ok(Attempt { row, sent }) => {
                under_way.remove(&row.id);
                match sent {
                    Some(SendOutcome::Delivered) => {
                        self.breaks.taken(row.id);
                        // Connections of other mails broke while this one was sent.
                        outcome.away = None;
                        taken.insert(row.id);
                        self.learn_from(&row)?;
                    }
                    Some(sent) => self.record(&row, sent, outcome)?,
                    None => {}
                }
            }
            // The mail stays in the outbox and would be tried again at once.
            Err(_) => {
                outcome.stopped =
                    Some("the mail client failed, which is a fault of the program".to_owned());
            }
        }
        Ok(())
    }

    /// When the next mail is due.
    ///
    /// # Errors
    /// If the store fails.
    pub fn next_due(&self) -> Result<Option<Timestamp>, StoreError> {
        self.store.next_due()
    }

    /// Closes the connections to the server.
    pub async fn close(&self) {
        self.outbox.close().await;
    }

    /// Leaves the picture out of a mail if too many were sent in the last hour.
    fn limit_pictures(&mut self, row: &mut OutboxMail) {
        let Some(pictures) = &mut self.pictures else {
            return;
        };
        if row.form == MailForm::Whole
            && let Some(bytes) = picture_bytes(&row.bytes)
            && !pictures.take(Clock::System.now(), bytes)
        {
            row.form = MailForm::WithoutPicture;
        }
    }

    /// How long to wait before the next mail; zero if it may be sent at once.
    fn pause(&mut self) -> Duration {
        let Some(pace) = &mut self.pace else {
            return Duration::ZERO;
        };
        match pace.take(Clock::System.now()) {
            Ok(()) => Duration::ZERO,
            Err(wait) => wait,
        }
    }
}

/// A mail that was handed to a task for sending.
struct Attempt {
    row: OutboxMail,
    /// What became of it; `None` if sending ended before its turn.
    sent: Option<SendOutcome>,
}

/// The runtime of the sender. It has several threads, since writes to a Maildir wait for the disk.
///
/// # Errors
/// If the system has no threads left.
pub(super) fn runtime() -> std::io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(THREADS)
        .enable_all()
        .build()
}

/// Sends one mail as soon as the gate has a permit, unless the gate is closed first.
async fn send(outbox: Arc<dyn Outbox>, gate: Arc<Semaphore>, row: OutboxMail) -> Attempt {
    let Ok(_permit) = gate.acquire().await else {
        return Attempt { row, sent: None };
    };
    let mail = Outgoing {
        envelope_from: row.envelope_from.clone(),
        to: row.to.clone(),
        bytes: in_form(&row.bytes, row.form).into_owned(),
    };
    let sent = Some(outbox.send(&mail).await);
    Attempt { row, sent }
}
