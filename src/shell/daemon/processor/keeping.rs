//! A ruling is applied to the judge and stored together with those before it.

use jiff::Timestamp;

use super::{Processor, ProcessorError};
use crate::daemon::event_kinds;
use crate::daemon::mail_handler::MailHandler;
use crate::daemon::pending::HandledMessage;
use crate::daemon::source::Source;
use crate::daemon::starting::keep_snapshots;
use dipjudge_judge::Ruling;
use dipjudge_store::{Batch, NewMail};

impl<B: MailHandler> Processor<B> {
    /// Applies a ruling to the judge. The ruling and what belongs to it wait to be stored.
    pub(super) fn accept(
        &mut self,
        ruling: &Ruling,
        now: Timestamp,
        extra: Batch,
    ) -> Result<(), ProcessorError> {
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
}
