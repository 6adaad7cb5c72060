//! A ruling is applied to the judge and stored together with those before it.

use std::collections::BTreeSet;

use jiff::Timestamp;

use super::{Processor, ProcessorError};
use crate::daemon::event_kinds;
use crate::daemon::journal::{JournalCause, JournalLine};
use crate::daemon::mail_handler::MailHandler;
use crate::daemon::notice::NoticeKind;
use crate::daemon::pending::{HandledMessage, Pending};
use crate::daemon::source::Source;
use crate::daemon::starting::keep_snapshots;
use dipjudge_judge::Ruling;
use dipjudge_store::{Batch, NewMail, to_hex};

impl<B: MailHandler> Processor<B> {
    /// Applies a ruling to the judge. The ruling and what belongs to it wait to be stored.
    pub(super) fn accept(
        &mut self,
        ruling: &Ruling,
        now: Timestamp,
        extra: Batch,
        cause: Option<JournalCause>,
    ) -> Result<(), ProcessorError> {
        if !ruling.is_silent() {
            if let (Some(journal), Some(cause)) = (&self.journal, cause) {
                let logs: BTreeSet<&String> = ruling.records.iter().map(|new| &new.log).collect();
                self.pending.journal.push(JournalLine {
                    store: journal.store().as_str().to_owned(),
                    number: self.memory.rulings,
                    now,
                    cause,
                    logs: logs.into_iter().cloned().collect(),
                    seeds: self.ids.seeds().iter().map(|seed| to_hex(seed)).collect(),
                });
            }
            self.memory.rulings += 1;
        }
        for note in &ruling.notes {
            tracing::warn!("{note}");
        }
        if !ruling.records.is_empty() {
            self.memory.newest = Some(
                self.memory
                    .newest
                    .map_or(ruling.at, |newest| newest.max(ruling.at)),
            );
        }
        // The mails are due by the clock, not at the time of the event, since the sender compares with the clock.
        self.pending.add(ruling, now, self.clock.now(), extra);
        self.handler
            .write()
            .map_err(|_| ProcessorError::JudgePanicked)?
            .absorb(ruling)?;
        for record in &ruling.records {
            tracing::info!(
                game = record.log,
                events = event_kinds::of(&record.json),
                "recorded"
            );
        }
        Ok(())
    }

    /// Stores what waits in one transaction, and puts away its messages.
    pub(super) fn store_and_finish(
        &mut self,
        sources: &mut [Source],
    ) -> Result<(), ProcessorError> {
        self.store_pending()?;
        for HandledMessage {
            source,
            handle,
            rejected,
        } in self.pending.handled.drain(..)
        {
            match sources.get_mut(source) {
                Some(source) if rejected => source.reject(&handle),
                Some(source) => source.handled(handle),
                None => {}
            }
        }
        sources.iter_mut().for_each(Source::put_away);
        Ok(())
    }

    /// Stores mails of the program's own, and what it remembers.
    pub(super) fn store_mails(
        &mut self,
        now: Timestamp,
        mails: Vec<NewMail>,
    ) -> Result<(), ProcessorError> {
        self.store.commit(&Batch {
            at: now,
            mails,
            meta: vec![self.memory.entry()?],
            ..Batch::default()
        })?;
        self.saved = self.memory.clone();
        Ok(())
    }

    pub(super) fn store_pending(&mut self) -> Result<(), ProcessorError> {
        let mut pending = std::mem::take(&mut self.pending);
        if !pending.is_empty() {
            self.write_journal(&mut pending);
            pending.batch.meta.push(self.memory.entry()?);
            self.store.commit(&pending.batch)?;
            self.saved = self.memory.clone();
            self.looks_noted_at = pending.batch.at;
            let handler = self.handler.read();
            let handler = handler.map_err(|_| ProcessorError::JudgePanicked)?;
            keep_snapshots(&self.store, &*handler);
        }
        self.pending.handled = pending.handled;
        Ok(())
    }

    /// Writes the journal. Where that fails the games go on, and the keeper is told.
    fn write_journal(&mut self, pending: &mut Pending) {
        let lines = std::mem::take(&mut pending.journal);
        let Some(journal) = self.journal.as_ref().filter(|_| !lines.is_empty()) else {
            return;
        };
        let Err(error) = journal.append(&lines) else {
            return;
        };
        tracing::error!(%error, "the journal beside the copies of the store cannot be written");
        let now = pending.batch.at;
        self.begin_ids("journal", now);
        let notice = self.notices.write(
            NoticeKind::Backup,
            &mut self.memory.notices_sent,
            now,
            &mut self.ids,
            "The journal cannot be written",
            &[format!(
                "The journal in [backup] copy_to cannot be written: {error}. The games go on. If the machine is lost before the \
                 next copy of the store, what came by pipe, what you did on the command line and the seeds of new games are lost \
                 with it."
            )],
        );
        pending.batch.mails.extend(notice);
    }
}
