//! What follows from a ruling: the judge takes it over, and it is stored with those before it.

use jiff::Timestamp;

use super::{Processor, ProcessorError};
use crate::daemon::event_kinds;
use crate::daemon::mail_handler::MailHandler;
use crate::daemon::pending::Handled;
use crate::daemon::source::Source;
use dipjudge_judge::Ruling;
use dipjudge_store::Batch;

impl<B: MailHandler> Processor<B> {
    /// Lets the judge take over a ruling, which with what else belongs to it now waits to be stored.
    pub(super) fn keep(
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
        // By the clock, not by the time of what happened: the sender goes by it.
        self.pending.add(ruling, now, self.clock.now(), extra);
        self.handler
            .write()
            .map_err(|_| ProcessorError::Doubt)?
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

    /// Stores what waits, all of it or nothing, and puts away the messages from which it came.
    pub(super) fn store_and_put_away(
        &mut self,
        sources: &mut [Source],
    ) -> Result<(), ProcessorError> {
        self.store_pending()?;
        for Handled {
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

    pub(super) fn store_pending(&mut self) -> Result<(), ProcessorError> {
        let mut pending = std::mem::take(&mut self.pending);
        if !pending.is_empty() {
            pending.batch.meta.push(self.memory.entry()?);
            self.store.commit(&pending.batch)?;
            self.saved = self.memory.clone();
            self.noted = pending.batch.at;
        }
        self.pending.handled = pending.handled;
        Ok(())
    }
}
