//! Settings of a standard game that change nothing in a movement phase but who has won.

use std::cell::RefCell;

use crate::by_engine;

/// The settings of a line.
#[derive(Clone, Copy)]
pub(super) struct PlainSettings {
    /// How many centers win, if not as many as usual.
    pub(super) enough: Option<u32>,
}

impl PlainSettings {
    /// Reads them; `None` if they have to be left to the engine. Many lines have the same ones, so each thread keeps its last.
    pub(super) fn read(object: &[u8]) -> Option<PlainSettings> {
        struct Kept {
            object: Vec<u8>,
            settings: Option<PlainSettings>,
        }
        thread_local! {
            static KEPT: RefCell<Option<Kept>> = const { RefCell::new(None) };
        }
        KEPT.with_borrow_mut(|kept| match kept {
            Some(kept) if kept.object == object => kept.settings,
            _ => {
                let settings =
                    by_engine::winning_number_alone(object).map(|enough| PlainSettings { enough });
                *kept = Some(Kept {
                    object: object.to_vec(),
                    settings,
                });
                settings
            }
        })
    }
}
