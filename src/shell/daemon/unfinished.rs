//! The mark of a store that has begun to catch up (`catch_up.rs`) and has not finished. Nobody else may use it before.

use crate::config::Config;
use dipjudge_store::{Batch, Store, StoreError};

/// The key in the store.
const KEY: &str = "catching-up";

/// Fails if a store bears the mark.
///
/// # Errors
/// [`StoreError::Unfinished`].
pub(super) fn check_finished(config: &Config, store: &Store) -> Result<(), StoreError> {
    match store.meta(KEY)? {
        None => Ok(()),
        Some(_) => Err(StoreError::Unfinished {
            dir: config.judge.data.clone(),
        }),
    }
}

/// Marks a store.
///
/// # Errors
/// If it cannot be written.
pub(super) fn begin(store: &Store) -> Result<(), StoreError> {
    store.commit(&Batch {
        meta: vec![(KEY.to_owned(), b"true".to_vec())],
        ..Batch::default()
    })
}

/// Removes the mark.
///
/// # Errors
/// If the store cannot be written.
pub(super) fn end(store: &Store) -> Result<(), StoreError> {
    store.commit(&Batch {
        forget: vec![KEY.to_owned()],
        ..Batch::default()
    })
}
