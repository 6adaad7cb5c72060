//! The settings of a line, as far as they change what follows the moves.

use std::cell::RefCell;

use dipjudge_game::Variant;

use crate::by_engine::{SettingsAfterMoves, settings_after_moves};

/// Reads the settings of a line by the rules of a variant; `None` if they have to be left to the engine. Many lines have the same
/// ones, so each thread keeps its last.
pub(super) fn read(variant: &'static dyn Variant, object: &[u8]) -> Option<SettingsAfterMoves> {
    struct Kept {
        variant: &'static str,
        object: Vec<u8>,
        settings: Option<SettingsAfterMoves>,
    }
    thread_local! {
        static KEPT: RefCell<Option<Kept>> = const { RefCell::new(None) };
    }
    let name = variant.card().name;
    KEPT.with_borrow_mut(|kept| match kept {
        Some(kept) if kept.variant == name && kept.object == object => kept.settings,
        _ => {
            let settings = settings_after_moves(variant, object);
            *kept = Some(Kept {
                variant: name,
                object: object.to_vec(),
                settings,
            });
            settings
        }
    })
}
