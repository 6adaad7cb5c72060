//! What became of a mail, written down.

use std::collections::BTreeSet;

use jiff::{SignedDuration, Timestamp};

use super::breaks::BreakVerdict;
use super::refusals::{RefusalSubject, Refused};
use super::{AWAY, Halt, OutboxSender, Posted, STOPPED, SenderError};
use crate::clock::Clock;
use crate::daemon::mail_form::smaller;
use crate::outbox::{Refusal, Sent, next_attempt};
use crate::random::jitter;
use dipjudge_store::{Batch, NewMail, OutboxMail, RetryMode, StoreError};

/// So many mails put off in a row mean that the server takes nothing; the next success then wakes what waits.
const PUT_OFF: u32 = 3;
/// What waits is woken at most so often.
const WOKEN: SignedDuration = SignedDuration::from_mins(15);
/// A second failure of an address within this time is not told to the keeper.
const TOLD: SignedDuration = SignedDuration::from_hours(24);

impl OutboxSender {
    /// The server has taken these.
    pub(super) fn taken(
        &mut self,
        ids: &BTreeSet<u64>,
        posted: &mut Posted,
    ) -> Result<(), SenderError> {
        let mails: Vec<u64> = ids.iter().copied().collect();
        self.store.delivered_all(&mails)?;
        posted.delivered += mails.len();
        tracing::debug!(?mails, "sent");
        let now = self.clock.now();
        if self.refusals.settle(ids) {
            self.keep_refusals(now)?;
        }
        self.it_works(now)
    }

    /// What became of a mail that was not taken.
    pub(super) fn record(
        &mut self,
        row: &OutboxMail,
        sent: Sent,
        posted: &mut Posted,
    ) -> Result<(), SenderError> {
        let now = self.clock.now();
        if let Sent::Later { slow_all: true, .. } | Sent::Away { slow_all: true, .. } = sent
            && let Some(pace) = &mut self.pace
        {
            pace.slow(Clock::System.now());
        }
        if !matches!(sent, Sent::Away { .. }) {
            self.breaks.forget(row.id);
        }
        match sent {
            // Those are written down several at a time.
            Sent::Delivered => Ok(()),
            Sent::Later { why, .. } => {
                self.failed_in_row = self.failed_in_row.saturating_add(1);
                self.put_off(row, now, &why, posted)
            }
            Sent::Away { why, .. } => match self.breaks.broke(row.id) {
                BreakVerdict::Again => {
                    tracing::warn!(mail = row.id, why, "the connection broke; once more");
                    Ok(())
                }
                BreakVerdict::Mail => self.put_off(row, now, &why, posted),
                BreakVerdict::Server => self.is_away(now, why, posted),
            },
            Sent::Unwanted { why, refusal } => self.unwanted(row, now, why, &refusal, posted),
            Sent::Refused { why, refusal: None } => self.give_up(row, now, &why, posted),
            Sent::Refused {
                why,
                refusal: Some(refusal),
            } => self.refused(row, now, why, &refusal, RefusalSubject::Recipient, posted),
            Sent::PutOff { why, refusal } => {
                self.refused(row, now, why, &refusal, RefusalSubject::Us, posted)
            }
            Sent::Stop { why } => self.stop(now, why, posted),
        }
    }

    /// A refusal of the mail's content or size: less of it may be taken, unless the server says the same to everybody.
    fn unwanted(
        &mut self,
        row: &OutboxMail,
        now: Timestamp,
        why: String,
        refusal: &Refusal,
        posted: &mut Posted,
    ) -> Result<(), SenderError> {
        let smaller = if self.refusals.agree() {
            None
        } else {
            smaller(&row.bytes, row.form)
        };
        let Some(form) = smaller else {
            return self.refused(row, now, why, refusal, RefusalSubject::Text, posted);
        };
        tracing::warn!(
            mail = row.id,
            why,
            ?form,
            "a mail is not wanted and goes with less"
        );
        Ok(self.store.later_in_form(row.id, now, now, &why, form)?)
    }

