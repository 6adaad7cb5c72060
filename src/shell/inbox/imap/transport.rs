//! The transport under the IMAP client: limits that the client lacks, and IDLE.
//!
//! The transport limits the duration and the size of every answer, and implements IDLE. The IDLE of the client removes the
//! time limits of the socket when it ends, fails on a notice before the `+` of the server, and panics if the server ends
//! IDLE by itself. So the client sends `IDLE` as an ordinary command, and this transport consumes the notices, sends `DONE`
//! after the first one, and passes only the tagged reply to the client.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustls::{ClientConnection, StreamOwned};

use crate::inbox::Stopper;
use dipjudge_store::faults::{StepKind, step};

/// How often an IDLE checks whether it is stopped.
const STOP_CHECK: Duration = Duration::from_millis(200);
/// A longer notice is an error.
const MAX_NOTICE: usize = 64 * 1024;
/// A whole command may take this many times the limit for the next bytes.
const COMMAND_FACTOR: u32 = 10;

/// The socket, with or without TLS.
pub(super) enum Wire {
    Plain(TcpStream),
    Tls(Box<StreamOwned<ClientConnection, TcpStream>>),
}

impl Wire {
    fn socket(&self) -> &TcpStream {
        match self {
            Wire::Plain(socket) => socket,
            Wire::Tls(stream) => &stream.sock,
        }
    }

    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        step(StepKind::Imap, "an answer")?;
        match self {
            Wire::Plain(socket) => socket.read(out),
            Wire::Tls(stream) => stream.read(out),
        }
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        step(StepKind::Imap, "a part of a command")?;
        match self {
            Wire::Plain(socket) => socket.write(bytes),
            Wire::Tls(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Wire::Plain(socket) => socket.flush(),
            Wire::Tls(stream) => stream.flush(),
        }
    }
}

/// The state of an IDLE.
struct Idle {
    /// When it ends if nothing happens.
    until: Instant,
    /// When the `+` must have arrived.
    continue_by: Instant,
    continued: bool,
    over: bool,
    done_sent: bool,
}

struct ExchangeState {
    deadline: Instant,
    bytes_left: u64,
    idle: Option<Idle>,
    caught: Option<CaughtResponse>,
}

/// An untagged response that the client cannot parse, so it is not passed to it.
struct CaughtResponse {
    /// Its first word.
    word: &'static [u8],
    /// Its line, once it has come.
    line: Vec<u8>,
}

/// What is set before each command. The client owns the transport, so this is shared with it.
pub(super) struct TransportControl {
    answer: Duration,
    state: Mutex<ExchangeState>,
}

impl TransportControl {
    /// `answer` is how long the server may be silent.
    pub(super) fn new(answer: Duration) -> Arc<TransportControl> {
        let state = ExchangeState {
            deadline: Instant::now() + answer * COMMAND_FACTOR,
            bytes_left: 64 * 1024,
            idle: None,
            caught: None,
        };
        Arc::new(TransportControl {
            answer,
            state: Mutex::new(state),
        })
    }

    /// A command follows whose answer may have this many bytes.
    pub(super) fn expect(&self, bytes: u64) {
        let mut state = self.state();
        state.deadline = Instant::now() + self.answer * COMMAND_FACTOR;
        state.bytes_left = bytes;
        state.idle = None;
        state.caught = None;
    }

    /// A command follows that is answered by a response with this word, which [`TransportControl::caught`] returns.
    pub(super) fn expect_response(&self, word: &'static [u8], bytes: u64) {
        self.expect(bytes);
        self.state().caught = Some(CaughtResponse {
            word,
            line: Vec::new(),
        });
    }

    /// The line of the response that was expected; empty if there was none.
    pub(super) fn caught(&self) -> Vec<u8> {
        let caught = self.state().caught.take();
        caught.map(|caught| caught.line).unwrap_or_default()
    }

    /// An IDLE follows that ends after `at_most`.
    pub(super) fn expect_idle(&self, at_most: Duration) {
        let now = Instant::now();
        let mut state = self.state();
        // The deadline for the answer to DONE.
        state.deadline = now + at_most + self.answer;
        state.bytes_left = 64 * 1024;
        state.caught = None;
        state.idle = Some(Idle {
            until: now + at_most,
            continue_by: now + self.answer,
            continued: false,
            over: false,
            done_sent: false,
        });
    }

