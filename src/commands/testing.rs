//! What the tests of this room share.

use super::names::Names;
use dipjudge_rules::map::Map;
use std::sync::OnceLock;

/// Names of the standard game.
pub(super) fn names() -> &'static Names {
    static NAMES: OnceLock<Names> = OnceLock::new();
    NAMES.get_or_init(|| Names::of(Map::standard(), Map::standard().powers()))
}
