//! A Maildir as the inbox.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::time::{Duration, Instant};

use jiff::Timestamp;

use super::claim::{self, Claim, MarkedPlace};
use super::{
    FetchedMessage, Handle, Inbox, InboxError, Look, RecallAction, Recalled, Stopper,
    truncate_to_beginning,
};
use crate::maildir::{Maildir, MaildirEntry, MaildirText};
use dipjudge_store::StoreId;

/// How often `new` is listed while waiting. Folders are not watched, since that does not work on every file system, and
/// listing is cheap.
const LISTED_EVERY: Duration = Duration::from_secs(1);
/// The most messages and bytes that one look returns.
const MOST_MAILS: usize = 200;
const MOST_BYTES: usize = 32 << 20;

/// A Maildir from which mail is taken.
#[derive(Debug)]
pub struct MaildirInbox {
    maildir: Maildir,
    rejected: Maildir,
    claim: Option<Claim>,
    max_bytes: u64,
    /// Messages returned by the last look: a wait ends when there are others.
    known: BTreeSet<OsString>,
    stopper: Stopper,
}

impl MaildirInbox {
    /// Takes mail from this Maildir, which is made if it is missing. Of a message over `max_bytes` only the beginning is
    /// read.
    pub fn open(maildir: Maildir, max_bytes: u64) -> Result<MaildirInbox, InboxError> {
        maildir.create()?;
        maildir.sweep()?;
        Ok(MaildirInbox {
            rejected: maildir.rejected(),
            maildir,
            claim: None,
            max_bytes,
            known: BTreeSet::new(),
            stopper: Stopper::new(),
        })
    }

    /// Takes mail only if the Maildir belongs to this store. Without a claim that is not checked.
    #[must_use]
    pub fn on_behalf_of(mut self, claim: Claim) -> MaildirInbox {
        self.claim = Some(claim);
        self
    }

    /// Sets messages aside in this Maildir instead of the folder `.Rejected`.
    #[must_use]
    pub fn setting_aside_in(mut self, rejected: Maildir) -> MaildirInbox {
        self.rejected = rejected;
        self
    }

    /// A message in one of the folders of a Maildir; `None` if it is gone meanwhile.
    fn fetch(
        &self,
        maildir: &Maildir,
        part: &str,
        waiting: &MaildirEntry,
    ) -> Result<Option<FetchedMessage>, InboxError> {
        let Some(read) = maildir.read_in(part, &waiting.name, self.max_bytes)? else {
            return Ok(None);
        };
        let MaildirText {
            mut bytes,
            cut: oversize,
        } = read;
        if oversize {
            truncate_to_beginning(&mut bytes, self.max_bytes);
        }
        Ok(Some(FetchedMessage {
            handle: Handle::Maildir(waiting.name.clone()),
            bytes,
            arrived: waiting.arrived,
            oversize,
        }))
    }
}

impl MarkedPlace for Maildir {
    fn place(&self) -> String {
        format!("the Maildir {}", self.root().display())
    }

    fn marks(&mut self) -> Result<Vec<String>, InboxError> {
        Ok(self.beside()?)
    }

    fn put(&mut self, mark: &str) -> Result<(), InboxError> {
        Ok(self.put_beside(mark)?)
    }

    fn remove(&mut self, mark: &str) -> Result<(), InboxError> {
        Ok(self.remove_beside(mark)?)
    }
}

impl Inbox for MaildirInbox {
    fn look(&mut self) -> Result<Look, InboxError> {
        if let Some(claim) = &mut self.claim {
            claim::settle(&mut self.maildir, claim)?;
        }
        let mut look = Look {
            complete: true,
            ..Look::default()
        };
        let mut total = 0;
        self.known.clear();
        for waiting in self.maildir.waiting()? {
            if look.mails.len() >= MOST_MAILS || total >= MOST_BYTES {
                look.complete = false;
                break;
            }
            match self.fetch(&self.maildir, "new", &waiting) {
                Ok(Some(mail)) => {
                    total += mail.bytes.len();
                    self.known.insert(waiting.name);
                    look.mails.push(mail);
                }
                Ok(None) => {}
                // One unreadable file must not hold up the others.
                Err(error) => {
                    look.unreadable.push(format!("{error}."));
                    self.known.insert(waiting.name);
                }
            }
        }
        Ok(look)
    }

