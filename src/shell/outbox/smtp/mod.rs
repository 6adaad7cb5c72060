//! Sends mail to an SMTP server over a few connections that are kept open, each mail in a transaction of its own.
//!
//! The commands are sent one by one, not by `send` of the client, because the meaning of a refusal depends on the command
//! ([`super::reply`]), which `send` does not report.

mod settings;
mod text;

use std::fmt;
use std::pin::Pin;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use lettre::Address;
use lettre::transport::smtp::Error;
use lettre::transport::smtp::authentication::{Credentials, Mechanism};
use lettre::transport::smtp::client::{AsyncSmtpConnection, TlsParameters};
use lettre::transport::smtp::commands::{Data, Ehlo, Mail, Noop, Rcpt, Rset};
use lettre::transport::smtp::extension::{
    ClientId, Extension, MailBodyParameter, MailParameter, RcptParameter,
};
use tokio::sync::Semaphore;

pub use settings::{SmtpSettings, SmtpTimeouts};

use super::reply::{SmtpStage, interpret_refusal};
use super::{Outbox, OutboxError, Outgoing, SendOutcome, Sending};
use crate::config::Tls;
use crate::secret::{Credential, SecretError, SecretSource};
use crate::tls;
use dipjudge_store::faults::{StepKind, step};
use text::{crlf, dot_stuffed};

/// A connection unused for this time is checked before it is used.
const CHECK_AFTER: Duration = Duration::from_secs(10);
/// A connection unused for this time is closed, as servers do too.
const DISCARD_AFTER: Duration = Duration::from_secs(60);
/// How long closing a connection may take.
const QUIT_TIMEOUT: Duration = Duration::from_secs(2);

/// An open connection, when it was last used, and how many mails it has carried.
struct PooledConnection {
    connection: AsyncSmtpConnection,
    used: Instant,
    mails_sent: u32,
    failures: FailureReports,
}

/// What a server does with the marks by which a failure notice tells which mail failed, and for whom (RFC 3461).
#[derive(Clone, Copy, PartialEq, Eq)]
enum FailureReports {
    /// It hands them on, and puts them into its own notices.
    Marked,
    /// It does not know them.
    Plain,
}

/// Sends mail to an SMTP server. It must be made, used and dropped inside one runtime.
pub struct SmtpOutbox {
    settings: SmtpSettings,
    parameters: Option<TlsParameters>,
    client_id: ClientId,
    permits: Semaphore,
    idle: Mutex<Vec<PooledConnection>>,
}

impl fmt::Debug for SmtpOutbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SmtpOutbox")
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}

/// Why a command failed.
enum SmtpFailure {
    /// The server refused.
    Reply(SmtpStage, u16, String),
    /// There is no valid answer: the connection cannot be used any more.
    Broken(String),
    /// The server offers no login for what we have.
    NoLogin(String),
    /// There is no password or token.
    Secret(SecretError),
    /// There is no token for now: a token service may fail for a while.
    TokenLater(SecretError),
    /// The server cannot deliver to the recipient.
    Recipient(String),
}

/// Why the server did not let us in.
#[derive(Debug, thiserror::Error)]
pub enum LoginFailure {
    /// It refuses user and password or token.
    #[error("{0}")]
    Refused(String),
    /// It offers no login for what we have.
    #[error("{0}")]
    NotOffered(String),
    /// There is no password or token.
    #[error(transparent)]
    Secret(SecretError),
    /// It cannot be reached, or answers nothing of use.
    #[error("{0}")]
    Broken(String),
}

impl SmtpFailure {
    fn sent(self, mail: &Outgoing) -> SendOutcome {
        match self {
            SmtpFailure::Reply(stage, code, text) => {
                interpret_refusal(stage, code, &text, &mail.to, &mail.envelope_from)
            }
            SmtpFailure::Broken(why) => SendOutcome::Away {
                why,
                slow_all: false,
            },
            SmtpFailure::NoLogin(why) => SendOutcome::Stop { why },
            SmtpFailure::Secret(error) => SendOutcome::Stop {
                why: error.to_string(),
            },
            SmtpFailure::TokenLater(error) => SendOutcome::Away {
                why: error.to_string(),
                slow_all: false,
            },
            SmtpFailure::Recipient(why) => SendOutcome::Refused { why, refusal: None },
        }
    }

