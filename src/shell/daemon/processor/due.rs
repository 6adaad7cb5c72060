//! What is due: reminders, deadlines, phases.

use std::panic::{AssertUnwindSafe, catch_unwind};

use jiff::{SignedDuration, Timestamp};

use super::{Processor, ProcessorError, StepOutcome};
use crate::daemon::journal::JournalCause;
use crate::daemon::library::StoreLibrary;
use crate::daemon::mail_handler::MailHandler;
use crate::daemon::notice::NoticeKind;
use dipjudge_judge::Ruling;
use dipjudge_store::Batch;

/// How long nothing that is due is done after a panic.
const AFTER_FAULT: SignedDuration = SignedDuration::from_mins(15);
/// The most rulings at one look at the clock, in case a game would never come to rest.
const MOST_RULINGS: usize = 100_000;

impl<B: MailHandler> Processor<B> {
    /// Does everything that was due at `by`.
    pub(super) fn do_due_work(
        &mut self,
        by: Timestamp,
        go_on: &dyn Fn() -> bool,
        stepped: &mut StepOutcome,
    ) -> Result<(), ProcessorError> {
        if self.leaves_due_work {
            return Ok(());
        }
        if self
            .due_paused_until
            .is_some_and(|until| self.clock.now() < until)
        {
            stepped.fault = true;
            return Ok(());
        }
        self.due_paused_until = None;
        for _ in 0..MOST_RULINGS {
            let now = self.now();
            self.begin_ids("due", now);
            let outcome = {
                let handler = self
                    .handler
                    .read()
                    .map_err(|_| ProcessorError::JudgePanicked)?;
                let library = StoreLibrary::new(&self.store, &self.pending);
                let (ids, outages) = (&mut self.ids, self.memory.outages.past());
                let outcome = catch_unwind(AssertUnwindSafe(|| {
                    handler.tick(by, now, outages, ids, &library)
                }));
                library.fault()?;
                outcome
            };
            if let Some(fault) = self.ids.fault() {
                return Err(ProcessorError::Random(fault));
            }
            match outcome {
                Ok(None) => return Ok(()),
                // A ruling that changes nothing would be due for ever.
                Ok(Some(ruling)) if ruling.records.is_empty() => break,
                Ok(Some(ruling)) => {
                    let cause = JournalCause::Due {
                        by,
                        outages: self.memory.outages.past().to_vec(),
                    };
                    self.accept(&ruling, now, Batch::default(), Some(cause))?;
                    stepped.ruled += 1;
                    if self.pending.is_full() {
                        self.store_pending()?;
                    }
                }
                Err(_) => break,
            }
            if !go_on() {
                return Ok(());
            }
        }
        stepped.fault = true;
        self.due_paused_until = self.clock.now().checked_add(AFTER_FAULT).ok();
        tracing::error!(
            "what is due cannot be done, which is a fault of the program; tried again in 15 minutes"
        );
        let now = self.now();
        let lines = [
            "Something that is due in a game cannot be done, which is a fault of the program. Mail is still handled. It \
             is tried again every 15 minutes, and when the program starts again."
                .to_owned(),
            "The log says where. Please report it to the authors of the program.".to_owned(),
        ];
        let notice = self.notices.write(
            NoticeKind::Due,
            &mut self.memory.notices_sent,
            now,
            &mut self.ids,
            "Something due cannot be done",
            &lines,
        );
        let extra = Batch {
            at: now,
            mails: notice.into_iter().collect(),
            ..Batch::default()
        };
        self.accept(
            &Ruling {
                at: now,
                ..Ruling::default()
            },
            now,
            extra,
            None,
        )
    }
}
