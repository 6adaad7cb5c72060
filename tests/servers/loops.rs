//! Machines that answer every mail, through real servers: an answering machine that marks its mails, one that does not, and a second judge.
//! None of them keeps the judge writing.

use std::collections::BTreeSet;
use std::fs;

use jiff::{SignedDuration, Timestamp};

use crate::checks::imap;
use crate::judge_folder::JudgeFolder;
use crate::mail_system::{MailSystem, until};

/// What answers as fast as it can is silent after so many rounds: the limits of an hour have held by then.
const ROUNDS: i64 = 40;

/// Both ends of a judge with this account.
fn ends(mail: &MailSystem, account: &str) -> String {
    let inbox = imap("localhost", mail.ports.imaps, "implicit")
        .replace("user = \"judge\"", &format!("user = \"{account}\""));
    format!(
        "{inbox}\n[outbox]\nkind = \"smtp\"\nhost = \"localhost\"\nport = {}\ntls = \"starttls\"\n[trust]\nca_file = \"{}\"\n",
        mail.ports.smtp,
        mail.ca_file().display()
    )
}

/// The judge of this account.
fn judge(mail: &MailSystem, account: &str) -> JudgeFolder {
    let judge = JudgeFolder::new("mail.test", "");
    fs::write(judge.path("password"), MailSystem::password(account)).unwrap();
    judge.configure(&ends(mail, account));
    let config = fs::read_to_string(judge.path("dipjudge.toml")).unwrap();
    let own = MailSystem::address(account);
    fs::write(
        judge.path("dipjudge.toml"),
        config.replace("judge@mail.test", &own),
    )
    .unwrap();
    judge
}

/// The judge looks at its mail so many minutes from now, and Exim hands over all that comes of it.
fn tick(mail: &MailSystem, judge: &JudgeFolder, minutes: i64) {
    let hour = Timestamp::now() + SignedDuration::from_mins(minutes);
    let output = judge.run(&format!("tick --at {hour}"));
    assert!(output.status.success(), "{output:?}");
    delivered(mail);
}

/// Exim has nothing on its hands.
fn delivered(mail: &MailSystem) {
    let spool = mail.path().join("spool/input");
    until(
        "the delivery",
        || fs::read_dir(&spool).is_ok_and(|mut waiting| waiting.next().is_none()),
        || mail.logs(),
    );
}

fn field(mail: &str, name: &str) -> Option<String> {
    let header = mail.split("\n\n").next()?.replace("\n ", " ");
    let line = header
        .lines()
        .find(|line| line.to_lowercase().starts_with(&format!("{name}: ")))?;
    let (_, value) = line.split_once(": ")?;
    Some(value.trim().to_owned())
}

fn bare(address: &str) -> &str {
    address
        .rsplit_once('<')
        .map_or(address, |(_, rest)| rest.trim_end_matches('>'))
}

#[test]
fn a_machine_that_answers_without_any_mark_is_answered_a_few_times_and_no_more() {
    let Some(mail) = MailSystem::start(&["judge", "keeper", "robot"]) else {
        return;
    };
    let judge = judge(&mail, "judge");
    let message = |number: usize, to: &str, subject: &str| {
        format!(
            "From: robot@mail.test\r\nTo: {to}\r\nSubject: {subject}\r\nMessage-ID: <{number}@robot.test>\r\n\r\nYour mail has been read.\r\n"
        )
    };
    let own = "judge@mail.test";
    mail.send("robot@mail.test", own, &message(0, own, "Good morning"));
    let mut answered = 0;
    for round in 0..ROUNDS {
        delivered(&mail);
        tick(&mail, &judge, round);
        let letters = mail.mails("robot", "INBOX");
        if letters.len() == answered {
            break;
        }
        for letter in letters.iter().skip(answered) {
            let to = field(letter, "reply-to").or_else(|| field(letter, "from"));
            let to = to.expect("the judge says where it is answered");
            let to = bare(&to).to_owned();
            let subject = format!("Re: {}", field(letter, "subject").unwrap_or_default());
            answered += 1;
            mail.send("robot@mail.test", &to, &message(answered, &to, &subject));
        }
    }
    assert!((1..20).contains(&answered), "{answered} answers");
    let waiting = mail.mails("judge", "INBOX").len() + mail.mails("judge", "Processed").len();
    assert!(waiting > 0, "{}", mail.logs());
}

