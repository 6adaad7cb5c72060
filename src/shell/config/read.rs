//! From the values of a config to settings: defaults, and what belongs together.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::tz::TimeZone;

use super::error::{Fault, Origin};
use super::source::{Located, RawConfig, Value};
use super::{
    BackupConfig, Config, GameCreators, GamesConfig, ImapConfig, InboxConfig, JudgeConfig,
    LimitsConfig, Login, OutboxConfig, PublishConfig, Server, SiteContents, SmtpConfig, Tls,
    TrustConfig, keys,
};
use crate::protection::is_loopback;
use crate::secret::{RefreshToken, SecretSource, WebAddress};
use dipjudge_judge::RateLimits;
use dipjudge_mails::inbound::Address;

/// The keys that say where a password or token comes from.
const SECRETS: &str = "password_file, password_command, oauth2_command and oauth2_token_file";

/// Builds the settings; paths are relative to `base`.
///
/// # Errors
/// All faults at once.
pub(super) fn config(raw: RawConfig, base: &Path) -> Result<Config, Vec<Fault>> {
    let mut reader = ConfigReader { raw, base };
    let judge = reader.judge();
    let inbox = reader.inbox();
    let outbox = reader.outbox();
    let trust = TrustConfig {
        authserv_id: reader.text("trust", "authserv_id"),
        dkim: reader.flag("trust", "dkim", TrustConfig::default().dkim),
        arc_sealers: reader.domains("trust", "arc_sealers"),
        ca_file: reader.path("trust", "ca_file"),
    };
    let games = reader.games();
    let limits = reader.limits();
    let backup = reader.backup(judge.as_ref().ok());
    let metrics = reader.path("metrics", "file");
    let publish = reader.publish();
    let probe = reader.flag("probe", "daily", false);
    let RawConfig { values, faults, .. } = reader.raw;
    // Only keys of the other kind of an inbox or outbox are left: an environment may change the kind of a file.
    let notes = values
        .iter()
        .map(|((section, key), Located { origin, .. })| {
            format!("{origin}: {key} of [{section}] has no meaning for its kind and is not used")
        })
        .collect();
    match (judge, inbox, outbox, games) {
        (Ok(judge), Ok(inbox), Ok(outbox), Ok(games)) if faults.is_empty() => Ok(Config {
            file: None,
            judge,
            inbox,
            outbox,
            trust,
            games,
            limits,
            backup,
            metrics,
            publish,
            probe,
            notes,
        }),
        _ => Err(faults),
    }
}

/// Stands for a setting that cannot be built; the fault is among those of the config.
#[derive(Debug)]
struct Faulty;

/// Takes value after value out of the config.
struct ConfigReader<'a> {
    raw: RawConfig,
    base: &'a Path,
}

