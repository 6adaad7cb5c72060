//! The judge alone: a store of `BTreeMap`s, random bytes that are fixed, a clock that is told.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use dipjudge::game::{Event, Game, Record, Seed};
use dipjudge::judge::{
    Archived, Ids, Incoming, Judge, Library, NewRecord, Outgoing, Ruling, Settings, registry,
};
use dipjudge::mails::outbound::Templates;
use dipjudge::planted::{Leak, reached};
use dipjudge::position::Position;
use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use sha2::{Digest, Sha256};

use super::fixture::{FORMING, GAME};
use super::letters::{JUDGE, Letter, Sign};
use super::memory::{self, MemoryLibrary};

/// More looks at the clock than this before one mail are a judge that never comes to rest.
const MOST_TICKS: usize = 200;

/// A mail of the judge, with the time of its sending.
#[derive(Clone, Debug)]
pub struct Sent {
    pub at: Timestamp,
    pub to: String,
    /// Where bounces go.
    pub envelope: String,
    /// How urgent the outbox takes it to be.
    pub rank: u8,
    pub bytes: Arc<[u8]>,
    /// Planted leaks that were open on the way.
    pub past: BTreeSet<Leak>,
}

/// Random bytes that are none. Seeds differ with `chance`, so that two tables can differ in that alone.
#[derive(Clone, Debug)]
pub struct Fixed {
    ids: u64,
    mails: BTreeMap<String, u64>,
    seeds: u8,
    chance: u8,
}

impl Fixed {
    fn new() -> Fixed {
        Fixed {
            ids: 0,
            mails: BTreeMap::new(),
            seeds: 0,
            chance: 0,
        }
    }
}

impl Ids for Fixed {
    /// The count is in all bytes of it: the judge may keep half of them.
    fn id(&mut self) -> [u8; 16] {
        self.ids += 1;
        let digest = Sha256::digest(self.ids.to_be_bytes());
        std::array::from_fn(|n| digest[n])
    }

    /// Each reader's mails are counted apart, as in `visibility.md` 10.2.8.
    fn mail_id(&mut self, reader: &str) -> [u8; 16] {
        let count = self.mails.entry(reader.to_owned()).or_default();
        *count += 1;
        let mut hash = Sha256::new();
        hash.update(reader.as_bytes());
        hash.update(count.to_be_bytes());
        let digest: [u8; 32] = hash.finalize().into();
        let mut id = [0; 16];
        id.copy_from_slice(&digest[..16]);
        id
    }

    /// A number tells nothing of who else registered.
    fn user_id(&mut self, address: &str) -> [u8; 16] {
        let digest = Sha256::digest(format!("user {address}"));
        std::array::from_fn(|n| digest[n])
    }

    /// The first is the judge's own secret, which is always the same; the rest are games'.
    fn seed(&mut self) -> [u8; 32] {
        self.seeds += 1;
        let mut seed = [self.seeds; 32];
        if self.seeds > 1 {
            seed[31] = self.chance;
        }
        seed
    }
}

pub fn settings() -> Settings {
    Settings {
        dedication_to_create: -1000,
        limits: memory::no_limits(),
        ..memory::settings(JUDGE)
    }
}

/// What a stage is made of again: its records and what lies on the library.
#[derive(Clone, Debug)]
pub struct Kept {
    pub records: Vec<NewRecord>,
    pub sent: Vec<Sent>,
    pub now: Timestamp,
    library: MemoryLibrary,
    ids: Fixed,
    /// By reader, where his next answer goes, whichever of his mailboxes he reads.
    reply_to: BTreeMap<String, String>,
    /// By reader and writer, where letters may be answered.
    relays: BTreeMap<(String, String), String>,
}

impl Kept {
    /// Gives every game another seed. What was drawn already stands in the records, so it stays.
    pub fn let_chance_turn(&mut self) {
        self.ids.chance = 1;
        for record in &mut self.records {
            let Ok(mut read) = serde_json::from_slice::<Record>(&record.json) else {
                continue;
            };
            let created = read.events.iter_mut().find_map(|event| match event {
                Event::Created { seed, .. } => Some(seed),
                _ => None,
            });
            if let Some(seed) = created {
                *seed = Seed::new([u8::MAX; 32]);
                record.json = serde_json::to_vec(&read).expect("a record of our own");
            }
        }
    }
}

impl Kept {
    /// Lets the game that is played begin in another position. The mails about its start were sent already.
    pub fn begin_with(&mut self, mut change: impl FnMut(&mut Position)) {
        for record in self.records.iter_mut().filter(|one| one.log == GAME) {
            let mut read: Record =
                serde_json::from_slice(&record.json).expect("a record of our own");
            let mut changed = false;
            for event in &mut read.events {
                if let Event::Begun { position, .. } | Event::Owned { position } = event {
                    change(position);
                    changed = true;
                }
            }
            if changed {
                record.json = serde_json::to_vec(&read).expect("a record of our own");
            }
        }
    }

