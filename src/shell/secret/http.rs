//! One POST of a form to a web server, which is all that a token endpoint needs.

use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use rustls::{ClientConnection, StreamOwned};

use crate::protection::is_loopback;
use crate::tls::{self, TlsError};

/// The longest answer that is read.
const MAX_BYTES: usize = 256 * 1024;

/// The address of a web server's page: `https`, or `http` on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebAddress {
    host: String,
    port: u16,
    path: String,
    protected: bool,
}

/// Why a page cannot be asked.
#[derive(Debug, thiserror::Error)]
pub(super) enum HttpError {
    /// The connection failed.
    #[error("{0}")]
    Connection(#[from] io::Error),
    /// TLS cannot be set up.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// The answer is none of HTTP, or too long.
    #[error("its answer cannot be read")]
    Unreadable,
}

/// The answer of a web server.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct HttpAnswer {
    pub(super) status: u16,
    pub(super) body: Vec<u8>,
}

impl WebAddress {
    /// Reads an address; without TLS only this machine is asked.
    pub fn parse(text: &str) -> Option<WebAddress> {
        let (protected, rest) = match text.split_once("://")? {
            ("https", rest) => (true, rest),
            ("http", rest) => (false, rest),
            _ => return None,
        };
        let sound = |c: char| c.is_ascii_graphic() && c != '#';
        let (place, path) = match rest.find('/') {
            Some(at) => rest.split_at(at),
            None => (rest, "/"),
        };
        let (host, port) = match place.rsplit_once(':') {
            Some((host, port)) => (host, port.parse().ok()?),
            None => (place, if protected { 443 } else { 80 }),
        };
        let fits = !host.is_empty()
            && !host.contains(['@', ':', '?'])
            && rest.chars().all(sound)
            && (protected || is_loopback(host));
        fits.then(|| WebAddress {
            host: host.to_owned(),
            port,
            path: path.to_owned(),
            protected,
        })
    }

    /// The host.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// Sends a form, and waits for the answer.
    pub(super) fn post(
        &self,
        form: &[(&str, &str)],
        patience: Duration,
    ) -> Result<HttpAnswer, HttpError> {
        let until = Instant::now() + patience;
        let socket = self.connect(patience)?;
        let fields: Vec<String> = form
            .iter()
            .map(|(name, value)| format!("{name}={}", utf8_percent_encode(value, NON_ALPHANUMERIC)))
            .collect();
        let body = fields.join("&");
        let request = format!(
            "POST {} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/x-www-form-urlencoded\r\n\
             Accept: application/json\r\nUser-Agent: dipjudge\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            self.path,
            self.host,
            body.len()
        );
        if !self.protected {
            return exchange(socket, &request, until);
        }
        let name = tls::server_name(&self.host)?;
        let connection = ClientConnection::new(tls::client_config(None)?, name)
            .map_err(|error| TlsError::Setup(error.to_string()))?;
        exchange(StreamOwned::new(connection, socket), &request, until)
    }

    fn connect(&self, patience: Duration) -> io::Result<TcpStream> {
        let mut last = io::Error::from(io::ErrorKind::NotFound);
        for address in (self.host.as_str(), self.port).to_socket_addrs()? {
            match TcpStream::connect_timeout(&address, patience) {
                Ok(socket) => {
                    socket.set_read_timeout(Some(patience))?;
                    socket.set_write_timeout(Some(patience))?;
                    return Ok(socket);
                }
                Err(error) => last = error,
            }
        }
        Err(last)
    }
}

/// Sends the request, and reads until the answer is complete or the server closes the connection.
fn exchange(
    mut stream: impl Read + Write,
    request: &str,
    until: Instant,
) -> Result<HttpAnswer, HttpError> {
    stream.write_all(request.as_bytes())?;
    stream.flush()?;
    let mut answer = Vec::new();
    let mut chunk = [0; 8 * 1024];
    loop {
        if let Some(complete) = complete(&answer) {
            return Ok(complete);
        }
        if answer.len() > MAX_BYTES {
            return Err(HttpError::Unreadable);
        }
        if Instant::now() > until {
            return Err(io::Error::from(io::ErrorKind::TimedOut).into());
        }
        match stream.read(&mut chunk) {
            Ok(0) => break,
            Ok(count) => answer.extend_from_slice(chunk.get(..count).unwrap_or_default()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            // Many servers close a TLS connection without a word.
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => break,
            Err(error) => return Err(error.into()),
        }
    }
    until_the_end(&answer).ok_or(HttpError::Unreadable)
}

/// Head and body of an answer whose head is complete.
struct Parts<'a> {
    status: u16,
    fields: Vec<(&'a str, &'a str)>,
    body: &'a [u8],
}

