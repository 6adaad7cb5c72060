//! A whole real game played by mail against the program, and what must be true of every mail that it sends.
//!
//! `play` goes through a script (`src/shell/demo/*.game`) at a `JudgeHost`, which delivers mails to a judge and has it look at the clock.
//! Everything that is sent and received is written down in order; `checks` then goes through that.

#![allow(dead_code, unreachable_pub)] // shared by several test programs; none needs all of it

pub mod checks;
pub mod gunboat;
pub mod maildir_host;
pub mod memory_host;
pub mod oracle;
pub mod places;
pub mod play;
pub mod program;
pub mod received;
pub mod transcript;

use dipjudge::shell::demo::script::{Script, ScriptContext};
use jiff::Timestamp;

/// Everybody's domain: that of the private mail servers.
pub const DOMAIN: &str = "mail.test";
/// The judge's address.
pub const JUDGE: &str = "judge@mail.test";

/// Players of a game of seven, each with the letter of his power.
pub const PLAYERS: [(&str, char); 7] = [
    ("anna", 'A'),
    ("ben", 'E'),
    ("cleo", 'F'),
    ("dirk", 'G'),
    ("emma", 'I'),
    ("finn", 'R'),
    ("gwen", 'T'),
];

/// The sample game of the standard map, so many weeks later than written.
pub fn standard(weeks: i64) -> Script {
    sample("standard", weeks)
}

/// The sample game of a variant, so many weeks later than written.
pub fn sample(variant: &str, weeks: i64) -> Script {
    let sample = dipjudge::shell::demo::SAMPLES
        .iter()
        .find(|sample| sample.variant == variant)
        .unwrap();
    let stage = ScriptContext {
        judge: JUDGE.to_owned(),
        domain: DOMAIN.to_owned(),
        weeks,
    };
    Script::read(sample.text, &stage).unwrap()
}

/// The first whole weeks by which a game must be later than written so that this moment of it lies ahead.
pub fn weeks_until(written: &str) -> i64 {
    let written: Timestamp = written.parse().unwrap();
    let behind = Timestamp::now().as_second() + 3600 - written.as_second();
    (behind.max(0) + 7 * 86_400 - 1) / (7 * 86_400)
}

/// The names of those who play.
pub fn people(script: &Script) -> impl Iterator<Item = &str> + Clone {
    script.people.iter().map(|person| person.name.as_str())
}
