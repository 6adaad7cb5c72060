//! The config: a file, and over it the environment (`cli.md`, "The config").
//!
//! Everything is checked at once when it is read, so that a fault shows when the program starts and not with the first
//! mail. Passwords are not in it, only where to get them; they are fetched when they are needed.

mod error;
mod keys;
mod read;
mod secret;
mod source;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::tz::TimeZone;

pub use error::{ConfigError, Fault, Origin};
pub use secret::SecretSource;

use dipjudge_judge::RateLimits;
use source::Given;

/// A commented config that says what the defaults say: what `dipjudge init` writes.
pub const COMMENTED: &str = include_str!("../../../deploy/dipjudge.toml");
/// Where the config is looked for, in this order, when none is named.
pub const PLACES: [&str; 2] = ["./dipjudge.toml", "/etc/dipjudge/dipjudge.toml"];

/// All settings. Paths are such that they can be used from the current folder.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// The file it was read from, if there is one.
    pub file: Option<PathBuf>,
    /// The judge itself.
    pub judge: JudgeConfig,
    /// Where mail comes from.
    pub inbox: InboxConfig,
    /// Where mail goes.
    pub outbox: OutboxConfig,
    /// Who wrote a mail, and which servers are believed.
    pub trust: TrustConfig,
    /// Who may begin games, and how many.
    pub games: GamesConfig,
    /// What one mail or one sender may cost.
    pub limits: LimitsConfig,
    /// Copies of the store that the daemon makes each day; `None` if it keeps none.
    pub backup: Option<BackupConfig>,
    /// A text file with numbers for a collector, if one is wanted.
    pub metrics: Option<PathBuf>,
    /// What is not wrong but perhaps not meant, each a sentence for the keeper's log.
    pub notes: Vec<String>,
}

/// `[judge]`
#[derive(Clone, Debug, PartialEq)]
pub struct JudgeConfig {
    /// Stands in every subject; letters, digits and hyphens.
    pub name: String,
    /// The judge's address. Plus-addresses of it come to the judge too.
    pub address: String,
    /// The keeper's address.
    pub keeper: String,
    /// The folder of the store.
    pub data: PathBuf,
    /// For deadlines when a player has set none.
    pub timezone: TimeZone,
}

/// `[inbox]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InboxConfig {
    /// A Maildir on this machine.
    Maildir {
        /// Its folder.
        path: PathBuf,
    },
    /// A mailbox on a server.
    Imap(ImapConfig),
}

/// `[inbox]` with `kind = "imap"`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImapConfig {
    /// Which server and how.
    pub server: Server,
    /// Who we are there.
    pub login: Login,
    /// The mailbox in which mail arrives.
    pub mailbox: String,
    /// Where handled messages go.
    pub done: String,
    /// Where messages set aside for the keeper go.
    pub rejected: String,
    /// How often to look where the server does not tell.
    pub poll: Duration,
}

/// `[outbox]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutboxConfig {
    /// A Maildir on this machine.
    Maildir {
        /// Its folder.
        path: PathBuf,
    },
    /// A server that takes mail.
    Smtp(SmtpConfig),
}

/// `[outbox]` with `kind = "smtp"`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SmtpConfig {
    /// Which server and how.
    pub server: Server,
    /// Who we are there; `None` where the server knows us by our address.
    pub login: Option<Login>,
    /// No more mails a minute than this.
    pub rate_per_minute: u32,
    /// After so many mails the connection is closed and another one opened.
    pub mails_per_connection: u32,
}

/// A mail server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Server {
    /// Its name, which its certificate must bear.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// Protection of the connection.
    pub tls: Protection,
}

/// How a connection to a mail server is protected. What is configured is required, never only "if offered".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protection {
    /// TLS from the first byte.
    Implicit,
    /// STARTTLS before anything is said.
    StartTls,
    /// None; only to a server on this machine.
    None,
}

