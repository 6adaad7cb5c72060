//! Tries the way to a mail server step by step: name, port, TLS, certificate, greeting.
//!
//! Inbox and outbox connect through their clients, whose errors say what the client met. A keeper who sets up a judge needs to
//! know which of his settings it is, so the checks go this way first, without a login, and each step has an error of its own.

mod fault;
mod witness;

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::path::Path;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use rustls::{ClientConnection, StreamOwned};

pub use fault::{CertificateFault, ConnectionFault, MailProtocol};

use super::config::{Server, Tls};
use super::tls;
use fault::Place;
use witness::Witness;

/// How long the whole way may take.
pub const PATIENCE: Duration = Duration::from_secs(10);
/// The longest line of a server that is read.
const MAX_LINE: usize = 4096;
/// The most lines of an answer that are read.
const MAX_LINES: usize = 100;

/// The way to a server that is tried.
#[derive(Debug, Clone, Copy)]
pub struct Preflight<'a> {
    /// What the server is to speak.
    pub protocol: MailProtocol,
    /// Where it is, and how the connection is protected.
    pub server: &'a Server,
    /// The keeper's own certificate authority.
    pub ca_file: Option<&'a Path>,
    /// How long the whole way may take.
    pub patience: Duration,
}

/// What is spoken to a server: lines, over a socket or over TLS.
trait Line: Read + Write {}

impl<T: Read + Write> Line for T {}