    fn at_login(self, server: &str) -> LoginFailure {
        match self {
            SmtpFailure::Reply(SmtpStage::Auth, code, text) if (500..600).contains(&code) => {
                LoginFailure::Refused(format!("{server} refuses the login: {code} {text}"))
            }
            SmtpFailure::Reply(stage, code, text) => {
                let outcome = interpret_refusal(stage, code, &text, "", "");
                LoginFailure::Broken(match outcome {
                    SendOutcome::Stop { why } | SendOutcome::Away { why, .. } => why,
                    _ => format!("{server} says {code} {text}"),
                })
            }
            SmtpFailure::Broken(why) | SmtpFailure::Recipient(why) => LoginFailure::Broken(why),
            SmtpFailure::NoLogin(why) => LoginFailure::NotOffered(why),
            SmtpFailure::Secret(error) | SmtpFailure::TokenLater(error) => {
                LoginFailure::Secret(error)
            }
        }
    }

    /// Whether the server may have closed a pooled connection, so that a new one may work.
    fn stale(&self) -> bool {
        matches!(self, SmtpFailure::Broken(_) | SmtpFailure::Reply(_, 421, _))
    }
}

impl SmtpOutbox {
    /// Checks the settings; nothing is connected yet.
    pub fn new(settings: SmtpSettings) -> Result<SmtpOutbox, OutboxError> {
        tls::permitted(settings.tls, &settings.host)?;
        if settings.user.is_some() != settings.secret.is_some() {
            return Err(OutboxError::HalfLogin);
        }
        let parameters = match settings.tls {
            Tls::None => None,
            Tls::Implicit | Tls::StartTls => Some(tls::smtp_parameters(
                &settings.host,
                settings.ca_file.as_deref(),
            )?),
        };
        let permits = Semaphore::new(settings.connections.max(1));
        Ok(SmtpOutbox {
            settings,
            parameters,
            client_id: ClientId::default(),
            permits,
            idle: Mutex::new(Vec::new()),
        })
    }

    /// Connects and logs in, and sends nothing.
    ///
    /// # Errors
    /// What kept the server from letting us in.
    pub async fn try_login(&self) -> Result<(), LoginFailure> {
        match self.connect().await {
            Ok(line) => {
                self.close_connection(line).await;
                Ok(())
            }
            Err(failure) => Err(failure.at_login(&self.server())),
        }
    }

    fn server(&self) -> String {
        format!("{}:{}", self.settings.host, self.settings.port)
    }

    async fn try_send(&self, mail: &Outgoing) -> SendOutcome {
        let to: Address = match mail.to.parse() {
            Ok(address) => address,
            Err(_) => {
                return SendOutcome::Refused {
                    why: format!("\"{}\" is not an address", mail.to.escape_debug()),
                    refusal: None,
                };
            }
        };
        let from: Option<Address> = match mail.envelope_from.as_str() {
            "" => None,
            text => match text.parse() {
                Ok(address) => Some(address),
                Err(_) => {
                    return SendOutcome::Stop {
                        why: format!(
                            "our own address \"{}\" is not an address",
                            text.escape_debug()
                        ),
                    };
                }
            },
        };
        // The semaphore is never closed, so this does not fail.
        let Ok(_permit) = self.permits.acquire().await else {
            return SendOutcome::Away {
                why: "the outbox is closed".to_owned(),
                slow_all: false,
            };
        };
        if let Some(mut line) = self.pooled().await {
            match self
                .envelope(&mut line, from.as_ref(), &to, &mail.bytes)
                .await
            {
                Err(failure) if failure.stale() => drop(line),
                outcome => return self.finish(line, outcome, mail).await,
            }
        }
        let mut line = match self.connect().await {
            Ok(line) => line,
            Err(failure) => return failure.sent(mail),
        };
        let outcome = self
            .envelope(&mut line, from.as_ref(), &to, &mail.bytes)
            .await;
        self.finish(line, outcome, mail).await
    }

