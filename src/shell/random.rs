//! Random bytes from the system, and ids that follow from a key and from what they are drawn for.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;

use dipjudge_judge::Ids;
use dipjudge_store::{Batch, Store, StoreError};
use sha2::{Digest, Sha256};

/// Ids and seeds from the random source of the system.
///
/// After taking ids, [`SystemIds::fault`] must be checked before anything with them is stored: a judge with guessable ids
/// would reveal its games.
#[derive(Debug, Default)]
pub struct SystemIds {
    fault: Option<getrandom::Error>,
}

impl SystemIds {
    /// A source that has not failed yet.
    pub fn new() -> SystemIds {
        SystemIds::default()
    }

    /// The first failure of the random source; then the ids are not random.
    pub fn fault(&self) -> Option<getrandom::Error> {
        self.fault
    }

    fn fill<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        if let Err(error) = getrandom::fill(&mut bytes) {
            self.fault.get_or_insert(error);
        }
        bytes
    }
}

impl Ids for SystemIds {
    fn id(&mut self) -> [u8; 16] {
        self.fill()
    }

    fn seed(&mut self) -> [u8; 32] {
        self.fill()
    }
}

/// The key in the store of the key from which ids follow.
const IDS_KEY: &str = "ids-key";

/// Ids that follow from a key of the store and from what they are drawn for, so that whoever takes a message again from a backup
/// gets the ids of before; only seeds of games come from the system, as nobody may know them beforehand.
///
/// As with [`SystemIds`], [`DerivedIds::fault`] must be checked before anything is stored.
pub struct DerivedIds {
    key: [u8; 32],
    /// The hash of what ids are drawn for now.
    cause: [u8; 32],
    /// How many were drawn for this cause, by stream.
    drawn: BTreeMap<String, u64>,
    /// Seeds that were drawn for this cause.
    seeds: Vec<[u8; 32]>,
    /// Seeds that were drawn for this cause before, to be used again.
    known_seeds: VecDeque<[u8; 32]>,
    system: SystemIds,
}

impl fmt::Debug for DerivedIds {
    // Without the key: with it all tokens of the judge could be computed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DerivedIds").finish_non_exhaustive()
    }
}

impl DerivedIds {
    /// With the key of this store, which is drawn where there is none yet.
    ///
    /// # Errors
    /// If the store cannot be read or written.
    pub fn of(store: &Store) -> Result<DerivedIds, StoreError> {
        let stored = store.meta(IDS_KEY)?;
        let known = stored.as_deref().map(<[u8; 32]>::try_from);
        let mut system = SystemIds::new();
        let key = match known {
            Some(Ok(key)) => key,
            Some(Err(_)) => {
                return Err(StoreError::Damaged {
                    what: format!("the entry {IDS_KEY:?} is no key"),
                });
            }
            None => {
                let key = system.seed();
                if system.fault().is_none() {
                    store.commit(&Batch {
                        meta: vec![(IDS_KEY.to_owned(), key.to_vec())],
                        ..Batch::default()
                    })?;
                }
                key
            }
        };
        Ok(DerivedIds {
            key,
            // What is drawn for no cause is never drawn again.
            cause: system.seed(),
            drawn: BTreeMap::new(),
            seeds: Vec::new(),
            known_seeds: VecDeque::new(),
            system,
        })
    }

    /// From now on ids are drawn for this: its kind, and what tells it from all others of that kind.
    pub fn begin(&mut self, kind: &str, parts: &[&[u8]]) {
        let mut hash = Sha256::new_with_prefix(self.key);
        for part in [kind.as_bytes()].iter().chain(parts) {
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(part);
        }
        self.cause = hash.finalize().into();
        self.drawn.clear();
        self.seeds.clear();
    }

    /// These seeds are used before any is drawn.
    pub fn use_seeds(&mut self, seeds: impl IntoIterator<Item = [u8; 32]>) {
        self.known_seeds = seeds.into_iter().collect();
    }

