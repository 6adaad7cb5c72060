//! The five questions. Without a terminal the options are the answers; on one, an answer that does not work is asked for again.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Error, Result, anyhow, bail};

use super::SetupOptions;
use super::draft::{Draft, LoginAnswer};
use super::judge_user::JudgeUser;
use super::named_server::NamedServer;
use super::passwords::{PasswordGiven, PasswordsGiven};
use super::round_trip;
use super::terminal::Terminal;
use crate::cli::check;
use crate::config::{Config, InboxConfig, OutboxConfig, Server};
use crate::inbox::Inbox;
use crate::inbox::maildir::MaildirInbox;
use crate::maildir::Maildir;
use crate::preflight::MailProtocol;

/// Domains that belong to nobody (RFC 2606), which samples have in the place of one's own.
const SAMPLES: [&str; 5] = [
    "example.org",
    "example.com",
    "example.net",
    "example",
    "invalid",
];
/// How much of a message is read while setup looks for its own.
const READ: u64 = 64 * 1024;

/// Where mail comes in, as it is needed while setup goes on.
enum InboxPlace {
    Server(Box<dyn Inbox>),
    Maildir(PathBuf),
    Pipe,
}

/// Asks.
pub(super) struct Questioner<'a> {
    pub(super) options: &'a SetupOptions,
    pub(super) terminal: Option<Terminal>,
    pub(super) user: &'a JudgeUser,
    pub(super) passwords: PasswordsGiven,
    pub(super) patience: Duration,
    pub(super) out: &'a mut dyn Write,
}

