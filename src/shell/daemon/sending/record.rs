//! Records what became of a mail.

use std::collections::BTreeSet;

use jiff::{SignedDuration, Timestamp};

use super::breaks::BreakVerdict;
use super::refusals::{RefusalSubject, RefusedMail};
use super::{AWAY_KEY, Halt, OutboxSender, RoundOutcome, STOPPED_KEY, SenderError};
use crate::clock::Clock;
use crate::daemon::mail_form::smaller;
use crate::daemon::notice::NoticeKind;
use crate::outbox::{Refusal, SendOutcome, next_attempt};
use crate::random::jitter;
use dipjudge_store::{Batch, NewMail, OutboxMail, RetryMode, StoreError};

/// After this many mails put off in a row the next success makes all waiting mails due.
const MANY_PUT_OFF: u32 = 3;
/// How often waiting mails are made due at most.
const WAKE_EVERY: SignedDuration = SignedDuration::from_mins(15);
/// The keeper is told of one failure of an address within this time.
const NOTICE_EVERY: SignedDuration = SignedDuration::from_hours(24);

/// A try to send a mail that failed.
#[derive(Clone, Copy)]
struct FailedTry<'a> {
    row: &'a OutboxMail,
    at: Timestamp,
    why: &'a str,
}

impl OutboxSender {
    /// Records that the server accepted these mails.
    pub(super) fn taken(
        &mut self,
        ids: &BTreeSet<u64>,
        outcome: &mut RoundOutcome,
    ) -> Result<(), SenderError> {
        let mails: Vec<u64> = ids.iter().copied().collect();
        self.store.delivered_all(&mails)?;
        outcome.delivered += mails.len();
        tracing::debug!(?mails, "sent");
        let now = self.clock.now();
        if self.refusals.settle(ids) {
            self.keep_refusals(now)?;
        }
        self.resume(now)
    }

    /// Records what became of a mail that was not accepted.
    pub(super) fn record(
        &mut self,
        row: &OutboxMail,
        sent: SendOutcome,
        outcome: &mut RoundOutcome,
    ) -> Result<(), SenderError> {
        let now = self.clock.now();
        if let SendOutcome::Later { slow_all: true, .. } | SendOutcome::Away { slow_all: true, .. } =
            sent
            && let Some(pace) = &mut self.pace
        {
            pace.slow(Clock::System.now());
        }
        if !matches!(sent, SendOutcome::Away { .. }) {
            self.breaks.forget(row.id);
        }
        match sent {
            // Deliveries are recorded together, by `taken`.
            SendOutcome::Delivered => Ok(()),
            SendOutcome::Later { why, .. } => {
                self.failed_in_row = self.failed_in_row.saturating_add(1);
                self.put_off(
                    FailedTry {
                        row,
                        at: now,
                        why: &why,
                    },
                    outcome,
                )
            }
            SendOutcome::Away { why, .. } => match self.breaks.record_break(row.id) {
                BreakVerdict::Again => {
                    tracing::warn!(mail = row.id, why, "the connection broke; once more");
                    Ok(())
                }
                BreakVerdict::Mail => self.put_off(
                    FailedTry {
                        row,
                        at: now,
                        why: &why,
                    },
                    outcome,
                ),
                BreakVerdict::Server => self.is_away(now, why, outcome),
            },
            SendOutcome::Unwanted { why, refusal } => {
                self.unwanted(row, now, why, &refusal, outcome)
            }
            SendOutcome::Refused { why, refusal: None } => self.give_up(
                FailedTry {
                    row,
                    at: now,
                    why: &why,
                },
                outcome,
            ),
            SendOutcome::Refused {
                why,
                refusal: Some(refusal),
            } => self.refused(row, now, why, &refusal, RefusalSubject::Recipient, outcome),
            SendOutcome::PutOff { why, refusal } => {
                self.refused(row, now, why, &refusal, RefusalSubject::Us, outcome)
            }
            SendOutcome::Stop { why } => self.stop(now, why, outcome),
        }
    }

