//! A private mail system for tests: Dovecot and Exim on free ports of this machine, in a folder of their own.
//!
//! `let Some(mail) = MailSystem::start(&["judge", "player1"]) else { return };`. Where the servers are not installed (or the test does not
//! run as root, whom they need), that prints why and the test is over; with `DIPJUDGE_REQUIRE_MAIL_SERVERS=1` it fails instead.
#![allow(dead_code, reason = "each test binary uses a part of it")]

mod certificates;
mod dovecot;
mod exim;

use std::fs;
use std::io::{BufRead, BufReader, Read, Seek, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::{Duration, Instant};

/// How long a test waits for anything: mail servers take their time on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// How many lines of each server's log a failure shows: few enough that the failure itself is still in sight above them.
const LOGGED: usize = 20;

/// Where the ports of mail systems begin, and how many there are.
const FIRST_PORT: u16 = 10_000;
const PORTS: u16 = 20_000;

/// Ports of one mail system; all on 127.0.0.1.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ports {
    pub(crate) imap: u16,
    pub(crate) imaps: u16,
    pub(crate) lmtp: u16,
    pub(crate) smtp: u16,
    pub(crate) smtps: u16,
}

/// A running Dovecot and Exim; both end when this is dropped.
pub(crate) struct MailSystem {
    folder: tempfile::TempDir,
    pub(crate) ports: Ports,
}

impl MailSystem {
    /// Starts both servers with an account for each name; its password is `pw-NAME`.
    pub(crate) fn start(accounts: &[&str]) -> Option<MailSystem> {
        MailSystem::start_with(accounts, "")
    }

    /// As [`MailSystem::start`], with further lines for Dovecot's configuration.
    pub(crate) fn start_with(accounts: &[&str], dovecot_lines: &str) -> Option<MailSystem> {
        if let Some(missing) = missing() {
            let required =
                std::env::var("DIPJUDGE_REQUIRE_MAIL_SERVERS").is_ok_and(|value| value == "1");
            assert!(
                !required,
                "the tests with real mail servers are required, but {missing}"
            );
            eprintln!("SKIPPED: {missing} (deploy/install-test-needs.sh installs what is needed)");
            return None;
        }
        // Another test may take a port between our looking and the server's binding: then all is tried again.
        for _ in 0..5 {
            let mail = MailSystem::prepare(accounts, dovecot_lines);
            if mail.try_start_imap() && mail.try_start_smtp() {
                return Some(mail);
            }
            eprintln!(
                "the mail system did not start; once more with other ports\n{}",
                mail.logs()
            );
        }
        panic!("the mail system does not start");
    }

    fn prepare(accounts: &[&str], dovecot_lines: &str) -> MailSystem {
        // A short path: names of Unix sockets are limited to 108 bytes.
        let folder = folder();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let mail = MailSystem {
            folder,
            ports: free_ports(),
        };
        certificates::make(mail.path());
        dovecot::configure(&mail, accounts, dovecot_lines);
        exim::configure(&mail);
        mail
    }

    /// Its folder.
    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The authority that signed the servers' certificate (for `localhost` and 127.0.0.1).
    pub(crate) fn ca_file(&self) -> PathBuf {
        self.path().join("ca.pem")
    }

    /// An authority that did not.
    pub(crate) fn other_ca_file(&self) -> PathBuf {
        self.path().join("other-ca.pem")
    }

    /// An account's address.
    pub(crate) fn address(account: &str) -> String {
        format!("{account}@mail.test")
    }

    /// An account's password.
    pub(crate) fn password(account: &str) -> String {
        format!("pw-{account}")
    }

    // Starting and stopping ------------------------------------------------------

    fn try_start_imap(&self) -> bool {
        run("dovecot", &["-c", &self.file("dovecot.conf")])
            && listening(self.ports.imap)
            && listening(self.ports.lmtp)
    }

    fn try_start_smtp(&self) -> bool {
        run("exim4", &["-C", &self.file("exim.conf"), "-bd", "-q1s"]) && listening(self.ports.smtp)
    }

    /// Starts Dovecot again after [`MailSystem::stop_imap`].
    pub(crate) fn start_imap(&self) {
        assert!(
            self.try_start_imap(),
            "dovecot does not start again\n{}",
            self.logs()
        );
    }

    /// Starts Exim again after [`MailSystem::stop_smtp`].
    pub(crate) fn start_smtp(&self) {
        assert!(
            self.try_start_smtp(),
            "exim does not start again\n{}",
            self.logs()
        );
    }

