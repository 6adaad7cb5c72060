//! The store survives a kill at any moment: this test starts itself as a child that writes, and kills it.

use std::collections::BTreeSet;
use std::env;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread::sleep;
use std::time::Duration;

use dipjudge::judge::{ByName, MemoChange};
use dipjudge::store::{Batch, NewArchived, NewMail, Store};
use jiff::Timestamp;

/// Where the child finds its store; it is a child if this is set.
const CHILD: &str = "DIPJUDGE_TEST_KILLED_STORE";
const ROUNDS: u64 = 60;

fn at(second: u64) -> Timestamp {
    Timestamp::from_second(second.cast_signed()).unwrap()
}

fn key(number: u64) -> [u8; 32] {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&number.to_be_bytes());
    key
}

/// Sometimes in a row, sometimes in a file of its own.
fn record(number: u64) -> Vec<u8> {
    let length = if number.is_multiple_of(7) {
        30_000
    } else {
        300
    };
    format!("{number} ")
        .into_bytes()
        .into_iter()
        .cycle()
        .take(length)
        .collect()
}

fn mail_text(number: u64) -> Vec<u8> {
    format!(
        "Message-ID: <{number}@judge.example>\r\n\r\n{}",
        "text ".repeat(500)
    )
    .into_bytes()
}

/// The number of a mail, from its recipient.
fn number_of(to: &str) -> u64 {
    to.trim_end_matches("@x.example").parse().unwrap()
}

fn batch(number: u64) -> Batch {
    Batch {
        at: at(number),
        seen: vec![key(number)],
        records: vec![
            ("friday".to_owned(), record(number)),
            ("@judge".to_owned(), number.to_string().into_bytes()),
        ],
        mails: vec![NewMail {
            envelope_from: "judge@judge.example".to_owned(),
            to: format!("{number}@x.example"),
            letter: mail_text(number).into(),
            rank: 0,
            game: None,
            due: at(number),
        }],
        archive: vec![NewArchived {
            game: "friday".to_owned(),
            reader: number.is_multiple_of(2).then(|| "power 3".to_owned()),
            at: at(number),
            subject: number.to_string(),
            body: "Movement results".to_owned(),
            by_name: ByName::Same,
            broadcast: false,
        }],
        meta: vec![("last".to_owned(), number.to_string().into_bytes())],
        forget: Vec::new(),
        memos: vec![MemoChange {
            name: "last".to_owned(),
            content: Some(number.to_string().into_bytes()),
        }],
    }
}

/// Prints a line that is complete even if the child is killed at once.
fn say(what: &str, number: u64) {
    std::io::stderr()
        .write_all(format!("{what} {number}\n").as_bytes())
        .unwrap();
}

#[test]
fn child_writes_until_it_is_killed() {
    let Some(dir) = env::var_os(CHILD) else {
        return;
    };
    let store = Store::create(Path::new(&dir)).unwrap();
    say("open", 0);
    let mut number = store.record_count("friday").unwrap();
    loop {
        store.commit(&batch(number)).unwrap();
        say("committed", number);
        if number.is_multiple_of(3) {
            for row in store.due(at(number), 4).unwrap() {
                say("taken", number_of(&row.to));
                store.delivered(row.id).unwrap();
                say("delivered", number_of(&row.to));
            }
        }
        number += 1;
    }
}

/// What the children have said.
#[derive(Default)]
struct Heard {
    opened: u64,
    committed: BTreeSet<u64>,
    taken: BTreeSet<u64>,
    delivered: BTreeSet<u64>,
}

impl Heard {
    fn listen(&mut self, said: &str) {
        // A line may be cut off by the kill only if it was never written whole.
        for line in said.lines() {
            let Some((what, number)) = line.split_once(' ') else {
                panic!("child said {line:?}")
            };
            let Ok(number) = number.parse() else {
                panic!("child said {said:?}")
            };
            match what {
                "open" => self.opened += 1,
                "committed" => assert!(self.committed.insert(number), "{number} twice"),
                "taken" => {
                    self.taken.insert(number);
                }
                "delivered" => assert!(self.delivered.insert(number), "{number} twice"),
                _ => panic!("child said {said:?}"),
            }
        }
    }
}

/// When a child is killed.
#[derive(Clone, Copy)]
enum When {
    /// About the time when it opens the store, as long as that may take on this machine.
    Opening(Duration),
    /// At a moment after it has said so many lines.
    Working { lines: u64, then: Duration },
}

