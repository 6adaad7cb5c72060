//! Where a password or token is to be had; never the password itself.

use std::fmt;
use std::path::PathBuf;

/// Where the secret for a login is to be had when it is needed.
#[derive(Clone, PartialEq, Eq)]
pub enum SecretSource {
    /// The first line of this file is the password.
    PasswordFile(PathBuf),
    /// The first line that this program prints is the password.
    PasswordCommand(Vec<String>),
    /// The first line that this program prints is an OAuth 2 access token.
    OAuth2Command(Vec<String>),
}

impl fmt::Debug for SecretSource {
    // A program's arguments may hold a secret; its name does not.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PasswordFile(path) => f.debug_tuple("PasswordFile").field(path).finish(),
            Self::PasswordCommand(words) => write!(f, "PasswordCommand({:?} …)", words.first()),
            Self::OAuth2Command(words) => write!(f, "OAuth2Command({:?} …)", words.first()),
        }
    }
}
