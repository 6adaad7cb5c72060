//! The powers that a forming table deals out, and the line that prefers some of them.

use dipjudge_game::{GameEdit, Role};
use dipjudge_rules::map::PowerInfo;

/// The powers that a forming table deals out.
pub(crate) fn powers_dealt(edit: &GameEdit) -> Vec<PowerInfo> {
    let game = &edit.game;
    let players = game.seated(Role::Player).count();
    edit.variant.powers(game.map(), players, &game.settings)
}

/// The line that prefers the powers with these names, in this order; `None` if one of them is no power of a forming table.
pub(crate) fn preference_line(edit: &GameEdit, names: &[String]) -> Option<String> {
    let powers = powers_dealt(edit);
    let letters = names.iter().map(|name| {
        let mut named = powers
            .iter()
            .filter(|info| info.name.eq_ignore_ascii_case(name));
        named.next()?.letter
    });
    let letters: Option<String> = letters.collect();
    letters
        .filter(|letters| !letters.is_empty() && !edit.game.begun())
        .map(|letters| format!("SET PREFERENCE {letters}"))
}
