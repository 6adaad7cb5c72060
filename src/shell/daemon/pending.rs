//! Rulings that the judge has applied and that are not in the store yet. They are written together, since most of the cost
//! of a write is making it durable. Nothing is sent or put away before they are stored, so after a crash the messages are
//! ruled on again.

use std::time::{Duration, Instant};

use jiff::Timestamp;

use super::journal::JournalLine;
use crate::inbox::Handle;
use dipjudge_judge::{Archived, Outgoing, Readership, Ruling};
use dipjudge_mails::outbound::{Image, PICTURE_BYTES, Shared};
use dipjudge_store::{Batch, NewArchived, NewMail};

/// The most messages that wait.
const MAX_MESSAGES: usize = 64;
/// The most bytes of mails and records that wait.
const MAX_BYTES: usize = 4 << 20;
/// The longest wait.
const MAX_WAIT: Duration = Duration::from_millis(100);

/// A message whose ruling waits.
#[derive(Debug)]
pub(super) struct HandledMessage {
    /// The index of its source.
    pub(super) source: usize,
    pub(super) handle: Handle,
    pub(super) rejected: bool,
}

/// What waits to be stored.
#[derive(Debug, Default)]
pub(super) struct Pending {
    /// What is committed in one transaction.
    pub(super) batch: Batch,
    /// The messages that are put away after the commit.
    pub(super) handled: Vec<HandledMessage>,
    /// What the journal says of it, written before the commit.
    pub(super) journal: Vec<JournalLine>,
    bytes: usize,
    /// The pictures of the mails.
    pictures: Vec<Image>,
    since: Option<Instant>,
}

impl Pending {
    /// Adds a ruling and what is stored with it.
    pub(super) fn add(&mut self, ruling: &Ruling, now: Timestamp, due: Timestamp, extra: Batch) {
        let mails = ruling.mails.iter().map(|mail| new_mail(mail, due));
        for mail in mails.chain(extra.mails) {
            self.bytes += mail.letter.own.len();
            // A picture that many mails share is written once. It may not be drawn yet.
            if let Some(Shared { image, .. }) = &mail.letter.shared
                && !self.pictures.iter().any(|known| known.is_same(image))
            {
                self.pictures.push(image.clone());
                self.bytes += PICTURE_BYTES;
            }
            self.batch.mails.push(mail);
        }
        for record in &ruling.records {
            self.bytes += record.json.len();
            let record = (record.log.clone(), record.json.clone());
            self.batch.records.push(record);
        }
        let batch = &mut self.batch;
        batch.at = now;
        batch.seen.extend_from_slice(&ruling.seen);
        batch.seen.extend(extra.seen);
        batch
            .archive
            .extend(ruling.archive.iter().map(new_archived));
        batch.meta.extend(extra.meta);
        batch.forget.extend(extra.forget);
        batch.memos.extend(ruling.memos.iter().cloned());
        self.since.get_or_insert_with(Instant::now);
    }

    /// Whether there is nothing to store.
    pub(super) fn is_empty(&self) -> bool {
        let Batch {
            at: _,
            seen,
            records,
            mails,
            archive,
            meta,
            forget,
            memos,
        } = &self.batch;
        seen.is_empty()
            && records.is_empty()
            && mails.is_empty()
            && archive.is_empty()
            && meta.is_empty()
            && forget.is_empty()
            && memos.is_empty()
    }

    /// Whether it should be stored now.
    pub(super) fn is_full(&self) -> bool {
        self.handled.len() >= MAX_MESSAGES
            || self.bytes >= MAX_BYTES
            || self.since.is_some_and(|since| since.elapsed() >= MAX_WAIT)
    }

    /// Whether a message with this key waits and counts as seen.
    pub(super) fn seen(&self, key: &[u8; 32], since: Timestamp) -> bool {
        self.batch.at >= since && self.batch.seen.contains(key)
    }

    /// Whether the commit will forget this key.
    pub(super) fn forgets(&self, key: &str) -> bool {
        self.batch.forget.iter().any(|forgotten| forgotten == key)
    }

    /// The records of a log that wait, in order.
    pub(super) fn records(&self, log: &str) -> impl Iterator<Item = &[u8]> {
        let of_log = move |(name, _): &&(String, Vec<u8>)| name == log;
        let records = self.batch.records.iter().filter(of_log);
        records.map(|(_, json)| json.as_slice())
    }

    /// The texts of a game that wait.
    pub(super) fn archive(
        &self,
        game: &str,
        from: Timestamp,
        to: Timestamp,
    ) -> impl Iterator<Item = Archived> {
        let wanted = move |text: &&NewArchived| text.game == game && (from..=to).contains(&text.at);
        self.batch.archive.iter().filter(wanted).filter_map(|text| {
            Some(Archived {
                game: text.game.clone(),
                readers: Readership::of_key(text.reader.as_deref())?,
                at: text.at,
                subject: text.subject.clone(),
                body: text.body.clone(),
                by_name: text.by_name.clone(),
                broadcast: text.broadcast,
            })
        })
    }
}

/// A mail of a ruling as the store takes it.
fn new_mail(mail: &Outgoing, due: Timestamp) -> NewMail {
    NewMail {
        envelope_from: mail.envelope_from.clone(),
        to: mail.to.clone(),
        letter: mail.letter.clone(),
        rank: mail.rank,
        game: mail.game.clone(),
        due,
    }
}

/// A text of a ruling as the store takes it.
fn new_archived(text: &Archived) -> NewArchived {
    NewArchived {
        game: text.game.clone(),
        reader: text.readers.key(),
        at: text.at,
        subject: text.subject.clone(),
        body: text.body.clone(),
        by_name: text.by_name.clone(),
        broadcast: text.broadcast,
    }
}
