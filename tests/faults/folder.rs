//! A judge's folder between two Maildirs, what is in it, and copies of it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use dipjudge::shell::maildir::Maildir;
use jiff::{SignedDuration, Timestamp};

use crate::store_lines::store_lines;

const CONFIG: &str = "\
[judge]
name = \"USXX\"
address = \"judge@mail.test\"
keeper = \"keeper@mail.test\"
data = \"data\"
timezone = \"Europe/Berlin\"

[inbox]
kind = \"maildir\"
path = \"mail/in\"

[outbox]
kind = \"maildir\"
path = \"mail/out\"

[limits]
unproven_reply_bytes = 0

[backup]
path = \"backup\"
";

/// A judge's folder.
pub(crate) struct Folder {
    pub(crate) path: PathBuf,
}

impl Folder {
    /// With an empty store, and more lines about backups.
    pub(crate) fn new(path: &Path, more: &str) -> Folder {
        let folder = Folder {
            path: path.to_owned(),
        };
        fs::create_dir_all(path).unwrap();
        fs::write(path.join("dipjudge.toml"), format!("{CONFIG}{more}")).unwrap();
        folder.run(&["init", "."]);
        folder
    }

    /// As [`Folder::new`], where nobody is limited in how much he writes and gets.
    pub(crate) fn without_limits(path: &Path, more: &str) -> Folder {
        let folder = Folder::new(path, more);
        let limits = [
            "replies_per_hour",
            "replies_per_day",
            "empty_replies_per_day",
            "mails_per_hour",
            "press_per_hour",
            "creates_per_day",
        ];
        let limits: String = limits.map(|limit| format!("{limit} = 100000\n")).concat();
        let bytes = "press_bytes_per_hour = 1000000000\nreply_bytes_per_hour = 1000000000\n";
        let file = path.join("dipjudge.toml");
        let config = fs::read_to_string(&file).unwrap();
        let config = config.replace("[limits]\n", &format!("[limits]\n{limits}{bytes}"));
        fs::write(file, config).unwrap();
        folder
    }

    /// Everything in it as a folder of its own.
    pub(crate) fn copy(&self, to: &Path) -> Folder {
        let _ = fs::remove_dir_all(to);
        copy(&self.path, to);
        Folder {
            path: to.to_owned(),
        }
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dipjudge"));
        command
            .env_clear()
            .args(arguments)
            .current_dir(&self.path)
            .stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> String {
        let output = self.command(arguments).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    pub(crate) fn tick(&self, at: Timestamp) -> Command {
        self.command(&["tick", "--at", &at.to_string()])
    }

    /// A message comes in.
    pub(crate) fn comes(&self, message: &str, at: Timestamp) {
        let inbox = Maildir::at(self.path.join("mail/in"));
        inbox.create().unwrap();
        inbox.deliver(message.as_bytes(), Some(at)).unwrap();
    }

    /// Somebody writes these lines.
    pub(crate) fn writes(&self, who: &str, number: u32, lines: &str, at: Timestamp) {
        let message = format!(
            "From: {who}@players.test\nTo: judge@mail.test\nSubject: game\nMessage-ID: <{number}.{who}@players.test>\n\n{lines}\n"
        );
        self.comes(&message, at);
    }

    /// The power that somebody leads.
    pub(crate) fn power_of(&self, who: &str) -> String {
        let shown = self.run(&["users", &format!("{who}@players.test")]);
        let (_, rest) = shown.split_once("kaiser (").expect("a place in kaiser");
        rest.split_once(')').unwrap().0.to_owned()
    }

    pub(crate) fn content(&self) -> Content {
        Content {
            store: store_lines(&self.path.join("data")),
            sent: sent(&self.path.join("mail/out/new")),
            waiting: names(&self.path.join("mail/in/new")).len(),
            handled: names(&self.path.join("mail/in/cur")).len(),
            set_aside: names(&self.path.join("mail/in/.Rejected/new")).len(),
        }
    }
}

/// What a judge's folder holds.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Content {
    /// The store, line by line.
    pub(crate) store: Vec<String>,
    /// What was sent, in order.
    pub(crate) sent: Vec<SentMail>,
    pub(crate) waiting: usize,
    pub(crate) handled: usize,
    pub(crate) set_aside: usize,
}

/// A mail that was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SentMail {
    pub(crate) to: String,
    pub(crate) id: String,
    pub(crate) text: String,
}

impl Content {
    /// Whether a mail waits to be sent.
    pub(crate) fn mails_wait(&self) -> bool {
        self.store.iter().any(|line| line.starts_with("{\"mail\""))
    }

    /// Fails unless this is what comes about without a fault; the number of mails that came again, with the id of before.
    pub(crate) fn holds_what(&self, without_fault: &Content, about: &str) -> usize {
        for (mine, other) in self.store.iter().zip(&without_fault.store) {
            assert_eq!(mine, other, "the store, {about}");
        }
        assert_eq!(self.store.len(), without_fault.store.len(), "{about}");
        let counts = |content: &Content| [content.waiting, content.handled, content.set_aside];
        assert_eq!(counts(self), counts(without_fault), "messages, {about}");
        let (mine, again) = by_reader(&self.sent, about);
        let (other, _) = by_reader(&without_fault.sent, about);
        assert_eq!(mine, other, "mails, {about}");
        again
    }
}

/// What each reader got, in order, each mail once, and how many came again.
fn by_reader(sent: &[SentMail], about: &str) -> (BTreeMap<String, Vec<SentMail>>, usize) {
    let mut known: BTreeMap<&str, &SentMail> = BTreeMap::new();
    let mut readers: BTreeMap<String, Vec<SentMail>> = BTreeMap::new();
    let mut again = 0;
    for mail in sent {
        match known.insert(&mail.id, mail) {
            None => readers
                .entry(mail.to.clone())
                .or_default()
                .push(mail.clone()),
            Some(same) => {
                assert_eq!(same, mail, "one id, one mail, {about}");
                again += 1;
            }
        }
    }
    (readers, again)
}

fn sent(folder: &Path) -> Vec<SentMail> {
    names(folder)
        .iter()
        .map(|name| {
            let text = fs::read(folder.join(name)).unwrap();
            let text = String::from_utf8_lossy(&text).into_owned();
            let field = |field: &str| {
                let mut lines = text.lines().take_while(|line| !line.is_empty());
                let line = lines.find_map(|line| line.strip_prefix(field));
                line.unwrap_or_else(|| panic!("no {field} in\n{text}"))
                    .trim()
                    .to_owned()
            };
            SentMail {
                to: field("To:"),
                id: field("Message-ID:"),
                text,
            }
        })
        .collect()
}

fn names(folder: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            let modified = entry.metadata().unwrap().modified().unwrap();
            fs::copy(entry.path(), &target).unwrap();
            // The time of a message is its arrival.
            fs::File::options()
                .append(true)
                .open(&target)
                .unwrap()
                .set_modified(modified)
                .unwrap();
        }
    }
}

/// A time so many minutes after the beginning of the tests.
pub(crate) fn minute(minute: i64) -> Timestamp {
    let start: Timestamp = "2030-03-04T10:00:00Z".parse().unwrap();
    start + SignedDuration::from_mins(minute)
}
