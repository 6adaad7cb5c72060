//! The filter: many lines, adjudicated in parallel, answered in order.

use std::io::{self, BufRead, Write};

use super::{Options, adjudicate};

/// A longer line is not read as a position: 16 MiB.
const LONGEST_LINE: usize = 16 << 20;

/// Answers every line of the input, in order, until it ends. Returns whether all of them were adjudications (exit status 0).
///
/// Lines that have arrived are answered before more are waited for, so the filter can be used in a dialogue. Empty lines are
/// ignored.
///
/// # Errors
/// If the input cannot be read or the output cannot be written.
pub fn run(
    mut input: impl BufRead,
    mut output: impl Write,
    options: &Options<'_>,
) -> io::Result<bool> {
    let mut all = true;
    let mut pending: Vec<u8> = Vec::new();
    let mut too_long = false;
    loop {
        let arrived = input.fill_buf()?;
        let count = arrived.len();
        if count == 0 {
            break;
        }
        let whole = arrived
            .iter()
            .rposition(|&byte| byte == b'\n')
            .map_or(0, |last| last + 1);
        let (lines, rest) = arrived.split_at(whole);
        if whole > 0 {
            let mut batch = std::mem::take(&mut pending);
            batch.extend_from_slice(lines);
            if std::mem::take(&mut too_long) {
                // Only the beginning of the line was kept, which is not valid JSON.
                all = false;
            }
            all &= answer_lines(&batch, &mut output, options)?;
            output.flush()?;
        }
        if pending.len() < LONGEST_LINE {
            pending.extend_from_slice(rest);
        } else {
            too_long = true;
        }
        input.consume(count);
    }
    all &= answer_lines(&pending, &mut output, options)?;
    output.flush()?;
    Ok(all)
}

fn answer_lines(batch: &[u8], output: &mut impl Write, options: &Options<'_>) -> io::Result<bool> {
    let lines: Vec<&[u8]> = batch
        .split(|&byte| byte == b'\n')
        .filter(|line| !line.trim_ascii().is_empty())
        .collect();
    let jobs = options.jobs.clamp(1, lines.len().max(1));
    if jobs == 1 {
        let (answers, all) = answer_some(&lines, options);
        output.write_all(&answers)?;
        return Ok(all);
    }
    let share = lines.len().div_ceil(jobs);
    let answered: Vec<Option<(Vec<u8>, bool)>> = std::thread::scope(|scope| {
        let workers: Vec<_> = lines
            .chunks(share)
            .map(|share| scope.spawn(|| answer_some(share, options)))
            .collect();
        workers
            .into_iter()
            .map(|worker| worker.join().ok())
            .collect()
    });
    let mut all = true;
    for answers in answered {
        let (answers, fine) =
            answers.ok_or_else(|| io::Error::other("a thread that adjudicates has failed"))?;
        output.write_all(&answers)?;
        all &= fine;
    }
    Ok(all)
}

fn answer_some(lines: &[&[u8]], options: &Options<'_>) -> (Vec<u8>, bool) {
    let mut answers = Vec::with_capacity(lines.len() * 1024);
    let mut all = true;
    for line in lines {
        all &= adjudicate(line, options, &mut answers);
    }
    (answers, all)
}
