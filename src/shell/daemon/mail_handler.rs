//! The judge as the processor uses it: one message or one look at the clock in, one ruling out.

use jiff::Timestamp;

use dipjudge_judge::{Ids, Incoming, Judge, JudgeError, Library, Outage, Queue, Ruling, Snapshot};

/// What the processor needs of a judge.
pub trait MailHandler {
    /// Rules on one message; changes nothing.
    fn receive(
        &self,
        mail: &Incoming,
        now: Timestamp,
        ids: &mut dyn Ids,
        library: &dyn Library,
    ) -> Ruling;

    /// A text from an address with its passwords struck out.
    fn redact(&self, text: &str, from: &str) -> String;

    /// The queue in which a message waits.
    fn queue(&self, bytes: &[u8], now: Timestamp) -> Option<Queue>;

    /// Rules on one thing that was due at `by`, as of `now`; `None` if nothing is due. Changes nothing.
    fn tick(
        &self,
        by: Timestamp,
        now: Timestamp,
        outages: &[Outage],
        ids: &mut dyn Ids,
        library: &dyn Library,
    ) -> Option<Ruling>;

    /// When something is due next.
    fn next_due(&self) -> Option<Timestamp>;

    /// Applies a ruling to the judge.
    fn absorb(&mut self, ruling: &Ruling) -> Result<(), JudgeError>;

    /// A snapshot of the state to which a log leads.
    fn snapshot(&self, log: &str) -> Option<Snapshot>;
}

impl MailHandler for Judge {
    fn receive(
        &self,
        mail: &Incoming,
        now: Timestamp,
        ids: &mut dyn Ids,
        library: &dyn Library,
    ) -> Ruling {
        Judge::receive(self, mail, now, ids, library)
    }

    fn redact(&self, text: &str, from: &str) -> String {
        Judge::redact(self, text, from)
    }

    fn queue(&self, bytes: &[u8], now: Timestamp) -> Option<Queue> {
        Judge::queue(self, bytes, now)
    }

    fn tick(
        &self,
        by: Timestamp,
        now: Timestamp,
        outages: &[Outage],
        ids: &mut dyn Ids,
        library: &dyn Library,
    ) -> Option<Ruling> {
        Judge::tick(self, by, now, outages, ids, library)
    }

    fn next_due(&self) -> Option<Timestamp> {
        Judge::next_due(self)
    }

    fn absorb(&mut self, ruling: &Ruling) -> Result<(), JudgeError> {
        Judge::absorb(self, ruling)
    }

    fn snapshot(&self, log: &str) -> Option<Snapshot> {
        Judge::snapshot(self, log)
    }
}
