//! A private mail system for tests: Dovecot and Exim on free ports of this machine, in a folder of their own.
//!
//! `let Some(mail) = MailSystem::start(&["judge", "player1"]) else { return };`. Where the servers are not installed (or the test does not
//! run as root, whom they need), that prints why and the test is over; with `DIPJUDGE_REQUIRE_MAIL_SERVERS=1` it fails instead.
#![allow(dead_code, reason = "each test binary uses a part of it")]

mod certificates;
mod dovecot;
mod exim;

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// How long a test waits for anything: mail servers take their time on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// Ports of one mail system; all on 127.0.0.1.
#[derive(Debug, Clone, Copy)]
pub struct Ports {
    pub imap: u16,
    pub imaps: u16,
    pub lmtp: u16,
    pub smtp: u16,
    pub smtps: u16,
}

/// A running Dovecot and Exim; both end when this is dropped.
pub struct MailSystem {
    folder: tempfile::TempDir,
    pub ports: Ports,
}

impl MailSystem {
    /// Starts both servers with an account for each name; its password is `pw-NAME`.
    pub fn start(accounts: &[&str]) -> Option<MailSystem> {
        MailSystem::start_with(accounts, "")
    }

    /// As [`MailSystem::start`], with further lines for Dovecot's configuration.
    pub fn start_with(accounts: &[&str], dovecot_lines: &str) -> Option<MailSystem> {
        if let Some(missing) = missing() {
            let required = std::env::var("DIPJUDGE_REQUIRE_MAIL_SERVERS").is_ok_and(|value| value == "1");
            assert!(!required, "the tests with real mail servers are required, but {missing}");
            eprintln!("SKIPPED: {missing} (deploy/install-test-needs.sh installs what is needed)");
            return None;
        }
        // Another test may take a port between our looking and the server's binding: then all is tried again.
        for _ in 0..5 {
            let mail = MailSystem::prepare(accounts, dovecot_lines);
            if mail.try_start_imap() && mail.try_start_smtp() {
                return Some(mail);
            }
            eprintln!("the mail system did not start; once more with other ports\n{}", mail.logs());
        }
        panic!("the mail system does not start");
    }

    fn prepare(accounts: &[&str], dovecot_lines: &str) -> MailSystem {
        // A short path: names of Unix sockets are limited to 108 bytes.
        let folder = tempfile::Builder::new().prefix("dj").tempdir().expect("a temporary folder");
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let mail = MailSystem { folder, ports: free_ports() };
        certificates::make(mail.path());
        dovecot::configure(&mail, accounts, dovecot_lines);
        exim::configure(&mail);
        mail
    }

    /// Its folder.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The authority that signed the servers' certificate (for `localhost` and 127.0.0.1).
    pub fn ca_file(&self) -> PathBuf {
        self.path().join("ca.pem")
    }

    /// An authority that did not.
    pub fn other_ca_file(&self) -> PathBuf {
        self.path().join("other-ca.pem")
    }

    /// An account's address.
    pub fn address(account: &str) -> String {
        format!("{account}@mail.test")
    }

    /// An account's password.
    pub fn password(account: &str) -> String {
        format!("pw-{account}")
    }

    // Starting and stopping ------------------------------------------------------

    fn try_start_imap(&self) -> bool {
        run("dovecot", &["-c", &self.file("dovecot.conf")]) && listening(self.ports.imap) && listening(self.ports.lmtp)
    }

    fn try_start_smtp(&self) -> bool {
        run("exim4", &["-C", &self.file("exim.conf"), "-bd", "-q1s"]) && listening(self.ports.smtp)
    }

    /// Starts Dovecot again after [`MailSystem::stop_imap`].
    pub fn start_imap(&self) {
        assert!(self.try_start_imap(), "dovecot does not start again\n{}", self.logs());
    }

    /// Starts Exim again after [`MailSystem::stop_smtp`].
    pub fn start_smtp(&self) {
        assert!(self.try_start_smtp(), "exim does not start again\n{}", self.logs());
    }

