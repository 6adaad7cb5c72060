//! The digests of mails that were sent, by which it is seen whether what is kept of them has changed since.

use super::Archived;
use super::blobs::Hash;
use super::error::StoreError;
use super::tables::{from_row, to_row};

impl Archived {
    fn digest_now(&self) -> Hash {
        Hash::of(format!("{}\n\n{}", self.subject, self.body).as_bytes())
    }

    /// The same with the digest of what it says now.
    pub(super) fn with_digest(mut self) -> Archived {
        self.digest = Some(self.digest_now());
        self
    }

    /// Whether it says what was sent; of a text without a digest nobody knows.
    pub fn is_as_sent(&self) -> bool {
        self.digest.is_none_or(|digest| digest == self.digest_now())
    }
}

/// A row in which names of a person were replaced, with the digest of what it says now if it had one.
pub(super) fn with_new_digest(row: &[u8]) -> Result<Vec<u8>, StoreError> {
    let text: Archived = from_row(row)?;
    match text.digest {
        Some(_) => to_row(&text.with_digest()),
        None => Ok(row.to_vec()),
    }
}
