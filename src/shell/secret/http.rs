//! One POST of a form to a web server, which is all that a token endpoint needs.

use std::sync::Arc;
use std::time::Duration;

use ureq::Agent;
use ureq::http::Uri;
use ureq::http::header::ACCEPT;
use ureq::tls::{Certificate, RootCerts, TlsConfig, TlsProvider};

use crate::protection::is_loopback;
use crate::tls::{self, TlsError};

/// The longest answer that is read.
const MAX_BYTES: u64 = 256 * 1024;

/// The address of a web server's page: `https`, or `http` on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebAddress {
    uri: Uri,
}

/// Why a page cannot be asked.
#[derive(Debug, thiserror::Error)]
pub(super) enum HttpError {
    /// The connection failed, or the answer is not HTTP.
    #[error(transparent)]
    Exchange(#[from] ureq::Error),
    /// TLS cannot be set up.
    #[error(transparent)]
    Tls(#[from] TlsError),
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
        let uri: Uri = text.parse().ok()?;
        let host = uri.host().filter(|host| !host.is_empty())?;
        let permitted = match uri.scheme_str()? {
            "https" => true,
            "http" => is_loopback(host),
            _ => false,
        };
        let place = uri.authority()?.as_str();
        // Only a port may follow the host.
        let has_port = place == host || uri.port_u16().is_some();
        let fits = permitted && has_port && !place.contains('@') && !text.contains('#');
        fits.then_some(WebAddress { uri })
    }

    /// The host.
    pub fn host(&self) -> &str {
        self.uri.host().unwrap_or_default()
    }

    /// Sends a form, and waits for the answer.
    pub(super) fn post(
        &self,
        form: &[(&str, &str)],
        patience: Duration,
    ) -> Result<HttpAnswer, HttpError> {
        let agent: Agent = Agent::config_builder()
            .timeout_global(Some(patience))
            // A token is sent to nobody whom the config does not name.
            .max_redirects(0)
            .max_redirects_will_error(false)
            .proxy(None)
            .http_status_as_error(false)
            .user_agent("dipjudge")
            .tls_config(tls_config()?)
            .build()
            .into();
        let request = agent
            .post(self.uri.clone())
            .header(ACCEPT, "application/json");
        let mut answer = request.send_form(form.iter().copied())?;
        let status = answer.status().as_u16();
        let body = answer.body_mut().with_config().limit(MAX_BYTES);
        Ok(HttpAnswer {
            status,
            body: body.read_to_vec()?,
        })
    }
}

/// The authorities of the system, and the one crypto provider of this program.
fn tls_config() -> Result<TlsConfig, TlsError> {
    let known = tls::system_roots();
    let known: Vec<Certificate<'static>> = known
        .iter()
        .map(|certificate| Certificate::from_der(certificate).to_owned())
        .collect();
    Ok(TlsConfig::builder()
        .provider(TlsProvider::Rustls)
        .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .root_certs(RootCerts::new_with_certs(&known))
        .build())
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpListener;
    use std::thread::{self, JoinHandle};

    use super::*;

    #[test]
    fn without_tls_only_this_machine_is_asked() {
        let address = WebAddress::parse("https://oauth2.example.org/token?x=1").unwrap();
        assert_eq!(address.host(), "oauth2.example.org");
        assert!(WebAddress::parse("http://127.0.0.1:8080/token").is_some());
        for wrong in [
            "http://oauth2.example.org/token",
            "ftp://127.0.0.1/",
            "oauth2.example.org",
            "https:///token",
            "https://a@b/",
            "https://a/\r\nX: y",
            "https://a:port/",
            "https://a/#b",
        ] {
            assert_eq!(WebAddress::parse(wrong), None, "{wrong}");
        }
    }

    /// A server that gives one answer, and what it was sent.
    fn answering(answer: &'static str) -> (WebAddress, JoinHandle<String>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let place = listener.local_addr().unwrap();
        let server = thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut request = Vec::new();
            let mut chunk = [0; 4096];
            while !request.ends_with(b"c=d%26e") {
                let count = stream.read(&mut chunk).unwrap();
                request.extend_from_slice(&chunk[..count]);
            }
            stream.write_all(answer.as_bytes()).unwrap();
            String::from_utf8(request).unwrap()
        });
        let address = WebAddress::parse(&format!("http://{place}/token")).unwrap();
        (address, server)
    }

    #[test]
    fn a_form_is_sent_and_an_answer_read_however_it_ends() {
        for (answer, status) in [
            ("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}", 200),
            (
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n1\r\n}\r\n0\r\n\r\n",
                200,
            ),
            ("HTTP/1.0 400 Bad Request\r\n\r\n{}", 400),
            (
                "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\ncontent-length: 2\r\n\r\n{}",
                302,
            ),
        ] {
            let (address, server) = answering(answer);
            let form = [("a", "b"), ("c", "d&e")];
            let answered = address.post(&form, Duration::from_secs(5)).unwrap();
            let request = server.join().unwrap();
            let body = b"{}".to_vec();
            assert_eq!(answered, HttpAnswer { status, body }, "{answer}");
            assert!(request.starts_with("POST /token HTTP/1.1\r\n"), "{request}");
            assert!(request.ends_with("\r\n\r\na=b&c=d%26e"), "{request}");
        }
    }

    #[test]
    fn what_is_no_answer_is_an_error() {
        for answer in ["220 mail.example.org ESMTP\r\n", ""] {
            let (address, server) = answering(answer);
            let form = [("a", "b"), ("c", "d&e")];
            assert!(address.post(&form, Duration::from_secs(5)).is_err());
            server.join().unwrap();
        }
    }
}
