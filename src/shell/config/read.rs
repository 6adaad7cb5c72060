//! From given values to settings: defaults, and what belongs together.

use std::collections::BTreeSet;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::tz::TimeZone;

use super::error::{Fault, Origin};
use super::secret::SecretSource;
use super::source::{Given, Value};
use super::{
    BackupConfig, Config, GameCreators, GamesConfig, ImapConfig, InboxConfig, JudgeConfig,
    LimitsConfig, Login, OutboxConfig, Protection, Server, SmtpConfig, TrustConfig, keys,
};
use dipjudge_judge::RateLimits;
use dipjudge_mails::inbound::Address;

/// Makes the settings; paths are relative to `base`. All faults at once.
pub(super) fn config(given: Given, base: &Path) -> Result<Config, Vec<Fault>> {
    let mut reader = ConfigReader { given, base };
    let judge = reader.judge();
    let inbox = reader.inbox();
    let outbox = reader.outbox();
    let trust = TrustConfig {
        authserv_id: reader.text("trust", "authserv_id"),
        ca_file: reader.path("trust", "ca_file"),
    };
    let games = reader.games();
    let limits = reader.limits();
    let backup = reader.backup(judge.as_ref());
    let metrics = reader.path("metrics", "file");
    let Given { values, faults, .. } = reader.given;
    // Only keys of the other kind of an inbox or outbox are left: an environment may change the kind of a file.
    let notes = values
        .iter()
        .map(|((section, key), (_, origin))| {
            format!("{origin}: {key} of [{section}] has no meaning for its kind and is not used")
        })
        .collect();
    match (judge, inbox, outbox) {
        (Some(judge), Some(inbox), Some(outbox)) if faults.is_empty() => Ok(Config {
            file: None,
            judge,
            inbox,
            outbox,
            trust,
            games,
            limits,
            backup,
            metrics,
            notes,
        }),
        _ => Err(faults),
    }
}

/// Takes value after value out of what was given.
struct ConfigReader<'a> {
    given: Given,
    base: &'a Path,
}