    /// A refusal for good, which may be the recipient's or ours.
    fn refused(
        &mut self,
        row: &OutboxMail,
        now: Timestamp,
        why: String,
        refusal: &Refusal,
        about: RefusalSubject,
        posted: &mut Posted,
    ) -> Result<(), SenderError> {
        let hopeless = about != RefusalSubject::Us;
        let agreed_before = self.refusals.agree();
        let told = self.refusals.told(row.id);
        let mail = Refused {
            id: row.id,
            to: row.to.clone(),
            why: why.clone(),
            about,
            told,
        };
        self.refusals.add(refusal, mail);
        let agree = self.refusals.agree();
        if hopeless && !agree {
            self.refusals.tell(row.id);
        }
        self.keep_refusals(now)?;
        if !agree {
            if !hopeless {
                return self.put_off(row, now, &why, posted);
            }
            if told {
                return self.give_up_in_silence(row, now, &why, posted);
            }
            return self.give_up(row, now, &why, posted);
        }
        if !agreed_before {
            self.take_back(now, posted)?;
            // It was not for what they hold that mails were refused.
            self.store.whole_again()?;
        }
        self.put_off_as(row, now, &why, about.wait(), posted)?;
        if agreed_before {
            let why = self.agreed(&why);
            return self.stop(now, why, posted);
        }
        Ok(())
    }

    /// Why the queue is stopped over refusals that agree.
    pub(super) fn agreed(&self, why: &str) -> String {
        format!(
            "the same for recipients of {} domains in a row: {why}",
            self.refusals.domains().len()
        )
    }