fn run_and_kill(dir: &Path, when: When) -> String {
    let mut child = Command::new(env::current_exe().unwrap())
        .args([
            "--exact",
            "store_kill::child_writes_until_it_is_killed",
            "--nocapture",
        ])
        .env(CHILD, dir)
        .env("RUST_BACKTRACE", "0")
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (saying, heard) = mpsc::channel();
    // Read beside the waiting, or the child would wait for a full pipe to be emptied.
    let stderr = BufReader::new(child.stderr.take().unwrap());
    let reader = std::thread::spawn(move || {
        for line in stderr.lines() {
            let _ = saying.send(line.unwrap());
        }
    });
    let mut said = Vec::new();
    match when {
        When::Opening(after) => sleep(after),
        When::Working { lines, then } => {
            // A child that ends by itself says no more, and fails the test below.
            said.extend((0..lines).map_while(|_| heard.recv().ok()));
            sleep(then);
        }
    }
    child.kill().unwrap();
    let status = child.wait().unwrap();
    reader.join().unwrap();
    said.extend(heard);
    assert_eq!(status.code(), None, "it was to be killed: {said:?}");
    said.join("\n")
}

/// Opens the store and compares it with what the children have said.
fn check(dir: &Path, heard: &Heard) {
    let store = Store::create(dir).unwrap();
    let count = store.record_count("friday").unwrap();
    let acknowledged = heard.committed.last().map_or(0, |last| last + 1);
    assert!(
        count >= acknowledged,
        "{acknowledged} acknowledged, {count} there"
    );

    // All or nothing: every tree knows the same batches, each whole.
    let records: Vec<_> = store
        .records("friday")
        .unwrap()
        .map(Result::unwrap)
        .collect();
    assert!(
        records
            .iter()
            .zip(0..)
            .all(|(bytes, number)| *bytes == record(number))
    );
    assert_eq!(
        (records.len() as u64, store.record_count("@judge").unwrap()),
        (count, count)
    );
    let archive = store
        .archive("friday", at(0), at(u64::from(u32::MAX)))
        .unwrap();
    let subjects: Vec<_> = archive.into_iter().map(|text| text.subject).collect();
    assert_eq!(
        subjects,
        (0..count)
            .map(|number| number.to_string())
            .collect::<Vec<_>>()
    );
    let last = store
        .meta("last")
        .unwrap()
        .map(|last| String::from_utf8(last).unwrap());
    assert_eq!(last, count.checked_sub(1).map(|last| last.to_string()));
    let memos = store.memos().unwrap();
    let counted = memos.first().map(|(_, last)| last.as_slice());
    assert_eq!(counted, last.as_ref().map(String::as_bytes));
    for number in 0..=count {
        assert_eq!(
            store.seen(&key(number), at(number)).unwrap(),
            number < count,
            "{number}"
        );
    }

    // Every mail waits or was taken; none is both waiting and known to be gone; each text is whole.
    let waiting = store.waiting().unwrap();
    let waiting: BTreeSet<u64> = waiting.iter().map(|mail| number_of(&mail.to)).collect();
    for number in 0..count {
        assert!(
            waiting.contains(&number) || heard.taken.contains(&number),
            "mail {number} lost"
        );
        assert!(
            !(waiting.contains(&number) && heard.delivered.contains(&number)),
            "{number}"
        );
    }
    let rows = store.due(at(count), usize::MAX).unwrap();
    assert_eq!(rows.len(), waiting.len());
    assert!(
        rows.iter()
            .all(|row| row.bytes == mail_text(number_of(&row.to)))
    );
    assert_eq!(store.failed().unwrap(), []);
    let large = (0..count).filter(|number| number.is_multiple_of(7)).count();
    let files = std::fs::read_dir(dir.join("blobs")).unwrap().count();
    assert_eq!(
        files,
        large + waiting.len(),
        "files without a row, or rows without a file"
    );
}

#[test]
fn killed_at_any_moment_the_store_has_what_was_acknowledged_and_nothing_torn() {
    if env::var_os(CHILD).is_some() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let mut heard = Heard::default();
    let mut dice = 0x9e37_79b9_7f4a_7c15_u64;
    for round in 0..ROUNDS {
        dice ^= dice << 13;
        dice ^= dice >> 7;
        dice ^= dice << 17;
        let when = if round.is_multiple_of(2) {
            When::Working {
                lines: dice % 16,
                then: Duration::from_micros((dice >> 8) % 5_000),
            }
        } else {
            When::Opening(Duration::from_micros(dice % 15_000))
        };
        let said = run_and_kill(dir.path(), when);
        heard.listen(&said);
        if !round.is_multiple_of(4) {
            check(dir.path(), &heard);
        }
    }
    assert!(
        heard.opened > 10,
        "only {} rounds came to write",
        heard.opened
    );
    assert!(
        heard.opened < ROUNDS,
        "no round was killed before the store was open"
    );
    assert!(heard.committed.len() > 50 && heard.delivered.len() > 10);
    eprintln!(
        "{ROUNDS} kills, {} after opening; {} batches acknowledged, {} mails delivered",
        heard.opened,
        heard.committed.len(),
        heard.delivered.len()
    );
}
