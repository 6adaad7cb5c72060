//! What a judge has around it whose store is memory.

#![allow(dead_code, unreachable_pub)] // shared by several test programs; none needs all of it

use std::collections::BTreeMap;

use dipjudge::game::Record;
use dipjudge::judge::{
    Archived, DrawnPicture, Judge, Library, MemoChange, NewRecord, Pictures, RateLimits, Ruling,
    Settings,
};
use dipjudge::mails::outbound::Image;
use dipjudge::planted::hash_quickly;
use jiff::Timestamp;
use sha2::{Digest, Sha256};

/// What the judge may look up: the messages it has handled, what was kept for HISTORY, and the logs.
#[derive(Clone, Debug, Default)]
pub struct MemoryLibrary {
    seen: BTreeMap<[u8; 32], Timestamp>,
    archive: Vec<Archived>,
    memos: BTreeMap<String, Vec<u8>>,
    logs: BTreeMap<String, Vec<Vec<u8>>>,
}

impl MemoryLibrary {
    /// Takes in what a ruling leaves here.
    pub fn take_in(&mut self, ruling: &Ruling) {
        let seen = ruling.seen.iter().map(|key| (*key, ruling.at));
        self.seen.extend(seen);
        self.archive.extend(ruling.archive.iter().cloned());
        for NewRecord { log, json } in &ruling.records {
            let of_game = self.logs.entry(log.clone()).or_default();
            of_game.push(json.clone());
        }
        for MemoChange { name, content } in &ruling.memos {
            match content {
                Some(content) => self.memos.insert(name.clone(), content.clone()),
                None => self.memos.remove(name),
            };
        }
    }

    /// The same without the messages that were handled, so that each may come once more.
    #[must_use]
    pub fn without_messages(&self) -> MemoryLibrary {
        MemoryLibrary {
            seen: BTreeMap::new(),
            ..self.clone()
        }
    }

    /// Gives a judge that begins anew the memos of the one before.
    pub fn restore_memos(&self, judge: &mut Judge) {
        for (name, content) in &self.memos {
            judge.recall(name, content).unwrap();
        }
    }
}

impl Library for MemoryLibrary {
    fn seen(&self, key: &[u8; 32], since: Timestamp) -> bool {
        self.seen.get(key).is_some_and(|at| *at >= since)
    }

    fn archive(&self, game: &str, from: Timestamp, to: Timestamp) -> Vec<Archived> {
        let wanted = |one: &&Archived| one.game == game && from <= one.at && one.at <= to;
        self.archive.iter().filter(wanted).cloned().collect()
    }

    fn log(&self, game: &str) -> Vec<Record> {
        let records = self.logs.get(game).into_iter().flatten();
        let read = |json: &Vec<u8>| serde_json::from_slice(json).unwrap();
        records.map(read).collect()
    }
}

/// The next id of a mail to this reader; each reader's mails are counted.
pub fn mail_id(counts: &mut BTreeMap<String, u64>, reader: &str) -> [u8; 16] {
    let count = counts.entry(reader.to_owned()).or_insert(0);
    *count += 1;
    hashed(&format!("{reader} {count}"))
}

/// The id of an address.
pub fn user_id(address: &str) -> [u8; 16] {
    hashed(&format!("user {address}"))
}

fn hashed(text: &str) -> [u8; 16] {
    let hash = Sha256::digest(text);
    std::array::from_fn(|n| hash[n])
}

/// Limits that no test reaches.
pub fn no_limits() -> RateLimits {
    let most = u64::from(u32::MAX);
    RateLimits {
        replies_per_hour: most,
        replies_per_day: most,
        empty_replies_per_day: most,
        reply_bytes_per_hour: most,
        unproven_reply_bytes: 0,
        order_maps_per_minute: most,
        mails_per_hour: most,
        press_per_hour: most,
        press_bytes_per_hour: most,
        observer_press_per_hour: most,
        tries_per_hour: most,
        creates_per_day: most,
        ..RateLimits::default()
    }
}

/// A judge at this address, whose keeper is `keeper@` beside it, and to whom every address is proven; all else as the config's
/// defaults have it. In this thread it hashes passwords quickly: else that is most of what a dialogue costs.
pub fn settings(address: &str) -> Settings {
    hash_quickly();
    let (_, host) = address.rsplit_once('@').unwrap();
    Settings {
        name: "USXX".to_owned(),
        address: address.to_owned(),
        keeper: format!("keeper@{host}"),
        timezone: "UTC".to_owned(),
        auto_master: false,
        creators: None,
        dedication_to_create: -10,
        max_running: 0,
        bytes: 1 << 20,
        limits: RateLimits {
            unproven_reply_bytes: 0,
            ..RateLimits::default()
        },
        authserv_id: None,
        others: Vec::new(),
    }
}

/// In the place of a picture stands the digest of what it shows: a PNG is made of that alone, two are alike if it is, and a PNG
/// takes longer than all the rest of a mail.
pub fn pictures() -> Pictures {
    Pictures::drawn_by(|svg| {
        let digest = crc32fast::hash(svg.text().as_bytes());
        DrawnPicture {
            image: Image::png(format!("picture of {digest:08x}").into_bytes()),
            width: 4,
            height: 3,
        }
    })
}
