//! Stopped games: this version of the program cannot read something in their logs. A stopped game is not among the
//! other games, so nothing falls due in it and nobody can change it; all other games go on.

use std::fmt;

use dipjudge_game::{DataError, Event, Game, Record, stored};
use dipjudge_rules::map::Map;
use dipjudge_variants as variants;

/// A stopped game.
#[derive(Debug)]
pub struct Stopped {
    /// The game's name.
    pub game: String,
    /// The number of the record that cannot be read, counted from 1.
    pub record: usize,
    /// The reason why it cannot be read.
    pub why: String,
    /// The game as of the record before.
    so_far: Option<Game>,
}

impl Stopped {
    pub(super) fn new(game: &str, record: usize, why: String, so_far: Option<Game>) -> Stopped {
        Stopped {
            game: game.to_owned(),
            record,
            why,
            so_far,
        }
    }

    /// The game as of the record before; `None` if the first record cannot be read.
    pub(crate) fn so_far(&self) -> Option<&Game> {
        self.so_far.as_ref()
    }

    /// The answer to a person who writes to the game.
    pub(crate) fn sentence(&self, keeper: &str) -> String {
        format!(
            "Game '{}' stands still, since the judge cannot read all that is stored of it.  Nothing in it is lost, nothing falls due, and nothing of this mail was done in it.  Its keeper, {keeper}, knows more.",
            self.game
        )
    }
}

/// The text for the keeper.
impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the game '{}' stands still: record {} of its log cannot be read ({}); use the version of the program that wrote it, or a newer one",
            self.game, self.record, self.why
        )
    }
}

/// Checks that this version knows everything in a record. The error is a clause that says what it does not know.
pub(super) fn readable(game: Option<&Game>, record: &Record) -> Result<(), DataError> {
    let mut variant = game.map(|game| variants::of(&game.variant));
    for event in &record.events {
        if let Event::Created {
            variant: name,
            map,
            places,
            ..
        }
        | Event::Variant {
            variant: name,
            map,
            places,
        } = event
        {
            let known = variants::named(name);
            variant = Some(known.ok_or_else(|| format!("no variant is called '{name}'"))?);
            Map::with_places(map, places)
                .ok_or_else(|| format!("no map is called '{map}', with what is laid over it"))?;
        }
        if let Some(variant) = variant {
            stored::check(event, variant)?;
        }
    }
    Ok(())
}
