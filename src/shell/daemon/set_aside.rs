//! Messages set aside for the keeper: what the store keeps of them, and what the keeper can do with them.
//!
//! The original stays at its source, among the rejected messages. The store and its backups keep the facts and a readable
//! copy with passwords struck out.

use std::error::Error;
use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::query_error::QueryError;
use super::setup::{self, SetupError};
use super::source::SPOOL;
use crate::config::Config;
use crate::inbox::{Claim, FetchedMessage, Inbox, RecallAction, Recalled};
use dipjudge_mails::inbound::{Limits, readable, senders};
use dipjudge_store::{Batch, Store, StoreError, to_hex};

/// The start of the key of a message set aside; its number follows.
const SET_ASIDE: &str = "set-aside.";
/// The start of the key that marks a message to be read again; its digest follows.
const RETRY: &str = "set-aside-retry.";
/// Replaces a text that cannot be shown.
const UNREADABLE: &str = "[the program failed over it; the original holds it]\n";

/// A message set aside.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetAsideMessage {
    /// Its number, from 1.
    pub number: u64,
    /// When it was set aside.
    pub at: Timestamp,
    /// When it arrived.
    pub arrived: Timestamp,
    /// Its source: `inbox` or `spool`.
    pub source: String,
    /// What was wrong with it, as the keeper is told.
    pub why: String,
    /// The digest that identifies the original: of the whole message, or of the header of an oversize one.
    pub digest: String,
}

/// The digests of a message and of its header. An oversize message is identified by its header, since how much of it is
/// read depends on the limits, which may change.
pub(super) struct Digests {
    whole: String,
    header: String,
}

impl Digests {
    pub(super) fn of(bytes: &[u8]) -> Digests {
        let digest = |bytes: &[u8]| to_hex(&Sha256::digest(bytes));
        Digests {
            whole: digest(bytes),
            header: digest(header_of(bytes)),
        }
    }

    /// That of the whole message as it was read.
    pub(super) fn whole(&self) -> &str {
        &self.whole
    }

    /// The one that the store keeps.
    pub(super) fn kept(self, oversize: bool) -> String {
        if oversize { self.header } else { self.whole }
    }

    fn either(&self) -> [&str; 2] {
        [&self.whole, &self.header]
    }
}

impl SetAsideMessage {
    /// Whether a message with one of these digests is set aside.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub(super) fn lists(store: &Store, digests: &Digests) -> Result<bool, StoreError> {
        let all = SetAsideMessage::all(store)?;
        Ok(all
            .iter()
            .any(|aside| digests.either().contains(&aside.digest.as_str())))
    }

    fn key(number: u64) -> String {
        // Padded, so that keys sort as numbers.
        format!("{SET_ASIDE}{number:010}")
    }

    fn copy_key(number: u64) -> String {
        format!("{}.copy", SetAsideMessage::key(number))
    }

    fn retry_key(digest: &str) -> String {
        format!("{RETRY}{digest}")
    }

    /// The entries for the store: the facts, and a readable copy of the message. `redact` strikes out the known passwords
    /// of an address in a text.
    ///
    /// # Errors
    /// If the facts cannot be written as JSON, which is not expected.
    pub fn entries(
        &self,
        message: &[u8],
        redact: &dyn Fn(&str, &str) -> String,
    ) -> Result<[(String, Vec<u8>); 2], serde_json::Error> {
        let read = || {
            let text = readable(message, &Limits::default(), |_| false);
            let senders = senders(message);
            senders
                .iter()
                .fold(text, |text, from| redact(&text, &from.key()))
        };
        // This may be the message that makes the program panic.
        let text = catch_unwind(AssertUnwindSafe(read));
        let text = text.unwrap_or_else(|_| UNREADABLE.to_owned());
        Ok([
            (SetAsideMessage::key(self.number), serde_json::to_vec(self)?),
            (SetAsideMessage::copy_key(self.number), text.into_bytes()),
        ])
    }

    /// The keys of all its entries.
    pub(super) fn keys(&self) -> [String; 3] {
        [
            SetAsideMessage::key(self.number),
            SetAsideMessage::copy_key(self.number),
            SetAsideMessage::retry_key(&self.digest),
        ]
    }

    pub(super) fn retry_mark(&self) -> String {
        SetAsideMessage::retry_key(&self.digest)
    }

    /// The message with this number.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn read(store: &Store, number: u64) -> Result<Option<SetAsideMessage>, StoreError> {
        let entry = store.meta(&SetAsideMessage::key(number))?;
        Ok(entry.and_then(|bytes| serde_json::from_slice(&bytes).ok()))
    }

    /// The messages set aside, newest first.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn all(store: &Store) -> Result<Vec<SetAsideMessage>, StoreError> {
        let mut found = Vec::new();
        for key in store.meta_keys(SET_ASIDE)?.into_iter().rev() {
            if key.ends_with(".copy") {
                continue;
            }
            let entry = store.meta(&key)?;
            found.extend(entry.and_then(|bytes| serde_json::from_slice(&bytes).ok()));
        }
        Ok(found)
    }

    /// What the store keeps of the message's text.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn copy(store: &Store, number: u64) -> Result<Option<String>, StoreError> {
        let bytes = store.meta(&SetAsideMessage::copy_key(number))?;
        Ok(bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
    }

    /// The entry of a message, if it is to be read again.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub(super) fn to_retry(
        store: &Store,
        digests: &Digests,
    ) -> Result<Option<SetAsideMessage>, StoreError> {
        for digest in digests.either() {
            let Some(number) = store.meta(&SetAsideMessage::retry_key(digest))? else {
                continue;
            };
            if let Ok(number) = String::from_utf8_lossy(&number).parse() {
                return SetAsideMessage::read(store, number);
            }
        }
        Ok(None)
    }
}

