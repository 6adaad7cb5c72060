//! The mails to be sent. Each is kept until it is reported as delivered or given up.
//!
//! A mail is sent at least once, always with the same bytes and Message-ID, except for parts that a server refuses
//! ([`MailForm`]). It is sent twice only if the process ends between the server's "250" and [`Store::delivered`], which
//! cannot be prevented (RFC 5321, 6.1).

use std::collections::{BTreeMap, VecDeque};

use jiff::{SignedDuration, Timestamp};

use super::blobs::Hash;
use super::error::StoreError;
use super::queue::{Entry, QueueFilter};
use super::tables::{MailForm, MailRow, from_row, to_number, to_row};
use super::transaction::Changes;
use super::{Store, Writer};
use dipjudge_mails::outbound::joined;

/// How long mails that were given up are kept.
const FAILED_FOR: SignedDuration = SignedDuration::from_hours(30 * 24);

/// A mail that is to be sent now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutboxMail {
    /// Its number, by which its result is reported.
    pub id: u64,
    /// Return path of the envelope.
    pub envelope_from: String,
    /// The one recipient.
    pub to: String,
    /// The whole message, RFC 5322.
    pub bytes: Vec<u8>,
    /// 0 goes first.
    pub rank: u8,
    /// How often it was tried.
    pub attempts: u32,
    /// Not before.
    pub due: Timestamp,
    /// When it was tried for the first time, if it was.
    pub first_tried: Option<Timestamp>,
    /// When the judge wrote it.
    pub created: Timestamp,
    /// Which parts of it are sent.
    pub form: MailForm,
}

/// Whether later mails to the same recipient wait for a mail that is to be retried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RetryMode {
    /// They wait for it.
    HoldsLaterMails,
    /// They do not.
    LetsLaterMailsPass,
}

/// A mail that waits, without its text, as shown to the keeper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueuedMail {
    /// Its number.
    pub id: u64,
    /// The one recipient.
    pub to: String,
    /// 0 goes first.
    pub rank: u8,
    /// How often it was tried.
    pub attempts: u32,
    /// Not before.
    pub due: Timestamp,
    /// When the judge wrote it.
    pub created: Timestamp,
    /// What the server said last.
    pub why: Option<String>,
}

/// A mail that was given up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedMail {
    /// The mail.
    pub mail: QueuedMail,
    /// When it was given up.
    pub at: Timestamp,
}

impl MailRow {
    /// The entry of the queue.
    pub(super) fn entry(&self) -> Entry {
        Entry {
            to: self.to.clone(),
            game: self.game.clone(),
            rank: self.rank,
            due: self.due,
            tried: self.attempts > 0,
            blocks_later: self.attempts > 0 && !self.aside,
        }
    }

    /// The row is removed, or names other texts.
    fn release(&self, changes: &mut Changes<'_>) -> Result<(), StoreError> {
        changes.release(self.hash()?);
        if let Some(shared) = &self.shared {
            changes.release(shared.hash()?);
        }
        Ok(())
    }

    fn waiting(self, id: u64) -> QueuedMail {
        QueuedMail {
            id,
            to: self.to,
            rank: self.rank,
            attempts: self.attempts,
            due: self.due,
            created: self.created,
            why: self.why,
        }
    }
}

