//! A Maildir: one file for each message, written so that no reader sees an incomplete one.
//!
//! Used as inbox and outbox, for the spool of `deliver`, and in tests. Mail programs and IMAP servers can read it.

use std::ffi::{OsStr, OsString};
use std::fs::{self, DirBuilder, File, FileTimes, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, chown};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, SystemTime};

use dipjudge_store::Owner;
use dipjudge_store::faults::{StepKind, step};
use jiff::Timestamp;

/// Files in `tmp` older than this are left over from a crash (the Maildir convention).
const STALE: Duration = Duration::from_secs(36 * 3600);

/// A Maildir that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("cannot {doing} {path}: {source}")]
pub struct MaildirError {
    doing: &'static str,
    path: PathBuf,
    /// What the system said.
    pub source: io::Error,
}

impl MaildirError {
    /// The same error, for another message that it concerns.
    fn again(&self) -> MaildirError {
        MaildirError {
            doing: self.doing,
            path: self.path.clone(),
            source: io::Error::new(self.source.kind(), self.source.to_string()),
        }
    }
}

trait Doing<T> {
    fn doing(self, doing: &'static str, path: &Path) -> Result<T, MaildirError>;
}

impl<T> Doing<T> for io::Result<T> {
    fn doing(self, doing: &'static str, path: &Path) -> Result<T, MaildirError> {
        self.map_err(|source| MaildirError {
            doing,
            path: path.to_owned(),
            source,
        })
    }
}

/// A message in `new`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MaildirEntry {
    /// The name of the file.
    pub name: OsString,
    /// The time of the file, which is the arrival of the message.
    pub arrived: Timestamp,
    /// The size in bytes.
    pub size: u64,
}

/// A message in `tmp`. A draft that is not delivered is swept later.
#[derive(Debug)]
pub struct MaildirDraft {
    name: OsString,
    path: PathBuf,
    file: File,
}

/// The beginning of a message, or all of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MaildirText {
    /// The bytes, up to the limit.
    pub bytes: Vec<u8>,
    /// Whether the message has more bytes.
    pub cut: bool,
}

/// One Maildir, named by its folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Maildir {
    root: PathBuf,
}

impl Maildir {
    /// The Maildir in this folder; nothing is read or made.
    pub fn at(root: impl Into<PathBuf>) -> Maildir {
        Maildir { root: root.into() }
    }

    /// The folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Makes its folders if they are missing, readable only for their owner.
    pub fn create(&self) -> Result<(), MaildirError> {
        for part in ["tmp", "new", "cur"] {
            let path = self.root.join(part);
            DirBuilder::new()
                .recursive(true)
                .mode(0o700)
                .create(&path)
                .doing("make the folder", &path)?;
        }
        Ok(())
    }

    /// As [`Maildir::create`]; the folders then belong to this user and group.
    pub fn create_for(&self, owner: Owner) -> Result<(), MaildirError> {
        self.create()?;
        for path in [".", "tmp", "new", "cur"].map(|part| self.root.join(part)) {
            hand_over(&path, owner).doing("hand over", &path)?;
        }
        Ok(())
    }

    /// Stores a message durably in `new`, and returns its name. The time of the file is `at`, or now.
    pub fn deliver(&self, bytes: &[u8], at: Option<Timestamp>) -> Result<OsString, MaildirError> {
        self.deliver_to(bytes, at, None)
    }

    /// As [`Maildir::deliver`]; the file then belongs to this user and group, if they are given. Fails for a process that
    /// may not change the owner of files.
    pub fn deliver_to(
        &self,
        bytes: &[u8],
        at: Option<Timestamp>,
        owner: Option<Owner>,
    ) -> Result<OsString, MaildirError> {
        let MaildirDraft { name, path, file } = self.draft_at(bytes, at)?;
        let synced = flush(&file).doing("write", &path);
        let handed_over = synced.and_then(|()| {
            let owner = owner.map_or(Ok(()), |owner| hand_over(&path, owner));
            owner.doing("hand over", &path)
        });
        if let Err(error) = handed_over {
            // If this fails, the file is swept later.
            let _ = fs::remove_file(&path);
            return Err(error);
        }
        let new = self.root.join("new");
        move_synced(&path, &new.join(&name))?;
        Ok(name)
    }