impl Questioner<'_> {
    pub(super) fn ask_all(&mut self, draft: &mut Draft) -> Result<()> {
        self.forms_of_options()?;
        let address = self.until_it_works(
            draft,
            self.options.address.as_deref(),
            "1 The judge's own address, which nobody else reads",
            None,
            &mut |_, draft, answer| {
                let address = own_address(answer)?;
                draft.judge("address", &address)?;
                Ok(address)
            },
        )?;
        let mut inbox = self.until_it_works(
            draft,
            self.options.inbox.as_deref(),
            "2 Where its mail comes from: an IMAP server (imap.games.net), the folder of a Maildir, or pipe",
            None,
            &mut |this, draft, answer| this.inbox(draft, &address, answer),
        )?;
        self.until_it_works(
            draft,
            self.options.relay.as_deref(),
            "3 The server that takes its mail (smtp.games.net)",
            None,
            &mut |this, draft, answer| this.relay(draft, &address, &mut inbox, answer),
        )?;
        let usual = usual_name(&address);
        self.until_it_works(
            draft,
            self.options.name.as_deref(),
            "4 Its name, which stands in every subject",
            Some(&usual),
            &mut |_, draft, answer| draft.judge("name", &judge_name(answer)?),
        )?;
        self.until_it_works(
            draft,
            self.options.keeper.as_deref(),
            "5 Your own address, for what needs a human",
            None,
            &mut |this, draft, answer| this.keeper(draft, &address, answer),
        )
    }

    /// Whatever can be seen without a server in the answers that are given, so that nothing is tried for nothing.
    fn forms_of_options(&self) -> Result<()> {
        let options = self.options;
        let address = options.address.as_deref().map(str::trim);
        let address = address.map(own_address).transpose()?;
        if let Some(name) = &options.name {
            judge_name(name.trim())?;
        }
        if let Some(keeper) = &options.keeper {
            keepers_address(keeper.trim(), address.as_deref().unwrap_or_default())?;
        }
        Ok(())
    }

    /// The answer that is given, or the first one on the terminal that works. One that does not leaves nothing in the config.
    fn until_it_works<T>(
        &mut self,
        draft: &mut Draft,
        given: Option<&str>,
        question: &str,
        usual: Option<&str>,
        works: &mut dyn FnMut(&mut Self, &mut Draft, &str) -> Result<T>,
    ) -> Result<T> {
        if let Some(given) = given {
            return works(self, draft, given.trim()).map_err(explained);
        }
        loop {
            let answer = self.terminal()?.asks(&mut *self.out, question, usual);
            let answer = answer?;
            let mut tried = draft.clone();
            match works(self, &mut tried, &answer) {
                Ok(value) => {
                    *draft = tried;
                    return Ok(value);
                }
                Err(fault) => {
                    let fault = format!("{:#}", explained(fault)).replace('\n', "\n  ");
                    writeln!(self.out, "  {fault}")?;
                }
            }
        }
    }

    /// Whom a question is put to.
    fn terminal(&self) -> Result<Terminal> {
        Terminal::find()
            .filter(|_| self.terminal.is_some())
            .context("nobody can be asked here")
    }

    fn inbox(&mut self, draft: &mut Draft, address: &str, answer: &str) -> Result<InboxPlace> {
        if answer.eq_ignore_ascii_case("pipe") {
            draft.inbox_pipe()?;
            return Ok(InboxPlace::Pipe);
        }
        if let Some(folder) = folder(answer)? {
            self.make_maildir(&folder)?;
            draft.inbox_maildir(&folder)?;
            return Ok(InboxPlace::Maildir(folder));
        }
        let named = NamedServer::parse(answer, MailProtocol::Imap)?;
        let server = self.find(&named, MailProtocol::Imap, &draft.config()?)?;
        let user = match named.user {
            Some(user) => user,
            None if self.options.inbox.is_some() => address.to_owned(),
            None => {
                self.terminal()?
                    .asks(&mut *self.out, "  The judge's user there", Some(address))?
            }
        };
        let password = match self.passwords.inbox.clone() {
            Some(password) => password,
            None => self.typed_password(
                "--inbox-password-file, --inbox-password-command or --passwords-on-stdin",
            )?,
        };
        let login = LoginAnswer {
            user,
            password: password.clone(),
        };
        draft.inbox_server(&server, login)?;
        let config = draft.config()?;
        let InboxConfig::Imap(imap) = &config.inbox else {
            bail!("the inbox is no server");
        };
        let mailbox = check::mailbox(&config, imap, self.out)?;
        self.passwords.inbox = Some(password);
        Ok(InboxPlace::Server(Box::new(mailbox)))
    }

    /// The server that a name means, once it answers; says how.
    fn find(
        &mut self,
        named: &NamedServer,
        protocol: MailProtocol,
        config: &Config,
    ) -> Result<Server> {
        let server = named.find(protocol, config.trust.ca_file.as_deref())?;
        writeln!(
            self.out,
            "  {} answers at port {}, tls = \"{}\".",
            server.host, server.port, server.tls
        )?;
        Ok(server)
    }

    /// Makes a Maildir of the judge's own if it is missing: mail may have to come into it before the judge is made.
    fn make_maildir(&self, folder: &Path) -> Result<()> {
        self.user.make_folder(folder, 0o700)?;
        let maildir = Maildir::at(folder);
        match self.user.owner() {
            Some(owner) if !folder.join("new").is_dir() => maildir.create_for(owner)?,
            _ => maildir.create()?,
        }
        Ok(())
    }

    fn relay(
        &mut self,
        draft: &mut Draft,
        address: &str,
        inbox: &mut InboxPlace,
        answer: &str,
    ) -> Result<()> {
        if let Some(folder) = folder(answer)? {
            self.make_maildir(&folder)?;
            draft.relay_maildir(&folder)?;
            writeln!(
                self.out,
                "  What the judge sends lies in {}; you see to it that it goes on from there.",
                folder.display()
            )?;
            return Ok(());
        }
        let named = NamedServer::parse(answer, MailProtocol::Smtp)?;
        let before = draft.config()?;
        let server = self.find(&named, MailProtocol::Smtp, &before)?;
        let login = self.relay_login(&before, named.user, address)?;
        draft.relay_server(&server, login)?;
        let config = draft.config()?;
        match inbox {
            InboxPlace::Server(inbox) => {
                round_trip::prove(&config, &mut **inbox, self.patience, self.out)
            }
            InboxPlace::Maildir(folder) => {
                let mut inbox = MaildirInbox::open(Maildir::at(&*folder), READ)?;
                round_trip::prove(&config, &mut inbox, self.patience, self.out)
            }
            InboxPlace::Pipe => {
                writeln!(
                    self.out,
                    "  The pipe is tried once the judge runs: it sends itself a mail each day, and you are told if that does not come back."
                )?;
                Ok(())
            }
        }
    }

    /// The login at the relay; none where no user is named.
    fn relay_login(
        &mut self,
        before: &Config,
        named: Option<String>,
        address: &str,
    ) -> Result<Option<LoginAnswer>> {
        let inbox_user = match &before.inbox {
            InboxConfig::Imap(imap) => imap.login.user.clone(),
            InboxConfig::Maildir { .. } => address.to_owned(),
        };
        let user = match named {
            Some(user) => Some(user),
            None if self.options.relay.is_some() => None,
            None => {
                let said = self.terminal()?.asks(
                    &mut *self.out,
                    "  The judge's user there, - for no login",
                    Some(&inbox_user),
                )?;
                (said != "-").then_some(said)
            }
        };
        let Some(user) = user else {
            return Ok(None);
        };
        let given = self.passwords.relay.clone();
        let password = match given {
            Some(password) => password,
            None if self.terminal.is_none() || self.options.relay.is_some() => {
                self.passwords.inbox.clone().context(
                    "the relay wants a password: give --relay-password-file or --relay-password-command",
                )?
            }
            None => {
                let word = self.terminal()?.asks_unseen(
                    &mut *self.out,
                    "  Its password, not shown; nothing for that of the inbox",
                )?;
                PasswordGiven::typed(word)
                    .or_else(|| self.passwords.inbox.clone())
                    .context("there is no password yet")?
            }
        };
        Ok(Some(LoginAnswer { user, password }))
    }

    /// A password from the keyboard, which is then the inbox's.
    fn typed_password(&mut self, options: &str) -> Result<PasswordGiven> {
        let terminal = self
            .terminal()
            .map_err(|_| anyhow!("the inbox wants a password: give {options}"))?;
        let word = terminal.asks_unseen(&mut *self.out, "  Its password, not shown")?;
        PasswordGiven::typed(word).context("there was no password")
    }

    /// The keeper gets a mail of the judge, so that he knows it.
    fn keeper(&mut self, draft: &mut Draft, address: &str, answer: &str) -> Result<()> {
        let keeper = keepers_address(answer, address)?;
        draft.judge("keeper", &keeper)?;
        let config = draft.config()?;
        if let OutboxConfig::Smtp(_) = config.outbox {
            check::test_mail(&config, &keeper, self.out)?;
        }
        Ok(())
    }
}

