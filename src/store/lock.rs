//! The lock file, by which only one process at a time opens the store.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;

use super::error::StoreError;

/// Held while the store is open; the system releases it when the process ends.
#[derive(Debug)]
pub(super) struct Lock {
    file: File,
}

impl Lock {
    /// Takes the lock of the data folder `dir`, or fails at once with [`StoreError::Busy`].
    pub(super) fn take(dir: &Path) -> Result<Self, StoreError> {
        let path = dir.join("store.lock");
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path)
            .map_err(StoreError::io("open", &path))?;
        match file.try_lock() {
            Ok(()) => Ok(Self { file }),
            Err(TryLockError::WouldBlock) => Err(StoreError::Busy {
                dir: dir.to_owned(),
            }),
            Err(TryLockError::Error(source)) => Err(StoreError::io("lock", &path)(source)),
        }
    }
}

impl Drop for Lock {
    /// Unlocks explicitly: a child process that is being started may still have the file open after it is closed here.
    fn drop(&mut self) {
        // If this fails, closing the file releases the lock.
        let _ = self.file.unlock();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_taker_is_told_that_it_is_busy_until_the_first_lets_go() {
        let dir = tempfile::tempdir().unwrap();
        let first = Lock::take(dir.path()).unwrap();
        assert!(matches!(
            Lock::take(dir.path()),
            Err(StoreError::Busy { .. })
        ));
        drop(first);
        Lock::take(dir.path()).unwrap();
    }
}
