//! The machine is gone, with the store and all that lay beside it: yesterday's backup and the mailbox are enough.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::each_step::{ACTS, running_game};
use crate::folder::{Content, Folder, SentMail, minute};

/// What the judge lost is gone; what the mail server and the second place hold is there still.
fn lose(folder: &Folder) {
    for lost in ["data", "backup"] {
        fs::remove_dir_all(folder.path.join(lost)).unwrap();
    }
}

fn with_input(command: &mut Command, input: &str) -> Output {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(input.as_bytes())
        .unwrap();
    child.wait_with_output().unwrap()
}

fn ticks(folder: &Folder, at: i64) {
    let output = folder.tick(minute(at)).output().unwrap();
    assert!(output.status.success(), "{output:?}");
}

fn catches_up(folder: &Folder, backup: &Path, more: &[&str], at: i64) -> String {
    let (backup, at) = (backup.to_str().unwrap(), minute(at).to_string());
    let arguments = ["restore", backup, "--catch-up", "--at", &at];
    folder.run(&[&arguments, more].concat())
}

fn is_what_it_was(now: &Content, lost: &Content) {
    for (line, other) in now.store.iter().zip(&lost.store) {
        assert_eq!(line, other);
    }
    assert_eq!(now.store.len(), lost.store.len());
}

#[test]
fn with_the_journal_everything_comes_back_byte_for_byte_and_nobody_gets_a_mail_twice() {
    let place = tempfile::tempdir().unwrap();
    let folder = running_game(&place.path().join("game"), "copy_to = \"../second\"\n");
    // The game began before the backup of today; what follows is in no backup.
    let second = place.path().join("second");
    let copies = || -> Vec<String> {
        let entries = fs::read_dir(&second).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    };
    assert_eq!(
        copies(),
        ["dipjudge-2030-03-04.jsonl", "journal-2030-03-04.jsonl"]
    );
    let backup = place.path().join("yesterday");
    fs::copy(second.join("dipjudge-2030-03-04.jsonl"), &backup).unwrap();
    for act in &ACTS {
        (act.comes)(&folder);
        ticks(&folder, act.at);
    }
    let last = ACTS[2].at;
    // Mail by pipe, a new game with its seed, an act of the keeper.
    let at = minute(last + 5).to_string();
    let piped = "From: gm@players.test\nTo: judge@mail.test\nSubject: new\nMessage-ID: <20.gm@players.test>\n\n\
                 CREATE ?friday fpw\nBECOME MASTER\nSET LIST\n";
    let output = with_input(&mut folder.command(&["deliver", "--at", &at]), piped);
    assert!(output.status.success(), "{output:?}");
    let output = with_input(
        &mut folder.command(&["act", "kaiser"]),
        "BROADCAST\nHello.\nENDBROADCAST\nSET COMMENT kept\n",
    );
    assert!(output.status.success(), "{output:?}");
    ticks(&folder, last + 10);
    let lost = folder.content();
    assert!(
        lost.store.iter().any(|line| line.contains("friday")),
        "{:#?}",
        lost.sent.last()
    );
    lose(&folder);
    let said = catches_up(&folder, &backup, &[], last + 20);
    assert!(said.contains("1 of your acts"), "{said}");
    assert!(
        !said.contains("There is no journal") && !said.contains("Paused"),
        "{said}"
    );
    is_what_it_was(&folder.content(), &lost);
    ticks(&folder, last + 20);
    let of_players = |content: Content| -> Vec<SentMail> {
        let mut sent = content.sent;
        sent.retain(|mail| mail.to != "keeper@mail.test");
        sent
    };
    let (now, before) = (of_players(folder.content()), of_players(lost));
    assert_eq!(now.len(), before.len(), "nobody gets a mail twice");
    assert!(now == before);
    let verified = folder.run(&["verify"]);
    assert!(
        verified.contains("kaiser") && verified.contains("friday"),
        "{verified}"
    );
}

#[test]
fn without_a_journal_what_no_mailbox_holds_is_missing_and_said() {
    let place = tempfile::tempdir().unwrap();
    let folder = running_game(&place.path().join("game"), "");
    let backup = folder.path.join("yesterday");
    folder.run(&["backup", "yesterday"]);
    // Each message is taken at the minute at which it arrives.
    let letter = |who: &str| folder.power_of(who).chars().next().unwrap();
    let (anna, ben) = (letter("anna"), letter("ben"));
    folder.writes(
        "anna",
        3,
        &format!("SIGNON {anna}kaiser apw\nPRESS TO ALL\nPeace?\nENDPRESS"),
        minute(20),
    );
    ticks(&folder, 20);
    folder.writes(
        "ben",
        3,
        &format!("SIGNON {ben}kaiser bpw\nSET WAIT"),
        minute(30),
    );
    ticks(&folder, 30);
    let lost = folder.content();
    // This one is new, and its seed is nowhere.
    folder.writes("gm", 4, "CREATE ?friday fpw gunboat\nSET LIST", minute(40));
    ticks(&folder, 40);
    lose(&folder);
    let said = catches_up(&folder, &backup, &[], 50);
    assert!(said.contains("3 messages are taken again"), "{said}");
    assert!(said.contains("There is no journal"), "{said}");
    let now = folder.content();
    let records = |content: &Content| -> Vec<String> {
        let of_game = |line: &&String| line.starts_with("{\"record\":{\"log\":\"kaiser\"");
        content.store.iter().filter(of_game).cloned().collect()
    };
    assert_eq!(records(&now), records(&lost));
    assert!(!now.mails_wait());
}

#[test]
fn a_game_that_hides_something_waits_and_with_resend_the_same_mails_go_out_again() {
    let place = tempfile::tempdir().unwrap();
    let folder = running_game(&place.path().join("game"), "copy_to = \"../second\"\n");
    let blind = "CREATE ?shade spw gunboat\nBECOME MASTER\nSET LIST";
    folder.writes("gm", 6, blind, minute(9));
    for (number, who) in [(7, "anna"), (8, "ben")] {
        folder.writes(
            who,
            number,
            &format!("SIGNON ?shade {who}pw gunboat"),
            minute(10),
        );
    }
    folder.writes("gm", 9, "SIGNON Mshade spw\nFORCE BEGIN", minute(11));
    ticks(&folder, 12);
    folder.run(&["backup", "../yesterday"]);
    folder.writes("anna", 12, "LIST shade", minute(20));
    ticks(&folder, 20);
    let lost = folder.content();
    lose(&folder);
    let said = catches_up(&folder, &place.path().join("yesterday"), &["--resend"], 30);
    assert!(said.contains("Paused") && said.contains("shade"), "{said}");
    ticks(&folder, 40);
    let now = folder.content();
    let again: Vec<_> = now.sent[lost.sent.len()..].iter().collect();
    let answers = again.iter().filter(|mail| lost.sent.contains(mail));
    assert_eq!(answers.count(), 1, "the answer to LIST, as it was");
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let notices = again
        .iter()
        .filter(|mail| words(&mail.text).contains("has lost its machine"));
    let told: Vec<&str> = notices.map(|mail| mail.to.as_str()).collect();
    assert_eq!(
        told.len(),
        3,
        "gm, anna and ben learn why it waits: {told:?}"
    );
    let said = folder.run(&["resume-all"]);
    assert!(said.contains("shade"), "{said}");
}
