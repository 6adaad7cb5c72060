//! An inbox on a thread of its own, which waits for mail while the processor works, and comes back to a server that was away.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::source::{Mailbox, MailboxError};
use crate::inbox::{Backoff, Handle, Inbox, InboxError, Look, Stopper};
use crate::random::jitter;

/// At least so often the inbox is looked at.
const AT_MOST: Duration = Duration::from_secs(60);
/// So often somebody who waits for an answer asks whether he should go on.
const GLANCE: Duration = Duration::from_millis(200);
/// How long a thread that is asked to end may take, before it is left to the end of the program.
const FAREWELL: Duration = Duration::from_secs(5);

enum InboxRequest {
    Look(Sender<Result<Look, MailboxError>>),
    Done(Vec<Handle>, Sender<Result<(), MailboxError>>),
    Reject(Handle, Sender<Result<(), MailboxError>>),
}

/// The inbox of a thread, as the processor sees it.
pub(super) struct WatchedInbox {
    requests: Sender<InboxRequest>,
    stopper: Stopper,
    /// Asked while an answer takes its time; no means not to wait for it any longer.
    go_on: Box<dyn Fn() -> bool + Send>,
    ended: Receiver<()>,
    thread: Option<JoinHandle<()>>,
}

impl WatchedInbox {
    /// Starts the thread. `news` is called whenever there may be something new, and when the inbox may be back.
    ///
    /// # Errors
    /// If the system has no thread left.
    pub(super) fn start(
        name: &'static str,
        inbox: Box<dyn Inbox>,
        news: impl Fn() + Send + 'static,
        go_on: impl Fn() -> bool + Send + 'static,
    ) -> std::io::Result<WatchedInbox> {
        let (requests, asked) = mpsc::channel();
        let (end, ended) = mpsc::channel();
        let stopper = inbox.stopper();
        let thread = thread::Builder::new()
            .name(name.to_owned())
            .spawn(move || {
                let mut watch = InboxThread {
                    name,
                    inbox,
                    asked,
                    news,
                    backoff: Backoff::new(),
                    away: None,
                };
                watch.run();
                // Whoever waits may be gone.
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
            match answered.recv_timeout(GLANCE) {
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
        let ended = self.ended.recv_timeout(FAREWELL);
        if let (Ok(()) | Err(RecvTimeoutError::Disconnected), Some(thread)) =
            (ended, self.thread.take())
        {
            // It has nothing left to do. Had it panicked, that was logged.
            let _ = thread.join();
        }
    }
}

/// The thread's side.
struct InboxThread<N> {
    name: &'static str,
    inbox: Box<dyn Inbox>,
    asked: Receiver<InboxRequest>,
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
            while let Ok(ask) = self.asked.try_recv() {
                self.answer(ask);
            }
            if let Some(away) = &self.away {
                let left = away.until.saturating_duration_since(Instant::now());
                if left.is_zero() {
                    // The processor looks now, and by that the connection is made.
                    (self.news)();
                    if let Ok(ask) = self.asked.recv_timeout(GLANCE) {
                        self.answer(ask);
                    }
                } else {
                    stopper.rest(left);
                }
                continue;
            }
            match self.inbox.wait(AT_MOST) {
                Ok(()) => {
                    // Woken for a look, it will have been looked at.
                    let looked = self.asked.try_recv().is_ok_and(|ask| self.answer(ask));
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

    /// Answers; true if it was looked at. Whoever asked may not wait any longer, which is no fault.
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
        // A Maildir's fault is the keeper's, so it is left alone for a minute: nothing is asked of it meanwhile.
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