impl ConfigReader<'_> {
    fn take(&mut self, section: &'static str, key: &'static str) -> Option<(Value, Origin)> {
        self.given.values.remove(&(section, key))
    }

    fn fault<T>(&mut self, origin: Option<Origin>, what: impl Into<String>) -> Option<T> {
        self.given.faults.push(Fault {
            origin,
            what: what.into(),
        });
        None
    }

    fn text_at(&mut self, section: &'static str, key: &'static str) -> Option<(String, Origin)> {
        match self.take(section, key)? {
            (Value::Text(text), origin) => Some((text, origin)),
            _ => None,
        }
    }

    fn text(&mut self, section: &'static str, key: &'static str) -> Option<String> {
        self.text_at(section, key).map(|(text, _)| text)
    }

    fn path(&mut self, section: &'static str, key: &'static str) -> Option<PathBuf> {
        self.text(section, key).map(|path| self.base.join(path))
    }

    fn path_or(&mut self, section: &'static str, key: &'static str, default: &str) -> PathBuf {
        self.path(section, key)
            .unwrap_or_else(|| self.base.join(default))
    }

    fn whole<T: TryFrom<i64>>(&mut self, section: &'static str, key: &'static str) -> Option<T> {
        match self.take(section, key)? {
            (Value::Whole(number), _) => T::try_from(number).ok(),
            _ => None,
        }
    }

    /// A key that must be there. If it was there and wrong, that has been said already.
    fn needed(
        &mut self,
        section: &'static str,
        key: &'static str,
        such_as: &str,
    ) -> Option<(String, Origin)> {
        let found = self.text_at(section, key);
        if found.is_none() && !self.said(section, key) {
            return self.fault(
                None,
                format!("[{section}] lacks {key}, such as {key} = {such_as:?}"),
            );
        }
        found
    }

    /// Whether a fault of this key's value is known.
    fn said(&self, section: &str, key: &str) -> bool {
        let start = format!("{key} of [{section}] ");
        self.given
            .faults
            .iter()
            .any(|fault| fault.what.starts_with(&start))
    }

    fn judge(&mut self) -> Option<JudgeConfig> {
        let name = self.needed("judge", "name", "USXX");
        let name = name.and_then(|(name, origin)| {
            let fits = |c: char| c.is_ascii_alphanumeric() || c == '-';
            if name.len() <= 20 && name.chars().all(fits) {
                return Some(name);
            }
            self.fault(
                Some(origin),
                "name of [judge] may have letters, digits and hyphens, 20 at most",
            )
        });
        let address = self.address("address", "judge@example.org");
        let keeper = self.address("keeper", "keeper@example.org");
        let address = match (address, &keeper) {
            (Some((address, origin)), Some((keeper, _)))
                if address.eq_ignore_ascii_case(keeper) =>
            {
                self.fault(
                    Some(origin),
                    "the judge needs an address of its own, not its keeper's",
                )
            }
            (Some((address, origin)), _) if address.contains('+') => self.fault(
                Some(origin),
                "address of [judge] must be without a plus: the judge adds its own for replies",
            ),
            (address, _) => address.map(|(address, _)| address),
        };
        let data = self.path_or("judge", "data", "data");
        let timezone = self.timezone();
        Some(JudgeConfig {
            name: name?,
            address: address?,
            keeper: keeper?.0,
            data,
            timezone: timezone?,
        })
    }

    fn address(&mut self, key: &'static str, such_as: &str) -> Option<(String, Origin)> {
        let (address, origin) = self.needed("judge", key, such_as)?;
        match address.parse::<lettre::Address>() {
            Ok(_) => Some((address, origin)),
            Err(_) => self.fault(
                Some(origin),
                format!("{key} of [judge] must be an address such as {such_as}"),
            ),
        }
    }

    fn timezone(&mut self) -> Option<TimeZone> {
        let Some((name, origin)) = self.text_at("judge", "timezone") else {
            return Some(TimeZone::UTC);
        };
        if name == "UTC" {
            return Some(TimeZone::UTC);
        }
        match TimeZone::get(&name) {
            Ok(zone) => Some(zone),
            Err(_) => {
                let known: Vec<_> = jiff::tz::db().available().map(|n| n.to_string()).collect();
                let nearest = keys::nearest(&name, known.iter().map(String::as_str));
                self.fault(
                    Some(origin),
                    format!("there is no time zone {name:?}; the nearest one is {nearest:?}"),
                )
            }
        }
    }

    fn inbox(&mut self) -> Option<InboxConfig> {
        if self.text("inbox", "kind").as_deref() != Some("imap") {
            return Some(InboxConfig::Maildir {
                path: self.path_or("inbox", "path", "mail/in"),
            });
        }
        let server = self.server("inbox", "imap.example.org", [993, 143, 143]);
        let login = self.login("inbox");
        if login == Some(None) {
            self.fault::<()>(
                None,
                "[inbox] lacks user and password_file: IMAP needs a login",
            );
        }
        let mut mailbox = |key, default: &str| {
            self.text("inbox", key)
                .unwrap_or_else(|| default.to_owned())
        };
        let (mailbox, done, rejected) = (
            mailbox("mailbox", "INBOX"),
            mailbox("done", "Processed"),
            mailbox("rejected", "Rejected"),
        );
        if mailbox == done || mailbox == rejected {
            self.fault::<()>(
                None,
                "done and rejected of [inbox] must not be the mailbox in which mail arrives",
            );
        }
        let poll = Duration::from_secs(self.whole("inbox", "poll_seconds").unwrap_or(60));
        Some(InboxConfig::Imap(ImapConfig {
            server: server?,
            login: login??,
            mailbox,
            done,
            rejected,
            poll,
        }))
    }

    fn outbox(&mut self) -> Option<OutboxConfig> {
        if self.text("outbox", "kind").as_deref() != Some("smtp") {
            return Some(OutboxConfig::Maildir {
                path: self.path_or("outbox", "path", "mail/out"),
            });
        }
        let server = self.server("outbox", "smtp.example.org", [465, 587, 25]);
        let login = self.login("outbox");
        let rate_per_minute = self.whole("outbox", "rate_per_minute").unwrap_or(120);
        let mails_per_connection = self.whole("outbox", "mails_per_connection").unwrap_or(10);
        Some(OutboxConfig::Smtp(SmtpConfig {
            server: server?,
            login: login?,
            rate_per_minute,
            mails_per_connection,
        }))
    }

    /// A server; `ports` are the usual ones with implicit TLS, with STARTTLS and without.
    fn server(&mut self, section: &'static str, such_as: &str, ports: [u16; 3]) -> Option<Server> {
        let [implicit, starttls, plain] = ports;
        let host = self.needed(section, "host", such_as);
        let (tls, usual) = match self.text(section, "tls").as_deref() {
            Some("starttls") => (Protection::StartTls, starttls),
            Some("none") => (Protection::None, plain),
            _ => (Protection::Implicit, implicit),
        };
        let port = self.whole(section, "port").unwrap_or(usual);
        let (host, origin) = host?;
        if tls == Protection::None && !is_here(&host) {
            return self.fault(
                Some(origin),
                format!(
                    "tls = \"none\" of [{section}] is allowed only for a server on this machine, not for {host:?}"
                ),
            );
        }
        Some(Server { host, port, tls })
    }

    /// `None` after a fault; `Some(None)` if no login was given at all.
    fn login(&mut self, section: &'static str) -> Option<Option<Login>> {
        let user = self.text_at(section, "user");
        let mut sources = Vec::new();
        if let Some((path, origin)) = self.text_at(section, "password_file") {
            sources.push((SecretSource::PasswordFile(self.base.join(path)), origin));
        }
        if let Some((Value::Command(words), origin)) = self.take(section, "password_command") {
            sources.push((SecretSource::PasswordCommand(words), origin));
        }
        if let Some((Value::Command(words), origin)) = self.take(section, "oauth2_command") {
            sources.push((SecretSource::OAuth2Command(words), origin));
        }
        let wrong = [
            "user",
            "password_file",
            "password_command",
            "oauth2_command",
        ]
        .iter()
        .any(|key| self.said(section, key));
        if let Some((_, second)) = sources.get(1) {
            return self.fault(
                Some(second.clone()),
                format!(
                    "[{section}] names several of password_file, password_command and oauth2_command: one is enough"
                ),
            );
        }
        match (user, sources.pop()) {
            (Some((user, _)), Some((secret, _))) => Some(Some(Login { user, secret })),
            (None, None) if !wrong => Some(None),
            _ if wrong => None,
            (Some((_, origin)), _) => self.fault(
                Some(origin),
                format!(
                    "[{section}] has a user but none of password_file, password_command and oauth2_command"
                ),
            ),
            (None, source) => self.fault(
                source.map(|(_, origin)| origin),
                format!("[{section}] has a password but no user"),
            ),
        }
    }

    fn create(&mut self) -> Option<GameCreators> {
        let allowed = self.text_at("games", "create");
        let creators = self.text_at("games", "creators");
        match (allowed, creators) {
            (Some((word, _)), Some((list, origin))) if word == "allowed" => self
                .addresses("creators", &list, origin)
                .map(GameCreators::Allowed),
            (Some((word, origin)), None) if word == "allowed" => {
                if self.said("games", "creators") {
                    return None;
                }
                self.fault(
                    Some(origin),
                    "[games] lets those create games who are allowed to, but creators names nobody",
                )
            }
            (_, Some((_, origin))) => self.fault(
                Some(origin),
                "creators of [games] has a meaning only with create = \"allowed\"",
            ),
            (_, None) => Some(GameCreators::Registered),
        }
    }

    /// Addresses with commas between them.
    fn addresses(&mut self, key: &str, list: &str, origin: Origin) -> Option<BTreeSet<String>> {
        let words = list
            .split(',')
            .map(str::trim)
            .filter(|word| !word.is_empty());
        let mut addresses = BTreeSet::new();
        for word in words {
            match Address::parse(word) {
                Ok(address) => addresses.insert(address.key()),
                Err(_) => {
                    let what = format!("{key} of [games]: {word:?} is no address");
                    return self.fault(Some(origin), what);
                }
            };
        }
        Some(addresses)
    }

    fn games(&mut self) -> GamesConfig {
        let default = GamesConfig::default();
        let auto_master = match self.take("games", "auto_master") {
            Some((Value::Flag(flag), _)) => flag,
            _ => default.auto_master,
        };
        let create = self.create().unwrap_or(default.create);
        let dedication = self.whole("games", "dedication_to_create");
        GamesConfig {
            auto_master,
            create,
            dedication_to_create: dedication.unwrap_or(default.dedication_to_create),
            max_running: self.whole("games", "max_running").filter(|most| *most > 0),
        }
    }

    fn limits(&mut self) -> LimitsConfig {
        let default = LimitsConfig::default();
        let rates = RateLimits {
            replies_per_hour: self.count("replies_per_hour", default.rates.replies_per_hour),
            replies_per_day: self.count("replies_per_day", default.rates.replies_per_day),
            empty_replies_per_day: self
                .count("empty_replies_per_day", default.rates.empty_replies_per_day),
            reply_bytes: self.count("reply_bytes", default.rates.reply_bytes),
            reply_bytes_per_hour: self
                .count("reply_bytes_per_hour", default.rates.reply_bytes_per_hour),
            mails_per_hour: self.count("mails_per_hour", default.rates.mails_per_hour),
            wrong_passwords_per_sender: self.count(
                "wrong_passwords_per_sender",
                default.rates.wrong_passwords_per_sender,
            ),
            wrong_passwords_per_seat: self.count(
                "wrong_passwords_per_seat",
                default.rates.wrong_passwords_per_seat,
            ),
            press_per_hour: self.count("press_per_hour", default.rates.press_per_hour),
            press_bytes_per_hour: self
                .count("press_bytes_per_hour", default.rates.press_bytes_per_hour),
            observer_press_per_hour: self.count(
                "observer_press_per_hour",
                default.rates.observer_press_per_hour,
            ),
            creates_per_day: self.count("creates_per_day", default.rates.creates_per_day),
        };
        LimitsConfig {
            bytes: self.whole("limits", "bytes").unwrap_or(default.bytes),
            rates,
        }
    }

    fn count(&mut self, key: &'static str, default: u64) -> u64 {
        self.whole("limits", key).unwrap_or(default)
    }

    /// The copies lie beside the data, so that whoever may write the one may write the other.
    fn backup(&mut self, judge: Option<&JudgeConfig>) -> Option<BackupConfig> {
        let beside = judge.and_then(|judge| Some(judge.data.parent()?.join("backup")));
        let path = self
            .path("backup", "path")
            .unwrap_or(beside.unwrap_or_else(|| self.base.join("backup")));
        let keep = self.whole("backup", "keep").unwrap_or(14);
        (keep > 0).then_some(BackupConfig { path, keep })
    }
}

/// Whether a host is this machine, by its name alone.
fn is_here(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    bare.eq_ignore_ascii_case("localhost")
        || bare
            .parse::<IpAddr>()
            .is_ok_and(|address| address.is_loopback())
}
