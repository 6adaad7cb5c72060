//! The plain data that passes between the judge and the shell, and the look-ups that the judge may request.

use std::sync::Arc;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::known_addresses::KnownAddresses;
use crate::memos::MemoChange;
use dipjudge_game::{Past, Record, SeatId};
use dipjudge_mails::outbound::Letter;
use dipjudge_rules::map::Power;

/// A time in which the inbox could not be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "(Timestamp, Timestamp)", into = "(Timestamp, Timestamp)")]
pub struct Outage {
    /// When it began.
    pub from: Timestamp,
    /// When it ended.
    pub until: Timestamp,
}

impl From<(Timestamp, Timestamp)> for Outage {
    fn from((from, until): (Timestamp, Timestamp)) -> Outage {
        Outage { from, until }
    }
}

impl From<Outage> for (Timestamp, Timestamp) {
    fn from(outage: Outage) -> Self {
        (outage.from, outage.until)
    }
}

/// One message as the shell received it.
#[derive(Clone, Debug)]
pub struct Incoming {
    /// The message; at most as many bytes as the limit allows.
    pub bytes: Vec<u8>,
    /// When it arrived (`cli.md`, last paragraph).
    pub arrived: Timestamp,
    /// The envelope sender, if the transport gave it; empty for the null path.
    pub envelope_from: Option<String>,
    /// The envelope recipient, if the transport gave it.
    pub envelope_to: Option<String>,
    /// Whether the message was larger than the limit; then `bytes` is only its beginning.
    pub oversize: bool,
    /// The signature that proves its sender, if one was checked and counts.
    pub signed: Option<SignedBy>,
}

/// A valid signature of the domain of a message's sender, for this judge. It counts once, since everybody who has the message can
/// send it again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignedBy {
    /// By which the signature is recognized.
    pub key: [u8; 32],
}

/// All effects of one message or one look at the clock. None of them takes place before the store has saved the ruling.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ruling {
    /// When the mail was handled.
    pub at: Timestamp,
    /// Keys by which the message, and the lines of letters that it sends, are recognized later.
    pub seen: Vec<[u8; 32]>,
    /// Lines for the logs, in order.
    pub records: Vec<NewRecord>,
    /// Mails to send, in order.
    pub mails: Vec<Outgoing>,
    /// The mails of games to archive for HISTORY.
    pub archive: Vec<Archived>,
    /// What is to be done with the message.
    pub verdict: Verdict,
    /// The memos that it changes: counts and proposals, stored beside the logs.
    pub memos: Vec<MemoChange>,
    /// Passwords that were accepted.
    pub passed: Vec<PassedPassword>,
    /// Past turns that were read from logs, since the records need them.
    pub recalled: Vec<Recalled>,
    /// Lines for the keeper's log: no mail bodies, passwords or orders.
    pub notes: Vec<String>,
}

impl Ruling {
    /// Whether nothing follows: the message was handled before, or is nobody's.
    pub fn is_silent(&self) -> bool {
        self.seen.is_empty()
            && self.records.is_empty()
            && self.mails.is_empty()
            && self.memos.is_empty()
            && self.verdict == Verdict::Done
    }
}

/// The states before all past turns of a game, read from its log.
#[derive(Clone, Debug, PartialEq)]
pub struct Recalled {
    /// The name of the game.
    pub game: String,
    /// The states, oldest first.
    pub past: Vec<Arc<Past>>,
}

/// A password that was accepted for a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassedPassword {
    /// The name of the game.
    pub game: String,
    /// The seat.
    pub seat: SeatId,
    /// The keyed hash of the password.
    pub keyed: [u8; 32],
}

/// The queue in which a message waits to be handled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Queue {
    /// The account of the message: messages with the same account stay in their order.
    pub account: String,
    /// Whether its writer has recently sent more than the limit; then it waits behind the messages of all others.
    pub behind: bool,
}

/// A record for a log.
#[derive(Clone, Debug, PartialEq)]
pub struct NewRecord {
    /// The game's name, or `@judge` for the register.
    pub log: String,
    /// One JSON object.
    pub json: Vec<u8>,
}

/// A complete mail to send.
#[derive(Clone, Debug, PartialEq)]
pub struct Outgoing {
    /// The address to which bounces go.
    pub envelope_from: String,
    /// The only recipient.
    pub to: String,
    /// The message.
    pub letter: Letter,
    /// 0 results, 1 answers, 2 press and notices, 3 reminders, 4 answers to addresses that have proven nothing.
    pub rank: u8,
    /// The game that it belongs to: mails of one game are handed over one after another, in the order of the ruling.
    pub game: Option<String>,
}