    fn wait(&mut self, at_most: Duration) -> Result<(), InboxError> {
        let until = Instant::now() + at_most;
        loop {
            if self
                .maildir
                .waiting()?
                .iter()
                .any(|waiting| !self.known.contains(&waiting.name))
            {
                return Ok(());
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() || self.stopper.rest(left.min(LISTED_EVERY)) {
                return Ok(());
            }
        }
    }

    fn done(&mut self, handle: &Handle) -> Result<(), InboxError> {
        if let Handle::Maildir(name) = handle {
            self.maildir.finish(name)?;
            self.known.remove(name);
        }
        Ok(())
    }

    fn done_all(&mut self, handles: &[Handle]) -> Result<(), InboxError> {
        let names = handles.iter().filter_map(|handle| match handle {
            Handle::Maildir(name) => Some(name),
            Handle::Imap { .. } => None,
        });
        self.maildir
            .finish_all(names.clone().map(OsString::as_os_str))?;
        names.for_each(|name| _ = self.known.remove(name));
        Ok(())
    }

    fn reject(&mut self, handle: &Handle) -> Result<(), InboxError> {
        if let Handle::Maildir(name) = handle {
            self.maildir.set_aside(name, &self.rejected)?;
            self.known.remove(name);
        }
        Ok(())
    }

    fn put_away_since(&mut self, since: Timestamp) -> Result<Vec<FetchedMessage>, InboxError> {
        self.rejected.create()?;
        let mut found = Vec::new();
        // A mail program moves messages that it has shown from `new` to `cur`.
        for (maildir, part) in [
            (&self.maildir, "cur"),
            (&self.rejected, "new"),
            (&self.rejected, "cur"),
        ] {
            for entry in maildir.list(part)? {
                if entry.arrived >= since {
                    found.extend(self.fetch(maildir, part, &entry)?);
                }
            }
        }
        Ok(found)
    }

    fn recall(
        &mut self,
        wanted: &dyn Fn(&FetchedMessage) -> bool,
        action: RecallAction,
    ) -> Result<Recalled, InboxError> {
        if let Some(claim) = &mut self.claim {
            claim::settle(&mut self.maildir, claim)?;
        }
        self.rejected.create()?;
        // A mail program moves messages that it has shown from `new` to `cur`.
        for part in ["new", "cur"] {
            for waiting in self.rejected.list(part)? {
                let found = self.fetch(&self.rejected, part, &waiting)?;
                if found.is_none_or(|mail| !wanted(&mail)) {
                    continue;
                }
                match action {
                    RecallAction::PutBack => {
                        self.rejected
                            .give_back(part, &waiting.name, &self.maildir)?
                    }
                    RecallAction::Remove => self.rejected.remove(part, &waiting.name)?,
                }
                return Ok(Recalled::Found);
            }
        }
        Ok(Recalled::Missing)
    }

    fn owners(&mut self) -> Result<Vec<StoreId>, InboxError> {
        claim::owners(&mut self.maildir)
    }

    fn stopper(&self) -> Stopper {
        self.stopper.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::Timestamp;

    fn inbox(limit: u64) -> (tempfile::TempDir, Maildir, MaildirInbox) {
        let folder = tempfile::tempdir().unwrap();
        let maildir = Maildir::at(folder.path().join("in"));
        let inbox = MaildirInbox::open(maildir.clone(), limit).unwrap();
        (folder, maildir, inbox)
    }

    #[test]
    fn what_waits_is_seen_at_every_look_until_it_is_put_away() {
        let (_folder, maildir, mut inbox) = inbox(1000);
        let at: Timestamp = "2026-03-02T18:00:00Z".parse().unwrap();
        maildir.deliver(b"A: 1\n\norders\n", Some(at)).unwrap();
        maildir.deliver(b"A: 2\n\nspam\n", None).unwrap();
        let look = inbox.look().unwrap();
        assert_eq!(look, inbox.look().unwrap());
        assert!(look.complete);
        let [first, second] = look.mails.as_slice() else {
            panic!("{look:?}")
        };
        assert_eq!(
            (first.bytes.as_slice(), first.arrived, first.oversize),
            (b"A: 1\n\norders\n".as_slice(), at, false)
        );
        inbox.done(&first.handle).unwrap();
        inbox.reject(&second.handle).unwrap();
        inbox.reject(&second.handle).unwrap();
        assert_eq!(inbox.look().unwrap().mails, Vec::new());
        assert_eq!(maildir.rejected().waiting().unwrap().len(), 1);
    }

    #[test]
    fn of_an_oversize_message_only_the_beginning_comes() {
        let (_folder, maildir, mut inbox) = inbox(20);
        maildir.deliver(b"A: 1\n\n123456789012345", None).unwrap();
        maildir.deliver(b"A: 1\n\n12345678901234", None).unwrap();
        let mails = inbox.look().unwrap().mails;
        assert_eq!(
            (mails[0].bytes.as_slice(), mails[0].oversize),
            (b"A: 1\n\n12345678901234".as_slice(), true)
        );
        assert_eq!((mails[1].bytes.len(), mails[1].oversize), (20, false));
    }

    #[test]
    fn a_full_inbox_comes_in_several_looks() {
        let (_folder, maildir, mut inbox) = inbox(1000);
        for _ in 0..MOST_MAILS + 1 {
            maildir.deliver(b"A: 1\n\n", None).unwrap();
        }
        let look = inbox.look().unwrap();
        assert_eq!((look.mails.len(), look.complete), (MOST_MAILS, false));
        let handles: Vec<_> = look.mails.into_iter().map(|mail| mail.handle).collect();
        inbox.done_all(&handles).unwrap();
        let look = inbox.look().unwrap();
        assert_eq!((look.mails.len(), look.complete), (1, true));
    }

    #[test]
    fn a_wait_ends_with_a_new_message_and_not_with_one_in_hand() {
        let (_folder, maildir, mut inbox) = inbox(1000);
        maildir.deliver(b"A: 1\n\n", None).unwrap();
        inbox.look().unwrap();
        let start = Instant::now();
        inbox.wait(Duration::from_millis(50)).unwrap();
        assert!(start.elapsed() >= Duration::from_millis(50));
        let start = Instant::now();
        let later = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(50));
            maildir.deliver(b"A: 2\n\n", None).unwrap();
        });
        inbox.wait(Duration::from_secs(60)).unwrap();
        assert!(start.elapsed() < Duration::from_secs(30));
        later.join().unwrap();
        assert_eq!(inbox.look().unwrap().mails.len(), 2);
    }

    #[test]
    fn a_wait_is_stopped_from_outside() {
        let (_folder, _maildir, mut inbox) = inbox(1000);
        let stopper = inbox.stopper();
        let start = Instant::now();
        let thread = std::thread::spawn(move || inbox.wait(Duration::from_secs(60)));
        std::thread::sleep(Duration::from_millis(30));
        stopper.stop();
        thread.join().unwrap().unwrap();
        assert!(start.elapsed() < Duration::from_secs(30));
    }
}
