//! What can be wrong on the way to a mail server, each as a sentence with the next step.

use std::fmt;
use std::io;
use std::path::Path;

use crate::config::Tls;
use crate::server_words::readable;
use crate::tls::TlsError;

/// What a mail server speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailProtocol {
    /// A mailbox.
    Imap,
    /// A server that takes mail.
    Smtp,
}

impl MailProtocol {
    fn section(self) -> &'static str {
        match self {
            MailProtocol::Imap => "[inbox]",
            MailProtocol::Smtp => "[outbox]",
        }
    }

    /// The usual port for this protection.
    pub(crate) fn port(self, tls: Tls) -> u16 {
        match (self, tls) {
            (MailProtocol::Imap, Tls::Implicit) => 993,
            (MailProtocol::Imap, Tls::StartTls | Tls::None) => 143,
            (MailProtocol::Smtp, Tls::Implicit) => 465,
            (MailProtocol::Smtp, Tls::StartTls) => 587,
            (MailProtocol::Smtp, Tls::None) => 25,
        }
    }
}

impl fmt::Display for MailProtocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            MailProtocol::Imap => "IMAP",
            MailProtocol::Smtp => "SMTP",
        })
    }
}

/// The step that failed, as a sentence for the keeper that ends with what to do.
#[derive(Debug, thiserror::Error)]
pub enum ConnectionFault {
    /// The host has no address.
    #[error("{0}")]
    Name(String),
    /// The port takes no connection.
    #[error("{0}")]
    Port(String),
    /// The server says nothing.
    #[error("{0}")]
    Silence(String),
    /// The server does not protect the connection as the config says.
    #[error("{0}")]
    Mode(String),
    /// The server speaks something else.
    #[error("{0}")]
    Greeting(String),
    /// The certificate is refused.
    #[error("{0}")]
    Certificate(String),
    /// TLS fails otherwise, or the connection breaks.
    #[error("{0}")]
    Broken(String),
    /// TLS cannot be set up here.
    #[error("{0}; look at ca_file in [trust], and at host and tls of the server")]
    Setup(#[from] TlsError),
}

/// What is wrong with a certificate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CertificateFault {
    /// Its time is over.
    Expired,
    /// Its time has not begun.
    NotValidYet,
    /// It is for these names, of which none is the host's.
    OtherName(Vec<String>),
    /// It vouches for itself.
    SelfSigned,
    /// It is the certificate of an authority, which no server may use as its own.
    AuthorityItself,
    /// Nobody whom this machine trusts vouches for it.
    UnknownAuthority,
    /// Something else.
    Other(String),
}

/// Which server was tried and how: what the sentences are made from.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) protocol: MailProtocol,
    pub(super) host: String,
    pub(super) port: u16,
    pub(super) tls: Tls,
    pub(super) seconds: u64,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.host, self.port)
    }
}

impl Place {
    pub(super) fn unknown_host(&self) -> ConnectionFault {
        let (host, section) = (&self.host, self.protocol.section());
        ConnectionFault::Name(format!(
            "no server is known by the name {host}: look for a slip in host of {section}, and whether this machine finds \
             other names"
        ))
    }

    pub(super) fn silent_names(&self) -> ConnectionFault {
        let (host, seconds) = (&self.host, self.seconds);
        ConnectionFault::Name(format!(
            "nobody tells the address of {host} within {seconds} seconds: look whether this machine finds other names \
             (/etc/resolv.conf names whom it asks)"
        ))
    }

    pub(super) fn refused(&self, why: &io::Error) -> ConnectionFault {
        let (section, usual) = (self.protocol.section(), self.usual_port());
        ConnectionFault::Port(format!(
            "{self} takes no connection ({why}): look at host and port of {section}{usual}"
        ))
    }

    pub(super) fn unreachable(&self) -> ConnectionFault {
        let (section, seconds) = (self.protocol.section(), self.seconds);
        ConnectionFault::Port(format!(
            "{self} does not take the connection within {seconds} seconds: look at host and port of {section}, and whether a \
             firewall here or at the provider blocks the port{}",
            self.usual_port()
        ))
    }

    pub(super) fn silent(&self) -> ConnectionFault {
        let (section, protocol, seconds) = (self.protocol.section(), self.protocol, self.seconds);
        ConnectionFault::Silence(match self.tls {
            Tls::Implicit => format!(
                "{self} takes the connection and says nothing for {seconds} seconds: look whether that is a port for \
                 {protocol} over TLS (usually {}), and put the right one into port of {section}",
                self.protocol.port(Tls::Implicit)
            ),
            Tls::StartTls | Tls::None => format!(
                "{self} takes the connection and says nothing for {seconds} seconds, as a port does that wants TLS at once: \
                 set tls = \"implicit\" in {section}, or port = {} for tls = {}",
                self.protocol.port(self.tls),
                mode(self.tls)
            ),
        })
    }

