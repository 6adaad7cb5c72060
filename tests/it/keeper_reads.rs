//! What the keeper's commands and log lines show of a game: who plays and what is due, as a master reads it, but no word
//! of a letter, no password, and nothing at all of orders that are sealed (`visibility.md` 2, 10.2.11).

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use crate::piped::piped;

/// Words of players that only their recipients may see.
const SECRETS: [&str; 5] = [
    "hazelnut",   // a master's password
    "blackthorn", // a player's password
    "wormwood",   // a letter
    "foxglove",   // a wrong password
    "mistletoe",  // a bounce
];

/// What a keeper may ask to be logged.
const LEVELS: [&str; 4] = [
    "trace",
    "debug",
    "dipjudge=trace",
    "info,sled=trace,lettre=trace",
];

struct KeeperQueries {
    folder: tempfile::TempDir,
    /// Everything that was said on standard error so far: the log.
    log: String,
    mails: u32,
}

impl KeeperQueries {
    fn new() -> KeeperQueries {
        let folder = tempfile::tempdir().unwrap();
        let mut desk = KeeperQueries {
            folder,
            log: String::new(),
            mails: 0,
        };
        let made = desk.run(&["init", "."], "");
        assert!(made.status.success(), "{made:?}");
        desk
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The program with every log line that it, or a library in it, can be made to write.
    fn run(&mut self, words: &[&str], input: &str) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dipjudge"));
        command
            .env_clear()
            .env("RUST_LOG", LEVELS[self.mails as usize % LEVELS.len()])
            .current_dir(self.folder.path())
            .args(words);
        let output = piped(&mut command, input);
        self.log.push_str(&String::from_utf8_lossy(&output.stderr));
        output
    }

    fn says(&mut self, line: &str) -> String {
        let words: Vec<&str> = line.split_whitespace().collect();
        let output = self.run(&words, "");
        assert!(output.status.success(), "{line}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    fn mail(&mut self, from: &str, text: &str) {
        self.mails += 1;
        let (n, at) = (self.mails, format!("2026-03-02T12:{:02}:00Z", self.mails));
        let message = format!(
            "From: {from}@example.org\nTo: judge@example.org\nSubject: mail {n}\n\
             Message-ID: <{n}.{from}@example.org>\nDate: Mon, 02 Mar 2026 12:00:00 +0000\n\n{text}\n"
        );
        let output = self.run(&["deliver", "--at", &at], &message);
        assert!(output.status.success(), "{output:?}");
    }
}

fn lacks(shown: &str, words: &[&str], what: &str) {
    for word in words {
        assert!(
            !shown.to_lowercase().contains(word),
            "{what} holds '{word}':\n{shown}"
        );
    }
}

#[test]
fn the_keeper_reads_no_letter_no_password_and_nothing_sealed() {
    let mut desk = KeeperQueries::new();
    let players = ["anna", "ben", "cleo", "dirk", "emma", "finn", "gwen"];
    for name in ["gm"].iter().chain(&players) {
        desk.mail(name, &format!("REGISTER\nName: {name}\nLevel: Novice\nEND"));
    }
    desk.mail(
        "gm",
        "CREATE ?tokyo hazelnut gunboat\nBECOME MASTER\nSET LIST\nSET WHITE/GREY",
    );
    for name in players {
        desk.mail(name, "SIGNON ?tokyo blackthorn gunboat\nSET PREFERENCE *");
    }
    desk.mail(
        "ben",
        "SIGNON tokyo blackthorn\nSET DRAW\nBROADCAST\nwormwood\nENDBROADCAST",
    );
    desk.mail(
        "cleo",
        "SIGNON Etokyo foxglove\nPRESS TO M\nwormwood\nENDPRESS",
    );
    desk.mail("cleo", "wormwood and no sign-on");
    let bounce = "From: MAILER-DAEMON@example.org\nTo: judge@example.org\nMessage-ID: <b@example.org>\n\
                  Date: Mon, 02 Mar 2026 12:00:00 +0000\nSubject: undeliverable\n\nwormwood mistletoe\n";
    let taken = desk.run(&["deliver", "--at", "2026-03-02T13:00:00Z"], bounce);
    assert!(taken.status.success(), "{taken:?}");
    let oversize = format!("Subject: wormwood\n\n{}", "wormwood ".repeat(200_000));
    desk.run(&["deliver", "--at", "2026-03-02T13:01:00Z"], &oversize);

    let games = desk.says("games");
    assert!(games.contains("tokyo"), "{games}");
    let game = desk.says("show tokyo");
    for name in players {
        assert!(game.contains(&format!("{name}@example.org")), "{game}");
    }
    assert!(game.contains("DRAW YES"), "as the master reads it: {game}");
    let status = desk.says("status");
    let json = desk.says("status --json");
    for (shown, what) in [
        (&games, "games"),
        (&game, "show"),
        (&status, "status"),
        (&json, "status --json"),
    ] {
        lacks(shown, &SECRETS, what);
    }
    // Who leads which power is shown only if a master asks for it.
    for (shown, what) in [
        (&games, "games"),
        (&status, "status"),
        (&json, "status --json"),
    ] {
        lacks(shown, &["ben@example.org", "england"], what);
    }

    desk.mail(
        "gm",
        "SIGNON Mtokyo hazelnut\nUNSTART\nSET BLINDMASTER\nSET AUTO START",
    );
    let sealed = desk.says("show tokyo");
    lacks(
        &sealed,
        &["draw yes", "no order processed"],
        "show of a sealed game",
    );

    let log = desk.log.clone();
    assert!(
        log.contains("recorded game=\"tokyo\" events=\"voted\""),
        "{log}"
    );
    lacks(&log, &SECRETS, "the log");
    lacks(
        &log,
        &[
            "england",
            "draw",
            "signon",
            "army",
            "fleet",
            "ben@example.org",
        ],
        "the log",
    );
    assert!(
        fs::read_dir(desk.path("mail/out/new")).unwrap().count() > 20,
        "mails went out all the while"
    );
}
