//! Snapshots: what a log leads to by a snapshot and the records behind it is the same, byte for byte, as by all its records. A
//! snapshot that does not fit its log is ignored.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::games::JUDGE;
use crate::memory::settings;
use crate::recorded;
use dipjudge::game::{Game, Record, apply};
use dipjudge::judge::{Judge, LogState, SNAPSHOT_FORM, Snapshot, registry};
use dipjudge::mails::outbound::Templates;
use dipjudge::shell::daemon::setup;
use dipjudge::store::{Batch, Store};
use sha2::{Digest, Sha256};

/// What the snapshots of the recorded games are in this form. Where the digest changes, `SNAPSHOT_FORM` is raised, so that
/// snapshots of before are ignored.
const FORM: (u32, &str) = (2, "ea525650c897e95c");

fn judge() -> Judge {
    Judge::new(settings(JUDGE), Templates::built_in())
}

fn played(mut state: LogState, records: &[String]) -> LogState {
    let records = records.iter().map(|record| Ok(record.clone().into_bytes()));
    state.play_all::<std::convert::Infallible>(records).unwrap();
    state
}

/// The snapshot of a judge that has the register too, from whose secret the reply addresses of games derive.
fn snapshot(log: &str, state: LogState) -> Snapshot {
    static REGISTER: OnceLock<Snapshot> = OnceLock::new();
    let register = REGISTER.get_or_init(|| {
        let records = &recorded::logs()[registry::LOG];
        let mut judge = judge();
        let register = played(LogState::before(registry::LOG), records);
        judge.take_over(register).unwrap();
        judge.snapshot(registry::LOG).unwrap()
    });
    let mut judge = judge();
    let register = LogState::of_snapshot(registry::LOG, register);
    judge.take_over(register.unwrap()).unwrap();
    judge.take_over(state).unwrap();
    judge.snapshot(log).unwrap()
}

/// What a log leads to by all its records.
fn by_replay(log: &str, records: &[String]) -> Snapshot {
    snapshot(log, played(LogState::before(log), records))
}

#[test]
fn a_snapshot_and_the_records_behind_it_lead_to_what_all_records_lead_to() {
    let mut went_back = 0;
    for (log, records) in recorded::logs() {
        let end = by_replay(&log, &records);
        let mut before = LogState::before(&log);
        for cut in 1..records.len() {
            before = played(before, &records[cut - 1..cut]);
            // A long log is cut at every fifth place, which is enough.
            if cut % 5 != 0 && records.len() > 20 {
                continue;
            }
            let here = by_replay(&log, &records[..cut]);
            assert_eq!(here.records, cut);
            let read = LogState::of_snapshot(&log, &here).unwrap();
            let read = played(read, &records[cut..]);
            if read.lacks_past() {
                went_back += 1;
                continue;
            }
            assert!(snapshot(&log, read) == end, "{log}, record {cut}");
        }
    }
    println!("{went_back} went back");
}

#[test]
fn a_game_recalls_the_turns_that_its_snapshot_leaves_out() {
    for (name, records) in recorded::games() {
        let whole = game(&records);
        let mut read = whole.with_last_past_alone();
        assert_eq!(read.recalls_all(), whole.past.len() < 2, "{name}");
        assert!(read.past_turns().eq(whole.past_turns()), "{name}");
        let mut other = whole.past.clone();
        other.reverse();
        assert!(read.clone().recall(&other).is_err(), "{name}");
        assert!(read.clone().recall(&other[..1]).is_err(), "{name}");
        read.recall(&whole.past).unwrap();
        assert!(read == whole, "{name}");
    }
}

fn game(records: &[Record]) -> Game {
    let played = records.iter().fold(None, |game, record| {
        Some(apply::replay(game, record).unwrap())
    });
    played.unwrap()
}

#[test]
fn the_form_is_raised_when_snapshots_change() {
    let mut digest = Sha256::new();
    for (log, records) in recorded::logs() {
        digest.update(by_replay(&log, &records).json);
    }
    let digest: String = digest.finalize()[..8]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    assert_eq!(
        (SNAPSHOT_FORM, digest.as_str()),
        FORM,
        "raise SNAPSHOT_FORM, unless no snapshot of this form was ever released"
    );
}

