//! What passes between the judge and the shell: plain data, and the look-ups that the judge may ask for.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::known_addresses::KnownAddresses;
use crate::rates::KeptCount;
use dipjudge_game::{Record, SeatId};
use dipjudge_mails::outbound::Letter;
use dipjudge_rules::map::Power;

/// One message as the shell took it in.
#[derive(Clone, Debug)]
pub struct Incoming {
    /// The message; no more than the limit of bytes.
    pub bytes: Vec<u8>,
    /// When it arrived (`cli.md`, last paragraph).
    pub arrived: Timestamp,
    /// The envelope sender, where the transport told it; empty for the null path.
    pub envelope_from: Option<String>,
    /// The envelope recipient, where the transport told it.
    pub envelope_to: Option<String>,
    /// The message was larger than the limit, and `bytes` is only its beginning.
    pub oversize: bool,
}

/// All that follows from one message or one look at the clock. Nothing of it has happened before the store says so.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ruling {
    /// When the mail was handled.
    pub at: Timestamp,
    /// Keys by which the message is known again, and those of the lines of letters that it sends.
    pub seen: Vec<[u8; 32]>,
    /// Lines for the logs, in order.
    pub records: Vec<NewRecord>,
    /// Mails to send, in order.
    pub mails: Vec<Outgoing>,
    /// What was sent to readers of games, for HISTORY.
    pub archive: Vec<Archived>,
    /// What becomes of the message.
    pub verdict: Verdict,
    /// Counts and proposals that it changes: kept beside the logs.
    pub counts: Vec<KeptCount>,
    /// Passwords that were right.
    pub passed: Vec<PassedPassword>,
    /// Lines for the keeper's log: no bodies, no passwords, no orders.
    pub notes: Vec<String>,
}

/// A password that was right for a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassedPassword {
    /// The name of the game.
    pub game: String,
    /// The seat.
    pub seat: SeatId,
    /// The password under a keyed hash.
    pub keyed: [u8; 32],
}

/// In which line a message stands that waits to be handled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Queue {
    /// On whose account it is: what bears the same stays in its own order.
    pub account: String,
    /// Its writer has sent more than he may lately, so it comes behind everybody else's.
    pub behind: bool,
}

/// A line for a log.
#[derive(Clone, Debug, PartialEq)]
pub struct NewRecord {
    /// The game's name, or `@judge` for persons.
    pub log: String,
    /// One JSON object.
    pub json: Vec<u8>,
}

/// A mail to send, complete.
#[derive(Clone, Debug, PartialEq)]
pub struct Outgoing {
    /// Where bounces go.
    pub envelope_from: String,
    /// The only recipient.
    pub to: String,
    /// The message.
    pub letter: Letter,
    /// 0 results, 1 answers, 2 press and notices, 3 reminders.
    pub rank: u8,
    /// The game of which it is: mails of one game are handed over one after another, in the order of the ruling.
    pub game: Option<String>,
}

/// For whom a mail is kept. What was sent is never computed anew (`visibility.md`, P8), so where each sees only his part
/// each has an archive of his own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Readership {
    /// For everybody who may read the game's history.
    #[default]
    Everyone,
    /// For who leads this power, whoever that is by now.
    Power(Power),
    /// All that happened, of a game in which each sees only his part: for masters, and for everybody once it is over.
    Whole,
}

impl Readership {
    /// As the store keeps it; nothing for everyone.
    pub fn key(self) -> Option<String> {
        match self {
            Readership::Everyone => None,
            Readership::Power(power) => Some(format!("power {}", power.0)),
            Readership::Whole => Some("whole".to_owned()),
        }
    }

    /// From what the store kept; `None` for what no version of this program wrote: nobody reads that.
    pub fn of_key(key: Option<&str>) -> Option<Readership> {
        match key {
            None => Some(Readership::Everyone),
            Some("whole") => Some(Readership::Whole),
            Some(key) => {
                let number = key.strip_prefix("power ")?.parse().ok()?;
                Some(Readership::Power(Power(number)))
            }
        }
    }
}

/// How a mail that was kept reads for who is told no addresses.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ByName {
    /// It was kept before names were; [`KnownAddresses`](crate::KnownAddresses) tells of whom it speaks.
    #[default]
    NotKept,
    /// The same as it was sent.
    Same,
    /// With names.
    Other {
        /// Its subject.
        subject: String,
        /// Its text.
        body: String,
    },
}

impl ByName {
    /// Whether only what was sent was kept.
    pub fn is_not_kept(&self) -> bool {
        *self == ByName::NotKept
    }
}

/// A mail as it was sent, for HISTORY.
#[derive(Clone, Debug, PartialEq)]
pub struct Archived {
    /// Of which game.
    pub game: String,
    /// For whom.
    pub readers: Readership,
    /// The date that the mail bears.
    pub at: Timestamp,
    /// Its subject.
    pub subject: String,
    /// Its text.
    pub body: String,
    /// How it reads for who is told no addresses.
    pub by_name: ByName,
    /// Press, rather than a report or notice.
    pub broadcast: bool,
}

impl Archived {
    /// The mail as it reads for who is told no addresses. `known` is asked where it was kept before names were.
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

/// What becomes of a message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Verdict {
    /// Handled.
    #[default]
    Done,
    /// Set aside for the keeper.
    Rejected(String),
}

/// Random bytes from outside. In production the system's, in tests fixed.
pub trait Ids {
    /// 128 fresh bits.
    fn id(&mut self) -> [u8; 16];
    /// 256 fresh bits.
    fn seed(&mut self) -> [u8; 32];

    /// 128 bits for a mail to this reader: its Message-ID, its return path. They belong to a stream of that reader's, so
    /// that they do not tell how many mails others got (`visibility.md` 10.2.8). Fresh bits from the system are such; a
    /// source that repeats itself must keep a stream for each reader.
    fn mail_id(&mut self, _reader: &str) -> [u8; 16] {
        self.id()
    }

    /// 128 bits for the number of whoever registers from this address, apart from all others for the same reason.
    fn user_id(&mut self, _address: &str) -> [u8; 16] {
        self.id()
    }
}

/// What the judge may look up in the store.
pub trait Library {
    /// Whether a message with this key was handled since then.
    fn seen(&self, key: &[u8; 32], since: Timestamp) -> bool;
    /// Whether a line of a letter that was sent since then has this key, for a message that is read again as well.
    fn sent_line(&self, key: &[u8; 32], since: Timestamp) -> bool {
        self.seen(key, since)
    }
    /// What was kept of a game in a stretch of time, oldest first, for whomever.
    fn archive(&self, game: &str, from: Timestamp, to: Timestamp) -> Vec<Archived>;
    /// The log of a game, from its beginning.
    fn log(&self, game: &str) -> Vec<Record>;
}
