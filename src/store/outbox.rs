//! The mails to be sent: each stays until somebody says that it was delivered, or that it never will be.
//!
//! A mail is sent at least once, always with the same bytes (but for what a server does not want of it, [`MailForm`]), so with
//! the same Message-ID. It is sent twice only if the
//! process ends between the server's "250" and [`Store::delivered`]; that window cannot be closed (RFC 5321, 6.1).

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use super::error::StoreError;
use super::queue::{Entry, QueueFilter};
use super::tables::{MailRow, from_row, to_number, to_row};
use super::transaction::Changes;
use super::{Store, Writer};
use dipjudge_mails::outbound::joined;

/// How long mails that were given up are kept.
const FAILED_FOR: SignedDuration = SignedDuration::from_hours(30 * 24);

/// A mail that is to be sent now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutboxMail {
    /// Its number, by which its fate is reported.
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
    /// How much of it is sent.
    pub form: MailForm,
}

/// How much of a mail is sent, of which the store always has the whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MailForm {
    /// All of it.
    #[default]
    Whole,
    /// All but its picture.
    WithoutPicture,
    /// Its plain text.
    TextAlone,
}

impl MailForm {
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
    pub(super) fn is_whole(&self) -> bool {
        *self == MailForm::Whole
    }
}

/// What a mail in retry means for later ones to the same reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RetryMode {
    /// They wait for it.
    HoldsLaterMails,
    /// They do not.
    LetsLaterMailsPass,
}

/// A mail that waits, without its text: for the keeper's eyes.
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
    /// What it was.
    pub mail: QueuedMail,
    /// When it was given up.
    pub at: Timestamp,
}

impl MailRow {
    /// What the queue must know of it.
    pub(super) fn entry(&self) -> Entry {
        Entry {
            to: self.to.clone(),
            game: self.game.clone(),
            rank: self.rank,
            due: self.due,
            tried: self.attempts > 0,
            holds_up: self.attempts > 0 && !self.aside,
        }
    }

    /// The row goes away, or names other texts.
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
    /// At most `n` mails to be sent at `now`, the most urgent first. At most one for each recipient and of each game, so
    /// that they may be sent side by side: the next one comes once this one's fate is reported. They come again at the next
    /// call until then.
    ///
    /// A mail whose text is lost is given up here, so that it does not hold up the others.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn due(&self, now: Timestamp, n: usize) -> Result<Vec<OutboxMail>, StoreError> {
        self.due_beside(now, n, &QueueFilter::default())
    }

    /// As [`Store::due`], beside mails that are in hand.
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
            match self.whole(&row) {
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

    /// The server has taken the mail: it leaves the outbox. Report it at once.
    ///
    /// # Errors
    /// [`StoreError::NoSuchMail`], or if the store cannot be written.
    pub fn delivered(&self, id: u64) -> Result<(), StoreError> {
        self.delivered_all(&[id])
    }

    /// As [`Store::delivered`] for several mails that were taken at the same time, in one write.
    ///
    /// # Errors
    /// [`StoreError::NoSuchMail`], or if the store cannot be written; then all of them stay.
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

    /// The mail was tried at `at` and is to be tried again at `due`; `why` is what the server said.
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

    /// Writes down a failed try, and what changes with it.
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

    /// Writes down mails that wait.
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

    /// As [`Store::later`], but less of it is sent, since the server did not want more.
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

    /// As [`Store::later`] for a mail of which the server wanted no form: it is tried whole again, and later ones to its
    /// reader do not wait for it.
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

    /// Mails of which less was to be sent are to be sent whole again.
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

    /// The mail will never be taken. It leaves the outbox and is kept for the keeper.
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

    /// Mails in retry whose recipient `which` picks become due at `now`: their server has just taken another one.
    /// Returns how many.
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

    /// When [`Store::due`] will next have something; `None` if nothing waits. May lie in the past.
    ///
    /// # Errors
    /// If the store is broken.
    pub fn next_due(&self) -> Result<Option<Timestamp>, StoreError> {
        Ok(self.writer()?.queue.next_due())
    }

    /// How many mails wait.
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
        self.sound()?;
        mails(&self.tables.outbox)
            .map(|mail| mail.map(|(id, row)| row.waiting(id)))
            .collect()
    }

    /// All mails that were given up, in the order in which they were written.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn failed(&self) -> Result<Vec<FailedMail>, StoreError> {
        self.sound()?;
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
        let _writer = self.writer()?;
        self.whole(&self.failed_mail(id)?)
    }

    /// A mail that was given up goes back into the outbox, to be tried at `due` as if never tried before.
    ///
    /// # Errors
    /// [`StoreError::NoSuchMail`], or if the store cannot be written.
    pub fn try_again(&self, id: u64, due: Timestamp) -> Result<(), StoreError> {
        let mut writer = self.writer()?;
        let row = self.failed_mail(id)?.untried(due);
        self.bring_back(&mut writer, BTreeMap::from([(id, row)]))
    }

    /// As [`Store::try_again`] for all mails that were given up. Returns how many.
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

    /// A mail that was given up goes back into the outbox as one that is in retry: tried again at `due`, and until then
    /// later ones to its recipient wait for it or not.
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

    /// Mails that were given up wait again.
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

    /// Mails that were given up more than a month before `now` are forgotten. Returns how many. Once a day is enough.
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
                // The keeper has brought it back meanwhile.
                Err(StoreError::NoSuchMail(_)) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(forgotten)
    }

    /// A mail that was given up is forgotten.
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

    /// The message of a mail, with what it shares with others where it belongs.
    fn whole(&self, row: &MailRow) -> Result<Vec<u8>, StoreError> {
        let own = self.blob(row.hash()?)?;
        let Some(shared) = &row.shared else {
            return Ok(own);
        };
        let at = usize::try_from(shared.at)
            .ok()
            .filter(|at| *at <= own.len())
            .ok_or_else(|| StoreError::damaged("a mail has no place for its picture"))?;
        Ok(joined(&own, at, &self.blob(shared.hash()?)?))
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

impl MailRow {
    /// As if it had just been written, to be sent at `due`.
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
