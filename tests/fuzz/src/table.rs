//! A judge with a game of each variant, as the demo games were at some moment.

use std::cell::RefCell;
use std::collections::BTreeMap;

use dipjudge::game::Role;
use dipjudge::judge::{Ids, Incoming, Judge, LogState, NewRecord, Ruling};
use dipjudge::mails::outbound::Templates;
use jiff::{SignedDuration, Timestamp};
use sha2::{Digest, Sha256};

use super::memory::{self, MemoryLibrary};

/// The logs of the demo games.
const LOGS: [Log; 9] = [
    Log::new("@judge", include_str!("../../recorded/judge.log")),
    Log::new("kaiser", include_str!("../../recorded/kaiser.log")),
    Log::new("conway", include_str!("../../recorded/conway.log")),
    Log::new("dawn", include_str!("../../recorded/dawn.log")),
    Log::new("friday", include_str!("../../recorded/friday.log")),
    Log::new("frost", include_str!("../../recorded/frost.log")),
    Log::new("mob", include_str!("../../recorded/mob.log")),
    Log::new("silly", include_str!("../../recorded/silly.log")),
    Log::new("space", include_str!("../../recorded/space.log")),
];
/// How far the games are, in quarters.
const STAGES: [usize; 3] = [1, 2, 3];
const ALPHABET: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";

struct Log {
    name: &'static str,
    text: &'static str,
}

impl Log {
    const fn new(name: &'static str, text: &'static str) -> Log {
        Log { name, text }
    }

    /// The records until this quarter; the register is always whole.
    fn records(&self, quarters: usize) -> Vec<Vec<u8>> {
        let all: Vec<&str> = self.text.lines().collect();
        let count = if self.name == "@judge" {
            all.len()
        } else {
            all.len() * quarters / 4
        };
        let taken = all.iter().take(count);
        taken.map(|line| line.as_bytes().to_vec()).collect()
    }
}

/// The names of the games.
pub(crate) fn games() -> Vec<&'static str> {
    let names = LOGS.iter().map(|log| log.name);
    names.filter(|name| !name.starts_with('@')).collect()
}

/// A judge without games.
pub(crate) fn new_judge() -> Judge {
    let settings = memory::settings("judge@example.org");
    let limits = memory::no_limits();
    let settings = dipjudge::judge::Settings { limits, ..settings };
    Judge::new(settings, Templates::built_in()).with_pictures(memory::pictures())
}

/// Who writes.
pub(crate) enum Writer {
    Stranger,
    Master,
    /// Whoever sits there, counted around.
    Seat(usize),
}

pub(crate) struct Table {
    judge: Judge,
    library: MemoryLibrary,
    /// When the last record of each game was written.
    times: BTreeMap<&'static str, Timestamp>,
    secret: String,
}

/// Bits that are the same at each run.
#[derive(Default)]
struct Counter(u64);

impl Ids for Counter {
    fn id(&mut self) -> [u8; 16] {
        self.0 += 1;
        let mut id = [7; 16];
        id[..8].copy_from_slice(&self.0.to_be_bytes());
        id
    }

    fn seed(&mut self) -> [u8; 32] {
        self.0 += 1;
        [self.0 as u8; 32]
    }
}

