//! Access tokens by a refresh token (RFC 6749 6).
//!
//! The refresh token lies in a file. An access token is fetched when one is needed and kept in memory until shortly before it
//! expires, since the outbox logs in every few mails. A provider may give a new refresh token each time; then the file is
//! replaced.

use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::Deserialize;

use super::error::SecretError;
use super::first_line::read_first_line;
use super::http::WebAddress;
use crate::server_words::readable;

/// How long the provider may take.
const PATIENCE: Duration = Duration::from_secs(20);
/// A token is not used in the last minute of its life.
const RESERVE: Duration = Duration::from_secs(60);
/// How long a token lives whose provider does not say.
const USUAL_LIFE: Duration = Duration::from_secs(300);

/// A refresh token, and the provider that gives access tokens for it.
#[derive(Clone)]
pub struct RefreshToken {
    /// The file whose first line is the refresh token.
    pub file: PathBuf,
    /// The token endpoint of the provider.
    pub endpoint: WebAddress,
    /// What the provider calls this program.
    pub client_id: String,
    /// The file whose first line is the program's own secret, if the provider gave one.
    pub client_secret_file: Option<PathBuf>,
    held: Arc<Mutex<Option<AccessToken>>>,
}

struct AccessToken {
    word: String,
    until: Instant,
}

/// What a token endpoint answers (RFC 6749 5).
#[derive(Deserialize)]
struct TokenAnswer {
    access_token: Option<String>,
    expires_in: Option<u64>,
    refresh_token: Option<String>,
    error: Option<String>,
}

impl PartialEq for RefreshToken {
    fn eq(&self, other: &RefreshToken) -> bool {
        let key = |token: &RefreshToken| {
            (
                token.file.clone(),
                token.endpoint.clone(),
                token.client_id.clone(),
                token.client_secret_file.clone(),
            )
        };
        key(self) == key(other)
    }
}

impl Eq for RefreshToken {}

impl fmt::Debug for RefreshToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RefreshToken")
            .field("file", &self.file)
            .field("endpoint", &self.endpoint)
            .finish_non_exhaustive()
    }
}

impl RefreshToken {
    /// A refresh token in this file, for this provider.
    pub fn new(
        file: PathBuf,
        endpoint: WebAddress,
        client_id: String,
        client_secret_file: Option<PathBuf>,
    ) -> RefreshToken {
        RefreshToken {
            file,
            endpoint,
            client_id,
            client_secret_file,
            held: Arc::default(),
        }
    }

    /// An access token.
    pub(super) fn fetch(&self) -> Result<String, SecretError> {
        // The lock is held while the provider is asked, so that two logins do not use one refresh token at once.
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(token) = held.as_ref().filter(|token| Instant::now() < token.until) {
            return Ok(token.word.clone());
        }
        let fetched = self.ask()?;
        let word = fetched.word.clone();
        *held = Some(fetched);
        Ok(word)
    }

    /// Forgets the access token, since the server did not take it.
    pub(super) fn forget(&self) {
        *self.held.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    fn ask(&self) -> Result<AccessToken, SecretError> {
        let refresh = read_first_line(&self.file)?;
        let secret = self
            .client_secret_file
            .as_deref()
            .map(read_first_line)
            .transpose()?;
        let mut form = vec![
            ("grant_type", "refresh_token"),
            ("refresh_token", &refresh),
            ("client_id", &self.client_id),
        ];
        if let Some(secret) = &secret {
            form.push(("client_secret", secret));
        }
        let answer = self
            .endpoint
            .post(&form, PATIENCE)
            .map_err(|error| self.unavailable(&error.to_string()))?;
        let unclear = || self.unavailable(&format!("it answers {}", answer.status));
        let said: TokenAnswer = serde_json::from_slice(&answer.body).map_err(|_| unclear())?;
        match (said.access_token, said.error) {
            (Some(word), None) if answer.status == 200 && !word.is_empty() => {
                if let Some(next) = said.refresh_token.filter(|next| *next != refresh) {
                    self.keep(&next);
                }
                let life = said.expires_in.map_or(USUAL_LIFE, Duration::from_secs);
                // A life beyond what the clock can count is as good as a day.
                let life = life
                    .saturating_sub(RESERVE)
                    .min(Duration::from_secs(24 * 60 * 60));
                Ok(AccessToken {
                    word,
                    until: Instant::now() + life,
                })
            }
            (_, Some(error)) if (400..500).contains(&answer.status) => {
                Err(SecretError::RefreshRefused {
                    host: self.endpoint.host().to_owned(),
                    file: self.file.clone(),
                    why: readable(&error),
                })
            }
            _ => Err(unclear()),
        }
    }

    fn unavailable(&self, why: &str) -> SecretError {
        SecretError::NoToken {
            host: self.endpoint.host().to_owned(),
            why: readable(why),
        }
    }

    /// Puts a new refresh token into the file. The old one may be void, so a failure needs the keeper before the next start.
    fn keep(&self, next: &str) {
        if let Err(error) = replace(&self.file, next) {
            let (file, why) = (self.file.display().to_string(), error.to_string());
            tracing::error!(
                file,
                why,
                "the new refresh token cannot be written; the old one may not be taken any more"
            );
        }
    }
}

/// Writes a file anew that only its owner can read, so that a crash leaves the old or the new one.
fn replace(file: &Path, line: &str) -> io::Result<()> {
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(".new");
    let beside = file.with_file_name(name);
    let mut out = fs::OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(&beside)?;
    writeln!(out, "{line}")?;
    out.sync_all()?;
    fs::rename(&beside, file)
}
