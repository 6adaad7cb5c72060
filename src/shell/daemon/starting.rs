//! Reads the logs of a store for a judge that begins, and keeps the snapshots by which that is quick.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use super::mail_handler::MailHandler;
use dipjudge_judge::{LogState, registry};
use dipjudge_store::{LogToRead, Store, StoreError};

/// The most threads that read.
const MOST_READERS: usize = 4;
/// So many logs a thread reads before it hands them over.
const LOGS_AT_ONCE: usize = 16;

/// Reads what logs lead to, and hands it over: first the register, the games in any order.
pub(super) fn read_logs(
    store: &Store,
    logs: &[String],
    mut take: impl FnMut(Result<LogState, StoreError>),
) {
    let readers = thread::available_parallelism().map_or(1, |cores| cores.get().min(MOST_READERS));
    let (register, games): (Vec<&String>, Vec<&String>) =
        logs.iter().partition(|log| *log == registry::LOG);
    let chunks: Vec<&[&String]> = games.chunks(LOGS_AT_ONCE).collect();
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        let (read, received) = mpsc::channel();
        for _ in 0..readers {
            let (read, chunks, next) = (read.clone(), &chunks, &next);
            scope.spawn(move || {
                while let Some(logs) = chunks.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let states: Vec<_> = logs.iter().map(|log| read_log(store, log)).collect();
                    if read.send(states).is_err() {
                        return;
                    }
                }
            });
        }
        drop(read);
        // The secret in it is needed for games.
        for log in register {
            take(read_log(store, log));
        }
        received.into_iter().flatten().for_each(&mut take);
    });
}

/// Reads what a log leads to.
fn read_log(store: &Store, log: &str) -> Result<LogState, StoreError> {
    let LogToRead { snapshot, records } = store.log_to_read(log)?;
    let state = snapshot.and_then(|snapshot| LogState::of_snapshot(log, &snapshot));
    if let Some(mut state) = state {
        state.play_all(counted(store, log, records))?;
        if !state.lacks_past() {
            return Ok(state);
        }
    }
    let mut state = LogState::before(log);
    state.play_all(counted(store, log, store.records(log)?))?;
    // Many games take much less memory so.
    state.forget_past();
    Ok(state)
}

/// Records that count as read behind the snapshot of a log.
fn counted(
    store: &Store,
    log: &str,
    records: impl Iterator<Item = Result<Vec<u8>, StoreError>>,
) -> impl Iterator<Item = Result<Vec<u8>, StoreError>> {
    records.inspect(move |record| {
        if let Ok(record) = record {
            store.count_read(log, record);
        }
    })
}

/// Writes the snapshots that are due. All that the judge has taken over must be in the store.
pub(super) fn keep_snapshots(store: &Store, judge: &impl MailHandler) {
    for log in store.due_snapshots() {
        store.keep_snapshot(&log, judge.snapshot(&log));
    }
}
