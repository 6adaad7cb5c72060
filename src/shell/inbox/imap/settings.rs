//! Where an IMAP mailbox is, how to get in, and what a check of it tells.

use std::path::PathBuf;
use std::time::Duration;

use crate::config::{self, Tls};
use crate::secret::SecretSource;

/// How long to wait for what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImapTimeouts {
    /// For a connection to be made.
    pub connect: Duration,
    /// For the server to say something; ten times as long for a whole answer.
    pub answer: Duration,
    /// For one IDLE. Servers end them after 30 minutes, address translators forget them much sooner.
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

/// Where the mailbox is and how to get in.
#[derive(Debug, Clone)]
pub struct ImapSettings {
    /// The server's name, which its certificate must bear.
    pub host: String,
    /// Usually 993, or 143 with STARTTLS.
    pub port: u16,
    /// Protection of the connection.
    pub tls: Tls,
    /// A private certificate authority's file (PEM), beside the system's.
    pub ca_file: Option<PathBuf>,
    /// Login name.
    pub user: String,
    /// Password or token.
    pub secret: SecretSource,
    /// The mailbox in which mail arrives.
    pub mailbox: String,
    /// Where handled messages go.
    pub done: String,
    /// Where messages set aside for the keeper go.
    pub rejected: String,
    /// How often to look when the server has no IDLE.
    pub poll: Duration,
    /// Of a message larger than this only the beginning is fetched.
    pub max_bytes: u64,
    /// Time limits.
    pub patience: ImapTimeouts,
}

impl ImapSettings {
    /// As the config has it, with the usual time limits. `max_bytes` is the limit for a message.
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
            patience: ImapTimeouts::default(),
        }
    }
}

/// What `fetch-check` tells of a mailbox that could be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImapReport {
    /// Messages that wait.
    pub waiting: usize,
    /// All messages in it.
    pub messages: u32,
    /// Whether the server tells of new mail by itself.
    pub idle: bool,
    /// Whether handled messages can be moved away.
    pub moves: bool,
    /// Whether, if they cannot be moved away, they can at least be marked with a keyword.
    pub keyword: bool,
}