impl Table {
    /// The table at one of the stages. It is built once on each thread.
    pub(crate) fn of(stage: u8) -> &'static Table {
        thread_local! {
            static TABLES: RefCell<BTreeMap<usize, &'static Table>> = const { RefCell::new(BTreeMap::new()) };
        }
        let quarters = STAGES[usize::from(stage) % STAGES.len()];
        TABLES.with(|tables| {
            let mut tables = tables.borrow_mut();
            *tables
                .entry(quarters)
                .or_insert_with(|| Box::leak(Box::new(Table::at(quarters))))
        })
    }

    fn at(quarters: usize) -> Table {
        let mut judge = new_judge();
        let mut library = MemoryLibrary::default();
        let mut times = BTreeMap::new();
        let mut secret = String::new();
        for log in &LOGS {
            let records = log.records(quarters);
            let mut state = LogState::before(log.name);
            let played = state.play_all(
                records
                    .iter()
                    .cloned()
                    .map(Ok::<_, std::convert::Infallible>),
            );
            played.unwrap();
            judge.take_over(state).unwrap();
            if let Some(last) = records.last() {
                let last: serde_json::Value = serde_json::from_slice(last).unwrap();
                times.insert(log.name, last["at"].as_str().unwrap().parse().unwrap());
            }
            if log.name == "@judge" {
                let first: serde_json::Value = serde_json::from_slice(&records[0]).unwrap();
                secret = first["events"][0]["secret"].as_str().unwrap().to_owned();
            }
            library.take_in(&Ruling {
                records: records
                    .into_iter()
                    .map(|json| NewRecord {
                        log: log.name.to_owned(),
                        json,
                    })
                    .collect(),
                ..Ruling::default()
            });
        }
        Table {
            judge,
            library,
            times,
            secret,
        }
    }

    /// A mail with this text comes from somebody in this game.
    pub(crate) fn receives(&self, game: &str, writer: Writer, text: &[u8]) {
        let known = self.judge.game(game).unwrap();
        let seats: Vec<_> = known.seats.iter().filter(|seat| !seat.left).collect();
        let seat = match writer {
            Writer::Stranger => None,
            Writer::Master => seats.iter().find(|seat| seat.role == Role::Master),
            Writer::Seat(number) => seats.get(number % seats.len().max(1)),
        };
        let from = seat.map_or("stranger@example.net", |seat| seat.address.as_str());
        let to = match seat {
            Some(seat) => {
                let token = self.token(game, seat.id.0, seat.token);
                format!("judge+{token}@example.org")
            }
            None => "judge@example.org".to_owned(),
        };
        let mut bytes = format!(
            "From: {from}\r\nTo: {to}\r\nSubject: mail\r\nMessage-ID: <1@fuzz>\r\nMIME-Version: 1.0\r\n\
             Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n"
        )
        .into_bytes();
        bytes.extend_from_slice(text);
        let now = self.times[game] + SignedDuration::from_secs(1);
        let incoming = Incoming {
            bytes,
            arrived: now,
            envelope_from: Some(from.to_owned()),
            envelope_to: Some(to),
            oversize: false,
            signed: None,
        };
        let ruling = self
            .judge
            .receive(&incoming, now, &mut Counter::default(), &self.library);
        // Everything that follows can be stored and read again.
        for record in &ruling.records {
            let read: serde_json::Value = serde_json::from_slice(&record.json).unwrap();
            assert!(read["events"].is_array());
        }
    }

    /// The token of a seat, made as the judge makes it, since a password takes a thousand times as long.
    fn token(&self, game: &str, seat: u32, count: u32) -> String {
        let mut hash = Sha256::new();
        for part in [
            "reply",
            &self.secret,
            game,
            &seat.to_string(),
            &count.to_string(),
        ] {
            hash.update(part.as_bytes());
            hash.update([0]);
        }
        let digest = hash.finalize();
        let number = digest
            .iter()
            .take(16)
            .fold(0_u128, |number, byte| number << 8 | u128::from(*byte));
        (0..26)
            .rev()
            .map(|place| char::from(ALPHABET[(number >> (place * 5) & 31) as usize]))
            .collect()
    }

    /// Whether the tokens are those of the judge: a mail that bears one is taken as from its seat.
    pub(crate) fn knows_its_players(&self) -> bool {
        let known = self.judge.game("kaiser").unwrap();
        let seat = known.seats.iter().find(|seat| !seat.left).unwrap();
        let to = format!(
            "judge+{}@example.org",
            self.token("kaiser", seat.id.0, seat.token)
        );
        let now = self.times["kaiser"] + SignedDuration::from_secs(1);
        let incoming = Incoming {
            bytes: format!(
                "From: {}\r\nTo: {to}\r\nMessage-ID: <2@fuzz>\r\n\r\nLIST kaiser\r\n",
                seat.address
            )
            .into_bytes(),
            arrived: now,
            envelope_from: None,
            envelope_to: Some(to.clone()),
            oversize: false,
            signed: None,
        };
        let ruling = self
            .judge
            .receive(&incoming, now, &mut Counter::default(), &self.library);
        ruling
            .mails
            .iter()
            .any(|mail| mail.game.as_deref() == Some("kaiser"))
    }
}
