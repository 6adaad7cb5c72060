//! The post: sends what is in the outbox, the most urgent first, in order for each recipient (`dependencies.md` 11.7).

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use tokio::task::JoinSet;

use super::notice::Notices;
use super::reduce::without_pictures;
use crate::shell::clock::Clock;
use crate::shell::outbox::{Outbox, Outgoing, Pace, Sent, next_attempt};
use crate::shell::random::{SystemIds, jitter};
use crate::shell::store::{Batch, Row, Store, StoreError};

/// So many are taken from the outbox at a time, one for each recipient.
const AT_ONCE: usize = 32;
/// Threads of the post.
const THREADS: usize = 4;
/// So many failures in a row mean that the server was away; the next success then wakes what waits.
const AWAY: u32 = 3;
/// What waits is woken at most so often.
const WOKEN: SignedDuration = SignedDuration::from_mins(15);
/// A second failure of an address within this time is not told to the keeper.
const TOLD: SignedDuration = SignedDuration::from_hours(24);
/// Under which key of the store it stands that the queue is stopped.
const STOPPED: &str = "outbox-stopped";

/// Why and since when nothing is sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stopped {
    /// When it was found.
    pub at: Timestamp,
    /// What is wrong with the configuration.
    pub why: String,
}

impl Stopped {
    /// What the store knows of it.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn read(store: &Store) -> Result<Option<Stopped>, StoreError> {
        Ok(store
            .meta(STOPPED)?
            .and_then(|bytes| serde_json::from_slice(&bytes).ok()))
    }
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
}

/// The post.
pub struct Post {
    store: Arc<Store>,
    outbox: Arc<dyn Outbox>,
    clock: Clock,
    notices: Notices,
    told: Vec<Timestamp>,
    ids: SystemIds,
    pace: Option<Pace>,
    failed_in_row: u32,
    woken: Timestamp,
    stopped: Option<Stopped>,
}

