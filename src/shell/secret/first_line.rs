//! The first line of a file or of what a program prints, which is the secret.

use std::io::Read;
use std::path::Path;

use super::error::SecretError;

/// The longest password or token in bytes.
pub(super) const MAX_BYTES: u64 = 16 * 1024;

/// The first line of a file.
pub(super) fn read_first_line(path: &Path) -> Result<String, SecretError> {
    let unreadable = |source| SecretError::File {
        path: path.to_owned(),
        source,
    };
    let mut text = String::new();
    let file = std::fs::File::open(path).map_err(unreadable)?;
    file.take(MAX_BYTES)
        .read_to_string(&mut text)
        .map_err(unreadable)?;
    first_line(&text, &path.display().to_string())
}

pub(super) fn first_line(text: &str, from: &str) -> Result<String, SecretError> {
    match text.lines().next() {
        Some(line) if !line.is_empty() => Ok(line.to_owned()),
        _ => Err(SecretError::Empty {
            from: from.to_owned(),
        }),
    }
}