    /// The seeds that were drawn for this cause.
    pub fn seeds(&self) -> &[[u8; 32]] {
        &self.seeds
    }

    /// The first failure of the random source; then what was drawn is not random.
    pub fn fault(&self) -> Option<getrandom::Error> {
        self.system.fault()
    }

    fn next(&mut self, stream: &str) -> [u8; 16] {
        let count = self.drawn.entry(stream.to_owned()).or_default();
        *count += 1;
        let hash = Sha256::new_with_prefix(self.key)
            .chain_update(self.cause)
            .chain_update(count.to_be_bytes())
            .chain_update(stream)
            .finalize();
        let mut id = [0; 16];
        id.iter_mut().zip(hash).for_each(|(to, from)| *to = from);
        id
    }
}

impl Ids for DerivedIds {
    fn id(&mut self) -> [u8; 16] {
        self.next("")
    }

    fn seed(&mut self) -> [u8; 32] {
        let seed = match self.known_seeds.pop_front() {
            Some(seed) => seed,
            None => self.system.seed(),
        };
        self.seeds.push(seed);
        seed
    }

    fn mail_id(&mut self, reader: &str) -> [u8; 16] {
        self.next(&format!("mail {reader}"))
    }

    fn user_id(&mut self, address: &str) -> [u8; 16] {
        self.next(&format!("user {address}"))
    }
}

/// A number from 0 to 1 that spreads waits, so that many clients do not return at once. It need not be secret.
pub fn jitter() -> f64 {
    let mut byte = [128];
    // If it fails, the waits are just less spread.
    let _ = getrandom::fill(&mut byte);
    f64::from(byte[0]) / 255.0
}

/// Limits a random number to 0 to 1; NaN and infinite values become 0.
pub fn within_unit(jitter: f64) -> f64 {
    if jitter.is_finite() {
        jitter.clamp(0.0, 1.0)
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_are_alike_and_none_is_at_fault() {
        let mut ids = SystemIds::new();
        assert_ne!(ids.id(), ids.id());
        assert_ne!(ids.seed(), ids.seed());
        assert!(ids.fault().is_none());
        assert!((0.0..=1.0).contains(&jitter()));
    }

    #[test]
    fn the_same_message_gives_the_same_ids_and_another_seed() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::create(&folder.path().join("data")).unwrap();
        let draw = |cause: &str| {
            let mut ids = DerivedIds::of(&store).unwrap();
            ids.begin("mail", &[cause.as_bytes()]);
            let drawn = [
                ids.id(),
                ids.id(),
                ids.mail_id("anna@x"),
                ids.mail_id("ben@x"),
                ids.user_id("anna@x"),
            ];
            (drawn, ids.seed())
        };
        let ((first, seed), (again, other_seed)) = (draw("one"), draw("one"));
        assert_eq!(first, again);
        assert_ne!(seed, other_seed);
        let (other, _) = draw("two");
        let all: std::collections::BTreeSet<[u8; 16]> = first.into_iter().chain(other).collect();
        assert_eq!(all.len(), 10);
    }

    #[test]
    fn how_many_mails_others_got_changes_nothing_for_a_reader() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::create(&folder.path().join("data")).unwrap();
        let mut ids = DerivedIds::of(&store).unwrap();
        ids.begin("due", &[b"1"]);
        let alone = ids.mail_id("anna@x");
        ids.begin("due", &[b"1"]);
        ids.mail_id("ben@x");
        ids.id();
        assert_eq!(ids.mail_id("anna@x"), alone);
    }

    #[test]
    fn known_seeds_are_used_first() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::create(&folder.path().join("data")).unwrap();
        let mut ids = DerivedIds::of(&store).unwrap();
        ids.begin("mail", &[b"1"]);
        ids.use_seeds([[7; 32]]);
        assert_eq!(ids.seed(), [7; 32]);
        assert_ne!(ids.seed(), [7; 32]);
        assert_eq!(ids.seeds().len(), 2);
    }
}
