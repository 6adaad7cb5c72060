//! The public keys of domains, kept for as long as the name server says.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use mail_auth::common::parse::TxtRecordParser;
use mail_auth::common::verify::DomainKey;
use mail_auth::{ResolverCache, Txt};

/// The most keys that are kept: strangers choose whose are asked for.
const MOST: usize = 2_000;
/// The longest time that a key is kept.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// Keys by the names under which name servers have them.
#[derive(Default)]
pub struct KeyCache {
    kept: Mutex<HashMap<Box<str>, KeptKey>>,
}

struct KeptKey {
    record: Txt,
    until: Instant,
}

/// The text of a key's record cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("no key: {0}")]
pub struct BadKey(String);

impl KeyCache {
    /// Keeps the key of a domain as if a name server had told it, such as `v=DKIM1; k=ed25519; p=...`.
    ///
    /// # Errors
    /// If the text is not a key.
    pub fn put(&self, selector: &str, domain: &str, record: &str) -> Result<(), BadKey> {
        let key = DomainKey::parse(record.as_bytes()).map_err(|error| BadKey(error.to_string()))?;
        let name = format!("{selector}._domainkey.{domain}.");
        self.insert(name.into(), Txt::from(key), Instant::now() + LONGEST);
        Ok(())
    }
}

impl ResolverCache<Box<str>, Txt> for KeyCache {
    fn get<Q>(&self, name: &Q) -> Option<Txt>
    where
        Box<str>: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let found = kept.get(name).filter(|key| Instant::now() < key.until);
        found.map(|key| key.record.clone())
    }

    fn remove<Q>(&self, name: &Q) -> Option<Txt>
    where
        Box<str>: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.remove(name).map(|key| key.record)
    }

    fn insert(&self, name: Box<str>, record: Txt, valid_until: Instant) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        if kept.len() >= MOST {
            kept.retain(|_, key| now < key.until);
        }
        if kept.len() >= MOST {
            kept.clear();
        }
        let until = valid_until.min(now + LONGEST);
        kept.insert(name, KeptKey { record, until });
    }
}
