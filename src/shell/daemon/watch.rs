//! An inbox on a thread of its own, which waits for mail while the processor works, and tries again if the server cannot be
//! reached.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::source::{Mailbox, MailboxError};
use crate::inbox::{Backoff, Handle, Inbox, InboxError, Look, Stopper};
use crate::random::jitter;

/// The longest wait between two looks.
const MAX_WAIT: Duration = Duration::from_secs(60);
/// How often a caller that waits for an answer checks whether to go on.
const CHECK_EVERY: Duration = Duration::from_millis(200);
/// How long to wait for the thread to end before it is left running.
const JOIN_TIMEOUT: Duration = Duration::from_secs(5);

enum InboxRequest {
    Look(Sender<Result<Look, MailboxError>>),
    Done(Vec<Handle>, Sender<Result<(), MailboxError>>),
    Reject(Handle, Sender<Result<(), MailboxError>>),
}

/// The side of the processor.
pub(super) struct WatchedInbox {
    requests: Sender<InboxRequest>,
    stopper: Stopper,
    /// Called while an answer is awaited; if it returns false, the wait ends.
    go_on: Box<dyn Fn() -> bool + Send>,
    ended: Receiver<()>,
    thread: Option<JoinHandle<()>>,
}

impl WatchedInbox {
    /// Starts the thread. `news` is called when there may be new mail, and when a failed inbox may work again.
    ///
    /// # Errors
    /// If the system has no thread left.
    pub(super) fn start(
        name: &'static str,
        inbox: Box<dyn Inbox>,
        news: impl Fn() + Send + 'static,
        go_on: impl Fn() -> bool + Send + 'static,
    ) -> std::io::Result<WatchedInbox> {
        let (requests, received) = mpsc::channel();
        let (end, ended) = mpsc::channel();
        let stopper = inbox.stopper();
        let thread = thread::Builder::new()
            .name(name.to_owned())
            .spawn(move || {
                let mut watch = InboxThread {
                    name,
                    inbox,
                    received,
                    news,
                    backoff: Backoff::new(),
                    away: None,
                };
                watch.run();
                // Nobody may be waiting any more.
                let _ = end.send(());
            })?;
        Ok(WatchedInbox {
            requests,
            stopper,
            go_on: Box::new(go_on),
            ended,
            thread: Some(thread),
        })
    }

    fn ask<T>(
        &self,
        ask: impl FnOnce(Sender<Result<T, MailboxError>>) -> InboxRequest,
    ) -> Result<T, MailboxError> {
        let (answer, answered) = mpsc::channel();
        self.requests
            .send(ask(answer))
            .map_err(|_| MailboxError::ThreadEnded)?;
        self.stopper.wake();
        loop {
            match answered.recv_timeout(CHECK_EVERY) {
                Ok(answer) => return answer,
                Err(RecvTimeoutError::Disconnected) => return Err(MailboxError::ThreadEnded),
                Err(RecvTimeoutError::Timeout) if (self.go_on)() => {}
                Err(RecvTimeoutError::Timeout) => return Err(MailboxError::Stopping),
            }
        }
    }
}

impl Mailbox for WatchedInbox {
    fn look(&mut self) -> Result<Look, MailboxError> {
        self.ask(InboxRequest::Look)
    }

    fn done(&mut self, handles: &[Handle]) -> Result<(), MailboxError> {
        self.ask(|answer| InboxRequest::Done(handles.to_vec(), answer))
    }

    fn reject(&mut self, handle: &Handle) -> Result<(), MailboxError> {
        self.ask(|answer| InboxRequest::Reject(handle.clone(), answer))
    }
}

impl Drop for WatchedInbox {
    fn drop(&mut self) {
        self.stopper.stop();
        let ended = self.ended.recv_timeout(JOIN_TIMEOUT);
        if let (Ok(()) | Err(RecvTimeoutError::Disconnected), Some(thread)) =
            (ended, self.thread.take())
        {
            // The thread has ended. A panic has been logged.
            let _ = thread.join();
        }
    }
}

/// The side of the thread.
struct InboxThread<N> {
    name: &'static str,
    inbox: Box<dyn Inbox>,
    received: Receiver<InboxRequest>,
    news: N,
    backoff: Backoff,
    /// The last failure, if nothing has succeeded since.
    away: Option<Away>,
}

/// An inbox that failed and is left alone for a while.
struct Away {
    error: MailboxError,
    until: Instant,
}

