//! The config as far as it is answered: tried in memory, and written at the end.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::ConfigText;
use super::judge_user::JudgeUser;
use super::passwords::PasswordGiven;
use crate::cli::init;
use crate::config::{Config, InboxConfig, OutboxConfig, Server};

/// The files into which passwords go that were typed.
const INBOX_PASSWORD: &str = "inbox.password";
const RELAY_PASSWORD: &str = "outbox.password";

/// A login that setup tries.
#[derive(Clone)]
pub(super) struct LoginAnswer {
    pub(super) user: String,
    pub(super) password: PasswordGiven,
}

/// A config in the making.
#[derive(Clone)]
pub(super) struct Draft {
    file: PathBuf,
    data: PathBuf,
    text: ConfigText,
    inbox: Option<LoginAnswer>,
    relay: Option<LoginAnswer>,
}

impl Draft {
    /// The commented config for this file and this store.
    pub(super) fn new(file: &Path, data: &Path) -> Result<Draft> {
        Ok(Draft {
            file: file.to_owned(),
            data: data.to_owned(),
            text: init::commented(data)?,
            inbox: None,
            relay: None,
        })
    }

    /// Believes the certificates in this file.
    pub(super) fn trust(&mut self, ca_file: &Path) -> Result<()> {
        self.text.set_path("trust", "ca_file", ca_file)
    }

    /// Puts in an answer of the section `[judge]`.
    pub(super) fn judge(&mut self, key: &str, answer: &str) -> Result<()> {
        self.text.set("judge", key, answer)
    }

    /// Mail comes from this server.
    pub(super) fn inbox_server(&mut self, server: &Server, login: LoginAnswer) -> Result<()> {
        self.text.set("inbox", "kind", "imap")?;
        self.text.switch_off("inbox", "path")?;
        self.server("inbox", server)?;
        self.login("inbox", &login, INBOX_PASSWORD)?;
        self.inbox = Some(login);
        Ok(())
    }

    /// Mail comes from this Maildir.
    pub(super) fn inbox_maildir(&mut self, folder: &Path) -> Result<()> {
        self.text.set_path("inbox", "path", folder)
    }

    /// Mail comes by the pipe: the Maildir stays, and is empty. The judge tries the way by itself, each day.
    pub(super) fn inbox_pipe(&mut self) -> Result<()> {
        self.text.set("probe", "daily", true)
    }

    /// Mail goes to this server.
    pub(super) fn relay_server(
        &mut self,
        server: &Server,
        login: Option<LoginAnswer>,
    ) -> Result<()> {
        self.text.set("outbox", "kind", "smtp")?;
        self.text.switch_off("outbox", "path")?;
        self.server("outbox", server)?;
        if let Some(login) = &login {
            let same = self.inbox.as_ref();
            let same = same.is_some_and(|inbox| inbox.password == login.password);
            let file = if same { INBOX_PASSWORD } else { RELAY_PASSWORD };
            self.login("outbox", login, file)?;
        }
        self.relay = login;
        Ok(())
    }

    /// Mail goes into this Maildir.
    pub(super) fn relay_maildir(&mut self, folder: &Path) -> Result<()> {
        self.text.set_path("outbox", "path", folder)
    }

    fn server(&mut self, section: &str, server: &Server) -> Result<()> {
        self.text.set(section, "host", server.host.as_str())?;
        self.text.set(section, "tls", server.tls.to_string())?;
        self.text.set(section, "port", i64::from(server.port))
    }

    fn login(&mut self, section: &str, login: &LoginAnswer, file: &str) -> Result<()> {
        self.text.set(section, "user", login.user.as_str())?;
        match &login.password {
            PasswordGiven::File(path) => self.text.set_path(section, "password_file", path),
            PasswordGiven::Command(words) => {
                self.text.set(section, "password_command", words.clone())
            }
            PasswordGiven::Word(_) => self.text.set(section, "password_file", file),
        }
    }

    /// What has been answered so far, and the sample's values for the rest; passwords come from where they are now.
    pub(super) fn config(&self) -> Result<Config> {
        let mut config = Config::parse(&self.text.text(), &self.file, [])?;
        if let (InboxConfig::Imap(imap), Some(answer)) = (&mut config.inbox, &self.inbox) {
            imap.login.secret = answer.password.source();
        }
        if let (OutboxConfig::Smtp(smtp), Some(answer)) = (&mut config.outbox, &self.relay) {
            let login = smtp.login.as_mut().context("the relay has no login")?;
            login.secret = answer.password.source();
        }
        Ok(config)
    }

    /// Writes the passwords that were typed, and then the config.
    pub(super) fn write(&self, user: &JudgeUser, dir: &Path, out: &mut dyn Write) -> Result<()> {
        let config = self.config()?;
        if self.data.starts_with(dir) {
            user.make_folder(dir, 0o750)?;
        } else {
            user.make_config_folder(dir)?;
        }
        // The store and what the judge writes lie there; only its user can read them.
        user.make_folder(self.data.parent().unwrap_or(dir), 0o700)?;
        let mut files = Vec::new();
        if let Some(PasswordGiven::Word(word)) = self.inbox.as_ref().map(|login| &login.password) {
            files.push((INBOX_PASSWORD, word));
        }
        let relay = self.relay.as_ref().map(|login| &login.password);
        if let Some(PasswordGiven::Word(word)) = relay
            && relay != self.inbox.as_ref().map(|login| &login.password)
        {
            files.push((RELAY_PASSWORD, word));
        }
        for (name, word) in files {
            let path = dir.join(OsStr::new(name));
            user.write_new(&path, &format!("{word}\n"))?;
            writeln!(
                out,
                "Wrote {}, which only the judge can read.",
                path.display()
            )?;
        }
        user.write_new(&self.file, &self.text.text())?;
        writeln!(
            out,
            "Wrote {} for the judge {}.",
            self.file.display(),
            config.judge.name
        )?;
        Ok(())
    }
}
