//! A judge in play is removed with its store. Yesterday's backup and the mailbox on the IMAP server give the same state byte for byte, and no
//! player gets a mail twice.

use std::fs;
use std::path::PathBuf;

use dipjudge::shell::config::Config;
use dipjudge::shell::daemon::{MailHandler, setup};
use dipjudge::store::Store;
use jiff::{SignedDuration, Timestamp};

use crate::checks::imap;
use crate::judge_folder::JudgeFolder;
use crate::mail_system::{MailSystem, until};
use crate::store_lines::store_lines;

const PLAYERS: [&str; 3] = ["gm", "anna", "ben"];

/// A judge whose mail lies on a server.
struct Play<'a> {
    mail: &'a MailSystem,
    judge: JudgeFolder,
    number: u32,
}

impl Play<'_> {
    fn data(&self) -> PathBuf {
        self.judge.path("data")
    }

    fn tick(&self, at: Timestamp) {
        let output = self.judge.run(&format!("tick --at {at}"));
        assert!(output.status.success(), "{output:?}");
    }

    /// When something falls due next.
    fn next_due(&self) -> Option<Timestamp> {
        let config = Config::load(Some(&self.judge.path("dipjudge.toml")), []).unwrap();
        let store = Store::open(&self.data()).unwrap();
        let (settings, templates) = (setup::settings(&config), setup::templates(&config).unwrap());
        let judge = setup::judge(&store, settings, templates).unwrap();
        MailHandler::next_due(&judge)
    }

    /// Does everything due before `until`, each thing at its time.
    fn time_passes(&self, until: Timestamp) {
        while let Some(due) = self.next_due().filter(|due| *due < until) {
            self.tick(due);
        }
    }

    /// A message arrives, and is taken at once.
    fn writes(&mut self, who: &str, lines: &str, at: Timestamp) {
        self.number += 1;
        self.time_passes(at);
        let number = self.number;
        let message = format!(
            "From: {who}@mail.test\r\nTo: judge@mail.test\r\nSubject: game\r\nMessage-ID: <{number}.{who}@mail.test>\r\n\r\n{lines}\r\n"
        );
        self.mail.drop_into("judge", message.as_bytes(), Some(at));
        self.tick(at);
        assert_eq!(self.mail.mails("judge", "Processed").len(), number as usize);
    }

    /// What everybody has received, once the mail servers have handed on all that the judge sent.
    fn received(&self) -> Vec<Vec<String>> {
        let all = || PLAYERS.map(|who| self.mail.mails(who, "INBOX"));
        let (mut before, mut quiet) = (all(), 0);
        while quiet < 10 {
            std::thread::sleep(std::time::Duration::from_millis(100));
            let now = all();
            quiet = if now == before { quiet + 1 } else { 0 };
            before = now;
        }
        before.to_vec()
    }
}

fn at(minute: i64) -> Timestamp {
    let start: Timestamp = "2030-03-04T10:00:00Z".parse().unwrap();
    start + SignedDuration::from_mins(minute)
}

#[test]
fn a_judge_in_play_comes_back_byte_for_byte_from_its_backup_and_its_mailbox() {
    let Some(mail) = MailSystem::start(&["judge", "keeper", "gm", "anna", "ben"]) else {
        return;
    };
    let judge = JudgeFolder::new("mail.test", "");
    fs::write(judge.path("password"), "pw-judge").unwrap();
    judge.configure(&format!(
        "{}\n[outbox]\nkind = \"smtp\"\nhost = \"localhost\"\nport = {}\ntls = \"starttls\"\nrate_per_minute = 100000\n[trust]\nca_file = \"{}\"\n",
        imap("localhost", mail.ports.imaps, "implicit"),
        mail.ports.smtp,
        mail.ca_file().display()
    ));
    let mut play = Play {
        mail: &mail,
        judge,
        number: 0,
    };
    for (minute, who) in PLAYERS.into_iter().enumerate() {
        let form = format!("REGISTER\nName: {who}\nLevel: Novice\nEND");
        play.writes(who, &form, at(minute as i64));
    }
    for (minute, who, lines) in [
        (4, "gm", "CREATE ?kaiser mpw\nBECOME MASTER\nSET LIST"),
        (5, "anna", "SIGNON ?kaiser apw"),
        (6, "ben", "SIGNON ?kaiser bpw"),
        (7, "gm", "SIGNON Mkaiser mpw\nFORCE BEGIN\nSET NMR"),
    ] {
        play.writes(who, lines, at(minute));
    }
    play.judge.says("backup yesterday");
    // A day and more is played on: letters, orders, a deadline, results.
    let shown = play.judge.says("users anna@mail.test");
    let anna = shown
        .split_once("kaiser (")
        .unwrap()
        .1
        .chars()
        .next()
        .unwrap();
    for (minute, who, lines) in [
        (
            30,
            "anna",
            format!("SIGNON {anna}kaiser apw\nPRESS TO ALL\nPeace?\nENDPRESS"),
        ),
        (45, "ben", "LIST kaiser".to_owned()),
        (60, "gm", "SIGNON Mkaiser mpw\nSET COMMENT kept".to_owned()),
        (26_000, "anna", format!("SIGNON {anna}kaiser apw\nLIST")),
    ] {
        play.writes(who, &lines, at(minute));
    }
    let (lost, received) = (store_lines(&play.data()), play.received());
    assert!(
        received
            .iter()
            .all(|mails| mails.iter().any(|mail| mail.contains("Results"))),
        "the deadline has passed"
    );
    fs::remove_dir_all(play.data()).unwrap();
    let said = play
        .judge
        .says(&format!("restore yesterday --catch-up --at {}", at(26_000)));
    assert!(said.contains("4 messages are taken again"), "{said}");
    assert!(!said.contains("Paused"), "{said}");
    let now = store_lines(&play.data());
    for (line, other) in now.iter().zip(&lost) {
        assert_eq!(line, other);
    }
    assert_eq!(now.len(), lost.len());
    // It goes on, and nobody has read anything twice.
    play.tick(at(26_000));
    assert_eq!(play.received(), received);
    play.writes("ben", "LIST kaiser", at(26_010));
    until(
        "the next answer",
        || mail.mails("ben", "INBOX").len() == received[2].len() + 1,
        || mail.logs(),
    );
    assert!(play.judge.says("verify").contains("kaiser"));
}