    /// After the envelope: sends the text, or ends the transaction.
    async fn finish(
        &self,
        mut line: PooledConnection,
        outcome: Result<(), SmtpFailure>,
        mail: &Outgoing,
    ) -> SendOutcome {
        let outcome = match outcome {
            Ok(()) => self.text(&mut line, &mail.bytes).await,
            Err(failure @ SmtpFailure::Reply(_, code, _)) if code != 421 => {
                // The transaction must end before the next one begins.
                match self.run(&mut line, SmtpStage::Mail, Rset).await {
                    Ok(()) => Err(failure),
                    Err(_) => return failure.sent(mail),
                }
            }
            Err(failure) => Err(failure),
        };
        match outcome {
            Ok(()) => {
                line.mails_sent = line.mails_sent.saturating_add(1);
                if line.mails_sent < self.settings.mails_per_connection {
                    self.keep(line);
                } else {
                    self.close_connection(line).await;
                }
                SendOutcome::Delivered
            }
            Err(failure) => {
                // A connection that broke or that the server closes is dropped.
                if !failure.stale() {
                    self.keep(line);
                }
                failure.sent(mail)
            }
        }
    }

    /// Sends sender and recipient.
    async fn envelope(
        &self,
        line: &mut PooledConnection,
        from: Option<&Address>,
        to: &Address,
        bytes: &[u8],
    ) -> Result<(), SmtpFailure> {
        let server = line.connection.server_info();
        let mut parameters = Vec::new();
        let foreign = |address: &Address| !address.to_string().is_ascii();
        if foreign(to) || from.is_some_and(foreign) {
            if !server.supports_feature(Extension::SmtpUtfEight) {
                let why = format!(
                    "the address has letters beyond ASCII, and {} does not take such (SMTPUTF8)",
                    self.server()
                );
                return Err(SmtpFailure::Recipient(why));
            }
            parameters.push(MailParameter::SmtpUtfEight);
        }
        let mut recipient = Vec::new();
        if line.failures == FailureReports::Marked {
            let token = from.and_then(|from| from.user().split_once('+'));
            if let Some((_, token)) = token {
                parameters.push(MailParameter::Other {
                    keyword: "ENVID".to_owned(),
                    value: Some(token.to_owned()),
                });
            }
            // Those whose letters are all ASCII; the others need a form of their own (RFC 6533).
            if !foreign(to) {
                recipient.push(RcptParameter::Other {
                    keyword: "ORCPT".to_owned(),
                    value: Some(format!("rfc822;{to}")),
                });
            }
        }
        if !bytes.is_ascii() && server.supports_feature(Extension::EightBitMime) {
            parameters.push(MailParameter::Body(MailBodyParameter::EightBitMime));
        }
        self.run(line, SmtpStage::Mail, Mail::new(from.cloned(), parameters))
            .await?;
        self.run(line, SmtpStage::Recipient, Rcpt::new(to.clone(), recipient))
            .await?;
        self.run(line, SmtpStage::Data, Data).await
    }

    async fn text(&self, line: &mut PooledConnection, bytes: &[u8]) -> Result<(), SmtpFailure> {
        self.touch("the text")?;
        let limit = self.settings.timeouts.text;
        // In one write with the final dot if possible: two writes would cost 40 ms for each mail (Nagle).
        let outcome = match String::from_utf8(dot_stuffed(bytes)) {
            Ok(text) => tokio::time::timeout(limit, line.connection.command(text)).await,
            Err(_) => tokio::time::timeout(limit, line.connection.message(&crlf(bytes))).await,
        };
        line.used = Instant::now();
        self.touch("the answer to the text")?;
        self.outcome(SmtpStage::Text, outcome)
    }

