//! The variant and the options that a line names after its password: `CREATE ?name password gunboat`.

use crate::work::acting::{Refusal, refuse};
use dipjudge_game::{Game, Variant, VariantGame};
use dipjudge_variants as variants;

/// The variant and options of a new game, or those that a player expects a game to have.
pub(crate) struct CreateOptions {
    /// The variant; the standard game if the line names none.
    pub variant: &'static dyn Variant,
    pub gunboat: bool,
    pub blind: bool,
    /// Words that are neither a variant nor an option.
    pub others: Vec<String>,
}

impl CreateOptions {
    /// Parses the words after the password of a CREATE or SIGNON line.
    pub(crate) fn read(words: &[String]) -> CreateOptions {
        let mut options = CreateOptions {
            variant: variants::UNNAMED,
            gunboat: false,
            blind: false,
            others: Vec::new(),
        };
        for word in words {
            match word.to_lowercase().as_str() {
                "gunboat" => options.gunboat = true,
                "blind" => options.blind = true,
                // Words that the syntax of earlier judges allowed and that mean nothing.
                "," | "diplomacy" => {}
                other => match variants::named(other) {
                    Some(variant) => options.variant = variant,
                    None => options.others.push(word.clone()),
                },
            }
        }
        options
    }

    /// Whether a game has exactly these options.
    fn fit(&self, game: &Game) -> bool {
        self.gunboat == game.settings.gunboat
            && self.blind == game.settings.blind
            && self.others.is_empty()
    }
}

/// A sentence that lists the variants and options.
pub(crate) fn offer() -> String {
    let names: Vec<&str> = variants::ALL
        .iter()
        .map(|variant| variant.card().name)
        .collect();
    format!("Variants: {}.  Options: gunboat, blind.", names.join(", "))
}

/// Refuses BLIND for a variant that cannot hide the board.
pub(crate) fn may_be_blind(variant: &dyn Variant) -> Result<(), Refusal> {
    if variant.card().blind {
        return Ok(());
    }
    refuse(format!("{} cannot be played blind.", variant.card().title))
}

/// Refuses words other than the game's variant and its options, and shows the line to send.
pub(crate) fn check_variant_and_options(game: &Game, words: &[String]) -> Result<(), Refusal> {
    let named = CreateOptions::read(words);
    if named.variant.card().name == variants::of(&game.variant).card().name && named.fit(game) {
        return Ok(());
    }
    refuse_with_line(game)
}

/// Refuses words other than the game's options.
///
/// A line that names a power of the variant need not name the variant.
pub(crate) fn check_options(game: &Game, words: &[String]) -> Result<(), Refusal> {
    if CreateOptions::read(words).fit(game) {
        return Ok(());
    }
    refuse_with_line(game)
}

fn refuse_with_line(game: &Game) -> Result<(), Refusal> {
    let variant = variants::of(&game.variant);
    // A password is never quoted.
    let words = words_to_name(game);
    let line = format!("SIGNON ?{} password{words}", game.name);
    let without = format!("PLAY {}{words}", game.name);
    let rules = VariantGame::new(game, variant).variant_line();
    refuse(vec![
        format!(
            "'{}' is {rules}. To join, name that too, with a password or without one:",
            game.name
        ),
        format!("    {line}"),
        format!("    {without}"),
    ])
}

/// The words for a game's variant and options that whoever joins it has to name, each behind a blank.
pub(crate) fn words_to_name(game: &Game) -> String {
    let variant = variants::of(&game.variant);
    let mut words = String::new();
    if variant.card().name != variants::UNNAMED.card().name {
        words.push_str(&format!(" {}", variant.card().name));
    }
    if game.settings.gunboat {
        words.push_str(" gunboat");
    }
    if game.settings.blind {
        words.push_str(" blind");
    }
    words
}
