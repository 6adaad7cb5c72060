//! Mail that comes back, through the program: it is matched by the token of its return path; three failures over two days mark the
//! address, and one mail from there clears it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use jiff::{SignedDuration, Timestamp};

use crate::judge_folder::JudgeFolder;
use crate::scripted_smtp::{Response, Server};

/// A mail that went out, as the server saw it.
#[derive(Clone, Debug)]
struct Sent {
    return_path: String,
    to: String,
    text: String,
}

/// A judge, and a server that takes all its mail.
struct Desk {
    judge: JudgeFolder,
    sent: Arc<Mutex<Vec<Sent>>>,
    day: i64,
}

fn between_brackets(command: &str) -> String {
    let inside = command.split_once('<').map_or("", |(_, rest)| rest);
    inside.split('>').next().unwrap_or_default().to_owned()
}

impl Desk {
    /// Anna is the master of a game that is forming, and Ben plays in it, whose mail goes to another address than the one from
    /// which he registered.
    fn new() -> Desk {
        let sent: Arc<Mutex<Vec<Sent>>> = Arc::default();
        let collected = Arc::clone(&sent);
        // Several connections are open at once.
        let paths: Mutex<BTreeMap<usize, (String, String)>> = Mutex::default();
        let server = Server::start(move |connection, command| {
            let mut paths = paths.lock().unwrap();
            let paths = paths.entry(connection).or_default();
            if command.starts_with("MAIL") {
                paths.0 = between_brackets(command);
            } else if command.starts_with("RCPT") {
                paths.1 = between_brackets(command);
            } else if let Some(text) = command.strip_prefix("TEXT\n") {
                let (return_path, to) = paths.clone();
                let text = text.to_owned();
                collected.lock().unwrap().push(Sent {
                    return_path,
                    to,
                    text,
                });
            }
            Response::AsUsual
        });
        let mut desk = Desk {
            judge: JudgeFolder::sending_to(server.port),
            sent,
            day: 0,
        };
        for name in ["anna", "ben"] {
            let form = format!("REGISTER\nName: {name}\nLevel: Novice\nCountry: Sweden\nEND");
            desk.judge.arrives(&format!("{name}@ex.org"), &form);
        }
        desk.judge
            .arrives("anna@ex.org", "CREATE ?kaiser apw\nBECOME MASTER");
        desk.judge
            .arrives("ben@ex.org", "SIGNON ?kaiser bpw\nSET ADDRESS ben@new.org");
        desk.tick();
        let asked = desk.last_to("ben@new.org");
        let answers: Vec<String> = asked
            .text
            .lines()
            .filter_map(|line| line.strip_prefix("Reply-To: "))
            .map(between_brackets_or_whole)
            .collect();
        desk.judge.arrives_at("ben@new.org", &answers[0], "yes");
        desk.tick();
        assert!(desk.got("ben@ex.org", "now goes to ben@new.org"));
        desk
    }

    fn tick(&mut self) {
        let hour = Timestamp::now() + SignedDuration::from_hours(24 * self.day + 1);
        let output = self.judge.run(&format!("tick --at {hour}"));
        assert!(output.status.success(), "{output:?}");
    }

    fn last_to(&self, address: &str) -> Sent {
        let sent = self.sent.lock().unwrap();
        let last = sent.iter().rev().find(|sent| sent.to == address);
        last.unwrap_or_else(|| panic!("nothing went to {address}"))
            .clone()
    }

    fn got(&self, address: &str, words: &str) -> bool {
        let sent = self.sent.lock().unwrap();
        sent.iter().any(|sent| {
            // Soft line breaks of quoted-printable.
            let text = sent.text.replace("=\n", "");
            let text: Vec<&str> = text.split_whitespace().collect();
            sent.to == address && text.join(" ").contains(words)
        })
    }