    /// Stops Dovecot and waits until it is gone: a new one does not start before.
    pub fn stop_imap(&self) {
        stop(&self.path().join("run/master.pid"));
    }

    /// Stops Exim.
    pub fn stop_smtp(&self) {
        stop(&self.path().join("exim.pid"));
    }

    /// Ends the server's process for each of an account's IMAP connections, as a network that breaks would.
    pub fn kick(&self, account: &str) {
        run("doveadm", &["-c", &self.file("dovecot.conf"), "kick", account]);
    }

    /// Forgets the UIDs of an account's inbox, as a restored or rebuilt mailbox does: a new UIDVALIDITY. Only while Dovecot is stopped.
    pub fn forget_uids(&self, account: &str) {
        for entry in fs::read_dir(self.maildir(account, "INBOX")).unwrap() {
            let entry = entry.unwrap();
            if entry.file_name().to_string_lossy().starts_with("dovecot") {
                fs::remove_file(entry.path()).unwrap();
            }
        }
    }

    // Mail -------------------------------------------------------------------------

    /// The Maildir of an account's mailbox.
    pub fn maildir(&self, account: &str, mailbox: &str) -> PathBuf {
        let inbox = self.path().join("mail").join(account).join("Maildir");
        if mailbox == "INBOX" { inbox } else { inbox.join(format!(".{mailbox}")) }
    }

    /// The messages in an account's mailbox, in the order of their arrival.
    pub fn mails(&self, account: &str, mailbox: &str) -> Vec<String> {
        let mut found = Vec::new();
        for part in ["new", "cur"] {
            let Ok(entries) = fs::read_dir(self.maildir(account, mailbox).join(part)) else { continue };
            for entry in entries.flatten() {
                if let Ok(bytes) = fs::read(entry.path()) {
                    found.push((entry.file_name(), String::from_utf8_lossy(&bytes).into_owned()));
                }
            }
        }
        found.sort();
        found.into_iter().map(|(_, text)| text).collect()
    }

