//! What the keeper has done on the command line, in order with mail and clock.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::{Processor, ProcessorError};
use crate::daemon::journal::JournalCause;
use crate::daemon::keeper_acts::{ActMode, KeeperOutcome, KeeperReport};
use crate::daemon::library::StoreLibrary;
use dipjudge_judge::{Judge, KeeperAct};
use dipjudge_store::Batch;

impl Processor<Judge> {
    /// Does what the keeper asks for and stores it, or only says what it would do.
    ///
    /// # Errors
    /// If something fails that only a restart can cure.
    pub fn do_for_keeper(
        &mut self,
        act: &KeeperAct,
        mode: ActMode,
    ) -> Result<KeeperOutcome, ProcessorError> {
        if self.failed {
            return Err(ProcessorError::JudgePanicked);
        }
        let now = self.now();
        self.begin_ids("keeper", now);
        let ruled = {
            let judge = self.handler.read();
            let judge = judge.map_err(|_| ProcessorError::JudgePanicked)?;
            let library = StoreLibrary::new(&self.store, &self.pending);
            let ids = &mut self.ids;
            let ruled = catch_unwind(AssertUnwindSafe(|| {
                judge.for_keeper(act, now, ids, &library)
            }));
            library.fault()?;
            ruled
        };
        if let Some(fault) = self.ids.fault() {
            return Err(ProcessorError::Random(fault));
        }
        let ruled = match ruled {
            Ok(Ok(ruled)) => ruled,
            Ok(Err(refusal)) => return Ok(KeeperOutcome::Refused(refusal.to_string())),
            Err(_) => {
                let why = "it cannot be done by a fault of the program; the log says where";
                return Ok(KeeperOutcome::Refused(why.to_owned()));
            }
        };
        let report = KeeperReport {
            said: ruled.said,
            records: ruled.ruling.records.len(),
            mails: ruled.ruling.mails.len(),
            mode,
        };
        if mode == ActMode::Real {
            let cause = JournalCause::Keeper { act: act.clone() };
            let stored = self
                .accept(&ruled.ruling, now, Batch::default(), Some(cause))
                .and_then(|()| self.store_pending());
            self.failed |= stored.is_err();
            stored?;
        }
        Ok(KeeperOutcome::Done(report))
    }
}
