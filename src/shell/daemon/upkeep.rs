//! The daily upkeep, and the metrics.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, BufReader, BufWriter, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use jiff::Timestamp;

use super::backups::{BackupOutcome, DayBackup};
use super::journal;
use super::status::Status;
use crate::config::BackupConfig;
use dipjudge_store::faults::{StepKind, step};
use dipjudge_store::{Store, StoreError, check_backup};

/// The start of the names of daily backups; the date and the ending follow.
const PREFIX: &str = "dipjudge-";
const ENDING: &str = ".jsonl";
/// The end of the names of files that are being written.
const DRAFT: &str = ".tmp";
/// The permissions of files for their owner.
pub const PRIVATE: u32 = 0o600;
/// The permissions of files for everybody, such as a collector of metrics.
const PUBLIC: u32 = 0o644;

/// Starts the upkeep on a thread of its own, since mail should not wait while a large store is copied. `done` gets the
/// outcome.
///
/// # Errors
/// If the system has no thread left.
pub fn begin(
    now: Timestamp,
    store: Arc<Store>,
    backup: Option<BackupConfig>,
    done: impl FnOnce(BackupOutcome) + Send + 'static,
) -> io::Result<()> {
    let work = move || {
        let outcome = catch_unwind(AssertUnwindSafe(|| run(now, &store, backup.as_ref())));
        done(outcome.unwrap_or_else(|_| BackupOutcome {
            at: now,
            folder: backup.map(|backup| backup.path),
            backup: DayBackup::Failed("it failed by a fault of the program".to_owned()),
        }));
    };
    thread::Builder::new()
        .name("upkeep".to_owned())
        .spawn(work)
        .map(drop)
}

/// Removes old entries and copies the store. Failures are only logged: the games go on.
pub fn run(now: Timestamp, store: &Store, backup: Option<&BackupConfig>) -> BackupOutcome {
    match store.forget_seen(now) {
        Ok(0) => {}
        Ok(count) => tracing::info!(count, "messages handled long ago are forgotten"),
        Err(error) => tracing::error!(%error, "old keys of messages cannot be forgotten"),
    }
    match store.forget_failed(now) {
        Ok(0) => {}
        Ok(count) => tracing::info!(count, "mails given up a month ago are forgotten"),
        Err(error) => tracing::error!(%error, "old mails that were given up cannot be forgotten"),
    }
    let Some(backup) = backup else {
        return BackupOutcome {
            at: now,
            folder: None,
            backup: DayBackup::SwitchedOff,
        };
    };
    let written = daily(now, store, backup).map_err(|error| (&backup.path, error));
    let outcome = written.and_then(|at| {
        if let Some(second) = &backup.copy_to {
            copy(now, backup, second).map_err(|error| (second, error))?;
        }
        Ok(at)
    });
    let outcome = match outcome {
        Ok(at) => DayBackup::Written(at),
        Err((path, error)) => {
            tracing::error!(%error, ?path, "no backup could be written");
            DayBackup::Failed(format!("{}: {error}", path.display()))
        }
    };
    BackupOutcome {
        at: now,
        folder: Some(backup.path.clone()),
        backup: outcome,
    }
}

/// Writes the backup of today if it is missing, and removes the oldest ones. Returns when it was written.
fn daily(now: Timestamp, store: &Store, backup: &BackupConfig) -> Result<Timestamp, BackupError> {
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(&backup.path)?;
    let path = backup.path.join(name_of_day(now));
    if let Ok(metadata) = fs::metadata(&path) {
        let written = Timestamp::try_from(metadata.modified()?);
        return Ok(written.map_or(now, |written| written.min(now)));
    }
    write(&path, PRIVATE, |writer| {
        store.backup(writer).map_err(BackupError::Store)
    })?;
    keep_newest(&backup.path, backup.keep)?;
    tracing::info!(?path, "backup written");
    Ok(now)
}

fn name_of_day(now: Timestamp) -> String {
    format!("{PREFIX}{}{ENDING}", now.strftime("%Y-%m-%d"))
}

/// Removes all backups of a folder but the newest, and what an interrupted one left.
fn keep_newest(folder: &Path, keep: u32) -> io::Result<Vec<PathBuf>> {
    let mut kept: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        match name.to_str().and_then(|name| name.strip_prefix(PREFIX)) {
            Some(rest) if rest.ends_with(ENDING) => kept.push(entry.path()),
            // Left over from a program that was killed.
            Some(rest) if rest.ends_with(DRAFT) => fs::remove_file(entry.path())?,
            _ => {}
        }
    }
    kept.sort();
    let keep = usize::try_from(keep).unwrap_or(usize::MAX);
    for path in kept.drain(..kept.len().saturating_sub(keep)) {
        fs::remove_file(path)?;
    }
    Ok(kept)
}

