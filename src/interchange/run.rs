//! The filter: many lines, adjudicated in parallel, answered in order.

use std::io::{self, BufRead, Write};
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;

use super::{Options, adjudicate};

/// A longer line is not read as a position: 16 MiB.
const LONGEST_LINE: usize = 16 << 20;

/// Lines are handed to the workers in pieces of about this size.
const CHUNK: usize = 64 << 10;

/// Answers every line of the input, in order, until it ends. Returns whether all of them were adjudications (exit status 0).
///
/// Lines that have arrived are answered before more are waited for, so the filter can be used in a dialogue. Empty lines are
/// ignored. With several jobs the input is read by a thread of its own, and only so much of it is in memory as keeps the jobs
/// busy.
///
/// # Errors
/// If the input cannot be read or the output cannot be written.
pub fn run(
    input: impl BufRead + Send,
    mut output: impl Write,
    options: &Options<'_>,
) -> io::Result<bool> {
    if options.jobs > 1 {
        return run_parallel(input, output, options);
    }
    let mut answers = Answers::default();
    let all = read_chunks(input, |lines| {
        answers.text.clear();
        answers.add(&lines, options);
        output.write_all(&answers.text)?;
        output.flush()
    })?;
    Ok(all && !answers.has_errors)
}

/// Reads whole lines and hands them on in chunks. Returns whether all of them were kept in full.
fn read_chunks(
    mut input: impl BufRead,
    mut take: impl FnMut(Vec<u8>) -> io::Result<()>,
) -> io::Result<bool> {
    let mut all_kept = true;
    let mut pending: Vec<u8> = Vec::new();
    let mut too_long = false;
    loop {
        let arrived = input.fill_buf()?;
        let count = arrived.len();
        if count == 0 {
            break;
        }
        let mut rest = arrived;
        while let Some(length) = whole_lines(rest) {
            let (lines, others) = rest.split_at(length);
            rest = others;
            pending.extend_from_slice(lines);
            // Only the beginning of a line that is too long was kept, which is not valid JSON.
            all_kept &= !std::mem::take(&mut too_long);
            take(std::mem::take(&mut pending))?;
        }
        if pending.len() < LONGEST_LINE {
            pending.extend_from_slice(rest);
        } else {
            too_long = true;
        }
        input.consume(count);
    }
    take(pending)?;
    Ok(all_kept)
}

/// The length of a chunk of whole lines at the beginning; `None` if no line ends here.
fn whole_lines(bytes: &[u8]) -> Option<usize> {
    let (first, rest) = bytes.split_at(bytes.len().min(CHUNK));
    let is_end = |byte: &u8| *byte == b'\n';
    let in_first = first.iter().rposition(is_end);
    let last = in_first.or_else(|| Some(first.len() + rest.iter().position(is_end)?))?;
    Some(last + 1)
}

/// The answers to a chunk of lines.
#[derive(Default)]
struct Answers {
    text: Vec<u8>,
    has_errors: bool,
}

impl Answers {
    fn add(&mut self, lines: &[u8], options: &Options<'_>) {
        for line in lines.split(|&byte| byte == b'\n') {
            if !line.trim_ascii().is_empty() {
                self.has_errors |= !adjudicate(line, options, &mut self.text);
            }
        }
    }
}

/// A chunk of lines, and where its answers are awaited.
struct Chunk {
    lines: Vec<u8>,
    answers: SyncSender<Answers>,
}

fn run_parallel(
    input: impl BufRead + Send,
    output: impl Write,
    options: &Options<'_>,
) -> io::Result<bool> {
    let (work, queue) = sync_channel::<Chunk>(options.jobs);
    // The answers in the order of the input. Its length limits what is in memory.
    let (promises, promised) = sync_channel::<Receiver<Answers>>(options.jobs * 4);
    let queue = Arc::new(Mutex::new(queue));
    thread::scope(|scope| {
        let workers: Vec<_> = (0..options.jobs)
            .map(|_| {
                let queue = Arc::clone(&queue);
                scope.spawn(move || work_off(&queue, options))
            })
            .collect();
        // Once no worker is left, nobody can be handed a chunk.
        drop(queue);
        let reader = scope.spawn(move || {
            read_chunks(input, |lines| {
                let (answers, promise) = sync_channel(1);
                let stopped = || io::Error::from(io::ErrorKind::BrokenPipe);
                promises.send(promise).map_err(|_| stopped())?;
                work.send(Chunk { lines, answers }).map_err(|_| stopped())
            })
        });
        let written = write_in_order(promised, output);
        let read = reader.join();
        let failed = || io::Error::other("a thread that adjudicates has failed");
        for worker in workers {
            worker.join().map_err(|_| failed())?;
        }
        let no_errors = written?;
        Ok(read.map_err(|_| failed())?? && no_errors)
    })
}

/// Answers chunks until there are no more.
fn work_off(queue: &Mutex<Receiver<Chunk>>, options: &Options<'_>) {
    loop {
        let next = match queue.lock() {
            Ok(queue) => queue.recv(),
            Err(_) => return,
        };
        let Ok(chunk) = next else {
            return;
        };
        let mut answers = Answers::default();
        answers.text.reserve(chunk.lines.len());
        answers.add(&chunk.lines, options);
        // Nobody waits for them any more once the output has failed.
        let _ = chunk.answers.send(answers);
    }
}

/// Writes the answers in the order in which they were promised. Returns whether none of them is an error.
fn write_in_order(
    promised: Receiver<Receiver<Answers>>,
    mut output: impl Write,
) -> io::Result<bool> {
    let mut no_errors = true;
    loop {
        let promise = match promised.try_recv() {
            Ok(promise) => promise,
            Err(TryRecvError::Disconnected) => break,
            Err(TryRecvError::Empty) => {
                output.flush()?;
                match promised.recv() {
                    Ok(promise) => promise,
                    Err(_) => break,
                }
            }
        };
        let Ok(answers) = promise.recv() else {
            break;
        };
        output.write_all(&answers.text)?;
        no_errors &= !answers.has_errors;
    }
    output.flush()?;
    Ok(no_errors)
}

#[cfg(test)]
mod tests;
