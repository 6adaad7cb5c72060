//! Variant and options as they are named behind a password.

use crate::work::acting::{Refused, refuse};
use dipjudge_game::{Game, Variant, project};
use dipjudge_variants as variants;

/// Variant and options named behind a password.
pub(crate) struct Wishes {
    /// The standard game if none was named.
    pub variant: &'static dyn Variant,
    /// `gunboat`
    pub gunboat: bool,
    /// `blind`
    pub blind: bool,
    /// Words that are neither.
    pub others: Vec<String>,
}

/// Reads them.
pub(crate) fn wishes_of(words: &[String]) -> Wishes {
    let mut wishes = Wishes {
        variant: variants::UNNAMED,
        gunboat: false,
        blind: false,
        others: Vec::new(),
    };
    for word in words {
        match word.to_lowercase().as_str() {
            "gunboat" => wishes.gunboat = true,
            "blind" => wishes.blind = true,
            // The old judges' filler.
            "," | "diplomacy" => {}
            other => match variants::named(other) {
                Some(variant) => wishes.variant = variant,
                None => wishes.others.push(word.clone()),
            },
        }
    }
    wishes
}

/// Which variants and options there are.
pub(crate) fn offer() -> String {
    let names: Vec<&str> = variants::ALL
        .iter()
        .map(|variant| variant.card().name)
        .collect();
    format!("Variants: {}.  Options: gunboat, blind.", names.join(", "))
}

/// Refuses BLIND for a variant that knows no fog.
pub(crate) fn may_be_blind(variant: &dyn Variant) -> Result<(), Refused> {
    match variant.card().blind {
        true => Ok(()),
        false => refuse(format!("{} cannot be played blind.", variant.card().title)),
    }
}

/// The variant and options must be named if the game has them; else the reply prints the line to send.
pub(crate) fn check_wishes(game: &Game, wishes: &[String]) -> Result<(), Refused> {
    let variant = variants::of(&game.variant);
    let given = wishes_of(wishes);
    let named = given.variant.card().name == variant.card().name;
    check(game, &given, named)
}

/// The same for who names one of the variant's powers, which says of what variant he takes the game to be.
pub(crate) fn check_options(game: &Game, wishes: &[String]) -> Result<(), Refused> {
    check(game, &wishes_of(wishes), true)
}

fn check(game: &Game, given: &Wishes, variant_named: bool) -> Result<(), Refused> {
    let variant = variants::of(&game.variant);
    let fits = variant_named
        && given.gunboat == game.settings.gunboat
        && given.blind == game.settings.blind
        && given.others.is_empty();
    if fits {
        return Ok(());
    }
    // A password is never written back.
    let mut line = format!("SIGNON ?{} password", game.name);
    if variant.card().name != variants::UNNAMED.card().name {
        line.push_str(&format!(" {}", variant.card().name));
    }
    if game.settings.gunboat {
        line.push_str(" gunboat");
    }
    if game.settings.blind {
        line.push_str(" blind");
    }
    refuse(format!(
        "Game '{}' is {}.  To join it, send this line:\n    {line}",
        game.name,
        project::variant_line(game, variant)
    ))
}
