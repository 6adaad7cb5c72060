//! A Maildir as the outbox.

use std::pin::Pin;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use super::{Outbox, OutboxError, Outgoing, SendOutcome, Sending};
use crate::maildir::{Maildir, MaildirDraft, MaildirError};

/// How many mails are written in parallel, since they wait for the disk together.
const AT_ONCE: usize = 16;

/// A Maildir into which mail is put. The `To` of a file is its only recipient.
///
/// Most of the cost of a mail is making it durable. So mails that are handed over while others are being synced wait for these, and
/// are then synced and moved together.
#[derive(Debug)]
pub struct MaildirOutbox {
    maildir: Maildir,
    waiting: Mutex<Vec<WaitingMail>>,
    /// Held by whoever makes the waiting mails durable.
    syncing: tokio::sync::Mutex<()>,
}

/// A mail that is written and not durable yet.
#[derive(Debug)]
struct WaitingMail {
    draft: MaildirDraft,
    done: oneshot::Sender<Result<(), MaildirError>>,
}

impl MaildirOutbox {
    /// An outbox in this Maildir, which is made if it is missing.
    pub fn open(maildir: Maildir) -> Result<MaildirOutbox, OutboxError> {
        maildir.create()?;
        Ok(MaildirOutbox {
            maildir,
            waiting: Mutex::default(),
            syncing: tokio::sync::Mutex::default(),
        })
    }

    async fn deliver(&self, bytes: &[u8]) -> SendOutcome {
        let draft = match self.maildir.draft(bytes) {
            Ok(draft) => draft,
            Err(error) => return later(&error),
        };
        let (done, delivered) = oneshot::channel();
        self.waiting().push(WaitingMail { draft, done });
        {
            let _syncing = self.syncing.lock().await;
            self.sync_waiting();
        }
        match delivered.await {
            Ok(Ok(())) => SendOutcome::Delivered,
            Ok(Err(error)) => later(&error),
            Err(error) => later(&error),
        }
    }

    /// Makes all waiting mails durable; that of the caller may be among those of an earlier call.
    fn sync_waiting(&self) {
        let (drafts, done): (Vec<_>, Vec<_>) = std::mem::take(&mut *self.waiting())
            .into_iter()
            .map(|waiting| (waiting.draft, waiting.done))
            .unzip();
        let delivered = self.maildir.deliver_drafts(&drafts);
        for (done, delivered) in done.into_iter().zip(delivered) {
            // A sender that was given up waits no more.
            let _ = done.send(delivered);
        }
    }

    fn waiting(&self) -> MutexGuard<'_, Vec<WaitingMail>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Outbox for MaildirOutbox {
    fn at_once(&self) -> usize {
        AT_ONCE
    }

    // Writing a small file takes less than a millisecond, so it is done without a thread.
    fn send<'a>(&'a self, mail: &'a Outgoing) -> Sending<'a> {
        Box::pin(self.deliver(&mail.bytes))
    }

    fn close<'a>(&'a self) -> Pin<Box<dyn Future<Output = ()> + Send + 'a>> {
        Box::pin(async {})
    }
}

/// The mail is tried again.
fn later(error: &dyn std::error::Error) -> SendOutcome {
    SendOutcome::Later {
        why: error.to_string(),
        slow_all: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outgoing() -> Outgoing {
        Outgoing {
            envelope_from: "judge+bx@example.org".into(),
            to: "anna@example.org".into(),
            bytes: b"To: anna@example.org\r\n\r\nx\r\n".to_vec(),
        }
    }

    #[test]
    fn a_mail_sent_is_a_file_in_new() {
        let folder = tempfile::tempdir().unwrap();
        let maildir = Maildir::at(folder.path().join("out"));
        let outbox = MaildirOutbox::open(maildir.clone()).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        assert_eq!(
            runtime.block_on(outbox.send(&outgoing())),
            SendOutcome::Delivered
        );
        let waiting = maildir.waiting().unwrap();
        assert_eq!(
            maildir.read(&waiting[0].name, 1000).unwrap().unwrap().bytes,
            outgoing().bytes
        );
    }

    #[test]
    fn a_full_or_missing_disk_is_tried_again() {
        let folder = tempfile::tempdir().unwrap();
        let outbox = MaildirOutbox::open(Maildir::at(folder.path().join("out"))).unwrap();
        std::fs::remove_dir_all(folder.path().join("out")).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        assert!(matches!(
            runtime.block_on(outbox.send(&outgoing())),
            SendOutcome::Later {
                slow_all: false,
                ..
            }
        ));
    }
}