fn parts(answer: &[u8]) -> Option<Parts<'_>> {
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n")?;
    let head = std::str::from_utf8(answer.get(..end)?).ok()?;
    let mut lines = head.split("\r\n");
    let mut words = lines.next()?.split(' ');
    words.next()?.strip_prefix("HTTP/1.")?;
    Some(Parts {
        status: words.next()?.parse().ok()?,
        fields: lines
            .filter_map(|line| line.split_once(':'))
            .map(|(name, value)| (name, value.trim()))
            .collect(),
        body: answer.get(end + 4..)?,
    })
}

impl Parts<'_> {
    fn field(&self, wanted: &str) -> Option<&str> {
        let field = self
            .fields
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case(wanted));
        field.map(|(_, value)| *value)
    }

    fn is_chunked(&self) -> bool {
        self.field("Transfer-Encoding")
            .is_some_and(|how| how.to_ascii_lowercase().ends_with("chunked"))
    }
}

/// The answer, if it says where it ends and has come so far.
fn complete(answer: &[u8]) -> Option<HttpAnswer> {
    let parts = parts(answer)?;
    let body = if parts.is_chunked() {
        unchunked(parts.body)?
    } else {
        let length: usize = parts.field("Content-Length")?.parse().ok()?;
        parts.body.get(..length)?.to_vec()
    };
    Some(HttpAnswer {
        status: parts.status,
        body,
    })
}

/// The answer that ends with the connection.
fn until_the_end(answer: &[u8]) -> Option<HttpAnswer> {
    let parts = parts(answer)?;
    let ends_so = !parts.is_chunked() && parts.field("Content-Length").is_none();
    ends_so.then(|| HttpAnswer {
        status: parts.status,
        body: parts.body.to_vec(),
    })
}

/// A body in chunks (RFC 9112 7.1), if all of them are there.
fn unchunked(mut rest: &[u8]) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let end = rest.windows(2).position(|two| two == b"\r\n")?;
        let line = std::str::from_utf8(rest.get(..end)?).ok()?;
        let digits = line.split(';').next()?.trim();
        let length = usize::from_str_radix(digits, 16).ok()?;
        let start = end + 2;
        if length == 0 {
            return Some(body);
        }
        let after = start.checked_add(length)?;
        body.extend_from_slice(rest.get(start..after)?);
        rest = rest.get(after.checked_add(2)?..)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_tls_only_this_machine_is_asked() {
        let address = WebAddress::parse("https://oauth2.example.org/token?x=1").unwrap();
        assert_eq!(
            (address.host(), address.port, address.path.as_str()),
            ("oauth2.example.org", 443, "/token?x=1")
        );
        assert!(WebAddress::parse("http://127.0.0.1:8080/token").is_some());
        for wrong in [
            "http://oauth2.example.org/token",
            "ftp://127.0.0.1/",
            "oauth2.example.org",
            "https:///token",
            "https://a@b/",
            "https://a/\r\nX: y",
            "https://a:port/",
        ] {
            assert_eq!(WebAddress::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn an_answer_is_read_however_it_ends() {
        let body = |answer: &str| complete(answer.as_bytes()).map(|answer| answer.body);
        assert_eq!(
            body("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}rest"),
            Some(b"{}".to_vec())
        );
        assert_eq!(body("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n{}"), None);
        assert_eq!(
            body(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n1;x\r\n}\r\n0\r\n\r\n"
            ),
            Some(b"{}".to_vec())
        );
        assert_eq!(
            body("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n{"),
            None
        );
        let open = b"HTTP/1.0 400 Bad Request\r\n\r\n{}";
        assert_eq!(complete(open), None);
        assert_eq!(
            until_the_end(open),
            Some(HttpAnswer {
                status: 400,
                body: b"{}".to_vec()
            })
        );
        assert_eq!(until_the_end(b"220 mail.example.org ESMTP\r\n"), None);
    }
}
