//! An SMTP server as the way out: a few connections, kept open, each mail a transaction of its own.
//!
//! The dialogue is held step by step, not by the client's own `send`, because what a refusal means depends on the step
//! ([`super::reply`]), which `send` does not tell.

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
use lettre::transport::smtp::commands::{Data, Mail, Noop, Rcpt, Rset};
use lettre::transport::smtp::extension::{ClientId, Extension, MailBodyParameter, MailParameter};
use tokio::sync::Semaphore;

pub use settings::{SmtpSettings, SmtpTimeouts};

use super::reply::{SmtpStage, judge};
use super::{Outbox, OutboxError, Outgoing, Sending, Sent};
use crate::config::Tls;
use crate::secret::{Credential, SecretSource};
use crate::tls;
use text::{crlf, stuffed};

/// A connection unused for so long is asked whether it still stands.
const FRESH: Duration = Duration::from_secs(10);
/// A connection unused for so long is given up: servers do so, too.
const STALE: Duration = Duration::from_secs(60);
/// How long a goodbye may take.
const GOODBYE: Duration = Duration::from_secs(2);

/// An open connection, when it was last used, and how many mails it has carried.
struct Line {
    connection: AsyncSmtpConnection,
    used: Instant,
    carried: u32,
}

/// Mail goes to an SMTP server. Build it, use it and drop it inside one runtime.
pub struct SmtpOutbox {
    settings: SmtpSettings,
    parameters: Option<TlsParameters>,
    hello: ClientId,
    permits: Semaphore,
    idle: Mutex<Vec<Line>>,
}

impl fmt::Debug for SmtpOutbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SmtpOutbox")
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}

/// A step that did not succeed.
enum Failure {
    /// The server said no.
    Reply(SmtpStage, u16, String),
    /// It said nothing, or nothing that can be read: the connection is no good any more.
    Broken(String),
    /// Nothing of it would help to try again: our configuration.
    Ours(String),
    /// The recipient cannot be reached through this server.
    Recipient(String),
}

impl Failure {
    fn sent(self, mail: &Outgoing) -> Sent {
        match self {
            Failure::Reply(stage, code, text) => {
                judge(stage, code, &text, &mail.to, &mail.envelope_from)
            }
            Failure::Broken(why) => Sent::Away {
                why,
                slow_all: false,
            },
            Failure::Ours(why) => Sent::Stop { why },
            Failure::Recipient(why) => Sent::Refused { why, refusal: None },
        }
    }

