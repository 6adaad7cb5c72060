//! `setup` where nobody can be asked: what it wants, what it refuses, and what it makes of Maildirs.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Output;

use crate::piped::piped;

/// What setup is told beside what a test is about.
const USUAL: [(&str, &str); 5] = [
    ("--address", "judge@games.test"),
    ("--inbox", "./mail/in"),
    ("--relay", "./mail/out"),
    ("--name", "USXX"),
    ("--keeper", "anna@people.test"),
];

/// An empty place on which somebody types.
struct Desk(tempfile::TempDir);

impl Desk {
    /// As root the program runs again as another user, who must be able to read it.
    fn new() -> Desk {
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        Desk(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The usual answers with others in the place of some; an empty one is left out.
    fn sets_up(&self, program: &Path, others: &[(&str, &str)], input: &str) -> Output {
        let mut command = std::process::Command::new(program);
        command
            .env_clear()
            .current_dir(self.0.path())
            .args(["setup", "judge"]);
        if is_root() {
            command.args(["--user", "nobody"]);
        }
        for (option, usual) in USUAL {
            let other = others.iter().find(|(name, _)| *name == option);
            let answer = other.map_or(usual, |(_, answer)| *answer);
            if !answer.is_empty() {
                command.args([option, answer]);
            }
        }
        let more = others
            .iter()
            .filter(|(name, _)| USUAL.iter().all(|(usual, _)| usual != name));
        for (option, value) in more {
            command.arg(option);
            if !value.is_empty() {
                command.arg(value);
            }
        }
        piped(&mut command, input)
    }

    /// What it says against these answers; nothing is made then.
    fn refuses(&self, others: &[(&str, &str)]) -> String {
        let program = Path::new(env!("CARGO_BIN_EXE_dipjudge"));
        let output = self.sets_up(program, others, "");
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(!self.path("judge").exists(), "{said}");
        said
    }
}

fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|metadata| metadata.uid() == 0)
}

#[test]
fn what_is_not_answered_is_named_where_nobody_can_be_asked() {
    let said = Desk::new().refuses(&[("--inbox", ""), ("--keeper", "")]);
    assert!(said.contains("give --inbox, --keeper"), "{said}");
}

#[test]
fn answers_that_cannot_be_right_are_refused_with_the_reason() {
    for (option, answer, reason) in [
        ("--address", "judge@example.org", "an address of examples"),
        ("--address", "judge", "is no address"),
        ("--address", "judge+1@games.test", "without a plus"),
        ("--keeper", "you@mail.example.com", "an address of examples"),
        ("--keeper", "Judge@games.test", "an address of its own"),
        ("--name", "US XX", "letters, digits and hyphens"),
        (
            "--inbox",
            "imaps://judge:hush@localhost:1",
            "never stands in an answer",
        ),
        ("--inbox", "localhost:1", "takes no connection"),
        (
            "--inbox",
            "imap.no-such-host.invalid",
            "imap.no-such-host.invalid",
        ),
        ("--relay", "pop3://localhost", "no mail server here"),
        ("--ca-file", "/nowhere/ca.pem", "/nowhere/ca.pem"),
    ] {
        let mut others = vec![(option, answer)];
        if option == "--ca-file" {
            others.push(("--relay", "localhost:1"));
        }
        let said = Desk::new().refuses(&others);
        assert!(said.contains(reason), "{option} {answer}: {said}");
        assert!(!said.contains("hush"), "{said}");
    }
}

#[test]
fn two_maildirs_make_a_judge_and_a_second_setup_changes_nothing() {
    let desk = Desk::new();
    let program = desk.path("dipjudge");
    fs::copy(env!("CARGO_BIN_EXE_dipjudge"), &program).unwrap();
    let output = desk.sets_up(&program, &[], "");
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{said}{:?}", output.stderr);
    assert!(said.contains("for the judge USXX"), "{said}");
    assert!(said.contains("dipjudge --config "), "{said}");
    let file = desk.path("judge/dipjudge.toml");
    let config = fs::read_to_string(&file).unwrap();
    for line in [
        "name = \"USXX\"",
        "address = \"judge@games.test\"",
        "keeper = \"anna@people.test\"",
        // The comments stay.
        "#poll_seconds = 60",
    ] {
        assert!(config.lines().any(|found| found == line), "{line}");
    }
    let store = fs::metadata(desk.path("judge/data")).unwrap();
    assert_eq!(store.mode() & 0o777, 0o700);
    if is_root() {
        // The judge can read its config and not write it, and the rest is its own.
        let config = fs::metadata(&file).unwrap();
        assert_eq!((config.uid(), config.mode() & 0o777), (0, 0o640));
        assert_ne!(store.uid(), 0);
        assert_eq!(config.gid(), store.gid());
        let inbox = fs::metadata(desk.path("mail/in/new")).unwrap();
        assert_eq!(inbox.uid(), store.uid());
    }
    let again = desk.sets_up(&program, &[("--name", "USXY")], "");
    let said = String::from_utf8(again.stderr).unwrap();
    assert_eq!(again.status.code(), Some(1), "{said}");
    assert!(said.contains("never overwrites"), "{said}");
    assert_eq!(fs::read_to_string(&file).unwrap(), config);
}
