//! The judge's look-ups, answered by the store.

use std::cell::RefCell;

use jiff::Timestamp;

use crate::judge::{Archived, Library};
use crate::shell::store::{Store, StoreError};

/// The store as the judge sees it.
///
/// The judge knows no failing store: it gets an answer, and whoever asked the judge must look at
/// [`StoreLibrary::fault`] before believing what it said.
#[derive(Debug)]
pub struct StoreLibrary<'a> {
    store: &'a Store,
    fault: RefCell<Option<StoreError>>,
}

impl<'a> StoreLibrary<'a> {
    /// Look-ups in this store.
    pub fn new(store: &'a Store) -> StoreLibrary<'a> {
        StoreLibrary { store, fault: RefCell::new(None) }
    }

    /// What went wrong with a look-up.
    ///
    /// # Errors
    /// The first failure.
    pub fn fault(self) -> Result<(), StoreError> {
        self.fault.into_inner().map_or(Ok(()), Err)
    }

    fn answer<T: Default>(&self, answer: Result<T, StoreError>) -> T {
        answer.unwrap_or_else(|error| {
            self.fault.borrow_mut().get_or_insert(error);
            T::default()
        })
    }
}

impl Library for StoreLibrary<'_> {
    fn seen(&self, key: &[u8; 32], since: Timestamp) -> bool {
        self.answer(self.store.seen(key, since))
    }

    fn archive(&self, game: &str, from: Timestamp, to: Timestamp) -> Vec<Archived> {
        let found = self.answer(self.store.archive(game, from, to));
        let named = |text: crate::shell::store::Archived| Archived {
            game: game.to_owned(),
            at: text.at,
            subject: text.subject,
            body: text.body,
            broadcast: text.broadcast,
        };
        found.into_iter().map(named).collect()
    }
}
