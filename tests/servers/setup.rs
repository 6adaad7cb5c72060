//! `dipjudge setup` against real mail servers: each question is tried at once, on a terminal and without one.

use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::process::Stdio;
use std::sync::mpsc;
use std::time::Instant;

use crate::mail_system::{MailSystem, PATIENCE};
use crate::manual::machine::Machine;

/// A machine with the program, the judge's user, and nothing else.
fn installed() -> Option<Machine> {
    let machine = Machine::new()?;
    machine.types("install -m 0755 target/release/dipjudge /usr/local/bin/");
    machine
        .types("useradd --system --home-dir /var/lib/dipjudge --shell /usr/sbin/nologin dipjudge");
    Some(machine)
}

/// The line for a judge on this mail system.
fn line(mail: &MailSystem, password: &str, more: &str) -> String {
    let ports = mail.ports;
    format!(
        "printf '{password}\\n' | dipjudge setup --passwords-on-stdin --ca-file {} --address judge@mail.test \
         --inbox imaps://judge@localhost:{} --relay smtps://judge@localhost:{} --name USXX --keeper keeper@mail.test {more}",
        mail.ca_file().display(),
        ports.imaps,
        ports.smtps,
    )
}

fn registration(name: &str) -> String {
    format!(
        "From: {name}@mail.test\nTo: judge@mail.test\nSubject: hello\nMessage-ID: <1.{name}@mail.test>\n\n\
         REGISTER\nName: {name}\nEmail: {name}@mail.test\nLevel: Novice\nEND\n"
    )
}

/// What setup leaves behind works: a player's mail is answered, and only the judge's user reads what is its own.
fn answers_a_player(machine: &Machine, mail: &MailSystem) {
    let config = fs::metadata(machine.place("/etc/dipjudge/dipjudge.toml")).unwrap();
    assert_eq!((config.uid(), config.mode() & 0o777), (0, 0o640));
    let password = machine.place("/etc/dipjudge/inbox.password");
    assert_eq!(fs::read_to_string(&password).unwrap(), "pw-judge\n");
    assert_eq!(fs::metadata(&password).unwrap().mode() & 0o777, 0o640);
    let stores = machine.stores();
    assert_eq!(stores, [machine.place("/var/lib/dipjudge/data/store.id")]);
    assert_ne!(fs::metadata(&stores[0]).unwrap().uid(), 0);
    // Both mails to itself are out of the way, and the keeper knows the judge.
    assert_eq!(mail.mails("judge", "Processed").len(), 2);
    assert_eq!(mail.mails("judge", "INBOX").len(), 0);
    mail.await_mails("keeper", "INBOX", 1);
    mail.send("anna@mail.test", "judge@mail.test", &registration("anna"));
    mail.await_mails("judge", "INBOX", 1);
    machine.types("runuser -u dipjudge -- dipjudge tick --config /etc/dipjudge/dipjudge.toml");
    let answer = &mail.await_mails("anna", "INBOX", 1)[0];
    assert!(answer.contains("Judge: USXX"), "{answer}");
}

#[test]
fn options_and_a_password_on_standard_input_make_a_judge_that_answers() {
    let Some(mail) = MailSystem::start(&["judge", "keeper", "anna"]) else {
        return;
    };
    let machine = installed().unwrap();
    let said = machine.types(&line(&mail, "pw-judge", ""));
    for words in [
        "localhost answers at port",
        "its mailbox INBOX can be used",
        "at addresses with a plus sign too",
        "has taken the mail for keeper@mail.test",
        "runuser -u dipjudge -- dipjudge --config /etc/dipjudge/dipjudge.toml run",
    ] {
        assert!(said.contains(words), "{words:?} is not in: {said}");
    }
    answers_a_player(&machine, &mail);
    let again = machine.ends(&line(&mail, "pw-judge", ""), 1);
    assert!(again.contains("never overwrites"), "{again}");
}

