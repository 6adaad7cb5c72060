//! Which SMTP server, and how to get in.

use std::path::PathBuf;
use std::time::Duration;

use crate::config::{self, Tls};
use crate::secret::SecretSource;

/// How long to wait for what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SmtpTimeouts {
    /// For a connection: name, network, TLS, greeting, login.
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

/// Which server, and how to get in.
#[derive(Debug, Clone)]
pub struct SmtpSettings {
    /// The server's name, which its certificate must bear.
    pub host: String,
    /// Usually 465, or 587 with STARTTLS.
    pub port: u16,
    /// Protection of the connection.
    pub tls: Tls,
    /// A private certificate authority's file (PEM), beside the system's.
    pub ca_file: Option<PathBuf>,
    /// Login name; none where the server knows us by our address.
    pub user: Option<String>,
    /// Password or token; with `user` or not at all.
    pub secret: Option<SecretSource>,
    /// How many connections at most; 2 to 4 is right for most servers.
    pub connections: usize,
    /// After so many mails a connection is closed and the next goes over a new one: a server may put the rest of a long
    /// connection aside for its next queue run.
    pub mails_per_connection: u32,
    /// Time limits.
    pub patience: SmtpTimeouts,
}

/// Connections to a mail server at a time; more is taken for rudeness.
const CONNECTIONS: usize = 3;

impl SmtpSettings {
    /// As the config has it, with the usual time limits.
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
            patience: SmtpTimeouts::default(),
        }
    }
}