/// Who we are to a mail server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Login {
    /// The name.
    pub user: String,
    /// Where the password or token is to be had.
    pub secret: SecretSource,
}

/// `[trust]`
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrustConfig {
    /// Whose `Authentication-Results` are believed; if set, a mail without one is unproven.
    pub authserv_id: Option<String>,
    /// A private certificate authority of both mail servers, PEM.
    pub ca_file: Option<PathBuf>,
}

/// Who may begin a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameCreators {
    /// Every registered user.
    Registered,
    /// Of the registered only those with one of these addresses, as addresses are compared.
    Allowed(BTreeSet<String>),
}

/// `[games]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GamesConfig {
    /// Who begins a game becomes its master.
    pub auto_master: bool,
    /// Who may begin one.
    pub create: GameCreators,
    /// The dedication that it takes.
    pub dedication_to_create: i64,
    /// How many may run at a time; `None` for as many as like.
    pub max_running: Option<u32>,
}

impl Default for GamesConfig {
    fn default() -> Self {
        Self {
            auto_master: false,
            create: GameCreators::Registered,
            dedication_to_create: -10,
            max_running: None,
        }
    }
}

/// `[limits]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LimitsConfig {
    /// Of a message larger than this only the beginning is read.
    pub bytes: u64,
    /// How much of what is done for whom within which time.
    pub rates: RateLimits,
}

impl Default for LimitsConfig {
    fn default() -> Self {
        Self {
            bytes: 1 << 20,
            rates: RateLimits::default(),
        }
    }
}

/// `[backup]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BackupConfig {
    /// The folder of the copies.
    pub path: PathBuf,
    /// How many are kept.
    pub keep: u32,
}

impl Config {
    /// Finds and reads the config: the file that was `named`, else the first of [`PLACES`]; over it the environment,
    /// which the caller hands in. Without a file the environment alone is taken, relative to the current folder.
    ///
    /// # Errors
    /// If there is none, or it cannot be read, or used; then with everything that is wrong with it.
    pub fn load(
        named: Option<&Path>,
        environment: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> Result<Self, ConfigError> {
        let found = match named {
            Some(path) => Some(path.to_owned()),
            None => PLACES.iter().map(PathBuf::from).find(|path| path.exists()),
        };
        let mut given = Given::default();
        if let Some(path) = &found {
            let unreadable = |source| ConfigError::Unreadable {
                path: path.clone(),
                source,
            };
            given.read_file(&std::fs::read_to_string(path).map_err(unreadable)?);
        }
        let any = given.read_environment(environment);
        if found.is_none() && !any {
            return Err(ConfigError::NotFound {
                looked: PLACES.iter().map(PathBuf::from).collect(),
            });
        }
        Self::build(given, found)
    }

    /// Reads a config from its text, as if it stood in `file`, and an environment. Touches nothing.
    ///
    /// # Errors
    /// With everything that is wrong with it.
    pub fn parse(
        text: &str,
        file: &Path,
        environment: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> Result<Self, ConfigError> {
        let mut given = Given::default();
        given.read_file(text);
        given.read_environment(environment);
        Self::build(given, Some(file.to_owned()))
    }

    fn build(given: Given, file: Option<PathBuf>) -> Result<Self, ConfigError> {
        let base = file
            .as_deref()
            .and_then(Path::parent)
            .unwrap_or(Path::new(""));
        let read = if given.unreadable {
            Err(given.faults)
        } else {
            read::config(given, base)
        };
        match read {
            Ok(config) => Ok(Self { file, ..config }),
            Err(mut faults) => {
                // In the order of the file, then variables, then what is missing.
                faults.sort_by_key(|fault| (fault.origin.is_none(), fault.origin.clone()));
                Err(ConfigError::Faulty { file, faults })
            }
        }
    }
}

impl fmt::Display for Protection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Implicit => "implicit",
            Self::StartTls => "starttls",
            Self::None => "none",
        })
    }
}