#[test]
fn vacation_notices_are_neither_answered_nor_taken_for_failures() {
    let Some(mail) = MailSystem::start(&["judge", "keeper", "anna", "away"]) else {
        return;
    };
    // Exim's own answering machine, which writes to the return path and marks its notices (RFC 3834).
    mail.restart_smtp_without_queue_runs(&|config| {
        config
            .replace(
                "begin routers\n",
                "begin routers\naway:\n  driver = accept\n  local_parts = away\n  senders = !\n  unseen\n  transport = vacation\n",
            )
            .replace(
                "begin transports\n",
                "begin transports\nvacation:\n  driver = autoreply\n  user = Debian-exim\n  to = $sender_address\n  from = away@mail.test\n  \
                 subject = Re: $h_subject:\n  text = I am away and will read your mail in August.\n",
            )
    });
    let judge = judge(&mail, "judge");
    let send = |number: u32, from: &str, text: &str| {
        let letter = format!(
            "From: {from}\r\nTo: judge@mail.test\r\nSubject: mail {number}\r\nMessage-ID: <{number}@players.test>\r\n\r\n{text}\r\n"
        );
        mail.send(from, "judge@mail.test", &letter);
        delivered(&mail);
    };
    let form = |name: &str| format!("REGISTER\nName: {name}\nLevel: Novice\nCountry: Sweden\nEND");
    let (anna, away) = ("anna@mail.test", "away@mail.test");
    for (number, from, text) in [
        (1, anna, form("anna")),
        (2, away, form("away")),
        (3, anna, "CREATE ?kaiser apw\nBECOME MASTER".to_owned()),
        (4, away, "SIGNON ?kaiser gpw".to_owned()),
    ] {
        send(number, from, &text);
        tick(&mail, &judge, 0);
    }
    for day in 0..4 {
        let letter = format!("SIGNON Mkaiser apw\nPRESS TO ALL\nDay {day}.\nENDPRESS");
        send(10 + day, anna, &letter);
        tick(&mail, &judge, 24 * 60 * i64::from(day));
        tick(&mail, &judge, 24 * 60 * i64::from(day) + 1);
    }
    let notices: Vec<String> = ["INBOX", "Processed", "Rejected"]
        .iter()
        .flat_map(|mailbox| mail.mails("judge", mailbox))
        .filter(|text| text.contains("in August"))
        .collect();
    assert!(notices.len() >= 4, "{}\n{}", notices.len(), mail.logs());
    let letters = mail.mails("away", "INBOX");
    let unlike: BTreeSet<Option<String>> = letters
        .iter()
        .map(|letter| field(letter, "subject"))
        .collect();
    // His form, his sign-on, and four letters, with what the judge sends about them: none answers a notice.
    assert!(
        letters
            .iter()
            .all(|letter| !letter.contains("in August") && !letter.contains("Re: Re:")),
        "{unlike:?}"
    );
    assert!(letters.len() <= 12, "{unlike:?}");
    let status = judge.says("status");
    assert!(!status.contains("came back"), "{status}");
}

#[test]
fn two_judges_at_real_servers_do_not_write_to_one_another_for_long() {
    let Some(mail) = MailSystem::start(&["judge", "other", "keeper"]) else {
        return;
    };
    let (first, second) = (judge(&mail, "judge"), judge(&mail, "other"));
    // Somebody writes to the one under the address of the other.
    let forged = "From: other@mail.test\r\nTo: judge@mail.test\r\nSubject: Good morning\r\nMessage-ID: <1@strangers.test>\r\n\r\nHELP\r\n";
    mail.send("other@mail.test", "judge@mail.test", forged);
    for round in 0..6 {
        delivered(&mail);
        tick(&mail, &first, round);
        tick(&mail, &second, round);
    }
    let received = |account: &str| {
        ["INBOX", "Processed", "Rejected"]
            .iter()
            .map(|mailbox| mail.mails(account, mailbox).len())
            .sum::<usize>()
    };
    // The forged mail, and its answer, which is one of a judge's and is not answered.
    assert_eq!(
        (received("judge"), received("other")),
        (1, 1),
        "{}",
        mail.logs()
    );
}