    /// Lets centers be counted once more when the game has begun.
    pub fn count_with(&mut self, change: impl FnOnce(&mut Position)) {
        let games = self.records.iter_mut().filter(|one| one.log == GAME);
        let mut records = games.map(|record| {
            let read: Record = serde_json::from_slice(&record.json).expect("a record of our own");
            (record, read)
        });
        let begun = records.find_map(|(record, read)| {
            let place = read
                .events
                .iter()
                .position(|event| matches!(event, Event::Begun { .. }))?;
            Some((record, read, place))
        });
        if let Some((record, mut read, place)) = begun
            && let Event::Begun { position, .. } = &read.events[place]
        {
            let mut position = position.clone();
            change(&mut position);
            read.events.insert(place + 1, Event::Owned { position });
            record.json = serde_json::to_vec(&read).expect("a record of our own");
        }
    }
}

/// What the judge would do about a letter.
pub struct Answer {
    pub mails: Vec<Sent>,
    pub records: Vec<NewRecord>,
}

/// A judge in play.
pub struct Stage {
    pub judge: Judge,
    pub kept: Kept,
    templates: Templates,
}

impl Stage {
    pub fn new(now: Timestamp, templates: &Templates) -> Stage {
        Stage {
            judge: Judge::new(settings(), templates.clone()).with_pictures(memory::pictures()),
            kept: Kept {
                records: Vec::new(),
                sent: Vec::new(),
                now,
                library: MemoryLibrary::default(),
                ids: Fixed::new(),
                reply_to: BTreeMap::new(),
                relays: BTreeMap::new(),
            },
            templates: templates.clone(),
        }
    }

    /// The stage that was kept, its judge made from the records.
    pub fn again(kept: &Kept, templates: &Templates) -> Stage {
        let mut judge = Judge::new(settings(), templates.clone()).with_pictures(memory::pictures());
        for record in &kept.records {
            judge
                .replay(&record.log, &record.json)
                .expect("a record of our own");
        }
        kept.library.restore_memos(&mut judge);
        Stage {
            judge,
            kept: kept.clone(),
            templates: templates.clone(),
        }
    }

    /// Makes two stages draw the same from now on.
    pub fn draw_alike(&mut self, other: &mut Stage) {
        let most = self.kept.ids.ids.max(other.kept.ids.ids);
        (self.kept.ids.ids, other.kept.ids.ids) = (most, most);
    }

    /// Another judge to whom the same has happened.
    pub fn copy(&self) -> Stage {
        Stage::again(&self.kept, &self.templates)
    }

    /// Somebody who is registered gets points for what he did in other games.
    pub fn give_points(&mut self, address: &str, points: i64) {
        let mut records = self.kept.records.iter();
        let registered = records.find_map(|record| {
            let mut read: serde_json::Value = serde_json::from_slice(&record.json).ok()?;
            let mut events = read["events"].as_array()?.iter();
            let person = events.find_map(|event| {
                let registers = event["event"] == "registered" && event["address"] == address;
                registers.then(|| event["person"].clone())
            })?;
            let event = "dedication";
            let gets = json!({"event": event, "person": person, "points": points, "why": "keeper"});
            read["events"] = json!([gets]);
            Some(read)
        });
        if let Some(record) = registered {
            let json = serde_json::to_vec(&record).expect("a record of our own");
            let log = registry::LOG.to_owned();
            let replayed = self.judge.replay(&log, &json);
            replayed.expect("a record of our own");
            self.kept.records.push(NewRecord { log, json });
        }
    }

    pub fn game(&self, name: &str) -> &Game {
        self.judge.game(name).expect("the game is there")
    }

    /// What the judge would do about a letter, of which nothing is kept.
    pub fn would(&self, letter: &Letter, address: &str) -> Answer {
        let now = self.kept.now.max(letter.at);
        let mut ids = self.kept.ids.clone();
        let incoming = self.incoming(letter, address);
        let library = &self.kept.library;
        let ruling = self.judge.receive(&incoming, now, &mut ids, library);
        Answer {
            mails: mails_of(&ruling),
            records: ruling.records,
        }
    }

    /// The stage as it stands, and what an answer adds to its records and mails.
    pub fn kept_with(&self, answer: &Answer) -> Kept {
        let mut kept = self.kept.clone();
        kept.records.extend(answer.records.iter().cloned());
        kept.sent.extend(answer.mails.iter().cloned());
        kept
    }

    /// The texts that were kept of a game for HISTORY.
    pub fn archive(&self, game: &str) -> Vec<Archived> {
        self.kept
            .library
            .archive(game, Timestamp::MIN, Timestamp::MAX)
    }

    /// What was sent since a number of mails.
    pub fn sent_since(&self, count: usize) -> &[Sent] {
        self.kept.sent.get(count..).unwrap_or_default()
    }

