//! Makes the parts of the judge from the config: settings, templates, inbox, outbox, and the judge itself.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::journal::Journal;
use super::starting;
use crate::config::{self, Config, GameCreators};
use crate::inbox::imap::{ImapInbox, ImapSettings};
use crate::inbox::maildir::MaildirInbox;
use crate::inbox::{Claim, Inbox, InboxError};
use crate::maildir::Maildir;
use crate::outbox::{MaildirOutbox, Outbox, OutboxError, SmtpOutbox, SmtpSettings};
use crate::painters;
use dipjudge_judge::{Judge, JudgeError, Settings};
use dipjudge_mails::outbound::{TemplateError, Templates};
use dipjudge_store::{Store, StoreError};

/// The folder beside the config for the templates of the keeper.
pub const TEMPLATES: &str = "mailtemplates";
/// The size of the largest template in bytes.
const LARGEST_TEMPLATE: u64 = 1 << 20;

/// Why the judge cannot start.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// A file or folder cannot be read.
    #[error("cannot read {path:?}: {source}")]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// The system's answer.
        source: std::io::Error,
    },
    /// A file among the templates is too large.
    #[error("{0:?} is too large for a mail template")]
    LargeTemplate(PathBuf),
    /// A template is wrong.
    #[error(transparent)]
    Template(#[from] TemplateError),
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A record in the store cannot be read.
    #[error("{0}; use the version of the program that wrote it, or a newer one")]
    Judge(#[from] JudgeError),
    /// The inbox cannot be used.
    #[error("the inbox cannot be used: {0}")]
    Inbox(#[from] InboxError),
    /// The outbox cannot be used.
    #[error("the outbox cannot be used: {0}")]
    Outbox(#[from] OutboxError),
}

/// The settings of the judge.
pub fn settings(config: &Config) -> Settings {
    Settings {
        name: config.judge.name.clone(),
        address: config.judge.address.clone(),
        keeper: config.judge.keeper.clone(),
        timezone: config
            .judge
            .timezone
            .iana_name()
            .unwrap_or("UTC")
            .to_owned(),
        auto_master: config.games.auto_master,
        creators: match &config.games.create {
            GameCreators::Registered => None,
            GameCreators::Allowed(creators) => Some(creators.clone()),
        },
        dedication_to_create: config.games.dedication_to_create,
        max_running: config.games.max_running.unwrap_or(0),
        bytes: usize::try_from(config.limits.bytes).unwrap_or(usize::MAX),
        limits: config.limits.rates,
        authserv_id: config.trust.authserv_id.clone(),
        others: config.judge.others.clone(),
    }
}

/// The templates of the mails: the built-in ones, replaced by those in the folder [`TEMPLATES`] beside the config.
///
/// # Errors
/// If a file there cannot be read, or is no template of any mail.
pub fn templates(config: &Config) -> Result<Templates, SetupError> {
    let beside = config
        .file
        .as_deref()
        .and_then(Path::parent)
        .unwrap_or(Path::new(""));
    let folder = beside.join(TEMPLATES);
    let mut edited = BTreeMap::new();
    read_templates(&folder, "", &mut edited)?;
    // The notes in that folder are no template.
    edited.remove("README.md");
    Ok(dipjudge_judge::templates(&edited)?)
}

fn read_templates(
    folder: &Path,
    prefix: &str,
    edited: &mut BTreeMap<String, String>,
) -> Result<(), SetupError> {
    let unreadable = |source| SetupError::Read {
        path: folder.to_owned(),
        source,
    };
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        other => other.map_err(unreadable)?,
    };
    for entry in entries {
        let entry = entry.map_err(unreadable)?;
        let (path, name) = (entry.path(), entry.file_name());
        let (Some(name), Ok(metadata)) = (name.to_str(), fs::metadata(&path)) else {
            continue;
        };
        if name.starts_with('.') || name.ends_with('~') {
            continue;
        }
        if metadata.is_dir() {
            // There is one level of folders, named after variants.
            if prefix.is_empty() {
                read_templates(&path, &format!("{name}/"), edited)?;
            }
            continue;
        }
        if metadata.len() > LARGEST_TEMPLATE {
            return Err(SetupError::LargeTemplate(path));
        }
        let text = fs::read_to_string(&path).map_err(|source| SetupError::Read { path, source })?;
        edited.insert(format!("{prefix}{name}"), text);
    }
    Ok(())
}

/// Makes the judge from the store: of each log its snapshot and the records behind it, or all. Snapshots that are due are written.
///
/// # Errors
/// If the store cannot be read, or holds what this program does not know.
pub fn judge(store: &Store, settings: Settings, templates: Templates) -> Result<Judge, SetupError> {
    let templates_again = templates.clone();
    let mut judge = Judge::new(settings, templates).with_pictures(painters::pictures());
    let mut failed = None;
    starting::read_logs(store, &store.logs()?, |read| {
        let taken = read.map_err(SetupError::from);
        let taken = taken.and_then(|log| Ok(judge.take_over(log)?));
        if let Err(error) = taken {
            failed.get_or_insert(error);
        }
    });
    if let Some(error) = failed {
        return Err(error);
    }
    // A game was given another name, and its log has that of before.
    let retitled: Vec<(String, String)> = judge
        .retitled()
        .map(|(log, game)| (log.to_owned(), game.name.clone()))
        .collect();
    if !retitled.is_empty() {
        for (log, name) in &retitled {
            store.rename_log(log, name)?;
        }
        return self::judge(store, judge.settings().clone(), templates_again);
    }
    for (name, content) in store.memos()? {
        judge.recall(&name, &content)?;
    }
    starting::keep_snapshots(store, &judge);
    Ok(judge)
}

/// The journal of a store, if the config names a second place for its copies.
pub fn journal(config: &Config, store: &Store) -> Option<Journal> {
    let second = config.backup.as_ref()?.copy_to.as_ref()?;
    Some(Journal::new(second, store.id()))
}

/// Logs which games are stopped.
pub fn log_stopped_games(judge: &Judge) {
    for stopped in judge.stopped() {
        tracing::error!("{stopped}");
    }
}

/// The folder into which `deliver` writes.
pub fn spool(config: &Config) -> Maildir {
    Maildir::at(config.judge.data.join("spool"))
}

/// The Maildir for messages from the spool that are set aside.
pub fn spool_rejected(config: &Config) -> Maildir {
    Maildir::at(config.judge.data.join("rejected"))
}

/// The spool as a source of mail.
///
/// # Errors
/// If it cannot be made.
pub fn spool_inbox(config: &Config) -> Result<Box<dyn Inbox>, SetupError> {
    let inbox = MaildirInbox::open(spool(config), config.limits.bytes)?;
    Ok(Box::new(inbox.setting_aside_in(spool_rejected(config))))
}

/// The inbox that the config names, claimed for a store. An IMAP inbox connects when it is first used.
///
/// # Errors
/// If a Maildir cannot be made.
pub fn inbox(config: &Config, claim: Claim) -> Result<Box<dyn Inbox>, SetupError> {
    Ok(match &config.inbox {
        config::InboxConfig::Maildir { path } => {
            let inbox = MaildirInbox::open(Maildir::at(path), config.limits.bytes)?;
            Box::new(inbox.on_behalf_of(claim))
        }
        config::InboxConfig::Imap(imap) => {
            let settings = ImapSettings::of(imap, &config.trust, config.limits.bytes);
            Box::new(ImapInbox::new(settings).on_behalf_of(claim))
        }
    })
}

/// Where the messages of a source are set aside, in words for the keeper.
pub fn place_of_rejected(config: &Config, source: &str) -> String {
    match &config.inbox {
        _ if source == super::SPOOL => {
            format!("the Maildir {}", spool_rejected(config).root().display())
        }
        config::InboxConfig::Maildir { path } => {
            let rejected = Maildir::at(path).rejected();
            format!("the Maildir {}", rejected.root().display())
        }
        config::InboxConfig::Imap(imap) => format!(
            "the mailbox {} of {} at {}",
            imap.rejected, imap.login.user, imap.server.host
        ),
    }
}

/// An outbox, and how much it may be given.
pub struct ConfiguredOutbox {
    /// The outbox.
    pub outbox: Arc<dyn Outbox>,
    /// The most mails in a minute; `None` for no limit.
    pub per_minute: Option<u32>,
    /// The most megabytes of pictures in an hour; `None` for no limit.
    pub pictures_per_hour: Option<u32>,
}

/// The outbox that the config names, to be made, used and dropped inside one runtime.
///
/// # Errors
/// If it cannot be set up.
pub fn outbox(config: &Config) -> Result<ConfiguredOutbox, SetupError> {
    Ok(match &config.outbox {
        config::OutboxConfig::Maildir { path } => ConfiguredOutbox {
            outbox: Arc::new(MaildirOutbox::open(Maildir::at(path))?),
            per_minute: None,
            pictures_per_hour: None,
        },
        config::OutboxConfig::Smtp(smtp) => {
            let settings = SmtpSettings::of(smtp, &config.trust);
            ConfiguredOutbox {
                outbox: Arc::new(SmtpOutbox::new(settings)?),
                per_minute: Some(smtp.rate_per_minute),
                pictures_per_hour: smtp.pictures_mb_per_hour,
            }
        }
    })
}