/// Copies the backup of today to the second place if it is missing there, and reads the copy again. What is older than the oldest
/// backup there is removed from the journal.
fn copy(now: Timestamp, backup: &BackupConfig, second: &Path) -> Result<(), BackupError> {
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(second)?;
    let name = name_of_day(now);
    let copy = second.join(&name);
    if fs::exists(&copy)? {
        return Ok(());
    }
    let mut from = File::open(backup.path.join(&name))?;
    write(&copy, PRIVATE, |writer| {
        io::copy(&mut from, writer).map(drop)
    })
    .map_err(BackupError::File)?;
    let checked = check_backup(&mut BufReader::new(File::open(&copy)?));
    if let Err(error) = checked {
        // It is written again in an hour.
        fs::remove_file(&copy)?;
        return Err(BackupError::Store(error));
    }
    let kept = keep_newest(second, backup.keep)?;
    let day = |path: &Path, start: &str| {
        let name = path.file_name()?.to_str()?;
        Some(name.strip_prefix(start)?.to_owned())
    };
    let oldest = kept.first().and_then(|path| day(path, PREFIX));
    for entry in fs::read_dir(second)? {
        let path = entry?.path();
        if journal::is_journal(&path) && day(&path, journal::PREFIX) < oldest {
            fs::remove_file(path)?;
        }
    }
    tracing::info!(path = ?copy, "backup copied");
    Ok(())
}

/// Why there is no backup.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The store cannot be read.
    #[error(transparent)]
    Store(StoreError),
    /// The file cannot be written.
    #[error(transparent)]
    File(#[from] io::Error),
}

/// Writes a file with these permissions, completely or not at all.
///
/// # Errors
/// If it cannot be written, or if `fill` fails; then nothing is left behind.
pub fn write<E: From<io::Error>>(
    path: &Path,
    mode: u32,
    fill: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> Result<(), E> {
    let mut draft = path.as_os_str().to_owned();
    draft.push(DRAFT);
    let draft = PathBuf::from(draft);
    let written = (|| {
        step(StepKind::Write, "a whole file")?;
        let file = OpenOptions::new()
            .create(true)
            .truncate(true)
            .write(true)
            .mode(mode)
            .open(&draft)?;
        // The umask of the service must not hide the metrics from their collector.
        file.set_permissions(Permissions::from_mode(mode))?;
        let mut out = BufWriter::new(file);
        fill(&mut out)?;
        let file = out
            .into_inner()
            .map_err(|error| E::from(error.into_error()))?;
        step(StepKind::Flush, "a whole file")?;
        file.sync_all()?;
        step(StepKind::Write, "the name of a whole file")?;
        fs::rename(&draft, path)?;
        let folder = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty())
            .unwrap_or(Path::new("."));
        File::open(folder)?.sync_all()?;
        Ok(())
    })();
    if written.is_err() {
        let _ = fs::remove_file(&draft);
    }
    written
}

/// One number of a judge's status, for a collector.
struct Metric {
    /// Its name, without the prefix `dipjudge_`. A name that ends in `_total` is a counter, any other a gauge.
    name: &'static str,
    help: &'static str,
    value: fn(&Status) -> i64,
}

const fn metric(name: &'static str, help: &'static str, value: fn(&Status) -> i64) -> Metric {
    Metric { name, help, value }
}

/// All metrics, in the order of the file.
const METRICS: &[Metric] = &[
    metric("games", "Games that the judge knows.", |status| {
        whole(status.games.0)
    }),
    metric("games_running", "Games being played.", |status| {
        whole(status.games.1)
    }),
    metric(
        "messages_handled_total",
        "Messages handled since the beginning.",
        |status| i64::try_from(status.messages).unwrap_or(i64::MAX),
    ),
    metric(
        "messages_waiting",
        "Messages not handled, where they can be counted.",
        |status| whole(status.inbox.messages.unwrap_or(0) + status.spool.messages.unwrap_or(0)),
    ),
    metric(
        "messages_waiting_age_seconds",
        "Age of the oldest of them.",
        |status| {
            let oldest = [status.inbox.oldest, status.spool.oldest];
            seconds_since(status, oldest.into_iter().flatten().min())
        },
    ),
    metric(
        "inbox_away_seconds",
        "For how long the inbox has not been reached.",
        |status| seconds_since(status, status.inbox.away_since),
    ),
    metric("outbox_mails", "Mails to send.", |status| {
        whole(status.outbox.mails)
    }),
    metric("outbox_in_retry", "Mails tried in vain so far.", |status| {
        whole(status.outbox.in_retry)
    }),
    metric(
        "outbox_age_seconds",
        "Age of the oldest mail to send.",
        |status| seconds_since(status, status.outbox.oldest),
    ),
    metric("outbox_given_up", "Mails given up.", |status| {
        whole(status.outbox.given_up)
    }),
    metric(
        "outbox_stopped",
        "1 if nothing is sent until the keeper acts.",
        |status| i64::from(status.outbox.stopped.is_some()),
    ),
    metric(
        "outbox_away_seconds",
        "For how long the server that takes mail has not been reached.",
        |status| seconds_since(status, status.outbox.away.as_ref().map(|away| away.at)),
    ),
    metric(
        "failing_addresses",
        "Addresses that mail does not reach.",
        |status| whole(status.failing.len()),
    ),
    metric(
        "messages_set_aside",
        "Messages set aside for the keeper.",
        |status| whole(status.set_aside_count),
    ),
    metric(
        "backup_written_seconds",
        "When the last good backup was written, in seconds since 1970; 0 if there is none.",
        |status| status.backup.last.map_or(0, Timestamp::as_second),
    ),
    metric("backup_failures", "Backups that failed since.", |status| {
        status.backup.failures.into()
    }),
];