    async fn run(
        &self,
        line: &mut PooledConnection,
        stage: SmtpStage,
        command: impl fmt::Display,
    ) -> Result<(), SmtpFailure> {
        self.touch("a command")?;
        let outcome = tokio::time::timeout(
            self.settings.timeouts.answer,
            line.connection.command(command),
        )
        .await;
        line.used = Instant::now();
        self.outcome(stage, outcome)
    }

    fn outcome<T>(
        &self,
        stage: SmtpStage,
        outcome: Result<Result<T, Error>, tokio::time::error::Elapsed>,
    ) -> Result<(), SmtpFailure> {
        match outcome {
            Ok(outcome) => outcome
                .map(drop)
                .map_err(|error| self.failure(stage, &error)),
            Err(_) => Err(self.no_answer()),
        }
    }

    /// The server is told something, or answers.
    fn touch(&self, what: &'static str) -> Result<(), SmtpFailure> {
        step(StepKind::Smtp, what)
            .map_err(|error| SmtpFailure::Broken(format!("{}: {error}", self.server())))
    }

    fn no_answer(&self) -> SmtpFailure {
        SmtpFailure::Broken(format!("{} does not answer", self.server()))
    }

    fn failure(&self, stage: SmtpStage, error: &Error) -> SmtpFailure {
        use std::error::Error as _;
        match error.status() {
            Some(code) => SmtpFailure::Reply(
                stage,
                code.into(),
                error.source().map(ToString::to_string).unwrap_or_default(),
            ),
            None => SmtpFailure::Broken(format!("{}: {error}", self.server())),
        }
    }

    /// An open connection that still answers.
    async fn pooled(&self) -> Option<PooledConnection> {
        loop {
            let mut line = self.pool().pop()?;
            let age = line.used.elapsed();
            if age < CHECK_AFTER {
                return Some(line);
            }
            if age < DISCARD_AFTER && self.run(&mut line, SmtpStage::Mail, Noop).await.is_ok() {
                return Some(line);
            }
            self.close_connection(line).await;
        }
    }

    fn keep(&self, line: PooledConnection) {
        if !line.connection.has_broken() {
            self.pool().push(line);
        }
    }

