//! The settings of an SMTP outbox.

use std::path::PathBuf;
use std::time::Duration;

use crate::config::{self, Tls};
use crate::secret::SecretSource;

/// Time limits of an SMTP connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SmtpTimeouts {
    /// For connecting: name, network, TLS, greeting, login.
    pub connect: Duration,
    /// For the answer to a command.
    pub answer: Duration,
    /// For the answer to the text, which some servers examine at length (RFC 5321 4.5.3.2.6 allows ten minutes).
    pub text: Duration,
}

impl Default for SmtpTimeouts {
    fn default() -> SmtpTimeouts {
        SmtpTimeouts {
            connect: Duration::from_secs(60),
            answer: Duration::from_secs(120),
            text: Duration::from_secs(600),
        }
    }
}

/// The settings of an SMTP outbox.
#[derive(Debug, Clone)]
pub struct SmtpSettings {
    /// The host name, which the certificate must bear.
    pub host: String,
    /// Usually 465, or 587 with STARTTLS.
    pub port: u16,
    /// Protection of the connection.
    pub tls: Tls,
    /// A private certificate authority's file (PEM), beside the system's.
    pub ca_file: Option<PathBuf>,
    /// The login name; `None` if the server knows the judge by its IP address.
    pub user: Option<String>,
    /// The password or token; present if and only if there is a `user`.
    pub secret: Option<SecretSource>,
    /// The most connections; 2 to 4 suit most servers.
    pub connections: usize,
    /// After this many mails a connection is closed: a server may defer the rest of a long connection to its next queue
    /// run.
    pub mails_per_connection: u32,
    /// The time limits.
    pub timeouts: SmtpTimeouts,
}

/// The most connections to a mail server; many servers dislike more.
const CONNECTIONS: usize = 3;

impl SmtpSettings {
    /// The settings in the config, with the default time limits.
    pub fn of(config: &config::SmtpConfig, trust: &config::TrustConfig) -> SmtpSettings {
        let login = config.login.as_ref();
        SmtpSettings {
            host: config.server.host.clone(),
            port: config.server.port,
            tls: config.server.tls,
            ca_file: trust.ca_file.clone(),
            user: login.map(|login| login.user.clone()),
            secret: login.map(|login| login.secret.clone()),
            connections: CONNECTIONS,
            mails_per_connection: config.mails_per_connection,
            timeouts: SmtpTimeouts::default(),
        }
    }
}
