//! Rather Silly: the seven powers, four roles by mail, and what the judge plays himself: BORG, the monsters, LLAMAS, souls, BIRDS,
//! hyperspace and the Mont Blanc Underpass.
//!
//! What is solid fights in the one adjudicator (`combat`), by strengths, assists and voided supports; all else moves
//! beside it. A season is a row of steps, each a file of its own, which work on one `Board`: the position and what the
//! variant keeps beside it. `[n]` is a rule of the designers', `Rn` a ruling, both of `rules/rather-silly.md`.

// Its reckoning is played by its worked cases alone, until its lines are read.
#![allow(dead_code)]

mod bigotry;
mod birds;
mod board;
mod borg;
mod combat;
mod conditions;
mod distraction;
mod ground;
mod legality;
mod llamas;
mod merging;
mod monsters;
mod movement;
mod orders;
mod question;
mod retreats;
mod rules;
mod siamese;
mod souls;
mod state;
mod steps;
mod tardis;
mod vote;
mod winter;

#[cfg(test)]
mod cases;
#[cfg(test)]
mod notation;

use std::ops::RangeInclusive;

use crate::game::{
    Adjudication, Card, Course, Described, Game, Interchange, Opening, Submissions, Views,
};
use crate::map::{Map, Power, Province, UnitKind};

/// The variant.
pub(super) struct RatherSilly;

/// Its card.
const CARD: Card = Card {
    name: "rather-silly",
    aliases: &["silly"],
    title: "Rather Silly",
    places: PLACES,
    opening: Opening::Own,
    ..Card::PLAIN
};

impl Described for RatherSilly {
    fn card(&self) -> &'static Card {
        &CARD
    }
}

impl Course for RatherSilly {
    /// The seven powers, and any of the four roles.
    fn players(&self, map: &Map) -> RangeInclusive<usize> {
        usize::from(JESTER.0)..=map.powers().len()
    }

    fn in_play(&self, game: &Game, power: Power) -> bool {
        power >= JESTER || game.unit_count(power) > 0 || game.center_count(power) > 0
    }
}

impl Submissions for RatherSilly {}

impl Adjudication for RatherSilly {}

impl Views for RatherSilly {
    fn hides_board(&self, _game: &Game) -> bool {
        false
    }
}

impl Interchange for RatherSilly {}

/// The FEMALE ARMY.
const FEMALE: UnitKind = UnitKind::literal("FA");
/// The DIRTY OLD MAN ARMY.
const DOM: UnitKind = UnitKind::literal("DOM");
/// A flock of BIRDS.
const BIRDS: UnitKind = UnitKind::literal("B");
/// A group of SEA MONSTERS.
const SEA: UnitKind = UnitKind::literal("SEA");
/// A group of SPACE MONSTERS.
const SPACE: UnitKind = UnitKind::literal("SPACE");

/// Re-orders units of others.
const JESTER: Power = Power(7);
/// Asks the questions.
const MASTERMIND: Power = Power(8);
/// Travels in the TARDIS.
const DOCTOR: Power = Power(9);
/// Foresees stand-offs.
const SOOTHSAYER: Power = Power(10);
/// Whose the monsters are: nobody leads them.
const MONSTERS: Power = Power::NEUTRAL;

/// Open to the MASTERMIND's units and to BORG alone (R82).
const ICELAND: Province = Province::literal(b"ICE");
/// Like Iceland.
const CORFU: Province = Province::literal(b"COR");

/// Whether the place is one of the two islands.
fn is_island(place: Province) -> bool {
    place == ICELAND || place == CORFU
}

/// Armies and fleets.
fn is_conventional(kind: UnitKind) -> bool {
    kind == UnitKind::ARMY || kind == UnitKind::FLEET
}

/// What fights, and of which there is room for one in a space.
fn is_solid(kind: UnitKind) -> bool {
    is_conventional(kind) || kind == SEA || kind == SPACE
}

/// FEMALE and DIRTY OLD MAN armies: they walk, and share their space with anything.
fn is_idle_army(kind: UnitKind) -> bool {
    kind == FEMALE || kind == DOM
}

/// What is laid over the map.
const PLACES: &str = include_str!("places.txt");
