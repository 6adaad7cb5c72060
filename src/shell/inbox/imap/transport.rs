//! The bytes under the IMAP client: limits that it lacks, and IDLE.
//!
//! Three things are done here because the client cannot: no wait without an end, no answer without a limit, and IDLE. The
//! client's own IDLE takes every time limit off the socket when it is over, does not understand a notice that comes before the
//! server's `+`, and panics on a server that ends IDLE by itself. So the client is made to send `IDLE` as an ordinary command, and
//! this transport keeps the notices to itself, says `DONE` when there is one, and lets the client see only the tagged reply.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustls::{ClientConnection, StreamOwned};

use crate::inbox::Stopper;

/// How soon a stop is noticed in an IDLE.
const TICK: Duration = Duration::from_millis(200);
/// A notice longer than this is none.
const LONGEST_NOTICE: usize = 64 * 1024;
/// A whole command may take so many times what a single answer may.
const COMMAND_FACTOR: u32 = 10;

/// The socket, protected or not.
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
        match self {
            Wire::Plain(socket) => socket.read(out),
            Wire::Tls(stream) => stream.read(out),
        }
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
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

/// An IDLE under way.
struct Idle {
    /// When to end it if nothing happens.
    until: Instant,
    /// When the `+` must have come.
    welcome: Instant,
    continued: bool,
    over: bool,
    said_done: bool,
}

struct ExchangeState {
    deadline: Instant,
    budget: u64,
    idle: Option<Idle>,
}

/// What the owner of a session sets before each command; the client keeps the transport itself out of reach.
pub(super) struct TransportControl {
    answer: Duration,
    state: Mutex<ExchangeState>,
}

impl TransportControl {
    /// `answer` is how long the server may be silent.
    pub(super) fn new(answer: Duration) -> Arc<TransportControl> {
        let state = ExchangeState {
            deadline: Instant::now() + answer * COMMAND_FACTOR,
            budget: 64 * 1024,
            idle: None,
        };
        Arc::new(TransportControl {
            answer,
            state: Mutex::new(state),
        })
    }

    /// A command follows, whose answer may have so many bytes.
    pub(super) fn expect(&self, bytes: u64) {
        let mut state = self.state();
        state.deadline = Instant::now() + self.answer * COMMAND_FACTOR;
        state.budget = bytes;
        state.idle = None;
    }

    /// An IDLE follows, to be ended after `at_most`.
    pub(super) fn expect_idle(&self, at_most: Duration) {
        let now = Instant::now();
        let mut state = self.state();
        // The deadline counts from DONE on.
        state.deadline = now + at_most + self.answer;
        state.budget = 64 * 1024;
        state.idle = Some(Idle {
            until: now + at_most,
            welcome: now + self.answer,
            continued: false,
            over: false,
            said_done: false,
        });
    }

    /// A LOGOUT follows: whatever comes, come to an end.
    pub(super) fn expect_end(&self, at_most: Duration) {
        self.expect(64 * 1024);
        self.state().deadline = Instant::now() + at_most;
    }

    // Nothing is left half changed under the lock.
    fn state(&self) -> MutexGuard<'_, ExchangeState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What the client reads from and writes to.
pub(super) struct Transport {
    wire: Wire,
    control: Arc<TransportControl>,
    stopper: Stopper,
    /// Read from the wire and not yet handed to the client.
    buffer: Vec<u8>,
    at: usize,
    /// The last bytes of the line that is being handed out, to see a literal announced (`{123}`).
    tail: Vec<u8>,
    /// Bytes of a literal still to be handed out.
    literal: usize,
    /// The server has said goodbye; it may leave the socket open for long.
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

    /// The first line that waits, with its end, if it is complete.
    fn line(&self) -> Option<&[u8]> {
        let waiting = self.waiting();
        let end = waiting.iter().position(|byte| *byte == b'\n')?;
        waiting.get(..=end)
    }

    /// Reads more from the wire; false at its end.
    fn fill(&mut self) -> io::Result<bool> {
        if self.at > 0 {
            self.buffer.drain(..self.at);
            self.at = 0;
        }
        let mut chunk = [0; 16 * 1024];
        loop {
            let patience = self.patience()?;
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
                        return Err(silence());
                    }
                }
                Err(e) => return Err(e),
            }
        }
    }

    /// The length of the literal that follows, after these further bytes of a line.
    fn announced(&mut self, bytes: &[u8]) -> usize {
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
            .is_some_and(|idle| !idle.said_done)
    }

    /// How long to wait for the next bytes; ends an IDLE whose time has come.
    fn patience(&mut self) -> io::Result<Duration> {
        let control = Arc::clone(&self.control);
        let mut state = control.state();
        let now = Instant::now();
        if let Some(idle) = state.idle.as_mut().filter(|idle| !idle.said_done) {
            idle.over = idle.over || now >= idle.until || self.stopper.rest(Duration::ZERO);
            if !idle.continued && now >= idle.welcome {
                return Err(silence());
            }
            if idle.over && idle.continued {
                idle.said_done = true;
                state.deadline = now + control.answer;
                self.write_all(b"DONE\r\n")?;
                self.flush()?;
            } else {
                let next = if idle.continued {
                    idle.until
                } else {
                    idle.welcome
                };
                return Ok(next
                    .saturating_duration_since(now)
                    .clamp(Duration::from_millis(1), TICK));
            }
        }
        match state.deadline.saturating_duration_since(now) {
            Duration::ZERO => Err(silence()),
            left => Ok(left.min(control.answer)),
        }
    }

    /// Takes the notices of an IDLE in, until its tagged reply (or whatever else is no notice) is next.
    fn take_notices(&mut self) -> io::Result<()> {
        while self.control.state().idle.is_some() && !self.ended {
            // Also when lines wait already: a server that never stops talking must not keep us from saying DONE.
            self.patience()?;
            let Some(line) = self.line() else {
                if self.waiting().len() > LONGEST_NOTICE {
                    return Err(too_much());
                }
                if !self.fill()? {
                    self.ended = true;
                }
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

impl Read for Transport {
    /// Hands out one line at most, so that what follows a tagged reply stays here, where the next IDLE finds it.
    ///
    /// Outside literals everything becomes ASCII: servers repeat a mailbox's name, or speak their users' language, in their remarks,
    /// and the client cannot read a line with such a remark at all.
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.take_notices()?;
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
        state.budget = state
            .budget
            .checked_sub(length as u64)
            .ok_or_else(too_much)?;
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
            self.literal = self.announced(to);
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

/// The server says nothing.
fn silence() -> io::Error {
    io::Error::new(io::ErrorKind::TimedOut, "the server does not answer")
}

/// The server says far more than was asked.
fn too_much() -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        "the answer is larger than any answer should be",
    )
}
