//! A judge's folder with a Maildir to come in by and an SMTP server to go out by, and the program in it.
#![allow(dead_code, reason = "each test binary uses a part of it")]

use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use dipjudge::shell::maildir::Maildir;
use serde_json::Value;

/// How long a test waits for anything.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);

pub(crate) struct JudgeFolder {
    folder: tempfile::TempDir,
    domain: &'static str,
    dropped: std::cell::Cell<u32>,
}

impl JudgeFolder {
    /// The judge of this domain, with these tables for its two ends.
    pub(crate) fn new(domain: &'static str, ends: &str) -> JudgeFolder {
        let judge = JudgeFolder {
            folder: tempfile::tempdir().unwrap(),
            domain,
            dropped: std::cell::Cell::new(0),
        };
        judge.configure(ends);
        let made = judge.run("init");
        assert!(made.status.success(), "{made:?}");
        judge
    }

    /// Mail comes in by a Maildir and goes to a server without TLS at this port.
    pub(crate) fn sending_to(port: u16) -> JudgeFolder {
        JudgeFolder::new("judge.test", &smtp(port))
    }

    /// Nothing is limited that people get who have proven nothing: the tests are about how mail goes out, whoever gets it.
    pub(crate) fn configure(&self, ends: &str) {
        let domain = self.domain;
        let config = format!(
            "[judge]\nname = \"USXX\"\naddress = \"judge@{domain}\"\nkeeper = \"keeper@{domain}\"\n\
             data = \"data\"\ntimezone = \"UTC\"\n\n{ends}\n\n[limits]\nunproven_reply_bytes = 0\n\n[metrics]\nfile = \"metrics\"\n"
        );
        fs::write(self.path("dipjudge.toml"), config).unwrap();
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A mail comes in.
    pub(crate) fn arrives(&self, from: &str, text: &str) {
        self.arrives_at(from, "judge@judge.test", text);
    }

    /// A mail comes in at this address of the judge's.
    pub(crate) fn arrives_at(&self, from: &str, to: &str, text: &str) {
        self.arrives_with(from, to, "Date: Mon, 02 Mar 2026 12:00:00 +0000", text);
    }

    /// A mail with these further header fields comes in.
    pub(crate) fn arrives_with(&self, from: &str, to: &str, header: &str, text: &str) {
        let number = self.dropped.get() + 1;
        self.dropped.set(number);
        let inbox = Maildir::at(self.path("mail/in"));
        inbox.create().unwrap();
        let message = format!(
            "From: {from}\nTo: {to}\nSubject: mail {number}\nMessage-ID: <{number}@players.test>\n{header}\n\n{text}\n"
        );
        // In order, as their hours are.
        let hour = jiff::Timestamp::now() - jiff::SignedDuration::from_secs(3600)
            + jiff::SignedDuration::from_secs(number.into());
        inbox.deliver(message.as_bytes(), Some(hour)).unwrap();
    }

    /// So many people at as many domains write, and each gets one answer.
    pub(crate) fn people_register(&self, count: usize) {
        for n in 1..=count {
            let text = format!("REGISTER\nName: Player {n}\nLevel: Novice\nEND");
            self.arrives(&format!("player{n}@domain{n}.test"), &text);
        }
    }

    pub(crate) fn command(&self, line: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dipjudge"));
        command
            .env_clear()
            .current_dir(self.folder.path())
            .args(line.split_whitespace())
            .stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, line: &str) -> Output {
        self.command(line).output().unwrap()
    }

    /// What a command that must succeed prints.
    pub(crate) fn says(&self, line: &str) -> String {
        let output = self.run(line);
        assert!(output.status.success(), "{line}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// What a command that must fail complains of.
    pub(crate) fn fails(&self, line: &str) -> String {
        let output = self.run(line);
        assert_eq!(output.status.code(), Some(1), "{line}: {output:?}");
        String::from_utf8(output.stderr).unwrap()
    }

    /// The part of `status --json` on the outbox.
    pub(crate) fn outbox(&self) -> Value {
        self.outbox_of("status --json")
    }

    pub(crate) fn outbox_of(&self, line: &str) -> Value {
        serde_json::from_str::<Value>(&self.says(line)).unwrap()["outbox"].take()
    }

    /// The daemon, which ends with this; what it says goes to the file `log`.
    pub(crate) fn daemon(&self) -> Daemon {
        let log = fs::File::create(self.path("log")).unwrap();
        let child = self.command("run").stderr(log).spawn().unwrap();
        Daemon { child }
    }

    pub(crate) fn log(&self) -> String {
        fs::read_to_string(self.path("log")).unwrap_or_default()
    }

    /// Waits until something holds.
    pub(crate) fn await_until(&self, what: &str, holds: impl Fn() -> bool) {
        let begun = Instant::now();
        while !holds() {
            assert!(begun.elapsed() < PATIENCE, "{what}\n{}", self.log());
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

/// A Maildir to come in by, a server without TLS to go out by.
pub(crate) fn smtp(port: u16) -> String {
    format!(
        "[inbox]\nkind = \"maildir\"\npath = \"mail/in\"\n\n[outbox]\nkind = \"smtp\"\nhost = \"localhost\"\nport = {port}\ntls = \"none\"\nrate_per_minute = 100000"
    )
}

pub(crate) struct Daemon {
    child: Child,
}

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
