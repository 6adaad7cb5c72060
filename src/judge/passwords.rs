//! Passwords of games: kept as Argon2id, compared without regard to case, never echoed (`judge-workflow.md` 7).

use argon2::password_hash::phc::{PasswordHash, Salt};
use argon2::{Argon2, PasswordHasher, PasswordVerifier};

/// A password's hash for the log, or nothing if the library refuses.
pub(super) fn hash(word: &str, salt: [u8; 16]) -> Option<String> {
    let salt = Salt::new(&salt).ok()?;
    Argon2::default()
        .hash_password_with_salt(word.to_lowercase().as_bytes(), salt.as_ref())
        .ok()
        .map(|hash| hash.to_string())
}

/// Whether a word is the one that was hashed.
pub(super) fn fits(word: &str, hash: &str) -> bool {
    PasswordHash::new(hash).is_ok_and(|hash| {
        Argon2::default()
            .verify_password(word.to_lowercase().as_bytes(), &hash)
            .is_ok()
    })
}

/// Whether a word may be a password: 1 to 40 visible characters without a blank.
pub(super) fn allowed(word: &str) -> bool {
    (1..=40).contains(&word.chars().count()) && word.chars().all(|c| c.is_ascii_graphic())
}
