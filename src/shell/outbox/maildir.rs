//! A Maildir as the outbox.

use std::pin::Pin;

use super::{Outbox, OutboxError, Outgoing, SendOutcome, Sending};
use crate::maildir::Maildir;

/// How many files are written in parallel, since each waits for the disk.
const AT_ONCE: usize = 4;

/// A Maildir into which mail is put. The `To` of a file is its only recipient.
#[derive(Debug)]
pub struct MaildirOutbox {
    maildir: Maildir,
}

impl MaildirOutbox {
    /// An outbox in this Maildir, which is made if it is missing.
    pub fn open(maildir: Maildir) -> Result<MaildirOutbox, OutboxError> {
        maildir.create()?;
        Ok(MaildirOutbox { maildir })
    }
}

impl Outbox for MaildirOutbox {
    fn at_once(&self) -> usize {
        AT_ONCE
    }

    // Writing a small file takes less than a millisecond, so it is done without a thread.
    fn send<'a>(&'a self, mail: &'a Outgoing) -> Sending<'a> {
        Box::pin(async move {
            match self.maildir.deliver(&mail.bytes, None) {
                Ok(_) => SendOutcome::Delivered,
                Err(error) => SendOutcome::Later {
                    why: error.to_string(),
                    slow_all: false,
                },
            }
        })
    }

    fn close<'a>(&'a self) -> Pin<Box<dyn Future<Output = ()> + Send + 'a>> {
        Box::pin(async {})
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
