//! The settings of an IMAP inbox, and the result of a check.

use std::path::PathBuf;
use std::time::Duration;

use crate::config::{self, Tls};
use crate::secret::SecretSource;

/// Time limits of an IMAP connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImapTimeouts {
    /// For connecting.
    pub connect: Duration,
    /// For the next bytes of the server; a whole answer may take ten times as long.
    pub answer: Duration,
    /// For one IDLE. Servers end it after 30 minutes, and NAT routers drop the connection much sooner.
    pub idle: Duration,
}

impl Default for ImapTimeouts {
    fn default() -> ImapTimeouts {
        ImapTimeouts {
            connect: Duration::from_secs(20),
            answer: Duration::from_secs(60),
            idle: Duration::from_secs(4 * 60),
        }
    }
}

/// The settings of an IMAP inbox.
#[derive(Debug, Clone)]
pub struct ImapSettings {
    /// The host name, which the certificate must bear.
    pub host: String,
    /// Usually 993, or 143 with STARTTLS.
    pub port: u16,
    /// Protection of the connection.
    pub tls: Tls,
    /// A private certificate authority's file (PEM), beside the system's.
    pub ca_file: Option<PathBuf>,
    /// The login name.
    pub user: String,
    /// The password or token.
    pub secret: SecretSource,
    /// The mailbox in which mail arrives.
    pub mailbox: String,
    /// Where handled messages go.
    pub done: String,
    /// Where messages set aside for the keeper go.
    pub rejected: String,
    /// How often to look if the server has no IDLE.
    pub poll: Duration,
    /// Only the beginning of a larger message is fetched.
    pub max_bytes: u64,
    /// The time limits.
    pub timeouts: ImapTimeouts,
}

impl ImapSettings {
    /// The settings in the config, with the default time limits. `max_bytes` is the limit for a message.
    pub fn of(
        config: &config::ImapConfig,
        trust: &config::TrustConfig,
        max_bytes: u64,
    ) -> ImapSettings {
        ImapSettings {
            host: config.server.host.clone(),
            port: config.server.port,
            tls: config.server.tls,
            ca_file: trust.ca_file.clone(),
            user: config.login.user.clone(),
            secret: config.login.secret.clone(),
            mailbox: config.mailbox.clone(),
            done: config.done.clone(),
            rejected: config.rejected.clone(),
            poll: config.poll,
            max_bytes,
            timeouts: ImapTimeouts::default(),
        }
    }
}

/// What `fetch-check` reports of a mailbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImapReport {
    /// Messages that wait.
    pub waiting: usize,
    /// All messages in it.
    pub messages: u32,
    /// Whether the server announces new mail (IDLE).
    pub idle: bool,
    /// Whether handled messages can be moved away.
    pub moves: bool,
    /// Whether messages can be marked with a keyword.
    pub keyword: bool,
    /// Where handled messages go, by its name on the server.
    pub done: String,
    /// Where messages set aside go, by its name on the server.
    pub rejected: String,
}
