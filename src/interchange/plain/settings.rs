//! Settings of a standard game that change nothing in a movement phase but what follows it.

use std::cell::RefCell;

use crate::by_engine::{SettingsOfCenters, settings_of_centers};

/// Reads the settings of a line; `None` if they have to be left to the engine. Many lines have the same ones, so each thread keeps
/// its last.
pub(super) fn read(object: &[u8]) -> Option<SettingsOfCenters> {
    struct Kept {
        object: Vec<u8>,
        settings: Option<SettingsOfCenters>,
    }
    thread_local! {
        static KEPT: RefCell<Option<Kept>> = const { RefCell::new(None) };
    }
    KEPT.with_borrow_mut(|kept| match kept {
        Some(kept) if kept.object == object => kept.settings,
        _ => {
            let settings = settings_of_centers(object);
            *kept = Some(Kept {
                object: object.to_vec(),
                settings,
            });
            settings
        }
    })
}
