//! The filter: many lines, adjudicated in parallel, answered in order.

mod intake;
mod outlet;

use std::io::{self, BufRead, Write};
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::{Options, adjudicate};
use intake::Intake;
use outlet::Outlet;

/// Answers every line of the input, in order, until it ends. Returns whether all of them were adjudications (exit status 0).
///
/// Lines that have arrived are answered before more are waited for, so the filter can be used in a dialogue. Empty lines are
/// ignored. With several jobs each takes the next lines as soon as it has answered its last ones, and only as much is in memory
/// as keeps them busy.
///
/// # Errors
/// If the input cannot be read or the output cannot be written.
pub fn run(
    input: impl BufRead + Send,
    output: impl Write + Send,
    options: &Options<'_>,
) -> io::Result<bool> {
    let intake = Mutex::new(Intake::of(input));
    let jobs = options.jobs.max(1);
    let outlet = Outlet::of(output, jobs);
    let work = || work_off(&intake, &outlet, options);
    if jobs == 1 {
        work()?;
    } else {
        thread::scope(|scope| {
            let workers: Vec<_> = (0..jobs).map(|_| scope.spawn(work)).collect();
            let failed = |_| io::Error::other("a thread that adjudicates has failed");
            let results = workers
                .into_iter()
                .map(|worker| worker.join().map_err(failed).flatten());
            results.collect::<io::Result<Vec<()>>>()
        })?;
    }
    let all_kept = intake
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner)
        .all_kept();
    Ok(outlet.no_errors() && all_kept)
}

/// Answers chunks of lines until there are no more.
fn work_off(
    intake: &Mutex<Intake<impl BufRead>>,
    outlet: &Outlet<impl Write>,
    options: &Options<'_>,
) -> io::Result<()> {
    let mut lines = Vec::new();
    let mut answers = Vec::new();
    loop {
        let next = intake
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .next(&mut lines)?;
        let Some(number) = next else {
            return Ok(());
        };
        let turn = outlet.turn(number);
        let no_errors = answer(&lines, options, &mut answers);
        match turn.take(answers, no_errors)? {
            Some(memory) => answers = memory,
            None => return Ok(()),
        }
    }
}

/// Answers the lines of a chunk; `false` if one could not be adjudicated. It has no type parameters, so that it is compiled here, where
/// all is optimized, and not in the crate that calls.
fn answer(lines: &[u8], options: &Options<'_>, answers: &mut Vec<u8>) -> bool {
    let mut no_errors = true;
    let mut rest = lines;
    while let Some(line) = next_line(&mut rest) {
        if !line.trim_ascii().is_empty() {
            no_errors &= adjudicate(line, options, answers);
        }
    }
    no_errors
}

/// Takes the next line, without its end. Readers look for bytes much faster than a loop over them does.
fn next_line<'l>(rest: &mut &'l [u8]) -> Option<&'l [u8]> {
    let lines = *rest;
    // To read from memory cannot fail.
    let length = rest.skip_until(b'\n').ok().filter(|length| *length > 0)?;
    let line = lines.get(..length)?;
    Some(line.strip_suffix(b"\n").unwrap_or(line))
}

#[cfg(test)]
mod tests;