impl Post {
    /// A post from this store through this outbox, at most `per_minute` mails a minute.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn new(
        store: Arc<Store>,
        outbox: Arc<dyn Outbox>,
        clock: Clock,
        notices: Notices,
        per_minute: Option<u32>,
    ) -> Result<Post, StoreError> {
        let stopped = Stopped::read(&store)?;
        Ok(Post {
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
            stopped,
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
    ) -> Result<Posted, StoreError> {
        let mut posted = Posted::default();
        let goes_on = |posted: &Posted| {
            posted.stopped.is_none() && go_on() && end.is_none_or(|end| Instant::now() < end)
        };
        while goes_on(&posted) {
            let mut rows: VecDeque<Row> = self.store.due(self.clock.now(), AT_ONCE)?.into();
            if rows.is_empty() {
                break;
            }
            let mut under_way = JoinSet::new();
            loop {
                let wait = match rows.front() {
                    Some(_) if goes_on(&posted) => self.leave(),
                    _ => None,
                };
                match wait {
                    Some(Duration::ZERO) => {
                        if let Some(row) = rows.pop_front() {
                            under_way.spawn(send(self.outbox.clone(), row));
                        }
                    }
                    Some(wait) => {
                        // Not longer than a moment, since one may be asked to stop.
                        let moment = tokio::time::sleep(wait.min(Duration::from_millis(250)));
                        tokio::select! {
                            () = moment => {}
                            Some(sent) = under_way.join_next() => self.record_all(sent, &mut under_way, &mut posted)?,
                        }
                    }
                    None => match under_way.join_next().await {
                        Some(sent) => self.record_all(sent, &mut under_way, &mut posted)?,
                        None => break,
                    },
                }
            }
        }
        Ok(posted)
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
    fn leave(&mut self) -> Option<Duration> {
        let pace = self
            .pace
            .as_mut()
            .map(|pace| pace.take(Clock::System.now()));
        Some(pace.and_then(Result::err).unwrap_or(Duration::ZERO))
    }

    /// Records what became of a mail, and of all others that have come back meanwhile.
    fn record_all(
        &mut self,
        first: Joined,
        under_way: &mut JoinSet<(Row, Sent)>,
        posted: &mut Posted,
    ) -> Result<(), StoreError> {
        let mut delivered = Vec::new();
        let mut others = Vec::new();
        let mut next = Some(first);
        while let Some(joined) = next {
            match joined {
                Ok((row, Sent::Delivered)) => delivered.push(row.id),
                Ok((row, sent)) => others.push((row, sent)),
                // The row stays as it is, and would be taken again at once.
                Err(_) => {
                    posted.stopped =
                        Some("the mail client failed, which is a fault of the program".to_owned())
                }
            }
            next = under_way.try_join_next();
        }
        // First of all, and in one write: the sooner, the less is sent twice should the program die.
        if !delivered.is_empty() {
            self.store.delivered_all(&delivered)?;
            posted.delivered += delivered.len();
            tracing::debug!(mails = ?delivered, "sent");
            self.it_works(self.clock.now())?;
        }
        others
            .into_iter()
            .try_for_each(|(row, sent)| self.record(&row, sent, posted))
    }

    fn record(&mut self, row: &Row, sent: Sent, posted: &mut Posted) -> Result<(), StoreError> {
        let now = self.clock.now();
        if let Sent::Later { slow_all: true, .. } = sent
            && let Some(pace) = &mut self.pace
        {
            pace.slow(Clock::System.now());
        }
        match sent {
            Sent::Delivered => self.store.delivered(row.id),
            Sent::Later { why, .. } => {
                self.failed_in_row = self.failed_in_row.saturating_add(1);
                let failures = row.attempts.saturating_add(1);
                match next_attempt(row.first_tried.unwrap_or(now), failures, now, jitter()) {
                    Some(due) => {
                        tracing::warn!(mail = row.id, failures, again = %due, why, "a mail must wait");
                        posted.later += 1;
                        self.store.later(row.id, now, due, &why)
                    }
                    None => self.give_up(row, now, &format!("not in four days: {why}"), posted),
                }
            }
            Sent::TooLarge { why } => match without_pictures(&row.bytes).filter(|_| !row.reduced) {
                Some(smaller) => {
                    tracing::warn!(
                        mail = row.id,
                        why,
                        "a mail is too large and goes without its picture"
                    );
                    self.store.later_reduced(row.id, now, now, &why, &smaller)
                }
                None => self.give_up(row, now, &why, posted),
            },
            Sent::Refused { why } | Sent::Unwanted { why } => self.give_up(row, now, &why, posted),
            Sent::Stop { why } => {
                tracing::error!(
                    why,
                    "nothing is sent until this is put right; everything is kept"
                );
                posted.stopped = Some(why.clone());
                if self.stopped.is_some() {
                    return Ok(());
                }
                let stopped = Stopped { at: now, why };
                let lines = [
                    format!("The mail server refused what the judge's configuration makes it say: {}.", stopped.why),
                    "Nothing was lost. The outbox was kept, and this mail with it: if you read it, it works again."
                        .to_owned(),
                ];
                let notice = self.notices.write(
                    &mut self.told,
                    now,
                    &mut self.ids,
                    "Sending had stopped",
                    &lines,
                );
                self.write(now, notice, Some(&stopped))?;
                self.stopped = Some(stopped);
                Ok(())
            }
        }
    }

    /// A mail was taken: what was given up on the server wakes.
    fn it_works(&mut self, now: Timestamp) -> Result<(), StoreError> {
        if self.stopped.take().is_some() {
            self.write(now, None, None)?;
        }
        if std::mem::take(&mut self.failed_in_row) >= AWAY
            && now.duration_since(self.woken) >= WOKEN
        {
            self.woken = now;
            let woken = self.store.wake(now, &|_| true)?;
            tracing::info!(woken, "the mail server is back");
        }
        Ok(())
    }

    fn give_up(
        &mut self,
        row: &Row,
        now: Timestamp,
        why: &str,
        posted: &mut Posted,
    ) -> Result<(), StoreError> {
        tracing::error!(mail = row.id, why, "a mail is given up");
        posted.given_up += 1;
        let known = self.notices.is_keeper(&row.to)
            || self.store.failed()?.iter().any(|failed| {
                failed.mail.to.eq_ignore_ascii_case(&row.to) && now.duration_since(failed.at) < TOLD
            });
        self.store.given_up(row.id, now, why)?;
        if known {
            return Ok(());
        }
        let lines = [
            format!("A mail to {} could not be delivered and is given up: {why}", row.to),
            "Further ones to this address within a day are given up without another notice. The games are not touched \
             by it."
                .to_owned(),
        ];
        let subject = format!("Mail {} given up", row.id);
        let notice = self
            .notices
            .write(&mut self.told, now, &mut self.ids, &subject, &lines);
        if notice.is_some() {
            let batch = Batch {
                at: now,
                mails: notice.into_iter().collect(),
                ..Batch::default()
            };
            self.store.commit(&batch)?;
        }
        Ok(())
    }

    fn write(
        &self,
        now: Timestamp,
        notice: Option<crate::shell::store::NewMail>,
        stopped: Option<&Stopped>,
    ) -> Result<(), StoreError> {
        let value = stopped
            .map(serde_json::to_vec)
            .transpose()
            .unwrap_or_default()
            .unwrap_or_default();
        self.store.commit(&Batch {
            at: now,
            mails: notice.into_iter().collect(),
            meta: vec![(STOPPED.to_owned(), value)],
            ..Batch::default()
        })
    }
}

/// A mail that has come back from its way, unless the way itself failed.
type Joined = Result<(Row, Sent), tokio::task::JoinError>;

/// What the post runs in. A few threads, since a Maildir's writes wait for the disk, and go faster together.
///
/// # Errors
/// If the system has no threads left.
pub(super) fn runtime() -> std::io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(THREADS)
        .enable_all()
        .build()
}

/// One mail; the row comes back with what became of it.
async fn send(outbox: Arc<dyn Outbox>, row: Row) -> (Row, Sent) {
    let mail = Outgoing {
        envelope_from: row.envelope_from.clone(),
        to: row.to.clone(),
        bytes: row.bytes.clone(),
    };
    let sent = outbox.send(&mail).await;
    (row, sent)
}
