//! A judge with real mail servers: Dovecot and Exim on this machine, with the program as its user would run it. A test
//! program that uses it has the modules `games` and `mail_system` beside it.

#![allow(dead_code, unreachable_pub)] // shared by several test programs; none needs all of it

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use dipjudge::game::Seed;
use dipjudge::shell::demo::seed;
use jiff::Timestamp;
use tempfile::TempDir;

use crate::games::maildir_host::files;
use crate::games::play::{JudgeHost, PlayEvent};
use crate::games::program::Program;
use crate::games::received::Received;
use crate::mail_system::MailSystem;

/// A machine may stand still for a minute and go on; what takes longer than this is stuck.
const STALLED: Duration = Duration::from_secs(300);

/// The judge and everybody who plays, each with an account.
pub struct Servers {
    pub mail: MailSystem,
    _folder: TempDir,
    pub program: Program,
    people: Vec<String>,
    taken: BTreeSet<PathBuf>,
}

impl Servers {
    /// Accounts for these, the judge and its keeper, and the judge's two ends at these servers. `None` on a machine that
    /// has no mail servers.
    pub fn start<'n>(people: impl Iterator<Item = &'n str> + Clone) -> Option<Servers> {
        let names: Vec<&str> = ["judge", "keeper"]
            .into_iter()
            .chain(people.clone())
            .collect();
        let mail = MailSystem::start(&names)?;
        let folder = tempfile::tempdir().unwrap();
        let (ca_file, password_file) = (mail.ca_file(), folder.path().join("password"));
        fs::write(&password_file, MailSystem::password("judge")).unwrap();
        let ends = format!(
            "[inbox]\nkind = \"imap\"\nhost = \"localhost\"\nport = {}\ntls = \"implicit\"\nuser = \"judge\"\npassword_file = \"{password}\"\n\n\
             [outbox]\nkind = \"smtp\"\nhost = \"localhost\"\nport = {}\ntls = \"implicit\"\nuser = \"judge\"\npassword_file = \"{password}\"\n\n\
             [trust]\nca_file = \"{}\"\n",
            mail.ports.imaps,
            mail.ports.smtps,
            ca_file.display(),
            password = password_file.display(),
        );
        Some(Servers {
            mail,
            program: Program::new(folder.path(), &ends),
            _folder: folder,
            people: people.map(str::to_owned).collect(),
            taken: BTreeSet::new(),
        })
    }

    /// Fails if anything was wrong that the keeper would hear of.
    pub fn keeper_has_heard_nothing(&self) {
        let mails = self.mail.mails("keeper", "INBOX");
        assert!(mails.is_empty(), "{mails:?}");
    }

    fn waiting(&self) -> usize {
        self.mail.mails("judge", "INBOX").len()
    }

    /// Until Exim has handed everything on.
    fn settle(&self) {
        let queue = self.mail.path().join("spool/input");
        let begun = Instant::now();
        while fs::read_dir(&queue).is_ok_and(|mut entries| entries.next().is_some()) {
            assert!(
                begun.elapsed() < STALLED,
                "mail stays in the queue\n{}",
                self.mail.logs()
            );
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Does what a keeper's cron does with a tick that could not reach a server: tries again, a few times.
    fn tick(&self, at: Timestamp) {
        for _ in 0..3 {
            match self.program.try_tick(at) {
                Ok(()) => return,
                Err(why) => eprintln!("once more, since {why}"),
            }
            self.settle();
        }
        self.program.tick(at);
    }

    /// Collects until something is there, or fails.
    pub fn await_until(
        &mut self,
        record: &mut Vec<PlayEvent>,
        what: &str,
        there: &dyn Fn(&[PlayEvent]) -> bool,
    ) {
        let begun = Instant::now();
        while !there(record) {
            assert!(
                begun.elapsed() < STALLED,
                "{what} does not come\n{}\n{}",
                self.program.log(),
                self.mail.logs()
            );
            std::thread::sleep(Duration::from_millis(50));
            record.extend(self.collect().into_iter().map(PlayEvent::Received));
        }
    }
}

impl JudgeHost for Servers {
    /// Each look means a process, a connection and a mail through two servers.
    fn together(&self) -> bool {
        true
    }

    /// The judge's last look is at the time at which a mail shall have arrived: whatever stamp the server gives it, it arrives then.
    fn expect(&mut self, at: Timestamp) {
        self.tick(at);
    }

    fn post(&mut self, from: &str, to: &str, bytes: &[u8], _at: Timestamp) {
        smtp(self.mail.ports.smtp, from, to, bytes);
        // One after another, so that they lie in the mailbox in order.
        self.settle();
    }

    fn look(&mut self, at: Timestamp) {
        self.tick(at);
        assert_eq!(self.waiting(), 0, "every message was taken");
    }

    fn give_seed(&mut self, game: &str, seed: &Seed) {
        seed::give(&self.program.folder.join("data"), game, seed).unwrap();
    }

    fn collect(&mut self) -> Vec<Received> {
        self.settle();
        let mut found = Vec::new();
        for name in &self.people {
            let inbox = self.mail.maildir(name, "INBOX");
            let mut paths: Vec<PathBuf> = ["new", "cur"]
                .iter()
                .flat_map(|part| files(&inbox.join(part)))
                .collect();
            paths.sort_by_key(|path| stamp(path));
            for path in paths {
                if self.taken.insert(path.clone()) {
                    found.push(Received::read(&fs::read(path).unwrap()));
                }
            }
        }
        found
    }
}

/// When Dovecot stored a message: seconds and microseconds of `1763708661.M45678P15652.host`.
fn stamp(path: &Path) -> (u64, u64) {
    let name = path.file_name().unwrap().to_str().unwrap();
    let (seconds, rest) = name.split_once('.').unwrap();
    let digits: String = rest
        .trim_start_matches('M')
        .chars()
        .take_while(char::is_ascii_digit)
        .collect();
    (seconds.parse().unwrap_or(0), digits.parse().unwrap_or(0))
}

/// Hands one message to a mail server, as another mail server would.
fn smtp(port: u16, from: &str, to: &str, message: &[u8]) {
    let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    let mut lines = BufReader::new(stream.try_clone().unwrap());
    let mut expect = |code: &str| {
        let mut line = String::new();
        while line.is_empty() || line.as_bytes().get(3) == Some(&b'-') {
            line.clear();
            lines.read_line(&mut line).unwrap();
        }
        assert!(line.starts_with(code), "{code} was expected: {line}");
    };
    let say = |line: &str| {
        (&stream)
            .write_all(format!("{line}\r\n").as_bytes())
            .unwrap()
    };
    expect("220");
    for (line, code) in [
        ("EHLO players.example", "250"),
        (&format!("MAIL FROM:<{from}>"), "250"),
        (&format!("RCPT TO:<{to}>"), "250"),
        ("DATA", "354"),
    ] {
        say(line);
        expect(code);
    }
    for line in message.split_inclusive(|byte| *byte == b'\n') {
        if line.starts_with(b".") {
            (&stream).write_all(b".").unwrap();
        }
        (&stream).write_all(line).unwrap();
    }
    say(".");
    expect("250");
    say("QUIT");
}

/// What somebody read, without dates and ids. Mails of one hour may overtake each other on the way: they are sorted by what the judge's own
/// date and subject say.
pub fn told(name: &str, record: &[PlayEvent]) -> Vec<(String, String)> {
    let mut hours: Vec<Vec<(String, String)>> = vec![Vec::new()];
    for happened in record {
        match happened {
            PlayEvent::Received(came) if came.reader() == name => {
                hours.last_mut().unwrap().push(came.normalised())
            }
            PlayEvent::Expected(_) => hours.push(Vec::new()),
            _ => {}
        }
    }
    hours.iter_mut().for_each(|hour| hour.sort());
    hours.concat()
}