/// Who may read an archived mail. A mail that was sent is never generated again (`visibility.md`, P8), so where each
/// power sees only a part of the board, each has an archive of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Readership {
    /// For everybody who may read the game's history.
    #[default]
    Everyone,
    /// The leader of this power at the time of reading.
    Power(Power),
    /// The whole of a game in which each power sees only a part: for masters, and for everybody once the game is over.
    Whole,
    /// For everybody, once the game is over.
    AtTheEnd,
}

impl Readership {
    /// The form in which the store keeps it; `None` for everyone.
    pub fn key(self) -> Option<String> {
        match self {
            Readership::Everyone => None,
            Readership::Power(power) => Some(format!("power {}", power.0)),
            Readership::Whole => Some("whole".to_owned()),
            Readership::AtTheEnd => Some("end".to_owned()),
        }
    }

    /// Parses the stored form; `None` for a form that no version of this program wrote, which nobody may read.
    pub fn of_key(key: Option<&str>) -> Option<Readership> {
        match key {
            None => Some(Readership::Everyone),
            Some("whole") => Some(Readership::Whole),
            Some("end") => Some(Readership::AtTheEnd),
            Some(key) => {
                let number = key.strip_prefix("power ")?.parse().ok()?;
                Some(Readership::Power(Power(number)))
            }
        }
    }
}

/// The version of an archived mail for readers who may not read addresses.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ByName {
    /// None: it was archived before names were kept. [`KnownAddresses`](crate::KnownAddresses) finds the people that it
    /// mentions.
    #[default]
    NotKept,
    /// The same text as was sent.
    Same,
    /// A text with names in place of addresses.
    Other {
        /// Its subject.
        subject: String,
        /// Its text.
        body: String,
    },
}

impl ByName {
    /// Whether only the text that was sent was kept.
    pub fn is_not_kept(&self) -> bool {
        *self == ByName::NotKept
    }
}

/// A mail as it was sent, for HISTORY.
#[derive(Clone, Debug, PartialEq)]
pub struct Archived {
    /// The name of the game.
    pub game: String,
    /// Who may read it.
    pub readers: Readership,
    /// The date of the mail.
    pub at: Timestamp,
    /// Its subject.
    pub subject: String,
    /// Its text.
    pub body: String,
    /// The version for readers who may not read addresses.
    pub by_name: ByName,
    /// Whether it is press, rather than a report or notice.
    pub broadcast: bool,
}

impl Archived {
    /// Whether it tells what came of a phase.
    pub fn is_results(&self) -> bool {
        !self.broadcast && self.subject.ends_with(" Results")
    }

    /// The version for readers who may not read addresses. `known` is used if the mail was archived before names were
    /// kept.
    pub fn told_by_name(self, known: &KnownAddresses) -> Archived {
        let (subject, body) = match self.by_name {
            ByName::Same => (self.subject, self.body),
            ByName::Other { subject, body } => (subject, body),
            ByName::NotKept => (known.named(&self.subject), known.named(&self.body)),
        };
        Archived {
            subject,
            body,
            by_name: ByName::Same,
            ..self
        }
    }
}

/// What is to be done with a message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Verdict {
    /// The message has been handled.
    #[default]
    Done,
    /// The message is set aside for the keeper.
    Rejected(String),
}

/// A source of random bytes: the system's in production, fixed in tests.
pub trait Ids {
    /// 128 fresh bits.
    fn id(&mut self) -> [u8; 16];
    /// 256 fresh bits.
    fn seed(&mut self) -> [u8; 32];

    /// 128 bits for the Message-ID and return path of a mail to this reader. They come from a stream of the reader's
    /// own, so that they do not show how many mails others received (`visibility.md` 10.2.8). Fresh random bits satisfy
    /// this; a deterministic source must keep a stream for each reader.
    fn mail_id(&mut self, _reader: &str) -> [u8; 16] {
        self.id()
    }

    /// 128 bits for the number of a person who registers from this address, independent of all others for the same
    /// reason.
    fn user_id(&mut self, _address: &str) -> [u8; 16] {
        self.id()
    }
}

/// The look-ups in the store that the judge may request.
pub trait Library {
    /// Whether a message with this key has been handled since the given time.
    fn seen(&self, key: &[u8; 32], since: Timestamp) -> bool;
    /// Whether a line with this key was in a letter sent since the given time. A message that is handled again counts
    /// too.
    fn sent_line(&self, key: &[u8; 32], since: Timestamp) -> bool {
        self.seen(key, since)
    }
    /// The archived mails of a game in a period of time, oldest first, for any readers.
    fn archive(&self, game: &str, from: Timestamp, to: Timestamp) -> Vec<Archived>;
    /// The whole log of a game.
    fn log(&self, game: &str) -> Vec<Record>;
}