    /// The server refused the content or size of a mail: a smaller form may be accepted, unless the server refuses
    /// everything.
    fn unwanted(
        &mut self,
        row: &OutboxMail,
        now: Timestamp,
        why: String,
        refusal: &Refusal,
        outcome: &mut RoundOutcome,
    ) -> Result<(), SenderError> {
        let smaller = if self.refusals.agree() {
            None
        } else {
            smaller(&row.bytes, row.form)
        };
        let Some(form) = smaller else {
            return self.refused(row, now, why, refusal, RefusalSubject::Text, outcome);
        };
        tracing::warn!(
            mail = row.id,
            why,
            ?form,
            "a mail is not wanted and goes with less"
        );
        self.forms.tries(row.id, form);
        Ok(self.store.later_in_form(row.id, now, now, &why, form)?)
    }

    /// A permanent refusal, because of the recipient or because of the judge.
    fn refused(
        &mut self,
        row: &OutboxMail,
        now: Timestamp,
        why: String,
        refusal: &Refusal,
        about: RefusalSubject,
        outcome: &mut RoundOutcome,
    ) -> Result<(), SenderError> {
        let hopeless = about != RefusalSubject::Us;
        let agreed_before = self.refusals.agree();
        let told = self.refusals.told(row.id);
        let mail = RefusedMail {
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
        let failed = FailedTry {
            row,
            at: now,
            why: &why,
        };
        if !agree {
            if !hopeless {
                return self.put_off(failed, outcome);
            }
            if told {
                return self.give_up_in_silence(failed, outcome);
            }
            return self.give_up(failed, outcome);
        }
        if !agreed_before {
            self.take_back(now, outcome)?;
            // Mails were not refused for their content, so they are sent whole again.
            self.store.whole_again()?;
            self.forms.forget_tries();
        }
        self.put_off_as(failed, about.wait(), outcome)?;
        if agreed_before {
            let why = self.reason_for_all(&why);
            return self.stop(now, why, outcome);
        }
        Ok(())
    }

    /// Why the queue is stopped if the refusals agree.
    pub(super) fn reason_for_all(&self, why: &str) -> String {
        format!(
            "the same for recipients of {} domains in a row: {why}",
            self.refusals.domains().len()
        )
    }

    /// Mails that were given up for a refusal that concerns the judge go back into the outbox.
    fn take_back(&mut self, now: Timestamp, outcome: &mut RoundOutcome) -> Result<(), SenderError> {
        for mail in self.refusals.mails() {
            let Some(due) = next_attempt(now, 1, now, jitter()) else {
                continue;
            };
            match self
                .store
                .back_in_retry(mail.id, now, due, mail.about.wait())
            {
                Ok(()) => outcome.given_up = outcome.given_up.saturating_sub(1),
                // The current mail was not given up, nor were mails that were put off, and the keeper may have dropped
                // another.
                Err(StoreError::NoSuchMail(_)) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// A mail that was refused for its content was accepted with less: the next ones to that domain go so at once.
    pub(super) fn learn_from(&mut self, row: &OutboxMail) -> Result<(), SenderError> {
        let now = self.clock.now();
        if self.forms.accepted(row.id, &row.to, now) {
            self.store.commit(&Batch {
                at: now,
                meta: vec![self.forms.entry()?],
                ..Batch::default()
            })?;
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
        failed: FailedTry<'_>,
        outcome: &mut RoundOutcome,
    ) -> Result<(), SenderError> {
        self.put_off_as(failed, RetryMode::HoldsLaterMails, outcome)
    }

    fn put_off_as(
        &mut self,
        failed: FailedTry<'_>,
        wait: RetryMode,
        outcome: &mut RoundOutcome,
    ) -> Result<(), SenderError> {
        let FailedTry { row, at, why } = failed;
        let failures = row.attempts.saturating_add(1);
        match next_attempt(row.first_tried.unwrap_or(at), failures, at, jitter()) {
            Some(due) => {
                tracing::warn!(mail = row.id, failures, again = %due, why, "a mail must wait");
                outcome.later += 1;
                match wait {
                    RetryMode::HoldsLaterMails => self.store.later(row.id, at, due, why)?,
                    RetryMode::LetsLaterMailsPass => {
                        self.store.later_aside(row.id, at, due, why)?
                    }
                }
                Ok(())
            }
            None => {
                let why = &format!("not in four days: {why}");
                self.give_up(FailedTry { why, ..failed }, outcome)
            }
        }
    }

    fn is_away(
        &mut self,
        now: Timestamp,
        why: String,
        outcome: &mut RoundOutcome,
    ) -> Result<(), SenderError> {
        if outcome.away.replace(why.clone()).is_some() {
            return Ok(());
        }
        tracing::warn!(why, "the mail server is away; all mail waits");
        if self.away.is_some() {
            return Ok(());
        }
        let away = Halt { at: now, why };
        self.commit_halt(now, None, AWAY_KEY, &away)?;
        self.away = Some(away);
        Ok(())
    }

    pub(super) fn stop(
        &mut self,
        now: Timestamp,
        why: String,
        outcome: &mut RoundOutcome,
    ) -> Result<(), SenderError> {
        tracing::error!(
            why,
            "nothing is sent until this is put right; everything is kept"
        );
        outcome.stopped = Some(why.clone());
        if self.stopped.is_some() {
            return Ok(());
        }
        let stopped = Halt { at: now, why };
        let lines = [
            format!("The mail server refused what the judge's configuration makes it say: {}.", stopped.why),
            "Nothing was lost. The outbox was kept, and this mail with it: if you read it, it works again.".to_owned(),
        ];
        let notice = self.notices.write(
            NoticeKind::Sending,
            &mut self.notices_sent,
            now,
            &mut self.ids,
            "Sending had stopped",
            &lines,
        );
        self.commit_halt(now, notice, STOPPED_KEY, &stopped)?;
        self.stopped = Some(stopped);
        Ok(())
    }

    /// A mail was accepted: what waited for the server is due again.
    fn resume(&mut self, now: Timestamp) -> Result<(), SenderError> {
        if self.away.take().is_some() {
            self.forget_halt(now, AWAY_KEY)?;
            tracing::info!("the mail server is back");
        }
        let mut wake = false;
        if self.stopped.take().is_some() {
            self.forget_halt(now, STOPPED_KEY)?;
            tracing::info!("the mail server takes mail again");
            wake = true;
        }
        if !self.refusals.is_empty() {
            wake |= self.refusals.broken_off();
            self.keep_refusals(now)?;
        }
        if std::mem::take(&mut self.failed_in_row) >= MANY_PUT_OFF
            && now.duration_since(self.last_wake) >= WAKE_EVERY
        {
            self.last_wake = now;
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
        failed: FailedTry<'_>,
        outcome: &mut RoundOutcome,
    ) -> Result<(), SenderError> {
        let FailedTry { row, at: now, why } = failed;
        let known = self.notices.is_keeper(&row.to)
            || self.store.failed()?.iter().any(|failed| {
                failed.mail.to.eq_ignore_ascii_case(&row.to)
                    && now.duration_since(failed.at) < NOTICE_EVERY
            });
        self.give_up_in_silence(failed, outcome)?;
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
        let notice = self.notices.write(
            NoticeKind::GivenUp,
            &mut self.notices_sent,
            now,
            &mut self.ids,
            &subject,
            &lines,
        );
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
        FailedTry { row, at, why }: FailedTry<'_>,
        outcome: &mut RoundOutcome,
    ) -> Result<(), SenderError> {
        self.store.given_up(row.id, at, why)?;
        tracing::error!(mail = row.id, why, "a mail is given up");
        outcome.given_up += 1;
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
