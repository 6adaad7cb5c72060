//! Why there is no password or token.

use std::path::PathBuf;

/// Why there is no secret.
#[derive(Debug, thiserror::Error)]
pub enum SecretError {
    /// The file cannot be read.
    #[error("cannot read the password file {path}: {source}")]
    File {
        /// The file that the config names.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The program cannot be run, failed, or took too long. Its output is not repeated: it may be the secret.
    #[error("the password command {program} {why}")]
    Command {
        /// The program that the config names, without arguments.
        program: String,
        /// What went wrong with it.
        why: String,
    },
    /// The secret is empty.
    #[error("the password from {from} is empty")]
    Empty {
        /// File or program.
        from: String,
    },
    /// The provider gives no access token now.
    #[error("no access token from {host}: {why}")]
    NoToken {
        /// The provider's host.
        host: String,
        /// What went wrong.
        why: String,
    },
    /// The provider does not take the refresh token.
    #[error("{host} does not take the refresh token in {file} ({why})")]
    RefreshRefused {
        /// The provider's host.
        host: String,
        /// The file of the refresh token.
        file: PathBuf,
        /// The provider's word for it, such as `invalid_grant`.
        why: String,
    },
}
