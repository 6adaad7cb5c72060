//! Sends what is in the outbox, the most urgent first, in order for each recipient and each game
//! (`dependencies.md` 11.7).

mod breaks;
mod record;
mod refusals;

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use tokio::sync::Semaphore;
use tokio::task::{JoinError, JoinSet};

use super::mail_form::in_form;
use super::notice::Notices;
use super::setup::ConfiguredOutbox;
use crate::clock::Clock;
use crate::outbox::{Outbox, Outgoing, Pace, Sent};
use crate::random::SystemIds;
use breaks::Breaks;
use dipjudge_store::{OutboxMail, QueueFilter, Store, StoreError};
use refusals::Refusals;

/// So many are taken from the outbox at a time, one for each recipient and of each game.
const AT_ONCE: usize = 32;
/// So many that were taken are written down together at most,
const TOGETHER: usize = 16;
/// and after so long: most of the cost is that it lasts, and what is not written down is sent twice should the program die.
const LONGEST: Duration = Duration::from_millis(30);
/// Threads of the sender.
const THREADS: usize = 4;
/// Not longer than this at a time is slept, since one may be asked to stop.
const MOMENT: Duration = Duration::from_millis(250);
/// Under which key of the store it stands that the queue is stopped.
const STOPPED: &str = "outbox-stopped";
/// Under which key of the store it stands that the server is away.
const AWAY: &str = "outbox-away";

/// Why and since when nothing is sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Halt {
    /// When it was found.
    pub at: Timestamp,
    /// What is wrong.
    pub why: String,
}

impl Halt {
    /// The server refuses us, and only the keeper can mend it.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn stopped(store: &Store) -> Result<Option<Halt>, StoreError> {
        Halt::read(store, STOPPED)
    }

    /// The server cannot be reached.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn away(store: &Store) -> Result<Option<Halt>, StoreError> {
        Halt::read(store, AWAY)
    }

    fn read(store: &Store, key: &str) -> Result<Option<Halt>, StoreError> {
        Ok(store
            .meta(key)?
            .and_then(|bytes| serde_json::from_slice(&bytes).ok()))
    }
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

/// What a round came to.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Posted {
    /// Mails that were taken by the server.
    pub delivered: usize,
    /// Mails that are to be tried again.
    pub later: usize,
    /// Mails that were given up.
    pub given_up: usize,
    /// Why nothing more is sent until the keeper has done something about it.
    pub stopped: Option<String>,
    /// Why nothing more is sent until the server is back.
    pub away: Option<String>,
}