    fn incoming(&self, letter: &Letter, address: &str) -> Incoming {
        let from = letter.elsewhere.as_deref().unwrap_or(address);
        let to = match &letter.sign {
            Sign::Token => self.kept.reply_to.get(name(address)).cloned(),
            Sign::Relay(writer) => {
                let key = (name(address).to_owned(), writer.clone());
                self.kept.relays.get(&key).cloned()
            }
            _ => None,
        };
        let to = to.unwrap_or_else(|| JUDGE.to_owned());
        Incoming {
            bytes: letter.message(from, &to),
            arrived: letter.at,
            envelope_from: Some(from.to_owned()),
            envelope_to: Some(to),
            oversize: false,
            signed: None,
        }
    }

    /// A letter arrives; what fell due before it, and because of it, is done.
    pub fn receive(&mut self, letter: &Letter, address: &str) {
        self.clock(letter.at - SignedDuration::from_millis(1));
        self.kept.now = self.kept.now.max(letter.at);
        let incoming = self.incoming(letter, address);
        for _ in 0..letter.wrap.copies {
            let now = self.kept.now;
            let ruling = self
                .judge
                .receive(&incoming, now, &mut self.kept.ids, &self.kept.library);
            self.take(ruling);
        }
        self.clock(self.kept.now);
    }

    /// Everything that falls due until then is done, each at its own hour.
    pub fn clock(&mut self, until: Timestamp) {
        for _ in 0..MOST_TICKS {
            let Some(due) = self.judge.next_due().filter(|due| *due <= until) else {
                self.kept.now = self.kept.now.max(until);
                return;
            };
            let due = due.max(self.kept.now);
            self.kept.now = due;
            let ruling = self
                .judge
                .tick(due, due, &[], &mut self.kept.ids, &self.kept.library)
                .expect("what is due is done");
            self.take(ruling);
        }
        panic!("the clock never comes to rest before {until}");
    }

    fn take(&mut self, ruling: Ruling) {
        let past = reached();
        self.judge.absorb(&ruling).expect("a record of our own");
        let kept = &mut self.kept;
        kept.library.take_in(&ruling);
        kept.records.extend(ruling.records);
        for mail in ruling.mails {
            // Press may bear an address that passes letters on: whoever answers the judge itself answers another mail.
            let subject = field(&mail.letter.own, "Subject").unwrap_or_default();
            let writer = subject.split_once(" Press from ").map(|(_, rest)| rest);
            let writer = writer.and_then(|rest| rest.split(' ').next());
            if let Some(reply_to) = field(&mail.letter.own, "Reply-To") {
                match writer {
                    Some(writer) => {
                        let key = (name(&mail.to).to_owned(), writer.to_owned());
                        kept.relays.insert(key, reply_to);
                    }
                    // An answer to a mail of another game would say there what it was to say here.
                    None if !subject.contains(" Press ")
                        && !subject.contains(&format!(":{FORMING}")) =>
                    {
                        let reader = name(&mail.to).to_owned();
                        kept.reply_to.insert(reader, reply_to);
                    }
                    None => {}
                }
            }
            kept.sent.push(sent(ruling.at, &mail, &past));
        }
    }

    /// Whose letters somebody can answer, by their names in subjects.
    pub fn writers_to(&self, address: &str) -> Vec<String> {
        let keys = self.kept.relays.keys();
        let own = keys.filter(|(reader, _)| reader == name(address));
        own.map(|(_, writer)| writer.clone()).collect()
    }
}

fn sent(at: Timestamp, mail: &Outgoing, past: &BTreeSet<Leak>) -> Sent {
    Sent {
        at,
        to: mail.to.clone(),
        envelope: mail.envelope_from.clone(),
        rank: mail.rank,
        bytes: mail.letter.bytes().as_ref().into(),
        past: past.clone(),
    }
}

/// The mails of a ruling that has just been made.
pub fn mails_of(ruling: &Ruling) -> Vec<Sent> {
    let past = reached();
    let mails = ruling.mails.iter();
    mails.map(|mail| sent(ruling.at, mail, &past)).collect()
}

/// Who reads an address: everybody has the same name in all his mailboxes.
pub fn name(address: &str) -> &str {
    address.split('@').next().unwrap_or(address)
}

/// The log of a game among records.
pub fn log(records: &[NewRecord], name: &str) -> Vec<Record> {
    records
        .iter()
        .filter(|record| record.log == name)
        .map(|record| serde_json::from_slice(&record.json).expect("a record of our own"))
        .collect()
}

/// A header field of a message, if it stands in one line.
pub fn field(bytes: &[u8], name: &str) -> Option<String> {
    let text = String::from_utf8_lossy(bytes);
    let head = text.split("\r\n\r\n").next()?.to_owned();
    head.lines().find_map(|line| {
        let (known, value) = line.split_once(':')?;
        known
            .eq_ignore_ascii_case(name)
            .then(|| value.trim().to_owned())
    })
}
