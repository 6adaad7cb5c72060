//! Winter 1900: the standard game on a board that is empty at first.

use super::standard;
use dipjudge_game::{
    Adjudication, Card, Course, Described, Game, Hidden, Opening, Submissions, Views,
};

/// The variant.
pub(super) struct Winter1900;

/// Its card.
const CARD: Card = Card {
    name: "winter-1900",
    aliases: &["winter", "1900"],
    title: "Winter 1900",
    called: None,
    rules: include_str!("rules.md"),
    worked_turn: include_str!("worked.json"),
    to_be_read: true,
    opening: Opening::Blank,
    standard_movement: true,
    ..standard::CARD
};

impl Described for Winter1900 {
    fn card(&self) -> &'static Card {
        &CARD
    }
}

impl Course for Winter1900 {}

impl Submissions for Winter1900 {}

impl Adjudication for Winter1900 {}

impl Views for Winter1900 {
    fn hides(&self, _game: &Game) -> &'static [Hidden] {
        &[]
    }
}