    /// Waits until an account's mailbox holds at least so many messages, and gives them.
    pub fn await_mails(&self, account: &str, mailbox: &str, count: usize) -> Vec<String> {
        let start = Instant::now();
        loop {
            let mails = self.mails(account, mailbox);
            if mails.len() >= count {
                return mails;
            }
            let (there, logs) = (mails.len(), self.logs());
            assert!(start.elapsed() < PATIENCE, "{account}'s {mailbox} has {there} messages, not {count}\n{logs}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Sends a message by SMTP, as a player's mail server would; fails the test if it is not taken.
    pub fn send(&self, from: &str, to: &str, message: &str) {
        self.try_send(from, to, message).unwrap_or_else(|refusal| panic!("{to}: {refusal}"));
    }

    /// Sends a message by SMTP; the server's refusal if there is one.
    pub fn try_send(&self, from: &str, to: &str, message: &str) -> Result<(), String> {
        let mut socket = TcpStream::connect(("127.0.0.1", self.ports.smtp)).map_err(|e| e.to_string())?;
        socket.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut replies = BufReader::new(socket.try_clone().unwrap());
        let mut expect = |start: &str| loop {
            let mut line = String::new();
            replies.read_line(&mut line).map_err(|e| e.to_string())?;
            match line.as_bytes().get(3) {
                Some(b'-') => {}
                _ if line.starts_with(start) => return Ok(()),
                _ => return Err(line),
            }
        };
        expect("220")?;
        for (command, reply) in [
            ("EHLO players.test".to_owned(), "250"),
            (format!("MAIL FROM:<{from}>"), "250"),
            (format!("RCPT TO:<{to}>"), "250"),
            ("DATA".to_owned(), "354"),
        ] {
            socket.write_all(format!("{command}\r\n").as_bytes()).map_err(|e| e.to_string())?;
            expect(reply)?;
        }
        let mut text = String::new();
        for line in message.lines() {
            let dot = if line.starts_with('.') { "." } else { "" };
            text.push_str(&format!("{dot}{line}\r\n"));
        }
        socket.write_all(format!("{text}.\r\n").as_bytes()).map_err(|e| e.to_string())?;
        expect("250")
    }

    /// Puts a message straight into an account's inbox, with the file's time as its INTERNALDATE.
    pub fn drop_into(&self, account: &str, message: &[u8], at: Option<jiff::Timestamp>) {
        let inbox = dipjudge::shell::maildir::Maildir::at(self.maildir(account, "INBOX"));
        inbox.create().unwrap();
        inbox.deliver(message, at).unwrap();
        self.give(&self.path().join("mail").join(account), "mail:mail");
    }

    /// What the servers wrote down, for a test that fails.
    pub fn logs(&self) -> String {
        let mut logs = String::new();
        for name in ["dovecot.log", "log/mainlog", "log/paniclog"] {
            if let Ok(text) = fs::read_to_string(self.path().join(name)) {
                logs.push_str(&format!("== {name}\n{text}"));
            }
        }
        logs
    }

    fn file(&self, name: &str) -> String {
        self.path().join(name).display().to_string()
    }

    fn give(&self, path: &Path, owner: &str) {
        assert!(run("chown", &["-R", owner, &path.display().to_string()]), "chown {owner} {}", path.display());
    }
}

impl Drop for MailSystem {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("{}", self.logs());
        }
        self.stop_smtp();
        self.stop_imap();
    }
}

/// What is missing for a mail system, if anything.
fn missing() -> Option<String> {
    if fs::metadata("/proc/self").map_or(1, |metadata| metadata.uid()) != 0 {
        return Some("the mail servers need root to start".to_owned());
    }
    let programs = ["/usr/sbin/dovecot", "/usr/lib/dovecot/imap", "/usr/lib/dovecot/lmtp", "/usr/sbin/exim4", "/usr/bin/openssl"];
    programs.iter().find(|path| !Path::new(path).exists()).map(|path| format!("{path} is not installed"))
}

/// Runs a program to its end; true if it succeeded.
fn run(program: &str, arguments: &[&str]) -> bool {
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new(program).args(arguments).env("PATH", format!("{path}:/usr/sbin:/sbin")).output();
    match output {
        Ok(output) if output.status.success() => true,
        Ok(output) => {
            eprintln!("{program}: {}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
            false
        }
        Err(error) => {
            eprintln!("{program}: {error}");
            false
        }
    }
}

/// Waits until something listens there.
fn listening(port: u16) -> bool {
    let start = Instant::now();
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        if start.elapsed() > PATIENCE {
            return false;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    true
}

/// Ends the process named in a file, and waits until it is gone.
fn stop(pid_file: &Path) {
    let Ok(text) = fs::read_to_string(pid_file) else { return };
    let pid = text.trim();
    let process = Path::new("/proc").join(pid);
    if pid.is_empty() || !process.exists() {
        return;
    }
    run("kill", &[pid]);
    let start = Instant::now();
    while process.exists() && !is_zombie(&process) && start.elapsed() < PATIENCE {
        std::thread::sleep(Duration::from_millis(20));
    }
    let _ = fs::remove_file(pid_file);
}

/// In a container without an init nobody collects the dead.
fn is_zombie(process: &Path) -> bool {
    fs::read_to_string(process.join("stat")).is_ok_and(|stat| stat.rsplit(") ").next().is_some_and(|rest| rest.starts_with('Z')))
}

/// Five ports that nobody uses, at this moment.
fn free_ports() -> Ports {
    let listeners: Vec<TcpListener> = (0..5).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
    let port = |n: usize| listeners[n].local_addr().unwrap().port();
    Ports { imap: port(0), imaps: port(1), lmtp: port(2), smtp: port(3), smtps: port(4) }
}
