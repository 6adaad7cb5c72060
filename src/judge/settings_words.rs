//! Words of settings that are read in more than one place.

use crate::game::Level;

/// A level by its name.
pub(super) fn level(word: &str) -> Option<Level> {
    let all = [
        Level::Any,
        Level::Novice,
        Level::Amateur,
        Level::Intermediate,
        Level::Advanced,
        Level::Expert,
    ];
    all.into_iter()
        .find(|level| format!("{level:?}").eq_ignore_ascii_case(word.trim()))
}