/// The line of the manual, with the servers of the test in it.
#[test]
fn the_manuals_line_makes_a_judge_once_its_user_can_read_the_password() {
    let Some(mail) = MailSystem::start(&["judge", "you"]) else {
        return;
    };
    let machine = installed().unwrap();
    let manual = include_str!("../../deploy/KEEPER.md");
    let (_, rest) = manual
        .split_once("Without a terminal the answers are options")
        .unwrap();
    let block = rest.split("```").nth(1).unwrap().trim_start_matches("sh\n");
    let line = block
        .replace(
            "imap.example.org",
            &format!("localhost:{}", mail.ports.imaps),
        )
        .replace(
            "smtp.example.org",
            &format!("localhost:{}", mail.ports.smtps),
        )
        .replace("example.org", "mail.test");
    let line = format!("{} --ca-file {}", line.trim_end(), mail.ca_file().display());
    machine.types(
        "install -d -g dipjudge -m 0750 /etc/dipjudge\n\
         install -m 0600 /dev/null /etc/dipjudge/judge.password && echo pw-judge >/etc/dipjudge/judge.password",
    );
    let refused = machine.ends(&line, 1);
    assert!(refused.contains("chgrp dipjudge"), "{refused}");
    machine.types(
        "chgrp dipjudge /etc/dipjudge/judge.password; chmod 0640 /etc/dipjudge/judge.password",
    );
    machine.types(&line);
    mail.await_mails("you", "INBOX", 1);
}

#[test]
fn what_does_not_work_is_told_and_leaves_nothing_behind() {
    // Addresses with a plus sign are nobody's here.
    let Some(mail) = MailSystem::start_with(&["judge", "keeper"], "recipient_delimiter =\n") else {
        return;
    };
    let machine = installed().unwrap();
    for (line, reason) in [
        (line(&mail, "wrong", ""), "an app password"),
        (
            line(&mail, "pw-judge", "--wait 6"),
            "let the mail server put whatever goes to",
        ),
        (
            line(&mail, "pw-judge\\nother", ""),
            "look at user and password of [outbox]",
        ),
        (
            line(&mail, "pw-judge", "").replace("judge@mail.test", "judge@elsewhere.test"),
            "relay not permitted",
        ),
        (
            line(&mail, "pw-judge", "").replace("--passwords-on-stdin", ""),
            "--inbox-password-file, --inbox-password-command or --passwords-on-stdin",
        ),
        (
            line(&mail, "", "--inbox-password-file /etc/mail.password")
                .replace("--passwords-on-stdin", ""),
            "there is no file /etc/mail.password",
        ),
        // What can be seen without a server is seen first.
        (
            line(&mail, "wrong", "").replace("USXX", "'US XX'"),
            "a name has letters",
        ),
    ] {
        let said = machine.ends(&line, 1);
        assert!(said.contains(reason), "{line}: {said}");
        assert!(!machine.place("/etc/dipjudge").exists(), "{said}");
        assert_eq!(machine.stores(), Vec::<std::path::PathBuf>::new());
    }
}

#[test]
fn a_greylisting_relay_is_asked_again_and_passwords_may_come_from_a_file_or_a_command() {
    let Some(mail) = MailSystem::start(&["judge", "keeper", "anna", "greylist"]) else {
        return;
    };
    let machine = installed().unwrap();
    machine.types(
        "install -m 0640 -g dipjudge /dev/null /etc/mail.password && echo pw-greylist >/etc/mail.password",
    );
    // The relay knows the judge after some seconds.
    let open = mail.path().join("open");
    let opening = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_secs(3));
        fs::write(open, "").unwrap();
    });
    let line = line(&mail, "", "--inbox-password-file /etc/mail.password")
        .replace(
            "--passwords-on-stdin",
            "--relay-password-command 'cat /etc/mail.password'",
        )
        .replace("judge@mail.test", "greylist@mail.test")
        .replace("judge@localhost", "greylist@localhost");
    machine.types(&line);
    opening.join().unwrap();
    let config = fs::read_to_string(machine.place("/etc/dipjudge/dipjudge.toml")).unwrap();
    for line in [
        "password_file = \"/etc/mail.password\"",
        "password_command = [\"cat\", \"/etc/mail.password\"]",
    ] {
        assert!(config.lines().any(|found| found == line), "{config}");
    }
    assert!(!machine.place("/etc/dipjudge/inbox.password").exists());
    let mode = fs::metadata(machine.place("/var/lib/dipjudge")).unwrap();
    assert_eq!(mode.permissions().mode() & 0o777, 0o700);
}

