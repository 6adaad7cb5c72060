//! The judge between two Maildirs, made to look at the clock by `dipjudge tick`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use dipjudge::game::Seed;
use dipjudge::shell::demo::seed;
use jiff::Timestamp;

use super::play::JudgeHost;
use super::program::Program;
use super::received::Received;

pub const ENDS: &str = "[inbox]\nkind = \"maildir\"\npath = \"mail/in\"\n\n[outbox]\nkind = \"maildir\"\npath = \"mail/out\"\n";

pub struct MaildirHost {
    pub program: Program,
    /// Whether several mails are handed over together.
    pub together: bool,
    dropped: usize,
    taken: BTreeSet<PathBuf>,
}

impl MaildirHost {
    pub fn new(folder: &Path, more: &str) -> MaildirHost {
        for maildir in ["mail/in", "mail/out"] {
            for part in ["tmp", "new", "cur"] {
                fs::create_dir_all(folder.join(maildir).join(part)).unwrap();
            }
        }
        MaildirHost {
            program: Program::new(folder, &format!("{ENDS}\n{more}")),
            together: false,
            dropped: 0,
            taken: BTreeSet::new(),
        }
    }

    /// Puts a message into the inbox; without a time it arrives now.
    pub fn drop_in(&mut self, bytes: &[u8], at: Option<Timestamp>) {
        self.dropped += 1;
        let name = format!("{:06}.script.mail.test", self.dropped);
        let inbox = self.program.folder.join("mail/in");
        let (tmp, new) = (inbox.join("tmp").join(&name), inbox.join("new").join(&name));
        fs::write(&tmp, bytes).unwrap();
        if let Some(at) = at {
            let since = Duration::from_nanos(u64::try_from(at.as_nanosecond()).unwrap());
            fs::File::options()
                .write(true)
                .open(&tmp)
                .unwrap()
                .set_modified(SystemTime::UNIX_EPOCH + since)
                .unwrap();
        }
        fs::rename(tmp, new).unwrap();
    }

    /// The messages that wait in the inbox.
    pub fn waiting(&self) -> usize {
        files(&self.program.folder.join("mail/in/new")).len()
    }
}

impl JudgeHost for MaildirHost {
    fn together(&self) -> bool {
        self.together
    }

    fn post(&mut self, _from: &str, _to: &str, bytes: &[u8], at: Timestamp) {
        self.drop_in(bytes, Some(at));
    }

    fn look(&mut self, at: Timestamp) {
        self.program.tick(at);
        assert_eq!(self.waiting(), 0, "every message was taken");
    }

    fn give_seed(&mut self, game: &str, seed: &Seed) {
        seed::give(&self.program.folder.join("data"), game, seed).unwrap();
    }

    fn collect(&mut self) -> Vec<Received> {
        let found: Vec<PathBuf> = files(&self.program.folder.join("mail/out/new"))
            .into_iter()
            .filter(|path| !self.taken.contains(path))
            .collect();
        self.taken.extend(found.iter().cloned());
        found
            .iter()
            .map(|path| Received::read(&fs::read(path).unwrap()))
            .collect()
    }
}

/// The files of a folder, by name.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .map(|entries| entries.map(|entry| entry.unwrap().path()).collect())
        .unwrap_or_default();
    files.sort();
    files
}
