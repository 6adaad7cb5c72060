//! The config: a file, and over it the environment (`cli.md`, "The config").
//!
//! Everything is checked when it is read, so that a fault shows when the program starts and not with the first mail.
//! Passwords are not in it, only where to get them; they are fetched when they are needed.
//!
//! The sections are not derived with `serde`: a derived reader stops at the first fault, does not know the nearest key, loses the
//! spans behind `#[serde(flatten)]`, and has neither bounds for numbers nor a place for the variables of the environment; so
//! the table in `keys.rs` would stay, and the structs would come on top of it.

mod error;
mod keys;
mod read;
mod source;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::tz::TimeZone;

pub use error::{ConfigError, Fault, Origin};

use crate::pages::site::SiteContents;
pub use crate::protection::Tls;
use crate::secret::SecretSource;
use dipjudge_judge::RateLimits;
use source::RawConfig;

/// A commented config with the same settings as the defaults; `dipjudge init` writes it.
pub const COMMENTED: &str = include_str!("../../../deploy/dipjudge.toml");
/// Where the config is looked for, in this order, if no file is named.
pub const PLACES: [&str; 2] = ["./dipjudge.toml", "/etc/dipjudge/dipjudge.toml"];

/// All settings. Paths can be used from the current folder.
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
    /// Which servers are believed.
    pub trust: TrustConfig,
    /// Who may create games, and how many may run.
    pub games: GamesConfig,
    /// What one mail or one sender may cost.
    pub limits: LimitsConfig,
    /// Copies of the store that the daemon makes each day; `None` if it keeps none.
    pub backup: Option<BackupConfig>,
    /// A text file with numbers for a collector, if one is wanted.
    pub metrics: Option<PathBuf>,
    /// The site of the public games, if the daemon writes one.
    pub publish: Option<PublishConfig>,
    /// Whether a test mail goes out and back each day.
    pub probe: bool,
    /// What is allowed but may be a mistake; each is a sentence for the keeper's log.
    pub notes: Vec<String>,
}

/// `[publish]` with a path
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublishConfig {
    /// The folder of the site.
    pub path: PathBuf,
    /// Whether the manual is on it.
    pub contents: SiteContents,
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
    /// The addresses of the other judges behind the same domain.
    pub others: Vec<String>,
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
    /// The judge's login.
    pub login: Login,
    /// The mailbox in which mail arrives.
    pub mailbox: String,
    /// Where handled messages go.
    pub done: String,
    /// Where messages set aside for the keeper go.
    pub rejected: String,
    /// How often to look if the server does not announce new mail.
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
    /// The judge's login; `None` if the server knows the judge by its IP address.
    pub login: Option<Login>,
    /// The most mails in a minute.
    pub rate_per_minute: u32,
    /// After this many mails the connection is closed and another one opened.
    pub mails_per_connection: u32,
    /// The most megabytes of pictures in an hour, beyond which mails go without theirs; `None` for no limit.
    pub pictures_mb_per_hour: Option<u32>,
}

/// A mail server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Server {
    /// The host name, which the certificate must bear.
    pub host: String,
    /// The port.
    pub port: u16,
    /// Protection of the connection.
    pub tls: Tls,
}

/// A login at a mail server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Login {
    /// The user name.
    pub user: String,
    /// Where the password or token comes from.
    pub secret: SecretSource,
}

/// `[trust]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrustConfig {
    /// The host whose `Authentication-Results` are believed; if set, the sender of a mail without them is unproven.
    pub authserv_id: Option<String>,
    /// Whether signatures of mails are checked here, where no host is trusted.
    pub dkim: bool,
    /// The domains whose seals of ARC are believed, in lower case.
    pub arc_sealers: BTreeSet<String>,
    /// A private certificate authority of both mail servers, PEM.
    pub ca_file: Option<PathBuf>,
}

impl Default for TrustConfig {
    fn default() -> TrustConfig {
        TrustConfig {
            authserv_id: None,
            dkim: true,
            arc_sealers: BTreeSet::new(),
            ca_file: None,
        }
    }
}

/// Who may create a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameCreators {
    /// Every registered user.
    Registered,
    /// Registered users with one of these addresses, in the form in which addresses are compared.
    Allowed(BTreeSet<String>),
}

/// `[games]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GamesConfig {
    /// Whether the creator of a game becomes its master.
    pub auto_master: bool,
    /// Who may create one.
    pub create: GameCreators,
    /// The least dedication that a creator needs.
    pub dedication_to_create: i64,
    /// How many may run at a time; `None` for no limit.
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
    /// Only the beginning of a larger message is read.
    pub bytes: u64,
    /// How much is done for one sender in an hour or a day.
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
    /// A second place, rather on another machine, which gets each copy, and the journal of what no mailbox holds.
    pub copy_to: Option<PathBuf>,
}

impl Config {
    /// Finds and reads the config: the file that is `named`, else the first of [`PLACES`]; over it the environment. Without
    /// a file the environment alone is read, and paths are relative to the current folder.
    ///
    /// # Errors
    /// If there is no config, it cannot be read, or it has faults; then with all of them.
    pub fn load(
        named: Option<&Path>,
        environment: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> Result<Self, ConfigError> {
        let found = match named {
            Some(path) => Some(path.to_owned()),
            None => PLACES.iter().map(PathBuf::from).find(|path| path.exists()),
        };
        let mut raw = RawConfig::default();
        if let Some(path) = &found {
            let unreadable = |source| ConfigError::Unreadable {
                path: path.clone(),
                source,
            };
            raw.read_file(&std::fs::read_to_string(path).map_err(unreadable)?);
        }
        let any = raw.read_environment(environment);
        if found.is_none() && !any {
            return Err(ConfigError::NotFound {
                looked: PLACES.iter().map(PathBuf::from).collect(),
            });
        }
        Self::build(raw, found)
    }

    /// Reads a config from its text, as if it stood in `file`, and an environment. Touches nothing.
    ///
    /// # Errors
    /// With all faults.
    pub fn parse(
        text: &str,
        file: &Path,
        environment: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> Result<Self, ConfigError> {
        let mut raw = RawConfig::default();
        raw.read_file(text);
        raw.read_environment(environment);
        Self::build(raw, Some(file.to_owned()))
    }

    fn build(raw: RawConfig, file: Option<PathBuf>) -> Result<Self, ConfigError> {
        let base = file
            .as_deref()
            .and_then(Path::parent)
            .unwrap_or(Path::new(""));
        let read = if raw.unreadable {
            Err(raw.faults)
        } else {
            read::config(raw, base)
        };
        match read {
            Ok(config) => Ok(Self { file, ..config }),
            Err(mut faults) => {
                // Lines of the file first, then variables, then what is missing.
                faults.sort_by_key(|fault| (fault.origin.is_none(), fault.origin.clone()));
                Err(ConfigError::Faulty { file, faults })
            }
        }
    }
}

impl fmt::Display for Tls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Implicit => "implicit",
            Self::StartTls => "starttls",
            Self::None => "none",
        })
    }
}