    fn pool(&self) -> std::sync::MutexGuard<'_, Vec<PooledConnection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn close_connection(&self, mut line: PooledConnection) {
        let _ = tokio::time::timeout(QUIT_TIMEOUT, line.connection.abort()).await;
    }

    async fn connect(&self) -> Result<PooledConnection, SmtpFailure> {
        match tokio::time::timeout(self.settings.timeouts.connect, self.connect_and_log_in()).await
        {
            Ok(outcome) => outcome,
            Err(_) => Err(self.no_answer()),
        }
    }

    async fn connect_and_log_in(&self) -> Result<PooledConnection, SmtpFailure> {
        self.touch("a connection")?;
        let settings = &self.settings;
        let failed = |error: Error| self.failure(SmtpStage::Connect, &error);
        let wrapper = match settings.tls {
            Tls::Implicit => self.parameters.clone(),
            Tls::StartTls | Tls::None => None,
        };
        let address = (settings.host.as_str(), settings.port);
        let mut connection = AsyncSmtpConnection::connect_tokio1(
            address,
            Some(settings.timeouts.connect),
            &self.client_id,
            wrapper,
            None,
        )
        .await
        .map_err(failed)?;
        if let (Tls::StartTls, Some(parameters)) = (settings.tls, &self.parameters) {
            // STARTTLS is required: a server that does not offer it may be an attacker between us and the server.
            if !connection.can_starttls() {
                return Err(SmtpFailure::Broken(format!(
                    "{} does not offer STARTTLS",
                    self.server()
                )));
            }
            connection
                .starttls(parameters.clone(), &self.client_id)
                .await
                .map_err(failed)?;
        }
        let failures = self.failure_reports(&mut connection).await?;
        if let (Some(user), Some(secret)) = (&settings.user, &settings.secret) {
            self.log_in(&mut connection, user, secret).await?;
        }
        Ok(PooledConnection {
            connection,
            used: Instant::now(),
            mails_sent: 0,
            failures,
        })
    }

    /// Asks the server what it knows, since the client keeps of the first answer only what it uses itself.
    async fn failure_reports(
        &self,
        connection: &mut AsyncSmtpConnection,
    ) -> Result<FailureReports, SmtpFailure> {
        let asked = connection.command(Ehlo::new(self.client_id.clone())).await;
        match asked {
            Ok(answer) => {
                let mut words = answer.message().map(|line| line.split(' ').next());
                let knows =
                    words.any(|word| word.is_some_and(|word| word.eq_ignore_ascii_case("DSN")));
                Ok(if knows {
                    FailureReports::Marked
                } else {
                    FailureReports::Plain
                })
            }
            // It greets once and no more.
            Err(error) if error.status().is_some() => Ok(FailureReports::Plain),
            Err(error) => Err(self.failure(SmtpStage::Connect, &error)),
        }
    }

    async fn log_in(
        &self,
        connection: &mut AsyncSmtpConnection,
        user: &str,
        secret: &SecretSource,
    ) -> Result<(), SmtpFailure> {
        // A password command may take seconds and must not block the runtime.
        let source = secret.clone();
        let fetched = tokio::task::spawn_blocking(move || source.fetch()).await;
        let credential = match fetched {
            Ok(Ok(credential)) => credential,
            // A missing password needs the keeper.
            Ok(Err(error)) if secret.expires() => return Err(SmtpFailure::TokenLater(error)),
            Ok(Err(error)) => return Err(SmtpFailure::Secret(error)),
            Err(_) => {
                return Err(SmtpFailure::Broken(
                    "the password could not be fetched".to_owned(),
                ));
            }
        };
        let (mechanisms, word): (&[Mechanism], String) = match credential {
            Credential::Password(word) => (&[Mechanism::Plain, Mechanism::Login], word),
            Credential::Token(word) => (&[Mechanism::Xoauth2], word),
        };
        let server = connection.server_info();
        if server.get_auth_mechanism(mechanisms).is_none() {
            return Err(SmtpFailure::NoLogin(format!(
                "{} offers no login of the configured kind",
                self.server()
            )));
        }
        let credentials = Credentials::new(user.to_owned(), word);
        connection
            .auth(mechanisms, &credentials)
            .await
            .map(drop)
            .map_err(|error| {
                secret.forget();
                self.failure(SmtpStage::Auth, &error)
            })
    }
}

impl Outbox for SmtpOutbox {
    fn at_once(&self) -> usize {
        self.settings.connections.max(1)
    }

    fn send<'a>(&'a self, mail: &'a Outgoing) -> Sending<'a> {
        Box::pin(self.try_send(mail))
    }

    fn close<'a>(&'a self) -> Pin<Box<dyn Future<Output = ()> + Send + 'a>> {
        Box::pin(async {
            let lines: Vec<PooledConnection> = self.pool().drain(..).collect();
            for line in lines {
                self.close_connection(line).await;
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_that_cannot_be_right_are_refused() {
        let settings = SmtpSettings {
            host: "smtp.example.org".into(),
            port: 25,
            tls: Tls::None,
            ca_file: None,
            user: None,
            secret: None,
            connections: 2,
            mails_per_connection: 10,
            timeouts: SmtpTimeouts::default(),
        };
        assert!(matches!(
            SmtpOutbox::new(settings.clone()),
            Err(OutboxError::Tls(_))
        ));
        let half = SmtpSettings {
            host: "localhost".into(),
            user: Some("judge".into()),
            ..settings
        };
        assert!(matches!(SmtpOutbox::new(half), Err(OutboxError::HalfLogin)));
    }
}