/// The sender.
pub struct OutboxSender {
    store: Arc<Store>,
    outbox: Arc<dyn Outbox>,
    clock: Clock,
    notices: Notices,
    told: Vec<Timestamp>,
    ids: SystemIds,
    pace: Option<Pace>,
    failed_in_row: u32,
    woken: Timestamp,
    stopped: Option<Halt>,
    away: Option<Halt>,
    refusals: Refusals,
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
        let ConfiguredOutbox { outbox, per_minute } = outbox;
        Ok(OutboxSender {
            stopped: Halt::stopped(&store)?,
            away: Halt::away(&store)?,
            refusals: Refusals::read(&store)?,
            store,
            outbox,
            clock,
            notices,
            told: Vec::new(),
            ids: SystemIds::new(),
            // The server's patience is a matter of the real hour.
            pace: per_minute.map(|rate| Pace::new(rate, Clock::System.now())),
            failed_in_row: 0,
            woken: Timestamp::MIN,
            breaks: Breaks::default(),
        })
    }

    /// Sends everything that is due. Ends early when `go_on` says no, or at `end`; what is under way is finished.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn round(
        &mut self,
        go_on: &dyn Fn() -> bool,
        end: Option<Instant>,
    ) -> Result<Posted, SenderError> {
        let mut posted = Posted::default();
        let goes_on = |posted: &Posted| {
            posted.stopped.is_none()
                && posted.away.is_none()
                && go_on()
                && end.is_none_or(|end| Instant::now() < end)
        };
        self.breaks.rested();
        let at_once = self.outbox.at_once();
        let mut gate = Arc::new(Semaphore::new(at_once));
        let mut ready: VecDeque<OutboxMail> = VecDeque::new();
        let mut under_way: BTreeSet<u64> = BTreeSet::new();
        let mut taken: BTreeSet<u64> = BTreeSet::new();
        let mut written = Instant::now();
        let mut tasks: JoinSet<Attempt> = JoinSet::new();
        // Refusals that agree are of an earlier round: then somebody who got one may be tried, or nobody would be again.
        let mut anybody = self.refusals.agree();
        loop {
            let agreed = self.refusals.agree();
            while let Some(attempt) = tasks.try_join_next() {
                self.came_back(attempt, &mut under_way, &mut taken, &mut posted)?;
            }
            if !agreed && self.refusals.agree() {
                ready.clear();
            }
            let mut wait = None;
            if goes_on(&posted) {
                if gate.is_closed() {
                    gate = Arc::new(Semaphore::new(at_once));
                }
                if ready.is_empty() && under_way.len() < AT_ONCE {
                    ready = self.next(&under_way, &taken, &mut anybody, &mut posted)?;
                }
                while let Some(row) = ready.pop_front() {
                    let leave = self.leave();
                    if !leave.is_zero() {
                        ready.push_front(row);
                        wait = Some(leave.min(MOMENT));
                        break;
                    }
                    under_way.insert(row.id);
                    self.breaks.begun(row.id);
                    tasks.spawn(send(self.outbox.clone(), gate.clone(), row));
                }
            } else {
                // Who has not begun to be sent is not.
                gate.close();
                ready.clear();
            }
            // Written down while the next ones are on their way. That some were taken may have woken others.
            if taken.is_empty() {
                written = Instant::now();
            }
            let left = LONGEST.saturating_sub(written.elapsed());
            let news = !taken.is_empty()
                && (tasks.is_empty()
                    || taken.len() >= TOGETHER
                    || left.is_zero()
                    || self.is_in_trouble());
            if news {
                self.taken(&std::mem::take(&mut taken), &mut posted)?;
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
                (None, true) if news && goes_on(&posted) => None,
                (None, true) => break,
            };
            if let Some(attempt) = attempt {
                self.came_back(attempt, &mut under_way, &mut taken, &mut posted)?;
            }
        }
        Ok(posted)
    }

    /// Whether a mail that is taken changes more than that it is gone.
    fn is_in_trouble(&self) -> bool {
        self.stopped.is_some() || self.away.is_some() || !self.refusals.is_empty()
    }

    /// What may be sent now beside what is under way.
    fn next(
        &mut self,
        under_way: &BTreeSet<u64>,
        gone: &BTreeSet<u64>,
        anybody: &mut bool,
        posted: &mut Posted,
    ) -> Result<VecDeque<OutboxMail>, SenderError> {
        let now = self.clock.now();
        let hold = QueueFilter {
            under_way: Some(under_way),
            gone: Some(gone),
            ..QueueFilter::default()
        };
        if self.refusals.agree() {
            return self.probe(now, &hold, anybody, posted);
        }
        let n = AT_ONCE - under_way.len();
        let rows = self.store.due_beside(
            now,
            n,
            &QueueFilter {
                aside: Some(self.breaks.aside()),
                ..hold
            },
        )?;
        if rows.is_empty() && under_way.is_empty() && self.breaks.nobody_else() {
            return Ok(self.store.due_beside(now, n, &hold)?.into());
        }
        Ok(rows.into())
    }

    /// The server has refused recipients of several domains alike: one mail to a further one, or with another
    /// text, shows whether it refuses all.
    fn probe(
        &mut self,
        now: Timestamp,
        hold: &QueueFilter<'_>,
        anybody: &mut bool,
        posted: &mut Posted,
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
        if rows.is_empty() && std::mem::take(anybody) {
            rows = self.store.due_beside(now, 1, hold)?;
        }
        if rows.is_empty() {
            let last = self.refusals.mails().last();
            let why = self.agreed(last.map_or("", |mail| &mail.why));
            self.stop(now, why, posted)?;
        }
        Ok(rows.into())
    }

    /// A mail comes back from its way. Those that were taken are written down together.
    fn came_back(
        &mut self,
        attempt: Result<Attempt, JoinError>,
        under_way: &mut BTreeSet<u64>,
        taken: &mut BTreeSet<u64>,
        posted: &mut Posted,
    ) -> Result<(), SenderError> {
        match attempt {
            Ok(Attempt { row, sent }) => {
                under_way.remove(&row.id);
                match sent {
                    Some(Sent::Delivered) => {
                        self.breaks.taken(row.id);
                        // Others met breaks while this one was on its way.
                        posted.away = None;
                        taken.insert(row.id);
                    }
                    Some(sent) => self.record(&row, sent, posted)?,
                    None => {}
                }
            }
            // The row stays as it is, and would be taken again at once.
            Err(_) => {
                posted.stopped =
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

    /// Says goodbye to the server.
    pub async fn close(&self) {
        self.outbox.close().await;
    }

    /// How long to wait before the next mail; nothing if it may go at once.
    fn leave(&mut self) -> Duration {
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
    sent: Option<Sent>,
}

/// What the sender runs in. A few threads, since a Maildir's writes wait for the disk, and go faster together.
///
/// # Errors
/// If the system has no threads left.
pub(super) fn runtime() -> std::io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(THREADS)
        .enable_all()
        .build()
}

/// One mail, as soon as the gate lets it through, unless that is closed before.
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
