//! The order in which messages are handled: by arrival, but messages beyond their sender's rate come after those of
//! everybody else, each sender's in their own order. Every message is handled before a deadline that it arrived in time
//! for.

use std::collections::{BTreeSet, VecDeque};

use jiff::Timestamp;

use super::{Processor, ProcessorError, StepOutcome};
use crate::clock::before_second_of;
use crate::daemon::arrival::ArrivedMessage;
use crate::daemon::mail_handler::MailHandler;
use crate::daemon::source::Source;
use crate::inbox::Handle;

/// How many deferred messages are handled before the inbox is looked at again.
const BATCH: usize = 16;

/// A message that waits.
#[derive(Debug)]
struct DeferredMessage {
    /// Its sender's account.
    account: String,
    message: ArrivedMessage,
}

/// Messages that come after everybody else's, in the order of arrival.
#[derive(Debug, Default)]
pub(super) struct DeferredMessages {
    messages: VecDeque<DeferredMessage>,
    /// The places of these and of those handled since, which the inbox still shows for a while.
    handles: BTreeSet<(usize, Handle)>,
}

impl DeferredMessages {
    pub(super) fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    /// The messages that were not deferred before.
    pub(super) fn without_known(&self, messages: Vec<ArrivedMessage>) -> Vec<ArrivedMessage> {
        let is_new = |message: &ArrivedMessage| {
            let place = (message.source, message.mail.handle.clone());
            !self.handles.contains(&place)
        };
        messages.into_iter().filter(is_new).collect()
    }

    /// Whether a message of this account waits already.
    fn holds(&self, account: &str) -> bool {
        self.messages.iter().any(|other| other.account == account)
    }

    fn put(&mut self, account: String, message: ArrivedMessage) {
        self.handles
            .insert((message.source, message.mail.handle.clone()));
        let place = self
            .messages
            .partition_point(|other| other.message.at <= message.at);
        self.messages
            .insert(place, DeferredMessage { account, message });
    }

    /// Removes the next few.
    pub(super) fn take_batch(&mut self) -> Vec<ArrivedMessage> {
        let few = self.messages.len().min(BATCH);
        let few = self.messages.drain(..few);
        few.map(|deferred| deferred.message).collect()
    }

    /// Removes the first message that arrived in time for a deadline.
    fn first_before(&mut self, due: Timestamp) -> Option<ArrivedMessage> {
        let place = self
            .messages
            .iter()
            .position(|deferred| before_second_of(deferred.message.at) < due)?;
        Some(self.messages.remove(place)?.message)
    }
}

impl<B: MailHandler> Processor<B> {
    /// Defers a message if its sender has sent too many lately, or has others that wait; else returns it.
    pub(super) fn defer_if_over_rate(
        &mut self,
        message: ArrivedMessage,
        deferred: &mut DeferredMessages,
    ) -> Result<Option<ArrivedMessage>, ProcessorError> {
        let now = self.now();
        let handler = self
            .handler
            .read()
            .map_err(|_| ProcessorError::JudgePanicked)?;
        match handler.queue(&message.mail.bytes, now) {
            Some(queue) if queue.behind || deferred.holds(&queue.account) => {
                deferred.put(queue.account, message);
                Ok(None)
            }
            _ => Ok(Some(message)),
        }
    }

    /// Handles a message, after everything that was due before it arrived.
    pub(super) fn handle_in_order(
        &mut self,
        message: ArrivedMessage,
        deferred: &mut DeferredMessages,
        sources: &mut [Source],
        go_on: &dyn Fn() -> bool,
        stepped: &mut StepOutcome,
    ) -> Result<(), ProcessorError> {
        if !go_on() {
            return Ok(());
        }
        if self.pending.is_full() {
            self.store_and_finish(sources)?;
        }
        if stepped.unreached.is_none() {
            // A phase that ended before this message arrived is adjudicated first.
            let by = before_second_of(message.at);
            let before = (stepped.handled, stepped.ruled);
            self.do_due_work_in_order(by, deferred, sources, go_on, stepped)?;
            // Something that is due may remain.
            if before != (stepped.handled, stepped.ruled) && !go_on() {
                return Ok(());
            }
        }
        self.handle(message, sources)?;
        stepped.handled += 1;
        Ok(())
    }

    /// Does what was due at `by`, each thing after the deferred messages that arrived before it.
    pub(super) fn do_due_work_in_order(
        &mut self,
        by: Timestamp,
        deferred: &mut DeferredMessages,
        sources: &mut [Source],
        go_on: &dyn Fn() -> bool,
        stepped: &mut StepOutcome,
    ) -> Result<(), ProcessorError> {
        while !self.leaves_due_work && !deferred.is_empty() {
            if !go_on() {
                return Ok(());
            }
            let Some(due) = self.next_due()?.filter(|due| *due <= by) else {
                break;
            };
            if let Some(message) = deferred.first_before(due) {
                self.handle(message, sources)?;
                stepped.handled += 1;
                continue;
            }
            let before = stepped.ruled;
            self.do_due_work(due, go_on, stepped)?;
            if stepped.ruled == before {
                break;
            }
        }
        self.do_due_work(by, go_on, stepped)
    }
}