    /// A LOGOUT follows, which may take `at_most`.
    pub(super) fn expect_end(&self, at_most: Duration) {
        self.expect(64 * 1024);
        self.state().deadline = Instant::now() + at_most;
    }

    // No change under the lock can be interrupted by a panic.
    fn state(&self) -> MutexGuard<'_, ExchangeState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What the client reads from and writes to.
pub(super) struct Transport {
    wire: Wire,
    control: Arc<TransportControl>,
    stopper: Stopper,
    /// Bytes read from the socket and not yet passed to the client.
    buffer: Vec<u8>,
    at: usize,
    /// The last bytes of the current line, which may announce a literal (`{123}`).
    tail: Vec<u8>,
    /// How many bytes of a literal are still to be passed on.
    literal: usize,
    /// Whether the server has sent BYE; it may leave the socket open for long.
    ended: bool,
}

impl Transport {
    pub(super) fn new(
        wire: Wire,
        control: Arc<TransportControl>,
        stopper: Stopper,
    ) -> io::Result<Transport> {
        wire.socket().set_write_timeout(Some(control.answer))?;
        Ok(Transport {
            wire,
            control,
            stopper,
            buffer: Vec::new(),
            at: 0,
            tail: Vec::new(),
            literal: 0,
            ended: false,
        })
    }

    fn waiting(&self) -> &[u8] {
        self.buffer.get(self.at..).unwrap_or_default()
    }

    /// The first line in the buffer with its line end, if it is complete.
    fn line(&self) -> Option<&[u8]> {
        let waiting = self.waiting();
        let end = waiting.iter().position(|byte| *byte == b'\n')?;
        waiting.get(..=end)
    }

    /// Reads more from the socket; false at its end.
    fn fill(&mut self) -> io::Result<bool> {
        if self.at > 0 {
            self.buffer.drain(..self.at);
            self.at = 0;
        }
        let mut chunk = [0; 16 * 1024];
        loop {
            let patience = self.next_timeout()?;
            self.wire.socket().set_read_timeout(Some(patience))?;
            match self.wire.read(&mut chunk) {
                Ok(0) => return Ok(false),
                Ok(count) => {
                    self.buffer
                        .extend_from_slice(chunk.get(..count).unwrap_or_default());
                    return Ok(true);
                }
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e)
                    if matches!(
                        e.kind(),
                        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut
                    ) =>
                {
                    if !self.idling() {
                        return Err(no_answer());
                    }
                }
                Err(e) => return Err(e),
            }
        }
    }

    /// The length of the literal that these bytes of a line announce; 0 if they announce none.
    fn announced_literal(&mut self, bytes: &[u8]) -> usize {
        const LONGEST_MARK: usize = 24;
        self.tail.extend_from_slice(
            bytes
                .get(bytes.len().saturating_sub(LONGEST_MARK)..)
                .unwrap_or_default(),
        );
        self.tail
            .drain(..self.tail.len().saturating_sub(LONGEST_MARK));
        if !self.tail.ends_with(b"\n") {
            return 0;
        }
        let length = self.tail.strip_suffix(b"}\r\n").and_then(|line| {
            let digits = line
                .rsplit(|byte| *byte == b'{')
                .next()
                .filter(|digits| digits.len() < line.len())?;
            std::str::from_utf8(digits).ok()?.parse().ok()
        });
        self.tail.clear();
        length.unwrap_or(0)
    }

    fn idling(&self) -> bool {
        self.control
            .state()
            .idle
            .as_ref()
            .is_some_and(|idle| !idle.done_sent)
    }

    /// How long to wait for the next bytes. Ends an IDLE whose time is over.
    fn next_timeout(&mut self) -> io::Result<Duration> {
        let control = Arc::clone(&self.control);
        let mut state = control.state();
        let now = Instant::now();
        if let Some(idle) = state.idle.as_mut().filter(|idle| !idle.done_sent) {
            idle.over = idle.over || now >= idle.until || self.stopper.rest(Duration::ZERO);
            if !idle.continued && now >= idle.continue_by {
                return Err(no_answer());
            }
            if idle.over && idle.continued {
                idle.done_sent = true;
                state.deadline = now + control.answer;
                self.write_all(b"DONE\r\n")?;
                self.flush()?;
            } else {
                let next = if idle.continued {
                    idle.until
                } else {
                    idle.continue_by
                };
                return Ok(next
                    .saturating_duration_since(now)
                    .clamp(Duration::from_millis(1), STOP_CHECK));
            }
        }
        match state.deadline.saturating_duration_since(now) {
            Duration::ZERO => Err(no_answer()),
            left => Ok(left.min(control.answer)),
        }
    }

