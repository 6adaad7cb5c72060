//! The powers that a forming table deals out, and the line that prefers some of them.

use dipjudge_game::{Game, Role};
use dipjudge_rules::map::PowerInfo;
use dipjudge_variants as variants;

/// The powers that a forming table deals out.
pub(crate) fn powers_dealt(game: &Game) -> Vec<PowerInfo> {
    let players = game.seated(Role::Player).count();
    variants::of(&game.variant).powers(game.map(), players, &game.settings)
}

/// The line that prefers the powers with these names, in this order, and those in `last` least; `None` if one of them is no power
/// of a forming table.
pub(crate) fn preference_line(game: &Game, first: &[String], last: &[String]) -> Option<String> {
    let powers = powers_dealt(game);
    let letter = |name: &String| {
        let mut named = powers
            .iter()
            .filter(|info| info.name.eq_ignore_ascii_case(name));
        named.next()?.letter
    };
    let letters_of = |names: &[String]| names.iter().map(letter).collect::<Option<String>>();
    let (mut letters, last) = (letters_of(first)?, letters_of(last)?);
    if !last.is_empty() {
        let others = powers.iter().filter_map(|info| info.letter);
        let named = |letter: &char| letters.contains(*letter) || last.contains(*letter);
        let others: String = others.filter(|letter| !named(letter)).collect();
        letters = format!("{letters}{others}{last}");
    }
    Some(letters)
        .filter(|letters| !letters.is_empty() && !game.begun())
        .map(|letters| format!("SET PREFERENCE {letters}"))
}
