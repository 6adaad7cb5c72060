//! Lines that are kept for a later phase.

use dipjudge_commands::settings::{SetItem, read_settings, rule_of};
use dipjudge_grammar::Line;

/// The wait that a line kept for a later phase sets; `None` for any other line.
pub(crate) fn kept_wait(line: &Line) -> Option<bool> {
    let items = read_settings(line.words().filter(|_| line.rule == "set")?);
    match items.as_slice() {
        [SetItem::Known(item)] => match rule_of(item) {
            "wait" => Some(true),
            "no-wait" => Some(false),
            _ => None,
        },
        _ => None,
    }
}