impl Preflight<'_> {
    /// Goes the whole way, up to the greeting of the server.
    ///
    /// # Errors
    /// The first step that fails, with what mends it.
    pub fn run(&self) -> Result<(), ConnectionFault> {
        tls::permitted(self.server.tls, &self.server.host)?;
        let until = Instant::now() + self.patience;
        let mut socket = self.connect(until)?;
        match self.server.tls {
            Tls::None => self.greeting(&mut socket, until),
            Tls::StartTls => {
                self.greeting(&mut socket, until)?;
                self.start_tls(&mut socket, until)?;
                self.handshake(socket, until).map(drop)
            }
            Tls::Implicit => {
                let mut stream = self.handshake(socket, until)?;
                self.greeting(&mut stream, until)
            }
        }
    }

    fn place(&self) -> Place {
        Place {
            protocol: self.protocol,
            host: self.server.host.clone(),
            port: self.server.port,
            tls: self.server.tls,
            seconds: self.patience.as_secs(),
        }
    }

    /// A socket to the first address of the host that answers.
    fn connect(&self, until: Instant) -> Result<TcpStream, ConnectionFault> {
        let place = self.place();
        let mut last = None;
        for address in self.addresses(until)? {
            match TcpStream::connect_timeout(&address, left(until)) {
                Ok(socket) => {
                    let ready = socket
                        .set_write_timeout(Some(left(until)))
                        .and_then(|()| socket.set_read_timeout(Some(left(until))))
                        .and_then(|()| socket.set_nodelay(true));
                    return match ready {
                        Ok(()) => Ok(socket),
                        Err(error) => Err(place.refused(&error)),
                    };
                }
                Err(error) => last = Some(error),
            }
        }
        Err(match last {
            Some(error) if is_timeout(&error) => place.unreachable(),
            Some(error) => place.refused(&error),
            None => place.unknown_host(),
        })
    }

    /// The addresses of the host. The system's own limit for a name may be much longer than ours, so it is asked on a thread.
    fn addresses(&self, until: Instant) -> Result<Vec<SocketAddr>, ConnectionFault> {
        let (host, port) = (self.server.host.clone(), self.server.port);
        let (answer, answered) = mpsc::channel();
        std::thread::spawn(move || {
            let found = (host.as_str(), port).to_socket_addrs();
            // Nobody reads the answer after the limit.
            let _ = answer.send(found.map(Iterator::collect::<Vec<_>>));
        });
        match answered.recv_timeout(left(until)) {
            Ok(Ok(addresses)) => Ok(addresses),
            Ok(Err(_)) => Err(self.place().unknown_host()),
            Err(_) => Err(self.place().silent_names()),
        }
    }

    fn greeting(&self, line: &mut dyn Line, until: Instant) -> Result<(), ConnectionFault> {
        let place = self.place();
        let said = self.answer(line, until, &place)?;
        let protocol = match said.first().map(String::as_str).unwrap_or_default() {
            first if first.starts_with("* OK") || first.starts_with("* PREAUTH") => {
                Some(MailProtocol::Imap)
            }
            first if first.starts_with("220") => Some(MailProtocol::Smtp),
            _ => None,
        };
        if protocol == Some(self.protocol) {
            return Ok(());
        }
        Err(place.other_greeting(&said.join(" "), protocol))
    }

    /// Asks for TLS on a connection that has begun without.
    fn start_tls(&self, socket: &mut TcpStream, until: Instant) -> Result<(), ConnectionFault> {
        let place = self.place();
        let mut ask = |words: &str| {
            let sent = socket.write_all(words.as_bytes());
            sent.map_err(|error| place.broken(&error))?;
            self.answer(socket, until, &place)
        };
        let agreed = match self.protocol {
            MailProtocol::Imap => {
                let mut said = ask("s1 STARTTLS\r\n")?;
                // Notices may come before the answer.
                for _ in 0..MAX_LINES {
                    if !said.iter().all(|line| line.starts_with("* ")) {
                        break;
                    }
                    said = ask("")?;
                }
                said.iter()
                    .any(|line| line.to_ascii_uppercase().starts_with("S1 OK"))
            }
            MailProtocol::Smtp => {
                let offers = ask("EHLO localhost\r\n")?;
                let offered = offers.iter().any(|line| {
                    line.get(4..)
                        .is_some_and(|word| word.trim().eq_ignore_ascii_case("STARTTLS"))
                });
                offered
                    && ask("STARTTLS\r\n")?
                        .first()
                        .is_some_and(|line| line.starts_with("220"))
            }
        };
        if agreed {
            Ok(())
        } else {
            Err(place.without_start_tls())
        }
    }

    /// Speaks TLS, and looks at the certificate.
    fn handshake(
        &self,
        mut socket: TcpStream,
        until: Instant,
    ) -> Result<StreamOwned<ClientConnection, TcpStream>, ConnectionFault> {
        let place = self.place();
        let witness = Witness::new(self.ca_file)?;
        let name = tls::server_name(&self.server.host)?;
        let mut connection = ClientConnection::new(witness.config()?, name.clone())
            .map_err(|error| tls::TlsError::Setup(error.to_string()))?;
        while connection.is_handshaking() {
            socket
                .set_read_timeout(Some(left(until)))
                .map_err(|error| place.broken(&error))?;
            if let Err(error) = connection.complete_io(&mut socket) {
                return Err(match tls_error(&error) {
                    Some(rustls::Error::InvalidCertificate(why)) => {
                        place.certificate(witness.fault(why, &name), self.ca_file)
                    }
                    Some(rustls::Error::InvalidMessage(_)) => place.without_tls(),
                    Some(other) => place.handshake(&other.to_string()),
                    None if is_timeout(&error) => place.silent(),
                    None => place.broken(&error),
                });
            }
        }
        Ok(StreamOwned::new(connection, socket))
    }

    /// The lines of one answer.
    fn answer(
        &self,
        line: &mut (impl Line + ?Sized),
        until: Instant,
        place: &Place,
    ) -> Result<Vec<String>, ConnectionFault> {
        let mut lines = Vec::new();
        loop {
            let text = read_line(line, until).map_err(|error| {
                if is_timeout(&error) {
                    place.silent()
                } else {
                    place.broken(&error)
                }
            })?;
            let more = match self.protocol {
                MailProtocol::Imap => false,
                MailProtocol::Smtp => text.as_bytes().get(3) == Some(&b'-'),
            };
            lines.push(text);
            if !more || lines.len() > MAX_LINES {
                return Ok(lines);
            }
        }
    }
}

/// Reads a line byte by byte, so that nothing of what follows it is lost.
fn read_line(line: &mut (impl Line + ?Sized), until: Instant) -> io::Result<String> {
    let mut text = Vec::new();
    let mut byte = [0];
    while text.last() != Some(&b'\n') {
        if text.len() > MAX_LINE {
            break;
        }
        if Instant::now() > until {
            return Err(io::ErrorKind::TimedOut.into());
        }
        match line.read(&mut byte) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(_) => text.extend_from_slice(&byte),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(String::from_utf8_lossy(&text).trim_end().to_owned())
}

/// The time that is left; a little more than none, since a socket takes no limit of zero.
fn left(until: Instant) -> Duration {
    until
        .saturating_duration_since(Instant::now())
        .max(Duration::from_millis(1))
}

fn is_timeout(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut
    )
}

/// The error of TLS in an error of the socket.
fn tls_error(error: &io::Error) -> Option<rustls::Error> {
    error.get_ref()?.downcast_ref::<rustls::Error>().cloned()
}
