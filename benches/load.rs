//! What the whole program does in a minute, between two Maildirs and with full durability: messages from known players, and games that
//! are due in the same minute. `cargo bench --bench load -- 2000 10000` names how many games are due and how many there are.
//!
//! Each step is a `tick`: it begins from the store, which is measured first and taken off, takes what waits, stores it, and puts
//! the mails into the Maildir of the outbox.

mod many_games;

use std::fs::{File, FileTimes};
use std::path::Path;
use std::time::{Duration, Instant};

use dipjudge::judge::{Incoming, Judge};
use dipjudge::mails::outbound::Templates;
use dipjudge::map::Power;
use dipjudge::shell::clock::Clock;
use dipjudge::shell::config::Config;
use dipjudge::shell::daemon::{once, setup};
use dipjudge::shell::maildir::Maildir;
use dipjudge::shell::random::SystemIds;
use dipjudge::store::Store;
use jiff::SignedDuration;
use many_games::{FIRST_DUE, Nothing, address, fill, hour, named_numbers, settings};

/// So many messages come, by the writers of so many games.
const MESSAGES: usize = 2_000;
const WRITERS: usize = 200;
/// Who writes in each game, and the word that signs him on.
const WRITER: (&str, &str) = ("cleo", "fpw");
/// His power: France.
const POWER: Power = Power(2);
/// When the messages come.
const MAIL: &str = "2027-01-05T21:00:00Z";
const CONFIG: &str = r#"
[judge]
name = "USXX"
address = "judge@judge.test"
keeper = "keeper@judge.test"
data = "data"
timezone = "UTC"

[inbox]
kind = "maildir"
path = "mail/in"

[outbox]
kind = "maildir"
path = "mail/out"
"#;

fn main() {
    let (due, games, messages) = match named_numbers().as_deref() {
        None => (1, 2, 2),
        Some([due, games]) => (*due, *games, MESSAGES),
        Some(_) => (2_000, 10_000, MESSAGES),
    };
    let folder = tempfile::tempdir().expect("a folder");
    let config = folder.path().join("dipjudge.toml");
    let mut config = Config::parse(CONFIG, &config, []).expect("a config");
    config.limits.rates = settings().limits;
    let store = Store::create(&config.judge.data).expect("a store");
    // The others become due later.
    fill(&store, games, |game| {
        let later = if game < due { 0 } else { 24 };
        hour(FIRST_DUE) + SignedDuration::from_hours(later)
    });
    let letters = letters(&store, messages, games);
    drop(store);
    // Twice: the first time, snapshots are written.
    step(&config, MAIL, Duration::ZERO);
    let (start, _) = step(&config, MAIL, Duration::ZERO);
    println!("{games} games: a tick that finds nothing takes {start:.2?}");
    let inbox = Maildir::at(folder.path().join("mail/in"));
    for (number, letter) in letters.iter().enumerate() {
        arrives(&inbox, letter, number);
    }
    let (took, mails) = step(&config, "2027-01-05T22:00:00Z", start);
    let rate = messages as f64 / took.as_secs_f64();
    println!("{messages} messages: {took:.2?}, {rate:.0} a second; {mails} mails");
    let (took, mails) = step(&config, FIRST_DUE, start);
    println!("{due} games due: {took:.2?}; {mails} mails");
}

/// A tick at this time; what it took beyond the start, and how many mails it sent.
fn step(config: &Config, at: &str, start: Duration) -> (Duration, usize) {
    let begun = Instant::now();
    let done = once::tick(config, Clock::At(hour(at))).expect("a tick");
    (
        begun.elapsed().saturating_sub(start),
        done.sending.delivered,
    )
}

/// Orders from the writers of some games to their own reply addresses.
fn letters(store: &Store, count: usize, games: usize) -> Vec<String> {
    let judge = setup::judge(store, settings(), Templates::built_in()).expect("a judge");
    let writers = WRITERS.min(games);
    let addresses: Vec<String> = (0..writers)
        .map(|game| reply_address(&judge, game))
        .collect();
    let letter = |number: usize| {
        let game = number % writers;
        let to = &addresses[game];
        let game_now = judge.game(&format!("g{game:05}")).expect("a game");
        let units = game_now.position.units_of(POWER);
        let orders: String = units
            .map(|unit| format!("{} {} H\n", unit.kind.as_str(), unit.at))
            .collect();
        message(&address(WRITER.0, game), to, number, &orders)
    };
    (0..count).map(letter).collect()
}

fn message(from: &str, to: &str, number: usize, text: &str) -> String {
    format!(
        "From: {from}\r\nTo: {to}\r\nSubject: mail {number}\r\nMessage-ID: <{number}@people.test>\r\n\
         Date: Tue, 05 Jan 2027 21:00:00 +0000\r\n\r\n{}",
        text.replace('\n', "\r\n")
    )
}

/// The address at which the writer answers the judge, from an answer to him.
fn reply_address(judge: &Judge, game: usize) -> String {
    let from = address(WRITER.0, game);
    let text = format!("SIGNON Fg{game:05} {}\n", WRITER.1);
    let now = hour(MAIL);
    let incoming = Incoming {
        bytes: message(&from, "judge@judge.test", 1_000_000 + game, &text).into_bytes(),
        arrived: now,
        envelope_from: None,
        envelope_to: None,
        oversize: false,
        signed: None,
    };
    let ruling = judge.receive(&incoming, now, &mut SystemIds::new(), &Nothing);
    let answer = String::from_utf8_lossy(&ruling.mails[0].letter.own).replace("\r\n ", " ");
    let start = answer.find("judge+").expect("an address");
    let end = answer[start..].find(['>', '\r', '\n', ' ']);
    answer[start..start + end.expect("its end")].to_owned()
}

fn arrives(inbox: &Maildir, letter: &str, number: usize) {
    let name = format!("{number:06}.load");
    let tmp = inbox.root().join("tmp").join(&name);
    std::fs::write(&tmp, letter).expect("a file");
    let at = hour(MAIL) + SignedDuration::from_millis(i64::try_from(number).expect("few"));
    let times = FileTimes::new().set_modified(at.try_into().expect("a time that files can have"));
    let file = File::options().write(true).open(&tmp).expect("the file");
    file.set_times(times).expect("its time");
    move_to(&tmp, &inbox.root().join("new").join(&name));
}

fn move_to(from: &Path, to: &Path) {
    std::fs::rename(from, to).expect("a move");
}