    /// Writes a message into `tmp`, where nobody reads it. It has the time of now, and is not durable yet.
    pub fn draft(&self, bytes: &[u8]) -> Result<MaildirDraft, MaildirError> {
        self.draft_at(bytes, None)
    }

    fn draft_at(&self, bytes: &[u8], at: Option<Timestamp>) -> Result<MaildirDraft, MaildirError> {
        // A time that the system cannot write is that of now.
        let given = at.and_then(|at| SystemTime::try_from(at).ok());
        let name = unique_name(given.unwrap_or_else(SystemTime::now));
        let path = self.root.join("tmp").join(&name);
        match write(&path, bytes, given) {
            Ok(file) => Ok(MaildirDraft { name, path, file }),
            Err(source) => {
                // If this fails, the file is swept later.
                let _ = fs::remove_file(&path);
                Err(source).doing("write", &path)
            }
        }
    }

    /// Moves drafts to `new` durably, each step for all before the next one, so that the folder is synced once. The results
    /// are in the order of the drafts.
    pub fn deliver_drafts(&self, drafts: &[MaildirDraft]) -> Vec<Result<(), MaildirError>> {
        let new = self.root.join("new");
        let synced = flush_all(drafts);
        let moved: Vec<_> = drafts
            .iter()
            .zip(synced)
            .map(|(draft, synced)| {
                synced.and_then(|()| rename(&draft.path, &new.join(&draft.name)))
            })
            .collect();
        if moved.iter().all(Result::is_err) {
            return moved;
        }
        let folder = sync_folder(&new);
        moved
            .into_iter()
            .map(|moved| match (&folder, moved) {
                (Err(error), Ok(())) => Err(error.again()),
                (_, moved) => moved,
            })
            .collect()
    }

    /// The messages in `new`, sorted by name: in the order of delivery, if all came through [`Maildir::deliver`].
    ///
    /// Everything but plain files is ignored, and so are hidden files.
    pub fn waiting(&self) -> Result<Vec<MaildirEntry>, MaildirError> {
        self.list("new")
    }

    /// As [`Maildir::waiting`], of one of the folders `new` and `cur`.
    pub fn list(&self, part: &str) -> Result<Vec<MaildirEntry>, MaildirError> {
        let new = self.root.join(part);
        let mut found = Vec::new();
        for entry in fs::read_dir(&new).doing("list", &new)? {
            let entry = entry.doing("list", &new)?;
            let name = entry.file_name();
            if name.as_encoded_bytes().starts_with(b".") {
                continue;
            }
            // The metadata of the entry, not of the target of a link. It is no error if the file is gone meanwhile.
            let Ok(metadata) = entry.metadata() else {
                continue;
            };
            if !metadata.is_file() {
                continue;
            }
            let arrived = metadata
                .modified()
                .ok()
                .and_then(|time| Timestamp::try_from(time).ok());
            // A time beyond the range of timestamps is ignored.
            let arrived = arrived.unwrap_or(Timestamp::UNIX_EPOCH);
            found.push(MaildirEntry {
                name,
                arrived,
                size: metadata.len(),
            });
        }
        found.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(found)
    }

    /// At most `limit` bytes of a message in `new`; `None` if it is gone meanwhile.
    pub fn read(&self, name: &OsStr, limit: u64) -> Result<Option<MaildirText>, MaildirError> {
        self.read_in("new", name, limit)
    }