impl ConfigReader<'_> {
    fn take(&mut self, section: &'static str, key: &'static str) -> Option<Located<Value>> {
        self.raw.values.remove(&(section, key))
    }

    fn fault(&mut self, origin: Option<Origin>, what: impl Into<String>) -> Faulty {
        self.raw.faults.push(Fault {
            origin,
            what: what.into(),
        });
        Faulty
    }

    fn text_at(&mut self, section: &'static str, key: &'static str) -> Option<Located<String>> {
        let Located { value, origin } = self.take(section, key)?;
        match value {
            Value::Text(value) => Some(Located { value, origin }),
            _ => None,
        }
    }

    fn text(&mut self, section: &'static str, key: &'static str) -> Option<String> {
        self.text_at(section, key).map(|text| text.value)
    }

    fn command_at(
        &mut self,
        section: &'static str,
        key: &'static str,
    ) -> Option<Located<Vec<String>>> {
        let Located { value, origin } = self.take(section, key)?;
        match value {
            Value::Command(value) => Some(Located { value, origin }),
            _ => None,
        }
    }

    fn path(&mut self, section: &'static str, key: &'static str) -> Option<PathBuf> {
        self.text(section, key).map(|path| self.base.join(path))
    }

    fn path_or(&mut self, section: &'static str, key: &'static str, default: &str) -> PathBuf {
        self.path(section, key)
            .unwrap_or_else(|| self.base.join(default))
    }

    fn whole<T: TryFrom<i64>>(&mut self, section: &'static str, key: &'static str) -> Option<T> {
        match self.take(section, key)?.value {
            Value::Whole(number) => T::try_from(number).ok(),
            _ => None,
        }
    }

    /// A key that must be there. If its value was refused, that fault is already recorded.
    fn required(
        &mut self,
        section: &'static str,
        key: &'static str,
        such_as: &str,
    ) -> Result<Located<String>, Faulty> {
        if let Some(found) = self.text_at(section, key) {
            return Ok(found);
        }
        if self.raw.is_refused(section, key) {
            return Err(Faulty);
        }
        let what = format!("[{section}] lacks {key}, such as {key} = {such_as:?}");
        Err(self.fault(None, what))
    }

    fn judge(&mut self) -> Result<JudgeConfig, Faulty> {
        let name = self.name();
        let address = self.address("address", "judge@example.org");
        let keeper = self.address("keeper", "keeper@example.org");
        let address = address.and_then(|address| self.own_address(address, keeper.as_ref().ok()));
        let data = self.path_or("judge", "data", "data");
        let timezone = self.timezone();
        let others = self.others();
        Ok(JudgeConfig {
            name: name?,
            address: address?,
            keeper: keeper?.value,
            data,
            timezone: timezone?,
            others: others?,
        })
    }

    /// Addresses with commas between them.
    fn others(&mut self) -> Result<Vec<String>, Faulty> {
        let Some(others) = self.text_at("judge", "others") else {
            return Ok(Vec::new());
        };
        let words = others.value.split(',').map(str::trim);
        let addresses: Vec<String> = words.map(str::to_owned).collect();
        if addresses
            .iter()
            .all(|address| address.parse::<lettre::Address>().is_ok())
        {
            return Ok(addresses);
        }
        Err(self.fault(
            Some(others.origin),
            "others of [judge] must be addresses of judges, with commas between them",
        ))
    }

    fn name(&mut self) -> Result<String, Faulty> {
        let name = self.required("judge", "name", "USXX")?;
        let fits = |c: char| c.is_ascii_alphanumeric() || c == '-';
        if name.value.len() <= 20 && name.value.chars().all(fits) {
            return Ok(name.value);
        }
        Err(self.fault(
            Some(name.origin),
            "name of [judge] may have letters, digits and hyphens, 20 at most",
        ))
    }

    fn address(&mut self, key: &'static str, such_as: &str) -> Result<Located<String>, Faulty> {
        let address = self.required("judge", key, such_as)?;
        if address.value.parse::<lettre::Address>().is_ok() {
            return Ok(address);
        }
        Err(self.fault(
            Some(address.origin),
            format!("{key} of [judge] must be an address such as {such_as}"),
        ))
    }

    fn own_address(
        &mut self,
        address: Located<String>,
        keeper: Option<&Located<String>>,
    ) -> Result<String, Faulty> {
        if keeper.is_some_and(|keeper| address.value.eq_ignore_ascii_case(&keeper.value)) {
            return Err(self.fault(
                Some(address.origin),
                "the judge needs an address of its own, not its keeper's",
            ));
        }
        if address.value.contains('+') {
            return Err(self.fault(
                Some(address.origin),
                "address of [judge] must be without a plus: the judge adds its own for replies",
            ));
        }
        Ok(address.value)
    }

    fn timezone(&mut self) -> Result<TimeZone, Faulty> {
        let Some(name) = self.text_at("judge", "timezone") else {
            return Ok(TimeZone::UTC);
        };
        if name.value == "UTC" {
            return Ok(TimeZone::UTC);
        }
        if let Ok(zone) = TimeZone::get(&name.value) {
            return Ok(zone);
        }
        let known: Vec<_> = jiff::tz::db().available().map(|n| n.to_string()).collect();
        let nearest = keys::nearest(&name.value, known.iter().map(String::as_str));
        let what = format!(
            "there is no time zone {:?}; the nearest one is {nearest:?}",
            name.value
        );
        Err(self.fault(Some(name.origin), what))
    }

    fn inbox(&mut self) -> Result<InboxConfig, Faulty> {
        if self.text("inbox", "kind").as_deref() != Some("imap") {
            return Ok(InboxConfig::Maildir {
                path: self.path_or("inbox", "path", "mail/in"),
            });
        }
        let server = self.server("inbox", "imap.example.org", [993, 143, 143]);
        let login = match self.login("inbox") {
            Ok(Some(login)) => Ok(login),
            Ok(None) => Err(self.fault(
                None,
                "[inbox] lacks user and password_file: IMAP needs a login",
            )),
            Err(faulty) => Err(faulty),
        };
        let mailbox = self.mailbox("mailbox", "INBOX");
        let done = self.mailbox("done", "Processed");
        let rejected = self.mailbox("rejected", "Rejected");
        if mailbox == done || mailbox == rejected {
            self.fault(
                None,
                "done and rejected of [inbox] must not be the mailbox in which mail arrives",
            );
        }
        let poll = Duration::from_secs(self.whole("inbox", "poll_seconds").unwrap_or(60));
        Ok(InboxConfig::Imap(ImapConfig {
            server: server?,
            login: login?,
            mailbox,
            done,
            rejected,
            poll,
        }))
    }

    fn mailbox(&mut self, key: &'static str, default: &str) -> String {
        self.text("inbox", key)
            .unwrap_or_else(|| default.to_owned())
    }

    fn outbox(&mut self) -> Result<OutboxConfig, Faulty> {
        if self.text("outbox", "kind").as_deref() != Some("smtp") {
            return Ok(OutboxConfig::Maildir {
                path: self.path_or("outbox", "path", "mail/out"),
            });
        }
        let server = self.server("outbox", "smtp.example.org", [465, 587, 25]);
        let login = self.login("outbox");
        let rate_per_minute = self.whole("outbox", "rate_per_minute").unwrap_or(120);
        let mails_per_connection = self.whole("outbox", "mails_per_connection").unwrap_or(10);
        Ok(OutboxConfig::Smtp(SmtpConfig {
            server: server?,
            login: login?,
            rate_per_minute,
            mails_per_connection,
            // 0 is no limit.
            pictures_mb_per_hour: self
                .whole("outbox", "pictures_mb_per_hour")
                .filter(|limit| *limit > 0),
        }))
    }

    /// A server; `ports` are the usual ones with implicit TLS, with STARTTLS and without TLS.
    fn server(
        &mut self,
        section: &'static str,
        such_as: &str,
        ports: [u16; 3],
    ) -> Result<Server, Faulty> {
        let [implicit, starttls, plain] = ports;
        let host = self.required(section, "host", such_as);
        let (tls, usual) = match self.text(section, "tls").as_deref() {
            Some("starttls") => (Tls::StartTls, starttls),
            Some("none") => (Tls::None, plain),
            _ => (Tls::Implicit, implicit),
        };
        let port = self.whole(section, "port").unwrap_or(usual);
        let Located {
            value: host,
            origin,
        } = host?;
        if tls == Tls::None && !is_loopback(&host) {
            let what = format!(
                "tls = \"none\" of [{section}] is allowed only for a server on this machine, not for {host:?}"
            );
            return Err(self.fault(Some(origin), what));
        }
        Ok(Server { host, port, tls })
    }

    /// A user and where the password comes from; `None` if the section has none of the keys.
    fn login(&mut self, section: &'static str) -> Result<Option<Login>, Faulty> {
        let user = self.text_at(section, "user");
        let mut sources = Vec::new();
        if let Some(Located { value, origin }) = self.text_at(section, "password_file") {
            sources.push((SecretSource::PasswordFile(self.base.join(value)), origin));
        }
        if let Some(Located { value, origin }) = self.command_at(section, "password_command") {
            sources.push((SecretSource::PasswordCommand(value), origin));
        }
        if let Some(Located { value, origin }) = self.command_at(section, "oauth2_command") {
            sources.push((SecretSource::OAuth2Command(value), origin));
        }
        if let Some(refresh) = self.refresh_token(section)? {
            sources.push((
                SecretSource::OAuth2Refresh(Box::new(refresh.value)),
                refresh.origin,
            ));
        }
        if let Some((_, second)) = sources.get(1) {
            let what = format!("[{section}] names several of {SECRETS}: one is enough");
            return Err(self.fault(Some(second.clone()), what));
        }
        let keys = [
            "user",
            "password_file",
            "password_command",
            "oauth2_command",
            "oauth2_token_file",
        ];
        let refused = keys.iter().any(|key| self.raw.is_refused(section, key));
        match (user, sources.pop()) {
            (Some(user), Some((secret, _))) => Ok(Some(Login {
                user: user.value,
                secret,
            })),
            _ if refused => Err(Faulty),
            (None, None) => Ok(None),
            (Some(user), None) => {
                let what = format!("[{section}] has a user but none of {SECRETS}");
                Err(self.fault(Some(user.origin), what))
            }
            (None, Some((_, origin))) => Err(self.fault(
                Some(origin),
                format!("[{section}] has a password but no user"),
            )),
        }
    }

    /// A refresh token and its provider; `None` if the section has none of their keys.
    fn refresh_token(
        &mut self,
        section: &'static str,
    ) -> Result<Option<Located<RefreshToken>>, Faulty> {
        let file = self.text_at(section, "oauth2_token_file");
        let url = self.text_at(section, "oauth2_token_url");
        let client = self.text_at(section, "oauth2_client_id");
        let secret = self.path(section, "oauth2_client_secret_file");
        let (Some(file), Some(url), Some(client)) = (&file, &url, &client) else {
            let found = [file, url, client].into_iter().flatten().next();
            let origin = match found {
                Some(found) => Some(found.origin),
                None if secret.is_some() => None,
                None => return Ok(None),
            };
            let what = format!(
                "[{section}] needs oauth2_token_file, oauth2_token_url and oauth2_client_id together"
            );
            return Err(self.fault(origin, what));
        };
        let Some(endpoint) = WebAddress::parse(&url.value) else {
            let what = format!(
                "oauth2_token_url of [{section}] must begin with https:// (http:// only for this machine), unlike {:?}",
                url.value
            );
            return Err(self.fault(Some(url.origin.clone()), what));
        };
        Ok(Some(Located {
            value: RefreshToken::new(
                self.base.join(&file.value),
                endpoint,
                client.value.clone(),
                secret,
            ),
            origin: file.origin.clone(),
        }))
    }

    fn create(&mut self) -> Result<GameCreators, Faulty> {
        let create = self.text_at("games", "create");
        let creators = self.text_at("games", "creators");
        let allowed = create.filter(|create| create.value == "allowed");
        match (allowed, creators) {
            (Some(_), Some(creators)) => self.addresses(creators).map(GameCreators::Allowed),
            (Some(_), None) if self.raw.is_refused("games", "creators") => Err(Faulty),
            (Some(allowed), None) => Err(self.fault(
                Some(allowed.origin),
                "[games] lets those create games who are allowed to, but creators names nobody",
            )),
            (None, Some(creators)) => Err(self.fault(
                Some(creators.origin),
                "creators of [games] has a meaning only with create = \"allowed\"",
            )),
            (None, None) => Ok(GameCreators::Registered),
        }
    }

    /// The addresses of `creators`, with commas between them.
    fn addresses(&mut self, creators: Located<String>) -> Result<BTreeSet<String>, Faulty> {
        let mut addresses = BTreeSet::new();
        for word in creators.value.split(',').map(str::trim) {
            if word.is_empty() {
                continue;
            }
            let Ok(address) = Address::parse(word) else {
                let what = format!("creators of [games]: {word:?} is no address");
                return Err(self.fault(Some(creators.origin), what));
            };
            addresses.insert(address.key());
        }
        Ok(addresses)
    }

    /// A switch, as it is where it is not set.
    fn flag(&mut self, section: &'static str, key: &'static str, default: bool) -> bool {
        match self.take(section, key) {
            Some(Located {
                value: Value::Flag(flag),
                ..
            }) => flag,
            _ => default,
        }
    }

    fn publish(&mut self) -> Option<PublishConfig> {
        let contents = if self.flag("publish", "manual", false) {
            SiteContents::GamesAndManual
        } else {
            SiteContents::Games
        };
        let path = self.path("publish", "path")?;
        Some(PublishConfig { path, contents })
    }

    /// Domains, with commas between them.
    fn domains(&mut self, section: &'static str, key: &'static str) -> BTreeSet<String> {
        let written = self.text(section, key).unwrap_or_default();
        let words = written.split(',').map(|word| word.trim().to_lowercase());
        words.filter(|word| !word.is_empty()).collect()
    }

    fn games(&mut self) -> Result<GamesConfig, Faulty> {
        let default = GamesConfig::default();
        let auto_master = self.flag("games", "auto_master", default.auto_master);
        let create = self.create();
        let dedication = self.whole("games", "dedication_to_create");
        let max_running = self.whole("games", "max_running");
        Ok(GamesConfig {
            auto_master,
            create: create?,
            dedication_to_create: dedication.unwrap_or(default.dedication_to_create),
            max_running: max_running.filter(|most| *most > 0),
        })
    }

    fn limits(&mut self) -> LimitsConfig {
        let LimitsConfig { bytes, mut rates } = LimitsConfig::default();
        let RateLimits {
            replies_per_hour,
            replies_per_day,
            empty_replies_per_day,
            reply_bytes,
            reply_bytes_per_hour,
            unproven_reply_bytes,
            unproven_reply_times,
            order_maps_per_minute,
            mails_per_hour,
            wrong_passwords_per_sender,
            wrong_passwords_per_seat,
            press_per_hour,
            press_bytes_per_hour,
            observer_press_per_hour,
            tries_per_hour,
            creates_per_day,
        } = &mut rates;
        for (key, rate) in [
            ("replies_per_hour", replies_per_hour),
            ("replies_per_day", replies_per_day),
            ("empty_replies_per_day", empty_replies_per_day),
            ("reply_bytes", reply_bytes),
            ("reply_bytes_per_hour", reply_bytes_per_hour),
            ("unproven_reply_bytes", unproven_reply_bytes),
            ("unproven_reply_times", unproven_reply_times),
            ("order_maps_per_minute", order_maps_per_minute),
            ("mails_per_hour", mails_per_hour),
            ("wrong_passwords_per_sender", wrong_passwords_per_sender),
            ("wrong_passwords_per_seat", wrong_passwords_per_seat),
            ("press_per_hour", press_per_hour),
            ("press_bytes_per_hour", press_bytes_per_hour),
            ("observer_press_per_hour", observer_press_per_hour),
            ("tries_per_hour", tries_per_hour),
            ("creates_per_day", creates_per_day),
        ] {
            if let Some(number) = self.whole("limits", key) {
                *rate = number;
            }
        }
        LimitsConfig {
            bytes: self.whole("limits", "bytes").unwrap_or(bytes),
            rates,
        }
    }

    /// By default the backups are in a folder beside the data, so that the same users may write both.
    fn backup(&mut self, judge: Option<&JudgeConfig>) -> Option<BackupConfig> {
        let beside = judge.and_then(|judge| Some(judge.data.parent()?.join("backup")));
        let path = self
            .path("backup", "path")
            .unwrap_or(beside.unwrap_or_else(|| self.base.join("backup")));
        let keep = self.whole("backup", "keep").unwrap_or(14);
        let copy_to = self.path("backup", "copy_to");
        (keep > 0).then_some(BackupConfig {
            path,
            keep,
            copy_to,
        })
    }
}