    /// Starts Exim anew with another configuration, and without its queue runner: what is not delivered at once stays.
    pub(crate) fn restart_smtp_without_queue_runs(&self, change: &dyn Fn(&str) -> String) {
        self.stop_smtp();
        let file = self.path().join("exim.conf");
        let config = fs::read_to_string(&file).unwrap();
        let changed = change(&config);
        assert_ne!(changed, config, "the change does not fit the configuration");
        fs::write(&file, changed).unwrap();
        assert!(
            run("exim4", &["-C", &self.file("exim.conf"), "-bd"]) && listening(self.ports.smtp),
            "exim does not start again\n{}",
            self.logs()
        );
    }

    /// Stops Dovecot and waits until it is gone: a new one does not start before.
    pub(crate) fn stop_imap(&self) {
        stop(&self.path().join("run/master.pid"));
    }

    /// Stops Exim.
    pub(crate) fn stop_smtp(&self) {
        stop(&self.path().join("exim.pid"));
    }

    /// Ends the server's process for each of an account's IMAP connections, as a network that breaks would.
    pub(crate) fn kick(&self, account: &str) {
        run(
            "doveadm",
            &["-c", &self.file("dovecot.conf"), "kick", account],
        );
    }

    /// Forgets the UIDs of an account's inbox, as a restored or rebuilt mailbox does: a new UIDVALIDITY. Only while Dovecot is stopped.
    pub(crate) fn forget_uids(&self, account: &str) {
        for entry in fs::read_dir(self.maildir(account, "INBOX")).unwrap() {
            let entry = entry.unwrap();
            if entry.file_name().to_string_lossy().starts_with("dovecot") {
                fs::remove_file(entry.path()).unwrap();
            }
        }
    }

    // Mail -------------------------------------------------------------------------

    /// The Maildir of an account's mailbox.
    pub(crate) fn maildir(&self, account: &str, mailbox: &str) -> PathBuf {
        let inbox = self.path().join("mail").join(account).join("Maildir");
        if mailbox == "INBOX" {
            inbox
        } else {
            inbox.join(format!(".{mailbox}"))
        }
    }

    /// The messages in an account's mailbox, in the order of their arrival.
    pub(crate) fn mails(&self, account: &str, mailbox: &str) -> Vec<String> {
        let mut found = Vec::new();
        for part in ["new", "cur"] {
            let Ok(entries) = fs::read_dir(self.maildir(account, mailbox).join(part)) else {
                continue;
            };
            for entry in entries.flatten() {
                if let Ok(bytes) = fs::read(entry.path()) {
                    found.push((
                        entry.file_name(),
                        String::from_utf8_lossy(&bytes).into_owned(),
                    ));
                }
            }
        }
        found.sort();
        found.into_iter().map(|(_, text)| text).collect()
    }