    /// As [`Maildir::read`], in one of the folders `new` and `cur`.
    pub fn read_in(
        &self,
        part: &str,
        name: &OsStr,
        limit: u64,
    ) -> Result<Option<MaildirText>, MaildirError> {
        let path = self.root.join(part).join(name);
        let file = match File::open(&path) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
            other => other.doing("open", &path)?,
        };
        let mut bytes = Vec::new();
        file.take(limit.saturating_add(1))
            .read_to_end(&mut bytes)
            .doing("read", &path)?;
        let cut = bytes.len() as u64 > limit;
        bytes.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        Ok(Some(MaildirText { bytes, cut }))
    }

    /// Moves a handled message from `new` to `cur`, marked as seen. A second call has no effect.
    pub fn finish(&self, name: &OsStr) -> Result<(), MaildirError> {
        self.finish_all([name])
    }

    /// As [`Maildir::finish`] for many messages, with one sync.
    pub fn finish_all<'a>(
        &self,
        names: impl IntoIterator<Item = &'a OsStr>,
    ) -> Result<(), MaildirError> {
        let cur = self.root.join("cur");
        for name in names {
            let mut seen = base_name(name).to_owned();
            seen.push(":2,S");
            self.take_away(name, &cur.join(seen), rename)?;
        }
        sync_folder(&cur)
    }

    /// Moves a message that is set aside into another Maildir, unread. A second call has no effect.
    pub fn set_aside(&self, name: &OsStr, rejected: &Maildir) -> Result<(), MaildirError> {
        rejected.create()?;
        // Marks it as a folder of this Maildir for mail programs (Maildir++).
        let mark = rejected.root.join("maildirfolder");
        if rejected.root.starts_with(&self.root) && !mark.exists() {
            File::create(&mark).doing("write", &mark)?;
        }
        self.take_away(
            name,
            &rejected.root.join("new").join(base_name(name)),
            move_synced,
        )
    }

    /// The Maildir of the messages set aside.
    pub fn rejected(&self) -> Maildir {
        Maildir::at(self.root.join(".Rejected"))
    }

    /// Moves a message to `new` of another Maildir; its arrival stays.
    pub fn give_back(&self, part: &str, name: &OsStr, to: &Maildir) -> Result<(), MaildirError> {
        to.create()?;
        let from = self.root.join(part).join(name);
        move_synced(&from, &to.root.join("new").join(base_name(name)))
    }

    /// Removes a message.
    pub fn remove(&self, part: &str, name: &OsStr) -> Result<(), MaildirError> {
        let path = self.root.join(part).join(name);
        fs::remove_file(&path).doing("remove", &path)
    }

    /// The names of the files and folders in the root of the Maildir.
    pub fn beside(&self) -> Result<Vec<String>, MaildirError> {
        let entries = fs::read_dir(&self.root).doing("list", &self.root)?;
        let mut names = Vec::new();
        for entry in entries {
            let name = entry.doing("list", &self.root)?.file_name();
            names.extend(name.into_string());
        }
        Ok(names)
    }

    /// Makes an empty file in the root, durably.
    pub fn put_beside(&self, name: &str) -> Result<(), MaildirError> {
        let path = self.root.join(name);
        step(StepKind::Write, "a mark beside a Maildir")
            .and_then(|()| File::create(&path))
            .and_then(|file| flush(&file))
            .doing("write", &path)?;
        sync_folder(&self.root)
    }

    /// Removes a file in the root; it is no error if it is gone.
    pub fn remove_beside(&self, name: &str) -> Result<(), MaildirError> {
        let path = self.root.join(name);
        let removed = step(StepKind::Write, "a mark beside a Maildir");
        match removed.and_then(|()| fs::remove_file(&path)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            other => other.doing("remove", &path),
        }
    }

    /// Removes files in `tmp` older than 36 hours, which a crash left; returns how many.
    pub fn sweep(&self) -> Result<usize, MaildirError> {
        let tmp = self.root.join("tmp");
        let mut swept = 0;
        for entry in fs::read_dir(&tmp).doing("list", &tmp)? {
            let entry = entry.doing("list", &tmp)?;
            let Ok(metadata) = entry.metadata() else {
                continue;
            };
            let age = metadata
                .modified()
                .ok()
                .and_then(|time| SystemTime::now().duration_since(time).ok());
            if metadata.is_file()
                && age.is_some_and(|age| age > STALE)
                && fs::remove_file(entry.path()).is_ok()
            {
                swept += 1;
            }
        }
        Ok(swept)
    }

    fn take_away(
        &self,
        name: &OsStr,
        to: &Path,
        rename: impl FnOnce(&Path, &Path) -> Result<(), MaildirError>,
    ) -> Result<(), MaildirError> {
        let from = self.root.join("new").join(name);
        match rename(&from, to) {
            // It was moved before, by us or by a mail program.
            Err(e) if e.source.kind() == io::ErrorKind::NotFound && !from.exists() => Ok(()),
            other => other,
        }
    }
}

/// Changes the owner of a file, unless it is this user already.
fn hand_over(path: &Path, owner: Owner) -> io::Result<()> {
    if fs::metadata(path)?.uid() == owner.user {
        return Ok(());
    }
    chown(path, Some(owner.user), Some(owner.group))
}