    /// The server answered TLS with something else.
    pub(super) fn without_tls(&self) -> ConnectionFault {
        let section = self.protocol.section();
        let implicit = self.protocol.port(Tls::Implicit);
        ConnectionFault::Mode(format!(
            "{self} does not speak TLS from the first byte: set tls = \"starttls\" in {section} for this port, or take the \
             port for tls = \"implicit\", usually {implicit}"
        ))
    }

    pub(super) fn without_start_tls(&self) -> ConnectionFault {
        let section = self.protocol.section();
        let implicit = self.protocol.port(Tls::Implicit);
        ConnectionFault::Mode(format!(
            "{self} does not offer STARTTLS: set tls = \"implicit\" and port = {implicit} in {section} if the server has \
             that, or ask its keeper to turn TLS on; without TLS the password could be read on the way"
        ))
    }

    /// The server greets, but not as `self.protocol` is greeted; `other` is what it seems to speak.
    pub(super) fn other_greeting(
        &self,
        said: &str,
        other: Option<MailProtocol>,
    ) -> ConnectionFault {
        let (protocol, section) = (self.protocol, self.protocol.section());
        let usual = protocol.port(self.tls);
        ConnectionFault::Greeting(match other {
            Some(other) => format!(
                "{self} speaks {other} and not {protocol}: look at host and port of {section}; the port of {protocol} with \
                 tls = {} is usually {usual}",
                mode(self.tls)
            ),
            None => format!(
                "{self} does not greet as {protocol} does, but says \"{}\": look at host and port of {section}, usually \
                 {usual}; if the server is busy or has locked this machine out, try again later",
                readable(said)
            ),
        })
    }

    pub(super) fn certificate(
        &self,
        fault: CertificateFault,
        ca_file: Option<&Path>,
    ) -> ConnectionFault {
        let (host, section) = (&self.host, self.protocol.section());
        let file = match ca_file {
            Some(path) => format!(
                "the file {}, which ca_file in [trust] names",
                path.display()
            ),
            None => "a file, and name that as ca_file in [trust]".to_owned(),
        };
        ConnectionFault::Certificate(match fault {
            CertificateFault::Expired => format!(
                "the certificate of {self} has expired: its keeper has to renew it; if that was done, look at the clock of this \
                 machine"
            ),
            CertificateFault::NotValidYet => format!(
                "the certificate of {self} is not valid yet: look at the clock of this machine"
            ),
            CertificateFault::OtherName(names) if names.is_empty() => format!(
                "the certificate of {self} is not for the name {host}: put the name that stands in it into host of {section}"
            ),
            CertificateFault::OtherName(names) => format!(
                "the certificate of {self} is for {} and not for {host}: put a name that stands in it into host of {section}",
                names
                    .iter()
                    .take(5)
                    .map(|name| bare_name(name))
                    .collect::<Vec<_>>()
                    .join(", ")
            ),
            CertificateFault::SelfSigned => format!(
                "the certificate of {self} is signed by itself, so nobody vouches for it: if the server is yours, put the \
                 certificate into {file}"
            ),
            CertificateFault::AuthorityItself => format!(
                "{self} shows the certificate of an authority as its own, which no server may: make one for it with \
                 basicConstraints=CA:FALSE, and put the authority's into {file}"
            ),
            CertificateFault::UnknownAuthority => format!(
                "the certificate of {self} is signed by an authority that this machine does not know: put the certificate of \
                 that authority into {file}"
            ),
            CertificateFault::Other(why) => format!(
                "the certificate of {self} is refused ({}): show this to the keeper of the server",
                readable(&why)
            ),
        })
    }

    pub(super) fn handshake(&self, why: &str) -> ConnectionFault {
        let section = self.protocol.section();
        ConnectionFault::Broken(format!(
            "{self} and this program do not agree on TLS ({}): look at host and port of {section}; TLS 1.2 or 1.3 is needed",
            readable(why)
        ))
    }

    pub(super) fn broken(&self, why: &io::Error) -> ConnectionFault {
        let section = self.protocol.section();
        let why = match why.kind() {
            io::ErrorKind::UnexpectedEof => "it closes the connection".to_owned(),
            _ => why.to_string(),
        };
        ConnectionFault::Broken(format!(
            "{self} ends the conversation before it begins ({why}): look at port and tls of {section}{}, and whether the \
             server has locked this machine out",
            self.usual_port()
        ))
    }

    fn usual_port(&self) -> String {
        let usual = self.protocol.port(self.tls);
        if usual == self.port {
            return String::new();
        }
        format!(
            " (for tls = {} the port is usually {usual})",
            mode(self.tls)
        )
    }
}

fn mode(tls: Tls) -> &'static str {
    match tls {
        Tls::Implicit => "\"implicit\"",
        Tls::StartTls => "\"starttls\"",
        Tls::None => "\"none\"",
    }
}

/// A name in a certificate without the kind of name, as in `DnsName("mail.example.org")`.
fn bare_name(name: &str) -> String {
    let inside = name.split_once('(').map_or(name, |(_, inside)| inside);
    readable(inside.trim_matches(|c| matches!(c, '(' | ')' | '"')))
}