    /// Whether a connection from the pool may just have been closed by the server, which a new one would cure.
    fn stale(&self) -> bool {
        matches!(self, Failure::Broken(_) | Failure::Reply(_, 421, _))
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
            hello: ClientId::default(),
            permits,
            idle: Mutex::new(Vec::new()),
        })
    }

    fn server(&self) -> String {
        format!("{}:{}", self.settings.host, self.settings.port)
    }

    async fn try_send(&self, mail: &Outgoing) -> Sent {
        let to: Address = match mail.to.parse() {
            Ok(address) => address,
            Err(_) => {
                return Sent::Refused {
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
                    return Sent::Stop {
                        why: format!(
                            "our own address \"{}\" is not an address",
                            text.escape_debug()
                        ),
                    };
                }
            },
        };
        // Never closed, so it never fails.
        let Ok(_permit) = self.permits.acquire().await else {
            return Sent::Away {
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

    /// After the envelope: the text, or the end of the transaction.
    async fn finish(&self, mut line: Line, outcome: Result<(), Failure>, mail: &Outgoing) -> Sent {
        let outcome = match outcome {
            Ok(()) => self.text(&mut line, &mail.bytes).await,
            Err(failure @ Failure::Reply(_, code, _)) if code != 421 => {
                // The transaction must end before the next one begins.
                match self.say(&mut line, SmtpStage::Mail, Rset).await {
                    Ok(()) => Err(failure),
                    Err(_) => return failure.sent(mail),
                }
            }
            Err(failure) => Err(failure),
        };
        match outcome {
            Ok(()) => {
                line.carried = line.carried.saturating_add(1);
                if line.carried < self.settings.mails_per_connection {
                    self.keep(line);
                } else {
                    self.hang_up(line).await;
                }
                Sent::Delivered
            }
            Err(failure) => {
                // Of a connection that is broken, or that the server closes, there is no leave to be taken.
                if !failure.stale() {
                    self.keep(line);
                }
                failure.sent(mail)
            }
        }
    }

    /// Sender and recipient.
    async fn envelope(
        &self,
        line: &mut Line,
        from: Option<&Address>,
        to: &Address,
        bytes: &[u8],
    ) -> Result<(), Failure> {
        let server = line.connection.server_info();
        let mut parameters = Vec::new();
        let foreign = |address: &Address| !address.to_string().is_ascii();
        if foreign(to) || from.is_some_and(foreign) {
            if !server.supports_feature(Extension::SmtpUtfEight) {
                let why = format!(
                    "the address has letters beyond ASCII, and {} does not take such (SMTPUTF8)",
                    self.server()
                );
                return Err(Failure::Recipient(why));
            }
            parameters.push(MailParameter::SmtpUtfEight);
        }
        if !bytes.is_ascii() && server.supports_feature(Extension::EightBitMime) {
            parameters.push(MailParameter::Body(MailBodyParameter::EightBitMime));
        }
        self.say(line, SmtpStage::Mail, Mail::new(from.cloned(), parameters))
            .await?;
        self.say(
            line,
            SmtpStage::Recipient,
            Rcpt::new(to.clone(), Vec::new()),
        )
        .await?;
        self.say(line, SmtpStage::Data, Data).await
    }

    async fn text(&self, line: &mut Line, bytes: &[u8]) -> Result<(), Failure> {
        let limit = self.settings.patience.text;
        // As one write with the final dot where possible: the client's two writes would wait for each other (Nagle), 40 ms each mail.
        let outcome = match String::from_utf8(stuffed(bytes)) {
            Ok(text) => tokio::time::timeout(limit, line.connection.command(text)).await,
            Err(_) => tokio::time::timeout(limit, line.connection.message(&crlf(bytes))).await,
        };
        line.used = Instant::now();
        self.outcome(SmtpStage::Text, outcome)
    }

    async fn say(
        &self,
        line: &mut Line,
        stage: SmtpStage,
        command: impl fmt::Display,
    ) -> Result<(), Failure> {
        let outcome = tokio::time::timeout(
            self.settings.patience.answer,
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
    ) -> Result<(), Failure> {
        match outcome {
            Ok(outcome) => outcome
                .map(drop)
                .map_err(|error| self.failure(stage, &error)),
            Err(_) => Err(self.no_answer()),
        }
    }

    fn no_answer(&self) -> Failure {
        Failure::Broken(format!("{} does not answer", self.server()))
    }

    fn failure(&self, stage: SmtpStage, error: &Error) -> Failure {
        use std::error::Error as _;
        match error.status() {
            Some(code) => Failure::Reply(
                stage,
                code.into(),
                error.source().map(ToString::to_string).unwrap_or_default(),
            ),
            None => Failure::Broken(format!("{}: {error}", self.server())),
        }
    }

    /// An open connection that still answers.
    async fn pooled(&self) -> Option<Line> {
        loop {
            let mut line = self.lines().pop()?;
            let age = line.used.elapsed();
            if age < FRESH {
                return Some(line);
            }
            if age < STALE && self.say(&mut line, SmtpStage::Mail, Noop).await.is_ok() {
                return Some(line);
            }
            self.hang_up(line).await;
        }
    }

    fn keep(&self, line: Line) {
        if !line.connection.has_broken() {
            self.lines().push(line);
        }
    }

    fn lines(&self) -> std::sync::MutexGuard<'_, Vec<Line>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn hang_up(&self, mut line: Line) {
        let _ = tokio::time::timeout(GOODBYE, line.connection.abort()).await;
    }

    async fn connect(&self) -> Result<Line, Failure> {
        match tokio::time::timeout(self.settings.patience.connect, self.connect_and_log_in()).await
        {
            Ok(outcome) => outcome,
            Err(_) => Err(self.no_answer()),
        }
    }

    async fn connect_and_log_in(&self) -> Result<Line, Failure> {
        let settings = &self.settings;
        let failed = |error: Error| self.failure(SmtpStage::Connect, &error);
        let wrapper = match settings.tls {
            Tls::Implicit => self.parameters.clone(),
            Tls::StartTls | Tls::None => None,
        };
        let address = (settings.host.as_str(), settings.port);
        let mut connection = AsyncSmtpConnection::connect_tokio1(
            address,
            Some(settings.patience.connect),
            &self.hello,
            wrapper,
            None,
        )
        .await
        .map_err(failed)?;
        if let (Tls::StartTls, Some(parameters)) = (settings.tls, &self.parameters) {
            // Required, never "if offered"; a server without it today may be one that somebody stands in front of.
            if !connection.can_starttls() {
                return Err(Failure::Broken(format!(
                    "{} does not offer STARTTLS",
                    self.server()
                )));
            }
            connection
                .starttls(parameters.clone(), &self.hello)
                .await
                .map_err(failed)?;
        }
        if let (Some(user), Some(secret)) = (&settings.user, &settings.secret) {
            self.log_in(&mut connection, user, secret).await?;
        }
        Ok(Line {
            connection,
            used: Instant::now(),
            carried: 0,
        })
    }

    async fn log_in(
        &self,
        connection: &mut AsyncSmtpConnection,
        user: &str,
        secret: &SecretSource,
    ) -> Result<(), Failure> {
        // A password command may take seconds; it must not hold up the other connections' thread.
        let source = secret.clone();
        let fetched = tokio::task::spawn_blocking(move || source.fetch()).await;
        let credential = match fetched {
            Ok(Ok(credential)) => credential,
            // A token service may be out of order for a while; a password that is not there needs the keeper.
            Ok(Err(error)) if secret.expires() => return Err(Failure::Broken(error.to_string())),
            Ok(Err(error)) => return Err(Failure::Ours(error.to_string())),
            Err(_) => {
                return Err(Failure::Broken(
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
            return Err(Failure::Ours(format!(
                "{} offers no login of the configured kind",
                self.server()
            )));
        }
        let credentials = Credentials::new(user.to_owned(), word);
        connection
            .auth(mechanisms, &credentials)
            .await
            .map(drop)
            .map_err(|error| self.failure(SmtpStage::Auth, &error))
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
            let lines: Vec<Line> = self.lines().drain(..).collect();
            for line in lines {
                self.hang_up(line).await;
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
            patience: SmtpTimeouts::default(),
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
