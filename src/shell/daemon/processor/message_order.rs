//! The order in which messages are taken: by arrival, but messages beyond their sender's rate come after everybody
//! else's, each sender's in their own order. No deadline passes over a message that arrived before it.

use std::collections::{BTreeSet, VecDeque};

use jiff::Timestamp;

use super::{Processor, ProcessorError, Stepped};
use crate::clock::before_second_of;
use crate::daemon::arrival::Arrived;
use crate::daemon::mail_handler::MailHandler;
use crate::daemon::source::Source;
use crate::inbox::Handle;

/// How many deferred messages are taken before the inbox is looked at again.
const A_FEW: usize = 16;

/// A message that waits.
#[derive(Debug)]
struct Deferred {
    /// Its sender's account.
    account: String,
    message: Arrived,
}

/// Messages that come after everybody else's, in the order of arrival.
#[derive(Debug, Default)]
pub(super) struct DeferredMessages {
    messages: VecDeque<Deferred>,
    /// Where they lie, with those that were taken since: they are still shown there for a while.
    handles: BTreeSet<(usize, Handle)>,
}

impl DeferredMessages {
    pub(super) fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    /// Those of some messages that are new.
    pub(super) fn without_known(&self, messages: Vec<Arrived>) -> Vec<Arrived> {
        let is_new = |message: &Arrived| {
            let place = (message.source, message.mail.handle.clone());
            !self.handles.contains(&place)
        };
        messages.into_iter().filter(is_new).collect()
    }

    /// Whether something of this writer's waits already.
    fn holds(&self, account: &str) -> bool {
        self.messages.iter().any(|other| other.account == account)
    }

    fn put(&mut self, account: String, message: Arrived) {
        self.handles
            .insert((message.source, message.mail.handle.clone()));
        let place = self
            .messages
            .partition_point(|other| other.message.at <= message.at);
        self.messages.insert(place, Deferred { account, message });
    }

    /// The next few, taken out.
    pub(super) fn take_few(&mut self) -> Vec<Arrived> {
        let few = self.messages.len().min(A_FEW);
        let few = self.messages.drain(..few);
        few.map(|deferred| deferred.message).collect()
    }

    /// The first that counts before something that is due, taken out.
    fn first_before(&mut self, due: Timestamp) -> Option<Arrived> {
        let place = self
            .messages
            .iter()
            .position(|deferred| before_second_of(deferred.message.at) < due)?;
        Some(self.messages.remove(place)?.message)
    }
}

impl<B: MailHandler> Processor<B> {
    /// Lets a message wait if its writer has sent too many lately, or has some that wait already; else gives it back.
    pub(super) fn defer_if_over_rate(
        &mut self,
        message: Arrived,
        deferred: &mut DeferredMessages,
    ) -> Result<Option<Arrived>, ProcessorError> {
        let now = self.now();
        let handler = self.handler.read().map_err(|_| ProcessorError::Doubt)?;
        match handler.queue(&message.mail.bytes, now) {
            Some(queue) if queue.behind || deferred.holds(&queue.account) => {
                deferred.put(queue.account, message);
                Ok(None)
            }
            _ => Ok(Some(message)),
        }
    }

    /// Takes a message once all is done that was due before it arrived.
    pub(super) fn take_in_time(
        &mut self,
        message: Arrived,
        deferred: &mut DeferredMessages,
        sources: &mut [Source],
        go_on: &dyn Fn() -> bool,
        stepped: &mut Stepped,
    ) -> Result<(), ProcessorError> {
        if !go_on() {
            return Ok(());
        }
        if self.pending.is_ripe() {
            self.store_and_put_away(sources)?;
        }
        if stepped.unreached.is_none() {
            // A phase that ended before this message arrived is closed before it is read.
            let by = before_second_of(message.at);
            let before = (stepped.handled, stepped.ruled);
            self.rule_in_time(by, deferred, sources, go_on, stepped)?;
            // Something that is due may be left over.
            if before != (stepped.handled, stepped.ruled) && !go_on() {
                return Ok(());
            }
        }
        self.take(message, sources)?;
        stepped.handled += 1;
        Ok(())
    }

    /// Does what was due at `by`, each thing after the messages that arrived before it, however long they were to wait.
    pub(super) fn rule_in_time(
        &mut self,
        by: Timestamp,
        deferred: &mut DeferredMessages,
        sources: &mut [Source],
        go_on: &dyn Fn() -> bool,
        stepped: &mut Stepped,
    ) -> Result<(), ProcessorError> {
        while !self.leaves_due && !deferred.is_empty() {
            if !go_on() {
                return Ok(());
            }
            let Some(due) = self.next_due()?.filter(|due| *due <= by) else {
                break;
            };
            if let Some(message) = deferred.first_before(due) {
                self.take(message, sources)?;
                stepped.handled += 1;
                continue;
            }
            let before = stepped.ruled;
            self.rule_on_the_clock(due, go_on, stepped)?;
            if stepped.ruled == before {
                break;
            }
        }
        self.rule_on_the_clock(by, go_on, stepped)
    }
}
