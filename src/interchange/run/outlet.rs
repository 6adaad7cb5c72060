//! The output, which has the answers in the order of the lines.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// How many chunks of answers for each job may wait for an earlier one.
const CHUNKS_AHEAD: u64 = 4;

pub(super) struct Outlet<W> {
    state: Mutex<OutletState<W>>,
    moved: Condvar,
    ahead: u64,
}

struct OutletState<W> {
    output: W,
    /// The number of the chunk that is written next.
    next: u64,
    /// Answers to later chunks, by number.
    waiting: BTreeMap<u64, Vec<u8>>,
    /// Memory for answers.
    spare: Vec<Vec<u8>>,
    no_errors: bool,
    /// Whether nothing more is written, since writing failed or some chunk will never be answered.
    stopped: bool,
}

/// The place of a chunk's answers. If it is given up without them, nothing behind it is written.
pub(super) struct Turn<'o, W> {
    outlet: &'o Outlet<W>,
    number: u64,
    is_over: bool,
}

impl<W> Outlet<W> {
    pub(super) fn of(output: W, jobs: usize) -> Outlet<W> {
        let state = OutletState {
            output,
            next: 0,
            waiting: BTreeMap::new(),
            spare: Vec::new(),
            no_errors: true,
            stopped: false,
        };
        Outlet {
            state: Mutex::new(state),
            moved: Condvar::new(),
            ahead: CHUNKS_AHEAD * u64::try_from(jobs).unwrap_or(1),
        }
    }

    pub(super) fn turn(&self, number: u64) -> Turn<'_, W> {
        Turn {
            outlet: self,
            number,
            is_over: false,
        }
    }

    /// Whether all answers so far were adjudications.
    pub(super) fn no_errors(&self) -> bool {
        self.state().no_errors
    }

    fn state(&self) -> MutexGuard<'_, OutletState<W>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<W: Write> Turn<'_, W> {
    /// Writes the answers as soon as those to all earlier chunks are written. Returns memory for the next ones; `None` if nothing
    /// more is written.
    pub(super) fn take(mut self, answers: Vec<u8>, no_errors: bool) -> io::Result<Option<Vec<u8>>> {
        let Outlet { moved, ahead, .. } = self.outlet;
        let too_early =
            |state: &mut OutletState<W>| !state.stopped && self.number >= state.next + ahead;
        let mut state = moved
            .wait_while(self.outlet.state(), too_early)
            .unwrap_or_else(PoisonError::into_inner);
        if state.stopped {
            return Ok(None);
        }
        state.no_errors &= no_errors;
        state.waiting.insert(self.number, answers);
        state.write_ready()?;
        let spare = state.spare.pop().unwrap_or_default();
        drop(state);
        self.is_over = true;
        moved.notify_all();
        Ok(Some(spare))
    }
}

impl<W> Drop for Turn<'_, W> {
    fn drop(&mut self) {
        if !self.is_over {
            self.outlet.state().stopped = true;
            self.outlet.moved.notify_all();
        }
    }
}

impl<W: Write> OutletState<W> {
    /// Writes what is due.
    fn write_ready(&mut self) -> io::Result<()> {
        let before = self.next;
        while let Some(mut answers) = self.waiting.remove(&self.next) {
            self.output.write_all(&answers)?;
            self.next += 1;
            answers.clear();
            self.spare.push(answers);
        }
        if self.next == before {
            return Ok(());
        }
        self.output.flush()
    }
}
