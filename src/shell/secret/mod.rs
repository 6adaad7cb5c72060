//! Where a password or an access token comes from, and how it stays out of every log.
//!
//! A secret is asked for at each login, since a token expires after an hour, and the keeper may change the password file
//! without a restart.

mod error;
mod first_line;
mod http;
mod refresh;

use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

pub use error::SecretError;
pub use http::WebAddress;
pub use refresh::RefreshToken;

use first_line::{MAX_BYTES, first_line, read_first_line};

/// How long a password or token command may take.
const COMMAND_TIMEOUT: Duration = Duration::from_secs(30);

/// Where the secret for a login comes from.
#[derive(Clone, PartialEq, Eq)]
pub enum SecretSource {
    /// The password itself; for tests. It is never read from the config.
    Password(String),
    /// The first line of a file is the password.
    PasswordFile(PathBuf),
    /// The first line that a program prints is the password.
    PasswordCommand(Vec<String>),
    /// The first line that a program prints is an OAuth 2 access token, used by XOAUTH2.
    OAuth2Command(Vec<String>),
    /// A provider gives OAuth 2 access tokens for a refresh token in a file.
    OAuth2Refresh(Box<RefreshToken>),
}

impl fmt::Debug for SecretSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SecretSource::Password(_) => f.write_str("Password(…)"),
            SecretSource::PasswordFile(path) => f.debug_tuple("PasswordFile").field(path).finish(),
            // The arguments may contain a secret; the name of the program does not.
            SecretSource::PasswordCommand(words) => {
                write!(f, "PasswordCommand({:?} …)", words.first())
            }
            SecretSource::OAuth2Command(words) => write!(f, "OAuth2Command({:?} …)", words.first()),
            SecretSource::OAuth2Refresh(token) => {
                f.debug_tuple("OAuth2Refresh").field(token).finish()
            }
        }
    }
}

/// What is sent to the server at a login. Its `Debug` output does not show it.
#[derive(Clone, PartialEq, Eq)]
pub enum Credential {
    /// For LOGIN or PLAIN.
    Password(String),
    /// For XOAUTH2.
    Token(String),
}

impl fmt::Debug for Credential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Credential::Password(_) => "Password(…)",
            Credential::Token(_) => "Token(…)",
        })
    }
}

impl SecretSource {
    /// Fetches the secret: reads the file or runs the program.
    pub fn fetch(&self) -> Result<Credential, SecretError> {
        match self {
            SecretSource::Password(word) => Ok(Credential::Password(word.clone())),
            SecretSource::PasswordFile(path) => read_first_line(path).map(Credential::Password),
            SecretSource::PasswordCommand(words) => run(words).map(Credential::Password),
            SecretSource::OAuth2Command(words) => run(words).map(Credential::Token),
            SecretSource::OAuth2Refresh(token) => token.fetch().map(Credential::Token),
        }
    }

    /// The file that holds the secret, if one does.
    pub fn file(&self) -> Option<&Path> {
        match self {
            SecretSource::PasswordFile(path) => Some(path),
            SecretSource::OAuth2Refresh(token) => Some(&token.file),
            SecretSource::Password(_)
            | SecretSource::PasswordCommand(_)
            | SecretSource::OAuth2Command(_) => None,
        }
    }

    /// Whether a refused login may succeed with a newly fetched secret: true for tokens, which expire.
    pub fn expires(&self) -> bool {
        matches!(
            self,
            SecretSource::OAuth2Command(_) | SecretSource::OAuth2Refresh(_)
        )
    }

    /// Forgets what was fetched before, since a server did not take it.
    pub fn forget(&self) {
        if let SecretSource::OAuth2Refresh(token) = self {
            token.forget();
        }
    }
}

fn run(words: &[String]) -> Result<String, SecretError> {
    let Some((program, arguments)) = words.split_first() else {
        return Err(SecretError::Empty {
            from: "an empty command".to_owned(),
        });
    };
    let failed = |why: String| SecretError::Command {
        program: program.clone(),
        why,
    };
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .map_err(|e| failed(format!("cannot be started: {e}")))?;
    // The output is read on a thread of its own, so that the time limit holds whether or not the program prints.
    let output = child.stdout.take();
    let reader = std::thread::spawn(move || {
        let mut text = String::new();
        output
            .map(|pipe| pipe.take(MAX_BYTES).read_to_string(&mut text))
            .transpose()
            .map(|_| text)
    });
    let status = wait(&mut child, COMMAND_TIMEOUT)
        .map_err(|e| failed(format!("cannot be waited for: {e}")))?;
    let Some(status) = status else {
        // Children of the program may hold the pipe open, so the reader is not waited for.
        return Err(failed(format!(
            "took longer than {} seconds",
            COMMAND_TIMEOUT.as_secs()
        )));
    };
    if !status.success() {
        return Err(failed(format!("failed ({status})")));
    }
    match reader.join() {
        Ok(Ok(text)) => first_line(&text, program),
        _ => Err(failed("printed something that is not text".to_owned())),
    }
}

/// Waits for a program to end; kills it if it takes too long, and returns `None`.
fn wait(child: &mut Child, at_most: Duration) -> std::io::Result<Option<std::process::ExitStatus>> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if start.elapsed() > at_most {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn a_password_file_gives_its_first_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("password");
        std::fs::write(&path, "wine-dark sea\r\nnot this\n").unwrap();
        assert_eq!(
            SecretSource::PasswordFile(path).fetch().unwrap(),
            Credential::Password("wine-dark sea".into())
        );
    }

    #[test]
    fn a_command_gives_the_first_line_it_prints() {
        let secret = SecretSource::PasswordCommand(command(&["printf", "one\\ntwo\\n"]));
        assert_eq!(secret.fetch().unwrap(), Credential::Password("one".into()));
        let secret = SecretSource::OAuth2Command(command(&["printf", "ya29.token"]));
        assert_eq!(
            secret.fetch().unwrap(),
            Credential::Token("ya29.token".into())
        );
    }

    #[test]
    fn what_is_wrong_is_said_without_the_secret() {
        let failing = SecretSource::PasswordCommand(command(&["sh", "-c", "echo hush; exit 3"]));
        let why = failing.fetch().unwrap_err().to_string();
        assert!(why.contains("sh failed") && !why.contains("hush"), "{why}");
        let missing = SecretSource::PasswordFile("/nowhere/at/all".into())
            .fetch()
            .unwrap_err()
            .to_string();
        assert!(
            missing.starts_with("cannot read the password file /nowhere/at/all"),
            "{missing}"
        );
        assert!(matches!(
            SecretSource::PasswordCommand(command(&["true"])).fetch(),
            Err(SecretError::Empty { .. })
        ));
        assert!(matches!(
            SecretSource::PasswordCommand(Vec::new()).fetch(),
            Err(SecretError::Empty { .. })
        ));
    }

    #[test]
    fn no_secret_is_printed() {
        let shown = format!(
            "{:?} {:?}",
            SecretSource::Password("hush".into()),
            Credential::Token("hush".into())
        );
        assert!(!shown.contains("hush"), "{shown}");
        let shown = format!(
            "{:?}",
            SecretSource::PasswordCommand(command(&["pass", "hush"]))
        );
        assert!(!shown.contains("hush"), "{shown}");
    }
}