    /// What was given up for a refusal that is about us goes back into the outbox.
    fn take_back(&mut self, now: Timestamp, posted: &mut Posted) -> Result<(), SenderError> {
        for mail in self.refusals.mails() {
            let Some(due) = next_attempt(now, 1, now, jitter()) else {
                continue;
            };
            match self
                .store
                .back_in_retry(mail.id, now, due, mail.about.wait())
            {
                Ok(()) => posted.given_up = posted.given_up.saturating_sub(1),
                // The mail in hand was not given up, nor what may be taken later, and the keeper may have thrown another away.
                Err(StoreError::NoSuchMail(_)) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    fn keep_refusals(&self, now: Timestamp) -> Result<(), SenderError> {
        self.store.commit(&Batch {
            at: now,
            meta: vec![self.refusals.entry()?],
            ..Batch::default()
        })?;
        Ok(())
    }

    fn put_off(
        &mut self,
        row: &OutboxMail,
        now: Timestamp,
        why: &str,
        posted: &mut Posted,
    ) -> Result<(), SenderError> {
        self.put_off_as(row, now, why, RetryMode::HoldsLaterMails, posted)
    }

    fn put_off_as(
        &mut self,
        row: &OutboxMail,
        now: Timestamp,
        why: &str,
        wait: RetryMode,
        posted: &mut Posted,
    ) -> Result<(), SenderError> {
        let failures = row.attempts.saturating_add(1);
        match next_attempt(row.first_tried.unwrap_or(now), failures, now, jitter()) {
            Some(due) => {
                tracing::warn!(mail = row.id, failures, again = %due, why, "a mail must wait");
                posted.later += 1;
                match wait {
                    RetryMode::HoldsLaterMails => self.store.later(row.id, now, due, why)?,
                    RetryMode::LetsLaterMailsPass => {
                        self.store.later_aside(row.id, now, due, why)?
                    }
                }
                Ok(())
            }
            None => self.give_up(row, now, &format!("not in four days: {why}"), posted),
        }
    }

    fn is_away(
        &mut self,
        now: Timestamp,
        why: String,
        posted: &mut Posted,
    ) -> Result<(), SenderError> {
        if posted.away.replace(why.clone()).is_some() {
            return Ok(());
        }
        tracing::warn!(why, "the mail server is away; all mail waits");
        if self.away.is_some() {
            return Ok(());
        }
        let away = Halt { at: now, why };
        self.commit_halt(now, None, AWAY, &away)?;
        self.away = Some(away);
        Ok(())
    }

    pub(super) fn stop(
        &mut self,
        now: Timestamp,
        why: String,
        posted: &mut Posted,
    ) -> Result<(), SenderError> {
        tracing::error!(
            why,
            "nothing is sent until this is put right; everything is kept"
        );
        posted.stopped = Some(why.clone());
        if self.stopped.is_some() {
            return Ok(());
        }
        let stopped = Halt { at: now, why };
        let lines = [
            format!("The mail server refused what the judge's configuration makes it say: {}.", stopped.why),
            "Nothing was lost. The outbox was kept, and this mail with it: if you read it, it works again.".to_owned(),
        ];
        let notice = self.notices.write(
            &mut self.told,
            now,
            &mut self.ids,
            "Sending had stopped",
            &lines,
        );
        self.commit_halt(now, notice, STOPPED, &stopped)?;
        self.stopped = Some(stopped);
        Ok(())
    }

    /// A mail was taken: what was given up on the server wakes.
    fn it_works(&mut self, now: Timestamp) -> Result<(), SenderError> {
        if self.away.take().is_some() {
            self.forget_halt(now, AWAY)?;
            tracing::info!("the mail server is back");
        }
        let mut wake = false;
        if self.stopped.take().is_some() {
            self.forget_halt(now, STOPPED)?;
            tracing::info!("the mail server takes mail again");
            wake = true;
        }
        if !self.refusals.is_empty() {
            wake |= self.refusals.broken_off();
            self.keep_refusals(now)?;
        }
        if std::mem::take(&mut self.failed_in_row) >= PUT_OFF
            && now.duration_since(self.woken) >= WOKEN
        {
            self.woken = now;
            wake = true;
        }
        if wake {
            let woken = self.store.wake(now, &|_| true)?;
            tracing::info!(woken, "what waited is tried at once");
        }
        Ok(())
    }

    /// Gives a mail up, and tells the keeper unless an earlier notice about the address is recent.
    fn give_up(
        &mut self,
        row: &OutboxMail,
        now: Timestamp,
        why: &str,
        posted: &mut Posted,
    ) -> Result<(), SenderError> {
        let known = self.notices.is_keeper(&row.to)
            || self.store.failed()?.iter().any(|failed| {
                failed.mail.to.eq_ignore_ascii_case(&row.to) && now.duration_since(failed.at) < TOLD
            });
        self.give_up_in_silence(row, now, why, posted)?;
        if known {
            return Ok(());
        }
        let lines = [
            format!(
                "A mail to {} could not be delivered and is given up: {why}",
                row.to
            ),
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

    /// Gives a mail up of which the keeper knows already.
    fn give_up_in_silence(
        &mut self,
        row: &OutboxMail,
        now: Timestamp,
        why: &str,
        posted: &mut Posted,
    ) -> Result<(), SenderError> {
        self.store.given_up(row.id, now, why)?;
        tracing::error!(mail = row.id, why, "a mail is given up");
        posted.given_up += 1;
        Ok(())
    }

    /// Notes in the store that nothing is sent, and why.
    fn commit_halt(
        &self,
        now: Timestamp,
        notice: Option<NewMail>,
        key: &str,
        halt: &Halt,
    ) -> Result<(), SenderError> {
        self.store.commit(&Batch {
            at: now,
            mails: notice.into_iter().collect(),
            meta: vec![(key.to_owned(), serde_json::to_vec(halt)?)],
            ..Batch::default()
        })?;
        Ok(())
    }

    /// Notes in the store that mail is sent again.
    fn forget_halt(&self, now: Timestamp, key: &str) -> Result<(), SenderError> {
        self.store.commit(&Batch {
            at: now,
            forget: vec![key.to_owned()],
            ..Batch::default()
        })?;
        Ok(())
    }
}