    /// A report that a mail with this return path has failed.
    fn comes_back(&mut self, return_path: &str, day: i64) {
        self.day = day;
        self.judge.arrives_with(
            "MAILER-DAEMON@ex.org",
            return_path,
            "Return-Path: <>\nMIME-Version: 1.0\nContent-Type: multipart/report; report-type=delivery-status; boundary=b",
            "--b\nContent-Type: text/plain\n\nIt failed.\n--b\nContent-Type: message/delivery-status\n\n\
             Reporting-MTA: dns; ex.org\n\nFinal-Recipient: rfc822; somebody@elsewhere.org\nAction: failed\nStatus: 5.1.1\n\n--b--",
        );
        self.tick();
    }
}

fn between_brackets_or_whole(field: &str) -> String {
    match between_brackets(field) {
        inside if inside.is_empty() => field.trim().to_owned(),
        inside => inside,
    }
}

#[test]
fn three_failures_over_two_days_mark_an_address_and_a_mail_from_there_clears_it() {
    let mut desk = Desk::new();
    desk.judge
        .arrives("ben@new.org", "SIGNON ?kaiser bpw\nLIST kaiser");
    desk.tick();
    let path = desk.last_to("ben@new.org").return_path;
    assert!(path.starts_with("judge+b"), "{path}");

    for day in [0, 1] {
        desk.comes_back(&path, day);
    }
    assert!(!desk.judge.says("status").contains("ben@new.org"));
    desk.comes_back(&path, 2);
    assert!(desk.got("keeper@judge.test", "Mail to ben@new.org does not arrive"));
    assert!(desk.got("anna@ex.org", "game 'kaiser' does not arrive"));
    let status = desk.judge.says("status");
    assert!(
        status.contains("ben@new.org: 0 given up, 0 waiting, 3 came back"),
        "{status}"
    );

    // His other address is used.
    let before = desk.sent.lock().unwrap().len();
    desk.judge.arrives(
        "anna@ex.org",
        "SIGNON Mkaiser apw\nPRESS TO ALL\nHello.\nENDPRESS",
    );
    desk.tick();
    let went = |desk: &Desk, since: usize| -> Vec<String> {
        let sent = desk.sent.lock().unwrap();
        let press = sent[since..]
            .iter()
            .filter(|sent| sent.to.starts_with("ben@"));
        press.map(|sent| sent.to.clone()).collect()
    };
    assert_eq!(went(&desk, before), ["ben@ex.org"]);

    // One mail from there clears it.
    desk.judge
        .arrives("ben@new.org", "SIGNON ?kaiser bpw\nLIST kaiser");
    desk.tick();
    assert!(!desk.judge.says("status").contains("ben@new.org"));
    let before = desk.sent.lock().unwrap().len();
    desk.judge.arrives(
        "anna@ex.org",
        "SIGNON Mkaiser apw\nPRESS TO ALL\nHello again.\nENDPRESS",
    );
    desk.tick();
    assert_eq!(went(&desk, before), ["ben@new.org"]);
}

#[test]
fn who_comes_back_reads_in_one_mail_what_he_has_missed() {
    let mut desk = Desk::new();
    desk.judge.arrives(
        "cleo@ex.org",
        "REGISTER\nName: Cleo\nLevel: Novice\nCountry: Norway\nEND",
    );
    desk.judge.arrives("cleo@ex.org", "SIGNON ?kaiser cpw");
    desk.tick();
    let path = desk.last_to("cleo@ex.org").return_path;
    for day in [0, 1, 2] {
        desk.comes_back(&path, day);
    }
    assert!(desk.judge.says("status").contains("cleo@ex.org"));
    for words in ["The first letter.", "The second letter."] {
        let line = format!("SIGNON Mkaiser apw\nBROADCAST\n{words}\nENDBROADCAST");
        desk.judge.arrives("anna@ex.org", &line);
    }
    desk.tick();
    let before = desk.sent.lock().unwrap().len();
    desk.judge
        .arrives("cleo@ex.org", "SIGNON ?kaiser cpw\nVERSION");
    desk.tick();
    let missed: Vec<Sent> = desk.sent.lock().unwrap()[before..]
        .iter()
        .filter(|sent| sent.to == "cleo@ex.org" && sent.text.contains("What You Have Missed"))
        .cloned()
        .collect();
    assert_eq!(missed.len(), 1, "{missed:?}");
    assert!(missed[0].text.contains("The first letter."), "{missed:?}");
    assert!(missed[0].text.contains("The second letter."));
    assert!(!desk.judge.says("status").contains("cleo@ex.org"));
    // Once, and nothing to those whose mail arrives.
    let before = desk.sent.lock().unwrap().len();
    for name in ["cleo", "anna"] {
        desk.judge
            .arrives(&format!("{name}@ex.org"), "VERSION\nLIST");
    }
    desk.tick();
    let sent = desk.sent.lock().unwrap();
    assert!(
        sent[before..]
            .iter()
            .all(|sent| !sent.text.contains("Have Missed"))
    );
}