    /// Waits until an account's mailbox holds at least so many messages, and gives them.
    pub(crate) fn await_mails(&self, account: &str, mailbox: &str, count: usize) -> Vec<String> {
        let start = Instant::now();
        loop {
            let mails = self.mails(account, mailbox);
            if mails.len() >= count {
                return mails;
            }
            assert!(
                start.elapsed() < PATIENCE,
                "{account}'s {mailbox} has {} messages, not {count}",
                mails.len()
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Sends a message by SMTP, as a player's mail server would; fails the test if it is not taken.
    pub(crate) fn send(&self, from: &str, to: &str, message: &str) {
        self.try_send(from, to, message)
            .unwrap_or_else(|refusal| panic!("{to}: {refusal}"));
    }

    /// Sends a message by SMTP; the server's refusal if there is one.
    pub(crate) fn try_send(&self, from: &str, to: &str, message: &str) -> Result<(), String> {
        let mut socket =
            TcpStream::connect(("127.0.0.1", self.ports.smtp)).map_err(|e| e.to_string())?;
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
            socket
                .write_all(format!("{command}\r\n").as_bytes())
                .map_err(|e| e.to_string())?;
            expect(reply)?;
        }
        let mut text = String::new();
        for line in message.lines() {
            let dot = if line.starts_with('.') { "." } else { "" };
            text.push_str(&format!("{dot}{line}\r\n"));
        }
        socket
            .write_all(format!("{text}.\r\n").as_bytes())
            .map_err(|e| e.to_string())?;
        expect("250")
    }

    /// Puts a message straight into an account's inbox, with the file's time as its INTERNALDATE.
    pub(crate) fn drop_into(&self, account: &str, message: &[u8], at: Option<jiff::Timestamp>) {
        let inbox = dipjudge::shell::maildir::Maildir::at(self.maildir(account, "INBOX"));
        inbox.create().unwrap();
        let name = inbox.deliver(message, at).unwrap();
        let owner = fs::metadata(self.path().join("mail")).unwrap();
        let (user, group) = (Some(owner.uid()), Some(owner.gid()));
        let folder = inbox.root();
        for path in [
            folder.parent().unwrap(),
            folder,
            &folder.join("tmp"),
            &folder.join("new"),
            &folder.join("cur"),
        ] {
            chown(path, user, group).unwrap();
        }
        // A server may have taken it into "cur" already, and then could read it, too.
        let _ = chown(folder.join("new").join(name), user, group);
    }

    /// What the servers wrote down, for a test that fails.
    pub(crate) fn logs(&self) -> String {
        let mut logs = String::new();
        for name in ["dovecot.log", "log/mainlog"] {
            let text = fs::read_to_string(self.path().join(name)).unwrap_or_default();
            // Exim says this of every process that is started with a file of its own.
            let lines: Vec<&str> = text
                .lines()
                .filter(|line| !line.contains("lost privilege for using -C"))
                .collect();
            logs.push_str(&format!("== the last lines of {name}\n"));
            lines
                .iter()
                .skip(lines.len().saturating_sub(LOGGED))
                .for_each(|line| logs.push_str(&format!("{line}\n")));
        }
        logs
    }

    fn file(&self, name: &str) -> String {
        self.path().join(name).display().to_string()
    }

    fn give(&self, path: &Path, owner: &str) {
        assert!(
            run("chown", &["-R", owner, &path.display().to_string()]),
            "chown {owner} {}",
            path.display()
        );
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

/// A folder in memory where the system offers one: the servers' own fsyncs test nothing of ours, and a busy disk holds them up. The judge's
/// store is elsewhere.
fn folder() -> tempfile::TempDir {
    let mut builder = tempfile::Builder::new();
    builder.prefix("dj");
    builder
        .tempdir_in("/dev/shm")
        .or_else(|_| builder.tempdir())
        .expect("a temporary folder")
}

/// What is missing for a mail system, if anything.
fn missing() -> Option<String> {
    if fs::metadata("/proc/self").map_or(1, |metadata| metadata.uid()) != 0 {
        return Some("the mail servers need root to start".to_owned());
    }
    let programs = [
        "/usr/sbin/dovecot",
        "/usr/lib/dovecot/imap",
        "/usr/lib/dovecot/lmtp",
        "/usr/sbin/exim4",
        "/usr/bin/openssl",
    ];
    programs
        .iter()
        .find(|path| !Path::new(path).exists())
        .map(|path| format!("{path} is not installed"))
}

/// Runs a program to its end; true if it succeeded. What it says goes to a file, not to a pipe: a daemon keeps its end of a pipe open.
fn run(program: &str, arguments: &[&str]) -> bool {
    let path = std::env::var("PATH").unwrap_or_default();
    let mut said = tempfile::tempfile().unwrap();
    let status = Command::new(program)
        .args(arguments)
        .env("PATH", format!("{path}:/usr/sbin:/sbin"))
        .stdin(Stdio::null())
        .stdout(said.try_clone().unwrap())
        .stderr(said.try_clone().unwrap())
        .status();
    if status.as_ref().is_ok_and(ExitStatus::success) {
        return true;
    }
    let mut text = String::new();
    let _ = said.rewind().and_then(|()| said.read_to_string(&mut text));
    eprintln!("{program} {arguments:?}: {status:?} {text}");
    false
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
    let Ok(text) = fs::read_to_string(pid_file) else {
        return;
    };
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
    fs::read_to_string(process.join("stat")).is_ok_and(|stat| {
        stat.rsplit(") ")
            .next()
            .is_some_and(|rest| rest.starts_with('Z'))
    })
}

/// Five ports that nobody uses. They lie below those that the system gives to outgoing connections, so that none of these takes one
/// while a server is stopped; each process of tests looks for them elsewhere.
fn free_ports() -> Ports {
    static TAKEN: AtomicU16 = AtomicU16::new(0);
    let begin = (std::process::id() * 500 % u32::from(PORTS)) as u16;
    let mut free = std::iter::repeat_with(|| {
        let next = TAKEN.fetch_add(1, Ordering::Relaxed) % PORTS;
        FIRST_PORT + (begin + next) % PORTS
    })
    .filter(|port| TcpListener::bind(("127.0.0.1", *port)).is_ok());
    let mut port = || free.next().unwrap();
    Ports {
        imap: port(),
        imaps: port(),
        lmtp: port(),
        smtp: port(),
        smtps: port(),
    }
}

/// Waits until it holds.
pub(crate) fn until(what: &str, mut holds: impl FnMut() -> bool, why: impl Fn() -> String) {
    let begun = Instant::now();
    while !holds() {
        assert!(
            begun.elapsed() < PATIENCE,
            "{what} does not come:\n{}",
            why()
        );
        std::thread::sleep(Duration::from_millis(50));
    }
}