impl<N: Fn()> InboxThread<N> {
    fn run(&mut self) {
        let stopper = self.inbox.stopper();
        while !stopper.is_stopped() {
            while let Ok(ask) = self.received.try_recv() {
                self.answer(ask);
            }
            if let Some(away) = &self.away {
                let left = away.until.saturating_duration_since(Instant::now());
                if left.is_zero() {
                    // The processor looks now, which makes the connection.
                    (self.news)();
                    if let Ok(ask) = self.received.recv_timeout(CHECK_EVERY) {
                        self.answer(ask);
                    }
                } else {
                    stopper.rest(left);
                }
                continue;
            }
            match self.inbox.wait(MAX_WAIT) {
                Ok(()) => {
                    // If a request for a look ended the wait, new mail has been seen.
                    let looked = self.received.try_recv().is_ok_and(|ask| self.answer(ask));
                    if !looked && !stopper.is_stopped() {
                        (self.news)();
                    }
                }
                Err(error) => {
                    self.failed(error);
                    (self.news)();
                }
            }
        }
    }

    /// Answers a request. Returns true if that was a look. The caller may have stopped waiting, which is no error.
    fn answer(&mut self, ask: InboxRequest) -> bool {
        match ask {
            InboxRequest::Look(answer) => {
                let outcome = self.look();
                let _ = answer.send(outcome);
                true
            }
            InboxRequest::Done(handles, answer) => {
                let _ = answer.send(Mailbox::done(&mut self.inbox, &handles));
                false
            }
            InboxRequest::Reject(handle, answer) => {
                let _ = answer.send(Mailbox::reject(&mut self.inbox, &handle));
                false
            }
        }
    }

    fn look(&mut self) -> Result<Look, MailboxError> {
        if let Some(away) = &self.away
            && Instant::now() < away.until
        {
            return Err(away.error.clone());
        }
        match self.inbox.as_mut().look() {
            Ok(look) => {
                if self.away.take().is_some() {
                    tracing::info!(source = self.name, "reached again");
                }
                self.backoff.succeeded();
                Ok(look)
            }
            Err(error) => Err(self.failed(error)),
        }
    }

    fn failed(&mut self, error: InboxError) -> MailboxError {
        let why = error.to_string();
        let wait = self.backoff.after(&error, jitter());
        tracing::warn!(
            source = self.name,
            why,
            again_in_seconds = wait.as_secs(),
            "mail cannot be taken"
        );
        let error = MailboxError::from(error);
        self.away = Some(Away {
            error: error.clone(),
            until: Instant::now() + wait,
        });
        error
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inbox::maildir::MaildirInbox;
    use crate::maildir::Maildir;

    fn watched() -> (tempfile::TempDir, Maildir, WatchedInbox, Receiver<()>) {
        let folder = tempfile::tempdir().unwrap();
        let maildir = Maildir::at(folder.path().join("in"));
        let inbox = MaildirInbox::open(maildir.clone(), 1000).unwrap();
        let (news, heard) = mpsc::channel();
        let watched =
            WatchedInbox::start("inbox", Box::new(inbox), move || _ = news.send(()), || true)
                .unwrap();
        (folder, maildir, watched, heard)
    }

    #[test]
    fn news_come_by_themselves_and_messages_are_put_away() {
        let (_folder, maildir, mut watched, heard) = watched();
        assert_eq!(watched.look().unwrap().mails.len(), 0);
        maildir.deliver(b"A: 1\n\n", None).unwrap();
        heard.recv_timeout(Duration::from_secs(10)).unwrap();
        let look = watched.look().unwrap();
        watched.done(&[look.mails[0].handle.clone()]).unwrap();
        assert_eq!(maildir.waiting().unwrap().len(), 0);
    }

    #[test]
    fn an_inbox_that_is_away_is_left_alone_and_then_found_again() {
        let (folder, maildir, mut watched, heard) = watched();
        watched.look().unwrap();
        let (there, gone) = (folder.path().join("in"), folder.path().join("gone"));
        std::fs::rename(&there, &gone).unwrap();
        while watched.look().is_ok() {}
        std::fs::rename(&gone, &there).unwrap();
        maildir.deliver(b"A: 1\n\n", None).unwrap();
        // Only the keeper can repair a Maildir, so it is left alone for a minute.
        assert!(watched.look().is_err());
        while heard.try_recv().is_ok() {}
        assert!(heard.recv_timeout(Duration::from_millis(300)).is_err());
    }

    #[test]
    fn it_ends_at_once() {
        let (_folder, _maildir, watched, _heard) = watched();
        let start = Instant::now();
        drop(watched);
        assert!(start.elapsed() < Duration::from_secs(4));
    }
}