#[test]
fn a_snapshot_of_another_form_is_not_used() {
    let logs = recorded::logs();
    let (log, records) = logs.iter().next().unwrap();
    let Snapshot { records, json } = by_replay(log, records);
    let other = String::from_utf8(json).unwrap();
    let form = format!(r#""form":{SNAPSHOT_FORM},"#);
    let other = other.replacen(&form, r#""form":0,"#, 1).into_bytes();
    let other = Snapshot {
        records,
        json: other,
    };
    assert!(LogState::of_snapshot(log, &other).is_none());
}

/// A store with all recorded logs.
struct Kept {
    folder: tempfile::TempDir,
}

impl Kept {
    fn new() -> Kept {
        let folder = tempfile::tempdir().unwrap();
        Store::create(folder.path()).unwrap();
        Kept { folder }
    }

    fn append(&self, records: impl IntoIterator<Item = (String, String)>) {
        let records = records.into_iter();
        let records = records.map(|(log, record)| (log, record.into_bytes()));
        let batch = Batch {
            records: records.collect(),
            ..Batch::default()
        };
        self.open().commit(&batch).unwrap();
    }

    fn open(&self) -> Store {
        Store::open(self.folder.path()).unwrap()
    }

    /// A judge begins, and ends again; what the logs lead to.
    fn start(&self) -> Vec<(String, Option<Snapshot>)> {
        let store = self.open();
        let judge = setup::judge(&store, settings(JUDGE), Templates::built_in()).unwrap();
        let logs = store.logs().unwrap().into_iter();
        logs.map(|log| {
            let snapshot = judge.snapshot(&log);
            (log, snapshot)
        })
        .collect()
    }

    fn snapshots(&self) -> Vec<PathBuf> {
        files(&self.folder.path().join("snapshots"))
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn expected() -> Vec<(String, Option<Snapshot>)> {
    let logs = recorded::logs().into_iter();
    let mut logs: Vec<_> = logs
        .map(|(log, records)| {
            let end = by_replay(&log, &records);
            (log, Some(end))
        })
        .collect();
    logs.sort_by(|(one, _), (other, _)| one.cmp(other));
    logs
}

fn halves(second: bool) -> Vec<(String, String)> {
    let logs = recorded::logs().into_iter();
    let halves = logs.flat_map(|(log, records)| {
        let middle = records.len() / 2;
        let half = if second {
            &records[middle..]
        } else {
            &records[..middle]
        };
        let half = half.iter().map(|record| (log.clone(), record.clone()));
        half.collect::<Vec<_>>()
    });
    halves.collect()
}

#[test]
fn a_store_with_snapshots_leads_to_what_its_logs_lead_to() {
    let kept = Kept::new();
    kept.append(halves(false));
    let first = kept.start();
    let old: Vec<(PathBuf, Vec<u8>)> = kept
        .snapshots()
        .into_iter()
        .map(|path| (path.clone(), fs::read(path).unwrap()))
        .collect();
    assert_eq!(old.len(), first.len(), "one for each log");
    // A start writes nothing while the snapshots fit.
    assert!(kept.start() == first);
    kept.append(halves(true));
    let expected = expected();
    // Read with the old snapshots, then with new ones, then with old ones again, then with none.
    assert!(kept.start() == expected);
    assert!(kept.start() == expected);
    for (path, bytes) in &old {
        assert!(fs::read(path).unwrap() != *bytes, "it was written anew");
        fs::write(path, bytes).unwrap();
    }
    assert!(kept.start() == expected);
    for (path, _) in &old {
        fs::remove_file(path).unwrap();
    }
    assert!(kept.start() == expected);
}

#[cfg(unix)]
#[test]
fn nobody_but_the_owner_reads_a_snapshot() {
    use std::os::unix::fs::PermissionsExt;
    let kept = Kept::new();
    kept.append(halves(false));
    kept.start();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    for path in kept.snapshots() {
        assert_eq!(mode(&path), 0o600, "{path:?}");
    }
    assert_eq!(mode(&kept.folder.path().join("snapshots")), 0o700);
}

#[test]
fn a_snapshot_that_does_not_fit_is_ignored() {
    let kept = Kept::new();
    kept.append(halves(false).into_iter().chain(halves(true)));
    let expected = expected();
    assert!(kept.start() == expected);
    let paths = kept.snapshots();
    let whole: Vec<Vec<u8>> = paths.iter().map(|path| fs::read(path).unwrap()).collect();
    type Damage = fn(&[Vec<u8>], usize) -> Vec<u8>;
    let damages: [Damage; 7] = [
        // Cut off, empty, or of another log.
        |whole, one| whole[one][..whole[one].len() / 2].to_vec(),
        |_, _| Vec::new(),
        |whole, one| whole[(one + 1) % whole.len()].clone(),
        // One byte is another, in the head or in the state.
        |whole, one| with_other_byte(&whole[one], 3),
        |whole, one| with_other_byte(&whole[one], 30),
        |whole, one| with_other_byte(&whole[one], whole[one].len() - 40),
        // A number of records that the log does not have.
        |whole, one| {
            let text = String::from_utf8(whole[one].clone()).unwrap();
            let mut lines = text.splitn(3, '\n');
            let (first, second, rest) = (lines.next(), lines.next(), lines.next());
            let (_, hashes) = second.unwrap().split_once(' ').unwrap();
            format!("{}\n9999 {hashes}\n{}", first.unwrap(), rest.unwrap()).into_bytes()
        },
    ];
    for (number, damage) in damages.iter().enumerate() {
        for (one, path) in paths.iter().enumerate() {
            fs::write(path, damage(&whole, one)).unwrap();
        }
        assert!(kept.start() == expected, "damage {number}");
        // It was written anew.
        for (path, bytes) in paths.iter().zip(&whole) {
            assert!(fs::read(path).unwrap() == *bytes, "damage {number}");
        }
    }
}

fn with_other_byte(bytes: &[u8], place: usize) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[place] ^= 1;
    bytes
}

#[test]
fn a_dropped_log_leaves_no_snapshot() {
    let kept = Kept::new();
    kept.append(halves(false));
    kept.start();
    let logs = kept.open().logs().unwrap();
    for log in &logs {
        kept.open().drop_log(log).unwrap();
    }
    assert_eq!(kept.snapshots(), Vec::<PathBuf>::new());
}
