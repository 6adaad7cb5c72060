//! What the log holds of a game through real mail servers, whatever the keeper asks to be logged: no password, no token, no
//! letter, no order.

use std::collections::BTreeSet;
use std::fs;

use crate::judge_folder::JudgeFolder;
use crate::mail_system::{MailSystem, PATIENCE};

const PEOPLE: [&str; 8] = ["gm", "anna", "ben", "cleo", "dirk", "emma", "finn", "gwen"];

/// What a keeper may ask to be logged.
const LEVELS: [&str; 4] = [
    "trace",
    "debug",
    "info,lettre=trace,imap=trace,rustls=trace,tokio_rustls=trace,sled=trace,mail_parser=trace",
    "dipjudge=trace",
];

/// Words that are nobody's but their reader's; in small letters.
const SECRETS: [&str; 9] = [
    "pw-judge",             // the judge's own, at both servers
    "agp1zgdlahb3lwp1zgdl", // the same as a login sends it
    "chctanvkz2u",          // and alone
    "hazelnut",             // a master's
    "blackthorn",           // a player's
    "foxglove",             // a wrong one
    "wormwood",             // a letter
    "lon-nth",              // an order
    "north sea",            // the same as the judge says it
];

#[test]
fn no_level_of_logging_shows_what_goes_over_the_wires() {
    let accounts: Vec<&str> = ["judge", "keeper"].iter().chain(&PEOPLE).copied().collect();
    let Some(mail) = MailSystem::start(&accounts) else {
        return;
    };
    // A server that names the sender's address in its refusal.
    mail.restart_smtp_without_queue_runs(&|config| {
        let own = "message = 5.1.1 no such user here";
        assert!(config.contains(own));
        config
            .replace(
                own,
                "message = 5.7.1 <$sender_address> is not permitted here",
            )
            // All that came over one connection goes at once.
            .replace("log_selector =", "queue_only = false\nlog_selector =")
    });
    let judge = folder(&mail);
    let mut log = String::new();
    for (stage, level) in LEVELS.iter().enumerate() {
        post(&mail, stage);
        let before = mail.mails("gm", "INBOX").len();
        if stage == 1 {
            let file = fs::File::create(judge.path("log")).unwrap();
            let mut daemon = judge
                .command("run")
                .env("RUST_LOG", level)
                .stderr(file)
                .spawn()
                .unwrap();
            judge.await_until("the answers", || {
                mail.mails("gm", "INBOX").len() > before
                    && mail.mails("judge", "INBOX").is_empty()
                    && judge.outbox()["mails"] == judge.outbox()["in_retry"]
            });
            daemon.kill().unwrap();
            daemon.wait().unwrap();
            log.push_str(&judge.log());
        } else {
            let output = judge
                .command("tick")
                .env("RUST_LOG", level)
                .output()
                .unwrap();
            assert!(output.status.success(), "{output:?}");
            log.push_str(&String::from_utf8_lossy(&output.stderr));
            mail.await_mails("gm", "INBOX", before + 1);
        }
    }

    let lower = log.to_lowercase();
    for secret in SECRETS {
        assert!(!lower.contains(secret), "the log holds '{secret}':\n{log}");
    }
    let tokens = tokens(&mail);
    assert!(tokens.len() > 20, "{tokens:?}");
    for token in tokens {
        assert!(!lower.contains(&token), "the log holds a token:\n{log}");
    }

    assert!(
        log.contains("recorded game=\"tokyo\""),
        "it tells something:\n{log}"
    );
    assert!(
        log.contains("is not permitted here"),
        "what the server says:\n{log}"
    );
    assert!(
        log.contains("judge+...@mail.test"),
        "but not all of it:\n{log}"
    );
}

fn folder(mail: &MailSystem) -> JudgeFolder {
    let judge = JudgeFolder::new("mail.test", "");
    fs::write(judge.path("password"), MailSystem::password("judge")).unwrap();
    let end = |kind: &str, port: u16| {
        format!(
            "kind = \"{kind}\"\nhost = \"localhost\"\nport = {port}\ntls = \"implicit\"\nuser = \"judge\"\npassword_file = \"password\"\n"
        )
    };
    judge.configure(&format!(
        "[inbox]\n{}\n[outbox]\n{}\n[trust]\nca_file = \"{}\"\n",
        end("imap", mail.ports.imaps),
        end("smtp", mail.ports.smtps),
        mail.ca_file().display()
    ));
    judge
}

/// The mails of one stage of the game.
fn post(mail: &MailSystem, stage: usize) {
    let before = mail.mails("judge", "INBOX").len();
    let mut count = 0;
    let mut write = |name: &str, text: &str| {
        count += 1;
        let message = format!(
            "From: {name}@mail.test\nTo: judge@mail.test\nSubject: a mail\nMessage-ID: <{stage}-{count}@mail.test>\n\
             Date: Mon, 02 Mar 2026 12:00:00 +0000\n\n{text}\n"
        );
        mail.send(&format!("{name}@mail.test"), "judge@mail.test", &message);
        mail.await_mails("judge", "INBOX", before + count);
    };
    match stage {
        0 => {
            for name in PEOPLE.iter().chain(&["reject"]) {
                write(name, &format!("REGISTER\nName: {name}\nLevel: Novice\nEND"));
            }
            write(
                "gm",
                "CREATE ?tokyo hazelnut\nBECOME MASTER\nSET WHITE/GREY",
            );
        }
        1 => {
            for (name, letter) in PEOPLE[1..].iter().zip(["A", "E", "F", "G", "I", "R", "T"]) {
                write(
                    name,
                    &format!("SIGNON ?tokyo blackthorn\nSET PREFERENCE {letter}"),
                );
            }
        }
        2 => {
            write(
                "ben",
                "SIGNON Etokyo blackthorn\nF Lon-Nth\nBROADCAST\nwormwood\nENDBROADCAST",
            );
            write(
                "cleo",
                "SIGNON Ftokyo foxglove\nPRESS TO E\nwormwood\nENDPRESS",
            );
        }
        _ => write(
            "gm",
            "SIGNON Mtokyo hazelnut\nLIST tokyo\nPRESS TO E\nwormwood\nENDPRESS",
        ),
    }
}

/// What stands behind a plus in any address of the judge, in any mail that anybody got.
fn tokens(mail: &MailSystem) -> BTreeSet<String> {
    let begun = std::time::Instant::now();
    let mut found = BTreeSet::new();
    for name in PEOPLE {
        for text in mail.mails(name, "INBOX") {
            assert!(begun.elapsed() < PATIENCE);
            for part in text.split("judge+").skip(1) {
                let token: String = part
                    .chars()
                    .take_while(char::is_ascii_alphanumeric)
                    .collect();
                if token.len() > 10 {
                    found.insert(token.to_lowercase());
                }
            }
        }
    }
    found
}
