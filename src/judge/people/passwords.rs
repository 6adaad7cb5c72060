//! Passwords of games: stored as Argon2id hashes, compared without regard to case, never repeated in mails
//! (`judge-workflow.md` 7).

use std::cell::RefCell;

use argon2::password_hash::phc::{Output, ParamsString, PasswordHash, Salt};
use argon2::{Algorithm, Argon2, Block, Params, Version};
use dipjudge_game::planted::hashes_quickly;

thread_local! {
    /// The memory in which passwords are hashed. It is reused, since a new allocation for each password fragments the
    /// heap. It holds traces of a password only until the next one is hashed.
    static MEMORY: RefCell<Vec<Block>> = const { RefCell::new(Vec::new()) };
}

/// In place of a hash: no password fits it.
pub(crate) const NOBODYS: &str = "";

/// A password's hash for the log; `None` if the library returns an error.
pub(crate) fn hash(word: &str, salt: [u8; 16]) -> Option<String> {
    let salt = Salt::new(&salt).ok()?;
    let params = if hashes_quickly() {
        Params::new(Params::MIN_M_COST, 1, 1, None).ok()?
    } else {
        Params::default()
    };
    let hash = PasswordHash {
        algorithm: Algorithm::default().ident(),
        version: Some(Version::default().into()),
        params: ParamsString::try_from(&params).ok()?,
        hash: Some(hash_with(word, &salt, Argon2::from(params))?),
        salt: Some(salt),
    };
    Some(hash.to_string())
}

/// Whether a password matches a hash.
pub(crate) fn fits(word: &str, hash: &str) -> bool {
    let Ok(known) = PasswordHash::new(hash) else {
        return false;
    };
    let hashed = |known: &PasswordHash| {
        let algorithm = Algorithm::try_from(known.algorithm.as_str()).ok()?;
        let version = match known.version {
            Some(version) => Version::try_from(version).ok()?,
            None => Version::default(),
        };
        let params = Params::try_from(known).ok()?;
        hash_with(
            word,
            known.salt.as_ref()?,
            Argon2::new(algorithm, version, params),
        )
    };
    // Hashes are compared in constant time.
    known.hash.is_some() && hashed(&known) == known.hash
}

/// Hashes a password in the reused memory.
fn hash_with(word: &str, salt: &Salt, argon2: Argon2<'_>) -> Option<Output> {
    let mut buffer = [0; Output::MAX_LENGTH];
    let length = argon2.params().output_len();
    let out = buffer.get_mut(..length.unwrap_or(Params::DEFAULT_OUTPUT_LEN))?;
    let blocks = argon2.params().block_count();
    MEMORY.with_borrow_mut(|memory| {
        if memory.len() < blocks {
            memory.resize(blocks, Block::default());
        }
        let word = word.to_lowercase();
        argon2
            .hash_password_into_with_memory(word.as_bytes(), salt, out, memory.get_mut(..blocks)?)
            .ok()
    })?;
    Output::new(out).ok()
}

/// Whether a word may be a password: 1 to 40 visible characters without a space.
pub(crate) fn allowed(word: &str) -> bool {
    (1..=40).contains(&word.chars().count()) && word.chars().all(|c| c.is_ascii_graphic())
}

/// A word as it stands, and without the quotation marks around it or the signs at its end, which people add.
pub(crate) fn spellings(word: &str) -> Vec<&str> {
    let bare = word
        .trim_matches(['"', '\'', '<', '>', '`'])
        .trim_end_matches(['.', ',', ';', '!']);
    let bare = bare.trim_matches(['"', '\'', '<', '>', '`']);
    if bare.is_empty() || bare == word {
        vec![word]
    } else {
        vec![word, bare]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use argon2::password_hash::PasswordHasher;

    #[test]
    fn the_hash_is_that_of_the_library() {
        let salt = [7; 16];
        let own = hash("Sesame", salt).unwrap();
        let library = Argon2::default().hash_password_with_salt(b"sesame", &salt);
        assert_eq!(own, library.unwrap().to_string());
        assert!(fits("SESAME", &own) && !fits("sesam", &own));
    }

    #[test]
    fn what_was_hashed_otherwise_is_compared_as_it_was_hashed() {
        let argon2 = Argon2::from(Params::new(64, 1, 1, None).unwrap());
        let other = argon2.hash_password_with_salt(b"sesame", &[7; 16]);
        let other = other.unwrap().to_string();
        assert!(fits("sesame", &other) && !fits("sesame!", &other));
        assert!(!fits("sesame", "no hash"));
    }
}