/// Writes the metrics of a status as a text file for a collector.
///
/// # Errors
/// If the file cannot be written.
pub fn metrics(path: &Path, status: &Status) -> io::Result<()> {
    write(path, PUBLIC, |out| {
        for Metric { name, help, value } in METRICS {
            let kind = if name.ends_with("_total") {
                "counter"
            } else {
                "gauge"
            };
            let value = value(status);
            writeln!(
                out,
                "# HELP dipjudge_{name} {help}\n# TYPE dipjudge_{name} {kind}\ndipjudge_{name} {value}"
            )?;
        }
        Ok(())
    })
}

/// The seconds from a time to that of the status; 0 without a time.
fn seconds_since(status: &Status, at: Option<Timestamp>) -> i64 {
    at.map_or(0, |at| status.at.duration_since(at).as_secs().max(0))
}

fn whole(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn one_backup_a_day_and_the_oldest_go() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::create(&folder.path().join("data")).unwrap();
        let backup = BackupConfig {
            path: folder.path().join("backup"),
            keep: 2,
            copy_to: None,
        };
        fs::create_dir(&backup.path).unwrap();
        fs::write(backup.path.join("notes"), "the keeper's own").unwrap();
        fs::write(backup.path.join("dipjudge-2026-02-01.jsonl.tmp"), "half").unwrap();
        for day in [
            "2026-03-02T10:00:00Z",
            "2026-03-02T20:00:00Z",
            "2026-03-03T10:00:00Z",
            "2026-03-04T10:00:00Z",
        ] {
            daily(at(day), &store, &backup).unwrap();
        }
        let mut names: Vec<String> = fs::read_dir(&backup.path)
            .unwrap()
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        assert_eq!(
            names,
            [
                "dipjudge-2026-03-03.jsonl",
                "dipjudge-2026-03-04.jsonl",
                "notes"
            ]
        );
    }

    #[test]
    fn the_second_place_gets_each_copy_and_what_is_not_whole_is_written_again() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::create(&folder.path().join("data")).unwrap();
        let second = folder.path().join("second");
        let backup = BackupConfig {
            path: folder.path().join("backup"),
            keep: 1,
            copy_to: Some(second.clone()),
        };
        let days = ["2026-03-02T10:00:00Z", "2026-03-03T10:00:00Z"].map(at);
        fs::create_dir(&second).unwrap();
        for name in ["journal-2026-03-02.jsonl", "journal-2026-03-03.jsonl"] {
            fs::write(second.join(name), "").unwrap();
        }
        for day in days {
            assert!(matches!(
                run(day, &store, Some(&backup)).backup,
                DayBackup::Written(_)
            ));
        }
        let mut names: Vec<String> = fs::read_dir(&second)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        assert_eq!(
            names,
            ["dipjudge-2026-03-03.jsonl", "journal-2026-03-03.jsonl"]
        );
        // A copy that is not what was written is no copy.
        let first = backup.path.join("dipjudge-2026-03-03.jsonl");
        let text = fs::read_to_string(&first).unwrap();
        fs::write(&first, text.replacen("dipjudge", "dipjudgf", 1)).unwrap();
        fs::remove_file(second.join("dipjudge-2026-03-03.jsonl")).unwrap();
        let failed = run(days[1], &store, Some(&backup)).backup;
        assert!(matches!(failed, DayBackup::Failed(_)), "{failed:?}");
        assert!(!second.join("dipjudge-2026-03-03.jsonl").exists());
    }

    #[test]
    fn a_write_that_fails_leaves_nothing_and_spoils_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        write::<io::Error>(&path, PRIVATE, |out| out.write_all(b"first")).unwrap();
        let failed = write::<io::Error>(&path, PRIVATE, |out| {
            out.write_all(b"second")?;
            Err(io::Error::other("no"))
        });
        assert!(failed.is_err());
        assert_eq!(fs::read(&path).unwrap(), b"first");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