impl Store {
    /// At most `n` mails to be sent at `now`, the most urgent first. There is at most one for each recipient and game, so that
    /// they may be sent in parallel. A mail is returned again by later calls until its result is reported.
    ///
    /// A mail whose text is lost is given up, so that it does not block others.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn due(&self, now: Timestamp, n: usize) -> Result<Vec<OutboxMail>, StoreError> {
        self.due_beside(now, n, &QueueFilter::default())
    }

    /// As [`Store::due`], while other mails are being sent.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn due_beside(
        &self,
        now: Timestamp,
        n: usize,
        hold: &QueueFilter<'_>,
    ) -> Result<Vec<OutboxMail>, StoreError> {
        let mut writer = self.writer()?;
        let mut due = Vec::new();
        for id in writer.queue.heads(now, n, hold) {
            let row = self.mail(id)?;
            match self.full_message(&row, &mut writer.shared) {
                Ok(bytes) => due.push(OutboxMail {
                    id,
                    envelope_from: row.envelope_from,
                    to: row.to,
                    bytes,
                    rank: row.rank,
                    attempts: row.attempts,
                    due: row.due,
                    first_tried: row.first_tried,
                    created: row.created,
                    form: row.form,
                }),
                Err(error @ StoreError::Damaged { .. }) => {
                    tracing::error!(id, %error, "a mail is lost");
                    self.give_up(&mut writer, id, now, &error.to_string())?;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(due)
    }

    /// Reports that the server has accepted the mail, which is removed from the outbox. Call this at once.
    ///
    /// # Errors
    /// [`StoreError::NoSuchMail`], or if the store cannot be written.
    pub fn delivered(&self, id: u64) -> Result<(), StoreError> {
        self.delivered_all(&[id])
    }

    /// As [`Store::delivered`] for several mails, in one write.
    ///
    /// # Errors
    /// [`StoreError::NoSuchMail`], or if the store cannot be written; then none of them is removed.
    pub fn delivered_all(&self, ids: &[u64]) -> Result<(), StoreError> {
        let mut writer = self.writer()?;
        let mut changes = Changes::default();
        for id in ids {
            changes.outbox.remove(&id.to_be_bytes());
            self.mail(*id)?.release(&mut changes)?;
        }
        self.write(changes)?;
        ids.iter().for_each(|id| writer.queue.remove(*id));
        Ok(())
    }

    /// Reports that the mail was tried at `at` without success and is to be tried again at `due`; `why` is what the server said.
    ///
    /// # Errors
    /// [`StoreError::NoSuchMail`], or if the store cannot be written.
    pub fn later(
        &self,
        id: u64,
        at: Timestamp,
        due: Timestamp,
        why: &str,
    ) -> Result<(), StoreError> {
        self.retry(id, at, due, why, |row| row)
    }

    /// Writes a failed try, with a further change of the mail.
    fn retry(
        &self,
        id: u64,
        at: Timestamp,
        due: Timestamp,
        why: &str,
        change: impl FnOnce(MailRow) -> MailRow,
    ) -> Result<(), StoreError> {
        let mut writer = self.writer()?;
        let row = change(self.mail(id)?.tried(at, due, why));
        self.keep_waiting(&mut writer, BTreeMap::from([(id, row)]))
    }

    /// Writes the rows of mails that wait.
    fn keep_waiting(
        &self,
        writer: &mut Writer,
        rows: BTreeMap<u64, MailRow>,
    ) -> Result<(), StoreError> {
        if rows.is_empty() {
            return Ok(());
        }
        self.write_waiting(writer, Changes::default(), rows)
    }

    fn write_waiting(
        &self,
        writer: &mut Writer,
        mut changes: Changes<'_>,
        rows: BTreeMap<u64, MailRow>,
    ) -> Result<(), StoreError> {
        for (id, row) in &rows {
            changes.outbox.insert(&id.to_be_bytes(), to_row(row)?);
        }
        self.write(changes)?;
        for (id, row) in &rows {
            writer.queue.put(*id, row.entry());
        }
        Ok(())
    }

    /// As [`Store::later`], but only these parts are sent, since the server refused more.
    ///
    /// # Errors
    /// [`StoreError::NoSuchMail`], or if the store cannot be written.
    pub fn later_in_form(
        &self,
        id: u64,
        at: Timestamp,
        due: Timestamp,
        why: &str,
        form: MailForm,
    ) -> Result<(), StoreError> {
        self.retry(id, at, due, why, |row| MailRow { form, ..row })
    }

    /// As [`Store::later`] for a mail that the server refused in every form: it is tried whole again, and later mails to its
    /// recipient do not wait for it.
    ///
    /// # Errors
    /// [`StoreError::NoSuchMail`], or if the store cannot be written.
    pub fn later_aside(
        &self,
        id: u64,
        at: Timestamp,
        due: Timestamp,
        why: &str,
    ) -> Result<(), StoreError> {
        self.retry(id, at, due, why, |row| MailRow {
            form: MailForm::Whole,
            aside: true,
            ..row
        })
    }

    /// Resets all mails to be sent whole again.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn whole_again(&self) -> Result<(), StoreError> {
        let mut writer = self.writer()?;
        let mut whole = BTreeMap::new();
        for mail in mails(&self.tables.outbox) {
            let (id, row) = mail?;
            if !row.form.is_whole() {
                let form = MailForm::Whole;
                whole.insert(id, MailRow { form, ..row });
            }
        }
        self.keep_waiting(&mut writer, whole)
    }

    /// Gives up the mail: it is removed from the outbox and kept for the keeper.
    ///
    /// # Errors
    /// [`StoreError::NoSuchMail`], or if the store cannot be written.
    pub fn given_up(&self, id: u64, at: Timestamp, why: &str) -> Result<(), StoreError> {
        let mut writer = self.writer()?;
        self.give_up(&mut writer, id, at, why)
    }

    fn give_up(
        &self,
        writer: &mut Writer,
        id: u64,
        at: Timestamp,
        why: &str,
    ) -> Result<(), StoreError> {
        let mut row = self.mail(id)?;
        row.why = Some(why.to_owned());
        row.given_up = Some(at);
        let mut changes = Changes::default();
        changes.outbox.remove(&id.to_be_bytes());
        changes.failed.insert(&id.to_be_bytes(), to_row(&row)?);
        self.write(changes)?;
        writer.queue.remove(id);
        Ok(())
    }

    /// Makes mails that wait for a retry due at `now`, for recipients that `which` selects, because their server has just
    /// accepted another mail. Returns their number.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn wake(&self, now: Timestamp, which: &dyn Fn(&str) -> bool) -> Result<usize, StoreError> {
        let mut writer = self.writer()?;
        let mut rows = BTreeMap::new();
        for id in writer.queue.in_retry(now, which) {
            let row = self.mail(id)?;
            rows.insert(id, MailRow { due: now, ..row });
        }
        let woken = rows.len();
        self.keep_waiting(&mut writer, rows)?;
        Ok(woken)
    }

    /// When the next mail is due; `None` if none waits. It may be in the past.
    ///
    /// # Errors
    /// If the store is broken.
    pub fn next_due(&self) -> Result<Option<Timestamp>, StoreError> {
        Ok(self.writer()?.queue.next_due())
    }

    /// The number of mails that wait.
    ///
    /// # Errors
    /// If the store is broken.
    pub fn queue_len(&self) -> Result<usize, StoreError> {
        Ok(self.writer()?.queue.len())
    }

    /// All mails that wait, in the order in which they were written.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn waiting(&self) -> Result<Vec<QueuedMail>, StoreError> {
        self.check_usable()?;
        mails(&self.tables.outbox)
            .map(|mail| mail.map(|(id, row)| row.waiting(id)))
            .collect()
    }

    /// All mails that were given up, in the order in which they were written.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn failed(&self) -> Result<Vec<FailedMail>, StoreError> {
        self.check_usable()?;
        mails(&self.tables.failed)
            .map(|mail| {
                mail.map(|(id, row)| FailedMail {
                    at: row.given_up.unwrap_or(row.due),
                    mail: row.waiting(id),
                })
            })
            .collect()
    }

    /// The text of a mail that was given up.
    ///
    /// # Errors
    /// [`StoreError::NoSuchMail`], or if the store cannot be read.
    pub fn failed_text(&self, id: u64) -> Result<Vec<u8>, StoreError> {
        let mut writer = self.writer()?;
        self.full_message(&self.failed_mail(id)?, &mut writer.shared)
    }

    /// Returns a mail that was given up to the outbox, to be tried at `due` as if it had never been tried.
    ///
    /// # Errors
    /// [`StoreError::NoSuchMail`], or if the store cannot be written.
    pub fn try_again(&self, id: u64, due: Timestamp) -> Result<(), StoreError> {
        let mut writer = self.writer()?;
        let row = self.failed_mail(id)?.untried(due);
        self.bring_back(&mut writer, BTreeMap::from([(id, row)]))
    }

    /// As [`Store::try_again`] for all mails that were given up. Returns their number.
    ///
    /// # Errors
    /// If the store cannot be read or written.
    pub fn try_all_again(&self, due: Timestamp) -> Result<usize, StoreError> {
        let mut writer = self.writer()?;
        let mut rows = BTreeMap::new();
        for mail in mails(&self.tables.failed) {
            let (id, row) = mail?;
            rows.insert(id, row.untried(due));
        }
        let brought = rows.len();
        self.bring_back(&mut writer, rows)?;
        Ok(brought)
    }

    /// Returns a mail that was given up to the outbox, to be retried at `due`. `wait` says whether later mails to its recipient
    /// wait for it.
    ///
    /// # Errors
    /// [`StoreError::NoSuchMail`], or if the store cannot be written.
    pub fn back_in_retry(
        &self,
        id: u64,
        at: Timestamp,
        due: Timestamp,
        wait: RetryMode,
    ) -> Result<(), StoreError> {
        let mut writer = self.writer()?;
        let mut row = self.failed_mail(id)?;
        let why = row.why.take().unwrap_or_default();
        let row = MailRow {
            given_up: None,
            form: MailForm::Whole,
            aside: wait == RetryMode::LetsLaterMailsPass,
            ..row.tried(at, due, &why)
        };
        self.bring_back(&mut writer, BTreeMap::from([(id, row)]))
    }

    /// Moves mails that were given up to those that wait.
    fn bring_back(
        &self,
        writer: &mut Writer,
        rows: BTreeMap<u64, MailRow>,
    ) -> Result<(), StoreError> {
        let mut changes = Changes::default();
        for id in rows.keys() {
            changes.failed.remove(&id.to_be_bytes());
        }
        self.write_waiting(writer, changes, rows)
    }

    /// Removes mails that were given up more than 30 days before `now`, and returns their number. Once a day is enough.
    ///
    /// # Errors
    /// If the store cannot be read or written.
    pub fn forget_failed(&self, now: Timestamp) -> Result<usize, StoreError> {
        let old = self.failed()?.into_iter();
        let old = old.filter(|failed| now.duration_since(failed.at) > FAILED_FOR);
        let mut forgotten = 0;
        for failed in old {
            match self.forget(failed.mail.id) {
                Ok(()) => forgotten += 1,
                // The keeper has returned it to the outbox meanwhile.
                Err(StoreError::NoSuchMail(_)) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(forgotten)
    }

    /// Removes a mail that was given up.
    ///
    /// # Errors
    /// [`StoreError::NoSuchMail`], or if the store cannot be written.
    pub fn forget(&self, id: u64) -> Result<(), StoreError> {
        let _writer = self.writer()?;
        let row = self.failed_mail(id)?;
        let mut changes = Changes::default();
        changes.failed.remove(&id.to_be_bytes());
        row.release(&mut changes)?;
        self.write(changes)
    }

    /// The message of a mail, including the bytes that it shares with others.
    fn full_message(&self, row: &MailRow, read: &mut SharedBytes) -> Result<Vec<u8>, StoreError> {
        let own = self.blob(row.hash()?)?;
        let Some(shared) = &row.shared else {
            return Ok(own);
        };
        let at = usize::try_from(shared.at)
            .ok()
            .filter(|at| *at <= own.len())
            .ok_or_else(|| StoreError::damaged("a mail has no place for its picture"))?;
        let bytes = read.get_or_read(shared.hash()?, |hash| self.blob(hash))?;
        Ok(joined(&own, at, bytes))
    }

    fn mail(&self, id: u64) -> Result<MailRow, StoreError> {
        let row = self.tables.outbox.get(id.to_be_bytes())?;
        from_row(&row.ok_or(StoreError::NoSuchMail(id))?)
    }

    fn failed_mail(&self, id: u64) -> Result<MailRow, StoreError> {
        let row = self.tables.failed.get(id.to_be_bytes())?;
        from_row(&row.ok_or(StoreError::NoSuchMail(id))?)
    }
}

/// The number of shared bytes that are kept: the mails of a game are sent one after another, and those of so many games meanwhile.
const SHARED_KEPT: usize = 64;

/// Bytes that several mails share, by their hashes, those that were read last at the end.
#[derive(Debug, Default)]
pub(super) struct SharedBytes(VecDeque<(Hash, Vec<u8>)>);

impl SharedBytes {
    fn get_or_read(
        &mut self,
        hash: Hash,
        read: impl FnOnce(Hash) -> Result<Vec<u8>, StoreError>,
    ) -> Result<&[u8], StoreError> {
        let known = self.0.iter().position(|(known, _)| *known == hash);
        let place = match known {
            Some(place) => place,
            None => {
                self.0.push_back((hash, read(hash)?));
                if self.0.len() > SHARED_KEPT {
                    self.0.pop_front();
                }
                self.0.len() - 1
            }
        };
        Ok(self.0.get(place).map_or(&[], |(_, bytes)| bytes))
    }
}

impl MailRow {
    /// Resets it as if it had just been written, to be sent at `due`.
    fn untried(self, due: Timestamp) -> Self {
        MailRow {
            due,
            attempts: 0,
            first_tried: None,
            given_up: None,
            form: MailForm::Whole,
            aside: false,
            ..self
        }
    }

    fn tried(mut self, at: Timestamp, due: Timestamp, why: &str) -> Self {
        self.attempts = self.attempts.saturating_add(1);
        self.first_tried.get_or_insert(at);
        self.due = due;
        self.why = Some(why.to_owned());
        self.aside = false;
        self
    }
}

/// The mails of a tree with their numbers.
pub(super) fn mails(
    tree: &sled::Tree,
) -> impl Iterator<Item = Result<(u64, MailRow), StoreError>> + use<> {
    tree.iter().map(|row| {
        let (key, value) = row?;
        Ok((to_number(&key)?, from_row(&value)?))
    })
}
