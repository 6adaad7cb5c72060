//! One message on standard input, as `.forward`, an alias, procmail or a Sieve script hands it over.

use std::io::{self, Read};

use super::truncate_to_beginning;

/// A message from a pipe.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PipedMessage {
    /// The message, or the beginning of an oversize one.
    pub bytes: Vec<u8>,
    /// Whether it was larger than the limit.
    pub oversize: bool,
}

/// Reads one message, at most `max_bytes` of it. An mbox line `From ` before it is removed; line ends are not changed.
///
/// The rest is read and discarded, since a mail server would bounce the mail if the pipe were closed early.
pub fn read_message(input: &mut dyn Read, max_bytes: u64) -> io::Result<PipedMessage> {
    let mut bytes = Vec::new();
    input
        .take(max_bytes.saturating_add(1))
        .read_to_end(&mut bytes)?;
    let oversize = bytes.len() as u64 > max_bytes;
    if oversize {
        io::copy(input, &mut io::sink())?;
    }
    if bytes.starts_with(b"From ") {
        let end = bytes
            .iter()
            .position(|byte| *byte == b'\n')
            .map_or(bytes.len(), |at| at + 1);
        bytes.drain(..end);
    }
    if oversize {
        truncate_to_beginning(&mut bytes, max_bytes);
    }
    Ok(PipedMessage { bytes, oversize })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(mut input: &[u8], limit: u64) -> (Vec<u8>, bool, usize) {
        let piped = read_message(&mut input, limit).unwrap();
        (piped.bytes, piped.oversize, input.len())
    }

    #[test]
    fn the_mbox_line_of_a_pipe_is_no_part_of_the_message() {
        let piped = b"From anna@example.org Mon Mar  2 18:00:00 2026\nReturn-path: <anna@example.org>\n\nFrom here on\n";
        assert_eq!(
            read(piped, 1000).0,
            b"Return-path: <anna@example.org>\n\nFrom here on\n"
        );
        assert_eq!(
            read(b"From: anna@example.org\r\n\r\nx", 1000).0,
            b"From: anna@example.org\r\n\r\nx"
        );
        assert_eq!(read(b"From nobody", 1000).0, b"");
    }

    #[test]
    fn an_oversize_message_is_read_to_its_end() {
        assert_eq!(
            read(b"A: 1\n\n1234", 10),
            (b"A: 1\n\n1234".to_vec(), false, 0)
        );
        assert_eq!(
            read(b"A: 1\n\n12345678901234567890", 10),
            (b"A: 1\n\n1234".to_vec(), true, 0)
        );
    }
}
