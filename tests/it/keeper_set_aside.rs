//! What is set aside in an inbox that has become another judge's, what comes again after the keeper has removed it, and what
//! the mail server at the other end of the pipe hears of all that.

use std::fs;
use std::net::TcpListener;
use std::path::PathBuf;

use super::keeper_store::{Judge, SECRET, files, holds, registration, riddle, said, until};

/// The messages set aside below a folder, as they came.
fn originals(judge: &Judge, place: &str) -> Vec<PathBuf> {
    let mut found = files(&judge.path(place));
    found.retain(|path| holds(path, SECRET));
    found
}

#[test]
fn what_lies_in_an_inbox_that_is_anothers_now_is_neither_read_again_nor_removed() {
    let folder = tempfile::tempdir().unwrap();
    let first = Judge::made(&folder.path().join("first"));
    let second = Judge::made(&folder.path().join("second"));
    let inbox = |judge: &Judge| judge.path("mail/in").display().to_string();
    second.configure(&inbox(&second), &inbox(&first));
    first.inbox().deliver(riddle(1).as_bytes(), None).unwrap();
    first.ends("tick", 0);
    let before = originals(&first, "mail/in/.Rejected");
    assert_eq!(before.len(), 1);

    let daemon = second.start("run --take-inbox");
    daemon.waits_for("running");
    first
        .inbox()
        .deliver(registration("anna").as_bytes(), None)
        .unwrap();
    until(
        || second.sent_to("anna").len() == 1,
        || "no answer".to_owned(),
    );
    drop(daemon);

    for line in ["set-aside retry 1", "set-aside delete 1"] {
        let said = first.ends(line, 1);
        assert!(
            said.contains("belongs to the judge with the store"),
            "{line}: {said}"
        );
        assert_eq!(originals(&first, "mail/in"), before, "{line}");
        let list = first.ends("set-aside list", 0);
        assert!(list.contains("1  arrived"), "{line}: {list}");
    }
    // It is removed once the inbox is back.
    let daemon = first.start("run --take-inbox");
    daemon.waits_for("running");
    let mut removed = None;
    until(
        || {
            let output = first.command("set-aside delete 1").output().unwrap();
            removed = output.status.success().then_some(output);
            removed.is_some()
        },
        || "the inbox has not come back".to_owned(),
    );
    let removed = said("set-aside delete 1", &removed.unwrap(), 0);
    assert!(removed.contains("is removed from there"), "{removed}");
    assert_eq!(originals(&first, "mail/in").len(), 0);
}

#[test]
fn what_was_removed_and_comes_again_is_set_aside_again() {
    let folder = tempfile::tempdir().unwrap();
    let judge = Judge::made(folder.path());
    let by_pipe = || said("deliver", &judge.deliver(&riddle(1)), 0);
    let by_maildir = || {
        let inbox = judge.inbox();
        inbox.deliver(riddle(2).as_bytes(), None).unwrap();
        judge.ends("tick", 0)
    };
    let ways: [(&dyn Fn() -> String, &str); 2] = [
        (&by_pipe, "data/rejected"),
        (&by_maildir, "mail/in/.Rejected"),
    ];
    let mut number = 0;
    for (comes, place) in ways {
        for _ in 0..3 {
            comes();
            number += 1;
            let list = judge.ends("set-aside list", 0);
            assert_eq!(list.matches("arrived").count(), 1, "{list}");
            assert!(list.contains(&format!("{number}  arrived")), "{list}");
            let shown = judge.ends(&format!("set-aside show {number}"), 0);
            assert!(shown.contains("A Par-Bur"), "{shown}");
            assert_eq!(originals(&judge, place).len(), 1);
            judge.ends(&format!("set-aside delete {number}"), 0);
            assert_eq!(originals(&judge, place).len(), 0);
        }
    }
    // A second copy of a message that is still there does not count as a second message.
    by_pipe();
    by_pipe();
    let list = judge.ends("set-aside list", 0);
    assert_eq!(list.matches("arrived").count(), 1, "{list}");
}

/// Some servers take any output of the pipe for a failure and send it to the writer of the mail.
#[test]
fn deliver_says_nothing_of_what_is_no_failure() {
    let folder = tempfile::tempdir().unwrap();
    let judge = Judge::made(folder.path());
    let silent = |message: &str, why: &str| {
        let words = said("deliver", &judge.deliver(message), 0);
        assert_eq!(words, "", "{why}");
    };
    silent(&registration("anna"), "handled");
    silent(&registration("anna"), "handled before");
    silent(&riddle(1), "set aside");
    assert!(judge.ends("set-aside", 0).contains("1  arrived"));

    // No server listens where mails are to be delivered.
    let port = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let config = judge.path("dipjudge.toml");
    let text = fs::read_to_string(&config).unwrap();
    let (rest, _) = text.split_once("\n[outbox]\n").unwrap();
    let outbox = format!(
        "\n[outbox]\nkind = \"smtp\"\nhost = \"127.0.0.1\"\nport = {port}\ntls = \"none\"\n"
    );
    fs::write(&config, format!("{rest}{outbox}")).unwrap();
    silent(&registration("ben"), "the server is away");
    let status = judge.ends("status --json", 0);
    let status: serde_json::Value = serde_json::from_str(&status).unwrap();
    assert_eq!(status["outbox"]["mails"], 1, "{status}");

    let daemon = judge.start("run");
    daemon.waits_for("running");
    silent(&registration("cleo"), "left to the daemon");
}