    /// Reads more of a line that is not complete, or notes that there is no more.
    fn fill_line(&mut self) -> io::Result<()> {
        if self.waiting().len() > MAX_NOTICE {
            return Err(too_large());
        }
        if !self.fill()? {
            self.ended = true;
        }
        Ok(())
    }

    /// Consumes the notices of an IDLE, until the next line is its tagged reply or another line that is no notice.
    fn skip_notices(&mut self) -> io::Result<()> {
        while self.control.state().idle.is_some() && !self.ended {
            // Also if there are lines already: a server that never stops sending must not prevent DONE.
            self.next_timeout()?;
            let Some(line) = self.line() else {
                self.fill_line()?;
                continue;
            };
            let length = line.len();
            let continuation = line.starts_with(b"+");
            let word = untagged_word(line);
            let mut state = self.control.state();
            if !continuation && word.is_none() {
                state.idle = None;
                return Ok(());
            }
            if let Some(idle) = state.idle.as_mut() {
                idle.continued |= continuation;
                // "* OK Still here" is sent every few minutes by servers that want to keep the connection open.
                idle.over |= word.as_deref().is_some_and(|word| word != b"OK");
            }
            drop(state);
            self.ended |= word.as_deref() == Some(b"BYE");
            self.at += length;
        }
        Ok(())
    }
}

impl Transport {
    /// Keeps the lines of an expected response from the client.
    fn catch_response(&mut self) -> io::Result<()> {
        while self.literal == 0 && !self.ended && self.control.state().caught.is_some() {
            let Some(line) = self.line() else {
                self.fill_line()?;
                continue;
            };
            let line = line.to_vec();
            let mut state = self.control.state();
            let wanted = state
                .caught
                .as_mut()
                .filter(|caught| untagged_word(&line).as_deref() == Some(caught.word));
            let Some(caught) = wanted else {
                return Ok(());
            };
            caught.line.clone_from(&line);
            drop(state);
            self.at += line.len();
        }
        Ok(())
    }
}

impl Read for Transport {
    /// Returns one line at most, so that what follows a tagged reply stays in the buffer for the next IDLE.
    ///
    /// Outside literals other characters than ASCII are replaced: the client cannot parse lines with them, but servers use
    /// them in names of mailboxes and in texts.
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.skip_notices()?;
        self.catch_response()?;
        if self.ended || (self.waiting().is_empty() && !self.fill()?) {
            return Ok(0);
        }
        let there = if self.literal > 0 {
            self.literal.min(self.waiting().len())
        } else {
            self.line().unwrap_or(self.waiting()).len()
        };
        let length = there.min(out.len());
        let mut state = self.control.state();
        state.bytes_left = state
            .bytes_left
            .checked_sub(length as u64)
            .ok_or_else(too_large)?;
        drop(state);
        let (Some(to), Some(from)) = (out.get_mut(..length), self.waiting().get(..length)) else {
            return Ok(0);
        };
        to.copy_from_slice(from);
        self.at += length;
        if self.literal > 0 {
            self.literal -= length;
        } else {
            to.iter_mut()
                .filter(|byte| !byte.is_ascii())
                .for_each(|byte| *byte = b'?');
            self.literal = self.announced_literal(to);
        }
        Ok(length)
    }
}

impl Write for Transport {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.wire.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.wire.flush()
    }
}

/// The first word of an untagged response, in capitals; `None` for any other line.
pub(super) fn untagged_word(line: &[u8]) -> Option<Vec<u8>> {
    let rest = line.strip_prefix(b"* ")?;
    let mut words = rest.split(|byte| byte.is_ascii_whitespace());
    words.next().map(<[u8]>::to_ascii_uppercase)
}

/// The error for a server that does not answer.
fn no_answer() -> io::Error {
    io::Error::new(io::ErrorKind::TimedOut, "the server does not answer")
}

/// The error for an answer over its limit.
fn too_large() -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        "the answer is larger than any answer should be",
    )
}
