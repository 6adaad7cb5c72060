//! What is fuzzed: each function takes any bytes and must come back, without a panic. They are run at length by cargo-fuzz
//! (README.md) and for a short time by `tests/it/fuzzing.rs`.
#![allow(
    unreachable_pub,
    reason = "shared by the programs of cargo-fuzz and a test"
)]

// A test of the program loads this file beside the same host.
#[allow(clippy::duplicate_mod)]
#[path = "../../common/memory/mod.rs"]
mod memory;
mod table;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;

use dipjudge::grammar::{Grammar, Source};
use dipjudge::interchange::{self, Options};
use dipjudge::judge::{LogState, Snapshot, templates};
use dipjudge::mails::inbound::{Envelope, Limits, read_delivered};
use dipjudge::shell::config::{COMMENTED, Config};
use table::{Table, Writer};

/// A function that is fuzzed.
pub struct Target {
    /// Its name, also that of the folder of its corpus.
    pub name: &'static str,
    /// The function.
    pub run: fn(&[u8]),
}

/// All of them.
pub const TARGETS: [Target; 9] = [
    Target {
        name: "message",
        run: message,
    },
    Target {
        name: "html",
        run: html,
    },
    Target {
        name: "command",
        run: command,
    },
    Target {
        name: "order",
        run: order,
    },
    Target {
        name: "grammar",
        run: grammar,
    },
    Target {
        name: "submissions",
        run: submissions,
    },
    Target {
        name: "config",
        run: config,
    },
    Target {
        name: "records",
        run: records,
    },
    Target {
        name: "adjudicate",
        run: adjudicate,
    },
];

/// A message as it comes from a mail server.
pub fn message(data: &[u8]) {
    let (flags, bytes) = first(data);
    let envelope = Envelope {
        from: (flags & 1 != 0).then_some("anna@example.org"),
        to: (flags & 2 != 0).then_some("judge+abcdefghijklmnopqrstuvwxyz@mail.test"),
        oversize: flags & 4 != 0,
    };
    if let Ok(mail) = read_delivered(bytes, &envelope, &Limits::default()) {
        // What is read is bounded, whatever came.
        assert!(mail.own_lines().count() <= 1000 + bytes.len());
    }
}

/// The HTML of a message that has no plain text.
pub fn html(data: &[u8]) {
    let mut bytes =
        b"From: anna@example.org\r\nTo: judge@mail.test\r\nMIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\n\
          Content-Transfer-Encoding: 8bit\r\n\r\n"
            .to_vec();
    bytes.extend_from_slice(data);
    let _ = read_delivered(&bytes, &Envelope::default(), &Limits::default());
}

/// A mail of anybody, with any lines: the first byte says whose, the second how far the games are.
pub fn command(data: &[u8]) {
    let (who, rest) = first(data);
    let (stage, text) = first(rest);
    let writer = match who % 3 {
        0 => Writer::Stranger,
        1 => Writer::Master,
        _ => Writer::Seat(usize::from(who / 3)),
    };
    Table::of(stage).receives("kaiser", writer, text);
}

/// Lines of a power in a game of the standard rules.
pub fn order(data: &[u8]) {
    let (seat, rest) = first(data);
    let (stage, text) = first(rest);
    Table::of(stage).receives("kaiser", Writer::Seat(usize::from(seat)), text);
}

/// Lines of a player in a game of any variant: the first byte says of which.
pub fn submissions(data: &[u8]) {
    let (game, rest) = first(data);
    let (seat, rest) = first(rest);
    let (stage, text) = first(rest);
    let games = table::games();
    let game = games[usize::from(game) % games.len()];
    Table::of(stage).receives(game, Writer::Seat(usize::from(seat)), text);
}

/// A file in the notation of the grammars.
pub fn grammar(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let source = Source {
        name: "fuzzed.grammar",
        text: &text,
    };
    let _ = Grammar::compile(&[source]);
}

/// A config; the bytes behind a zero are a variable of the environment.
pub fn config(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let (text, variable) = text.split_once('\0').unwrap_or((&text, ""));
    let (name, value) = variable.split_once('=').unwrap_or((variable, ""));
    let environment = [(
        OsString::from(format!("DIPJUDGE_{name}")),
        OsString::from(value),
    )];
    let file = Path::new("/etc/dipjudge/dipjudge.toml");
    let _ = Config::parse(text, file, environment.clone());
    // Over the settings that every judge has.
    let _ = Config::parse(&format!("{COMMENTED}\n{text}"), file, environment);
}

/// What a store holds: records of a game or of the register, snapshots, memos, templates of the keeper.
pub fn records(data: &[u8]) {
    let (kind, bytes) = first(data);
    let lines = || {
        bytes
            .split(|byte| *byte == b'\n')
            .map(|line| Ok::<_, std::convert::Infallible>(line.to_vec()))
    };
    let log = if kind & 1 == 0 { "kaiser" } else { "@judge" };
    let mut judge = table::new_judge();
    let state = match kind % 5 {
        0 | 1 => {
            let mut state = LogState::before(log);
            let _ = state.play_all(lines());
            Some(state)
        }
        2 => LogState::of_snapshot(
            log,
            &Snapshot {
                records: 3,
                json: bytes.to_vec(),
            },
        ),
        3 => {
            let (name, json) = match bytes.iter().position(|byte| *byte == b'\n') {
                Some(at) => (&bytes[..at], &bytes[at + 1..]),
                None => (bytes, &[][..]),
            };
            let _ = judge.recall(&String::from_utf8_lossy(name), json);
            None
        }
        _ => {
            let text = String::from_utf8_lossy(bytes).into_owned();
            let edited = BTreeMap::from([("keeper-notice.md".to_owned(), text)]);
            let _ = templates(&edited);
            None
        }
    };
    if let Some(state) = state {
        let _ = judge.take_over(state);
        let _ = judge.snapshot(log);
    }
}

/// Lines of the filter.
pub fn adjudicate(data: &[u8]) {
    let options = Options {
        jobs: 1,
        fallback: Some(&interchange::judge_syntax),
        ..Options::default()
    };
    for line in data.split(|byte| *byte == b'\n').take(4) {
        let mut answer = Vec::new();
        interchange::adjudicate(line, &options, &mut answer);
        let read: serde_json::Value = serde_json::from_slice(&answer).unwrap();
        assert!(read.is_object());
    }
}

/// The first byte, which steers, and the rest.
fn first(data: &[u8]) -> (u8, &[u8]) {
    match data.split_first() {
        Some((first, rest)) => (*first, rest),
        None => (0, &[]),
    }
}

/// Whether mails to the games of the targets are taken as from their players, which most of the targets need.
pub fn knows_its_players() -> bool {
    Table::of(1).knows_its_players()
}
