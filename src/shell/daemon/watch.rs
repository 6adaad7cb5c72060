//! An inbox on a thread of its own, which waits for mail while the processor works, and comes back to a server that was away.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::source::Mailbox;
use crate::inbox::{Backoff, Handle, Inbox, InboxError, Look, Stopper};
use crate::random::jitter;

/// At least so often the inbox is looked at.
const AT_MOST: Duration = Duration::from_secs(60);
/// So often somebody who waits for an answer asks whether he should go on.
const GLANCE: Duration = Duration::from_millis(200);
/// How long a thread that is asked to end may take, before it is left to the end of the program.
const FAREWELL: Duration = Duration::from_secs(5);

enum InboxRequest {
    Look(Sender<Result<Look, String>>),
    Done(Vec<Handle>, Sender<Result<(), String>>),
    Reject(Handle, Sender<Result<(), String>>),
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
        ask: impl FnOnce(Sender<Result<T, String>>) -> InboxRequest,
    ) -> Result<T, String> {
        let (answer, answered) = mpsc::channel();
        self.requests.send(ask(answer)).map_err(|_| gone())?;
        self.stopper.wake();
        loop {
            match answered.recv_timeout(GLANCE) {
                Ok(answer) => return answer,
                Err(RecvTimeoutError::Disconnected) => return Err(gone()),
                Err(RecvTimeoutError::Timeout) if (self.go_on)() => {}
                Err(RecvTimeoutError::Timeout) => return Err("the judge stops".to_owned()),
            }
        }
    }
}

fn gone() -> String {
    "its thread has ended, which is a fault of the program".to_owned()
}

impl Mailbox for WatchedInbox {
    fn look(&mut self) -> Result<Look, String> {
        self.ask(InboxRequest::Look)
    }

    fn done(&mut self, handles: &[Handle]) -> Result<(), String> {
        self.ask(|answer| InboxRequest::Done(handles.to_vec(), answer))
    }

    fn reject(&mut self, handle: &Handle) -> Result<(), String> {
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
    /// Why the inbox cannot be reached, and until when it is left alone.
    away: Option<(String, Instant)>,
}

impl<N: Fn()> InboxThread<N> {
    fn run(&mut self) {
        let stopper = self.inbox.stopper();
        while !stopper.is_stopped() {
            while let Ok(ask) = self.asked.try_recv() {
                self.answer(ask);
            }
            if let Some((_, until)) = &self.away {
                let left = until.saturating_duration_since(Instant::now());
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
                    self.failed(&error);
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
                let _ = answer.send(
                    self.inbox
                        .done_all(&handles)
                        .map_err(|error| error.to_string()),
                );
                false
            }
            InboxRequest::Reject(handle, answer) => {
                let _ = answer.send(
                    self.inbox
                        .as_mut()
                        .reject(&handle)
                        .map_err(|error| error.to_string()),
                );
                false
            }
        }
    }

    fn look(&mut self) -> Result<Look, String> {
        if let Some((why, until)) = &self.away
            && Instant::now() < *until
        {
            return Err(why.clone());
        }
        match self.inbox.as_mut().look() {
            Ok(look) => {
                if self.away.take().is_some() {
                    tracing::info!(source = self.name, "reached again");
                }
                self.backoff.succeeded();
                Ok(look)
            }
            Err(error) => Err(self.failed(&error)),
        }
    }

    fn failed(&mut self, error: &InboxError) -> String {
        let why = error.to_string();
        let wait = self.backoff.after(error, jitter());
        tracing::warn!(
            source = self.name,
            why,
            again_in_seconds = wait.as_secs(),
            "mail cannot be taken"
        );
        self.away = Some((why.clone(), Instant::now() + wait));
        why
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
