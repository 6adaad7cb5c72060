//! Games that stand still: something in their logs cannot be read by this version of the program. Such a game is not among
//! the others, so nothing falls due in it and nobody changes it; all other games go on.

use std::fmt;

use dipjudge_game::{Event, Game, Record, stored};
use dipjudge_rules::map::Map;
use dipjudge_variants as variants;

/// A game that stands still.
#[derive(Debug)]
pub struct Stopped {
    /// Its name.
    pub game: String,
    /// Which record of its log cannot be read, counted from 1.
    pub record: usize,
    /// Why.
    pub why: String,
    /// What the records before it tell.
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

    /// The game as it was before; none if its first record is the one that cannot be read.
    pub(crate) fn so_far(&self) -> Option<&Game> {
        self.so_far.as_ref()
    }

    /// What somebody is told who writes to it.
    pub(crate) fn sentence(&self, keeper: &str) -> String {
        format!(
            "Game '{}' stands still, since the judge cannot read all that is stored of it.  Nothing in it is lost, nothing falls due, and nothing of this mail was done in it.  Its keeper, {keeper}, knows more.",
            self.game
        )
    }
}

/// For the keeper.
impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the game '{}' stands still: record {} of its log cannot be read ({}); use the version of the program that wrote it, or a newer one",
            self.game, self.record, self.why
        )
    }
}

/// Whether this version knows everything that a record holds; the error is a clause that says what it does not.
pub(super) fn readable(game: Option<&Game>, record: &Record) -> Result<(), String> {
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
