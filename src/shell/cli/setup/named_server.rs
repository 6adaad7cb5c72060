//! A mail server as it is named in an answer, and the way to it that works.

use anyhow::{Result, anyhow, bail};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use crate::config::{Server, Tls};
use crate::preflight::{self, ConnectionFault, MailProtocol, Preflight};
use crate::protection::is_loopback;

/// How long a server on this machine may take to start. `service exim4 restart` ends before Exim takes connections, and the next
/// line of a manual that is pasted is `dipjudge setup`.
const START: Duration = Duration::from_secs(5);
/// The pause between two looks for such a server.
const LOOK_AGAIN: Duration = Duration::from_millis(250);

/// What stands in an answer: `HOST`, `HOST:PORT`, `imap://USER@HOST`, `smtps://USER@HOST:PORT`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NamedServer {
    pub(super) user: Option<String>,
    host: String,
    port: Option<u16>,
    /// Whether TLS begins at once (`imaps`, `smtps`) or not (`imap`, `smtp`); left open without these words.
    implicit: Option<bool>,
}

impl NamedServer {
    pub(super) fn parse(text: &str, protocol: MailProtocol) -> Result<NamedServer> {
        let (plain, protected) = match protocol {
            MailProtocol::Imap => ("imap", "imaps"),
            MailProtocol::Smtp => ("smtp", "smtps"),
        };
        let (implicit, rest) = match text.split_once("://") {
            None => (None, text),
            Some((scheme, rest)) if scheme.eq_ignore_ascii_case(plain) => (Some(false), rest),
            Some((scheme, rest)) if scheme.eq_ignore_ascii_case(protected) => (Some(true), rest),
            Some((scheme, _)) => {
                bail!(
                    "{scheme}:// is no mail server here; write {protected}://HOST, or the name of the host alone"
                )
            }
        };
        // A user's name may be an address.
        let (user, place) = match rest.trim_end_matches('/').rsplit_once('@') {
            Some((user, place)) => (Some(user.to_owned()), place),
            None => (None, rest.trim_end_matches('/')),
        };
        if user.as_ref().is_some_and(|user| user.contains(':')) {
            bail!(
                "a password never stands in an answer: name a file or a command, or have it read from standard input"
            );
        }
        let (host, port) = match place.rsplit_once(':') {
            Some((host, digits)) if !host.is_empty() && !host.ends_with(':') => {
                let port = digits
                    .parse()
                    .map_err(|_| anyhow!("{digits:?} is no port"))?;
                (host, Some(port))
            }
            _ => (place, None),
        };
        let fits = |c: char| c.is_ascii_alphanumeric() || ".-[]:".contains(c);
        if host.is_empty() || !host.chars().all(fits) {
            bail!("{host:?} is no name of a server, such as {plain}.your-provider.net");
        }
        Ok(NamedServer {
            user,
            host: host.to_owned(),
            port,
            implicit,
        })
    }

    /// The ways to it that fit what was said, the safest first. Without TLS none leaves this machine.
    fn ways(&self, protocol: MailProtocol) -> Vec<Server> {
        [Tls::Implicit, Tls::StartTls, Tls::None]
            .into_iter()
            .filter(|tls| {
                self.implicit
                    .is_none_or(|implicit| implicit == (*tls == Tls::Implicit))
            })
            .filter(|tls| *tls != Tls::None || is_loopback(&self.host))
            .map(|tls| Server {
                host: self.host.clone(),
                port: self.port.unwrap_or(protocol.port(tls)),
                tls,
            })
            .collect()
    }

    /// The first way that leads to a greeting. A server on this machine that takes no connection is waited for: it may just be
    /// starting.
    ///
    /// # Errors
    /// If none does, with what each of them met.
    pub(super) fn find(&self, protocol: MailProtocol, ca_file: Option<&Path>) -> Result<Server> {
        let until = Instant::now() + START;
        loop {
            let mut met = Vec::new();
            let mut may_be_starting = is_loopback(&self.host);
            for server in self.ways(protocol) {
                let tried = Preflight {
                    protocol,
                    server: &server,
                    ca_file,
                    patience: preflight::PATIENCE,
                }
                .run();
                match tried {
                    Ok(()) => return Ok(server),
                    // Another port has no other name.
                    Err(fault @ ConnectionFault::Name(_)) => return Err(fault.into()),
                    Err(fault) => {
                        may_be_starting &= matches!(fault, ConnectionFault::Port(_));
                        met.push(format!("with tls = \"{}\": {fault}", server.tls));
                    }
                }
            }
            if !may_be_starting || Instant::now() >= until {
                return Err(anyhow!(met.join("\n")));
            }
            thread::sleep(LOOK_AGAIN);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::net::TcpListener;

    use super::*;

    #[test]
    fn a_server_of_this_machine_that_is_starting_is_waited_for() {
        let port = {
            let free = TcpListener::bind("127.0.0.1:0").unwrap();
            free.local_addr().unwrap().port()
        };
        thread::spawn(move || {
            thread::sleep(2 * LOOK_AGAIN);
            let server = TcpListener::bind(("127.0.0.1", port)).unwrap();
            // The ways with TLS get no further than the greeting.
            for caller in server.incoming() {
                let _ = caller.unwrap().write_all(b"220 mail.test ESMTP\r\n");
            }
        });
        let named = NamedServer::parse(&format!("127.0.0.1:{port}"), MailProtocol::Smtp).unwrap();
        assert_eq!(named.find(MailProtocol::Smtp, None).unwrap().tls, Tls::None);
    }

    fn parse(text: &str) -> NamedServer {
        NamedServer::parse(text, MailProtocol::Imap).unwrap()
    }

    fn ways(text: &str) -> Vec<(Tls, u16)> {
        let ways = parse(text).ways(MailProtocol::Imap);
        ways.into_iter().map(|way| (way.tls, way.port)).collect()
    }

    #[test]
    fn a_server_is_named_by_its_host_or_as_an_address_of_the_web() {
        assert_eq!(parse("imap.games.test").user, None);
        let full = parse("imaps://judge@games.test@imap.games.test:1993/");
        assert_eq!(full.user.as_deref(), Some("judge@games.test"));
        assert_eq!(
            (full.host.as_str(), full.port),
            ("imap.games.test", Some(1993))
        );
        assert_eq!(
            (parse("[::1]").host.as_str(), parse("[::1]").port),
            ("[::1]", None)
        );
        for wrong in [
            "",
            "smtp://mail.test",
            "mail.test:imap",
            "imaps://judge:hush@mail.test",
            "mail test",
        ] {
            let said = NamedServer::parse(wrong, MailProtocol::Imap).unwrap_err();
            assert!(!said.to_string().contains("hush"), "{said}");
        }
    }

    #[test]
    fn the_safest_way_is_tried_first_and_none_without_tls_leaves_the_machine() {
        assert_eq!(
            ways("imap.games.test"),
            [(Tls::Implicit, 993), (Tls::StartTls, 143)]
        );
        assert_eq!(ways("imaps://imap.games.test:7"), [(Tls::Implicit, 7)]);
        assert_eq!(
            ways("imap://localhost"),
            [(Tls::StartTls, 143), (Tls::None, 143)]
        );
    }
}