/// A fault that names a section of the config, with how the answer says what stands there.
fn explained(fault: Error) -> Error {
    let text = format!("{fault:#}");
    let kinds = [("[inbox]", "imaps"), ("[outbox]", "smtps")];
    let named = kinds.iter().find(|(section, _)| text.contains(section));
    match named {
        Some((section, scheme)) => anyhow!(
            "{text}\n({section} is the part of the config that this answer fills; {scheme}://USER@HOST:PORT gives it more than a host)"
        ),
        None => fault,
    }
}

/// The folder that an answer names, if it names one.
fn folder(answer: &str) -> Result<Option<PathBuf>> {
    if answer.starts_with('~') {
        bail!("write the folder from the root on, such as /home/judge/Maildir");
    }
    if !answer.starts_with(['/', '.']) {
        if answer.trim_end_matches('/').contains('/') && !answer.contains("://") {
            bail!("write the folder from the root on, or ./{answer} for one that lies here");
        }
        return Ok(None);
    }
    Ok(Some(std::path::absolute(answer)?))
}

/// An address that may be somebody's.
fn real_address(answer: &str) -> Result<String> {
    if answer.parse::<lettre::Address>().is_err() {
        bail!("{answer:?} is no address, such as judge@your-domain.net");
    }
    let domain = answer.rsplit_once('@').map_or("", |(_, domain)| domain);
    let domain = domain.to_ascii_lowercase();
    let is_sample = |sample: &str| {
        let rest = domain.strip_suffix(sample);
        rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    };
    if SAMPLES.iter().any(|sample| is_sample(sample)) {
        bail!("{answer} is an address of examples, to which no mail comes: give your own");
    }
    Ok(answer.to_owned())
}

/// An address that can be a judge's.
fn own_address(answer: &str) -> Result<String> {
    let address = real_address(answer)?;
    if address.contains('+') {
        bail!("give the address without a plus: the judge adds its own for replies");
    }
    Ok(address)
}

/// The keeper's address: any real one but that of the judge.
fn keepers_address(answer: &str, judge: &str) -> Result<String> {
    let keeper = real_address(answer)?;
    if keeper.eq_ignore_ascii_case(judge) {
        bail!("the judge needs an address of its own, not its keeper's");
    }
    Ok(keeper)
}

fn judge_name(answer: &str) -> Result<String> {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '-';
    if answer.is_empty() || answer.len() > 20 || !answer.chars().all(fits) {
        bail!(
            "a name has letters, digits and hyphens, 20 at most; four capital letters by tradition, such as USXX"
        );
    }
    Ok(answer.to_owned())
}

/// A name made of the address's first word.
fn usual_name(address: &str) -> String {
    let local = address.split('@').next().unwrap_or_default();
    let letters = local.chars().filter(char::is_ascii_alphanumeric).take(20);
    letters.collect::<String>().to_ascii_uppercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_examples_are_refused_and_those_of_people_are_not() {
        for sample in [
            "judge@example.org",
            "judge@mail.Example.com",
            "judge@games.example",
            "judge",
            "judge@",
        ] {
            assert!(real_address(sample).is_err(), "{sample}");
        }
        assert!(real_address("judge@myexample.org").is_ok());
        assert!(own_address("judge+1@games.test").is_err());
    }

    #[test]
    fn a_name_is_offered_that_may_be_taken() {
        assert_eq!(usual_name("usxx@games.test"), "USXX");
        assert_eq!(usual_name("the.judge@games.test"), "THEJUDGE");
        assert!(judge_name("US XX").is_err() && judge_name("").is_err());
    }

    #[test]
    fn a_fault_in_a_section_of_the_config_says_how_the_answer_names_it() {
        let said = |text: &'static str| explained(anyhow!(text)).to_string();
        assert!(said("look at port of [outbox]").contains("smtps://USER@HOST:PORT"));
        assert_eq!(said("no address"), "no address");
    }

    #[test]
    fn a_folder_is_named_by_a_slash() {
        assert!(folder("/srv/mail").unwrap().is_some());
        assert!(folder("imap.games.test").unwrap().is_none());
        assert!(folder("imaps://judge@imap.games.test").unwrap().is_none());
        for unclear in ["~/Maildir", "mail/in"] {
            assert!(folder(unclear).is_err(), "{unclear}");
        }
    }
}