/// What is typed behind the last words of a question.
struct Typed<'a> {
    question: &'a str,
    answer: String,
}

fn typed(question: &str, answer: impl Into<String>) -> Typed<'_> {
    Typed {
        question,
        answer: answer.into(),
    }
}

/// Types a line on a terminal, and answers question by question; what the terminal showed.
fn converses(machine: &Machine, line: &str, answers: &[Typed<'_>]) -> String {
    let mut child = machine
        .on_a_terminal(line)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = child.stdout.take().unwrap();
    let (sender, shown) = mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = [0; 4096];
        while let Ok(count) = output.read(&mut bytes) {
            if count == 0 || sender.send(bytes[..count].to_vec()).is_err() {
                break;
            }
        }
    });
    let (mut all, mut seen) = (String::new(), 0);
    for Typed { question, answer } in answers {
        let begun = Instant::now();
        while !all[seen..].contains(question) {
            let left = PATIENCE.saturating_sub(begun.elapsed());
            let Ok(bytes) = shown.recv_timeout(left) else {
                panic!("{question:?} is not asked: {all}");
            };
            all.push_str(&String::from_utf8_lossy(&bytes));
        }
        seen = all.len();
        // A moment later than it is asked, as by a person: the terminal must be ready to hide what is typed.
        std::thread::sleep(std::time::Duration::from_millis(300));
        writeln!(input, "{answer}").unwrap();
    }
    for bytes in shown {
        all.push_str(&String::from_utf8_lossy(&bytes));
    }
    assert!(child.wait().unwrap().success(), "{all}");
    all
}

#[test]
fn on_a_terminal_a_wrong_answer_is_asked_for_again_and_no_password_is_shown() {
    let Some(mail) = MailSystem::start(&["judge", "keeper", "anna"]) else {
        return;
    };
    let machine = installed().unwrap();
    let ports = mail.ports;
    let said = converses(
        &machine,
        &format!("dipjudge setup --ca-file {}", mail.ca_file().display()),
        &[
            typed("own address", "judge@example.org"),
            typed("own address", "judge@mail.test"),
            typed("2 Where its mail comes from", "localhost:1"),
            typed(
                "2 Where its mail comes from",
                format!("localhost:{}", ports.imap),
            ),
            typed("user there", "judge"),
            typed("password", "wrong-word"),
            typed(
                "2 Where its mail comes from",
                format!("imap://judge@localhost:{}", ports.imap),
            ),
            typed("password", "pw-judge"),
            typed(
                "3 The server that takes",
                format!("smtp://judge@localhost:{}", ports.smtp),
            ),
            typed("password", "wrong-word"),
            typed(
                "3 The server that takes",
                format!("smtp://localhost:{}", ports.smtp),
            ),
            // Of an answer that did not work nothing stays, its login neither.
            typed("- for no login", "-"),
            typed("4 Its name", ""),
            typed("5 Your own address", "judge@mail.test"),
            typed("5 Your own address", "keeper@mail.test"),
        ],
    );
    for words in [
        "an address of examples",
        "takes no connection",
        "an app password",
        "smtps://USER@HOST:PORT",
        "at addresses with a plus sign too",
        "for the judge JUDGE",
    ] {
        assert!(said.contains(words), "{words:?} is not in: {said}");
    }
    assert!(
        !said.contains("pw-judge") && !said.contains("wrong-word"),
        "{said}"
    );
    let config = fs::read_to_string(machine.place("/etc/dipjudge/dipjudge.toml")).unwrap();
    let found = config.lines().filter(|line| *line == "tls = \"starttls\"");
    assert_eq!(found.count(), 2, "{config}");
}
