//! A store of many games for benches: copies of the recorded game of the standard variant up to its last Spring, each with people
//! of its own.
#![allow(dead_code, reason = "each bench uses a part of it")]

use dipjudge::game::Record;
use dipjudge::judge::{Archived, Library, RateLimits, Settings};
use dipjudge::store::{Batch, Store};
use jiff::{SignedDuration, Timestamp};

/// The log of the recorded game.
const LOG: &str = include_str!("../../tests/recorded/kaiser.log");
/// The log of the register that belongs to it.
const REGISTER: &str = include_str!("../../tests/recorded/judge.log");
/// Before this phase it is cut off: the orders for it are in.
const CUT: &str = r#""event":"played","number":23,"#;
/// When the first game is due.
pub(crate) const FIRST_DUE: &str = "2027-01-06T00:00:00Z";

/// The games become due one each minute.
pub(crate) fn one_each_minute(game: usize) -> Timestamp {
    hour(FIRST_DUE) + SignedDuration::from_mins(i64::try_from(game).expect("few"))
}

/// A game for each number from 0, due at this time, and the people in them.
pub(crate) fn fill(store: &Store, games: usize, due: impl Fn(usize) -> Timestamp) {
    // Those of other recorded games are left out.
    let people = REGISTER.lines().filter_map(Person::of);
    let people: Vec<Person> = people
        .filter(|person| LOG.contains(&format!("{},", person.number)))
        .collect();
    let played = LOG.lines().take_while(|line| !line.contains(CUT));
    let mut batch = Batch {
        at: hour("2027-01-05T20:30:00Z"),
        ..Batch::default()
    };
    let (of_secret, _) = REGISTER
        .split_once(r#",{"event":"registered""#)
        .expect("a secret");
    let secret = ("@judge".to_owned(), format!("{of_secret}]}}").into_bytes());
    batch.records.push(secret);
    let lines: Vec<&str> = played.collect();
    for game in 0..games {
        let name = format!("g{game:05}");
        for (number, person) in people.iter().enumerate() {
            let line = format!(
                r#"{{"v":1,"at":"2026-11-30T10:05:00Z","events":[{}]}}"#,
                person.registered
            );
            let line = person.in_game(&line, number, game);
            batch.records.push(("@judge".to_owned(), line.into_bytes()));
        }
        for line in &lines {
            let mut line = line.replace(r#""name":"kaiser""#, &format!(r#""name":"{name}""#));
            if line.contains(r#""seated""#) || line.contains('@') {
                for (number, person) in people.iter().enumerate() {
                    line = person.in_game(&line, number, game);
                }
            }
            batch.records.push((name.clone(), line.into_bytes()));
        }
        let due = due(game);
        let grace = due + SignedDuration::from_hours(24 * 7);
        let timed = format!(
            r#"{{"v":1,"at":"2027-01-05T20:30:00Z","cause":"clock","events":[{{"event":"timed","times":{{"deadline":"{due}","grace":"{grace}","start":"{due}","adjusted":false}}}}]}}"#
        );
        batch.records.push((name, timed.into_bytes()));
        if batch.records.len() > 5_000 {
            store.commit(&batch).expect("a commit");
            batch.records.clear();
        }
    }
    store.commit(&batch).expect("a commit");
}

/// Somebody in the recorded game.
struct Person {
    /// How he registered, as an event.
    registered: String,
    /// His number, as events name it.
    number: String,
    /// His address.
    address: String,
}

impl Person {
    /// Who registers in a record.
    fn of(record: &str) -> Option<Person> {
        let record: serde_json::Value = serde_json::from_str(record).expect("a record");
        let events = record["events"].as_array().expect("events");
        let event = events.iter().find(|event| event["event"] == "registered")?;
        Some(Person {
            registered: event.to_string(),
            number: format!(r#""person":{}"#, event["person"]),
            address: event["address"].as_str()?.to_owned(),
        })
    }

    /// A line in which this game's own person, who is the one of this number, stands for him.
    fn in_game(&self, line: &str, number: usize, game: usize) -> String {
        let (name, _) = self.address.split_once('@').expect("an address");
        let here = format!(r#""person":{}"#, 10_000_000 + game * 32 + number);
        line.replace(&self.number, &here)
            .replace(&self.address, &address(name, game))
    }
}

pub(crate) fn address(name: &str, game: usize) -> String {
    format!("{name}.{game:05}@people.test")
}

pub(crate) fn hour(text: &str) -> Timestamp {
    text.parse().expect("an hour")
}

pub(crate) fn settings() -> Settings {
    let most = u64::from(u32::MAX);
    Settings {
        name: "USXX".to_owned(),
        address: "judge@judge.test".to_owned(),
        keeper: "keeper@judge.test".to_owned(),
        timezone: "UTC".to_owned(),
        auto_master: false,
        creators: None,
        dedication_to_create: -10,
        max_running: 0,
        bytes: 1 << 20,
        limits: RateLimits {
            replies_per_hour: most,
            replies_per_day: most,
            empty_replies_per_day: most,
            reply_bytes_per_hour: most,
            mails_per_hour: most,
            ..RateLimits::default()
        },
        authserv_id: None,
        others: Vec::new(),
    }
}

/// The numbers that the command line names; `None` without `--bench`, when it is only shown that the bench runs.
pub(crate) fn named_numbers() -> Option<Vec<usize>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let in_earnest = arguments.iter().any(|one| one == "--bench");
    let numbers = arguments.iter().filter_map(|one| one.parse().ok());
    in_earnest.then(|| numbers.collect())
}

/// A library in which nothing is found.
pub(crate) struct Nothing;

impl Library for Nothing {
    fn seen(&self, _: &[u8; 32], _: Timestamp) -> bool {
        false
    }

    fn archive(&self, _: &str, _: Timestamp, _: Timestamp) -> Vec<Archived> {
        Vec::new()
    }

    fn log(&self, _: &str) -> Vec<Record> {
        Vec::new()
    }
}
