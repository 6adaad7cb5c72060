//! The variants, one folder each, and the list of them. A new variant is its folder, its file in `grammar/`, and one
//! `mod` line and one line of `ALL` here.

// Nothing here touches the world: see clippy.toml. Tests may read files.
#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]

mod bridge;
mod chaos;
mod civdip;
mod life;
mod outer_space;
mod rather_silly;
mod standard;
mod winter_1900;

use std::sync::OnceLock;

use serde::Serialize;
use serde_json::json;

use dipjudge_game::{RememberedData, Variant};
use dipjudge_rules::orders::VariantData;

/// Every variant that the judge plays.
pub const ALL: &[&dyn Variant] = &[
    &standard::Standard,
    &life::Life,
    &bridge::Bridge,
    &outer_space::OuterSpace,
    &civdip::CivDip,
    &rather_silly::RatherSilly,
    &winter_1900::Winter1900,
    &chaos::Chaos,
];

/// Variants that are being built: offered and listed nowhere, and found by their names where a test has added them alone.
pub const NOT_OFFERED: &[&dyn Variant] = &[];

/// The variants that `add_for_tests` has added.
static FOR_TESTS: OnceLock<&[&dyn Variant]> = OnceLock::new();

/// Adds variants that only tests play: they are found by their names like all others, and offered and listed nowhere. Call it
/// before games of these variants are created or replayed; only the first call of a process has an effect.
pub fn add_for_tests(variants: &'static [&'static dyn Variant]) {
    FOR_TESTS.get_or_init(|| variants);
}

/// The variant of a game for which nobody names one.
pub const UNNAMED: &dyn Variant = &standard::Standard;

/// The variant with this name or alias, whatever the case; hyphens, underscores and blanks are ignored.
pub fn named(name: &str) -> Option<&'static dyn Variant> {
    let fold = |text: &str| text.to_lowercase().replace(['-', '_', ' '], "");
    let wanted = fold(name);
    let for_tests = FOR_TESTS.get().copied().unwrap_or_default();
    ALL.iter()
        .chain(for_tests)
        .find(|variant| {
            fold(variant.card().name) == wanted
                || variant
                    .card()
                    .aliases
                    .iter()
                    .any(|alias| fold(alias) == wanted)
        })
        .copied()
}

/// The same of a value that is read more often than written. What is read of its data has to be this value again.
fn remembered<T: Serialize + Send + Sync + 'static>(value: T) -> RememberedData {
    RememberedData::of(value, data_of)
}

/// What a game keeps of a value. The values that variants keep have texts or numbers as the keys of their maps, so each of
/// them can be written; if one could not, it would be kept as data that no version reads, and the game would stop there
/// (`dipjudge_game::Stored`).
fn data_of<T: Serialize + ?Sized>(value: &T) -> VariantData {
    VariantData::of(&value).unwrap_or_else(|fault| {
        VariantData::from(json!({ "cannot be written": fault.to_string() }))
    })
}

/// The variant of a game. One whose variant this version does not know is never played (`judge::Stopped`).
pub fn of(name: &str) -> &'static dyn Variant {
    named(name).unwrap_or(UNNAMED)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dipjudge_game::Phase;
    use dipjudge_rules::calendar::{PhaseKind, Season, Turn};

    #[test]
    fn a_phase_that_asks_is_told_by_its_letter_from_all_others_and_is_played() {
        let played = |variant: &dyn Variant, name: &str| {
            let own = Phase::Own(name.to_owned());
            // The first Winter may be unlike all others.
            let years = [1900, 1901].into_iter();
            let mut turns = years.flat_map(|year| Season::ALL.map(|season| Turn { year, season }));
            turns.any(|turn| variant.order_of_play(turn).contains(&own))
        };
        for variant in ALL {
            let mut letters = Vec::new();
            for own in variant.card().phases {
                let kind = PhaseKind::of_letter(own.letter);
                let fits = matches!(kind, Some(PhaseKind::Own(_) | PhaseKind::Adjustments));
                assert!(fits && own.letter != 'B', "{own:?}");
                assert!(!letters.contains(&(own.season, own.letter)), "{own:?}");
                letters.push((own.season, own.letter));
                assert!(played(*variant, own.name), "{own:?}");
            }
        }
    }
}
