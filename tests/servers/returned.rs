//! Mail that comes back, through real servers: Exim takes the mail to a mailbox that is not there, Dovecot refuses it, and Exim's report goes to
//! the return path at the judge.

use std::fs;

use jiff::{SignedDuration, Timestamp};

use crate::checks::imap;
use crate::judge_folder::JudgeFolder;
use crate::mail_system::{MailSystem, until};

fn message(from: &str, number: u32, text: &str) -> String {
    format!(
        "From: {from}\r\nTo: judge@mail.test\r\nSubject: mail {number}\r\nMessage-ID: <{number}@players.test>\r\n\r\n{text}\r\n"
    )
}

#[test]
fn a_mailbox_that_is_gone_is_marked_after_two_days_and_its_master_told() {
    let Some(mail) = MailSystem::start(&["judge", "keeper", "anna"]) else {
        return;
    };
    let judge = JudgeFolder::new("mail.test", "");
    fs::write(judge.path("password"), "pw-judge").unwrap();
    judge.configure(&format!(
        "{}\n[outbox]\nkind = \"smtp\"\nhost = \"localhost\"\nport = {}\ntls = \"starttls\"\n[trust]\nca_file = \"{}\"\n",
        imap("localhost", mail.ports.imaps, "implicit"),
        mail.ports.smtp,
        mail.ca_file().display()
    ));
    let tick = |day: i64| {
        let hour = Timestamp::now() + SignedDuration::from_hours(24 * day);
        let output = judge.run(&format!("tick --at {hour}"));
        assert!(output.status.success(), "{output:?}");
    };
    let form = |name: &str| format!("REGISTER\nName: {name}\nLevel: Novice\nCountry: Sweden\nEND");
    let (anna, ghost) = ("anna@mail.test", "ghost@mail.test");
    for (number, from, text) in [
        (1, anna, form("anna")),
        (2, ghost, form("ghost")),
        (3, anna, "CREATE ?kaiser apw\nBECOME MASTER".to_owned()),
        (4, ghost, "SIGNON ?kaiser gpw".to_owned()),
    ] {
        mail.send(from, "judge@mail.test", &message(from, number, &text));
        mail.await_mails("judge", "INBOX", 1);
        tick(0);
    }
    let handled = |count: usize| mail.mails("judge", "Processed").len() >= count;
    for day in 0..4 {
        let letter = format!("SIGNON Mkaiser apw\nPRESS TO ALL\nDay {day}.\nENDPRESS");
        let number = 10 + u32::try_from(day).unwrap();
        mail.send(anna, "judge@mail.test", &message(anna, number, &letter));
        // What came back before is among what waits.
        let before = mail.mails("judge", "Processed").len();
        until(
            "the letter",
            || {
                tick(day);
                handled(before + 1)
            },
            || mail.logs(),
        );
        until(
            "the report of a failure",
            || {
                let reports = mail.mails("judge", "INBOX");
                reports.iter().any(|report| report.contains("judge+b"))
            },
            || mail.logs(),
        );
        tick(day);
    }
    let status = judge.says("status");
    assert!(status.contains("ghost@mail.test: 0 given up"), "{status}");
    assert!(status.contains("came back"), "{status}");
    let told = |account: &str, words: &str| {
        mail.mails(account, "INBOX").iter().any(|text| {
            let text: Vec<&str> = text.split_whitespace().collect();
            text.join(" ").contains(words)
        })
    };
    until(
        "the notice",
        || {
            told("keeper", "Mail to ghost@mail.test does not arrive")
                && told("anna", "does not arrive")
        },
        || mail.logs(),
    );
}