/// Lists all messages set aside, for the keeper.
///
/// # Errors
/// If the store cannot be read.
pub(super) fn list(store: &Store, config: &Config) -> Result<String, QueryError> {
    let all = SetAsideMessage::all(store)?;
    if all.is_empty() {
        return Ok("No message is set aside.".to_owned());
    }
    let mut text = String::new();
    for aside in &all {
        let place = setup::place_of_rejected(config, &aside.source);
        let _ = writeln!(
            text,
            "{:>4}  arrived {}: {}\n      in {place}",
            aside.number, aside.arrived, aside.why
        );
    }
    Ok(text)
}

/// Shows one of them.
///
/// # Errors
/// If there is no message with this number, or the store cannot be read.
pub(super) fn show(store: &Store, config: &Config, number: u64) -> Result<String, QueryError> {
    let aside = with_number(store, number)?;
    let copy = SetAsideMessage::copy(store, number)?.unwrap_or_default();
    Ok(format!(
        "Message {number} arrived {} and was set aside {}: {}.\nThe original, passwords and all, is in {}.\n\n{copy}",
        aside.arrived,
        aside.at,
        aside.why,
        setup::place_of_rejected(config, &aside.source)
    ))
}

/// Puts the original back to where it arrived, such that it is read again though it was seen.
///
/// # Errors
/// If the original is gone, or cannot be moved.
pub(super) fn retry(store: &Store, config: &Config, number: u64) -> Result<String, QueryError> {
    let aside = with_number(store, number)?;
    let mark = aside.retry_mark();
    // The mark is stored first: the judge may find the message at once.
    store.commit(&Batch {
        meta: vec![(mark.clone(), number.to_string().into_bytes())],
        ..Batch::default()
    })?;
    let error = match recall(store, config, &aside, RecallAction::PutBack) {
        Ok(Recalled::Found) => {
            return Ok(format!(
                "Message {number} is put back to where it came from, and read again."
            ));
        }
        Ok(Recalled::Missing) => original_gone(config, &aside),
        Err(error) => error,
    };
    store.commit(&Batch {
        forget: vec![mark],
        ..Batch::default()
    })?;
    Err(error)
}

/// Removes the original, and what the store keeps of it.
///
/// # Errors
/// If the original cannot be looked for; then nothing is removed.
pub(super) fn delete(store: &Store, config: &Config, number: u64) -> Result<String, QueryError> {
    let aside = with_number(store, number)?;
    let original = match recall(store, config, &aside, RecallAction::Remove)? {
        Recalled::Found => "It is removed from there, too.".to_owned(),
        Recalled::Missing => format!(
            "Of the original nothing was removed: {}.",
            original_gone(config, &aside)
        ),
    };
    store.commit(&Batch {
        forget: aside.keys().into(),
        ..Batch::default()
    })?;
    Ok(format!("Message {number} is deleted. {original}"))
}

fn with_number(store: &Store, number: u64) -> Result<SetAsideMessage, QueryError> {
    SetAsideMessage::read(store, number)?.ok_or(QueryError::NotSetAside { number })
}

/// Looks for the original where its messages are set aside, and does this with it.
fn recall(
    store: &Store,
    config: &Config,
    aside: &SetAsideMessage,
    action: RecallAction,
) -> Result<Recalled, QueryError> {
    let wanted = |mail: &FetchedMessage| {
        let digests = Digests::of(&mail.bytes);
        digests.either().contains(&aside.digest.as_str())
    };
    let mut inbox = source(store, config, &aside.source)
        .map_err(|error| unreadable_place(config, aside, error.into()))?;
    inbox
        .recall(&wanted, action)
        .map_err(|error| unreadable_place(config, aside, error.into()))
}

fn unreadable_place(
    config: &Config,
    aside: &SetAsideMessage,
    source: Box<dyn Error + Send + Sync>,
) -> QueryError {
    QueryError::Place {
        place: setup::place_of_rejected(config, &aside.source),
        source,
    }
}

fn original_gone(config: &Config, aside: &SetAsideMessage) -> QueryError {
    QueryError::OriginalGone {
        number: aside.number,
        place: setup::place_of_rejected(config, &aside.source),
    }
}

fn source(store: &Store, config: &Config, name: &str) -> Result<Box<dyn Inbox>, SetupError> {
    if name == SPOOL {
        setup::spool_inbox(config)
    } else {
        setup::inbox(config, Claim::of(store.id()))
    }
}

/// The header of a message with the empty line that ends it; the whole message if there is no empty line.
fn header_of(bytes: &[u8]) -> &[u8] {
    let mut line_start = 0;
    for (at, _) in bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n') {
        let line = bytes.get(line_start..at).unwrap_or_default();
        line_start = at + 1;
        if matches!(line, b"" | b"\r") {
            return bytes.get(..line_start).unwrap_or(bytes);
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_ends_with_its_empty_line() {
        assert_eq!(header_of(b"A: b\r\n\r\nbody\n\n"), b"A: b\r\n\r\n");
        assert_eq!(header_of(b"A: b\n\nbody"), b"A: b\n\n");
        assert_eq!(header_of(b"A: b"), b"A: b");
        assert_eq!(header_of(b"\nbody"), b"\n");
        assert_eq!(header_of(b""), b"");
    }
}
