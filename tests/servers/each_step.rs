//! The program ends, or the connection breaks, at each step of IMAP and SMTP once, against real servers: no message is handled twice or
//! not at all, and every answer arrives.

use std::collections::BTreeMap;
use std::fs;
use std::time::Instant;

use crate::checks::imap;
use crate::judge_folder::JudgeFolder;
use crate::mail_system::{MailSystem, until};
use crate::planted_faults::{Fault, FaultReport, met, steps};

fn answers(mail: &MailSystem, number: u32) -> BTreeMap<String, usize> {
    let reply = format!("In-Reply-To: <{number}@players.test>");
    let mut found = BTreeMap::new();
    for text in mail.mails("anna", "INBOX") {
        if text.contains(&reply) {
            let mut lines = text.lines();
            let id = lines.find(|line| line.starts_with("Message-ID:")).unwrap();
            *found.entry(id.to_owned()).or_default() += 1;
        }
    }
    found
}

#[test]
fn the_program_ends_or_the_connection_breaks_at_every_step_of_imap_and_smtp_once() {
    let Some(mail) = MailSystem::start(&["judge", "keeper", "anna"]) else {
        return;
    };
    let begun = Instant::now();
    let judge = JudgeFolder::new("mail.test", "");
    fs::write(judge.path("password"), "pw-judge").unwrap();
    judge.configure(&format!(
        "{}\n[outbox]\nkind = \"smtp\"\nhost = \"localhost\"\nport = {}\ntls = \"starttls\"\nrate_per_minute = 100000\n[trust]\nca_file = \"{}\"\n",
        imap("localhost", mail.ports.imaps, "implicit"),
        mail.ports.smtp,
        mail.ca_file().display()
    ));
    let config = fs::read_to_string(judge.path("dipjudge.toml")).unwrap();
    let limits = ["replies_per_hour", "replies_per_day", "mails_per_hour"];
    let limits: String = limits.map(|limit| format!("{limit} = 100000\n")).concat();
    let config = config.replace("[limits]\n", &format!("[limits]\n{limits}"));
    fs::write(judge.path("dipjudge.toml"), config).unwrap();

    let comes = |number: u32| {
        let message = format!(
            "From: anna@mail.test\r\nTo: judge@mail.test\r\nSubject: mail {number}\r\nMessage-ID: <{number}@players.test>\r\n\r\nLIST\r\n"
        );
        mail.drop_into("judge", message.as_bytes(), None);
    };
    let tick = || judge.run("tick");
    let report_file = judge.path("steps");
    // The first look makes the mailboxes and the mark, which later ones find.
    comes(1);
    assert!(tick().status.success());
    comes(2);
    let all = steps(&mut judge.command("tick"), &report_file);
    let of_servers: Vec<_> = all
        .into_iter()
        .filter(|step| matches!(step.kind.as_str(), "imap" | "smtp"))
        .collect();
    let mut report = FaultReport::default();
    let mut number = 2;
    let mut wanted = 0;
    for step in &of_servers {
        for fault in [Fault::Abort, Fault::Fail] {
            wanted += 1;
            number += 1;
            comes(number);
            let met = met_or_not(&judge, fault, step.number);
            if let Some(met) = met {
                report.count(fault, &met);
            }
            let mut recovered = tick();
            let about = format!("{fault:?} at {step:?}");
            if !recovered.status.success() {
                recovered = tick();
            }
            assert!(recovered.status.success(), "{about}: {recovered:?}");
            // What was put off is tried again at once.
            judge.says("status --retry");
            until(
                "the answer",
                || !answers(&mail, number).is_empty(),
                || format!("{about}\n{}", judge.says("status")),
            );
        }
    }
    // Exim hands on what it has.
    until(
        "every answer",
        || (1..=number).all(|number| !answers(&mail, number).is_empty()),
        || mail.logs(),
    );
    for number in 1..=number {
        let found = answers(&mail, number);
        assert_eq!(found.len(), 1, "one answer to {number}: {found:?}");
        report.again += found.values().sum::<usize>() - 1;
    }
    assert_eq!(mail.mails("judge", "INBOX").len(), 0);
    assert_eq!(mail.mails("judge", "Processed").len(), number as usize);
    assert!(judge.says("verify").contains("no game"));
    report.print();
    println!(
        "{} of {wanted} points were met in {} s",
        report.total(),
        begun.elapsed().as_secs()
    );
    assert!(report.total() * 20 > wanted * 18);
    assert!(report.of_kind("imap") > 20 && report.of_kind("smtp") >= 10);
}

/// A run with a fault, which may end well: a command that the server did not answer is given again.
fn met_or_not(
    judge: &JudgeFolder,
    fault: Fault,
    number: u64,
) -> Option<crate::planted_faults::Step> {
    met(
        &mut judge.command("tick"),
        fault,
        number,
        &judge.path("steps"),
    )
}
