//! What follows from a ruling: the judge takes it over, and it is stored with those before it.

use jiff::Timestamp;

use super::{Pump, PumpError};
use crate::judge::Ruling;
use crate::shell::daemon::bench::Bench;
use crate::shell::daemon::kinds;
use crate::shell::daemon::pending::Handled;
use crate::shell::daemon::source::Source;
use crate::shell::store::Batch;

impl<B: Bench> Pump<B> {
    /// Lets the judge take over a ruling, which with what else belongs to it now waits to be stored.
    pub(super) fn keep(
        &mut self,
        ruling: &Ruling,
        now: Timestamp,
        extra: Batch,
    ) -> Result<(), PumpError> {
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
        // By the clock, not by the hour of what happened: the post goes by it.
        self.pending.add(ruling, now, self.clock.now(), extra);
        self.bench
            .write()
            .map_err(|_| PumpError::Doubt)?
            .absorb(ruling)?;
        for record in &ruling.records {
            tracing::info!(
                game = record.log,
                events = kinds::of(&record.json),
                "recorded"
            );
        }
        Ok(())
    }

    /// Stores what waits, all of it or nothing, and puts away the messages from which it came.
    pub(super) fn store_and_put_away(&mut self, sources: &mut [Source]) -> Result<(), PumpError> {
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

    pub(super) fn store_pending(&mut self) -> Result<(), PumpError> {
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