#[test]
fn a_failure_notice_elsewhere_is_matched_by_what_it_calls_the_mail() {
    let mut desk = Desk::new();
    desk.judge
        .arrives("ben@new.org", "SIGNON ?kaiser bpw\nVERSION");
    desk.tick();
    let path = desk.last_to("ben@new.org").return_path;
    let token = path
        .split_once('+')
        .unwrap()
        .1
        .split_once('@')
        .unwrap()
        .0
        .to_owned();
    for day in [0, 1, 2] {
        desk.day = day;
        desk.judge.arrives_with(
            "MAILER-DAEMON@ex.org",
            "judge@judge.test",
            "Return-Path: <>\nMIME-Version: 1.0\nContent-Type: multipart/report; report-type=delivery-status; boundary=b",
            &format!(
                "--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; ex.org\nOriginal-Envelope-Id: {token}\n\n\
                 Final-Recipient: rfc822; somebody@elsewhere.org\nAction: failed\nStatus: 5.1.1\n\n--b--"
            ),
        );
        desk.tick();
    }
    assert!(desk.judge.says("status").contains("ben@new.org"));
}

#[test]
fn an_abuse_report_goes_to_the_keeper_with_its_game_and_player() {
    let mut desk = Desk::new();
    desk.judge
        .arrives("ben@new.org", "SIGNON ?kaiser bpw\nVERSION");
    desk.tick();
    let path = desk.last_to("ben@new.org").return_path;
    let report = |path: &str| {
        format!(
            "--b\nContent-Type: text/plain\n\nAn abuse report.\n--b\nContent-Type: message/feedback-report\n\nFeedback-Type: abuse\n\
             Version: 1\nOriginal-Mail-From: <{path}>\n\n--b\nContent-Type: message/rfc822\n\nFrom: judge@judge.test\nTo: redacted\n\
             Subject: kaiser\n\nText\n\n--b--"
        )
    };
    let header = "MIME-Version: 1.0\nContent-Type: multipart/report; report-type=feedback-report; boundary=b";
    // One that names no mail of the judge accuses nobody.
    for path in ["judge+bqqqqqqqqqqqqqqqqqqqqqqqqqq@judge.test", &path] {
        assert!(!desk.got("keeper@judge.test", "is unwanted"));
        let to = "judge@judge.test";
        desk.judge
            .arrives_with("feedback@provider.org", to, header, &report(path));
        desk.tick();
    }
    assert!(desk.got(
        "keeper@judge.test",
        "ben (ben@new.org) has told a mail provider that a mail of the judge is unwanted. This address has a seat in 'kaiser'."
    ));
}

#[test]
fn nobody_marks_an_address_without_a_return_path_of_a_mail_to_it() {
    let mut desk = Desk::new();
    let annas = desk.last_to("anna@ex.org").return_path;
    let (local, host) = annas.split_once('@').unwrap();
    // Letters put together by somebody who has seen return paths of his own.
    let forged = format!("{}aaaa@{host}", &local[..local.len() - 4]);
    for day in [0, 1, 2, 3] {
        desk.comes_back(&forged, day);
        desk.comes_back("judge+baaaaaaaaaaaaaaaaaaaaaaaaaa@judge.test", day);
        desk.comes_back("judge@judge.test", day);
    }
    assert!(!desk.judge.says("status").contains("came back"));
}