/// A file name without the flags.
fn base_name(name: &OsStr) -> &OsStr {
    match name.to_str().and_then(|text| text.split_once(":2,")) {
        Some((base, _)) if !base.is_empty() => OsStr::new(base),
        _ => name,
    }
}

/// Makes drafts durable, all at once, since a disk takes little more time for many than for one.
fn flush_all(drafts: &[MaildirDraft]) -> Vec<Result<(), MaildirError>> {
    let flushed = |draft: &MaildirDraft| flush(&draft.file).doing("sync", &draft.path);
    let Some((first, others)) = drafts.split_first() else {
        return Vec::new();
    };
    thread::scope(|scope| {
        let spawn = |draft| {
            let begun = thread::Builder::new().spawn_scoped(scope, move || flushed(draft));
            (draft, begun.ok())
        };
        let others: Vec<_> = others.iter().map(spawn).collect();
        let mut results = vec![flushed(first)];
        // Where the system has no threads, or one panicked, the draft is synced here.
        results.extend(others.into_iter().map(|(draft, thread)| {
            let joined = thread.and_then(|thread| thread.join().ok());
            joined.unwrap_or_else(|| flushed(draft))
        }));
        results
    })
}

/// Makes a file durable.
fn flush(file: &File) -> io::Result<()> {
    step(StepKind::Flush, "a message")?;
    file.sync_all()
}

fn write(path: &Path, bytes: &[u8], time: Option<SystemTime>) -> io::Result<File> {
    step(StepKind::Write, "a message")?;
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)?;
    file.write_all(bytes)?;
    if let Some(time) = time {
        file.set_times(FileTimes::new().set_modified(time))?;
    }
    Ok(file)
}

fn rename(from: &Path, to: &Path) -> Result<(), MaildirError> {
    step(StepKind::Write, "the place of a message")
        .and_then(|()| fs::rename(from, to))
        .doing("move", from)
}

/// Renames a file durably: the folder must be synced too.
fn move_synced(from: &Path, to: &Path) -> Result<(), MaildirError> {
    rename(from, to)?;
    to.parent().map_or(Ok(()), sync_folder)
}

fn sync_folder(folder: &Path) -> Result<(), MaildirError> {
    step(StepKind::Flush, "a folder of a Maildir")
        .and_then(|()| File::open(folder))
        .and_then(|folder| folder.sync_all())
        .doing("sync", folder)
}

/// A unique name: second, microsecond, process, count and host. Names sort by time.
fn unique_name(time: SystemTime) -> OsString {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let since = time
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap_or_default();
    let (seconds, micros) = (since.as_secs(), since.subsec_micros());
    format!(
        "{seconds:010}.M{micros:06}_P{}_Q{count:06}.{}",
        std::process::id(),
        host()
    )
    .into()
}

