//! The input, in chunks of whole lines.

use std::io::{self, BufRead};

/// A longer line is not read as a position: 16 MiB.
const LONGEST_LINE: usize = 16 << 20;

/// Lines are handed out in pieces of about this size.
const CHUNK: usize = 64 << 10;

pub(super) struct Intake<R> {
    input: R,
    /// The number of the next chunk.
    number: u64,
    all_kept: bool,
}

impl<R: BufRead> Intake<R> {
    pub(super) fn of(input: R) -> Intake<R> {
        Intake {
            input,
            number: 0,
            all_kept: true,
        }
    }

    /// Reads a chunk of whole lines, and returns its number; `None` at the end of the input.
    pub(super) fn next(&mut self, lines: &mut Vec<u8>) -> io::Result<Option<u64>> {
        lines.clear();
        let mut too_long = false;
        loop {
            let arrived = self.input.fill_buf()?;
            if arrived.is_empty() {
                break;
            }
            let length = whole_lines(arrived);
            let (taken, _) = arrived.split_at(length.unwrap_or(arrived.len()));
            if length.is_some() || lines.len() < LONGEST_LINE {
                lines.extend_from_slice(taken);
            } else {
                too_long = true;
            }
            let count = taken.len();
            self.input.consume(count);
            if length.is_some() {
                break;
            }
        }
        // Only the beginning of a line that is too long was kept, which is not valid JSON.
        self.all_kept &= !too_long;
        if lines.is_empty() {
            return Ok(None);
        }
        self.number += 1;
        Ok(Some(self.number - 1))
    }

    /// Whether all lines were kept in full.
    pub(super) fn all_kept(&self) -> bool {
        self.all_kept
    }
}

/// The length of a chunk of whole lines at the beginning; `None` if no line ends here.
fn whole_lines(bytes: &[u8]) -> Option<usize> {
    let (first, rest) = bytes.split_at(bytes.len().min(CHUNK));
    let is_end = |byte: &u8| *byte == b'\n';
    let in_first = first.iter().rposition(is_end);
    let last = in_first.or_else(|| Some(first.len() + rest.iter().position(is_end)?))?;
    Some(last + 1)
}