/// The host name, without characters that have a meaning in the names of a Maildir.
fn host() -> &'static str {
    static HOST: OnceLock<String> = OnceLock::new();
    HOST.get_or_init(|| {
        let name = ["/proc/sys/kernel/hostname", "/etc/hostname"]
            .iter()
            .find_map(|path| fs::read_to_string(path).ok());
        let name = name.unwrap_or_default();
        let kept: String = name
            .trim()
            .chars()
            .filter(|c| c.is_ascii_alphanumeric() || "-._".contains(*c))
            .take(64)
            .collect();
        if kept.is_empty() {
            "localhost".to_owned()
        } else {
            kept
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn maildir() -> (tempfile::TempDir, Maildir) {
        let folder = tempfile::tempdir().unwrap();
        let maildir = Maildir::at(folder.path().join("in"));
        maildir.create().unwrap();
        (folder, maildir)
    }

    fn names(folder: PathBuf) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_message_delivered_waits_in_new_with_the_time_it_was_given() {
        let (_folder, maildir) = maildir();
        let at: Timestamp = "1999-03-02T18:00:00.25Z".parse().unwrap();
        let late: Timestamp = "2026-03-02T18:00:00.25Z".parse().unwrap();
        maildir.deliver(b"second\n", Some(late)).unwrap();
        maildir.deliver(b"first\n", Some(at)).unwrap();
        let waiting = maildir.waiting().unwrap();
        assert_eq!(waiting.len(), 2);
        assert_eq!((waiting[0].arrived, waiting[1].arrived), (at, late));
        assert_eq!(
            maildir.read(&waiting[0].name, 100).unwrap(),
            Some(MaildirText {
                bytes: b"first\n".to_vec(),
                cut: false
            })
        );
        assert_eq!(
            maildir.read(&waiting[0].name, 3).unwrap(),
            Some(MaildirText {
                bytes: b"fir".to_vec(),
                cut: true
            })
        );
        assert_eq!(names(maildir.root().join("tmp")), Vec::<String>::new());
    }

    #[test]
    fn many_deliveries_at_one_moment_keep_their_order() {
        let (_folder, maildir) = maildir();
        let at: Timestamp = "2026-03-02T18:00:00Z".parse().unwrap();
        for n in 0..50 {
            maildir
                .deliver(format!("{n}").as_bytes(), Some(at))
                .unwrap();
        }
        let waiting = maildir.waiting().unwrap();
        let read: Vec<_> = waiting
            .iter()
            .map(|w| maildir.read(&w.name, 9).unwrap().unwrap().bytes)
            .collect();
        assert_eq!(
            read,
            (0..50)
                .map(|n| format!("{n}").into_bytes())
                .collect::<Vec<_>>()
        );
    }

    #[test]
    fn handled_goes_to_cur_and_twice_is_once() {
        let (_folder, maildir) = maildir();
        let name = maildir.deliver(b"x", None).unwrap();
        maildir.finish(&name).unwrap();
        maildir.finish(&name).unwrap();
        assert_eq!(maildir.waiting().unwrap(), Vec::new());
        assert_eq!(
            names(maildir.root().join("cur")),
            vec![format!("{}:2,S", name.to_str().unwrap())]
        );
    }

    #[test]
    fn flags_that_a_reader_put_into_new_are_not_doubled() {
        let (_folder, maildir) = maildir();
        fs::write(maildir.root().join("new/123.x:2,F"), "x").unwrap();
        maildir.finish(OsStr::new("123.x:2,F")).unwrap();
        assert_eq!(names(maildir.root().join("cur")), vec!["123.x:2,S"]);
    }

    #[test]
    fn set_aside_goes_unread_into_the_rejected_folder() {
        let (_folder, maildir) = maildir();
        let name = maildir.deliver(b"x", None).unwrap();
        maildir.set_aside(&name, &maildir.rejected()).unwrap();
        maildir.set_aside(&name, &maildir.rejected()).unwrap();
        assert_eq!(maildir.waiting().unwrap(), Vec::new());
        assert_eq!(maildir.rejected().waiting().unwrap().len(), 1);
        assert!(maildir.root().join(".Rejected/maildirfolder").exists());
    }

    #[test]
    fn what_is_no_message_is_left_alone() {
        let (folder, maildir) = maildir();
        let new = maildir.root().join("new");
        fs::write(new.join(".hidden"), "x").unwrap();
        fs::create_dir(new.join("folder")).unwrap();
        let secret = folder.path().join("secret");
        fs::write(&secret, "x").unwrap();
        std::os::unix::fs::symlink(&secret, new.join("link")).unwrap();
        assert_eq!(maildir.waiting().unwrap(), Vec::new());
    }

    #[test]
    fn a_message_gone_meanwhile_is_no_fault() {
        let (_folder, maildir) = maildir();
        assert_eq!(maildir.read(OsStr::new("nothing"), 9).unwrap(), None);
    }

    #[test]
    fn a_missing_folder_is_named() {
        let why = Maildir::at("/nowhere/at/all")
            .waiting()
            .unwrap_err()
            .to_string();
        assert!(
            why.starts_with("cannot list /nowhere/at/all/new: "),
            "{why}"
        );
    }

    #[test]
    fn only_old_leftovers_are_swept() {
        let (_folder, maildir) = maildir();
        let (old, young) = (
            maildir.root().join("tmp/old"),
            maildir.root().join("tmp/young"),
        );
        write(
            &old,
            b"x",
            Some(SystemTime::now() - Duration::from_secs(40 * 3600)),
        )
        .unwrap();
        write(&young, b"x", None).unwrap();
        assert_eq!(maildir.sweep().unwrap(), 1);
        assert!(!old.exists() && young.exists());
    }
}
